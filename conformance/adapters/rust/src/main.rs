//! A skeleton: the adapter between your engine and the suite. Protocol version 1.
//!
//! As it stands it drives the toy engine in toy.rs, which knows tricks only. Put your engine in its
//! place at the marks FILL 1 to FILL 9; the rest can stay. FILL 1 to 5 are enough for level 1.

mod kit;
mod toy;

use kit::{
    check_hands, each_case, error, expect_list, expect_pair, expect_text, object, parse_action, parse_card,
    unsupported, Action, Answer, Problem, Value, RANKS, SUITS,
};

// FILL 1: who answers, and what it can do. All of it must be the same after a restart.
fn hello() -> Value {
    object([
        ("adapter", object([("name", "my-adapter".into()), ("version", "1".into())])),
        ("engine", object([
            ("name", "toy".into()), ("version", toy::VERSION.into()), ("language", "Rust".into()),
        ])),
        ("capabilities", object([
            ("players", vec![4.into()].into()),
            ("legal_plays", true.into()),
            ("trick_winner", true.into()),
            ("starts", vec![].into()),     // level 2: contract; level 3: deal and contract
            ("match", false.into()),       // level 5: true
            ("claims", "none".into()),     // level 4: called, or automatic if deals end by themselves
            ("enforces", true.into()),     // false if the engine offers the right cards but takes any
            ("reasons", false.into()),     // true if `act` below returns rule ids
            ("configurable", false.into()),
        ])),
        ("window", 8.into()),
    ])
}

// ---------------------------------------------------------------------------- level 1: tricks

// FILL 2: cards, suits and seats, as your engine has them.
const ENGINE_RANKS: [char; 5] = ['J', 'Q', 'K', 'T', 'A'];

fn place_in(letters: &[char], wanted: char) -> Result<usize, Problem> {
    letters.iter().position(|letter| *letter == wanted).map_or_else(|| error("no such letter"), Ok)
}

/// `H` -> 0. Where no suit was named there is none.
fn to_suit(word: &Value) -> Result<Option<usize>, Problem> {
    match word.as_text().filter(|text| kit::is_suit(text)).and_then(|text| text.chars().next()) {
        Some(letter) => place_in(&SUITS, letter).map(Some),
        None if word.is_null() => Ok(None),
        None => error(format!("{} is not a suit", kit::to_json(word))),
    }
}

/// `TH` -> 3.
fn to_card(word: &Value) -> Result<usize, Problem> {
    let card = parse_card(word)?;
    Ok(place_in(&SUITS, card.suit)? * RANKS.len() + place_in(&ENGINE_RANKS, card.rank)?)
}

fn to_cards(words: &Value, name: &str) -> Result<Vec<usize>, Problem> {
    expect_list(words, name)?.iter().map(to_card).collect()
}

/// 3 -> `TH`.
fn to_word(card: usize) -> String {
    String::from_iter([ENGINE_RANKS[card % RANKS.len()], SUITS[card / RANKS.len()]])
}

/// `E` -> 1.
fn to_seat(letter: &Value) -> Result<usize, Problem> {
    let seat = kit::seats(4).iter().position(|seat| Some(*seat) == letter.as_text());
    seat.map_or_else(|| error(format!("{} is not a seat", kit::to_json(letter))), Ok)
}

fn to_letter(seat: usize) -> Value {
    kit::seats(4)[seat].into()
}

/// The cards of a trick, without the seats.
fn cards_of(trick: &[Value]) -> Result<Vec<usize>, Problem> {
    trick.iter().map(|pair| to_card(expect_pair(pair, "trick")?.1)).collect()
}

// FILL 3: contracts, as your engine has them; unsupported if it has no such contract.
fn to_contract(name: &Value) -> Result<toy::Contract, Problem> {
    let wanted = expect_text(name, "contract")?;
    let found = toy::CONTRACTS.iter().find(|(name, _)| *name == wanted);
    found.map_or_else(|| unsupported(format!("the contract {wanted}")), |(_, contract)| Ok(*contract))
}

// FILL 4: the cards of hand that seat may play.
fn legal_plays(one: &Value) -> Answer {
    let trick = cards_of(expect_list(&one["trick"], "trick")?)?;
    let hand = to_cards(&one["hand"], "hand")?;
    let cards = toy::playable(to_contract(&one["contract"])?, to_suit(&one["trump"])?, &trick, &hand);
    Ok(Value::List(cards.into_iter().map(|card| to_word(card).into()).collect()))
}

// FILL 5: the seat that wins the complete trick.
fn trick_winner(one: &Value) -> Answer {
    let trick = expect_list(&one["trick"], "trick")?;
    let place = toy::best(to_contract(&one["contract"])?, to_suit(&one["trump"])?, &cards_of(trick)?);
    let winner = trick.get(place).map_or_else(|| error("trick: no card has been played"), Ok)?;
    Ok(expect_pair(winner, "trick")?.0.clone())
}

