//! Heap games: by a code, by numbers to subtract, or by clauses.

use crate::clauses::Clause;
use crate::format::HeapGame;
use crate::meter::Meter;
use crate::{Checked, refuse};

/// What is called with each option of a heap: the list of heaps left, all smaller than the heap.
pub(crate) type Found<'a> = &'a mut dyn FnMut(&[usize]) -> Checked;

/// The rules of a heap game.
pub(crate) enum Rules {
    Code(Code),
    Clauses(Vec<Clause>),
}

impl Rules {
    pub fn new(game: &HeapGame) -> Checked<Self> {
        match &game.moves {
            None => Code::new(game).map(Self::Code),
            Some(moves) if !moves.is_empty() && game.code.is_none() && game.subtract.is_none() => {
                let clauses = moves.iter().enumerate().map(|(i, clause)| Clause::new(i, clause));
                Ok(Self::Clauses(clauses.collect::<Checked<_>>()?))
            }
            Some(_) => refuse("game.moves: no clause, or other keys beside it"),
        }
    }

    /// The largest number of beans a move takes, and of heaps it leaves; `None` when there is no largest number, or none known.
    pub fn bounds(&self) -> Option<(usize, usize)> {
        match self {
            Self::Code(code) => (code.repeat == 0).then_some((code.digits.len() - 1, code.most_heaps())),
            Self::Clauses(_) => None,
        }
    }

    /// Refuses games whose heaps up to this one have hopelessly many options.
    pub fn foresee(&self, heap: usize, meter: &Meter<'_>) -> Checked {
        match self {
            Self::Code(code) => code.foresee(heap, meter),
            Self::Clauses(clauses) => clauses.iter().try_for_each(|clause| meter.foresee(clause.cost(heap, meter)?)),
        }
    }

    pub fn options(&self, heap: usize, meter: &Meter<'_>, found: Found<'_>) -> Checked {
        match self {
            Self::Code(code) => code.options(heap, meter, found),
            Self::Clauses(clauses) => {
                meter.extension("clauses");
                clauses.iter().try_for_each(|clause| clause.options(heap, meter, found))
            }
        }
    }
}

/// A take-and-break code d₀.d₁d₂…: bit j of d_k says that k beans may be taken so that exactly j heaps are left.
pub(crate) struct Code {
    /// Without zeros at the end, unless they are repeated.
    pub digits: Vec<u8>,
    /// The last so many digits are repeated for ever.
    pub repeat: usize,
    /// The indices of the digits that are not 0.
    listed: Vec<usize>,
}

/// Codes longer than this are refused.
const LONGEST: u64 = 1_000_000;

impl Code {
    /// A code, or the code of a subtraction set: digit 3 at each of its numbers.
    pub fn new(game: &HeapGame) -> Checked<Self> {
        match (&game.code, &game.subtract, &game.moves) {
            (Some(code), None, None) => match Self::from_text(code) {
                Some((digits, repeat)) => Ok(Self::from_digits(digits, repeat)),
                None => refuse(format!("game.code: \"{code}\" is no take-and-break code")),
            },
            (None, Some(set), None) if !set.is_empty() => {
                let mut digits = vec![0];
                for &number in set {
                    refuse_if!(!(1..=LONGEST).contains(&number), "game.subtract: {number} is not from 1 to {LONGEST}");
                    let k = usize::try_from(number).expect("at most a million");
                    digits.resize(digits.len().max(k + 1), 0);
                    refuse_if!(std::mem::replace(&mut digits[k], 3) != 0, "game.subtract: {k} stands twice");
                }
                Ok(Self::from_digits(digits, 0))
            }
            _ => refuse("game: it is given by neither a code nor numbers to subtract alone"),
        }
    }

    fn from_digits(digits: Vec<u8>, repeat: usize) -> Self {
        let listed = (0..digits.len()).filter(|&k| digits[k] != 0).collect();
        Self { digits, repeat, listed }
    }

    /// `d.ddd[ddd]` with hexadecimal digits.
    fn from_text(text: &str) -> Option<(Vec<u8>, usize)> {
        let (whole, fraction) = text.split_once('.').filter(|_| text.len() as u64 <= LONGEST)?;
        let (fixed, block) = match fraction.split_once('[') {
            Some((fixed, block)) => (fixed, block.strip_suffix(']').filter(|block| !block.is_empty())?),
            None => (fraction, ""),
        };
        let digit = |c: char| c.to_digit(16).and_then(|d| u8::try_from(d).ok());
        let mut digits = [whole, fixed, block].concat().chars().map(digit).collect::<Option<Vec<u8>>>()?;
        // Taking nothing and leaving no heap or one heap is no move.
        if whole.len() != 1 || digits.len() < 2 || digits[0] & 3 != 0 {
            return None;
        }
        while block.is_empty() && digits.len() > 1 && digits.last() == Some(&0) {
            digits.pop();
        }
        Some((digits, block.len()))
    }

    /// The digit of k.
    pub fn digit(&self, k: usize) -> u8 {
        if k < self.digits.len() {
            self.digits[k]
        } else if self.repeat == 0 {
            0
        } else {
            let start = self.digits.len() - self.repeat;
            self.digits[start + (k - start) % self.repeat]
        }
    }

    /// The numbers of beans that a move from a heap can take, and some more when digits repeat.
    pub fn taken(&self, heap: usize) -> impl Iterator<Item = usize> + '_ {
        let tail = if self.repeat > 0 { self.digits.len()..heap + 1 } else { 0..0 };
        self.listed.iter().copied().take_while(move |&k| k <= heap).chain(tail)
    }

    /// How many options a heap has, about.
    pub fn cost(&self, heap: usize) -> u64 {
        let one = |k: usize| {
            let (digit, rest) = (self.digit(k), (heap - k) as u64);
            let threes = if digit & 8 != 0 { rest.saturating_mul(rest) / 12 } else { 0 };
            1 + threes + if digit & 4 != 0 { rest / 2 } else { 0 }
        };
        self.taken(heap).map(one).fold(0, u64::saturating_add)
    }

    /// Refuses what is hopeless: the heaps up to this one have at least a quarter of so many options, as these grow at most like n³.
    pub fn foresee(&self, heap: usize, meter: &Meter<'_>) -> Checked {
        meter.foresee(self.cost(heap).saturating_mul(heap as u64 / 4))
    }

    /// The largest number of heaps that a move leaves.
    pub fn most_heaps(&self) -> usize {
        self.digits.iter().map(|d| d.checked_ilog2().unwrap_or(0) as usize).max().unwrap_or(0)
    }

    pub fn options(&self, heap: usize, meter: &Meter<'_>, found: Found<'_>) -> Checked {
        meter.work(self.cost(heap) + 1)?;
        for k in self.taken(heap) {
            let (digit, rest) = (self.digit(k), heap - k);
            if digit & 1 != 0 && rest == 0 {
                found(&[])?;
            }
            if digit & 2 != 0 && rest > 0 {
                found(&[rest])?;
            }
            if digit & 4 != 0 {
                (1..=rest / 2).try_for_each(|a| found(&[a, rest - a]))?;
            }
            if digit & 8 != 0 {
                for a in 1..=rest / 3 {
                    (a..=(rest - a) / 2).try_for_each(|b| found(&[a, b, rest - a - b]))?;
                }
            }
        }
        Ok(())
    }
}
