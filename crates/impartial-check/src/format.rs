//! Games and certificates as typed structures: the shape of the format, which `docs/strategy-files.md` describes.

// Fields have the names of the keys in files.
#![allow(clippy::struct_field_names)]

use serde_json::{Map, Value};

use crate::chains::ChainsGame;
use crate::clauses::ClauseText;
use crate::json::{Maybe, Natural, objects, typed};
use crate::lattice::Lattice;
use crate::{Checked, refuse};

/// Entries beyond this size are refused, so that sums of products stay exact in 128 bits.
const LARGEST: i64 = 1 << 40;

pub(crate) type Vector = Vec<i64>;
pub(crate) type Matrix = Vec<Vector>;

/// A vector of so many entries of moderate size.
pub(crate) fn vector(place: &str, v: &[i64], length: usize) -> Checked<Vec<i128>> {
    refuse_if!(v.len() != length, "{place}: {} entries instead of {length}", v.len());
    match v.iter().find(|x| x.unsigned_abs() > LARGEST.unsigned_abs()) {
        Some(x) => refuse(format!("{place}: {x} is not an integer between -2^40 and 2^40")),
        None => Ok(v.iter().map(|&x| x.into()).collect()),
    }
}

/// A list of such vectors.
pub(crate) fn matrix(place: &str, list: &[Vector], length: usize) -> Checked<Vec<Vec<i128>>> {
    list.iter().map(|v| vector(place, v, length)).collect()
}

/// A game by its rules.
pub(crate) enum Game {
    Lattice(Lattice),
    Heap(HeapGame),
    Poset(PosetGame),
    Chomp(ChompGame),
    Chains(ChainsGame),
}

impl Game {
    pub fn read(mut game: Map<String, Value>, misere: bool, meter: &crate::meter::Meter<'_>) -> Checked<Self> {
        let kind = game.remove("kind");
        let chomp = game.contains_key("rows");
        let game = Value::Object(game);
        Ok(match kind.as_ref().and_then(Value::as_str) {
            Some("lattice") => Self::Lattice(Lattice::new(&typed("game", game)?, misere, meter)?),
            Some("heap") => Self::Heap(typed("game", game)?),
            Some("poset") => Self::Poset(typed("game", game)?),
            Some("chomp") => Self::Chomp(typed("game", game)?),
            Some("chains") if chomp => Self::Chains(ChainsGame::Rows(typed("game", game)?)),
            Some("chains") => Self::Chains(ChainsGame::Poset(typed("game", game)?)),
            _ => return refuse("\"game\": \"kind\" is not lattice, heap, poset, chomp or chains"),
        })
    }
}

objects! {
    LatticeGame { rules: Matrix, defeated: Matrix, board: Option<Matrix> }

    /// Exactly one of the keys is there.
    HeapGame { code: Option<String>, subtract: Option<Vec<u64>>, moves: Option<Vec<ClauseText>> }

    PosetGame { elements: Vec<String>, covers: Vec<(usize, usize)> }

    ChompGame { rows: Vec<u64> }

    /// y = Mx + s maps the board into ℕᵈ; a bound is a scale and one multiplier for each row.
    Chart { matrix: Matrix, inverse: Matrix, shift: Vector, bounds: Matrix, functional_bound: Vector }

    /// An automaton of a set.
    SetTable { transitions: Vec<u32>, accepting: Vec<u32> }

    /// An automaton of a function.
    ValueTable { transitions: Vec<u32>, values: Vec<Maybe<u32>> }

    /// Form "automaton" (with `SetTable`) and "grundy-automaton" (with `ValueTable`).
    Automaton<T> { functional: Vector, chart: Option<Chart>, automaton: T }

    /// F + ℕ{v₁, …, v_r}, with automata of F, F + ℕv₁, F + ℕ{v₁, v₂}, …
    Module { generators: Matrix, bases: Matrix, automata: Option<Vec<SetTable>> }

    /// Form "stratification": the unions are those of the first two, three, … modules.
    Stratification { functional: Vector, chart: Option<Chart>, modules: Vec<Module>, unions: Option<Vec<SetTable>> }

    /// Form "series".
    Series {
        functional: Vector, chart: Option<Chart>, modules: Vec<Module>, unions: Vec<SetTable>, terms: Vec<Term>,
    }

    Term { coefficient: (i64, i64), exponent: Vector, denominators: Matrix }

    /// Form "parity-kernel" of a lattice game; with characters, form "series" of one.
    ParityKernel { values: Vec<u64>, functional: Vec<Natural>, characters: Option<Vec<Vec<i8>>> }

    /// Form "parity-kernel" of a heap game.
    HeapValues { values: Vec<u64>, max_heap: usize }

    /// Form "nim-sequence".
    NimSequence {
        theorem: Theorem, preperiod: usize, period: usize, saltus: u64, values: Vec<u64>,
        space: Option<Space>, base: Option<usize>, block: Option<usize>,
    }

    /// Form "nim-period".
    NimPeriod { preperiod: usize, period: usize, space: Space, window: Option<usize> }

    /// A hint.
    Space { mask: u64, parity: bool }

    /// Form "quotient".
    Quotient {
        generators: Vec<usize>, steps: Vec<Vec<u32>>, p: Vec<usize>, values: Vec<usize>,
        period: Maybe<Period>, kernel: Option<NimSequence>,
    }

    Period { preperiod: usize, period: usize }

    /// Form "counters": a value is null for a counter, the element of a heap, or a `Follower`.
    Counters {
        generators: Vec<usize>, steps: Vec<Vec<u32>>, counters: Vec<usize>, values: Vec<Value>,
        slices: Vec<Vec<usize>>, next: Vec<Vec<u32>>, output: Vec<u32>, infinite: Maybe<Infinite>, period: Option<Period>,
    }

    /// A heap that follows counters, with the sums that it is like: lists of heaps and how often each.
    Follower { element: usize, counts: Vec<u32>, like: Vec<Vec<(usize, u32)>> }

    Infinite { step: Vec<u32>, from: Vec<u32>, counter: usize, at: Vec<u32>, period: u32, far: u32 }

    /// Form "table".
    Values { width: usize, values: String }
}

#[derive(Clone, Copy, serde::Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Theorem {
    GuySmith,
    Induction,
}
