// The table as one looks at it: four hands around the trick, and what may be said.

import { ruleAgainst } from "../../../adapters/javascript/rules.mjs";
import { button, el } from "./dom.mjs";
import {
  actionLabel, backElement, cardElement, cardList, cardName, chip, contractName, labelled, plain, ruleOf, say, seatName,
  sideName, suitChip,
} from "./words.mjs";

const PLACES = { 3: ["bottom", "left", "right"], 4: ["bottom", "left", "top", "right"] };
const SUIT_ORDER = "SHCD";

/** Where a seat is on the screen for somebody who sits at `from`. */
export const placeOf = ({ seats }, seat, from) =>
  PLACES[seats.length][(seats.indexOf(seat) - seats.indexOf(from) + seats.length) % seats.length];

/** A hand as one holds it: by suit, the highest first, in the rank of the contract. */
export function sorted(deal, cards) {
  const ranks = deal.contract?.ranks ?? "ATKQJ";
  return [...cards].sort(
    (one, other) =>
      SUIT_ORDER.indexOf(one[1]) - SUIT_ORDER.indexOf(other[1]) || ranks.indexOf(one[0]) - ranks.indexOf(other[0]),
  );
}

/**
 * The table. `from`: the seat below; `shown(seat, card)`: whether a card lies open; `active`: the
 * seat whose cards can be tapped, or null; `tap(seat, card)`; `marks`: what is known of the active
 * seat's cards, as `marksOf` says; `trick`: the trick on the table, and `winner` who has won it;
 * `lazy`: cards are drawn when they come near the window; `talon`: what lies aside, null for a card
 * that lies closed.
 */
export function board(deal, { from = "S", shown, active, tap, marks = {}, trick, winner = null, lazy = false, talon = [] }) {
  const places = deal.seats.map((seat) =>
    el(
      "div",
      { class: `bs-seat bs-at-${placeOf(deal, seat, from)}${seat === deal.turn ? " bs-turn" : ""}` },
      seatLine(deal, seat),
      handOf(deal, seat, { shown, tap: seat === active ? tap : null, marks, lazy }),
    ),
  );
  return el("div", { class: "bs-felt-table" }, places, asideOf(talon), trickOf(deal, trick, winner, from, lazy));
}

/** The talon, where at a table for three nobody sits. */
function asideOf(talon) {
  if (!talon.length) return null;
  const cards = talon.map((card) => (card ? cardElement(card) : backElement()));
  return el("div", { class: "bs-seat bs-at-top bs-aside" },
    el("p", { class: "bs-seat-name" }, plain("play.talon")),
    el("div", { class: "bs-held", role: "group", "aria-label": plain("play.talon") }, cards));
}

/** Name and office of a seat. */
function seatLine(deal, seat) {
  const offices = [];
  const forehand = deal.seats[(deal.seats.indexOf(deal.dealer) + 1) % deal.seats.length];
  if (deal.dealer && seat === forehand) offices.push(plain("example.forehand"));
  if (seat === deal.dealer) offices.push(plain("example.dealer"));
  if (seat === deal.declarer) offices.push(plain("example.declarer"));
  const turn = seat === deal.turn ? el("span", { class: "bs-pointer", title: plain("play.turn") }, "▸ ") : null;
  return el("p", { class: "bs-seat-name" }, turn, el("b", { text: seatName(seat) }),
    offices.length ? el("small", { text: ` ${offices.join(", ")}` }) : null);
}

function handOf(deal, seat, { shown, tap, marks, lazy }) {
  const held = deal.hands[seat];
  // The first cards lie in the order received while the trump is named from them.
  const cards = deal.phase === "trump" ? held : sorted(deal, held);
  const inside = cards.map((card) => {
    if (!shown(seat, card)) return backElement();
    return tap ? cardButton(seat, card, tap, marks[card], lazy) : cardElement(card, lazy);
  });
  return el("div", { class: `bs-held${tap ? " bs-tappable" : ""}`, role: "group", "aria-label": seatName(seat) }, inside);
}

function cardButton(seat, card, tap, mark, lazy) {
  const said = mark ? `${cardName(card)}, ${mark.said}` : cardName(card);
  return el(
    "button",
    {
      type: "button", class: `bs-tap${mark ? ` bs-is-${mark.kind}` : ""}`, "data-key": `card ${card}`, "data-card": card,
      "data-first": true, "aria-label": said, on: { click: () => tap(seat, card) },
    },
    cardElement(card, lazy),
    mark ? el("span", { class: "bs-mark", "aria-hidden": true, text: mark.shown }) : null,
  );
}

/** The mark of a card that is about to be laid away. */
export const laidMark = () => ({ kind: "laid", shown: "↓", said: plain("play.laid-away") });

/** A mark for every card of a seat: legal, or illegal with the number of the rule. */
export function marksOf(deal, seat, cards = deal.hands[seat]) {
  return Object.fromEntries(cards.map((card) => [card, markOf(ruleAgainst(deal, seat, `play ${card}`))]));
}

/** How a card is marked that this rule forbids, or none. */
export function markOf(rule) {
  if (rule === null) return { kind: "legal", shown: "✓", said: plain("play.legal") };
  const { number } = ruleOf(rule);
  return {
    kind: "illegal", shown: number ? `✗ ${number}` : "✗",
    said: number ? plain("play.illegal-by", { rule: number }) : plain("play.illegal"),
  };
}

