#!/usr/bin/env node
/**
 * The adapter of the JavaScript engine: protocol version 1 over stdin and stdout.
 * `node adapter.mjs --help` lists the switches.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { SEATS, Unsupported, checkHands, eachCase, expectList, isCard, isSuit, run } from "./kit.mjs";
import {
  FAULTS, Refusal, act, compileRules, following, legalCards, newDeal, startContract, trickWinner, viewOf,
} from "./rules.mjs";

const VERSION = "0.1.0";
const PLAYERS = [4, 3];
const HELP = `usage: node adapter.mjs [switches]

  --rules FILE             a resolved ruleset (JSON) for requests that name none
  --not-configurable FILE  as --rules, and no other ruleset is accepted
  --starts deal|contract   take only this start of a deal
  --claims automatic|none  end by itself at the first true claim, or know no claims
  --no-reasons             refuse without saying which rule is broken
  --fault NAME             play with a mistake, may be repeated: ${FAULTS.join(", ")}
`;

function readSwitches(argv) {
  const text = { type: "string" };
  const { values } = parseArgs({
    args: argv,
    options: {
      rules: text, "not-configurable": text, starts: text, claims: text,
      "no-reasons": { type: "boolean" }, fault: { ...text, multiple: true }, help: { type: "boolean" },
    },
  });
  oneOf("--starts", values.starts, ["deal", "contract"]);
  oneOf("--claims", values.claims, ["called", "automatic", "none"]);
  for (const fault of values.fault ?? []) oneOf("--fault", fault, FAULTS);
  return values;
}

function oneOf(name, value, choices) {
  if (value !== undefined && !choices.includes(value)) {
    throw new Error(`${name} ${value}: expected ${choices.join(", ")}`);
  }
}

/** Everything the adapter offers, as `run` takes it. */
function buildAdapter(switches) {
  const { starts, claims = "called", fault = [] } = switches;
  const file = switches["not-configurable"] ?? switches.rules;
  const settings = {
    starts: starts ? [starts] : ["deal", "contract"],
    claims,
    reasons: !switches["no-reasons"],
    configurable: !switches["not-configurable"],
  };
  const known = new Map();
  const learn = (key, resolved) => known.set(key, prepareRules(resolved, claims, fault));
  if (file) learn(undefined, JSON.parse(readFileSync(file, "utf8")));

  const rulesFor = ({ rules: key }) => {
    const rules = settings.configurable ? known.get(key) : known.get(undefined);
    if (!rules) throw new Error(key === undefined ? "send rules first" : `send the rules ${JSON.stringify(key)} first`);
    return rules;
  };
  const operations = {
    legal_plays: (request) => eachCase(request.cases, (one) => judgePlays(rulesFor(request), one)),
    trick_winner: (request) => eachCase(request.cases, (one) => judgeWinner(rulesFor(request), one)),
    replay: (request) => replay(rulesFor(request), request.deals, settings),
  };
  if (settings.configurable) {
    operations.rules = ({ key, rules }) => {
      learn(key, rules);
      return true;
    };
  }
  return { hello: introduce(settings, fault), operations };
}

/** What `hello` tells; a deliberate fault shows in the version, so that no certificate hides it. */
function introduce(settings, faults) {
  return {
    adapter: { name: "bauernschnapsen-javascript-adapter", version: VERSION },
    engine: { name: "bauernschnapsen-javascript", version: [VERSION, ...faults].join("+"), language: "JavaScript" },
    capabilities: {
      players: PLAYERS, legal_plays: true, trick_winner: true, match: true, enforces: true, ...settings,
    },
    window: 16,
  };
}

/** Rules as this engine plays them: with the claims it can express, and with its faults. */
function prepareRules(resolved, claims, faults) {
  const players = resolved?.options?.seats;
  if (!PLAYERS.includes(players)) throw new Unsupported(`rules for ${players} players`);
  const mode = resolved.options.claim_mode;
  const claimMode = claims === "called" || mode !== "called" ? mode : claims;
  return compileRules({ ...resolved, options: { ...resolved.options, claim_mode: claimMode } }, faults);
}

// ---------------------------------------------------------------------------- questions about one trick

