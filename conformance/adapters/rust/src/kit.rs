//! Everything about an adapter that is not the game.
//!
//! The loop over stdin and stdout, the handshake, the mapping of errors to replies, and the notation
//! of cards and actions; and a small JSON reader and writer, so that no package is needed.
//! Protocol version 1.
//!
//! Copy this file beside your engine, write one function per operation, and call `run`:
//!
//! ```text
//! kit::run(
//!     object([("adapter", ...), ("engine", ...), ("capabilities", ...), ("window", 8.into())]),
//!     vec![("legal_plays", Box::new(|request| each_case(&request["cases"], judge)))],
//! );
//! ```
//!
//! A function returns what goes into `ok`. It returns `Problem::Unsupported` for what the engine has
//! not; any other problem, and a panic, becomes an `error` reply with its message.

// A library for many adapters: one that needs less of it is not to be warned.
#![allow(dead_code)]

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::ops::Index;
use std::panic::{catch_unwind, AssertUnwindSafe};

pub const PROTOCOL: i64 = 1;
pub const MAX_LINE: usize = 1_048_576;
const MAX_INTEGER: i64 = 1 << 53;
const MAX_DEPTH: usize = 64; // twice what the protocol allows
pub const SUITS: [char; 4] = ['H', 'D', 'S', 'C'];
pub const RANKS: [char; 5] = ['A', 'T', 'K', 'Q', 'J'];

/// Names of the seats, clockwise, by the number of players.
pub fn seats(players: usize) -> &'static [&'static str] {
    &["N", "E", "S", "W"][..if players == 3 { 3 } else { 4 }]
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Problem {
    /// An operation, a start or a contract that the engine does not have.
    Unsupported(String),
    /// An accident, or what cannot be read.
    Error(String),
}

pub type Answer = Result<Value, Problem>;

pub fn unsupported<T>(what: impl Into<String>) -> Result<T, Problem> {
    Err(Problem::Unsupported(what.into()))
}

pub fn error<T>(message: impl Into<String>) -> Result<T, Problem> {
    Err(Problem::Error(message.into()))
}

// ---------------------------------------------------------------------------- JSON

/// A JSON value. The protocol has no numbers but integers within +-2^53: any other number is kept
/// as the text it was written as, so that whoever expects an integer finds none.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Integer(i64),
    Text(String),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl Value {
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_integer(&self) -> Option<i64> {
        match self {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }

    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(list) => Some(list),
            _ => None,
        }
    }

    pub fn is_null(&self) -> bool {
        *self == Value::Null
    }
}

/// The value of a key; null where there is no such key. If it is repeated, the last one counts.
impl Index<&str> for Value {
    type Output = Value;

