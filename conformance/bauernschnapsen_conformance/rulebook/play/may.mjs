// "What may I play here?": <bs-may>. The reader sets up house rules, contract, trick and hand, and
// sees which cards may be played and which rule forbids the others.

import { SUITS, newDeal, ruleAgainst } from "../../../adapters/javascript/rules.mjs";
import { board, factsOf, marksOf } from "./board.mjs";
import { CARDS, nothingFor, seatsOf } from "./deals.mjs";
import { button, el, renew } from "./dom.mjs";
import {
  because, cardElement, cardList, cardName, contractName, labelled, optionText, plain, ruleLink, ruleOf, rulesOf, rulesetName,
  rulesetNames, say, seatName, suitName,
} from "./words.mjs";

/** The fields of a contract that say what may be played to a trick, with the rules they speak in. */
export const FIELDS = {
  follow: ["play.follow"],
  head: ["play.beat"],
  head_target: ["play.beat"],
  head_after_ruff: ["play.head-after-ruff"],
  ruff: ["play.ruff"],
  overtrump: ["play.over-ruff"],
  undertrump: ["play.ruff"],
};
const ME = "S";
export const START = {
  ruleset: null, contract: "normal", trump: "H", declarer: "N", trick: ["KS"], hand: ["AS", "QS", "TH", "JH", "AD"], fields: {},
};

// ---------------------------------------------------------------------------- the situation

/** The rules of the situation: a shipped ruleset with single fields changed in every contract. */
export const rulesFor = ({ ruleset, fields }) =>
  rulesOf(ruleset, Object.keys(fields).length ? { all_contracts: fields } : null);

/** Contracts in which cards are played. */
export const contractsOf = (rules) => rules.playable.filter(({ goal }) => goal !== "shown").map(({ name }) => name);

/** The deal as it stands, the reader to play; the trick was led by whoever sits that far before him. */
export function situation(rules, { contract: name, trump, declarer, trick, hand }) {
  const seats = seatsOf(rules);
  const hands = Object.fromEntries(seats.map((seat) => [seat, seat === ME ? hand : []]));
  const fresh = newDeal(rules, { seats, dealer: ME, hands, scores: nothingFor(rules) });
  const contract = rules.contracts.get(name);
  const out = contract.partner === "out" ? partnerOf(seats, declarer) : null;
  const before = [...seats.slice(seats.indexOf(ME) + 1), ...seats.slice(0, seats.indexOf(ME))].filter((seat) => seat !== out);
  const played = before.slice(before.length - trick.length);
  return {
    ...fresh, dealer: null, contract, declarer, trump, phase: "play", turn: ME,
    trick: trick.map((card, place) => [played[place], card]),
  };
}

const partnerOf = (seats, seat) => seats[(seats.indexOf(seat) + 2) % seats.length];

/** How many cards can lie in the trick before the reader plays, and how many he can hold. */
const roomInTrick = (rules, { contract }) => seatsOf(rules).length - (rules.contracts.get(contract).partner === "out" ? 2 : 1);
const roomInHand = ({ options }) => options.packets.reduce((sum, cards) => sum + cards, 0);

/** Make a situation possible again after one thing has been changed. */
export function mended(state) {
  const rules = rulesFor(state);
  const names = contractsOf(rules);
  const contract = names.includes(state.contract) ? state.contract : names[0];
  const seats = seatsOf(rules);
  const out = rules.contracts.get(contract).partner === "out";
  const fits = seats.includes(state.declarer) && !(out && partnerOf(seats, state.declarer) === ME);
  return {
    ...state, contract, declarer: fits ? state.declarer : "E",
    trick: state.trick.slice(0, roomInTrick(rules, { contract })), hand: state.hand.slice(0, roomInHand(rules)),
  };
}

// ---------------------------------------------------------------------------- the address

