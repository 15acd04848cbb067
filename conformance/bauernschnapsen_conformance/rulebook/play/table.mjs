// The free table: <bs-table>. The reader takes any seat and bids and plays whole games against
// simple opponents; what the rules forbid is refused with the rule.

import { legalActions, ruleAgainst, viewOf } from "../../../adapters/javascript/rules.mjs";
import { board, factsOf, laidMark, lastTrick, markOf, marksOf, pointsOf, raises, trickToShow, wordButton, words } from "./board.mjs";
import { button, calm, el, remember, remembered, renew } from "./dom.mjs";
import { isReader, newMatch, next, nextDeal, otherActs, readerActs, recordOf, restored, saved, wave } from "./match.mjs";
import { Setup } from "./setup.mjs";
import {
  actionSaid, because, chip, consequences, endSaid, labelled, outcomeName, plain, say, seatName, sideName,
} from "./words.mjs";

const KEPT = "bauernschnapsen.table";
const PACES = { slow: 1400, normal: 700, "at-once": 0 };

export class Table extends HTMLElement {
  connectedCallback() {
    if (this.setup) return;
    this.help = remembered("help", "no") === "yes";
    this.pace = remembered("pace", calm() ? "at-once" : "normal");
    this.setup = new Setup(new URLSearchParams(location.search), () => this.begin());
    this.score = el("div", { class: "bs-score" });
    this.facts = el("div");
    this.stage = el("div", { class: "bs-stage bs-table-stage", tabindex: "-1" });
    this.message = el("p", { class: "bs-message", role: "status", "aria-live": "polite" });
    this.bar = el("div", { class: "bs-bar" });
    this.log = el("ol", { class: "bs-steps" });
    this.record = el("div", { class: "bs-log", role: "log", "aria-label": plain("play.log"), tabindex: "0" }, this.log);
    this.review = el("div", { class: "bs-review" });
    this.game = el("div", { class: "bs-game", hidden: true },
      this.facts, this.stage, this.message, this.bar, this.review, this.score, el("p", { class: "bs-log-title", text: plain("play.log") }), this.record);
    this.replaceChildren(this.setup.element, this.game);
    document.addEventListener("bs-deck", () => this.match && this.draw());
    this.resume();
  }

  disconnectedCallback() {
    clearTimeout(this.timer);
  }

  // ---- beginning

  /** Begin a match as the form says. */
  begin() {
    const settings = this.setup.settings();
    if (!settings) {
      this.game.hidden = false;
      this.say("refused", plain("play.no-such-deal", { most: this.setup.most }));
      this.setup.number.focus();
      return;
    }
    const query = new URLSearchParams({ deal: String(settings.first), seat: settings.seat, rules: settings.ruleset });
    if (settings.dealer) query.set("dealer", settings.dealer);
    history.replaceState(history.state, "", `?${query}`);
    this.enter(newMatch(settings));
    this.game.scrollIntoView({ block: "nearest" });
  }

  /** Go on with the match that was left, if the address asks for no other. */
  resume() {
    const asked = new URLSearchParams(location.search).get("deal");
    let text = null;
    try {
      text = sessionStorage.getItem(KEPT);
    } catch {
      // Storage may be forbidden; then a match ends with its page.
    }
    const kept = text && restored(text);
    if (kept && (asked === null || Number(asked) === kept.settings.first)) this.enter(kept);
    else if (asked !== null) this.begin();
  }

  enter(match) {
    clearTimeout(this.timer);
    this.match = match;
    this.game.hidden = false;
    this.log.replaceChildren();
    this.review.replaceChildren();
    this.note(say("play.deal-of", { number: match.number, dealer: seatName(match.deal.dealer) }), "bs-new");
    this.choosing = null;
    this.laid = [];
    this.marrying = false;
    this.silent();
    this.go();
  }

  // ---- going on