// ---------------------------------------------------------------------------- levels 2 to 5: deals

/// For each deal a view before the first action and one after each.
fn replay(request: &Value) -> Answer {
    let mut answers = Vec::new();
    let mut before = None;
    for record in expect_list(&request["deals"], "deals")? {
        let mut deal = open_deal(record, before.as_ref())?;
        let mut views = vec![Value::Object(view(&deal))];
        for pair in expect_list(&record["actions"], "actions")? {
            let (seat, text) = expect_pair(pair, "actions")?;
            let refused = match (to_seat(seat), parse_action(text)) {
                (Ok(seat), Some(action)) => act(&mut deal, seat, &action)?,
                _ => true.into(),
            };
            let mut after = view(&deal);
            if !refused.is_null() {
                after.push(("refused".to_string(), refused));
            }
            views.push(Value::Object(after));
        }
        answers.push(Value::List(views));
        before = Some(deal);
    }
    Ok(Value::List(answers))
}

// FILL 6: a deal from its record. Level 3 needs the start from the deal, where record["contract"] is
// absent. Level 5 needs record["scores"]; where dealer and scores are absent, they follow from how
// the deal `before` ended.
fn open_deal(record: &Value, _before: Option<&toy::Deal>) -> Result<toy::Deal, Problem> {
    check_hands(&record["hands"], kit::seats(4), 5)?;
    let hands: Result<_, _> = kit::seats(4).iter().map(|seat| to_cards(&record["hands"][*seat], "hands")).collect();
    let start = &record["contract"];
    if start.is_null() {
        return unsupported("no auction");
    }
    if record["dealer"].is_null() {
        return unsupported("no match");
    }
    let contract = to_contract(&start["name"])?;
    let (declarer, trump) = (to_seat(&start["declarer"])?, to_suit(&start["trump"])?);
    Ok(toy::Deal::new(contract, declarer, trump, to_seat(&record["dealer"])?, hands?))
}

// FILL 7: do an action, if the rules allow it. Level 2 needs marry and show; level 3 trump, turn-up,
// redeal, bid, pass, kontra, rekontra and subkontra; level 4 enough.
/// Null if it was done; true, or the id of the rule it breaks, if it was refused.
fn act(deal: &mut toy::Deal, seat: usize, action: &Action) -> Answer {
    if action.verb == "play" && deal.play(seat, to_card(&action.words[0].as_str().into())?) {
        return Ok(Value::Null);
    }
    Ok(true.into()) // what the engine does not know is refused
}

// FILL 8: what each seat may do now; null where the engine cannot tell. A seat with nothing to do is
// left out; after the end all are.
fn legal(deal: &toy::Deal) -> Value {
    let mut known = Vec::new();
    for (seat, letter) in kit::seats(4).iter().enumerate() {
        if !deal.is_sure(seat) {
            known.push((letter.to_string(), Value::Null));
        } else if deal.turn == Some(seat) {
            let plays = deal.may_play().into_iter().map(|card| format!("play {}", to_word(card)).into());
            known.push((letter.to_string(), Value::List(plays.collect())));
        }
    }
    Value::Object(known)
}

// FILL 9: the table as anybody sees it. Leave out what the engine does not know; null says "there is
// none". Level 2 needs contract, points, tricks and outcome; level 5 scores, next_dealer and game;
// phase, trump, bid and sees are welcome. Section 6 of the protocol describes each.
fn view(deal: &toy::Deal) -> Vec<(String, Value)> {
    vec![
        ("to_act".into(), deal.turn.map_or(Value::Null, to_letter)),
        ("legal".into(), legal(deal)),
        ("trick".into(), shown(&deal.trick)),
        ("last_trick".into(), if deal.last_trick.is_empty() { Value::Null } else { last_trick(deal) }),
    ]
}

/// The trick before this one.
fn last_trick(deal: &toy::Deal) -> Value {
    object([
        ("cards", shown(&deal.last_trick)),
        ("winner", to_letter(deal.last_winner)),
        ("points", deal.last_points.into()),
    ])
}

/// Seats and cards in the letters of the protocol.
fn shown(trick: &[(usize, usize)]) -> Value {
    let pairs = trick.iter().map(|(seat, card)| vec![to_letter(*seat), to_word(*card).into()].into());
    Value::List(pairs.collect())
}

// ---------------------------------------------------------------------------- start

fn main() {
    kit::run(hello(), vec![
        ("legal_plays", Box::new(|request| each_case(&request["cases"], legal_plays))),
        ("trick_winner", Box::new(|request| each_case(&request["cases"], trick_winner))),
        ("replay", Box::new(replay)),
    ]);
}
