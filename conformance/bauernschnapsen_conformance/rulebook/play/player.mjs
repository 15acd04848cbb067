// An example that can be played: <bs-example>. The reader taps the cards of whoever is to act; what
// the rules forbid is refused with the rule, what they allow is played. The example's own line can
// be stepped through forwards and backwards, also after going one's own way.

import { Refusal, act, following, legalActions, newDeal, ruleAgainst, startContract } from "../../../adapters/javascript/rules.mjs";
import { board, factsOf, laidMark, marksOf, sorted, trickToShow, wordButton, words } from "./board.mjs";
import { nothingFor, seatsOf } from "./deals.mjs";
import { button, el, renew } from "./dom.mjs";
import {
  actionSaid, because, chip, consequences, labelled, plain, ruleLink, ruleOf, rulesOf, rulesetNames, say, seatName,
} from "./words.mjs";

// ---------------------------------------------------------------------------- the line of play

/** The deal at the beginning of a record; `before`: the deal before it, for what it does not say. */
export function opened(rules, record, before = null) {
  const hands = Object.fromEntries(Object.entries(record.hands).map(([seat, cards]) => [seat, cards.split(" ")]));
  const seats = seatsOf(rules);
  const after = before && following(before);
  const scores = record.scores ?? after?.scores ?? nothingFor(rules);
  const talon = record.talon ?? [];
  const deal = newDeal(rules, { seats, hands, talon, dealer: record.dealer ?? after?.dealer, scores, hadLed: after?.hadLed ?? [] });
  return record.contract ? startContract(deal, record.contract) : deal;
}

/** A step: the deal after it, and what was done; `refused` is the rule, if it was not allowed. */
export function stepped(deal, seat, action) {
  try {
    return { deal: act(deal, seat, action), seat, action, refused: null };
  } catch (problem) {
    if (problem instanceof Refusal) return { deal, seat, action, refused: problem.rule };
    throw problem;
  }
}

/** All steps of an example, the beginning of each deal included (without `action`). */
export function timeline(rules, { deals }) {
  const steps = [];
  let before = null;
  for (const [number, record] of deals.entries()) {
    let step = { deal: opened(rules, record, before), seat: null, action: null, refused: null };
    steps.push({ ...step, number });
    for (const told of record.actions) {
      step = stepped(step.deal, told.slice(0, 1), told.slice(2));
      steps.push({ ...step, number });
    }
    before = step.deal;
  }
  return steps;
}

/** Where the reader is asked: the step after which nothing has been done yet. */
export function askedAt(steps, ask) {
  if (!ask) return 0;
  const start = steps.findIndex(({ number }) => number === ask[0]);
  return Math.min(start + ask[1], steps.length - 1);
}

// ---------------------------------------------------------------------------- the element

export class Example extends HTMLElement {
  connectedCallback() {
    // A page of the site leaves the name to the box around the example.
    this.dataset.scenario ??= this.parentElement.id;
    if (!this.data && !this.waiting) {
      this.waiting = true;
      nearby().observe(this);
    }
  }

  disconnectedCallback() {
    nearby().unobserve(this);
    this.waiting = false;
  }

  /** Take the example over. An example that the engine cannot play stays as it is written. */
  start() {
    nearby().unobserve(this);
    if (this.data) return;
    this.data = dataOf(this);
    if (!this.data && document.readyState !== "complete") addEventListener("load", () => this.start(), { once: true });
    if (!this.data || !isPlayable(this.data)) return;
    const rules = rulesOf(rulesetNames()[0], this.data.ruleset);
    this.example = timeline(rules, this.data);
    this.line = this.example;
    this.at = askedAt(this.line, this.data.ask);
    this.marked = false;
    this.laid = [];
    this.build();
    this.toggleAttribute("playing", true);
    this.draw({ lazy: true });
    this.ask();
  }

  build() {
    this.table = el("div", { class: "bs-stage" });
    this.message = el("p", { class: "bs-message", role: "status", "aria-live": "polite" });
    this.controls = el("div", { class: "bs-controls", role: "group", "aria-label": plain("play.steps") });
    this.list = el("ol", { class: "bs-steps" });
    const opens = { toggle: () => this.drawList() };
    this.listed = el("details", { class: "bs-listed", on: opens }, el("summary", { text: plain("example.steps") }), this.list);
    const inside = el("div", { class: "bs-play", on: { keydown: (event) => this.pressed(event) } },
      this.table, this.message, this.controls, this.listed);
    this.append(inside);
    document.addEventListener("bs-deck", () => this.draw());
  }

  get step() {
    return this.line[this.at];
  }

  get own() {
    return this.line !== this.example;
  }

  // ---- what the reader does

