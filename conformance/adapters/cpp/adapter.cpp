// A skeleton: the adapter between your engine and the suite. Protocol version 1.
//
// As it stands it drives the toy engine in toy.hpp, which knows tricks only. Put your engine in its
// place at the marks FILL 1 to FILL 9; the rest can stay. FILL 1 to 5 are enough for level 1.

#include "kit.hpp"
#include "toy.hpp"

using kit::List;
using kit::Value;

// FILL 1: who answers, and what it can do. All of it must be the same after a restart.
static Value hello() {
  return kit::object({
      {"adapter", kit::object({{"name", "my-adapter"}, {"version", "1"}})},
      {"engine", kit::object({{"name", "toy"}, {"version", toy::VERSION}, {"language", "C++"}})},
      {"capabilities", kit::object({
          {"players", kit::list({4})},
          {"legal_plays", true},
          {"trick_winner", true},
          {"starts", kit::list({})},  // level 2: {"contract"}; level 3: {"deal", "contract"}
          {"match", false},           // level 5: true
          {"claims", "none"},         // level 4: "called", or "automatic" if deals end by themselves
          {"enforces", true},         // false if the engine offers the right cards but takes any
          {"reasons", false},         // true if `act` below returns rule ids
          {"configurable", false},
      })},
      {"window", 8},
  });
}

// ---------------------------------------------------------------------------- level 1: tricks

// FILL 2: cards, suits and seats, as your engine has them.
static const std::string ENGINE_RANKS = "JQKTA";
static const std::vector<std::string>& SEATS = kit::seats(4);

// "H" -> 0. Where no suit was named there is none.
static int to_suit(const Value& word) {
  if (word.is_null()) return -1;
  const std::string& suit = kit::expect_text(word, "trump");
  if (!kit::is_suit(suit)) throw kit::Malformed(suit + " is not a suit");
  return static_cast<int>(kit::SUITS.find(suit));
}

// "TH" -> 3.
static int to_card(const Value& word) {
  const kit::Card card = kit::parse_card(word);
  return static_cast<int>(kit::SUITS.find(card.suit) * kit::RANKS.size() + ENGINE_RANKS.find(card.rank));
}

static toy::Cards to_cards(const List& words) {
  toy::Cards cards;
  for (const Value& word : words) cards.push_back(to_card(word));
  return cards;
}

// 3 -> "TH".
static std::string to_word(int card) {
  const auto number = static_cast<std::size_t>(card);
  return {ENGINE_RANKS[number % kit::RANKS.size()], kit::SUITS[number / kit::RANKS.size()]};
}

// "E" -> 1.
static int to_seat(const Value& letter) {
  const auto place = std::find(SEATS.begin(), SEATS.end(), kit::expect_text(letter, "seat"));
  if (place == SEATS.end()) throw kit::Malformed(kit::to_json(letter) + " is not a seat");
  return static_cast<int>(place - SEATS.begin());
}

static const std::string& to_letter(int seat) { return SEATS.at(static_cast<std::size_t>(seat)); }

// The cards of a trick, without the seats.
static toy::Cards cards_of(const List& trick) {
  toy::Cards cards;
  for (const Value& pair : trick) cards.push_back(to_card(kit::expect_list(pair, "trick").at(1)));
  return cards;
}

// FILL 3: contracts, as your engine has them; Unsupported if it has no such contract.
static const toy::Contract& to_contract(const Value& name) {
  const auto contract = toy::CONTRACTS.find(kit::expect_text(name, "contract"));
  if (contract == toy::CONTRACTS.end()) throw kit::Unsupported("the contract " + kit::to_json(name));
  return contract->second;
}

// FILL 4: the cards of hand that seat may play.
static Value legal_plays(const Value& one) {
  const toy::Cards trick = cards_of(kit::expect_list(one["trick"], "trick"));
  const toy::Cards hand = to_cards(kit::expect_list(one["hand"], "hand"));
  List words;
  for (int card : toy::playable(to_contract(one["contract"]), to_suit(one["trump"]), trick, hand)) {
    words.push_back(to_word(card));
  }
  return words;
}

// FILL 5: the seat that wins the complete trick.
static Value trick_winner(const Value& one) {
  const List& trick = kit::expect_list(one["trick"], "trick");
  const std::size_t place = toy::best(to_contract(one["contract"]), to_suit(one["trump"]), cards_of(trick));
  return kit::expect_list(trick.at(place), "trick").at(0);
}

