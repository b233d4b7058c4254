//! Take-and-break codes d₀.d₁d₂d₃…

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A take-and-break code: digit k says into how many non-empty heaps the rest of a heap may be
/// divided after k beans are taken: bit j of the digit is set when it may be left as exactly j heaps.
/// (Bit 0, worth 1: the whole heap is taken; 2: one heap is left; 4: two; 8: three.)
///
/// Digits are stored from d₀ on; d₀ may not contain the bits 1 and 2, since such a move would change
/// nothing. The last `repeat` digits are repeated for ever; 0 means that the code is finite. Trailing
/// zero digits of a finite code are dropped, and a repeated block is written as short and as early as
/// possible, so that equal codes are equal values.
///
/// ```
/// use impartial::heap::Code;
/// let kayles: Code = "0.77".parse().unwrap();
/// assert_eq!((kayles.digit(2), kayles.digit(3)), (7, 0));
/// let nim: Code = "0.3[33]".parse().unwrap();
/// assert_eq!(nim.to_string(), "0.[3]");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    digits: Vec<u8>,
    repeat: usize,
}

/// Why a text is no code.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CodeError {
    /// No point.
    #[error("code \"{0}\": no point; write d0.d1d2d3… such as 0.77")]
    NoPoint(String),
    /// Not one digit before the point.
    #[error("code \"{0}\": exactly one digit stands before the point; write 0.77 or 4.7")]
    Whole(String),
    /// The digit before the point lets a move change nothing.
    #[error(
        "code \"{code}\": the digit before the point is {digit:X}, and taking no bean may only split a heap; it is 0, 4, 8 or C"
    )]
    Zeroth {
        /// The code.
        code: String,
        /// The digit before the point.
        digit: u8,
    },
    /// A character that is no digit.
    #[error(
        "code \"{code}\": character {place} is '{found}', which is no digit; digits are 0-9 and A-F, and [ ] around a block that repeats"
    )]
    Digit {
        /// The code.
        code: String,
        /// The place of the character, counted from 1.
        place: usize,
        /// The character.
        found: char,
    },
    /// No digit after the point.
    #[error("code \"{0}\": no digit after the point; write 0.77, or 0.0 for the game without moves")]
    Empty(String),
    /// Brackets that do not enclose the last digits.
    #[error("code \"{0}\": brackets enclose one non-empty block at the end; write 0.[3] or 0.1[37]")]
    Brackets(String),
    /// More digits than any real code has.
    #[error("code \"{0}…\": more than {LONGEST} digits; write a subtraction game as subtract:1,2,3")]
    Long(String),
}

/// Codes longer than this are refused.
const LONGEST: usize = 1_000_000;

impl Code {
    /// A code from its digits d₀, d₁, …, of which the last `repeat` are repeated for ever.
    ///
    /// ```
    /// use impartial::heap::Code;
    /// assert_eq!(Code::new(vec![0, 7, 7], 0)?.to_string(), "0.77");
    /// assert_eq!(Code::new(vec![0, 3], 1)?.to_string(), "0.[3]");
    /// assert!(Code::new(vec![3], 0).is_err()); // taking no bean must split the heap
    /// # Ok::<(), impartial::heap::CodeError>(())
    /// ```
    pub fn new(digits: Vec<u8>, repeat: usize) -> Result<Self, CodeError> {
        let written = || format!("{:X?}", &digits[..digits.len().min(60)]);
        let zeroth = digits.first().copied().unwrap_or(0);
        if let Some(place) = digits.iter().position(|&d| d > 15) {
            return Err(CodeError::Digit { code: written(), place: place + 1, found: '?' });
        }
        if zeroth & 3 != 0 {
            return Err(CodeError::Zeroth { code: written(), digit: zeroth });
        }
        if digits.len() > LONGEST {
            return Err(CodeError::Long(written()));
        }
        if repeat >= digits.len().max(1) {
            return Err(CodeError::Brackets(written()));
        }
        Ok(if repeat == 0 { Self::finite(digits) } else { Self::repeating(digits, repeat) })
    }

    /// A finite code from digits that are known to be sound.
    pub(crate) fn finite(mut digits: Vec<u8>) -> Self {
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Self { digits, repeat: 0 }
    }

    /// A code whose last `repeat` digits are repeated for ever; d₀ is never part of the block.
    pub(crate) fn repeating(mut digits: Vec<u8>, repeat: usize) -> Self {
        assert!(repeat < digits.len().max(1), "the repeated block is part of the digits after the point");
        let block = &digits[digits.len() - repeat..];
        if block.iter().all(|&d| d == 0) {
            return Self::finite(digits);
        }
        let primitive = (1..=repeat)
            .find(|&p| repeat.is_multiple_of(p) && (p..repeat).all(|i| block[i] == block[i - p]))
            .expect("the block's own length is a period of it");
        digits.truncate(digits.len() - (repeat - primitive));
        // A digit before the block that equals the block's last one belongs to a rotated block.
        while digits.len() > primitive + 1 && digits[digits.len() - 1 - primitive] == digits[digits.len() - 1] {
            digits.pop();
        }
        Self { digits, repeat: primitive }
    }

