/**
 * The rules of Bauernschnapsen, table size and house rules taken from a resolved ruleset.
 *
 * Runs in Node and in a web page: no imports, no input or output, no randomness. A deal is a plain
 * value; `act` never changes the one it is given but returns the next.
 *
 *   const rules = compileRules(resolved);
 *   let deal = newDeal(rules, {seats, dealer, hands, scores});
 *   legalActions(deal);                    // {N: ["trump H", "turn-up 1", ...]}
 *   deal = act(deal, "N", "trump H");      // throws Refusal, with the id of the rule that is broken
 *   viewOf(deal);
 *
 * Seats are whatever names the caller gives, listed clockwise; cards are rank + suit ("TH").
 * Nothing here knows the name of a contract: what a contract is, its fields say.
 */

// ---------------------------------------------------------------------------- the ruleset

export const SUITS = ["H", "D", "S", "C"];
export const CARD_POINTS = { A: 11, T: 10, K: 4, Q: 3, J: 2 };
export const FAULTS = ["beats-first-card", "trump-alive-in-gang", "marriage-off-lead"];
const CALLS = ["kontra", "rekontra", "subkontra"];
const TO_WIN = 66;

const CONTRACT_FIELDS = (
  "played value above bidders hold held_at trump ranks lead partner won_by goal tricks ends_early " +
  "marriages marriages_as_tricks kontra follow head head_target head_after_ruff ruff overtrump " +
  "undertrump cancelled_by exposed talon"
).split(" ");
const OPTIONS = (
  "seats sides packets talon_cards phases trump_choice turn_up redeal_three_unters opening auction_rounds " +
  "equal_bids equal_values overbid_partner bid_too_low kontra_levels kontra_by " +
  "kontra_cap sitting_out_doubles marriage_needs claim_mode claim_by claim_window false_claims " +
  "loser_33 last_trick_award laydown_end target schneider retourschneider bummerl_to losers " +
  "after_game talon_raise no_talon_bonus no_talon_precedence"
).split(" ");

/** An action that the rules forbid; `rule` is the id of the rule it breaks. */
export class Refusal extends Error {
  constructor(rule) {
    super(`refused by the rule ${rule}`);
    this.rule = rule;
  }
}

/**
 * Check a resolved ruleset and put its contracts in order, the lowest first.
 * @param {object} resolved every contract with all its fields, and all options
 * @param {string[]} faults deliberate mistakes to play with, see FAULTS; for demonstrations only
 */
export function compileRules(resolved, faults = []) {
  const { contracts = {}, options = {} } = resolved ?? {};
  requireKeys(options, OPTIONS, "options");
  for (const [name, fields] of Object.entries(contracts)) {
    requireKeys(fields, CONTRACT_FIELDS, `contracts.${name}`);
  }
  const ladder = fromLowest(contracts).map((name, level) => ({ ...contracts[name], name, level }));
  return {
    name: resolved.ruleset,
    options,
    playable: ladder.filter(({ played }) => played),
    contracts: new Map(ladder.map((contract) => [contract.name, contract])),
    faults: new Set(faults),
  };
}

function requireKeys(object, keys, where) {
  const missing = keys.filter((key) => object?.[key] === undefined);
  if (missing.length) throw new Error(`the ruleset lacks ${where}.${missing[0]}; send it resolved`);
}

/** Names of the contracts from the lowest to the highest, following who stands above whom. */
function fromLowest(contracts) {
  const above = new Map(Object.entries(contracts).map(([name, fields]) => [fields.above, name]));
  const names = [];
  for (let name = above.get("none"); name !== undefined; name = above.get(name)) {
    names.push(name);
    above.delete(contracts[name].above);
  }
  if (!names.length || names.length < Object.keys(contracts).length) {
    throw new Error("the contracts do not form one order: look at their field `above`");
  }
  return names;
}

// ---------------------------------------------------------------------------- cards and seats

const rankOf = (card) => card[0];
const suitOf = (card) => card[1];
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const pointsIn = (cards) => sum(cards.map((card) => CARD_POINTS[rankOf(card)]));
const ofSuit = (cards, suit) => cards.filter((card) => suitOf(card) === suit);
const isCard = (word) => word?.length === 2 && word[0] in CARD_POINTS && SUITS.includes(word[1]);

/** All seats clockwise, beginning with this one. */
const clockwise = ({ seats }, seat) => [...seats.slice(seats.indexOf(seat)), ...seats.slice(0, seats.indexOf(seat))];
const seatAfter = (deal, seat) => clockwise(deal, seat)[1];
const forehandOf = (deal) => seatAfter(deal, deal.dealer);
/** 0 for forehand, then clockwise: the seat with the smaller number has priority. */
const priority = (deal, seat) => clockwise(deal, forehandOf(deal)).indexOf(seat);

/** The side of every seat: opposite seats together, or everybody alone. */
function sidesAt(seats, options) {
  const count = options.sides === "partners" ? seats.length / 2 : seats.length;
  const name = (index) => seats.filter((_, other) => other % count === index).join("");
  return Object.fromEntries(seats.map((seat, index) => [seat, name(index % count)]));
}

const allies = (deal, seat, other) => deal.sideOf[seat] === deal.sideOf[other];
const withDeclarer = (deal, seat) => allies(deal, seat, deal.declarer);
const sitsOut = (deal, seat) =>
  deal.contract.partner === "out" && seat !== deal.declarer && withDeclarer(deal, seat);
