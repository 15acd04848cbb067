// Everything about an adapter that is not the game.
//
// The loop over stdin and stdout, the handshake, the mapping of exceptions to replies, and the
// notation of cards and actions; and, since C++ has none, a small JSON reader and writer.
// Protocol version 1.
//
// Copy this file beside your engine, write one function per operation, and call `run`:
//
//   kit::run(kit::object({{"adapter", ...}, {"engine", ...}, {"capabilities", ...}, {"window", 8}}),
//            {{"legal_plays", [](const Value& request) { return kit::each_case(request["cases"], judge); }}});
//
// A function returns what goes into `ok`. It throws `Unsupported` for what the engine has not;
// anything else that is thrown becomes an `error` reply with its message. Needs C++17.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace kit {

constexpr int PROTOCOL = 1;
constexpr std::size_t MAX_LINE = 1048576;
constexpr std::int64_t MAX_INTEGER = std::int64_t{1} << 53;
constexpr int MAX_DEPTH = 64;  // twice what the protocol allows
constexpr std::string_view SUITS = "HDSC";
constexpr std::string_view RANKS = "ATKQJ";

// Names of the seats, clockwise, by the number of players.
inline const std::vector<std::string>& seats(int players) {
  static const std::vector<std::string> three{"N", "E", "S"}, four{"N", "E", "S", "W"};
  return players == 3 ? three : four;
}

// Thrown for an operation, a start or a contract that the engine does not have.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Thrown for what cannot be read.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// ---------------------------------------------------------------------------- JSON

struct Value;
using List = std::vector<Value>;
using Object = std::vector<std::pair<std::string, Value>>;

// A JSON value. The protocol has no numbers but integers within +-2^53: any other number is kept as
// the text it was written as, so that whoever expects an integer finds none.
struct Value {
  std::variant<std::nullptr_t, bool, std::int64_t, std::string, List, Object> data;

  Value() : data(nullptr) {}
  Value(std::nullptr_t) : data(nullptr) {}
  Value(const char* text) : data(std::string(text)) {}
  Value(std::string text) : data(std::move(text)) {}
  Value(List list) : data(std::move(list)) {}
  Value(Object object) : data(std::move(object)) {}
  template <class Number, std::enable_if_t<std::is_integral_v<Number>, int> = 0>
  Value(Number number) : data(nullptr) {
    if constexpr (std::is_same_v<Number, bool>) {
      data = number;
    } else {
      data = static_cast<std::int64_t>(number);
    }
  }

  template <class Kind>
  const Kind* as() const {
    return std::get_if<Kind>(&data);
  }
  bool is_null() const { return as<std::nullptr_t>() != nullptr; }

  // The value of a key; null where there is no such key. If it is repeated, the last one counts.
  const Value& operator[](std::string_view key) const {
    static const Value none;
    if (const Object* object = as<Object>()) {
      for (auto entry = object->rbegin(); entry != object->rend(); ++entry) {
        if (entry->first == key) return entry->second;
      }
    }
    return none;
  }
};

inline Value object(std::initializer_list<std::pair<std::string, Value>> entries) {
  return Object(entries);
}

inline Value list(std::initializer_list<Value> values) { return List(values); }

inline bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    if (length == 0 || length > text.size() - at) return false;
    for (std::size_t next = 1; next < length; ++next) {
      if ((static_cast<unsigned char>(text[at + next]) & 0xC0) != 0x80) return false;
    }
    const auto second = length > 2 ? static_cast<unsigned char>(text[at + 1]) : 0;
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F)) return false;
    if ((lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F)) return false;
    at += length;
  }
  return true;
}