    fn index(&self, key: &str) -> &Value {
        match self {
            Value::Object(entries) => entries
                .iter()
                .rfind(|(name, _)| name == key)
                .map_or(&Value::Null, |(_, value)| value),
            _ => &Value::Null,
        }
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Value::Bool(truth)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Integer(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_string())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

impl From<Vec<Value>> for Value {
    fn from(list: Vec<Value>) -> Value {
        Value::List(list)
    }
}

pub fn object<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Object(entries.map(|(key, value)| (key.to_string(), value)).into())
}

/// Reads one JSON text; whatever it is, it ends with a value or an error.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

type Read<T> = Result<T, String>;

impl Reader<'_> {
    fn read(text: &str) -> Read<Value> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.read_value(0)?;
        reader.skip_space();
        if reader.at < text.len() {
            return reader.fail("the end");
        }
        Ok(value)
    }

    fn fail<T>(&self, expected: &str) -> Read<T> {
        Err(format!("byte {}: expected {expected}", self.at + 1))
    }

    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\r' | b'\n') {
            self.at += 1;
        }
    }

    fn skip(&mut self, wanted: u8) -> bool {
        self.skip_space();
        let found = self.peek() == wanted;
        self.at += usize::from(found);
        found
    }

    fn skip_word(&mut self, word: &str) -> bool {
        let found = self.text.as_bytes()[self.at..].starts_with(word.as_bytes());
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn read_value(&mut self, depth: usize) -> Read<Value> {
        self.skip_space();
        if depth > MAX_DEPTH {
            return self.fail("less nesting");
        }
        if self.skip(b'{') {
            return self.read_object(depth);
        }
        if self.skip(b'[') {
            return self.read_list(depth);
        }
        if self.skip(b'"') {
            return self.read_text().map(Value::Text);
        }
        if self.skip_word("true") {
            return Ok(Value::Bool(true));
        }
        if self.skip_word("false") {
            return Ok(Value::Bool(false));
        }
        if self.skip_word("null") {
            return Ok(Value::Null);
        }
        self.read_number()
    }

    fn read_object(&mut self, depth: usize) -> Read<Value> {
        let mut entries = Vec::new();
        if self.skip(b'}') {
            return Ok(Value::Object(entries));
        }
        loop {
            if !self.skip(b'"') {
                return self.fail("a key");
            }
            let key = self.read_text()?;
            if !self.skip(b':') {
                return self.fail("a colon");
            }
            entries.push((key, self.read_value(depth + 1)?));
            if self.skip(b'}') {
                return Ok(Value::Object(entries));
            }
            if !self.skip(b',') {
                return self.fail("a comma or }");
            }
        }
    }

    fn read_list(&mut self, depth: usize) -> Read<Value> {
        let mut list = Vec::new();
        if self.skip(b']') {
            return Ok(Value::List(list));
        }
        loop {
            list.push(self.read_value(depth + 1)?);
            if self.skip(b']') {
                return Ok(Value::List(list));
            }
            if !self.skip(b',') {
                return self.fail("a comma or ]");
            }
        }
    }

    fn read_text(&mut self) -> Read<String> {
        let mut text = String::new();
        loop {
            let begin = self.at;
            while !matches!(self.peek(), b'"' | b'\\' | 0..=0x1F) {
                self.at += 1;
            }
            text.push_str(&self.text[begin..self.at]);
            if self.skip_word("\"") {
                return Ok(text);
            }
            if !self.skip_word("\\") {
                return self.fail("the end of a string");
            }
            text.push(self.read_escape()?);
        }
    }

    fn read_escape(&mut self) -> Read<char> {
        let letter = self.peek();
        if letter == b'u' {
            self.at += 1;
            return self.read_code_point();
        }
        let meant = match letter {
            b'"' | b'\\' | b'/' => char::from(letter),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            _ => return self.fail("an escape"),
        };
        self.at += 1;
        Ok(meant)
    }

    /// Half of a surrogate pair cannot be written in UTF-8: the replacement character stands for it.
    fn read_code_point(&mut self) -> Read<char> {
        let unit = self.read_unit()?;
        let behind = self.at;
        if (0xD800..0xDC00).contains(&unit) && self.skip_word("\\u") {
            let low = self.read_unit()?;
            if (0xDC00..0xE000).contains(&low) {
                let point = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                return Ok(char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = behind;
        }
        Ok(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn read_unit(&mut self) -> Read<u32> {
        let mut unit = 0;
        for _ in 0..4 {
            match char::from(self.peek()).to_digit(16) {
                Some(digit) => unit = unit * 16 + digit,
                None => return self.fail("four hexadecimal digits"),
            }
            self.at += 1;
        }
        Ok(unit)
    }

    fn read_number(&mut self) -> Read<Value> {
        let begin = self.at;
        let mut integer = true;
        self.skip_word("-");
        if !self.skip_word("0") {
            self.skip_digits("a value")?;
        }
        if self.skip_word(".") {
            self.skip_digits("digits")?;
            integer = false;
        }
        if self.skip_word("e") || self.skip_word("E") {
            let _ = self.skip_word("+") || self.skip_word("-");
            self.skip_digits("digits")?;
            integer = false;
        }
        let text = &self.text[begin..self.at];
        match text.parse::<i64>() {
            Ok(number) if integer && number.abs() <= MAX_INTEGER => Ok(Value::Integer(number)),
            _ => Ok(Value::from(text)),
        }
    }

    fn skip_digits(&mut self, expected: &str) -> Read<()> {
        if !self.peek().is_ascii_digit() {
            return self.fail(expected);
        }
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        Ok(())
    }
}

fn write_text(out: &mut String, text: &str) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '\0'..='\u{1F}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(letter));
            }
            _ => out.push(letter),
        }
    }
    out.push('"');
}

fn write_value(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Integer(number) => out.push_str(&number.to_string()),
        Value::Text(text) => write_text(out, text),
        Value::List(list) => {
            out.push('[');
            for (place, one) in list.iter().enumerate() {
                out.push_str(if place > 0 { "," } else { "" });
                write_value(out, one);
            }
            out.push(']');
        }
        Value::Object(entries) => {
            out.push('{');
            for (place, (key, one)) in entries.iter().enumerate() {
                out.push_str(if place > 0 { "," } else { "" });
                write_text(out, key);
                out.push(':');
                write_value(out, one);
            }
            out.push('}');
        }
    }
}