const activeSeats = (deal) => deal.seats.filter((seat) => !sitsOut(deal, seat));
/** The seat itself, or the next one clockwise that takes part. */
const activeFrom = (deal, seat) => (sitsOut(deal, seat) ? activeFrom(deal, seatAfter(deal, seat)) : seat);
/** The suit that is trump in the contract that is played, or null. */
const trumpInForce = ({ contract, trump }) =>
  contract.trump === "named" && contract.goal !== "shown" ? trump : null;

// ---------------------------------------------------------------------------- a deal

/**
 * A deal at its beginning.
 * @param {object} setup `seats` clockwise, `dealer`, `hands` (seat -> cards in the order received),
 *   `talon` (cards laid aside), `scores` (side -> game points), and from a deal before it `hadLed`
 *   (see `following`)
 */
export function newDeal(rules, { seats, dealer, hands, talon = [], scores, hadLed = [] }) {
  const sideOf = sidesAt(seats, rules.options);
  const sides = [...new Set(seats.map((seat) => sideOf[seat]))];
  const deal = {
    rules, seats, sideOf, sides, dealer, scores,
    hadLed: [...hadLed, ...leadersToNothing(rules, sides, scores)],
    phase: rules.options.phases[0],
    dealt: hands, hands, open: [], trump: null, // open: cards that everybody has seen
    talon, taken: false, left: false, // talon: what lies aside now; taken, left: by the declarer
    bid: null, spoken: [], passed: [], // spoken, passed: seats
    contract: null, declarer: null, doubledBy: [],
    trick: [], declared: false, tricks: [], marriages: [], // declared: with the latest card
    outcome: null, nextDealer: null, game: null,
  };
  return { ...deal, turn: forehandOf(deal) };
}

/** Skip the auction: `contract` is `{name, declarer, trump}`, and the talon or the play is next. */
export function startContract(deal, { name, declarer, trump }) {
  const contract = deal.rules.contracts.get(name);
  return offerTalon({ ...deal, contract, declarer, trump });
}

/**
 * Each verb: the form of its words, the rule against it if there is one, and what it does. `aside`
 * marks what is said only where cards are laid aside.
 */
const isName = (word) => /^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/.test(word);
const isSuit = (word) => SUITS.includes(word);
const VERBS = {
  trump: { takes: [isSuit], forbids: trumpForbidden, does: nameTrump },
  "turn-up": { takes: [isUnseenPlace], forbids: turnUpForbidden, does: turnUp },
  redeal: { takes: [], forbids: redealForbidden, does: redeal },
  bid: { takes: [isName], forbids: bidForbidden, does: bid },
  "bid-without-talon": { aside: true, takes: [isName], forbids: bidWithoutForbidden, does: bidWithout },
  pass: { takes: [], forbids: passForbidden, does: pass },
  talon: { aside: true, takes: [], forbids: choiceForbidden, does: takeTalon },
  keep: { aside: true, takes: [], forbids: choiceForbidden, does: leaveTalon },
  discard: { aside: true, takes: [isCard, isOtherCard], forbids: discardForbidden, does: discard },
  raise: { aside: true, takes: [isName], forbids: raiseForbidden, does: raise },
  kontra: doubling(0),
  rekontra: doubling(1),
  subkontra: doubling(2),
  play: { takes: [isCard], forbids: playForbidden, does: playCard },
  marry: { takes: [isCard], forbids: marriageForbidden, does: marry },
  enough: { takes: [], forbids: claimForbidden, does: claim },
  show: { takes: [], forbids: showForbidden, does: show },
};

/** The rule that forbids this action, or null if it is legal. */
export function ruleAgainst(deal, seat, action) {
  const [verb, ...words] = typeof action === "string" ? action.split(" ") : [];
  if (!hasVerb(deal.rules, verb) || !deal.seats.includes(seat)) return "notation.action";
  const { takes, forbids } = VERBS[verb];
  const fits = takes.length === words.length && words.every((word, place) => takes[place](word, deal, words));
  if (!fits) return "notation.action";
  if (deal.phase === "over") return "scoring.deal-over";
  return forbids(deal, seat, ...words);
}

const hasVerb = ({ options }, verb) =>
  Object.hasOwn(VERBS, verb) && (options.talon_cards > 0 || !VERBS[verb].aside);

/** The deal after this action; throws Refusal if the rules forbid it. */
export function act(deal, seat, action) {
  const rule = ruleAgainst(deal, seat, action);
  if (countsAsPass(deal, rule)) return pass(deal, seat);
  if (rule) throw new Refusal(rule);
  const [verb, ...words] = action.split(" ");
  return VERBS[verb].does(deal, seat, ...words);
}

/** Everything that may be done now: seat -> actions; a seat that can do nothing is left out. */
export function legalActions(deal) {
  if (deal.phase === "over") return {};
  const legal = (seat) => imaginable(deal, seat).filter((action) => ruleAgainst(deal, seat, action) === null);
  return filled(deal.seats.map((seat) => [seat, legal(seat)]));
}

/** The object of these entries, without those that are empty. */
const filled = (entries) => Object.fromEntries(entries.filter(([, content]) => Object.keys(content).length));

/** Actions worth asking about; whether they are legal only the rules decide. */
function imaginable(deal, seat) {
  const names = deal.rules.playable.map(({ name }) => name);
  const say = (verb, words) => words.map((word) => `${verb} ${word}`);
  const atTurn = {
    trump: () => [...say("trump", SUITS), ...say("turn-up", unseenPlaces(deal)), "redeal"],
    auction: () => [...say("bid", names), ...say("bid-without-talon", names), "pass", "kontra"],
    talon: () => ["talon", "keep", ...say("discard", pairsOf(deal.hands[seat]))],
    play: () => deal.hands[seat].flatMap((card) => [`play ${card}`, `marry ${card}`]),
    show: () => ["show"],
  };
  const always = deal.contract ? [...CALLS, "enough"] : [];
  const raises = seat === deal.declarer && deal.taken ? say("raise", names) : [];
  return [...(seat === deal.turn ? atTurn[deal.phase]() : []), ...always, ...raises];
}

