// Everything that is said to the reader, in the language of the page. The words come from
// spec/translations, the names of cards from the glossary, by way of data.py.

import { compileRules } from "../../../adapters/javascript/rules.mjs";
import { el } from "./dom.mjs";

const data = () => globalThis.bauernschnapsenPlay;
const cards = () => globalThis.bauernschnapsenCards;

/** A phrase as plain text, its blanks filled in. */
export function plain(key, blanks = {}) {
  return phraseOf(key).replace(/\{([a-z_]+)\}/g, (whole, name) => blanks[name] ?? whole);
}

/** A label and what it labels, with the colon as the language sets it. */
export const labelled = (label, ...content) => [label, plain("mark.colon"), ...content];

/** A phrase whose blanks are texts or nodes. */
export function say(key, blanks = {}) {
  const made = document.createDocumentFragment();
  for (const piece of phraseOf(key).split(/(\{[a-z_]+\})/)) {
    const name = piece.startsWith("{") ? piece.slice(1, -1) : null;
    made.append(name !== null && blanks[name] !== undefined ? blanks[name] : piece);
  }
  return made;
}

function phraseOf(key) {
  const found = data().words[key];
  if (found === undefined) throw new Error(`the page has no words for ${key}`);
  return found;
}

// ---------------------------------------------------------------------------- names

const nameIn = (kind) => (name) => data().names[kind][name] ?? name;
export const seatName = nameIn("seats");
/** With three players each seat is a side. */
export const sideName = (side) => data().names.sides[side] ?? seatName(side);
export const outcomeName = nameIn("outcomes");
export const contractName = nameIn("contracts");
export const rulesetName = nameIn("rulesets");

const deck = () => cards().currentDeck(data().language);
export const cardName = (card) => cards().words.names[deck()][card];
export const suitName = (suit) => cards().words.suits[deck()][suit];
export const cardElement = (card, lazy = false) => el("bs-card", { card, width: 64, lazy });
export const backElement = () => el("bs-card", { back: true, width: 64 });
export const chip = (card) => el("bs-chip", { card });
export const suitChip = (suit) => el("bs-chip", { suit });
export const cardList = (list) => list.flatMap((card, place) => (place ? [" ", chip(card)] : [chip(card)]));

// ---------------------------------------------------------------------------- rulesets

const compiled = new Map();

/** The resolved ruleset of that name; `changes` as `under` of a scenario. */
export function resolvedRuleset(name, changes = null) {
  const { rulesets } = data();
  let resolved = merged(rulesets.main, rulesets.others[name] ?? {});
  resolved.ruleset = name;
  if (changes) {
    if (changes.ruleset) resolved = resolvedRuleset(changes.ruleset);
    resolved = merged(resolved, { contracts: changes.contracts, options: changes.options });
    for (const contract of Object.values(resolved.contracts)) Object.assign(contract, changes.all_contracts);
  }
  return resolved;
}

function merged(base, { contracts = {}, options = {} }) {
  const own = Object.entries(base.contracts).map(([name, fields]) => [name, { ...fields, ...contracts[name] }]);
  const more = Object.entries(contracts).filter(([name]) => !base.contracts[name]);
  return { ...base, contracts: Object.fromEntries([...own, ...more]), options: { ...base.options, ...options } };
}

/** Rules to play by; made once for each ruleset. */
export function rulesOf(name, changes = null) {
  const key = JSON.stringify([name, changes]);
  if (!compiled.has(key)) compiled.set(key, compileRules(resolvedRuleset(name, changes)));
  return compiled.get(key);
}

/** All rulesets, the main one first. */
export const rulesetNames = () => [data().rulesets.main.ruleset, ...Object.keys(data().rulesets.others)];

// ---------------------------------------------------------------------------- rules

/** Number, text and address of a rule; number and address are null where the book lacks it. */
export function ruleOf(id, ruleset = null) {
  const [number = null, text = "", page = null] = data().rules[id] ?? [];
  return { id, number, text: data().texts[ruleset]?.[id] ?? text, href: page && addressOf(page, id) };
}