pub fn to_json(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value);
    out
}

// ---------------------------------------------------------------------------- notation

/// A card in two letters: `TH` is the ten of hearts.
#[derive(Clone, Copy, Debug)]
pub struct Card {
    pub rank: char,
    pub suit: char,
}

/// A verb and the words after it.
#[derive(Clone, Debug)]
pub struct Action {
    pub verb: String,
    pub words: Vec<String>,
}

pub fn is_suit(word: &str) -> bool {
    word.len() == 1 && word.starts_with(SUITS)
}

pub fn is_card(word: &str) -> bool {
    word.len() == 2 && word.starts_with(RANKS) && word.ends_with(SUITS)
}

/// `TH` -> rank `T`, suit `H`; an error for anything else.
pub fn parse_card(value: &Value) -> Result<Card, Problem> {
    match value.as_text().filter(|word| is_card(word)).map(|word| word.chars()) {
        Some(mut letters) => match (letters.next(), letters.next()) {
            (Some(rank), Some(suit)) => Ok(Card { rank, suit }),
            _ => error("a card has two letters"),
        },
        None => error(format!("{} is not a card, expected rank and suit as in \"TH\"", to_json(value))),
    }
}

fn is_contract(word: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    word.starts_with(|letter: char| letter.is_ascii_lowercase())
        && word.split(['-', '_']).all(|part| !part.is_empty() && part.chars().all(plain))
}

fn is_place(word: &str) -> bool {
    matches!(word, "1" | "2" | "3")
}

type Fits = fn(&str) -> bool;
const VERBS: [(&str, &[Fits]); 17] = [
    ("trump", &[is_suit]), ("turn-up", &[is_place]), ("redeal", &[]),
    ("bid", &[is_contract]), ("bid-without-talon", &[is_contract]), ("pass", &[]),
    ("kontra", &[]), ("rekontra", &[]), ("subkontra", &[]),
    ("play", &[is_card]), ("marry", &[is_card]), ("enough", &[]), ("show", &[]),
    ("talon", &[]), ("keep", &[]), ("discard", &[is_card, is_card]), ("raise", &[is_contract]),
];

/// `play KH` -> verb `play`, words `KH`; None for what is no action at all.
pub fn parse_action(value: &Value) -> Option<Action> {
    let mut words = value.as_text()?.split(' ');
    let verb = words.next()?;
    let words: Vec<&str> = words.collect();
    let (_, takes) = VERBS.iter().find(|(name, _)| *name == verb)?;
    let fits = takes.len() == words.len() && takes.iter().zip(&words).all(|(fit, word)| fit(word));
    let words = words.into_iter().map(String::from).collect();
    fits.then(|| Action { verb: verb.to_string(), words })
}

/// The text itself if it is one; otherwise an error that names it.
pub fn expect_text<'a>(value: &'a Value, name: &str) -> Result<&'a str, Problem> {
    value.as_text().map_or_else(|| error(format!("{name}: expected a text")), Ok)
}

/// The list itself if it is one; otherwise an error that names it.
pub fn expect_list<'a>(value: &'a Value, name: &str) -> Result<&'a [Value], Problem> {
    value.as_list().map_or_else(|| error(format!("{name}: expected a list")), Ok)
}

/// A list of two, as in `["N", "KH"]`.
pub fn expect_pair<'a>(value: &'a Value, name: &str) -> Result<(&'a Value, &'a Value), Problem> {
    match value.as_list() {
        Some([first, second]) => Ok((first, second)),
        _ => error(format!("{name}: expected a list of two")),
    }
}

/// Check a deal's hands: every seat, the same number of cards each, no card twice.
pub fn check_hands(hands: &Value, seats: &[&str], size: usize) -> Result<(), Problem> {
    let mut seen = Vec::new();
    for seat in seats {
        let hand = hands[*seat].as_list().unwrap_or_default();
        if hand.len() != size {
            return error(format!("hands.{seat}: expected {size} cards"));
        }
        for card in hand {
            parse_card(card)?;
            if seen.contains(&card) {
                return error(format!("hands: the card {} is there twice", to_json(card)));
            }
            seen.push(card);
        }
    }
    Ok(())
}

// ---------------------------------------------------------------------------- requests and replies

pub type Operation = Box<dyn FnMut(&Value) -> Answer>;

