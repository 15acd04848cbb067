// Questions of test_playable_modules.py to the modules of the playable pages: a list of questions
// as JSON comes in, the list of answers goes out.

import { readFileSync } from "node:fs";

const [folder, engine, data] = process.argv.slice(2);
// What a page loads before the modules; they read it when they are first asked.
(0, eval)(readFileSync(data, "utf8"));
// Elements of a page are only defined here, never made.
globalThis.HTMLElement = class {};
globalThis.document = { getElementById: () => null };
const load = (name) => import(`${folder}/${name}`);
const deals = await load("deals.mjs");
const may = await load("may.mjs");
const match = await load("match.mjs");
const opponents = await load("opponents.mjs");
const player = await load("player.mjs");
const words = await load("words.mjs");
const rules = await import(engine);

/** What a reader does who plays as the others do, and who tries what is forbidden first. */
function readersChoice(one) {
  const { deal, settings } = one;
  const choice = opponents.chooseAction(deal, settings.seat, deals.lots(one.number, `reader ${one.history.length}`));
  for (const card of deal.hands[settings.seat]) {
    const { refused, match: after } = match.readerActs(one, `play ${card}`);
    if (refused && after !== one && !one.rules.options.bid_too_low) throw new Error(`${refused}, but something happened`);
  }
  return choice;
}

const ANSWERS = {
  hands: ({ numbers, seats = 4 }) => numbers.map((number) => deals.handsOf(number, seats)),
  dealt: ({ numbers }) => numbers.map((number) => deals.dealt(number)),
  lots: ({ seed, name, count }) => {
    const lot = deals.lots(seed, name);
    return Array.from({ length: count }, () => lot());
  },

  /** The views of an example and what was refused, as the player steps through it. */
  timeline: ({ examples }) =>
    examples.map((example) =>
      player.timeline(words.rulesOf(words.rulesetNames()[0], example.ruleset), example)
        .map(({ deal, refused }) => ({ ...rules.viewOf(deal), refused }))),

  /** Whole games; where a deal is broken off, that is said. */
  games: ({ ruleset, seat, first, count }) => {
    const played = [];
    let one = match.newMatch({ ruleset, seat, first });
    for (let number = 0; number < count; number++) {
      for (let steps = 0; ; steps++) {
        if (steps > 300) throw new Error(`deal ${one.number} does not end`);
        const step = match.next(one);
        if (step.kind === "over") break;
        if (step.kind === "other") one = match.otherActs(one, step);
        else if (step.kind === "pause") one = match.wave(one);
        else one = match.readerActs(one, readersChoice(one)).match;
      }
      const again = match.restored(match.saved(one));
      played.push({
        number: one.number, record: match.recordOf(one), view: rules.viewOf(one.deal), marks: one.marks,
        same: JSON.stringify(rules.viewOf(again.deal)) === JSON.stringify(rules.viewOf(one.deal)),
      });
      one = match.nextDeal(one);
    }
    return played;
  },

  /** Whether a seat would do otherwise if the cards it cannot see lay elsewhere. */
  honest: ({ ruleset, first }) => {
    const asked = [];
    let one = match.newMatch({ ruleset, seat: "S", first });
    for (;;) {
      const step = match.next(one);
      if (step.kind === "over") return asked;
      if (step.kind === "pause") {
        one = match.wave(one);
        continue;
      }
      const { deal } = one;
      const [seat, action] = step.kind === "other" ? [step.seat, step.action] : ["S", readersChoice(one)];
      if (seat === deal.turn) {
        const lot = () => deals.lots(one.number, `${seat} ${one.history.length}`);
        asked.push([opponents.chooseAction(deal, seat, lot()), opponents.chooseAction(turned(deal, seat), seat, lot())]);
      }
      one = step.kind === "other" ? match.otherActs(one, step) : match.readerActs(one, action).match;
    }
  },

  situations: ({ states }) =>
    states.map((state) => {
      const whole = may.mended({ ...may.START, ruleset: words.rulesetNames()[0], ...state });
      const deal = may.situation(may.rulesFor(whole), whole);
      return { state: whole, against: Object.fromEntries(whole.hand.map((card) => [card, rules.ruleAgainst(deal, "S", `play ${card}`)])) };
    }),
  addresses: ({ states }) => states.map((state) => may.read(may.written(state), words.rulesetNames()[0], words.rulesetNames())),
  rulesets: ({ names }) => names.map((name) => words.resolvedRuleset(name)),
  rules: ({ ids }) => ids.map((id) => words.ruleOf(id)),
  refusals: ({ ids }) => ids.filter((id) => !words.ruleOf(id).text),
};

/** The same deal, the unseen cards of the others passed on by one seat where they are as many. */
function turned(deal, seat) {
  const known = rules.viewOf(deal).sees[seat] ?? {};
  const all = { ...deal.hands, talon: deal.talon };
  const others = Object.keys(all).filter((other) => other !== seat);
  const unseen = others.flatMap((other) => all[other].filter((card) => !(known[other] ?? []).includes(card)));
  const early = deal.phase === "trump" && !deal.contract;
  const own = early ? deal.dealt[seat].slice(deal.rules.options.packets[0]) : [];
  const pool = [...unseen, ...own];
  const moved = [...pool.slice(1), pool[0]];
  const swap = (card) => (pool.includes(card) ? moved[pool.indexOf(card)] : card);
  const over = (hands) => Object.fromEntries(Object.entries(hands).map(([owner, cards]) => [owner, cards.map(swap)]));
  return { ...deal, hands: over(deal.hands), dealt: over(deal.dealt), talon: deal.talon.map(swap) };
}

const asked = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(asked.map(({ ask, ...rest }) => ANSWERS[ask](rest))));