  /** Let the others act until it is the reader's turn, or he may say something. */
  go() {
    clearTimeout(this.timer);
    const step = next(this.match);
    this.waiting = step.kind;
    if (step.kind !== "other") {
      this.keep();
      this.draw();
      this.prompt();
      return;
    }
    this.draw();
    const on = () => {
      const before = this.match.deal;
      this.match = otherActs(this.match, step);
      this.told(step.seat, step.action, before);
      this.go();
    };
    const wait = PACES[this.pace] ?? 0;
    // A trick that has just been completed is looked at a little longer.
    const looked = this.match.deal.tricks.length && !this.match.deal.trick.length ? 2 : 1;
    if (wait) this.timer = setTimeout(on, wait * looked);
    else on();
  }

  /** Do what the reader wants, or say which rule forbids it. */
  do(action) {
    if (!this.match || this.waiting === "over") return;
    const { seat } = this.match.settings;
    const before = this.match.deal;
    const { match, refused } = readerActs(this.match, action);
    this.choosing = null;
    this.laid = [];
    if (refused && match === this.match) {
      this.refused = { action, rule: refused };
      this.draw();
      this.refuse(action, refused);
      return;
    }
    this.match = match;
    this.marrying = false;
    this.silent();
    this.told(seat, action, before);
    this.go();
  }

  tap(card) {
    const { deal, settings } = this.match;
    const may = (verb) => ruleAgainst(deal, settings.seat, `${verb} ${card}`) === null;
    if (this.discards()) this.layAway(card);
    else if (this.marrying) this.do(`marry ${card}`);
    else if (may("play") && may("marry")) {
      this.choosing = card;
      this.draw();
      this.bar.querySelector('[data-key="marry"]').focus();
      this.say(null, say("play.marry-or-not", { card: chip(card) }));
    } else this.do(`play ${card}`);
  }

  /** Whether the reader has taken the talon and is to lay two cards away. */
  discards() {
    const { deal, settings } = this.match;
    return deal.phase === "talon" && deal.taken && deal.turn === settings.seat;
  }

  /** Choose a card to be laid away, or take it back; the second one goes with the first. */
  layAway(card) {
    const others = this.laid.filter((one) => one !== card);
    this.laid = others.length === this.laid.length ? [...others, card] : others;
    if (this.laid.length === 2) {
      this.do(`discard ${this.laid.join(" ")}`);
      return;
    }
    this.refused = null;
    this.draw();
    this.prompt();
  }

  keep() {
    try {
      sessionStorage.setItem(KEPT, saved(this.match));
    } catch {
      // As above.
    }
  }

  // ---- what is said

  say(kind, ...content) {
    if (kind) this.message.dataset.kind = kind;
    else delete this.message.dataset.kind;
    this.message.replaceChildren(...content);
  }

  silent() {
    this.refused = null;
    this.say(null);
  }

  refuse(action, rule) {
    const shown = action.startsWith("play ") ? chip(action.slice(5)) : actionSaid(action);
    this.say("refused", el("span", { class: "bs-no-sign", text: "✗ " }), ...labelled(plain("play.you"), shown), " – ",
      plain("play.refused"), ". ", because(rule, this.match.settings.ruleset));
  }

  /** What the reader is asked for, unless he has just been refused something. */
  prompt() {
    if (this.refused) return;
    const { deal } = this.match;
    if (this.waiting === "over") this.say("over", ...endSaid(deal).flatMap((line, place) => (place ? [". ", line] : [line])));
    else if (this.waiting === "pause") this.say(null, plain("play.may-speak"));
    else this.say(null, plain(`play.your-turn.${this.discards() ? "discard" : deal.phase}`));
  }

  note(content, kind = "") {
    const line = el("li", { class: kind }, content);
    this.log.append(line);
    this.record.scrollTop = this.record.scrollHeight;
  }

