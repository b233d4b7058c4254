//! Heap games: by a code, by numbers to subtract, or by clauses.

use crate::clauses::Clause;
use crate::format::HeapGame;
use crate::meter::Meter;
use crate::{Failure, refuse};

/// The rules of a heap game.
pub(crate) enum Rules {
    Code(Code),
    Clauses(Vec<Clause>),
}

impl Rules {
    pub fn new(game: &HeapGame) -> Result<Self, Failure> {
        match &game.moves {
            None => Code::new(game).map(Self::Code),
            Some(moves) if !moves.is_empty() && game.code.is_none() && game.subtract.is_none() => {
                let clauses = moves.iter().enumerate().map(|(i, clause)| Clause::new(i, clause));
                Ok(Self::Clauses(clauses.collect::<Result<_, _>>()?))
            }
            Some(_) => refuse("game.moves: no clause, or other keys beside it"),
        }
    }

    /// The largest number of beans a move takes, and of heaps it leaves; `None` when there is no largest number, or none known.
    pub fn bounds(&self) -> Option<(usize, usize)> {
        match self {
            Self::Code(code) => code.bounds(),
            Self::Clauses(_) => None,
        }
    }

    /// Refuses games whose heaps up to this one have hopelessly many options.
    pub fn foresee(&self, heap: usize, meter: &Meter<'_>) -> Result<(), Failure> {
        match self {
            // At least a quarter of the heaps times the options of the last one: these grow at most like n³.
            Self::Code(code) => meter.foresee(code.cost(heap).saturating_mul(heap as u64 / 4)),
            Self::Clauses(clauses) => clauses.iter().try_for_each(|clause| meter.foresee(clause.cost(heap, meter)?)),
        }
    }

    /// Calls `found` with each option of a heap: the list of heaps left, all smaller than the heap.
    pub fn options(
        &self,
        heap: usize,
        meter: &Meter<'_>,
        found: &mut dyn FnMut(&[usize]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
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
}

/// Codes longer than this are refused.
const LONGEST: u64 = 1_000_000;

impl Code {
    /// A code, or the code of a subtraction set: digit 3 at each of its numbers.
    pub fn new(game: &HeapGame) -> Result<Self, Failure> {
        match (&game.code, &game.subtract, &game.moves) {
            (Some(code), None, None) => match Self::from_text(code) {
                Some(code) => Ok(code),
                None => refuse(format!("game.code: \"{code}\" is no take-and-break code")),
            },
            (None, Some(set), None) if !set.is_empty() => {
                let mut digits = vec![0];
                for &number in set {
                    let k = usize::try_from(number).ok().filter(|_| (1..=LONGEST).contains(&number));
                    let Some(k) = k else {
                        return refuse(format!("game.subtract: {number} is not a number from 1 to {LONGEST}"));
                    };
                    digits.resize(digits.len().max(k + 1), 0);
                    if std::mem::replace(&mut digits[k], 3) != 0 {
                        return refuse(format!("game.subtract: {k} stands twice"));
                    }
                }
                Ok(Self { digits, repeat: 0 })
            }
            _ => refuse("game: it is given by neither a code nor numbers to subtract alone"),
        }
    }

    /// `d.ddd[ddd]` with hexadecimal digits.
    fn from_text(text: &str) -> Option<Self> {
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
        Some(Self { digits, repeat: block.len() })
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

    /// The most beans that a move from a heap can take.
    fn last(&self, heap: usize) -> usize {
        if self.repeat == 0 { heap.min(self.digits.len() - 1) } else { heap }
    }

    /// How many options a heap has, about.
    pub fn cost(&self, heap: usize) -> u64 {
        let one = |k: usize| {
            let (digit, rest) = (self.digit(k), (heap - k) as u64);
            let threes = if digit & 8 != 0 { rest.saturating_mul(rest) / 4 } else { 0 };
            1 + threes + if digit & 4 != 0 { rest } else { 0 }
        };
        (0..=self.last(heap)).map(one).fold(0, u64::saturating_add)
    }

    /// The largest number of heaps that a move leaves.
    pub fn most_heaps(&self) -> usize {
        self.digits.iter().map(|d| d.checked_ilog2().unwrap_or(0) as usize).max().unwrap_or(0)
    }

    /// The numbers of beans that a move from heap n can take: those of `listed`, and all larger ones when digits repeat.
    pub fn taken<'a>(&self, listed: &'a [usize], n: usize) -> impl Iterator<Item = usize> + use<'a> {
        let tail = if self.repeat > 0 { self.digits.len()..n + 1 } else { 0..0 };
        listed.iter().copied().take_while(move |&k| k <= n).chain(tail)
    }

    /// The indices of the non-zero stored digits.
    pub fn listed(&self) -> Vec<usize> {
        (0..self.digits.len()).filter(|&k| self.digits[k] != 0).collect()
    }

    fn bounds(&self) -> Option<(usize, usize)> {
        (self.repeat == 0).then_some((self.digits.len() - 1, self.most_heaps()))
    }

    /// Calls `found` with each option of a heap.
    pub fn options(
        &self,
        heap: usize,
        meter: &Meter<'_>,
        found: &mut dyn FnMut(&[usize]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        meter.work(self.cost(heap))?;
        let last = self.last(heap);
        for k in 0..=last {
            let (digit, rest) = (self.digit(k), heap - k);
            if digit & 1 != 0 && rest == 0 {
                found(&[])?;
            }
            if digit & 2 != 0 && rest > 0 {
                found(&[rest])?;
            }
            if digit & 4 != 0 {
                for a in 1..=rest / 2 {
                    found(&[a, rest - a])?;
                }
            }
            if digit & 8 != 0 {
                for a in 1..=rest / 3 {
                    for b in a..=(rest - a) / 2 {
                        found(&[a, b, rest - a - b])?;
                    }
                }
            }
        }
        Ok(())
    }
}
