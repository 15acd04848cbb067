// The strength of a hand, as simple opponents judge it: what it takes in tricks and card points, and
// how sure it can be of a contract. What a contract is they read from its fields.

import { CARD_POINTS, SUITS } from "../../../adapters/javascript/rules.mjs";

export const rankOf = (card) => card[0];
export const suitOf = (card) => card[1];
export const pointsOf = (card) => CARD_POINTS[rankOf(card)];
export const ofSuit = (cards, suit) => cards.filter((card) => suitOf(card) === suit);
export const least = (list, by) => list.reduce((best, one) => (by(one) < by(best) ? one : best));
export const most = (list, by) => least(list, (one) => -by(one));

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

export const couples = (hand) => SUITS.filter((suit) => hand.includes(`K${suit}`) && hand.includes(`Q${suit}`));

/** Card points a hand can expect of a race to 66, its marriages among them. */
export function raceStrength(hand, trump, ranks) {
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

/** How sure a hand can be of a contract, from 0 to 1. */
export function promise(known, contract) {
  const { hand, seat, seats, dealer, named } = known;
  if (contract.goal !== "shown" && !hasCards(hand, contract.hold, named)) return 0;
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
      const count = contract.tricks === "all" ? hand.length : contract.tricks;
      const cards = [...hand].sort((one, other) => pointsOf(other) - pointsOf(one)).slice(0, count);
      const announced = couples(hand).reduce((total, suit) => Math.max(total, suit === trump ? 40 : 20), 0);
      const points = cards.reduce((total, card) => total + pointsOf(card), 0) + 24 + announced * 0.9;
      const certain = Math.min(1, (tricks - (leads ? 0.3 : 1)) / count);
      return certain * Math.min(1, points / 74);
    }
    case "no_trick":
      return Math.max(0, 1 - danger(hand, ranks) * 0.09);
    default:
      return 0;
  }
}

/** Whether a hand has the cards a contract asks for. */
export function hasCards(hand, hold, named) {
  const fives = SUITS.filter((suit) => ofSuit(hand, suit).length >= 5);
  switch (hold) {
    case "five_of_a_suit":
      return fives.length > 0;
    case "five_trumps":
      return named ? fives.includes(named) : fives.length > 0;
    case "five_of_plain_suit":
      return fives.some((suit) => suit !== named);
    case "an_ace":
      return hand.some((card) => rankOf(card) === "A");
    default:
      return true;
  }
}

const longest = (hand) => most(SUITS, (suit) => ofSuit(hand, suit).length);
