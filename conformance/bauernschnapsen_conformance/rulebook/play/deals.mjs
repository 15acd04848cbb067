// Deals by number (rule notation.deal-number), and everything that is drawn by lot: both come from
// one number, so that whoever knows it can play the same again.

import { CARD_POINTS, SUITS } from "../../../adapters/javascript/rules.mjs";

const RANKS = Object.keys(CARD_POINTS);
export const CARDS = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));
export const SEATS = ["N", "E", "S", "W"];
const HAND = 5;
/** Ways to give five of twenty cards to each of four seats: 20! / (5!)^4. */
export const DEALS = 11_732_745_024;

function choose(all, some) {
  let ways = 1;
  for (let k = 1; k <= some; k++) ways = (ways * (all - some + k)) / k;
  return ways;
}

/** Ways to give cards to the last seats. */
const waysFor = (seats) => Array.from({ length: seats }, (_, k) => choose(HAND * (k + 1), HAND)).reduce((a, b) => a * b, 1);

/** The hands of a deal number, cards in the order of the notation; null if there is no such deal. */
export function handsOf(number) {
  if (!Number.isInteger(number) || number < 0 || number >= DEALS) return null;
  let left = CARDS;
  let rest = number;
  return Object.fromEntries(
    SEATS.map((seat, place) => {
      const after = waysFor(SEATS.length - 1 - place);
      const hand = combination(left, Math.floor(rest / after));
      rest %= after;
      left = left.filter((card) => !hand.includes(card));
      return [seat, hand];
    }),
  );
}

/** The five cards of that rank among all choices of five, in lexicographic order. */
function combination(cards, rank) {
  const chosen = [];
  let place = 0;
  for (let still = HAND; still > 0; still--) {
    for (let skip = 0; rank >= (skip = choose(cards.length - place - 1, still - 1)); place++) rank -= skip;
    chosen.push(cards[place++]);
  }
  return chosen;
}

/** A stream of numbers from 0 up to 1; the same for the same seed and name. */
export function lots(seed, name = "") {
  let state = (seed % 4294967296 ^ Math.floor(seed / 4294967296) * 2654435761) >>> 0;
  for (const letter of name) state = Math.imul(state ^ letter.codePointAt(0), 2246822519) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * The hands of a deal number in the order in which they are received, which matters for the trump:
 * it is drawn by lot from the same number.
 */
export function dealt(number) {
  const lot = lots(number, "order");
  return Object.fromEntries(Object.entries(handsOf(number)).map(([seat, hand]) => [seat, shuffled(hand, lot)]));
}

function shuffled(cards, lot) {
  const mixed = [...cards];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = Math.floor(lot() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other], mixed[last]];
  }
  return mixed;
}

/** The number of a later deal of a game that began with this number. */
export const laterNumber = (first, count) => (count === 0 ? first : Math.floor(lots(first, `deal ${count}`)() * DEALS));

/** The first dealer of a game, by lot. */
export const firstDealer = (first) => SEATS[Math.floor(lots(first, "dealer")() * SEATS.length)];

/** A number by chance. */
export function randomNumber() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return ((high % 4096) * 4294967296 + low) % DEALS;
}
