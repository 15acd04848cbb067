// Simple opponents. They know what a player at the table knows and no more, keep to what the rules
// allow, bid by the strength of their hand, and where two things are equally good they draw lots.
// What a contract is they read from its fields; no contract is known here by name.

import { SUITS, legalActions, viewOf } from "../../../adapters/javascript/rules.mjs";
import { couples, least, most, ofSuit, pointsOf, promise, raceStrength, rankOf, suitOf } from "./strength.mjs";
import { chooseTalon } from "./talon.mjs";

const TO_WIN = 66;

/**
 * What a seat knows: its own cards (of those of others only what has been shown), what has been
 * said and played, and what it may do now.
 */
export function knowledge(deal, seat) {
  const { rules, phase, seats, sideOf, contract, declarer, trump, trick, tricks, scores, doubledBy, bid } = deal;
  // The trump is named from the first cards, before the others are looked at.
  const early = phase === "trump" && !contract;
  const seen = (card) => !early || deal.dealt[seat].indexOf(card) < rules.options.packets[0];
  const view = viewOf(deal);
  // Once there is a declarer the others are one camp, partners or not.
  const mine = declarer
    ? (other) => (sideOf[other] === sideOf[declarer]) === (sideOf[seat] === sideOf[declarer])
    : (other) => sideOf[other] === sideOf[seat];
  const camp = deal.sides.filter((side) => seats.some((other) => sideOf[other] === side && mine(other)));
  return {
    rules, phase, seats, seat, sideOf, contract, declarer, trick, tricks, scores, doubledBy, dealer: deal.dealer,
    bid: bid && { seat: bid.seat, level: bid.contract.level },
    named: trump,
    trump: contract ? view.contract.trump : trump,
    hand: deal.hands[seat].filter(seen),
    points: view.points,
    campPoints: camp.reduce((sum, side) => sum + view.points[side], 0),
    taken: deal.taken,
    legal: legalActions(deal)[seat] ?? [],
    mine,
  };
}

/** What the opponent on this seat does, or null if he has nothing to do; `lot` gives numbers below 1. */
export function chooseAction(deal, seat, lot) {
  const known = knowledge(deal, seat);
  if (!known.legal.length || seat !== deal.turn) return null;
  const choice = { trump: chooseTrump, auction: chooseBid, talon: chooseTalon, play: chooseCard, show: () => "show" }[known.phase];
  return choice ? choice(known, lot) : known.legal[0];
}

// ---------------------------------------------------------------------------- trump and auction

function chooseTrump(known, lot) {
  const named = known.legal.filter((action) => action.startsWith("trump "));
  const worth = (action) => {
    const cards = ofSuit(known.hand, action.slice(6));
    return cards.reduce((total, card) => total + 3 + pointsOf(card) / 4, couples(cards).length * 4) + lot() * 0.5;
  };
  // Three small cards of three suits promise nothing; what is turned up may be more.
  const poor = known.hand.every((card) => pointsOf(card) < 10) && new Set(known.hand.map(suitOf)).size === known.hand.length;
  const turned = known.legal.filter((action) => action.startsWith("turn-up"));
  if (known.legal.includes("redeal")) return "redeal";
  if (!named.length || (poor && turned.length && lot() < 0.4)) return turned[Math.floor(lot() * turned.length)];
  return most(named, worth);
}

function chooseBid(known, lot) {
  const { contracts } = known.rules;
  const bids = known.legal.filter((action) => action.startsWith("bid ")).map((action) => contracts.get(action.slice(4)));
  const over = known.bid && known.mine(known.bid.seat) ? 0.15 : 0;
  const good = bids.filter((contract) => promise(known, contract) >= 0.75 + over + lot() * 0.12);
  if (good.length) return `bid ${most(good, ({ value }) => value).name}`;
  if (known.legal.includes("pass") && !(known.bid === null && bids.length && contractIsRace(bids[0]))) return "pass";
  return `bid ${least(bids, ({ level }) => level).name}`;
}

const contractIsRace = ({ goal }) => goal === "claim_66";

// ---------------------------------------------------------------------------- doubling

/** Whether the opponent on this seat doubles now: "kontra" or its answer, or null. */
export function chooseDoubling(deal, seat, lot) {
  const known = knowledge(deal, seat);
  const [call] = known.legal.filter((action) => ["kontra", "rekontra", "subkontra"].includes(action));
  // What the talon brings is waited for: there is time until the first card.
  if (!call || known.phase === "talon") return null;
  // Each further step wants a stronger hand.
  return faith(known) - known.doubledBy.length * 0.2 >= 0.8 + lot() * 0.15 ? call : null;
}

/** How sure a seat is that its side wins the contract that is about to be played, from 0 to 1. */
function faith(known) {
  const { contract, hand, trump, seat, declarer } = known;
  const { ranks, goal } = contract;
  if (goal === "shown") return known.mine(declarer) ? 0.5 : 0;
  if (goal === "claim_66") return Math.min(1, raceStrength(hand, trump, ranks) / 78);
  if (seat === declarer) return promise(known, contract) - 0.1;
  if (known.mine(declarer)) return 0;
  if (goal === "no_trick") return 0.4;
  // One certain trick beats the contract: the highest trump, or high cards that cannot all be ruffed.
  const top = trump ? Number(hand.includes(ranks[0] + trump)) : SUITS.filter((suit) => hand.includes(ranks[0] + suit)).length * 0.32;
  const guarded = trump && hand.includes(ranks[1] + trump) && ofSuit(hand, trump).length > 1 ? 0.85 : 0;
  return Math.min(1, Math.max(top, guarded));
}

