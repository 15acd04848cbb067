/**
 * A toy engine, in the place of yours: the tricks of a deal, and nothing else of the game.
 *
 * Like most engines it has its own idea of cards and seats. Cards are numbers from 0 to 19, suit * 5 +
 * rank, with the suits hearts, diamonds, spades, clubs and the ranks jack, queen, king, ten, ace; seats
 * are numbers from 0 to 3, clockwise.
 */

export const VERSION = "1.0";
const SEATS = 4;
const WORTH = [2, 3, 4, 10, 11]; // card points, by rank

const suitOf = (card) => Math.floor(card / 5);

/**
 * What this engine must know of a contract to play its tricks: whether the suit that was named is
 * trump, whether the ten is high, how many tricks there are, and whether the declarer must win every
 * trick (true) or none (false), or the tricks end nothing early (null).
 */
const contract = (own) => ({ trump: true, tenHigh: false, tricks: 5, wins: true, ...own });

export const CONTRACTS = {
  normal: contract({ wins: null }),
  bettler: contract({ trump: false, wins: false }),
  schnapser: contract({ tricks: 3 }),
  gang: contract({ trump: false }),
  "zehner-gang": contract({ trump: false, tenHigh: true }),
  "kontra-schnapser": contract({ tricks: 3 }),
  "bauern-schnapser": contract({}),
  "kontra-bauern-schnapser": contract({}),
};

/** Whether a card takes a trick from another one that led to it so far. */
function beats({ trump: hasTrump, tenHigh }, trump, card, other) {
  if (suitOf(card) !== suitOf(other)) return hasTrump && suitOf(card) === trump;
  return tenHigh ? (card + 1) % 5 > (other + 1) % 5 : card > other;
}

/** The place in the trick of the card that wins it. */
export function best(rules, trump, trick) {
  return trick.reduce((place, card, at) => (beats(rules, trump, card, trick[place]) ? at : place), 0);
}

/** The cards of a hand that may be played: follow suit, else ruff; beat what can be beaten. */
export function playable(rules, trump, trick, hand) {
  if (!trick.length) return hand;
  const ofSuit = (suit) => hand.filter((card) => suitOf(card) === suit);
  let cards = ofSuit(suitOf(trick[0]));
  if (!cards.length && rules.trump) cards = ofSuit(trump);
  if (!cards.length) return hand;
  const winning = trick[best(rules, trump, trick)];
  const better = cards.filter((card) => beats(rules, trump, card, winning));
  return better.length ? better : cards;
}

/** A deal that is being played, from the first lead on. */
export class Deal {
  trick = []; // seats and cards on the table
  lastTrick = [];
  lastWinner = 0;
  lastPoints = 0;
  number = 0; // of tricks that are complete

  constructor(rules, declarer, trump, dealer, hands) {
    this.rules = rules;
    this.declarer = declarer;
    this.trump = trump;
    this.hands = hands.map((hand) => [...hand]);
    this.turn = rules.trump ? this.#next(dealer) : declarer;
  }

  /** The cards that whoever is to act may play. */
  mayPlay() {
    if (this.turn === null) return [];
    return playable(this.rules, this.trump, this.trick.map(([, card]) => card), this.hands[this.turn]);
  }

  /** Whether this engine knows all that a seat may do: it knows no Kontra and no marriages. */
  isSure(seat) {
    if (this.trick.length || this.turn === null) return true;
    const kontra = this.number === 0 && seat % 2 !== this.declarer % 2;
    const hand = seat === this.turn ? this.hands[seat] : [];
    const pair = hand.some((card) => card % 5 === 1 && hand.includes(card + 1));
    return !kontra && !(pair && this.rules.trump);
  }

  /** Play a card; false, and nothing happens, if that is not allowed. */
  play(seat, card) {
    if (seat !== this.turn || !this.mayPlay().includes(card)) return false;
    this.hands[seat] = this.hands[seat].filter((held) => held !== card);
    this.trick.push([seat, card]);
    this.turn = this.#next(seat);
    if (this.turn === this.trick[0][0]) this.#endTrick();
    return true;
  }

  #endTrick() {
    const cards = this.trick.map(([, card]) => card);
    const winner = this.trick[best(this.rules, this.trump, cards)][0];
    [this.lastTrick, this.lastWinner, this.trick] = [this.trick, winner, []];
    this.lastPoints = cards.reduce((sum, card) => sum + WORTH[card % 5], 0);
    this.number += 1;
    const lost = this.rules.wins !== null && this.rules.wins !== (winner === this.declarer);
    this.turn = lost || this.number === this.rules.tricks ? null : winner;
  }

  /** The next seat clockwise; in Bettler the declarer's partner is passed over. */
  #next(seat) {
    const next = (seat + 1) % SEATS;
    const out = this.rules.wins === false && next === (this.declarer + 2) % SEATS;
    return out ? (next + 1) % SEATS : next;
  }
}