// Reads one JSON text; whatever the bytes are, it ends with a value or throws Malformed.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {
    if (!is_utf8(text)) fail("valid UTF-8");
  }

  Value read() {
    Value value = read_value(0);
    skip_space();
    if (at_ < text_.size()) fail("the end");
    return value;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;

  [[noreturn]] void fail(const char* expected) const {
    throw Malformed("byte " + std::to_string(at_ + 1) + ": expected " + expected);
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n') ++at_;
  }

  bool skip(char wanted) {
    skip_space();
    if (peek() != wanted || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }

  bool skip_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  Value read_value(int depth) {
    skip_space();
    if (depth > MAX_DEPTH) fail("less nesting");
    if (skip('{')) return read_object(depth);
    if (skip('[')) return read_list(depth);
    if (skip('"')) return read_text();
    if (skip_word("true")) return true;
    if (skip_word("false")) return false;
    if (skip_word("null")) return nullptr;
    return read_number();
  }

  Value read_object(int depth) {
    Object object;
    if (skip('}')) return object;
    do {
      if (!skip('"')) fail("a key");
      std::string key = read_text();
      if (!skip(':')) fail("a colon");
      object.emplace_back(std::move(key), read_value(depth + 1));
    } while (skip(','));
    if (!skip('}')) fail("a comma or }");
    return object;
  }

  Value read_list(int depth) {
    List list;
    if (skip(']')) return list;
    do {
      list.push_back(read_value(depth + 1));
    } while (skip(','));
    if (!skip(']')) fail("a comma or ]");
    return list;
  }

  std::string read_text() {
    std::string text;
    while (true) {
      if (at_ >= text_.size()) fail("the end of a string");
      const char letter = text_[at_++];
      if (letter == '"') return text;
      if (static_cast<unsigned char>(letter) < 0x20) fail("no control characters in a string");
      if (letter == '\\') {
        read_escape(text);
      } else {
        text += letter;
      }
    }
  }

  void read_escape(std::string& text) {
    constexpr std::string_view letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    const char letter = peek();
    ++at_;
    const std::size_t place = letters.find(letter);
    if (place != std::string_view::npos) {
      text += meant[place];
    } else if (letter == 'u') {
      append_utf8(text, read_code_point());
    } else {
      fail("an escape");
    }
  }

  // Half of a surrogate pair cannot be written in UTF-8: the replacement character stands for it.
  std::uint32_t read_code_point() {
    const std::uint32_t unit = read_unit();
    if (unit < 0xD800 || unit > 0xDFFF) return unit;
    const std::size_t behind = at_;
    if (unit < 0xDC00 && skip_word("\\u")) {
      const std::uint32_t low = read_unit();
      if (low >= 0xDC00 && low <= 0xDFFF) return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
      at_ = behind;
    }
    return 0xFFFD;
  }

  std::uint32_t read_unit() {
    std::uint32_t unit = 0;
    for (int place = 0; place < 4; ++place, ++at_) {
      const char digit = peek();
      if (digit >= '0' && digit <= '9') {
        unit = unit * 16 + static_cast<std::uint32_t>(digit - '0');
      } else if ((digit >= 'a' && digit <= 'f') || (digit >= 'A' && digit <= 'F')) {
        unit = unit * 16 + static_cast<std::uint32_t>((digit | 0x20) - 'a' + 10);
      } else {
        fail("four hexadecimal digits");
      }
    }
    return unit;
  }

  static void append_utf8(std::string& text, std::uint32_t point) {
    if (point < 0x80) {
      text += static_cast<char>(point);
      return;
    }
    const int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    constexpr std::array<std::uint32_t, 4> lead{0, 0xC0, 0xE0, 0xF0};
    text += static_cast<char>(lead[static_cast<std::size_t>(more)] | (point >> (6 * more)));
    for (int place = more - 1; place >= 0; --place) {
      text += static_cast<char>(0x80 | ((point >> (6 * place)) & 0x3F));
    }
  }

  Value read_number() {
    const std::size_t begin = at_;
    bool integer = true;
    if (peek() == '-') ++at_;
    if (peek() == '0') {
      ++at_;
    } else {
      skip_digits("a value");
    }
    if (peek() == '.') {
      ++at_;
      skip_digits("digits");
      integer = false;
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      skip_digits("digits");
      integer = false;
    }
    const std::string text(text_.substr(begin, at_ - begin));
    // Seventeen characters hold every integer within the limit, and all that they hold fits 64 bits.
    if (!integer || text.size() > 17) return text;
    const std::int64_t number = std::stoll(text);
    if (number > MAX_INTEGER || number < -MAX_INTEGER) return text;
    return number;
  }

  void skip_digits(const char* expected) {
    if (peek() < '0' || peek() > '9') fail(expected);
    while (peek() >= '0' && peek() <= '9') ++at_;
  }
};

inline void write_text(std::string& out, const std::string& text) {
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  const bool readable = is_utf8(text);
  out += '"';
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      out += '\\';
      out += letter;
    } else if (byte < 0x20) {
      out += "\\u00";
      out += hexadecimal[byte >> 4];
      out += hexadecimal[byte & 15];
    } else {
      out += readable || byte < 0x80 ? letter : '?';
    }
  }
  out += '"';
}