// ---------------------------------------------------------------------------- levels 2 to 5: deals

// FILL 6: a deal from its record. Level 3 needs the start from the deal, where record["contract"] is
// absent. Level 5 needs record["scores"]; where dealer and scores are absent, they follow from how
// the deal `before` ended.
static toy::Deal open_deal(const Value& record, const std::optional<toy::Deal>&) {
  kit::check_hands(record["hands"], SEATS, 5);
  std::vector<toy::Cards> hands;
  for (const std::string& seat : SEATS) hands.push_back(to_cards(kit::expect_list(record["hands"][seat], seat)));
  const Value& start = record["contract"];
  if (start.is_null()) throw kit::Unsupported("no auction");
  if (record["dealer"].is_null()) throw kit::Unsupported("no match");
  const toy::Contract& contract = to_contract(start["name"]);
  return {contract, to_seat(start["declarer"]), to_suit(start["trump"]), to_seat(record["dealer"]), hands};
}

// FILL 7: do an action, if the rules allow it. Level 2 needs marry and show; level 3 trump, turn-up,
// redeal, bid, pass, kontra, rekontra and subkontra; level 4 enough.
// Null if it was done; true, or the id of the rule it breaks, if it was refused.
static Value act(toy::Deal& deal, const std::string& seat, const kit::Action& action) {
  if (action.verb == "play" && deal.play(to_seat(seat), to_card(action.words[0]))) return nullptr;
  return true;  // what the engine does not know is refused
}

// FILL 8: what each seat may do now; null where the engine cannot tell. A seat with nothing to do is
// left out; after the end all are.
static Value legal(const toy::Deal& deal) {
  kit::Object known;
  for (int seat = 0; seat < toy::SEATS; ++seat) {
    if (!deal.is_sure(seat)) {
      known.emplace_back(to_letter(seat), nullptr);
    } else if (deal.turn == seat) {
      List plays;
      for (int card : deal.may_play()) plays.push_back("play " + to_word(card));
      known.emplace_back(to_letter(seat), plays);
    }
  }
  return known;
}

// Seats and cards in the letters of the protocol.
static Value shown(const toy::Trick& trick) {
  List pairs;
  for (const auto& [seat, card] : trick) pairs.push_back(kit::list({to_letter(seat), to_word(card)}));
  return pairs;
}

// The trick before this one.
static Value last_trick(const toy::Deal& deal) {
  if (deal.last_trick.empty()) return nullptr;
  return kit::object({{"cards", shown(deal.last_trick)},
                      {"winner", to_letter(deal.last_winner)},
                      {"points", deal.last_points}});
}

// FILL 9: the table as anybody sees it. Leave out what the engine does not know; null says "there is
// none". Level 2 needs contract, points, tricks and outcome; level 5 scores, next_dealer and game;
// phase, trump, bid and sees are welcome. Section 6 of the protocol describes each.
static kit::Object view(const toy::Deal& deal) {
  return {
      {"to_act", deal.turn ? Value(to_letter(*deal.turn)) : Value()},
      {"legal", legal(deal)},
      {"trick", shown(deal.trick)},
      {"last_trick", last_trick(deal)},
  };
}

// For each deal a view before the first action and one after each.
static Value replay(const Value& request) {
  List answers;
  std::optional<toy::Deal> before;
  for (const Value& record : kit::expect_list(request["deals"], "deals")) {
    toy::Deal deal = open_deal(record, before);
    List views{view(deal)};
    for (const Value& pair : kit::expect_list(record["actions"], "actions")) {
      const Value &seat = kit::expect_list(pair, "actions").at(0), &text = pair.as<List>()->at(1);
      const auto action = kit::parse_action(text);
      const bool known = action && std::find(SEATS.begin(), SEATS.end(), kit::expect_text(seat, "seat")) != SEATS.end();
      const Value refused = known ? act(deal, *seat.as<std::string>(), *action) : Value(true);
      kit::Object after = view(deal);
      if (!refused.is_null()) after.emplace_back("refused", refused);
      views.push_back(after);
    }
    answers.push_back(views);
    before = deal;
  }
  return answers;
}

// ---------------------------------------------------------------------------- start

int main() {
  kit::run(hello(), {
      {"legal_plays", [](const Value& request) { return kit::each_case(request["cases"], legal_plays); }},
      {"trick_winner", [](const Value& request) { return kit::each_case(request["cases"], trick_winner); }},
      {"replay", replay},
  });
}
