//! The moves of a heap game in the shape that the engines work on.

use crate::heap::{Clause, Code, HeapRules, Leave, Shape, Take};

/// The moves of a take-and-break code, or of a splitting rule such as Grundy's game, sorted by what they leave.
///
/// All lists hold numbers of beans taken, in increasing order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Moves {
    /// The digits d₀, d₁, …, for taking a whole heap.
    digits: Code,
    /// Taking these leaves one heap (digits before the repeated block only).
    pub one: Vec<usize>,
    /// Taking these leaves two heaps (digits before the repeated block only).
    pub two: Vec<usize>,
    /// The two heaps left must differ.
    pub unequal: bool,
    /// Taking these leaves three heaps (digits before the repeated block only).
    pub three: Vec<usize>,
    /// The most heaps that a move leaves.
    pub most: u32,
    /// The digits that are repeated for ever, from this index on.
    pub tail: Option<Tail>,
}

/// The repeated block of a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tail {
    /// Index of its first digit.
    pub start: usize,
    /// Its digits.
    pub block: Vec<u8>,
}

impl Moves {
    /// The moves of these rules; `None` when only the list of options describes them.
    pub fn new(rules: &HeapRules) -> Option<Self> {
        if let Some(code) = rules.code() {
            return Some(Self::of_code(&code));
        }
        match rules {
            HeapRules::Clauses(clauses) if clauses.as_slice() == [grundys_clause()] => {
                Some(Self { unequal: true, ..Self::of_code(&Code::finite(vec![4])) })
            }
            _ => None,
        }
    }

    fn of_code(code: &Code) -> Self {
        let fixed = code.digits().len() - code.repeat();
        let with = |bit: u8| (0..fixed).filter(|&k| code.digits()[k] & bit != 0).collect::<Vec<_>>();
        let tail = (code.repeat() > 0).then(|| Tail { start: fixed, block: code.digits()[fixed..].to_vec() });
        Self {
            one: with(2),
            two: with(4),
            unequal: false,
            three: with(8),
            most: code.most_heaps(),
            tail,
            digits: code.clone(),
        }
    }

    /// Whether the whole heap n ≥ 1 may be taken.
    pub fn takes_all(&self, n: usize) -> bool {
        n > 0 && self.digits.digit(n as u64) & 1 == 1
    }

    /// Digit k.
    pub fn digit(&self, k: usize) -> u8 {
        self.digits.digit(k as u64)
    }

    /// How many digits matter for heap n: those of a finite code, else d₀ to dₙ.
    pub fn digits_before(&self, n: usize) -> usize {
        if self.tail.is_some() { n + 1 } else { self.digits.digits().len() }
    }

    /// The code, unless the heaps left must differ.
    pub fn code(&self) -> Option<&Code> {
        (!self.unequal).then_some(&self.digits)
    }

    /// A finite code without breaking: the moves take beans and leave at most one heap.
    pub fn only_takes(&self) -> bool {
        self.tail.is_none() && self.most <= 1
    }

    /// At most two heaps are left, and the digits are finite: sparse spaces apply.
    pub fn splits_in_two(&self) -> bool {
        self.tail.is_none() && self.most == 2
    }
}

/// "Split a heap into two unequal heaps."
fn grundys_clause() -> Clause {
    Clause {
        heap: None,
        take: Take::these(&[0]),
        limits: Vec::new(),
        leave: vec![Leave::exactly(2)],
        shape: Shape::Unequal,
        least: 1,
    }
}