// ---------------------------------------------------------------------------- deal and trump

const firstPacket = (deal, seat) => deal.dealt[seat].slice(0, deal.rules.options.packets[0]);
const unseenCards = (deal, seat) => deal.dealt[seat].slice(deal.rules.options.packets[0]);
/** The numbers, from 1, of the cards that forehand has not seen when he fixes the trump. */
const unseenPlaces = ({ rules: { options } }) =>
  Array.from({ length: sum(options.packets.slice(1)) }, (_, index) => `${index + 1}`);

function isUnseenPlace(word, deal) {
  return unseenPlaces(deal).includes(word);
}

function trumpMomentForbidden(deal, seat) {
  if (deal.phase !== "trump") return "deal.trump-once";
  return seat === deal.turn ? null : "deal.forehand-names";
}

function trumpForbidden(deal, seat, suit) {
  const held = deal.rules.options.trump_choice === "any_suit" || ofSuit(firstPacket(deal, seat), suit).length;
  return trumpMomentForbidden(deal, seat) ?? (held ? null : "deal.trump-from-three");
}

function turnUpForbidden(deal, seat, which) {
  const offered = { either: unseenPlaces(deal), first: ["1"], refused: [] }[deal.rules.options.turn_up];
  const mayTurn = !deal.contract && offered.includes(which);
  return trumpMomentForbidden(deal, seat) ?? (mayTurn ? null : "deal.turn-up");
}

function redealForbidden(deal, seat) {
  const mayAsk = deal.rules.options.redeal_three_unters === "forehand_may";
  const onlyUnters = firstPacket(deal, seat).every((card) => rankOf(card) === "J");
  return trumpMomentForbidden(deal, seat) ?? (mayAsk && onlyUnters ? null : "deal.no-redeal");
}

function nameTrump(deal, seat, suit) {
  const named = { ...deal, trump: suit };
  return deal.contract ? offerTalon(named) : { ...named, phase: "auction", turn: forehandOf(deal) };
}

function turnUp(deal, seat, which) {
  const card = unseenCards(deal, seat)[which - 1];
  return nameTrump({ ...deal, open: [card] }, seat, suitOf(card));
}

/** The same dealer deals again and nothing is scored. */
function redeal(deal) {
  return { ...deal, phase: "over", turn: null, bid: null, nextDealer: deal.dealer };
}

// ---------------------------------------------------------------------------- auction

function speakingForbidden(deal, seat) {
  if (deal.phase !== "auction") return "auction.when";
  if (deal.passed.includes(seat)) return "auction.pass-final";
  return seat === deal.turn ? null : "auction.turn";
}

function bidForbidden(deal, seat, name, without = false) {
  const early = speakingForbidden(deal, seat);
  if (early) return early;
  const contract = deal.rules.contracts.get(name);
  if (!mayBid(deal, seat, contract)) return "auction.bidders";
  if (contract.held_at === "bid" && !holds(deal, seat, contract.hold)) return "auction.cards-required";
  return deal.bid ? tooLow(deal, seat, contract, without) : null;
}

/** A bid of the same contract without the talon, where the table ranks it above the one with it. */
function bidWithoutForbidden(deal, seat, name) {
  const early = speakingForbidden(deal, seat);
  const contract = deal.rules.contracts.get(name);
  const isBid = deal.rules.options.no_talon_precedence === "present";
  const differs = !contract || talonOffered(deal.rules, contract);
  return early ?? (isBid && differs ? bidForbidden(deal, seat, name, true) : "talon.without");
}

const mayBid = (deal, seat, contract) => Boolean(contract?.played) && openTo(deal, seat, contract.bidders);

/** Forehand's opening turn is no time to pass, unless the table lets him. */
function passForbidden(deal, seat) {
  const early = speakingForbidden(deal, seat);
  const opens = !deal.bid && seat === forehandOf(deal) && lowestOpening(deal, seat);
  return early ?? (opens && deal.rules.options.opening === "must_bid" ? "auction.must-open" : null);
}

function openTo(deal, seat, bidders) {
  const isForehand = seat === forehandOf(deal);
  const isOnSide = allies(deal, seat, forehandOf(deal));
  return {
    forehand: isForehand, forehand_side: isOnSide, partner: isOnSide && !isForehand,
    opponents: !isOnSide, not_forehand: !isForehand, anyone: true,
  }[bidders];
}

/** Whether a hand has the cards a contract asks for; five of a suit fix a trump to come. */
function holds(deal, seat, required) {
  const hand = deal.hands[seat];
  const fives = SUITS.filter((suit) => ofSuit(hand, suit).length >= 5);
  return {
    none: true,
    an_ace: hand.some((card) => rankOf(card) === "A"),
    five_of_a_suit: fives.length > 0,
    five_trumps: fives.some((suit) => suit === (deal.trump ?? suit)),
    five_of_plain_suit: fives.some((suit) => suit !== deal.trump),
  }[required];
}

