//! The heap games of the form "nim-sequence": codes and subtraction sets.

use serde_json::{Map, Value};

use crate::{Failure, refuse};

/// A take-and-break code: bit j of digit k says that k beans may be taken so that exactly j heaps are left.
pub(crate) struct Game {
    pub digits: Vec<u8>,
    /// The last so many digits are repeated for ever.
    pub repeat: usize,
}

impl Game {
    pub fn digit(&self, k: usize) -> u8 {
        let len = self.digits.len();
        if k < len {
            self.digits[k]
        } else if self.repeat == 0 {
            0
        } else {
            let start = len - self.repeat;
            self.digits[start + (k - start) % self.repeat]
        }
    }

    /// The numbers of beans that a move from heap n can take: those of `listed` (the non-zero stored digits), and
    /// all larger ones when digits repeat.
    pub fn taken<'a>(&self, listed: &'a [usize], n: usize) -> impl Iterator<Item = usize> + use<'a> {
        let tail = if self.repeat > 0 { self.digits.len()..n + 1 } else { 0..0 };
        listed.iter().copied().take_while(move |&k| k <= n).chain(tail)
    }

    /// The indices of the non-zero stored digits.
    pub fn listed(&self) -> Vec<usize> {
        (0..self.digits.len()).filter(|&k| self.digits[k] != 0).collect()
    }

    pub fn most_heaps(&self) -> usize {
        self.digits
            .iter()
            .map(|&digit| [0, 0, 1, 1, 2, 2, 2, 2].get(usize::from(digit)).copied().unwrap_or(3))
            .max()
            .unwrap_or(0)
    }
}

pub(super) fn game(map: &Map<String, Value>) -> Result<Game, Failure> {
    if map.get("kind").and_then(Value::as_str) != Some("heap") || map.len() != 2 {
        return refuse("\"game\" must be {\"kind\": \"heap\"} with either \"code\" or \"subtract\"");
    }
    if let Some(code) = map.get("code") {
        return match code.as_str().and_then(code_digits) {
            Some((mut digits, repeat)) => {
                while repeat == 0 && digits.last() == Some(&0) {
                    digits.pop();
                }
                Ok(Game { digits, repeat })
            }
            None => refuse("\"code\" is no take-and-break code"),
        };
    }
    let Some(set) = map.get("subtract").and_then(Value::as_array).filter(|set| !set.is_empty()) else {
        return refuse("\"game\" has neither \"code\" nor a list \"subtract\"");
    };
    let mut digits = vec![0];
    for k in set {
        let Some(k) = k.as_u64().and_then(|k| usize::try_from(k).ok()).filter(|&k| k > 0 && k <= 1_000_000) else {
            return refuse("\"subtract\": numbers from 1 to a million");
        };
        digits.resize(digits.len().max(k + 1), 0);
        digits[k] = 3;
    }
    Ok(Game { digits, repeat: 0 })
}

/// `d.ddd[ddd]`: digits d₀, d₁, … in hexadecimal, and how many of the last are repeated.
fn code_digits(text: &str) -> Option<(Vec<u8>, usize)> {
    let (whole, fraction) = text.split_once('.')?;
    let (fixed, block) = match fraction.split_once('[') {
        Some((fixed, block)) => (fixed, block.strip_suffix(']').filter(|block| !block.is_empty())?),
        None => (fraction, ""),
    };
    let digit = |c: char| c.to_digit(16).and_then(|d| u8::try_from(d).ok());
    let digits = whole.chars().chain(fixed.chars()).chain(block.chars()).map(digit).collect::<Option<Vec<_>>>()?;
    // Taking nothing and leaving no heap or one heap is no move.
    (whole.len() == 1 && digits.len() > 1 && digits[0].is_multiple_of(4)).then_some((digits, block.len()))
}