/// What `run` was given, and the longest line that the runner takes.
pub struct Adapter {
    pub hello: Value,
    pub operations: Vec<(&'static str, Operation)>,
    pub max_line: usize,
}

/// The reply line to one request line, or None where none is due: a line that is not an object with
/// a positive integer as `id` is left unanswered.
pub fn answer(line: &[u8], adapter: &mut Adapter) -> Option<String> {
    let request = parse_request(line)?;
    let id = &request["id"];
    if request["op"].as_text() == Some("hello") {
        let limit = request["limits"]["max_line"].as_integer().filter(|limit| *limit > 0);
        adapter.max_line = limit.and_then(|one| usize::try_from(one).ok()).unwrap_or(adapter.max_line);
    }
    let (kind, outcome) = outcome_of(&request, adapter);
    let reply = to_json(&object([("id", id.clone()), (kind, outcome)]));
    if reply.len() < adapter.max_line {
        return Some(reply);
    }
    let message = format!("the reply would be longer than the limit of {} bytes", adapter.max_line);
    Some(to_json(&object([("id", id.clone()), ("error", object([("message", message.into())]))])))
}

fn parse_request(line: &[u8]) -> Option<Value> {
    let request = Reader::read(std::str::from_utf8(line).ok()?).ok()?;
    request["id"].as_integer().filter(|id| *id > 0)?;
    Some(request)
}

fn outcome_of(request: &Value, adapter: &mut Adapter) -> (&'static str, Value) {
    attempt(|| match request["op"].as_text() {
        Some("hello") => greet(request, &adapter.hello),
        op => match adapter.operations.iter_mut().find(|(name, _)| Some(*name) == op) {
            Some((_, operation)) => operation(request),
            None => {
                let name: String = op.unwrap_or("without a name").chars().take(60).collect();
                unsupported(format!("no operation {name}"))
            }
        },
    })
}

fn greet(request: &Value, hello: &Value) -> Answer {
    let versions = &request["protocol"];
    match (versions["min"].as_integer(), versions["max"].as_integer(), hello) {
        (Some(low), Some(high), Value::Object(all)) if low <= PROTOCOL && PROTOCOL <= high => {
            let mut entries = vec![("protocol".to_string(), PROTOCOL.into())];
            entries.extend(all.iter().cloned());
            Ok(Value::Object(entries))
        }
        _ => error(format!("no common protocol version: this adapter speaks {PROTOCOL}")),
    }
}

/// Run a function; its result, its problem or its panic in the form of a reply.
fn attempt(work: impl FnOnce() -> Answer) -> (&'static str, Value) {
    let outcome = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        error(text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or("a panic".into()))
    });
    match outcome {
        Ok(value) => ("ok", value),
        Err(Problem::Unsupported(what)) => ("unsupported", what.into()),
        Err(Problem::Error(message)) => ("error", object([("message", message.into())])),
    }
}

/// Answer a list of cases one by one: a case that fails spoils only its own element.
pub fn each_case(cases: &Value, judge: impl Fn(&Value) -> Answer) -> Answer {
    let answers = expect_list(cases, "cases")?.iter().map(|one| match attempt(|| judge(one)) {
        ("ok", value) => value,
        (kind, trouble) => object([(kind, trouble)]),
    });
    Ok(Value::List(answers.collect()))
}

// ---------------------------------------------------------------------------- the loop

/// Read requests until the input ends, one per line, and write the replies at once. Nobody reads
/// any more when writing fails: then it ends too.
pub fn run(hello: Value, operations: Vec<(&'static str, Operation)>) {
    let mut adapter = Adapter { hello, operations, max_line: MAX_LINE };
    let mut requests = io::stdin().lock();
    let mut line = Vec::new();
    while let Some(whole) = next_line(&mut requests, &mut line, adapter.max_line) {
        let reply = if whole { answer(&line, &mut adapter) } else { None };
        let Some(reply) = reply else { continue };
        // Locked for one line only, so that a print in the engine cannot wait for ever.
        let mut replies = io::stdout().lock();
        if writeln!(replies, "{reply}").and_then(|()| replies.flush()).is_err() {
            return;
        }
    }
}

/// The next line without its end, and whether all of it was kept: what is longer than a line may be
/// is not, for no such request is ever due a reply. None at the end of the input.
fn next_line(requests: &mut impl BufRead, line: &mut Vec<u8>, limit: usize) -> Option<bool> {
    line.clear();
    let mut whole = true;
    loop {
        let chunk = requests.fill_buf().ok().filter(|chunk| !chunk.is_empty())?;
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        whole = whole && line.len() + part.len() <= limit;
        if whole {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        requests.consume(used);
        if end.is_some() {
            return Some(whole);
        }
    }
}