function tooLow(deal, seat, contract, without) {
  const { options } = deal.rules;
  const { bid: standing } = deal;
  const earlier = priority(deal, seat) < priority(deal, standing.seat);
  const rival = standing.cancelled ?? standing.contract;
  const overPartner = seat !== standing.seat && allies(deal, seat, standing.seat);
  if (overPartner && options.overbid_partner === "refused") return "auction.partner";
  const same = contract === standing.contract && !standing.cancelled;
  if (same && without !== standing.without) return without ? null : "auction.higher";
  if (same) return options.equal_bids === "by_priority" && earlier ? null : "auction.hold";
  if (contract.value === rival.value && contract !== rival && options.equal_values !== "listed_order") {
    return options.equal_values === "earlier_seat" && earlier ? null : "auction.higher";
  }
  return contract.level > rival.level ? null : "auction.higher";
}

const countsAsPass = (deal, rule) =>
  deal.rules.options.bid_too_low === "counts_as_pass" && ["auction.hold", "auction.higher"].includes(rule);

function bid(deal, seat, name, without = false) {
  const contract = deal.rules.contracts.get(name);
  const standing = { seat, contract, without, calledBy: seat };
  const raised = { ...deal, bid: standing, spoken: [...deal.spoken, seat] };
  const ends = contract.goal === "shown" && deal.rules.options.laydown_end === "at_bid";
  return ends ? closeAuction(raised) : nextToSpeak(raised);
}

function bidWithout(deal, seat, name) {
  return bid(deal, seat, name, true);
}

function pass(deal, seat) {
  const opens = !deal.bid && seat === forehandOf(deal) && deal.rules.options.opening === "pass_means_normal";
  const lowest = opens && lowestOpening(deal, seat);
  if (lowest) return bid(deal, seat, lowest.name);
  return nextToSpeak({ ...deal, spoken: [...deal.spoken, seat], passed: [...deal.passed, seat] });
}

/** The contract that an opening pass stands for. */
const lowestOpening = (deal, seat) =>
  deal.rules.playable.find(({ name }) => bidForbidden(deal, seat, name) === null);

/** The turn goes round to everybody who is still in, until only the last to call is left. */
function nextToSpeak(deal) {
  const done = deal.rules.options.auction_rounds === "one_round" ? deal.spoken : deal.passed;
  const asked = (seat) => !done.includes(seat) && seat !== deal.bid?.calledBy;
  const turn = clockwise(deal, seatAfter(deal, deal.turn)).find(asked);
  return turn ? { ...deal, turn } : closeAuction(deal);
}

/** The last bidder plays; where the auction comes first he now names the trump he needs. */
function closeAuction(deal) {
  if (!deal.bid) return redeal(deal);
  const { contract, seat: declarer, without, cancelled, calledBy } = deal.bid;
  const won = { ...deal, contract, declarer, left: without, doubledBy: cancelled ? [calledBy] : [], bid: null };
  const trumpToCome = !deal.trump && (contract.trump === "named" || contract.hold === "five_trumps");
  return trumpToCome ? { ...won, phase: "trump", turn: declarer } : offerTalon(won);
}

// ---------------------------------------------------------------------------- talon

const talonOffered = ({ options }, contract) => options.talon_cards > 0 && contract.talon === "offered";

/** The declarer decides about the talon before the play, where he has not done so with his bid. */
function offerTalon(deal) {
  const choice = talonOffered(deal.rules, deal.contract) && !deal.left;
  return choice ? { ...deal, phase: "talon", turn: deal.declarer } : closeTalon(deal);
}

function talonTimeForbidden(deal, seat, open) {
  if (!open) return "talon.when";
  return seat === deal.declarer ? null : "talon.declarer";
}

/** He takes the talon or leaves it, once. */
function choiceForbidden(deal, seat) {
  const late = deal.taken ? "talon.discard-due" : null;
  return talonTimeForbidden(deal, seat, deal.phase === "talon") ?? late;
}

function takeTalon(deal, seat) {
  const hands = { ...deal.hands, [seat]: [...deal.hands[seat], ...deal.talon] };
  return { ...deal, hands, talon: [], taken: true };
}

function leaveTalon(deal) {
  return closeTalon({ ...deal, left: true });
}

/** Every two of these cards, as a discard names them: in the order of the pack. */
function pairsOf(hand) {
  const pack = SUITS.flatMap((suit) => Object.keys(CARD_POINTS).map((rank) => rank + suit));
  const cards = pack.filter((card) => hand.includes(card));
  return cards.flatMap((one, place) => cards.slice(place + 1).map((other) => `${one} ${other}`));
}

function isOtherCard(word, deal, [first]) {
  return isCard(word) && word !== first;
}

function discardForbidden(deal, seat, ...cards) {
  const early = talonTimeForbidden(deal, seat, deal.phase === "talon");
  if (early) return early;
  if (!deal.taken) return "talon.take-first";
  return cards.every((card) => deal.hands[seat].includes(card)) ? null : "talon.own-cards";
}

function discard(deal, seat, ...cards) {
  const hands = { ...deal.hands, [seat]: deal.hands[seat].filter((held) => !cards.includes(held)) };
  // A card turned up may be among them, for all the others know.
  const open = deal.open.filter((card) => !deal.hands[seat].includes(card));
  return closeTalon({ ...deal, hands, open, talon: cards });
}

/** Cards that the talon was to bring are due now: without them the contract is lost at once. */
function closeTalon(deal) {
  const { contract, declarer } = deal;
  const due = contract.held_at === "after_talon" && deal.rules.options.talon_cards > 0;
  const lacking = due && !holds(deal, declarer, contract.hold);
  return lacking ? endForDeclarer(deal, false, "failed") : beginPlay(deal);
}

