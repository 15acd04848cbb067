// Deals by number (rule notation.deal-number), and everything that is drawn by lot: both come from
// one number, so that whoever knows it can play the same again.

import { CARD_POINTS, SUITS } from "../../../adapters/javascript/rules.mjs";

const RANKS = Object.keys(CARD_POINTS);
export const CARDS = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));
const SEATS = { 3: ["N", "E", "S"], 4: ["N", "E", "S", "W"] };
/** What is dealt: to every seat, and aside for the talon. */
const SHARES = { 3: { N: 6, E: 6, S: 6, talon: 2 }, 4: { N: 5, E: 5, S: 5, W: 5 } };
/** Ways to deal: 20! / (6!^3 * 2!) for three, 20! / 5!^4 for four. */
const DEALS = { 3: 3_259_095_840, 4: 11_732_745_024 };

/** The seats of a table, clockwise. */
export const seatsOf = ({ options }) => SEATS[options.seats];
/** The sides of a table: opposite seats together, or everybody alone. */
export const sidesOf = (rules) => (rules.options.sides === "partners" ? ["NS", "EW"] : seatsOf(rules));
/** A number for each side, 0 at first. */
export const nothingFor = (rules) => Object.fromEntries(sidesOf(rules).map((side) => [side, 0]));
/** How many deals there are at a table. */
export const dealsFor = ({ options }) => DEALS[options.seats];

function choose(all, some) {
  let ways = 1;
  for (let k = 1; k <= some; k++) ways = (ways * (all - some + k)) / k;
  return ways;
}

/** Ways to give cards in these shares. */
const waysFor = (shares) =>
  shares.reduce(({ ways, cards }, share) => ({ ways: ways * choose(cards + share, share), cards: cards + share }), { ways: 1, cards: 0 }).ways;

/**
 * The hands of a deal number, and the talon if there is one, cards in the order of the notation;
 * null if there is no such deal. For three it is counted as for four, the talon last.
 */
export function handsOf(number, seats = 4) {
  if (!Number.isInteger(number) || number < 0 || number >= DEALS[seats]) return null;
  const shares = Object.entries(SHARES[seats]);
  let left = CARDS;
  let rest = number;
  return Object.fromEntries(
    shares.map(([owner, share], place) => {
      const after = waysFor(shares.slice(place + 1).map(([, count]) => count));
      const hand = combination(left, share, Math.floor(rest / after));
      rest %= after;
      left = left.filter((card) => !hand.includes(card));
      return [owner, hand];
    }),
  );
}

/** So many cards: those of that rank among all such choices, in lexicographic order. */
function combination(cards, share, rank) {
  const chosen = [];
  let place = 0;
  for (let still = share; still > 0; still--) {
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
export function dealt(number, seats = 4) {
  const lot = lots(number, "order");
  return Object.fromEntries(Object.entries(handsOf(number, seats)).map(([seat, hand]) => [seat, shuffled(hand, lot)]));
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
export const laterNumber = (rules, first, count) =>
  count === 0 ? first : Math.floor(lots(first, `deal ${count}`)() * dealsFor(rules));

/** The first dealer of a game, by lot. */
export function firstDealer(rules, first) {
  const seats = seatsOf(rules);
  return seats[Math.floor(lots(first, "dealer")() * seats.length)];
}

/** A number by chance. */
export function randomNumber(rules) {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return ((high % 4096) * 4294967296 + low) % dealsFor(rules);
}
