#!/usr/bin/env node
/**
 * A skeleton: the adapter between your engine and the suite. Protocol version 1.
 *
 * As it stands it drives the toy engine in toy.mjs, which knows tricks only. Put your engine in its
 * place at the marks FILL 1 to FILL 9; the rest can stay. FILL 1 to 5 are enough for level 1.
 */
import {
  RANKS, SEATS, SUITS, Unsupported, checkHands, eachCase, expectList, parseAction, parseCard, run,
} from "./kit.mjs";
import * as toy from "./toy.mjs";

// FILL 1: who answers, and what it can do. All of it must be the same after a restart.
const hello = {
  adapter: { name: "my-adapter", version: "1" },
  engine: { name: "toy", version: toy.VERSION, language: "JavaScript" },
  capabilities: {
    players: [4],
    legal_plays: true,
    trick_winner: true,
    starts: [],          // level 2: ["contract"]; level 3: ["deal", "contract"]
    match: false,        // level 5: true
    claims: "none",      // level 4: "called", or "automatic" if deals end by themselves
    enforces: true,      // false if the engine offers the right cards but takes any
    reasons: false,      // true if `act` below returns rule ids
    configurable: false,
  },
  window: 8,
};

// ---------------------------------------------------------------------------- level 1: tricks

// FILL 2: cards, suits and seats, as your engine has them.
const ENGINE_RANKS = "JQKTA";
const PLAYER_SEATS = SEATS[4];

/** "H" -> 0. Where no suit was named there is none. */
const toSuit = (word) => (word === null ? -1 : SUITS.indexOf(word));

/** "TH" -> 3. */
function toCard(word) {
  const { rank, suit } = parseCard(word);
  return toSuit(suit) * RANKS.length + ENGINE_RANKS.indexOf(rank);
}

/** 3 -> "TH". */
const toWord = (card) => ENGINE_RANKS[card % RANKS.length] + SUITS[Math.floor(card / RANKS.length)];

/** "E" -> 1. */
function toSeat(letter) {
  if (!PLAYER_SEATS.includes(letter)) throw new Error(`${JSON.stringify(letter)} is not a seat`);
  return PLAYER_SEATS.indexOf(letter);
}

// FILL 3: contracts, as your engine has them; Unsupported if it has no such contract.
function toContract(name) {
  if (!Object.hasOwn(toy.CONTRACTS, name)) throw new Unsupported(`the contract ${name}`);
  return toy.CONTRACTS[name];
}

// FILL 4: the cards of `hand` that `seat` may play.
function legalPlays({ contract, trump, trick, hand }) {
  const table = expectList(trick, "trick").map(([, card]) => toCard(card));
  const cards = expectList(hand, "hand").map(toCard);
  return toy.playable(toContract(contract), toSuit(trump), table, cards).map(toWord);
}

// FILL 5: the seat that wins the complete trick.
function trickWinner({ contract, trump, trick }) {
  const cards = expectList(trick, "trick").map(([, card]) => toCard(card));
  return trick[toy.best(toContract(contract), toSuit(trump), cards)][0];
}

// ---------------------------------------------------------------------------- levels 2 to 5: deals

/** For each deal a view before the first action and one after each. */
function replay({ deals }) {
  let before = null;
  return expectList(deals, "deals").map((record) => {
    const deal = openDeal(record, before);
    const views = [view(deal)];
    for (const [seat, text] of expectList(record.actions, "actions")) {
      const action = parseAction(text);
      const refused = action && PLAYER_SEATS.includes(seat) ? act(deal, seat, action) : true;
      views.push(refused ? { ...view(deal), refused } : view(deal));
    }
    before = deal;
    return views;
  });
}

// FILL 6: a deal from its record. Level 3 needs the start from the deal, where record.contract is
// absent. Level 5 needs record.scores; where dealer and scores are absent, they follow from how the
// deal `before` ended.
function openDeal(record, before) {
  checkHands(record.hands, PLAYER_SEATS, 5);
  const hands = PLAYER_SEATS.map((seat) => record.hands[seat].map(toCard));
  const start = record.contract;
  if (!start) throw new Unsupported("no auction");
  if (record.dealer === undefined) throw new Unsupported("no match");
  return new toy.Deal(
    toContract(start.name), toSeat(start.declarer), toSuit(start.trump), toSeat(record.dealer), hands,
  );
}

// FILL 7: do an action, if the rules allow it. Level 2 needs marry and show; level 3 trump, turn-up,
// redeal, bid, pass, kontra, rekontra and subkontra; level 4 enough. False if it was done; true, or the
// id of the rule it breaks, if it was refused.
function act(deal, seat, { verb, words }) {
  if (verb === "play") return !deal.play(toSeat(seat), toCard(words[0]));
  return true; // what the engine does not know is refused
}

// FILL 8: what each seat may do now, seat -> actions; null where the engine cannot tell. A seat with
// none is left out; after the end all are.
function legal(deal) {
  const known = {};
  PLAYER_SEATS.forEach((letter, seat) => {
    if (!deal.isSure(seat)) known[letter] = null;
    else if (seat === deal.turn) known[letter] = deal.mayPlay().map((card) => `play ${toWord(card)}`);
  });
  return known;
}

// FILL 9: the table as anybody sees it. Leave out what the engine does not know; null says "there is
// none". Level 2 needs contract, points, tricks and outcome; level 5 scores, next_dealer and game;
// phase, trump, bid and sees are welcome. Section 6 of the protocol describes each.
function view(deal) {
  return {
    to_act: deal.turn === null ? null : PLAYER_SEATS[deal.turn],
    legal: legal(deal),
    trick: shown(deal.trick),
    last_trick: deal.lastTrick.length ? lastTrick(deal) : null,
  };
}

/** The trick before this one. */
function lastTrick(deal) {
  return { cards: shown(deal.lastTrick), winner: PLAYER_SEATS[deal.lastWinner], points: deal.lastPoints };
}

/** Seats and cards in the letters of the protocol. */
function shown(trick) {
  return trick.map(([seat, card]) => [PLAYER_SEATS[seat], toWord(card)]);
}

// ---------------------------------------------------------------------------- start

run({
  hello,
  operations: {
    legal_plays: ({ cases }) => eachCase(cases, legalPlays),
    trick_winner: ({ cases }) => eachCase(cases, trickWinner),
    replay,
  },
});
