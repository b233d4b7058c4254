//! Take-and-break codes d₀.d₁d₂d₃…

/// A take-and-break code: digit k says into how many non-empty heaps the rest of a heap may be
/// divided after k beans are taken: bit j of the digit is set when it may be left as exactly j heaps.
/// (Bit 0, worth 1: the whole heap is taken; 2: one heap is left; 4: two; 8: three.)
///
/// Digits are stored from d₀ on; d₀ may not contain the bits 1 and 2, since such a move would change
/// nothing. The last `repeat` digits are repeated for ever; 0 means that the code is finite. Trailing
/// zero digits of a finite code are dropped, so that equal codes are equal values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    digits: Vec<u8>,
    repeat: usize,
}

impl Code {
    /// A finite code from its digits d₀, d₁, …
    pub fn finite(mut digits: Vec<u8>) -> Self {
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Self { digits, repeat: 0 }
    }

    /// A code whose last `repeat` digits are repeated for ever.
    pub fn repeating(digits: Vec<u8>, repeat: usize) -> Self {
        assert!(repeat <= digits.len(), "the repeated block is part of the digits");
        if repeat == 0 { Self::finite(digits) } else { Self { digits, repeat } }
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