    /// Digit k.
    pub fn digit(&self, k: u64) -> u8 {
        let stored = self.digits.len();
        match usize::try_from(k) {
            Ok(k) if k < stored => self.digits[k],
            _ if self.repeat == 0 => 0,
            _ => {
                let start = (stored - self.repeat) as u64;
                self.digits[stored - self.repeat
                    + usize::try_from((k - start) % self.repeat as u64).expect("below the block length")]
            }
        }
    }

    /// The stored digits d₀, d₁, …; the last [`Code::repeat`] of them are repeated for ever.
    pub fn digits(&self) -> &[u8] {
        &self.digits
    }

    /// The length of the repeated block, 0 for a finite code.
    pub fn repeat(&self) -> usize {
        self.repeat
    }

    /// The index of the last non-zero digit of a finite code.
    pub fn last(&self) -> Option<usize> {
        if self.repeat == 0 { self.digits.len().checked_sub(1) } else { None }
    }

    /// The largest number of heaps that a move may leave.
    pub fn most_heaps(&self) -> u32 {
        self.digits.iter().map(|d| d.checked_ilog2().unwrap_or(0)).max().unwrap_or(0)
    }
}

impl FromStr for Code {
    type Err = CodeError;

    fn from_str(text: &str) -> Result<Self, CodeError> {
        let code = || text.chars().take(60).collect::<String>();
        let Some((whole, fraction)) = text.split_once('.') else { return Err(CodeError::NoPoint(code())) };
        if fraction.len() > LONGEST {
            return Err(CodeError::Long(code()));
        }
        // Winning Ways writes ·77 for 0.77.
        let whole = if whole.is_empty() { "0" } else { whole };
        let value = |place: usize, c: char| match c.to_digit(16) {
            Some(d) => Ok(u8::try_from(d).expect("a hexadecimal digit")),
            None => Err(CodeError::Digit { code: code(), place, found: c }),
        };
        let mut zeroth = whole.chars();
        let (Some(first), None) = (zeroth.next(), zeroth.next()) else { return Err(CodeError::Whole(code())) };
        let digit = value(1, first)?;
        if digit & 3 != 0 {
            return Err(CodeError::Zeroth { code: code(), digit });
        }
        let mut digits = vec![digit];
        let mut open = None;
        let mut closed = false;
        for (i, c) in fraction.chars().enumerate() {
            match c {
                '[' if open.is_none() => open = Some(digits.len()),
                ']' if open.is_some_and(|at| at < digits.len()) && !closed => closed = true,
                '[' | ']' => return Err(CodeError::Brackets(code())),
                _ if closed => return Err(CodeError::Brackets(code())),
                _ => digits.push(value(text.len() - fraction.len() + 1 + i, c)?),
            }
        }
        if digits.len() == 1 && open.is_none() {
            return Err(CodeError::Empty(code()));
        }
        match open {
            None => Ok(Self::finite(digits)),
            Some(at) if closed => {
                let repeat = digits.len() - at;
                Ok(Self::repeating(digits, repeat))
            }
            Some(_) => Err(CodeError::Brackets(code())),
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:X}.", self.digits.first().copied().unwrap_or(0))?;
        let block = self.digits.len() - self.repeat;
        for (k, digit) in self.digits.iter().enumerate().skip(1) {
            if k == block {
                f.write_str("[")?;
            }
            write!(f, "{digit:X}")?;
        }
        match (self.repeat, self.digits.len()) {
            (0, 0 | 1) => f.write_str("0"),
            (0, _) => Ok(()),
            _ => f.write_str("]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_and_written_in_one_way() {
        for (text, written) in [
            ("0.77", "0.77"),
            (".137", "0.137"),
            ("4.7", "4.7"),
            ("0.3f", "0.3F"),
            ("0.770", "0.77"),
            ("0.0", "0.0"),
            ("0.000", "0.0"),
            ("4.0", "4.0"),
            ("0.[3]", "0.[3]"),
            ("0.33[33]", "0.[3]"),
            ("4.[3]", "4.[3]"),
            ("4.[4]", "4.[4]"),
            ("0.1[2121]", "0.[12]"),
            ("0.3[0]", "0.3"),
            ("0.12[32]", "0.1[23]"),
        ] {
            let code: Code = text.parse().unwrap();
            assert_eq!(code.to_string(), written, "{text}");
            assert_eq!(code.to_string().parse::<Code>().unwrap(), code, "{text}");
        }
    }

    #[test]
    fn canonical_blocks_keep_every_digit() {
        let plain: Vec<u8> = "12323232323232323232".bytes().map(|b| b - b'0').collect();
        let code: Code = "0.12[32]".parse().unwrap();
        for (k, &digit) in (1_u64..).zip(&plain) {
            assert_eq!(code.digit(k), digit, "digit {k}");
        }
    }

    #[test]
    fn bad_codes_name_the_place() {
        let message = |text: &str| text.parse::<Code>().unwrap_err().to_string();
        assert!(message("0.8z").contains("character 4 is 'z'"), "{}", message("0.8z"));
        assert!(message("0.").contains("no digit after the point"));
        assert!(message("3.7").contains("the digit before the point is 3"));
        assert!(message("00.7").contains("exactly one digit"));
        assert!(message("77").contains("no point"));
        for brackets in ["0.[]", "0.[3", "0.3]", "0.[3]3", "0.[[3]]", "0.[3][3]", "0.["] {
            assert!(message(brackets).contains("brackets"), "{brackets}");
        }
    }
}
