// A toy engine, in the place of yours: the tricks of a deal, and nothing else of the game.
//
// Like most engines it has its own idea of cards and seats. Cards are numbers from 0 to 19, suit * 5 +
// rank, with the suits hearts, diamonds, spades, clubs and the ranks jack, queen, king, ten, ace;
// seats are numbers from 0 to 3, clockwise.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace toy {

constexpr const char* VERSION = "1.0";
constexpr int SEATS = 4;
constexpr std::array<int, 5> WORTH{2, 3, 4, 10, 11};  // card points, by rank

using Cards = std::vector<int>;
using Trick = std::vector<std::pair<int, int>>;  // seats and cards

// What this engine must know of a contract to play its tricks.
struct Contract {
  bool trump = true;                // whether the suit that was named is trump
  bool ten_high = false;            // whether the ranks are ten, king, queen, jack, ace
  int tricks = 5;
  std::optional<bool> wins = true;  // the declarer must win every trick or none; or no matter
};

inline const std::map<std::string, Contract> CONTRACTS{
    {"normal", {true, false, 5, std::nullopt}},
    {"bettler", {false, false, 5, false}},
    {"schnapser", {true, false, 3, true}},
    {"gang", {false, false, 5, true}},
    {"zehner-gang", {false, true, 5, true}},
    {"kontra-schnapser", {true, false, 3, true}},
    {"bauern-schnapser", {true, false, 5, true}},
    {"kontra-bauern-schnapser", {true, false, 5, true}},
};

// Whether a card takes a trick from another one that led to it so far.
inline bool beats(const Contract& contract, int trump, int card, int other) {
  if (card / 5 != other / 5) return contract.trump && card / 5 == trump;
  return contract.ten_high ? (card + 1) % 5 > (other + 1) % 5 : card > other;
}

// The place in the trick of the card that wins it.
inline std::size_t best(const Contract& contract, int trump, const Cards& trick) {
  std::size_t place = 0;
  for (std::size_t number = 0; number < trick.size(); ++number) {
    if (beats(contract, trump, trick[number], trick[place])) place = number;
  }
  return place;
}

// The cards of a hand that may be played: follow suit, else ruff; beat what can be beaten.
inline Cards playable(const Contract& contract, int trump, const Cards& trick, const Cards& hand) {
  if (trick.empty()) return hand;
  const auto chosen = [](const Cards& cards, auto wanted) {
    Cards found;
    std::copy_if(cards.begin(), cards.end(), std::back_inserter(found), wanted);
    return found;
  };
  const int led = trick.front() / 5, winning = trick[best(contract, trump, trick)];
  Cards cards = chosen(hand, [&](int card) { return card / 5 == led; });
  if (cards.empty() && contract.trump) cards = chosen(hand, [&](int card) { return card / 5 == trump; });
  const Cards better = chosen(cards, [&](int card) { return beats(contract, trump, card, winning); });
  return !better.empty() ? better : !cards.empty() ? cards : hand;
}

// A deal that is being played, from the first lead on.
struct Deal {
  Contract contract;
  int declarer, trump;
  std::vector<Cards> hands;
  Trick trick, last_trick;
  int last_winner = 0, last_points = 0;
  int number = 0;           // of tricks that are complete
  std::optional<int> turn;  // nobody's after the end

  Deal(Contract played, int by, int named, int dealer, std::vector<Cards> dealt)
      : contract(played), declarer(by), trump(named), hands(std::move(dealt)) {
    turn = contract.trump ? next(dealer) : declarer;
  }

  // The cards that whoever is to act may play.
  Cards may_play() const {
    return turn ? playable(contract, trump, cards(trick), hands.at(static_cast<std::size_t>(*turn))) : Cards{};
  }

  // Whether this engine knows all that a seat may do: it knows no Kontra and no marriages.
  bool is_sure(int seat) const {
    if (!trick.empty() || !turn) return true;
    const bool kontra = number == 0 && seat % 2 != declarer % 2;
    const Cards hand = turn == seat ? hands.at(static_cast<std::size_t>(seat)) : Cards{};
    const bool pair = std::any_of(hand.begin(), hand.end(), [&](int card) {
      return card % 5 == 1 && std::find(hand.begin(), hand.end(), card + 1) != hand.end();
    });
    const bool marriage = pair && contract.trump;
    return !kontra && !marriage;
  }

  // Play a card; false, and nothing happens, if that is not allowed.
  bool play(int seat, int card) {
    const Cards allowed = may_play();
    if (turn != seat || std::find(allowed.begin(), allowed.end(), card) == allowed.end()) return false;
    Cards& hand = hands.at(static_cast<std::size_t>(seat));
    hand.erase(std::find(hand.begin(), hand.end(), card));
    trick.emplace_back(seat, card);
    turn = next(seat);
    if (turn == trick.front().first) end_trick();
    return true;
  }

 private:
  static Cards cards(const Trick& trick) {
    Cards found;
    for (const auto& [seat, card] : trick) found.push_back(card);
    return found;
  }

  void end_trick() {
    last_winner = trick[best(contract, trump, cards(trick))].first;
    last_points = 0;
    for (const auto& [seat, card] : trick) last_points += WORTH[static_cast<std::size_t>(card % 5)];
    last_trick = std::exchange(trick, {});
    ++number;
    const bool lost = contract.wins && *contract.wins != (last_winner == declarer);
    turn = std::nullopt;
    if (!lost && number < contract.tricks) turn = last_winner;
  }

  // The next seat clockwise; in Bettler the declarer's partner is passed over.
  int next(int seat) const {
    seat = (seat + 1) % SEATS;
    const bool out = contract.wins == false && seat == (declarer + 2) % SEATS;
    return out ? (seat + 1) % SEATS : seat;
  }
};

}  // namespace toy