/** Having seen the talon, the declarer may go higher until the first card is led. */
function raiseForbidden(deal, seat, name) {
  const early = talonTimeForbidden(deal, seat, beforeFirstLead(deal));
  if (early) return early;
  const contract = deal.rules.contracts.get(name);
  if (deal.rules.options.talon_raise === "refused" || !deal.taken) return "talon.raise";
  if (!mayBid(deal, seat, contract)) return "auction.bidders";
  if (!holds(deal, seat, contract.hold)) return "auction.cards-required";
  return contract.level > deal.contract.level ? null : "talon.raise-higher";
}

function raise(deal, seat, name) {
  const raised = { ...deal, contract: deal.rules.contracts.get(name) };
  return deal.phase === "talon" ? raised : beginPlay(raised);
}

// ---------------------------------------------------------------------------- doubling

function doubling(step) {
  return {
    takes: [],
    forbids: (deal, seat) =>
      mayCancel(deal, seat, step) ? speakingForbidden(deal, seat) : doublingForbidden(deal, seat, step),
    does: (deal, seat) => (deal.phase === "auction" ? cancelStanding(deal, seat) : double(deal, seat)),
  };
}

function doublingForbidden(deal, seat, step) {
  const { options } = deal.rules;
  if (!beforeFirstLead(deal)) return "doubling.window";
  if (sitsOut(deal, seat) && options.sitting_out_doubles === "refused") return "doubling.sitting-out";
  const again = options.kontra_by === "each_once" && deal.doubledBy.includes(seat);
  if (withDeclarer(deal, seat) !== (step === 1)) return `doubling.${CALLS[step]}`;
  if (deal.contract.kontra === "refused") return "doubling.every-contract";
  if (step !== deal.doubledBy.length || step >= options.kontra_levels) return "doubling.steps";
  return again ? `doubling.${CALLS[step]}` : isDecisive(deal) ? "doubling.beyond-need" : null;
}

/** From the end of the auction, through the time for the talon, until a card is led. */
const beforeFirstLead = ({ phase, trick, tricks }) =>
  ["talon", "show"].includes(phase) || (phase === "play" && !trick.length && !tricks.length);

const double = (deal, seat) => ({ ...deal, doubledBy: [...deal.doubledBy, seat] });
const factorOf = (deal) => 2 ** deal.doubledBy.length;

/** Whether the game ends with this deal whoever wins it, so that doubling changes nothing. */
function isDecisive(deal) {
  const { kontra_cap: cap, target } = deal.rules.options;
  const atStake = (deal.contract.value + bonusOf(deal)) * factorOf(deal);
  return cap === "when_decisive" && deal.sides.every((side) => deal.scores[side] + atStake >= target);
}

/** Whether Kontra on the lowest contract is a call with which this seat may answer the standing bid. */
function mayCancel(deal, seat, step) {
  const { options, playable: [lowest] } = deal.rules;
  const mayBeSaid = step === 0 && options.kontra_levels > 0 && lowest.kontra === "allowed";
  const cancellable = deal.bid?.contract.cancelled_by === "kontra_on_lowest" && !deal.bid.cancelled;
  return mayBeSaid && cancellable && !allies(deal, seat, forehandOf(deal));
}

/** Forehand is back in the lowest contract, doubled; it ranks just above the bid it cancels. */
function cancelStanding(deal, seat) {
  const [contract] = deal.rules.playable;
  const standing = { seat: forehandOf(deal), contract, without: false, cancelled: deal.bid.contract, calledBy: seat };
  return nextToSpeak({ ...deal, bid: standing, spoken: [...deal.spoken, seat] });
}

// ---------------------------------------------------------------------------- play

function beginPlay(deal) {
  if (deal.contract.goal === "shown") {
    const waiting = { ...deal, phase: "show", turn: deal.declarer };
    return deal.rules.options.laydown_end === "show" ? waiting : show(waiting);
  }
  const leader = deal.contract.lead === "declarer" ? deal.declarer : forehandOf(deal);
  return { ...deal, phase: "play", turn: activeFrom(deal, leader) };
}

/** How a card stands in a trick: trumps above the suit led, all others nowhere (0). */
function strength(card, led, trump, ranks) {
  const height = ranks.length - ranks.indexOf(rankOf(card));
  if (suitOf(card) === trump) return height + ranks.length;
  return suitOf(card) === led ? height : 0;
}

const strongest = (cards, power) => cards.reduce((best, card) => (power(card) > power(best) ? card : best));

/** The trump that the cards obey; only the fault makes it differ from the trump in force. */
function trumpInPlay({ rules, contract, trump }) {
  return rules.faults.has("trump-alive-in-gang") ? trump : trumpInForce({ contract, trump });
}

/** The seat that wins a trick, a list of [seat, card] in playing order. */
export function trickWinner({ rules, contract, trump }, trick) {
  const [[, ledCard]] = trick;
  const force = trumpInPlay({ rules, contract, trump });
  const power = (card) => strength(card, suitOf(ledCard), force, contract.ranks);
  const best = strongest(trick.map(([, card]) => card), power);
  return trick.find(([, card]) => card === best)[0];
}

/** The cards of a hand that may be played to a trick. */
export function legalCards(table, hand, trick) {
  return hand.filter((card) => cardForbidden(table, hand, trick, card) === null);
}