function tableOf(rules, { contract: name, trump, declarer, seats }) {
  const contract = contractNamed(rules, name);
  if (contract.goal === "shown") throw new Error(`the contract ${name} is not played`);
  if (!isSuit(trump) && trump !== null) throw new Error(`trump: ${JSON.stringify(trump)} is not a suit`);
  if (!expectList(seats, "seats").includes(declarer)) throw new Error("declarer: not a seat at this table");
  return { rules, contract, trump };
}

function contractNamed(rules, name) {
  const contract = rules.contracts.get(name);
  if (!contract?.played) throw new Unsupported(`the contract ${JSON.stringify(name)}`);
  return contract;
}

function judgePlays(rules, position) {
  const hand = expectList(position.hand, "hand");
  const trick = expectList(position.trick, "trick");
  checkCards([...hand, ...trick.map(([, card]) => card)]);
  return legalCards(tableOf(rules, position), hand, trick);
}

function judgeWinner(rules, position) {
  const trick = expectList(position.trick, "trick");
  if (!trick.length) throw new Error("trick: no card has been played");
  checkCards(trick.map(([, card]) => card));
  return trickWinner(tableOf(rules, position), trick);
}

function checkCards(cards) {
  if (!cards.every(isCard) || new Set(cards).size !== cards.length) {
    throw new Error(`not a list of different cards: ${JSON.stringify(cards)}`);
  }
}

// ---------------------------------------------------------------------------- whole deals

/** For each deal the view before its first action and after every action. */
function replay(rules, deals, settings) {
  let before = null;
  return expectList(deals, "deals").map((record) => {
    let deal = openDeal(rules, record, before, settings);
    const views = [viewOf(deal)];
    for (const [seat, action] of expectList(record.actions, "actions")) {
      const { next, refused } = tryAction(deal, seat, action);
      deal = next;
      views.push(refused ? { ...viewOf(deal), refused: settings.reasons ? refused : true } : viewOf(deal));
    }
    before = deal;
    return views;
  });
}

function tryAction(deal, seat, action) {
  try {
    return { next: act(deal, seat, action), refused: null };
  } catch (problem) {
    if (problem instanceof Refusal) return { next: deal, refused: problem.rule };
    throw problem;
  }
}

function openDeal(rules, record, before, { starts }) {
  if (!starts.includes(record.contract ? "contract" : "deal")) {
    throw new Unsupported(record.contract ? "no start from the contract" : "no auction");
  }
  const seats = SEATS[rules.options.seats];
  const { packets, talon_cards: aside } = rules.options;
  const talon = aside ? record.talon : [];
  checkHands(record.hands, seats, packets.reduce((total, cards) => total + cards, 0), talon, aside);
  const start = { seats, hands: record.hands, talon, ...circumstances(record, before) };
  const deal = newDeal(rules, start);
  checkStart(deal);
  return record.contract ? contractStart(deal, record.contract) : deal;
}

/** Dealer and scores: as stated, else as the deal before left them. */
function circumstances({ dealer, scores }, before) {
  const stated = { ...(dealer != null && { dealer }), ...(scores != null && { scores, hadLed: [] }) };
  const all = { ...(before && following(before)), ...stated };
  if (all.dealer === undefined || all.scores === undefined) {
    throw new Error("dealer and scores are not stated, and no finished deal before this one tells them");
  }
  return all;
}

function checkStart({ seats, sides, dealer, scores }) {
  if (!seats.includes(dealer)) throw new Error(`dealer: ${JSON.stringify(dealer)} is not a seat`);
  const wrong = sides.find((side) => !Number.isSafeInteger(scores[side]) || scores[side] < 0);
  if (wrong) throw new Error(`scores.${wrong}: expected a number of game points`);
}

function contractStart(deal, { name, declarer, trump }) {
  const contract = contractNamed(deal.rules, name);
  if (!deal.seats.includes(declarer)) throw new Error(`contract.declarer: ${JSON.stringify(declarer)} is not a seat`);
  if (!isSuit(trump) && (trump !== null || contract.trump === "named")) {
    throw new Error(`contract.trump: ${JSON.stringify(trump)} is not a suit`);
  }
  return startContract(deal, { name, declarer, trump });
}

// ---------------------------------------------------------------------------- start

try {
  const switches = readSwitches(process.argv.slice(2));
  if (switches.help) process.stdout.write(HELP);
  else await run(buildAdapter(switches));
} catch (problem) {
  process.stderr.write(`adapter.mjs: ${problem.message}\n`);
  process.exitCode = 2;
}
