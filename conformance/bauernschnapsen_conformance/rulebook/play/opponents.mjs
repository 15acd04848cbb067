// Simple opponents. They know what a player at the table knows and no more, keep to what the rules
// allow, bid by the strength of their hand, and where two things are equally good they draw lots.
// What a contract is they read from its fields; no contract is known here by name.

import { CARD_POINTS, SUITS, legalActions, viewOf } from "../../../adapters/javascript/rules.mjs";

const TO_WIN = 66;
const rankOf = (card) => card[0];
const suitOf = (card) => card[1];
const pointsOf = (card) => CARD_POINTS[rankOf(card)];
const ofSuit = (cards, suit) => cards.filter((card) => suitOf(card) === suit);
const least = (list, by) => list.reduce((best, one) => (by(one) < by(best) ? one : best));
const most = (list, by) => least(list, (one) => -by(one));

/**
 * What a seat knows: its own cards (of those of others only what has been shown), what has been
 * said and played, and what it may do now.
 */
export function knowledge(deal, seat) {
  const { rules, phase, seats, sideOf, contract, declarer, trump, trick, tricks, scores, doubledBy, bid } = deal;
  // The trump is named from the first cards, before the others are looked at.
  const early = phase === "trump" && !contract;
  const dealtSoFar = early ? deal.dealt[seat].slice(0, rules.options.packets[0]) : deal.dealt[seat];
  const view = viewOf(deal);
  return {
    rules, phase, seats, seat, sideOf, contract, declarer, trick, tricks, scores, doubledBy, dealer: deal.dealer,
    bid: bid && { seat: bid.seat, level: bid.contract.level },
    named: trump,
    trump: contract ? view.contract.trump : trump,
    hand: deal.hands[seat].filter((card) => dealtSoFar.includes(card)),
    points: view.points,
    legal: legalActions(deal)[seat] ?? [],
    mine: (other) => sideOf[other] === sideOf[seat],
  };
}

/** What the opponent on this seat does, or null if he has nothing to do; `lot` gives numbers below 1. */
export function chooseAction(deal, seat, lot) {
  const known = knowledge(deal, seat);
  if (!known.legal.length || seat !== deal.turn) return null;
  const choice = { trump: chooseTrump, auction: chooseBid, play: chooseCard, show: () => "show" }[known.phase];
  return choice ? choice(known, lot) : known.legal[0];
}

// ---------------------------------------------------------------------------- the strength of a hand

/** Cards of one suit that win if they are led from the top, whoever holds the others. */
export function runOf(cards, ranks) {
  const held = new Set(cards.map(rankOf));
  let run = 0;
  while (run < ranks.length && held.has(ranks[run])) run++;
  // When all others of the suit must have fallen, what is left is good as well.
  return run >= ranks.length - held.size ? held.size : run;
}

/** Tricks that a hand takes for certain once it leads. */
const sureTricks = (hand, ranks) => SUITS.reduce((total, suit) => total + runOf(ofSuit(hand, suit), ranks), 0);

/** The same with a trump suit: winners outside it count in full only behind long trumps. */
function trumpTricks(hand, trump, ranks) {
  const trumps = ofSuit(hand, trump);
  const top = runOf(trumps, ranks);
  const plain = SUITS.filter((suit) => suit !== trump).reduce((total, suit) => total + runOf(ofSuit(hand, suit), ranks), 0);
  const small = (trumps.length - top) * 0.5;
  return top + small + plain * (top >= 2 || trumps.length >= 3 ? 0.9 : 0.55);
}

const couples = (hand) => SUITS.filter((suit) => hand.includes(`K${suit}`) && hand.includes(`Q${suit}`));

/** Card points a hand can expect of a race to 66, its marriages among them. */
function raceStrength(hand, trump, ranks) {
  const announced = couples(hand).reduce((total, suit) => total + (suit === trump ? 40 : 20), 0);
  return trumpTricks(hand, trump, ranks) * 16 + announced * 0.8;
}

/** How likely a hand is to be caught in a contract in which it must not take a trick. */
function danger(hand, ranks) {
  const low = ranks.length - 1;
  return SUITS.reduce((total, suit) => {
    const own = ofSuit(hand, suit).map((card) => ranks.indexOf(rankOf(card))).sort((a, b) => b - a);
    // A high card is covered where enough lower ones of its suit are held.
    return total + own.reduce((sum, height, place) => sum + Math.max(0, low - height - place) ** 1.4, 0);
  }, 0);
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

/** How sure a hand can be of a contract, from 0 to 1. */
export function promise(known, contract) {
  const { hand, seat, seats, dealer, named } = known;
  const ranks = contract.ranks;
  const trump = contract.trump === "named" ? (named ?? longest(hand)) : null;
  const forehand = seats[(seats.indexOf(dealer) + 1) % seats.length];
  const leads = contract.lead === "declarer" || seat === forehand;
  switch (contract.goal) {
    case "shown":
      // The cards it asks for are held, or the bid would not be allowed; else it is not meant.
      return contract.hold !== "none" && contract.held_at === "bid" ? 1 : 0;
    case "all_tricks": {
      const sure = trump ? trumpTricks(hand, trump, ranks) : sureTricks(hand, ranks);
      const safe = leads || (trump && ofSuit(hand, trump).length >= 4) ? 0 : 0.5;
      return Math.min(1, Math.max(0, 1 - (hand.length - sure + safe) * 0.3));
    }
    case "tricks_66": {
      const tricks = trumpTricks(hand, trump, ranks);
      const cards = [...hand].sort((one, other) => pointsOf(other) - pointsOf(one)).slice(0, 3);
      const announced = couples(hand).reduce((total, suit) => Math.max(total, suit === trump ? 40 : 20), 0);
      const points = cards.reduce((total, card) => total + pointsOf(card), 0) + 24 + announced * 0.9;
      const certain = Math.min(1, (tricks - (leads ? 0.3 : 1)) / 3);
      return certain * Math.min(1, points / 74);
    }
    case "no_trick":
      return Math.max(0, 1 - danger(hand, ranks) * 0.09);
    default:
      return 0;
  }
}

const longest = (hand) => most(SUITS, (suit) => ofSuit(hand, suit).length);

// ---------------------------------------------------------------------------- doubling

/** Whether the opponent on this seat doubles now: "kontra" or its answer, or null. */
export function chooseDoubling(deal, seat, lot) {
  const known = knowledge(deal, seat);
  const [call] = known.legal.filter((action) => ["kontra", "rekontra", "subkontra"].includes(action));
  if (!call) return null;
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
  if (known.legal.includes("enough") && known.points[known.sideOf[known.seat]] >= TO_WIN) return "enough";
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