// ---------------------------------------------------------------------------- play

function chooseCard(known, lot) {
  if (known.legal.includes("enough") && known.campPoints >= TO_WIN) return "enough";
  const married = known.legal.filter((action) => action.startsWith("marry ")).map((action) => action.slice(6));
  const cards = known.legal.filter((action) => action.startsWith("play ")).map((action) => action.slice(5));
  if (married.length) {
    const best = most(married, (card) => (suitOf(card) === known.trump ? 2 : 0) + (rankOf(card) === "Q" ? 1 : 0));
    if (worthDeclaring(known, best)) return `marry ${best}`;
  }
  if (cards.length === 1) return `play ${cards[0]}`;
  const worth = known.trick.length ? worthFollowing(known) : worthLeading(known);
  return `play ${most(cards, (card) => worth(card) + lot() * 0.2)}`;
}

/** A marriage is kept back only where the trick that the card may lose would lose the contract. */
function worthDeclaring({ contract, seat, declarer, trump, hand, points, sideOf, tricks }, card) {
  if (contract.goal === "claim_66") return true;
  if (seat !== declarer) return false;
  const suit = suitOf(card);
  const masters = ["A", "T"].every((rank) => gone(tricks, rank + suit) || hand.includes(rank + suit));
  return masters || suit === trump || points[sideOf[seat]] >= TO_WIN - 25;
}

const gone = (tricks, card) => tricks.some(({ cards }) => cards.some(([, played]) => played === card));

/** Whether no card still out beats this one of its suit. */
function isMaster({ contract: { ranks }, hand, tricks }, card) {
  const higher = ranks.slice(0, ranks.indexOf(rankOf(card)));
  return [...higher].every((rank) => hand.includes(rank + suitOf(card)) || gone(tricks, rank + suitOf(card)));
}

const height = (known, card) => known.contract.ranks.length - known.contract.ranks.indexOf(rankOf(card));

/** Trumps of others that have not been played, as far as a seat can tell. */
function trumpsOut({ trump, hand, tricks, contract }) {
  if (!trump) return 0;
  return contract.ranks.length - ofSuit(hand, trump).length - tricks.flatMap(({ cards }) => ofSuit(cards.map(([, card]) => card), trump)).length;
}

function worthLeading(known) {
  const { contract, seat, declarer, trump, hand } = known;
  const avoids = contract.goal === "no_trick";
  const attacks = contract.goal === "claim_66" || seat === declarer;
  return (card) => {
    const isTrump = suitOf(card) === trump;
    if (avoids && seat === declarer) return -height(known, card) * 2 - ofSuit(hand, suitOf(card)).length * 0.1;
    // Against a contract without tricks a low card may leave the declarer with the highest.
    if (avoids) return -height(known, card);
    const out = trumpsOut(known);
    if (attacks && isMaster(known, card)) {
      if (isTrump) return out > 0 ? 8 + height(known, card) * 0.1 : 3;
      return (out === 0 || !trump ? 9 : 7) + pointsOf(card) * 0.1;
    }
    if (!attacks) return -pointsOf(card) - (isTrump ? 2 : 0) + (isMaster(known, card) ? 14 : 0);
    // Not a certain winner: the cheapest card of a long suit, and no king or queen out of a couple.
    const half = { K: "Q", Q: "K" }[rankOf(card)];
    const couple = half && hand.includes(half + suitOf(card)) ? 4 : 0;
    return -pointsOf(card) * 0.4 - couple - (isTrump ? 1.5 : 0) + ofSuit(hand, suitOf(card)).length * 0.3;
  };
}

function worthFollowing(known) {
  const { contract, seat, declarer, trick, trump } = known;
  const led = suitOf(trick[0][1]);
  const power = (card) => height(known, card) + (suitOf(card) === trump ? 20 : suitOf(card) === led ? 0 : -20);
  const [holder, best] = trick.reduce((top, play) => (power(play[1]) > power(top[1]) ? play : top));
  const last = trick.length === known.seats.length - (contract.partner === "out" ? 2 : 1);
  const friendly = known.mine(holder) && contract.goal !== "no_trick" && contract.won_by !== "declarer";
  return (card) => {
    const wins = power(card) > power(best);
    if (contract.goal === "no_trick") {
      if (seat === declarer) return wins ? -20 - height(known, card) : height(known, card);
      // The others would rather lie below the declarer's card than above it.
      return wins ? -10 - height(known, card) : height(known, card);
    }
    if (contract.won_by === "declarer" && holder === declarer && seat !== declarer && known.mine(declarer)) {
      return wins ? -20 : pointsOf(card);
    }
    if (wins) return keeps(known, card, last) ? 12 + pointsOf(card) * 0.3 - (suitOf(card) === trump ? 3 : 0) : 4 - pointsOf(card) * 0.5;
    if (friendly) return pointsOf(card) * (last || isMaster(known, best) ? 1 : 0.4) - (suitOf(card) === trump ? 5 : 0);
    return -pointsOf(card) - (suitOf(card) === trump ? 3 : 0) - (isMaster(known, card) ? 6 : 0);
  };
}

/** Whether a winning card is likely to stay the best of the trick. */
const keeps = (known, card, last) =>
  last || (isMaster(known, card) && (suitOf(card) === known.trump || trumpsOut(known) < 2));