inline void write(std::string& out, const Value& value) {
  if (const auto* truth = value.as<bool>()) {
    out += *truth ? "true" : "false";
  } else if (const auto* number = value.as<std::int64_t>()) {
    out += std::to_string(*number);
  } else if (const auto* text = value.as<std::string>()) {
    write_text(out, *text);
  } else if (const auto* list = value.as<List>()) {
    const char* between = "[";
    for (const Value& one : *list) {
      out += between;
      write(out, one);
      between = ",";
    }
    out += list->empty() ? "[]" : "]";
  } else if (const auto* object = value.as<Object>()) {
    const char* between = "{";
    for (const auto& [key, one] : *object) {
      out += between;
      write_text(out, key);
      out += ':';
      write(out, one);
      between = ",";
    }
    out += object->empty() ? "{}" : "}";
  } else {
    out += "null";
  }
}

inline std::string to_json(const Value& value) {
  std::string out;
  write(out, value);
  return out;
}

// ---------------------------------------------------------------------------- notation

// A card in two letters: "TH" is the ten of hearts.
struct Card {
  char rank, suit;
};

// A verb and the words after it.
struct Action {
  std::string verb;
  std::vector<std::string> words;
};

inline bool is_suit(std::string_view word) {
  return word.size() == 1 && SUITS.find(word[0]) != std::string_view::npos;
}

inline bool is_card(std::string_view word) {
  return word.size() == 2 && RANKS.find(word[0]) != std::string_view::npos && is_suit(word.substr(1));
}

// The text itself if it is one; otherwise an error that names it.
inline const std::string& expect_text(const Value& value, const std::string& name) {
  if (const auto* text = value.as<std::string>()) return *text;
  throw Malformed(name + ": expected a text");
}

// The list itself if it is one; otherwise an error that names it.
inline const List& expect_list(const Value& value, const std::string& name) {
  if (const auto* list = value.as<List>()) return *list;
  throw Malformed(name + ": expected a list");
}

// "TH" -> rank 'T', suit 'H'; Malformed for anything else.
inline Card parse_card(const Value& value) {
  const auto* word = value.as<std::string>();
  if (word == nullptr || !is_card(*word)) {
    throw Malformed(to_json(value) + " is not a card, expected rank and suit as in \"TH\"");
  }
  return {(*word)[0], (*word)[1]};
}

inline bool is_contract(std::string_view word) {
  bool inside = false;  // whether the part that ends here has a letter or digit
  for (const char one : word) {
    const bool separator = one == '-' || one == '_';
    const bool plain = (one >= 'a' && one <= 'z') || (one >= '0' && one <= '9');
    if (!plain && !(separator && inside)) return false;
    inside = plain;
  }
  return inside && word[0] >= 'a';
}

inline bool is_place(std::string_view word) { return word == "1" || word == "2" || word == "3"; }

using Fits = bool (*)(std::string_view);
inline const std::map<std::string, std::vector<Fits>, std::less<>> VERBS{
    {"trump", {is_suit}}, {"turn-up", {is_place}}, {"redeal", {}},
    {"bid", {is_contract}}, {"bid-without-talon", {is_contract}}, {"pass", {}},
    {"kontra", {}}, {"rekontra", {}}, {"subkontra", {}},
    {"play", {is_card}}, {"marry", {is_card}}, {"enough", {}}, {"show", {}},
    {"talon", {}}, {"keep", {}}, {"discard", {is_card, is_card}}, {"raise", {is_contract}},
};

// "play KH" -> verb "play", words "KH"; nothing for what is no action at all.
inline std::optional<Action> parse_action(const Value& value) {
  const auto* text = value.as<std::string>();
  if (text == nullptr) return std::nullopt;
  std::vector<std::string> words;
  for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = text->find(' ', begin);
    words.push_back(text->substr(begin, end - begin));
  }
  const std::string verb = words.front();
  words.erase(words.begin());
  const auto takes = VERBS.find(verb);
  if (takes == VERBS.end() || takes->second.size() != words.size()) return std::nullopt;
  for (std::size_t place = 0; place < words.size(); ++place) {
    if (!takes->second[place](words[place])) return std::nullopt;
  }
  return Action{verb, words};
}

// Check a deal's hands: every seat, the same number of cards each, no card twice.
inline void check_hands(const Value& hands, const std::vector<std::string>& seats, std::size_t size) {
  std::set<std::string> seen;
  for (const std::string& seat : seats) {
    const auto* hand = hands[seat].as<List>();
    if (hand == nullptr || hand->size() != size) {
      throw Malformed("hands." + seat + ": expected " + std::to_string(size) + " cards");
    }
    for (const Value& card : *hand) {
      parse_card(card);
      const std::string& word = *card.as<std::string>();
      if (!seen.insert(word).second) throw Malformed("hands: the card " + word + " is there twice");
    }
  }
}

// ---------------------------------------------------------------------------- requests and replies

using Operation = std::function<Value(const Value&)>;

