//! The form "table": the value of every position of a finite poset game.

use serde_json::{Value, json};
use thiserror::Error;

use crate::outcome::{Outcome, Play};
use crate::poset::{Board, ElementSet, GameError, Poset, Words as _};
use crate::solve::poset::ideals::{next_ideal, values};
use semilinear::run::{Monitor, StopReason};

use super::{Envelope, Proved, Unchecked};
use crate::error::Error;

const DIGITS: &[u8; 64] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

/// Why a strategy file holds no table.
#[derive(Debug, Error)]
pub enum TableError {
    /// The game is wrong.
    #[error("{0}")]
    Game(#[from] GameError),
    /// The certificate is wrong.
    #[error("the strategy file's certificate is wrong: {0}; solve the game again")]
    Certificate(&'static str),
}

/// A solved poset game: the value of every order ideal, in the order of [`next_ideal`].
///
/// ```
/// use impartial::outcome::{Outcome, Play};
/// use impartial::poset::{Board, Poset};
/// use impartial::{run::Unlimited, strategy::Table};
/// let poset = Poset::divisors(12).unwrap();
/// let table = Table::new(Board::Finite(poset.clone()), Play::Normal, &Unlimited).unwrap();
/// assert_eq!(table.grundy(&poset.all()), Some(4));
/// assert_eq!(Table::from_envelope(&table.to_envelope()).unwrap().claim().count_p(), table.count_p());
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    board: Board,
    poset: Poset,
    play: Play,
    values: Vec<u16>,
}

impl Table {
    /// Solves a whole game.
    ///
    /// # Complexity
    /// One lookup for each option of each position; at most 2²³ positions.
    pub fn new(board: Board, play: Play, monitor: &dyn Monitor) -> Result<Proved<Self>, StopReason> {
        let limit = crate::poset::MAX_ELEMENTS as u64;
        let poset = poset_of(&board).ok_or(StopReason::Size { what: "elements of a poset", limit })?;
        let values = values(&poset, play, monitor)?;
        Ok(Proved::by_check(Self { board, poset, play, values }))
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The poset: for Chomp, the squares except the poisoned one, row by row.
    pub fn poset(&self) -> &Poset {
        &self.poset
    }

    /// The winning condition.
    pub fn play(&self) -> Play {
        self.play
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.values.len()
    }

    /// The number of P-positions.
    pub fn count_p(&self) -> usize {
        self.values.iter().filter(|&&value| value == 0).count()
    }

    /// The values (normal play) or 0 for P and 1 for N (misère play) of these positions.
    ///
    /// # Complexity
    /// One walk over all ideals, whatever the number of questions.
    fn lookup(&self, wanted: &[ElementSet]) -> Vec<u16> {
        let down: Vec<ElementSet> = (0..self.poset.len()).map(|x| self.poset.down(x).clone()).collect();
        let mut open: std::collections::HashMap<&ElementSet, Vec<usize>> = std::collections::HashMap::new();
        for (i, set) in wanted.iter().enumerate() {
            open.entry(set).or_default().push(i);
        }
        let mut found = vec![0; wanted.len()];
        let mut ideal = self.poset.nothing();
        for &value in &self.values {
            if let Some(places) = open.remove(&ideal) {
                for i in places {
                    found[i] = value;
                }
                if open.is_empty() {
                    break;
                }
            }
            next_ideal(&down, &mut ideal);
        }
        found
    }

    /// The outcome of an order ideal.
    pub fn outcome(&self, position: &ElementSet) -> Outcome {
        Outcome::p_if(self.lookup(std::slice::from_ref(position))[0] == 0)
    }

    /// The Grundy value of an order ideal; `None` in misère play.
    pub fn grundy(&self, position: &ElementSet) -> Option<u32> {
        (self.play == Play::Normal).then(|| u32::from(self.lookup(std::slice::from_ref(position))[0]))
    }

    /// The elements whose choice is a winning move.
    pub fn winning_moves(&self, position: &ElementSet) -> Vec<usize> {
        let moves: Vec<usize> = position.members().collect();
        let options: Vec<ElementSet> = moves.iter().map(|&x| self.poset.option(position, x)).collect();
        moves.into_iter().zip(self.lookup(&options)).filter(|&(_, value)| value == 0).map(|(x, _)| x).collect()
    }

    /// The strategy file (`docs/strategy-files.md`, form "table").
    pub fn to_envelope(&self) -> Envelope {
        let most = usize::from(self.values.iter().copied().max().unwrap_or(0));
        let width = (1..3).find(|&width| most < 64_usize.pow(width)).unwrap_or(3);
        let mut text = String::with_capacity(self.values.len() * width as usize);
        for &value in &self.values {
            for place in (0..width).rev() {
                text.push(char::from(DIGITS[usize::from(value) / 64_usize.pow(place) % 64]));
            }
        }
        Envelope {
            form: "table".into(),
            play: self.play,
            game: self.board.to_json(),
            certificate: json!({"width": width, "values": text}),
        }
    }

    /// Reads a strategy file; the claim itself is checked by `impartial-check`, not here.
    pub fn from_envelope(file: &Envelope) -> Result<Unchecked<Self>, TableError> {
        let board = Board::from_json(&file.game)?;
        let poset = poset_of(&board).ok_or(TableError::Certificate("the board is too large"))?;
        if (0..poset.len()).any(|x| poset.down(x).members().any(|y| y > x)) {
            return Err(TableError::Certificate("the elements are in no linear extension"));
        }
        let width = file.certificate.get("width").and_then(Value::as_u64);
        let Some(width @ 1..=3) = width else { return Err(TableError::Certificate("\"width\" is not 1, 2 or 3")) };
        let text = file.certificate.get("values").and_then(Value::as_str).unwrap_or_default().as_bytes();
        let width = usize::try_from(width).expect("1, 2 or 3");
        if text.is_empty() || !text.len().is_multiple_of(width) {
            return Err(TableError::Certificate("\"values\" has the wrong length"));
        }
        let values = text
            .chunks(width)
            .map(|digits| {
                let value = digits
                    .iter()
                    .try_fold(0_usize, |sum, digit| Some(64 * sum + DIGITS.iter().position(|d| d == digit)?))?;
                u16::try_from(value).ok()
            })
            .collect::<Option<Vec<u16>>>()
            .ok_or(TableError::Certificate("\"values\" has a character that is no digit"))?;
        Ok(Unchecked::new(Self { board, poset, play: file.play, values }))
    }
}

impl From<TableError> for Error {
    fn from(error: TableError) -> Self {
        Self::input(error)
    }
}

/// The poset of a board, when it has one of a size that can be held.
pub fn poset_of(board: &Board) -> Option<Poset> {
    match board {
        Board::Finite(poset) => Some(poset.clone()),
        Board::Chomp(diagram) => {
            let rows: Option<Vec<usize>> = diagram.rows().iter().map(|&row| usize::try_from(row).ok()).collect();
            Poset::chomp(&rows?).ok()
        }
    }
}