/** In the site pages have folders of their own; in a book of one file everything is in this page. */
function addressOf(page, id) {
  if (document.getElementById(id)) return `#${id}`;
  const config = document.getElementById("__config");
  return config ? `${JSON.parse(config.textContent).base}/${page}#${id}` : null;
}

/** The rule by its number, as a link where there is one. */
export function ruleLink(rule) {
  const shown = rule.number === null ? el("code", { text: rule.id }) : `§ ${rule.number}`;
  return rule.href ? el("a", { href: rule.href, class: "bs-rule-link" }, shown) : shown;
}

/** Why something was refused: the rule with its number and in its words. */
export function because(id, ruleset = null) {
  const rule = ruleOf(id, ruleset);
  return el("span", { class: "bs-because", "data-rule": id }, ruleLink(rule), rule.text ? labelled("", rule.text).join("") : "");
}

// ---------------------------------------------------------------------------- actions

const PLACES = { 1: "first", 2: "second", 3: "third" };

/** What somebody does, after his name: "bids Gang", "♥A". */
export function actionSaid(action) {
  const [verb, argument] = action.split(" ");
  switch (verb) {
    case "play":
      return chip(argument);
    case "marry":
      return say("action.marry", { card: chip(argument) });
    case "trump":
      return say("action.trump", { suit: suitChip(argument) });
    case "discard":
      return say("action.discard", { cards: el("span", {}, cardList(action.split(" ").slice(1))) });
    case "bid":
    case "bid-without-talon":
    case "raise":
      return say(`action.${verb}`, { contract: contractName(argument) });
    case "turn-up":
      return say("action.turn-up", { card: plain(`example.${PLACES[argument]}-card`) });
    default:
      return onlySaid(action);
  }
}

/** A word that is an action, or one that is none, such as `wait`: an example may try that, too. */
function onlySaid(action) {
  const key = `action.${action.replaceAll(" ", "-")}`;
  return key in data().words ? say(key) : say("action.other", { words: action });
}

/** What stands on the button for an action, as plain text. */
export function actionLabel(action) {
  const [verb, argument] = action.split(" ");
  switch (verb) {
    case "play":
    case "marry":
      return cardName(argument);
    case "trump":
      return suitName(argument);
    case "bid":
      return contractName(argument);
    case "bid-without-talon":
    case "raise":
      return plain(`play.${verb}`, { contract: contractName(argument) });
    case "turn-up":
      return plain(`play.turn-up-${PLACES[argument]}`);
    default:
      return plain(`play.do.${verb}`);
  }
}

/** What happened with the last card or word: the trick that it ended, and how the deal ended. */
export function consequences(before, after) {
  const found = [];
  if (after.tricks.length > before.tricks.length) {
    const { winner, points } = after.tricks.at(-1);
    found.push(say("example.wins", { seat: seatName(winner), points }));
  }
  if (after.phase === "over" && before.phase !== "over") found.push(...endSaid(after));
  return found;
}

/** How a deal ended, and the game if it ended with it; one sentence each. */
export function endSaid(deal) {
  if (!deal.outcome) return [say("play.redealt")];
  const { awards, reason, factor } = deal.outcome;
  const paid = Object.entries(awards).filter(([, points]) => points);
  const lines = [el("span", {}, say("example.ends"), ` (${outcomeName(reason)})${plain("mark.colon")}`, paid.flatMap(([side, points], place) => [
    place ? plain("mark.semicolon") : "", say("example.awards", { side: sideName(side), points }),
  ]))];
  if (factor > 1) lines.push(say("play.factor", { factor }));
  if (deal.game) lines.push(say("example.game", { side: deal.game.winners.map(sideName).join(", ") }));
  return lines;
}

/** A house rule about a trick in few words: what it is about, and how it is played. */
export function optionText(field, value) {
  const { meaning, values } = data().options[field];
  return labelled(meaning, values[value]).join("");
}
