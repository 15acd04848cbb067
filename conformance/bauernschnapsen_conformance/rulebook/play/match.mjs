// A game at the free table: deal after deal until a side has won, then the next game. No page here;
// everything that happens follows from the settings, the first number, and what the reader does.

import { Refusal, act, following, legalActions, newDeal, ruleAgainst } from "../../../adapters/javascript/rules.mjs";
import { dealt, firstDealer, laterNumber, lots, nothingFor, seatsOf } from "./deals.mjs";
import { chooseAction, chooseDoubling } from "./opponents.mjs";
import { rulesOf } from "./words.mjs";

/**
 * A new match. `ruleset`: its name; `seat`: the reader's; `first`: the number of the first deal, on
 * which all others follow; `dealer`: of the first deal, or null for one by lot.
 */
export function newMatch({ ruleset, seat, first, dealer = null }) {
  const settings = { ruleset, seat, first, dealer };
  const rules = rulesOf(ruleset);
  return begin({ settings, rules, count: 0, marks: nothingFor(rules) }, {
    dealer: dealer ?? firstDealer(rules, first), scores: nothingFor(rules), hadLed: [],
  });
}

function begin(match, { dealer, scores, hadLed }) {
  const number = laterNumber(match.rules, match.settings.first, match.count);
  const seats = seatsOf(match.rules);
  const { talon = [], ...hands } = dealt(number, seats.length);
  const start = { seats, dealer, hands, talon, scores, hadLed };
  return { ...match, number, start, deal: newDeal(match.rules, start), history: [], waved: null };
}

/** The seats of the others. */
export const isReader = (match, seat) => seat === match.settings.seat;

/** What the reader does: the match after it, or the rule that refuses it. */
export function readerActs(match, action) {
  const rule = ruleAgainst(match.deal, match.settings.seat, action);
  try {
    return { match: done(match, match.settings.seat, action), refused: null };
  } catch (problem) {
    if (problem instanceof Refusal) return { match, refused: rule };
    throw problem;
  }
}

function done(match, seat, action) {
  return { ...match, deal: act(match.deal, seat, action), history: [...match.history, [seat, action]], waved: null };
}

/** The reader lets the others go on, although he might say something. */
export const wave = (match) => ({ ...match, waved: match.history.length });

/**
 * What comes next: {kind: "reader"} at his turn, {kind: "pause"} where he may say something before
 * another goes on, {kind: "over"} at the end of a deal, {kind: "other", seat, action}.
 */
export function next(match) {
  const { deal, settings } = match;
  if (deal.phase === "over") return { kind: "over" };
  const doubling = doublingOf(match);
  if (doubling) return { kind: "other", ...doubling };
  if (isReader(match, deal.turn)) return { kind: "reader" };
  const mine = legalActions(deal)[settings.seat] ?? [];
  // He who looks at the talon is not interrupted; before the first lead there is time again.
  if (mine.length && !(deal.phase === "talon" && deal.taken) && match.waved !== match.history.length) return { kind: "pause" };
  return { kind: "other", seat: deal.turn, action: chooseAction(deal, deal.turn, lotOf(match, deal.turn)) };
}

/** The first of the others who doubles now, clockwise from whoever is to act. */
function doublingOf(match) {
  const { deal } = match;
  if (!deal.contract || deal.trick.length || deal.tricks.length) return null;
  const place = deal.seats.indexOf(deal.turn);
  for (const seat of [...deal.seats.slice(place), ...deal.seats.slice(0, place)]) {
    if (isReader(match, seat)) continue;
    const action = chooseDoubling(deal, seat, lotOf(match, `${seat} doubles`));
    if (action) return { seat, action };
  }
  return null;
}

/** Lots for one decision: the same whenever it is asked for again. */
const lotOf = (match, name) => lots(match.number, `${name} ${match.history.length}`);

/** Let the other seat do what `next` says. */
export const otherActs = (match, { seat, action }) => done(match, seat, action);

/** The next deal after one that is over; after a game, the first of the next game. */
export function nextDeal(match) {
  const { deal } = match;
  const scored = deal.game?.bummerl ?? nothingFor(match.rules);
  const marks = Object.fromEntries(Object.entries(match.marks).map(([side, count]) => [side, count + scored[side]]));
  const onwards = following(deal) ?? {
    dealer: deal.seats[(deal.seats.indexOf(deal.dealer) + 1) % deal.seats.length], scores: nothingFor(match.rules), hadLed: [],
  };
  return begin({ ...match, count: match.count + 1, marks }, onwards);
}

/** The match as plain data, and back: the deals before the present one are not kept, nor needed. */
export const saved = ({ settings, count, marks, start: { dealer, scores, hadLed }, history }) =>
  JSON.stringify({ settings, count, marks, start: { dealer, scores, hadLed }, history });

/** The match of a saved text; null if it is none that can be gone on with. */
export function restored(text) {
  try {
    const { settings, count, marks, start, history } = JSON.parse(text);
    let match = begin({ settings, rules: rulesOf(settings.ruleset), count, marks }, start);
    for (const [seat, action] of history) match = done(match, seat, action);
    return match;
  } catch {
    return null;
  }
}

/** The present deal as a record, as examples have it. */
export function recordOf({ start: { dealer, hands, talon, scores }, history }) {
  return {
    dealer, scores, ...(talon.length ? { talon } : {}),
    hands: Object.fromEntries(Object.entries(hands).map(([seat, cards]) => [seat, cards.join(" ")])),
    actions: history.map(([seat, action]) => `${seat} ${action}`),
  };
}