/** The trick rule against a card of the hand: follow and beat, else ruff and over-ruff. */
function cardForbidden({ rules, contract, trump }, hand, trick, card) {
  if (!trick.length) return null;
  const cards = trick.map(([, played]) => played);
  const led = suitOf(cards[0]);
  const force = trumpInPlay({ rules, contract, trump });
  const power = (one) => strength(one, led, force, contract.ranks);
  const inSuit = ofSuit(hand, led);
  if (suitOf(card) === led) {
    const target = cardToBeat(rules, contract, cards, power);
    const neglects = target && power(card) < power(target) && inSuit.some((one) => power(one) > power(target));
    if (!neglects) return null;
    return suitOf(strongest(cards, power)) === led ? "play.beat" : "play.head-after-ruff";
  }
  if (inSuit.length && contract.follow === "forced") return "play.follow";
  const trumps = ofSuit(hand, force);
  const beating = trumps.filter((one) => power(one) > power(strongest(cards, power)));
  if (suitOf(card) === force) {
    return contract.overtrump === "forced" && beating.length && !beating.includes(card) ? "play.over-ruff" : null;
  }
  const mustRuff = contract.ruff === "forced" && (beating.length || contract.undertrump === "forced");
  return mustRuff && trumps.length && !inSuit.length ? "play.ruff" : null;
}

/** The card of the suit led that has to be beaten in following suit, or null where nobody must. */
function cardToBeat(rules, contract, cards, power) {
  const led = suitOf(cards[0]);
  const ruffed = suitOf(strongest(cards, power)) !== led;
  if (contract.head === "free" || (ruffed && contract.head_after_ruff === "free")) return null;
  const onlyFirst = contract.head_target === "led_card" || rules.faults.has("beats-first-card");
  return onlyFirst ? cards[0] : strongest(ofSuit(cards, led), power);
}

/** Phase, seat and card: what is wrong before any trick rule is looked at. */
function turnForbidden(deal, seat, card) {
  if (deal.phase !== "play") return "play.when";
  if (sitsOut(deal, seat)) return "play.sitting-out";
  if (seat !== deal.turn) return "play.turn";
  return deal.hands[seat].includes(card) ? null : "play.own-cards";
}

function playForbidden(deal, seat, card) {
  return turnForbidden(deal, seat, card) ?? cardForbidden(deal, deal.hands[seat], deal.trick, card);
}

function playCard(deal, seat, card, declared = false) {
  const hands = { ...deal.hands, [seat]: deal.hands[seat].filter((held) => held !== card) };
  const trick = [...deal.trick, [seat, card]];
  const put = { ...deal, hands, trick, declared, turn: activeFrom(deal, seatAfter(deal, seat)) };
  return settle(trick.length === activeSeats(deal).length ? takeTrick(put) : put);
}

function takeTrick(deal) {
  const winner = trickWinner(deal, deal.trick);
  const points = pointsIn(deal.trick.map(([, card]) => card));
  return { ...deal, trick: [], turn: winner, tricks: [...deal.tricks, { cards: deal.trick, winner, points }] };
}

// ---------------------------------------------------------------------------- marriages

const otherHalf = (card) => ({ K: "Q", Q: "K" })[rankOf(card)] + suitOf(card);

function marriageForbidden(deal, seat, card) {
  const early = turnForbidden(deal, seat, card);
  if (early) return early;
  const { contract, hands, tricks, trick } = deal;
  const mayDeclare = { none: false, declarer: seat === deal.declarer, side: withDeclarer(deal, seat), all: true };
  const needed = {
    nothing: true,
    side_trick: tricks.some(({ winner }) => allies(deal, winner, seat)),
    own_trick: tricks.some(({ winner }) => winner === seat),
  };
  if (contract.marriages === "none") return "marriages.contracts";
  if (!mayDeclare[contract.marriages]) return "marriages.declarer-only";
  if (!needed[deal.rules.options.marriage_needs]) return "marriages.first-lead";
  if (trick.length && !deal.rules.faults.has("marriage-off-lead")) return "marriages.on-lead";
  if (!hands[seat].includes(otherHalf(card))) return "marriages.pair";
  return cardForbidden(deal, hands[seat], trick, card);
}

function marry(deal, seat, card) {
  const points = suitOf(card) === trumpInForce(deal) ? 40 : 20;
  const marriages = [...deal.marriages, { seat, points }];
  return playCard({ ...deal, marriages, open: [...deal.open, otherHalf(card)] }, seat, card, true);
}

// ---------------------------------------------------------------------------- contracts

const trickLimit = (deal) => {
  const hand = deal.dealt[deal.declarer].length;
  return deal.contract.tricks === "all" ? hand : Math.min(deal.contract.tricks, hand);
};

/** Whether a trick or marriage of this seat counts as the declarer's. */
function countsForDeclarer(deal, seat) {
  return { declarer: seat === deal.declarer, side: withDeclarer(deal, seat), anyone: true }[deal.contract.won_by];
}

/** Card points in the completed tricks and declared marriages of some seats. */
function pointsOf(deal, includes, withMarriages = true) {
  const tricks = deal.tricks.filter(({ winner }) => includes(winner));
  const marriages = deal.marriages.filter(({ seat }) => withMarriages && includes(seat));
  return sum([...tricks, ...marriages].map(({ points }) => points));
}

/** End the deal if the last card, or a marriage declared with it, decides the contract. */
function settle(deal) {
  return deal.contract.goal === "claim_66" ? settleRace(deal) : settleGoal(deal);
}