// What `run` was given, and the longest line that the runner takes.
struct Adapter {
  Value hello;
  std::map<std::string, Operation> operations;
  std::size_t max_line = MAX_LINE;
};

// Run a function; its result, or what it throws, in the form of a reply.
template <class Work>
std::pair<std::string, Value> attempt(Work work) {
  try {
    return {"ok", work()};
  } catch (const Unsupported& problem) {
    return {"unsupported", problem.what()};
  } catch (const std::exception& problem) {
    return {"error", object({{"message", problem.what()}})};
  } catch (...) {
    return {"error", object({{"message", "something was thrown that is no std::exception"}})};
  }
}

inline Value greet(const Value& request, const Value& hello) {
  const auto* low = request["protocol"]["min"].as<std::int64_t>();
  const auto* high = request["protocol"]["max"].as<std::int64_t>();
  if (low == nullptr || high == nullptr || *low > PROTOCOL || *high < PROTOCOL) {
    throw std::runtime_error("no common protocol version: this adapter speaks " + std::to_string(PROTOCOL));
  }
  Object reply{{"protocol", PROTOCOL}};
  if (const auto* all = hello.as<Object>()) reply.insert(reply.end(), all->begin(), all->end());
  return reply;
}

inline std::pair<std::string, Value> outcome_of(const Value& request, const Adapter& adapter) {
  return attempt([&]() -> Value {
    const auto* op = request["op"].as<std::string>();
    if (op != nullptr && *op == "hello") return greet(request, adapter.hello);
    const auto operation = op != nullptr ? adapter.operations.find(*op) : adapter.operations.end();
    if (operation == adapter.operations.end()) {
      throw Unsupported("no operation " + (op != nullptr && op->size() < 60 ? *op : "of that name"));
    }
    return operation->second(request);
  });
}

inline std::optional<Value> parse_request(std::string_view line) {
  try {
    Value request = Reader(line).read();
    const auto* id = request["id"].as<std::int64_t>();
    if (id != nullptr && *id > 0) return request;
  } catch (const Malformed&) {
  }
  return std::nullopt;
}

// The reply line to one request line, or nothing where none is due: a line that is not an object
// with a positive integer as `id` is left unanswered.
inline std::optional<std::string> answer(std::string_view line, Adapter& adapter) {
  const std::optional<Value> request = parse_request(line);
  if (!request) return std::nullopt;
  const Value& id = (*request)["id"];
  const auto* op = (*request)["op"].as<std::string>();
  if (op != nullptr && *op == "hello") {
    const auto* limit = (*request)["limits"]["max_line"].as<std::int64_t>();
    if (limit != nullptr && *limit > 0) adapter.max_line = static_cast<std::size_t>(*limit);
  }
  std::string reply = to_json(object({{"id", id}, outcome_of(*request, adapter)}));
  if (reply.size() < adapter.max_line) return reply;
  const std::string message =
      "the reply would be longer than the limit of " + std::to_string(adapter.max_line) + " bytes";
  return to_json(object({{"id", id}, {"error", object({{"message", message}})}}));
}

// Answer a list of cases one by one: a case that fails spoils only its own element.
template <class Judge>
Value each_case(const Value& cases, Judge judge) {
  List answers;
  for (const Value& one : expect_list(cases, "cases")) {
    auto [kind, value] = attempt([&]() -> Value { return judge(one); });
    answers.push_back(kind == "ok" ? value : object({{kind, value}}));
  }
  return answers;
}

// ---------------------------------------------------------------------------- the loop

// Read requests until the input ends, one per line, and write the replies at once. What is longer
// than a line may be is not kept: no such request is ever due a reply.
inline void run(Value hello, std::map<std::string, Operation> operations) {
  Adapter adapter{std::move(hello), std::move(operations)};
  std::ios::sync_with_stdio(false);
  std::ostream replies(std::cout.rdbuf());
  // What the engine prints on std::cout must not get between the replies.
  std::streambuf* const own = std::cout.rdbuf(std::cerr.rdbuf());
  std::streambuf& requests = *std::cin.rdbuf();
  std::string line;
  bool whole = true;
  for (int next = requests.sbumpc(); next != EOF && replies; next = requests.sbumpc()) {
    if (next != '\n') {
      whole = whole && line.size() < adapter.max_line;
      if (whole) line += static_cast<char>(next);
      continue;
    }
    const auto reply = whole ? answer(line, adapter) : std::nullopt;
    if (reply) replies << *reply << '\n' << std::flush;
    line.clear();
    whole = true;
  }
  std::cout.rdbuf(own);
}

}  // namespace kit