  told(seat, action, before) {
    const who = isReader(this.match, seat) ? plain("play.you-are", { seat: seatName(seat) }) : seatName(seat);
    // What another lays away nobody sees before the end.
    const closed = action.startsWith("discard ") && !isReader(this.match, seat);
    this.note(labelled(el("b", { text: who }), closed ? plain("play.discards") : actionSaid(action)));
    for (const line of consequences(before, this.match.deal)) this.note(line, "s");
  }

  // ---- what is seen

  draw() {
    const focused = this.game.contains(document.activeElement);
    this.drawAll();
    if (focused) this.refocus();
  }

  /** Whoever works with the keyboard stays at the table, and goes on where there is something to do. */
  refocus() {
    const lost = !this.game.contains(document.activeElement) || document.activeElement === this.stage;
    if (lost) (this.game.querySelector(":is(.bs-bar, .bs-stage) [data-first]") ?? this.stage).focus({ preventScroll: true });
  }

  drawAll() {
    const { deal, settings } = this.match;
    const mine = settings.seat;
    const seen = viewOf(deal).sees[mine] ?? {};
    const over = deal.phase === "over";
    const shown = (seat, card) =>
      over || (seen[seat] ?? []).includes(card) || (seat === mine && (deal.phase !== "trump" || deal.contract || this.firstCards().includes(card)));
    const talon = deal.talon.map((card) => ((seen.talon ?? []).includes(card) ? card : null));
    const active = this.waiting !== "over" && deal.phase !== "show" && deal.phase !== "trump" ? mine : null;
    renew(this.facts, factsOf(deal, { points: false }), this.countOf(deal));
    renew(this.stage, board(deal, { from: mine, shown, active, tap: (_, card) => this.tap(card), marks: this.marks(), talon, ...trickToShow(deal) }));
    renew(this.bar, this.buttons(), this.settingsOf());
    renew(this.score, this.scoreOf());
  }

  firstCards() {
    const { deal, rules, settings } = this.match;
    return deal.dealt[settings.seat].slice(0, rules.options.packets[0]);
  }

  marks() {
    const { deal, settings } = this.match;
    const atTurn = this.help && deal.phase === "play" && deal.turn === settings.seat;
    const all = atTurn ? marksOf(deal, settings.seat) : {};
    const [, card] = this.refused?.action.split(" ") ?? [];
    if (/^(play|marry) /.test(this.refused?.action ?? "")) all[card] = markOf(this.refused.rule);
    for (const one of this.laid) all[one] = laidMark();
    return all;
  }

  /** Tricks and, with help, card points of the reader's side; without it he counts for himself. */
  countOf(deal) {
    if (deal.phase !== "play" && deal.phase !== "over") return null;
    const side = deal.sideOf[this.match.settings.seat];
    const won = deal.sides.map((one) => `${sideName(one)} ${deal.tricks.filter(({ winner }) => deal.sideOf[winner] === one).length}`);
    const open = this.help || deal.phase === "over";
    const counted = deal.sides.filter((one) => one === side || deal.phase === "over").map((one) => `${sideName(one)} ${pointsOf(deal, one)}`);
    return el("div", {},
      el("p", { class: "bs-facts" }, labelled(plain("play.tricks"), won.join(", ")), open ? [" · ", ...labelled(plain("play.points"), counted.join(", "))] : ""),
      lastTrick(deal));
  }

