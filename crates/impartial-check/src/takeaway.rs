//! Heap games in strategy files: `{"kind": "heap", "code": "0.07"}`, `{"kind": "heap", "subtract": [1, 2]}`, or with clauses as `moves`.

use serde_json::{Map, Value};

use crate::clauses::Clause;
use crate::meter::Meter;
use crate::{Failure, refuse};

/// The rules of a heap game.
pub(crate) enum Rules {
    Code(Code),
    Clauses(Vec<Clause>),
}

impl Rules {
    /// Reads the game.
    pub fn read(game: &Map<String, Value>) -> Result<Self, Failure> {
        let Some(moves) = game.get("moves") else { return Code::read(game).map(Self::Code) };
        if game.keys().any(|key| key != "kind" && key != "moves")
            || game.get("kind").and_then(Value::as_str) != Some("heap")
        {
            return refuse("game: keys beside \"kind\": \"heap\" and \"moves\"");
        }
        match moves {
            Value::Array(list) if !list.is_empty() => {
                let clauses = list.iter().enumerate().map(|(i, clause)| Clause::read(i, clause));
                Ok(Self::Clauses(clauses.collect::<Result<_, _>>()?))
            }
            _ => refuse("game.moves: not a list of clauses"),
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
            Self::Clauses(clauses) => clauses.iter().try_for_each(|clause| clause.options(heap, meter, found)),
        }
    }
}

/// The digits of a code d₀.d₁d₂…; the last `repeat` of them are repeated for ever.
pub(crate) struct Code {
    digits: Vec<u8>,
    repeat: usize,
}

/// Codes longer than this are refused.
const LONGEST: u64 = 1_000_000;

impl Code {
    fn read(game: &Map<String, Value>) -> Result<Self, Failure> {
        for key in game.keys() {
            if !["kind", "code", "subtract"].contains(&key.as_str()) {
                return refuse(format!("game: unknown key \"{key}\""));
            }
        }
        if game.get("kind").and_then(Value::as_str) != Some("heap") {
            return refuse("game.kind is not \"heap\"");
        }
        match (game.get("code"), game.get("subtract")) {
            (Some(Value::String(code)), None) => Self::from_text(code),
            (None, Some(Value::Array(set))) => {
                let mut digits = vec![0];
                for number in set {
                    match number.as_u64() {
                        Some(k) if (1..=LONGEST).contains(&k) => {
                            let k = usize::try_from(k).expect("at most a million");
                            if digits.len() <= k {
                                digits.resize(k + 1, 0);
                            }
                            digits[k] = 3;
                        }
                        _ => return refuse(format!("game.subtract: {number} is not a number from 1 to {LONGEST}")),
                    }
                }
                Ok(Self { digits, repeat: 0 })
            }
            _ => refuse("game: it has neither a code nor a list of numbers to subtract"),
        }
    }

    fn from_text(text: &str) -> Result<Self, Failure> {
        let bad = || Failure::Refused(format!("game.code: \"{text}\" is no code"));
        let (first, rest) = text.split_once('.').ok_or_else(bad)?;
        if first.len() != 1 || text.len() as u64 > LONGEST {
            return Err(bad());
        }
        let (before, block) = match rest.strip_suffix(']') {
            None => (rest, ""),
            Some(rest) => rest.split_once('[').ok_or_else(bad)?,
        };
        let mut digits = Vec::new();
        for c in first.chars().chain(before.chars()).chain(block.chars()) {
            let digit = c.to_digit(16).and_then(|d| u8::try_from(d).ok()).ok_or_else(bad)?;
            digits.push(digit);
        }
        // A digit d₀ with the bits 1 or 2 would let a move change nothing.
        if digits.len() < 2 || digits[0] & 3 != 0 || rest.ends_with(']') && block.is_empty() {
            return Err(bad());
        }
        Ok(Self { digits, repeat: block.len() })
    }

    fn digit(&self, k: usize) -> u8 {
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
    fn cost(&self, heap: usize) -> u64 {
        let one = |k: usize| {
            let (digit, rest) = (self.digit(k), (heap - k) as u64);
            let threes = if digit & 8 != 0 { rest.saturating_mul(rest) / 4 } else { 0 };
            1 + threes + if digit & 4 != 0 { rest } else { 0 }
        };
        (0..=self.last(heap)).map(one).fold(0, u64::saturating_add)
    }

    fn bounds(&self) -> Option<(usize, usize)> {
        let taken = self.digits.iter().rposition(|&d| d != 0).unwrap_or(0);
        let parts = self.digits.iter().map(|d| d.checked_ilog2().unwrap_or(0) as usize).max().unwrap_or(0);
        (self.repeat == 0).then_some((taken, parts))
    }

    fn options(
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