function settleGoal(deal) {
  const { goal, ends_early: endsEarly } = deal.contract;
  if (deal.trick.length && !deal.declared) return deal;
  const lost = deal.tricks.some(({ winner }) => countsForDeclarer(deal, winner) === (goal === "no_trick"));
  if (lost && endsEarly !== "never") return endForDeclarer(deal, false, "failed");
  const enough = goal !== "tricks_66" || pointsForGoal(deal) >= TO_WIN;
  const early = { when_lost_or_66: true, when_lost_or_marriage: deal.declared }[endsEarly] && goal === "tricks_66";
  if (!(early && enough) && deal.tricks.length + marriagesAsTricks(deal) < trickLimit(deal)) return deal;
  return lost || !enough ? endForDeclarer(deal, false, "failed") : endForDeclarer(deal, true, "made");
}

/** Card points of the declarer's side: where the partner may declare marriages, they help. */
const pointsForGoal = (deal) => pointsOf(deal, (seat) => withDeclarer(deal, seat));

/** How many of the tricks to be won their marriages stand for: one for a 20, two for a 40. */
function marriagesAsTricks(deal) {
  if (deal.contract.goal !== "tricks_66" || deal.contract.marriages_as_tricks === "never") return 0;
  return sum(deal.marriages.filter(({ seat }) => withDeclarer(deal, seat)).map(({ points }) => points / 20));
}

/** The contract's value to the declarer's side, or to each of the others. */
function endForDeclarer(deal, made, reason) {
  return end(deal, sidesWith(deal, made), deal.contract.value, reason);
}

const sidesWith = (deal, declarer) =>
  deal.sides.filter((side) => (side === deal.sideOf[deal.declarer]) === declarer);

function showForbidden(deal, seat) {
  if (deal.phase !== "show") return "contracts.show";
  return seat === deal.declarer ? null : "contracts.show-declarer";
}

/** Lay the hand down: the contract is made if it has the cards, whenever they had to be there. */
function show(deal) {
  const made = holds(deal, deal.declarer, deal.contract.hold);
  const laidDown = { ...deal, open: [...deal.open, ...deal.hands[deal.declarer]] };
  return endForDeclarer(laidDown, made, made ? "shown" : "failed");
}

// ---------------------------------------------------------------------------- claims

/** The deal is a race of two camps: the declarer's side, and everybody else. */
const inCamp = (deal, seat) => (other) => withDeclarer(deal, other) === withDeclarer(deal, seat);
const rivalOf = (deal, seat) => deal.seats.find((other) => !inCamp(deal, seat)(other));

function campPoints(deal, seat, withMarriages = true) {
  return pointsOf(deal, inCamp(deal, seat), withMarriages);
}

/** The seats that may say enough at this moment, whether or not it would be true. */
function claimers(deal) {
  const { claim_by: by, claim_window: window } = deal.rules.options;
  if (deal.phase !== "play" || deal.contract.goal !== "claim_66" || lastTrickLed(deal)) return [];
  const [leader] = deal.trick.length ? deal.trick[0] : [deal.turn];
  const moment = deal.trick.length ? deal.trick.length === 1 && deal.declared : deal.tricks.length > 0;
  if (!moment) return [];
  if (window === "between_tricks" && !deal.trick.length) return activeSeats(deal);
  return activeSeats(deal).filter((seat) => seat === leader || (by === "side" && inCamp(deal, leader)(seat)));
}

const lastTrickLed = (deal) => deal.tricks.length + (deal.trick.length ? 1 : 0) >= trickLimit(deal);

function claimForbidden(deal, seat) {
  const { claim_mode: mode, false_claims: untrue } = deal.rules.options;
  if (!deal.contract || ["trump", "talon"].includes(deal.phase)) return "claims.moment";
  if (deal.contract.goal !== "claim_66") return "claims.contract";
  if (deal.phase !== "play") return "claims.moment";
  if (lastTrickLed(deal)) return "claims.last-trick";
  const may = mode === "called" ? claimers(deal) : [];
  if (!may.includes(seat)) return may.some(inCamp(deal, seat)) ? "claims.claimer" : "claims.moment";
  return untrue === "blocked" && campPoints(deal, seat) < TO_WIN ? "claims.may-be-false" : null;
}

/** True or false, a claim is paid by the tricks and card points of the camp that did not claim. */
function claim(deal, seat) {
  const rival = rivalOf(deal, seat);
  const right = campPoints(deal, seat) >= TO_WIN;
  return endRace(deal, right ? seat : rival, tier(deal, rival), right ? "claim" : "false_claim");
}

/** 3 against a camp without a trick, 2 against one below 33 card points, else 1. */
function tier(deal, rival) {
  if (!deal.tricks.some(({ winner }) => inCamp(deal, rival)(winner))) return 3;
  return campPoints(deal, rival, deal.rules.options.loser_33 === "with_marriages") < 33 ? 2 : 1;
}

/** After each card of a race to 66: claims that make themselves, and the last trick. */
function settleRace(deal) {
  const { claim_mode: mode, last_trick_award: award } = deal.rules.options;
  const has66 = (seat) => campPoints(deal, seat) >= TO_WIN;
  const claimer = claimers(deal).find(has66);
  if (mode === "automatic" && claimer) return claim(deal, claimer);
  if (deal.tricks.length < trickLimit(deal)) return deal;
  const last = deal.turn;
  const rival = rivalOf(deal, last);
  const ahead = campPoints(deal, rival) > campPoints(deal, last) ? rival : last;
  if (mode === "at_end" && has66(ahead)) return endRace(deal, ahead, tier(deal, rivalOf(deal, ahead)), "counted");
  const graded = award === "graded" || (award === "graded_if_66" && has66(last));
  return endRace(deal, last, graded ? tier(deal, rival) : 1, "last_trick");
}

const endRace = (deal, winner, points, reason) =>
  end(deal, sidesWith(deal, withDeclarer(deal, winner)), deal.contract.value * points, reason);

