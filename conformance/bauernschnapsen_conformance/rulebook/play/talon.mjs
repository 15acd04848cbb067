// What a simple opponent does with the talon: he takes it, keeps the six cards that promise most, and
// goes higher where the table allows it and the cards bear it.

import { hasCards, most, ofSuit, pointsOf, promise, raceStrength, suitOf } from "./strength.mjs";

/** As sure as one must be of a higher contract, and of one's own before the talon is left alone. */
const SURE = 0.9;

/** Take or leave the talon; then raise, or lay two cards away. */
export function chooseTalon(known, lot) {
  const { contract, legal, rules } = known;
  if (!known.taken) {
    const pays = rules.options.no_talon_bonus > 0 && promise(known, contract) >= SURE;
    return pays ? "keep" : "talon";
  }
  const discards = legal.filter((action) => action.startsWith("discard "));
  const kept = (discard) => known.hand.filter((card) => !discard.split(" ").includes(card));
  const best = (one) => most(discards, (discard) => worth({ ...known, hand: kept(discard) }, one) + lot() * 0.01);
  for (const action of legal.filter((one) => one.startsWith("raise ")).reverse()) {
    const higher = rules.contracts.get(action.slice(6));
    if (promise({ ...known, hand: kept(best(higher)) }, higher) >= SURE) return action;
  }
  return best(contract);
}

/** What six cards are worth in a contract; where that says nothing, high cards of a long suit are. */
function worth(known, contract) {
  const { hand, named } = known;
  const shape = hand.reduce((sum, card) => sum + pointsOf(card) + ofSuit(hand, suitOf(card)).length, 0) / 1000;
  const trump = contract.trump === "named" ? named : null;
  if (!hasCards(hand, contract.hold, named)) return -1;
  if (contract.goal === "claim_66") return raceStrength(hand, trump, contract.ranks) / 66 + shape;
  return promise(known, contract) + (contract.goal === "no_trick" ? -shape : shape);
}