/** The situation as the query of the address, so that it can be sent to somebody. */
export function written(state) {
  const query = new URLSearchParams();
  query.set("rules", state.ruleset);
  for (const key of ["contract", "trump", "declarer"]) query.set(key, state[key]);
  for (const key of ["trick", "hand"]) query.set(key, state[key].join("."));
  for (const [field, value] of Object.entries(state.fields)) query.set(field, value);
  return query.toString();
}

/** The situation of an address; what is missing or wrong in it is as at the start. */
export function read(query, ruleset, names) {
  const given = new URLSearchParams(query);
  const one = (key, choices, fallback) => (choices.includes(given.get(key)) ? given.get(key) : fallback);
  const cards = (key, fallback) =>
    given.has(key) ? [...new Set(given.get(key).split("."))].filter((card) => CARDS.includes(card)) : fallback;
  const hand = cards("hand", START.hand);
  const fields = Object.keys(FIELDS).flatMap((field) => (given.has(field) ? [[field, given.get(field)]] : []));
  return {
    ruleset: one("rules", names, ruleset),
    contract: given.get("contract") ?? START.contract,
    trump: one("trump", SUITS, START.trump),
    declarer: one("declarer", ["N", "E", "S", "W"], START.declarer),
    trick: cards("trick", START.trick).filter((card) => !hand.includes(card)),
    hand,
    fields: Object.fromEntries(fields.filter(([field, value]) => value in globalThis.bauernschnapsenPlay.options[field].values)),
  };
}

// ---------------------------------------------------------------------------- the element

export class May extends HTMLElement {
  connectedCallback() {
    if (this.state) return;
    this.state = mended(read(location.search, rulesetNames()[0], rulesetNames()));
    this.target = "hand";
    this.form = el("div", { class: "bs-form" });
    this.pack = el("div", { class: "bs-pack" });
    this.table = el("div", { class: "bs-stage" });
    this.answer = el("div", { class: "bs-answer", role: "status", "aria-live": "polite" });
    this.replaceChildren(this.form, this.pack, this.table, this.answer);
    document.addEventListener("bs-deck", () => this.draw());
    this.draw();
  }

  change(part) {
    this.state = mended({ ...this.state, ...part });
    const query = written(this.state);
    history.replaceState(history.state, "", `?${query}`);
    for (const link of document.querySelectorAll("a.bs-language")) link.search = query;
    this.draw();
  }

  draw() {
    const rules = rulesFor(this.state);
    const deal = situation(rules, this.state);
    renew(this.form, this.choices(rules));
    renew(this.pack, this.packOf(rules));
    const tap = (_, card) => this.change({ hand: this.state.hand.filter((one) => one !== card) });
    renew(this.table, factsOf(deal), board(deal, { shown: () => true, active: ME, tap, marks: marksOf(deal, ME), trick: deal.trick }));
    this.answer.replaceChildren(...this.said(deal));
  }

  // ---- what can be chosen

  choices(rules) {
    const { state } = this;
    const change = (key) => (value) => this.change({ [key]: value });
    const others = Object.keys(state.fields).length;
    return [
      select("ruleset", plain("play.house-rules"), rulesetNames().map((name) => [name, rulesetName(name)]), state.ruleset, change("ruleset")),
      select("contract", plain("field.name"), contractsOf(rules).map((name) => [name, contractName(name)]), state.contract, change("contract")),
      select("trump", plain("example.named"), SUITS.map((suit) => [suit, suitName(suit)]), state.trump, change("trump")),
      select("declarer", plain("example.declarer"), seatsOf(rules).map((seat) => [seat, seatOf(seat)]), state.declarer, change("declarer")),
      el("details", { class: "bs-more", open: others > 0 || this.wide },
        el("summary", { "data-key": "more", on: { click: () => (this.wide = !this.wide) } }, plain("play.single-rules")),
        Object.keys(FIELDS).map((field) => this.fieldChoice(field))),
    ];
  }

