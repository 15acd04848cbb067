// The form above the free table: which deal, which seat, who deals first, and by which rules.

import { dealsFor, randomNumber, seatsOf } from "./deals.mjs";
import { el } from "./dom.mjs";
import { plain, rulesOf, rulesetName, rulesetNames, seatName } from "./words.mjs";

const option = ([value, text], chosen) => el("option", { value, selected: value === chosen, text });

/** What is chosen before a match begins; `does` is called when the reader wants to begin. */
export class Setup {
  constructor(query, does) {
    this.number = el("input", {
      id: "bs-table-number", inputmode: "numeric", autocomplete: "off", maxlength: "11", value: query.get("deal") ?? "",
      placeholder: plain("play.by-chance"), "aria-describedby": "bs-table-number-hint",
    });
    const asked = query.get("rules");
    this.ruleset = el("select", { id: "bs-table-ruleset", on: { change: () => this.seatAll() } },
      rulesetNames().map((name) => option([name, rulesetName(name)], asked)));
    this.seat = el("select", { id: "bs-table-seat" });
    this.dealer = el("select", { id: "bs-table-dealer" });
    this.seatAll(query.get("seat") ?? "S", query.get("dealer") ?? "");
    const field = (key, label, control) =>
      el("p", { class: "bs-choice" }, el("label", { for: `bs-table-${key}`, text: label }), control);
    const start = (event) => {
      event.preventDefault();
      does();
    };
    this.element = el("form", { class: "bs-form", on: { submit: start } },
      field("number", plain("play.number"), this.number),
      field("seat", plain("play.your-seat"), this.seat),
      field("dealer", plain("play.first-dealer"), this.dealer),
      field("ruleset", plain("play.house-rules"), this.ruleset),
      el("p", { class: "bs-choice" }, el("button", { type: "submit", class: "bs-btn bs-main", text: plain("play.start") })),
      el("p", { class: "bs-hint", id: "bs-table-number-hint", text: plain("play.number-hint") }));
  }

  get rules() {
    return rulesOf(this.ruleset.value);
  }

  /** Offer the seats that this table has; who sat where there is no seat now sits in the south. */
  seatAll(seat = this.seat.value, dealer = this.dealer.value) {
    const names = seatsOf(this.rules);
    const seats = names.map((name) => [name, seatName(name)]);
    this.seat.replaceChildren(...seats.map((one) => option(one, names.includes(seat) ? seat : "S")));
    this.dealer.replaceChildren(...[["", plain("play.by-lot")], ...seats].map((one) => option(one, dealer)));
  }

  /** The number of the highest deal at this table. */
  get most() {
    return dealsFor(this.rules) - 1;
  }

  /** The settings of a match, or null if there is no such deal; then the number is marked. */
  settings() {
    const given = this.number.value.trim();
    const first = given === "" ? randomNumber(this.rules) : Number(given);
    const wrong = !/^\d*$/.test(given) || first > this.most;
    if (wrong) this.number.setAttribute("aria-invalid", "true");
    else this.number.removeAttribute("aria-invalid");
    return wrong ? null : { ruleset: this.ruleset.value, seat: this.seat.value, first, dealer: this.dealer.value || null };
  }
}