function trickOf(deal, trick, winner, from, lazy) {
  const slots = trick.map(([seat, card], number) => {
    const remarks = [seatName(seat), number === 0 && plain("play.led"), seat === winner && plain("play.wins")];
    const kind = `bs-slot bs-at-${placeOf(deal, seat, from)}${seat === winner ? " bs-won" : ""}`;
    return el("div", { class: kind, role: "group", "aria-label": remarks.filter(Boolean).join(", ") },
      cardElement(card, lazy),
      number === 0 ? el("span", { class: "bs-badge", "aria-hidden": true, text: "1" }) : null,
      seat === winner ? el("span", { class: "bs-badge bs-badge-won", "aria-hidden": true, text: "★" }) : null);
  });
  return el("div", { class: "bs-trick", role: "group", "aria-label": plain("play.trick") }, slots);
}

/** The trick to show: that on the table, or the last one until the next is led; and its winner. */
export function trickToShow(deal) {
  if (deal.trick.length || !deal.tricks.length) return { trick: deal.trick, winner: null };
  const { cards, winner } = deal.tricks.at(-1);
  return { trick: cards, winner };
}

// ---------------------------------------------------------------------------- what is going on

/** Contract, declarer, trump and what has been won, as one line; also what lies aside, if it is shown. */
export function factsOf(deal, { points = true, shownTalon = false } = {}) {
  const facts = [];
  if (deal.contract) {
    facts.push(el("b", { text: contractName(deal.contract.name) }));
    if (deal.declarer) facts.push(labelled(plain("example.declarer"), seatName(deal.declarer)));
    if (deal.doubledBy.length) facts.push([plain("play.doubled"), ` × ${2 ** deal.doubledBy.length}`]);
  } else if (deal.bid) {
    const name = actionLabel(`${deal.bid.without ? "bid-without-talon" : "bid"} ${deal.bid.contract.name}`);
    facts.push(labelled(plain("play.standing"), el("b", { text: name }), ` (${seatName(deal.bid.seat)})`));
  }
  if (deal.trump) {
    const alive = !deal.contract || (deal.contract.trump === "named" && deal.contract.goal !== "shown");
    facts.push(labelled(plain(alive ? "example.trump" : "example.named"), suitChip(deal.trump)));
  } else if (deal.contract && deal.contract.trump === "none") {
    facts.push(plain("example.no-trump"));
  }
  if (deal.talon.length && shownTalon) facts.push(labelled(plain("play.talon"), cardList(deal.talon)));
  if (points && (deal.tricks.length || deal.marriages.length)) {
    facts.push(labelled(plain("play.points"), deal.sides.map((side) => `${sideName(side)} ${pointsOf(deal, side)}`).join(", ")));
  }
  return el("p", { class: "bs-facts" }, facts.flatMap((fact, place) => [place ? " · " : null, fact].flat()));
}

/** Card points of a side in completed tricks and declared marriages. */
export function pointsOf(deal, side) {
  const own = ({ winner, seat }) => deal.sideOf[winner ?? seat] === side;
  return [...deal.tricks, ...deal.marriages].filter(own).reduce((sum, { points }) => sum + points, 0);
}

/** The last trick in words. */
export function lastTrick(deal) {
  const last = deal.tricks.at(-1);
  if (!last) return null;
  return el("p", { class: "bs-last" }, labelled(plain("play.last-trick"), cardList(last.cards.map(([, card]) => card))), " – ",
    say("example.wins", { seat: seatName(last.winner), points: last.points }));
}

// ---------------------------------------------------------------------------- what may be said

/** What a seat at turn can try to say, legal or not: everything that its table knows. */
export function words(deal, seat) {
  const { options, playable } = deal.rules;
  const all = {
    trump: () => [
      ...["H", "D", "S", "C"].map((suit) => `trump ${suit}`),
      ...(options.turn_up === "refused" ? [] : unseen(deal).map((place) => `turn-up ${place}`)),
      ...(options.redeal_three_unters === "never" ? [] : ["redeal"]),
    ],
    auction: () => [
      ...playable.map(({ name }) => `bid ${name}`),
      ...(options.no_talon_precedence === "present" ? playable.map(({ name }) => `bid-without-talon ${name}`) : []),
      "pass",
    ],
    talon: () => ["talon", "keep"],
    play: () => (deal.contract.goal === "claim_66" && options.claim_mode === "called" ? ["enough"] : []),
    show: () => ["show"],
  };
  return seat === deal.turn ? (all[deal.phase]?.() ?? []) : [];
}

/** The higher contracts to which a declarer may want to raise who has looked at the talon. */
export function raises(deal, seat) {
  if (deal.phase !== "talon" || !deal.taken || seat !== deal.turn) return [];
  return deal.rules.playable.filter(({ level }) => level > deal.contract.level).map(({ name }) => `raise ${name}`);
}

/** The numbers of the cards that are dealt after the trump has been named. */
const unseen = ({ rules: { options } }) =>
  Array.from({ length: options.packets.slice(1).reduce((sum, cards) => sum + cards, 0) }, (_, place) => place + 1);

/** A button for something that is said; `kind` marks it. */
export function wordButton(seat, action, does, { named = false, kind = "", first = false } = {}) {
  const inside = labelOf(action);
  const label = named ? labelled(seatName(seat), inside).flat() : inside;
  const spoken = named ? labelled(seatName(seat), actionLabel(action)).join("") : actionLabel(action);
  return button(`say ${seat} ${action}`, label, does, {
    class: `bs-btn ${kind}`.trim(), "data-action": action, "data-first": first, "aria-label": spoken,
  });
}

function labelOf(action) {
  const [verb, argument] = action.split(" ");
  if (verb === "trump") return [suitChip(argument), ` ${actionLabel(action)}`];
  if (verb === "play" || verb === "marry") return chip(argument);
  return actionLabel(action);
}