// ---------------------------------------------------------------------------- score and match

const perSide = (deal, value) => Object.fromEntries(deal.sides.map((side) => [side, value(side)]));

/** What the deal is worth more, won or lost, because the declarer left the talon. */
const bonusOf = ({ left, rules }) => (left ? rules.options.no_talon_bonus : 0);

function end(deal, winners, gamePoints, reason) {
  const factor = factorOf(deal);
  const paid = (gamePoints + bonusOf(deal)) * factor;
  const awards = perSide(deal, (side) => (winners.includes(side) ? paid : 0));
  const scores = perSide(deal, (side) => deal.scores[side] + awards[side]);
  const outcome = { awards, factor, reason };
  const game = gameEnd(deal, scores);
  const nextDealer = game && deal.rules.options.after_game === "stop" ? null : seatAfter(deal, deal.dealer);
  return { ...deal, phase: "over", turn: null, outcome, scores, nextDealer, game };
}

function gameEnd(deal, scores) {
  const { target, losers, bummerl_to: to, after_game: afterGame } = deal.rules.options;
  const winners = deal.sides.filter((side) => scores[side] >= target);
  if (!winners.length || afterGame === "runs_on") return null;
  const beaten = deal.sides.filter((side) => scores[side] < target);
  const least = Math.min(...beaten.map((side) => scores[side]));
  const marked = beaten.filter((side) => losers === "all_below_target" || scores[side] === least);
  const marks = perSide(deal, (side) => (marked.includes(side) ? marksFor(deal, side, scores) : 0));
  const most = Math.max(...Object.values(marks));
  const bummerl = to === "loser" ? marks : perSide(deal, (side) => (winners.includes(side) ? most : 0));
  return { winners, bummerl };
}

function marksFor(deal, side, scores) {
  const { schneider, retourschneider } = deal.rules.options;
  if (retourschneider && deal.hadLed.includes(side)) return retourschneider;
  return scores[side] === 0 ? schneider : 1;
}

/** Sides one point short of the target while all others have none. */
function leadersToNothing({ options: { target } }, sides, scores) {
  const due = (side, other) => (other === side ? target - 1 : 0);
  return sides.filter((side) => target > 1 && sides.every((other) => scores[other] === due(side, other)));
}

/**
 * Dealer and scores of the deal after this one, for `newDeal`; null while it is not over, and after
 * a game where play stops with it.
 */
export function following(deal) {
  const { after_game: afterGame } = deal.rules.options;
  if (deal.phase !== "over" || (deal.game && afterGame === "stop")) return null;
  const restart = deal.game && afterGame === "restart";
  return {
    dealer: deal.nextDealer,
    scores: restart ? perSide(deal, () => 0) : deal.scores,
    hadLed: restart ? [] : deal.hadLed,
  };
}

// ---------------------------------------------------------------------------- what can be seen

/** What everybody can see of a deal, as plain data. */
export function viewOf(deal) {
  const { bid: standing, contract, tricks } = deal;
  const last = tricks.at(-1);
  return {
    phase: deal.phase,
    to_act: deal.turn,
    legal: legalActions(deal),
    trump: deal.trump,
    bid: standing && describeBid(deal.rules.options, standing),
    contract: contract && {
      name: contract.name, declarer: deal.declarer, trump: trumpInForce(deal), factor: factorOf(deal),
    },
    trick: deal.trick,
    last_trick: last ?? null,
    sees: sees(deal),
    points: perSide(deal, (side) => pointsOf(deal, (seat) => deal.sideOf[seat] === side)),
    tricks: perSide(deal, (side) => tricks.filter(({ winner }) => deal.sideOf[winner] === side).length),
    outcome: deal.outcome,
    scores: deal.scores,
    next_dealer: deal.nextDealer,
    game: deal.game,
  };
}

/** The standing bid; where the talon may be renounced with a bid, also whether this one does so. */
function describeBid(options, { seat, contract, without }) {
  const told = { seat, contract: contract.name };
  const mayRenounce = options.talon_cards > 0 && options.no_talon_precedence === "present";
  return mayRenounce ? { ...told, without_talon: without } : told;
}

/** Viewer -> owner -> the cards that the viewer knows, of the owner's hand or of the talon. */
function sees(deal) {
  const known = (viewer, owner) =>
    deal.hands[owner].filter((card) => viewer !== owner && (deal.open.includes(card) || lieOpen(deal, viewer, owner)));
  const seenBy = (viewer) => filled([
    ...deal.seats.map((owner) => [owner, known(viewer, owner)]),
    ["talon", knowsTalon(deal, viewer) ? deal.talon : []],
  ]);
  return filled(deal.seats.map((viewer) => [viewer, seenBy(viewer)]));
}

/** What lies aside is known to the declarer who has put it there, and after the end to everybody. */
const knowsTalon = (deal, viewer) => deal.phase === "over" || (deal.taken && viewer === deal.declarer);

/** Whole hands that a contract opens during the play. */
function lieOpen(deal, viewer, owner) {
  if (!deal.contract || deal.contract.goal === "shown" || !["play", "over"].includes(deal.phase)) return false;
  const afterTrick = deal.tricks.length > 0;
  return {
    nothing: false,
    opponents_before_first_trick: !withDeclarer(deal, viewer) && !withDeclarer(deal, owner),
    opponents_after_first_trick: afterTrick && !withDeclarer(deal, owner),
    declarer_after_first_trick: afterTrick && owner === deal.declarer,
  }[deal.contract.exposed];
}
