//! A toy engine, in the place of yours: the tricks of a deal, and nothing else of the game.
//!
//! Like most engines it has its own idea of cards and seats. Cards are numbers from 0 to 19,
//! suit * 5 + rank, with the suits hearts, diamonds, spades, clubs and the ranks jack, queen, king,
//! ten, ace; seats are numbers from 0 to 3, clockwise.

pub const VERSION: &str = "1.0";
pub const SEATS: usize = 4;
/// Card points, by rank.
const WORTH: [i64; 5] = [2, 3, 4, 10, 11];

/// What this engine must know of a contract to play its tricks.
#[derive(Clone, Copy)]
pub struct Contract {
    /// Whether the suit that was named is trump.
    pub trump: bool,
    /// Whether the ranks are ten, king, queen, jack, ace.
    pub ten_high: bool,
    pub tricks: usize,
    /// Whether the declarer must win every trick or none; None if the tricks end nothing early.
    pub wins: Option<bool>,
}

const fn of(trump: bool, ten_high: bool, tricks: usize, wins: Option<bool>) -> Contract {
    Contract { trump, ten_high, tricks, wins }
}

pub const CONTRACTS: [(&str, Contract); 8] = [
    ("normal", of(true, false, 5, None)),
    ("bettler", of(false, false, 5, Some(false))),
    ("schnapser", of(true, false, 3, Some(true))),
    ("gang", of(false, false, 5, Some(true))),
    ("zehner-gang", of(false, true, 5, Some(true))),
    ("kontra-schnapser", of(true, false, 3, Some(true))),
    ("bauern-schnapser", of(true, false, 5, Some(true))),
    ("kontra-bauern-schnapser", of(true, false, 5, Some(true))),
];

/// Whether a card takes a trick from another one that led to it so far.
fn beats(contract: Contract, trump: Option<usize>, card: usize, other: usize) -> bool {
    if card / 5 != other / 5 {
        return contract.trump && Some(card / 5) == trump;
    }
    if contract.ten_high {
        return (card + 1) % 5 > (other + 1) % 5;
    }
    card > other
}

/// The place in the trick of the card that wins it.
pub fn best(contract: Contract, trump: Option<usize>, trick: &[usize]) -> usize {
    let mut place = 0;
    for (number, card) in trick.iter().enumerate() {
        if beats(contract, trump, *card, trick[place]) {
            place = number;
        }
    }
    place
}

/// The cards of a hand that may be played: follow suit, else ruff; beat what can be beaten.
pub fn playable(contract: Contract, trump: Option<usize>, trick: &[usize], hand: &[usize]) -> Vec<usize> {
    let Some(led) = trick.first() else {
        return hand.to_vec();
    };
    let of_suit = |suit: usize| hand.iter().copied().filter(|card| card / 5 == suit).collect::<Vec<_>>();
    let mut cards = of_suit(led / 5);
    if let (true, true, Some(suit)) = (cards.is_empty(), contract.trump, trump) {
        cards = of_suit(suit);
    }
    if cards.is_empty() {
        cards = hand.to_vec();
    }
    let winning = trick[best(contract, trump, trick)];
    let better: Vec<usize> =
        cards.iter().copied().filter(|card| beats(contract, trump, *card, winning)).collect();
    if better.is_empty() { cards } else { better }
}

/// A deal that is being played, from the first lead on.
pub struct Deal {
    contract: Contract,
    declarer: usize,
    trump: Option<usize>,
    hands: Vec<Vec<usize>>,
    /// The seats and cards on the table.
    pub trick: Vec<(usize, usize)>,
    pub last_trick: Vec<(usize, usize)>,
    pub last_winner: usize,
    pub last_points: i64,
    /// Of tricks that are complete.
    number: usize,
    /// Nobody's after the end.
    pub turn: Option<usize>,
}

impl Deal {
    pub fn new(
        contract: Contract, declarer: usize, trump: Option<usize>, dealer: usize, hands: Vec<Vec<usize>>,
    ) -> Deal {
        let mut deal = Deal {
            contract, declarer, trump, hands,
            trick: Vec::new(), last_trick: Vec::new(), last_winner: 0, last_points: 0, number: 0, turn: None,
        };
        deal.turn = Some(if contract.trump { deal.next(dealer) } else { declarer });
        deal
    }

    /// The cards that whoever is to act may play.
    pub fn may_play(&self) -> Vec<usize> {
        let Some(turn) = self.turn else {
            return Vec::new();
        };
        playable(self.contract, self.trump, &cards_of(&self.trick), &self.hands[turn])
    }

    /// Whether this engine knows all that a seat may do: it knows no Kontra and no marriages.
    pub fn is_sure(&self, seat: usize) -> bool {
        if !self.trick.is_empty() || self.turn.is_none() {
            return true;
        }
        let kontra = self.number == 0 && seat % 2 != self.declarer % 2;
        let hand = &self.hands[seat];
        let pair = hand.iter().any(|card| card % 5 == 1 && hand.contains(&(card + 1)));
        let marriage = self.turn == Some(seat) && pair && self.contract.trump;
        !kontra && !marriage
    }

    /// Play a card; false, and nothing happens, if that is not allowed.
    pub fn play(&mut self, seat: usize, card: usize) -> bool {
        if self.turn != Some(seat) || !self.may_play().contains(&card) {
            return false;
        }
        self.hands[seat].retain(|one| *one != card);
        self.trick.push((seat, card));
        let next = self.next(seat);
        self.turn = Some(next);
        if next == self.trick[0].0 {
            self.end_trick();
        }
        true
    }

    fn end_trick(&mut self) {
        let cards = cards_of(&self.trick);
        self.last_winner = self.trick[best(self.contract, self.trump, &cards)].0;
        self.last_points = cards.iter().map(|card| WORTH[card % 5]).sum();
        self.last_trick = std::mem::take(&mut self.trick);
        self.number += 1;
        let won = self.last_winner == self.declarer;
        let lost = self.contract.wins.is_some_and(|wins| wins != won);
        self.turn = (!lost && self.number < self.contract.tricks).then_some(self.last_winner);
    }

    /// The next seat clockwise; in Bettler the declarer's partner is passed over.
    fn next(&self, seat: usize) -> usize {
        let seat = (seat + 1) % SEATS;
        let out = self.contract.wins == Some(false) && seat == (self.declarer + 2) % SEATS;
        if out { (seat + 1) % SEATS } else { seat }
    }
}

fn cards_of(trick: &[(usize, usize)]) -> Vec<usize> {
    trick.iter().map(|(_, card)| *card).collect()
}