  pressed(event) {
    const go = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (go === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.go(this.at + go);
  }

  /** Go to a step, and say what it was. */
  go(place) {
    const next = Math.max(0, Math.min(this.line.length - 1, place));
    if (next === this.at) return;
    this.at = next;
    this.chosen = null;
    this.laid = [];
    this.draw();
    this.tell();
  }

  tap(seat, card) {
    const { deal } = this.step;
    if (deal.phase === "talon" && deal.taken) {
      this.layAway(seat, card);
      return;
    }
    const both = ruleAgainst(deal, seat, `marry ${card}`) === null && ruleAgainst(deal, seat, `play ${card}`) === null;
    if (both && this.chosen !== card) {
      this.chosen = card;
      this.draw();
      this.table.querySelector('[data-key="marry"]').focus();
      this.message.replaceChildren(say("play.marry-or-not", { card: chip(card) }));
      return;
    }
    this.try(seat, `play ${card}`);
  }

  /** Choose a card to be laid away, or take it back; the second one goes with the first. */
  layAway(seat, card) {
    const others = this.laid.filter((one) => one !== card);
    if (others.length === this.laid.length) others.push(card);
    this.laid = others;
    if (others.length === 2) this.try(seat, `discard ${others.join(" ")}`);
    else this.draw();
  }

  /** Do what the reader wants, if the rules allow it. */
  try(seat, action) {
    this.chosen = null;
    this.laid = [];
    const { deal, number } = this.step;
    const step = { ...stepped(deal, seat, action), number };
    if (step.refused) {
      this.draw({ refused: action });
      this.refuse(step);
      return;
    }
    const next = this.line[this.at + 1];
    const asWritten = next && next.seat === seat && next.action === action && !next.refused;
    if (!asWritten) this.line = [...this.line.slice(0, this.at + 1), step];
    this.at += 1;
    this.draw();
    this.tell(plain("play.accepted"));
  }

  back() {
    const same = this.line.findIndex((step, place) => step !== this.example[place]);
    this.line = this.example;
    this.at = Math.min(same < 0 ? this.at : same - 1, this.line.length - 1);
    this.draw();
    this.tell();
  }

  // ---- what is said

  ask() {
    const { deal } = this.step;
    if (!deal.turn) return;
    const laysAway = deal.phase === "talon" && deal.taken;
    const key = laysAway ? "play.ask-discard" : deal.phase === "play" ? "play.ask-card" : "play.ask-word";
    this.message.replaceChildren(say(key, { seat: seatName(deal.turn) }));
  }

  refuse({ seat, action, refused }) {
    const shown = action.startsWith("play ") ? chip(action.slice(5)) : actionSaid(action);
    this.message.replaceChildren(
      el("span", { class: "bs-no-sign", text: "✗ " }), ...labelled(seatName(seat), shown), " – ", plain("play.refused"), ". ",
      because(refused, this.data.ruleset?.ruleset));
    this.message.dataset.kind = "refused";
  }

  tell(first = null) {
    const { seat, action, refused } = this.step;
    delete this.message.dataset.kind;
    if (action === null) {
      this.ask();
      return;
    }
    if (refused) {
      this.refuse(this.step);
      return;
    }
    const said = consequences(this.line[this.at - 1].deal, this.step.deal).flatMap((one) => [". ", one]);
    if (first) this.message.dataset.kind = "accepted";
    this.message.replaceChildren(first ? `✓ ${first}. ` : "", ...labelled(seatName(seat), actionSaid(action)), ...said);
  }

  // ---- what is seen

  draw({ refused = null, lazy = false } = {}) {
    const { deal } = this.step;
    const active = deal.turn;
    const all = deal.phase === "play" && this.marked ? marksOf(deal, active) : {};
    const card = refused?.startsWith("play ") || refused?.startsWith("marry ") ? refused.split(" ")[1] : null;
    const marks = card && active && deal.hands[active].includes(card) ? { ...all, [card]: marksOf(deal, active, [card])[card] } : { ...all };
    for (const one of this.laid) marks[one] = laidMark();
    renew(this.table,
      factsOf(deal, { shownTalon: true }),
      board(deal, { shown: () => true, active, tap: (...what) => this.tap(...what), marks, lazy, ...trickToShow(deal) }),
      this.wordsFor(deal));
    this.drawControls();
    this.drawList();
  }

  /** Buttons for what can be said: by whoever is to act, and by others where it is allowed. */
  wordsFor(deal) {
    const buttons = [];
    const does = (seat, action) => () => this.try(seat, action);
    if (this.chosen) {
      const seat = deal.turn;
      buttons.push(
        button("marry", plain("play.with-marriage"), does(seat, `marry ${this.chosen}`), { "data-first": true }),
        button("plain", plain("play.without-marriage"), does(seat, `play ${this.chosen}`)));
      return el("div", { class: "bs-words" }, buttons);
    }
    if (deal.turn) for (const action of words(deal, deal.turn)) buttons.push(wordButton(deal.turn, action, does(deal.turn, action)));
    for (const [seat, actions] of Object.entries(legalActions(deal))) {
      for (const action of actions) {
        const byCard = /^(play|marry|discard) /.test(action);
        const known = seat === deal.turn && (words(deal, seat).includes(action) || byCard);
        if (!known) buttons.push(wordButton(seat, action, does(seat, action), { named: true }));
      }
    }
    const lone = this.lonelyMarriages(deal);
    for (const action of lone) {
      buttons.push(button(`say ${action}`, [plain("play.with-marriage"), " ", chip(action.slice(6))], does(deal.turn, action)));
    }
    return buttons.length ? el("div", { class: "bs-words", role: "group", "aria-label": plain("play.words") }, buttons) : null;
  }

  /** Declarations that the example itself tries and that are refused; legal ones come with the card. */
  lonelyMarriages(deal) {
    if (deal.phase !== "play") return [];
    const next = this.example[this.at + 1];
    const tried = !this.own && next?.refused && next.seat === deal.turn && next.action.startsWith("marry ");
    return tried && sorted(deal, deal.hands[deal.turn]).includes(next.action.slice(6)) ? [next.action] : [];
  }

  drawControls() {
    const last = this.line.length - 1;
    const arrow = (key, place) =>
      button(key, icon(key), () => this.go(place), {
        class: "bs-btn bs-arrow", "aria-label": plain(`play.${key}`), title: plain(`play.${key}`),
        "aria-disabled": String(place < 0 || place > last || place === this.at),
      });
    renew(this.controls,
      arrow("step-first", 0),
      arrow("step-back", this.at - 1),
      el("span", { class: "bs-count", text: plain("play.step", { step: this.at, steps: last }) }),
      arrow("step-on", this.at + 1),
      arrow("step-last", last),
      this.step.deal.phase === "play"
        ? button("mark", plain("play.mark"), () => this.mark(), { "aria-pressed": String(this.marked) })
        : null,
      this.own ? button("return", plain("play.return"), () => this.back()) : null);
  }

  mark() {
    this.marked = !this.marked;
    this.draw();
    const { deal } = this.step;
    if (!this.marked || !deal.turn) return;
    const reasons = new Set(Object.values(deal.hands[deal.turn]).map((card) => ruleAgainst(deal, deal.turn, `play ${card}`)));
    reasons.delete(null);
    this.message.replaceChildren(...(reasons.size
      ? [...reasons].flatMap((rule, place) => [place ? " " : "", because(rule, this.data.ruleset?.ruleset)])
      : [plain("play.everything")]));
  }

  /** The steps in words; while they are folded away nobody needs them. */
  drawList() {
    if (!this.listed.open) return;
    const lines = this.line.flatMap((step, place) => {
      if (step.action === null) {
        return this.data.deals.length > 1 ? [el("li", { class: "s" }, plain("example.deal", { number: step.number + 1 }))] : [];
      }
      const jump = button(`step ${place}`, el("b", { text: seatName(step.seat) }), () => this.go(place), {
        class: "bs-jump", "aria-label": labelled(seatName(step.seat), plain("play.step", { step: place, steps: this.line.length - 1 })).join(""),
      });
      const refused = step.refused && el("span", {}, ` ✗ ${plain("example.refused")}, ${plain("example.because")} `, ruleLink(ruleOf(step.refused)));
      const done = el("li", { class: step.refused ? "r" : "", "aria-current": place === this.at ? "step" : null },
        labelled(jump, actionSaid(step.action)), refused);
      const more = step.refused ? [] : consequences(this.line[place - 1].deal, step.deal);
      return [done, ...more.map((one) => el("li", { class: "s" }, one))];
    });
    renew(this.list, lines);
  }
}

const ICONS = {
  "step-first": "M4 3h2v10H4zM13 3v10L7 8z", "step-back": "M12 3v10L5 8z", "step-on": "M4 3v10l7-5z",
  "step-last": "M10 3h2v10h-2zM3 3v10l6-5z",
};

/** An arrow as a drawing: no font is sure to have it. */
function icon(name) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": true, focusable: false })) {
    made.setAttribute(key, value);
  }
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  path.setAttribute("fill", "currentColor");
  made.append(path);
  return made;
}

/** Whether the page knows the ruleset of an example. */
const isPlayable = ({ ruleset }) => !ruleset?.ruleset || rulesetNames().includes(ruleset.ruleset);

/** The data of an example: inside the element, or in the script that all pages share. */
function dataOf(element) {
  const inside = element.querySelector('script[type="application/json"]');
  if (inside) return JSON.parse(inside.textContent);
  return globalThis.bauernschnapsenPlay.examples?.[element.dataset.scenario] ?? null;
}

let watcher = null;

/** Starts examples when they come near the window: a page has many. */
function nearby() {
  watcher ??= new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) inPlace(target, () => target.start());
    },
    { rootMargin: "600px" },
  );
  return watcher;
}

/** Change an element without moving what its reader looks at, if it begins above the window. */
function inPlace(element, change) {
  const before = element.getBoundingClientRect();
  change();
  const grown = element.getBoundingClientRect().bottom - before.bottom;
  if (before.top < 0 && grown) scrollBy({ top: grown, behavior: "instant" });
}