  fieldChoice(field) {
    const { meaning, values } = globalThis.bauernschnapsenPlay.options[field];
    const given = [["", plain("play.as-ruleset")], ...Object.entries(values)];
    const chosen = this.state.fields[field] ?? "";
    return select(field, meaning, given, chosen, (value) => {
      const { [field]: _, ...rest } = this.state.fields;
      this.change({ fields: value ? { ...rest, [field]: value } : rest });
    });
  }

  packOf(rules) {
    const { trick, hand } = this.state;
    const into = (target, label) =>
      button(`into ${target}`, label, () => {
        this.target = target;
        this.draw();
      }, { "aria-pressed": String(this.target === target) });
    const cards = CARDS.map((card) => {
      const where = hand.includes(card) ? "hand" : trick.includes(card) ? "trick" : null;
      const said = where ? `${cardName(card)}, ${plain(`play.in-${where}`)}` : cardName(card);
      return el("button", {
        type: "button", class: `bs-tap${where ? ` bs-in-${where}` : ""}`, "data-key": `pack ${card}`, "data-card": card,
        "aria-pressed": String(where !== null), "aria-label": said, on: { click: () => this.put(card, where, rules) },
      }, cardElement(card));
    });
    return [
      el("p", { class: "bs-into" }, plain("play.pick"), " ",
        into("hand", plain("play.into-hand")), into("trick", plain("play.into-trick")),
        button("clear", plain("play.clear"), () => this.change({ trick: [], hand: [] }))),
      el("div", { class: "bs-cards", role: "group", "aria-label": plain("play.pack") }, cards),
    ];
  }

  /** Take a card away from where it is, or put it where the reader puts cards. */
  put(card, where, rules) {
    const { state, target } = this;
    const without = { trick: state.trick.filter((one) => one !== card), hand: state.hand.filter((one) => one !== card) };
    if (where !== null && where === target) {
      this.change(without);
      return;
    }
    const room = target === "trick" ? roomInTrick(rules, state) : roomInHand(rules);
    if (without[target].length >= room) {
      this.answer.replaceChildren(el("p", { text: plain(`play.full-${target}`, { count: room }) }));
      return;
    }
    this.change({ ...without, [target]: [...without[target], card] });
  }

  // ---- what is said

  said(deal) {
    const hand = deal.hands[ME];
    if (!hand.length) return [el("p", { text: plain("play.no-hand") })];
    const against = new Map(hand.map((card) => [card, ruleAgainst(deal, ME, `play ${card}`)]));
    const legal = hand.filter((card) => against.get(card) === null);
    const lines = [el("p", {}, el("b", { text: `✓ ${plain("play.you-may")}${plain("mark.colon")}` }), cardList(legal))];
    for (const rule of new Set([...against.values()].filter(Boolean))) {
      const cards = hand.filter((card) => against.get(card) === rule);
      lines.push(el("p", { class: "bs-refusal" }, el("b", { text: `✗ ${plain("play.you-may-not")}${plain("mark.colon")}` }), cardList(cards), " – ", this.why(rule)));
    }
    if (legal.length === hand.length) lines.push(el("p", {}, say("play.everything")));
    return lines;
  }

  /** The rule; where the reader has changed what it says, the words of the option. */
  why(rule) {
    const { fields, ruleset } = this.state;
    const changed = Object.keys(FIELDS).filter((field) => field in fields && FIELDS[field].includes(rule));
    if (!changed.length) return because(rule, ruleset);
    const told = changed.map((field) => optionText(field, fields[field])).join(plain("mark.semicolon"));
    return el("span", { class: "bs-because", "data-rule": rule }, labelled(ruleLink(ruleOf(rule)), told));
  }
}

const seatOf = (seat) => (seat === ME ? `${seatName(seat)} (${plain("play.you")})` : seatName(seat));

function select(key, label, choices, chosen, does) {
  const id = `bs-may-${key}`;
  return el("p", { class: "bs-choice" },
    el("label", { for: id, text: label }),
    el("select", { id, "data-key": key, on: { change: (event) => does(event.target.value) } },
      choices.map(([value, text]) => el("option", { value, selected: value === chosen, text }))));
}