  buttons() {
    const { deal, settings } = this.match;
    const { seat } = settings;
    if (this.waiting === "over") return this.endButtons();
    if (this.choosing) {
      const card = this.choosing;
      return el("div", { class: "bs-words" },
        button("marry", plain("play.with-marriage"), () => this.do(`marry ${card}`), { "data-first": true }),
        button("plain", plain("play.without-marriage"), () => this.do(`play ${card}`)));
    }
    const legal = legalActions(deal)[seat] ?? [];
    const atTurn = [...words(deal, seat), ...raises(deal, seat)];
    const spoken = legal.filter((action) => !/^(play|marry|discard) /.test(action) && !atTurn.includes(action));
    const claims = deal.phase === "play" && !atTurn.includes("enough") && !spoken.includes("enough") ? words({ ...deal, turn: seat }, seat) : [];
    const kinds = (action) => (this.help ? (ruleAgainst(deal, seat, action) === null ? "bs-may-say" : "bs-may-not-say") : "");
    const said = [...atTurn, ...spoken, ...claims].map((action) =>
      wordButton(seat, action, () => this.do(action), { kind: kinds(action), first: deal.phase !== "play" }));
    const declares = deal.phase === "play" && deal.contract.marriages !== "none" && deal.turn === seat
      ? button("declare", plain("play.declare"), () => this.toggleMarriage(), { "aria-pressed": String(this.marrying) })
      : null;
    const on = this.waiting === "pause"
      ? button("go-on", plain("play.go-on"), () => this.letGo(), { class: "bs-btn bs-main", "data-first": true })
      : null;
    return el("div", { class: "bs-words", role: "group", "aria-label": plain("play.words") }, on, said, declares);
  }

  toggleMarriage() {
    this.marrying = !this.marrying;
    this.draw();
    this.say(null, plain(this.marrying ? "play.declare-which" : "play.your-turn.play"));
  }

  letGo() {
    this.match = wave(this.match);
    this.silent();
    this.go();
  }

  endButtons() {
    const { game } = this.match.deal;
    return el("div", { class: "bs-words" },
      button("next", plain(game ? "play.next-game" : "play.next-deal"), () => this.enter(nextDeal(this.match)), { class: "bs-btn bs-main", "data-first": true }),
      button("look-back", plain("play.look-back"), () => this.lookBack()));
  }

  /** The deal that is over as an example that can be stepped through. */
  lookBack() {
    const data = { id: "table", ruleset: { ruleset: this.match.settings.ruleset }, deals: [recordOf(this.match)] };
    const script = el("script", { type: "application/json" });
    script.textContent = JSON.stringify(data);
    const example = el("bs-example", { "data-scenario": "table" }, script);
    this.review.replaceChildren(el("h2", { text: plain("play.look-back") }), example);
    example.start();
    example.go(0);
    this.review.scrollIntoView({ block: "nearest" });
    example.querySelector('[data-key="step-on"]')?.focus();
  }

  settingsOf() {
    const pace = el("select", {
      id: "bs-table-pace", "data-key": "pace",
      on: { change: ({ target }) => {
        this.pace = target.value;
        remember("pace", this.pace);
      } },
    }, Object.keys(PACES).map((name) => el("option", { value: name, selected: name === this.pace, text: plain(`play.pace.${name}`) })));
    const help = button("help", plain("play.help"), () => {
      this.help = !this.help;
      remember("help", this.help ? "yes" : "no");
      this.draw();
    }, { "aria-pressed": String(this.help) });
    return el("div", { class: "bs-settings" }, help,
      el("span", { class: "bs-choice" }, el("label", { for: "bs-table-pace", text: plain("play.pace") }), pace));
  }

  scoreOf() {
    const { deal, marks, settings, count } = this.match;
    const scored = deal.game?.bummerl ?? {};
    const rows = deal.sides.map((side) => {
      const mine = deal.sideOf[settings.seat] === side ? ` (${plain("play.you")})` : "";
      return el("tr", {}, el("th", { scope: "row", text: sideName(side) + mine }),
        el("td", { text: deal.scores[side] }), el("td", { text: marks[side] + (scored[side] ?? 0) }));
    });
    const last = deal.outcome ? el("caption", {}, labelled(plain("play.deal", { count: count + 1 }), outcomeName(deal.outcome.reason)))
      : el("caption", { text: plain("play.deal", { count: count + 1 }) });
    return el("table", { class: "bs-scores" }, last,
      el("thead", {}, el("tr", {}, el("td"), el("th", { scope: "col", text: plain("play.score", { target: deal.rules.options.target }) }),
        el("th", { scope: "col", text: plain("play.bummerl") }))),
      el("tbody", {}, rows));
  }
}
