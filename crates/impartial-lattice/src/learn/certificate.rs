//! The exact check of a strategy's equation on the whole infinite board.
//!
//! A set S of positions is the set of P-positions iff B∖S = (S + Γ) ∩ B (thesis, Theorem 3.6): a position
//! lies in S exactly when no option does. The check reads all vectors x of ℕᵈ at once, digit by digit: it visits every
//! reachable combination of the states in which x, all x − γ and the board's automaton are, and asks the equation
//! there. Every x is read on some path, so the equation then holds everywhere; and a combination where it fails gives
//! a counterexample with as few digits as possible, without any set being built that a wrong S could make explode.

use std::cell::OnceCell;
use std::hash::Hasher as _;

use rustc_hash::{FxHashMap, FxHasher};

use super::oracle::Target;
use super::stepwise;
use crate::game::InnerGame;
use semilinear::run::StopReason;
use semilinear::vectorset::{Effort, Label, Labelled, Labelling, Relation, VectorSet};

/// The board B of a game in inner coordinates, as a set of vectors.
pub fn board(game: &InnerGame, effort: &Effort<'_>) -> Result<VectorSet, StopReason> {
    let d = game.dimension();
    let mut board = VectorSet::full(d);
    for row in game.inner_rows() {
        let half = VectorSet::linear(&row[..d], row[d], Relation::AtLeastZero, effort)?;
        board = board.intersection(&half, effort)?;
    }
    let defeated: Vec<Vec<num_bigint::BigUint>> = game
        .inner_defeated()
        .iter()
        .filter_map(|point| point.iter().map(|&x| u64::try_from(x).ok().map(Into::into)).collect())
        .collect();
    board.difference(&VectorSet::finite(d, &defeated, effort)?, effort)
}

/// A vector at which `set` fails to be the set of P-positions of the game, in inner coordinates; `None` when it **is**
/// that set, which is then proved for the whole board.
///
/// # Complexity
/// O(|Γ|) steps for each reachable combination of states; usually a few times the number of states.
///
/// ```
/// use impartial_lattice::InnerGame;
/// use semilinear::run::Unlimited;
/// use impartial_lattice::learn::certificate;
/// use semilinear::vectorset::{Effort, VectorSet};
/// let effort = Effort::unlimited();
/// let game = InnerGame::on_orthant(vec![vec![1], vec![2], vec![3]], vec![], &[1]).unwrap();
/// let fours = VectorSet::congruence(&[1], 0, 4, &effort)?;
/// assert_eq!(certificate::counterexample(&game, &fours, &effort)?, None);
/// let fives = VectorSet::congruence(&[1], 0, 5, &effort)?;
/// assert_eq!(certificate::counterexample(&game, &fives, &effort)?, Some(vec![4])); // 4 has no option in 5N
/// # Ok::<(), semilinear::run::StopReason>(())
/// ```
pub fn counterexample(game: &InnerGame, set: &VectorSet, effort: &Effort<'_>) -> Result<Option<Vec<u64>>, StopReason> {
    failure(set, &board(game, effort)?, game.inner_rules(), Target::Outcomes, effort)
}

/// A vector at which the function fails to give the Grundy values of the game (k + 1 at positions of value k, 0 at
/// vectors that are no positions), in inner coordinates; `None` when it **does** on the whole board: then the value of
/// every position is the mex of its options' values, which by induction along the functional has one solution only.
///
/// ```
/// use impartial_lattice::InnerGame;
/// use semilinear::run::Unlimited;
/// use impartial_lattice::learn::certificate;
/// use semilinear::vectorset::{Effort, Label, Labelled, Labelling, VectorSet};
/// let effort = Effort::unlimited();
/// let game = InnerGame::on_orthant(vec![vec![1], vec![2]], vec![], &[1]).unwrap();
/// let classes = [0, 1, 2].map(|k| VectorSet::congruence(&[1], k, 3, &effort).unwrap());
/// let values = Labelling::from_sets(&classes, &effort)?;
/// assert_eq!(certificate::values_counterexample(&game, &values, &effort)?, None);
/// let wrong = Labelling::from_sets(&classes[..2], &effort)?;
/// assert_eq!(certificate::values_counterexample(&game, &wrong, &effort)?, Some(vec![2]));
/// # Ok::<(), semilinear::run::StopReason>(())
/// ```
pub fn values_counterexample(
    game: &InnerGame,
    values: &Labelling,
    effort: &Effort<'_>,
) -> Result<Option<Vec<u64>>, StopReason> {
    failure(values, &board(game, effort)?, game.inner_rules(), Target::Values, effort)
}

/// When the combinations take up more numbers than this, the rules are looked at one by one.
const FEW_NUMBERS: usize = 1 << 24;

/// A vector at which the condition of the target does not hold: by all rules at once, which finds the counterexamples of
/// wrong guesses early; then, for the P-positions in many dimensions, rule by rule.
pub(super) fn failure<L: Label>(
    function: &Labelled<L>,
    board: &VectorSet,
    rules: &[Vec<i64>],
    target: Target,
    effort: &Effort<'_>,
) -> Result<Option<Vec<u64>>, StopReason> {
    if target == Target::Values || function.dimension() < 3 {
        return violation(function, board, rules, target, effort);
    }
    let few = Effort::new((FEW_NUMBERS / (rules.len() + 2)).min(effort.states), effort.monitor);
    match violation(function, board, rules, target, &few) {
        Err(StopReason::Size { .. }) => {
            let p = function.relabelled(|label| label.number() == 1, effort)?;
            stepwise::counterexample(&p, board, rules, effort)
        }
        verdict => verdict,
    }
}

/// [`failure`] by all rules at once.
fn violation<L: Label>(
    function: &Labelled<L>,
    board: &VectorSet,
    rules: &[Vec<i64>],
    target: Target,
    effort: &Effort<'_>,
) -> Result<Option<Vec<u64>>, StopReason> {
    let dimension = function.dimension();
    let mut moved: Vec<Moved<'_, L>> = rules.iter().map(|rule| Moved::new(function, rule)).collect();
    let width = moved.len() + 2;
    // Combinations: the board's state, the state of x, and for each rule the residual of x − γ.
    let mut met = Met::new(width);
    met.insert(&vec![0; width]);
    let mut origin: Vec<(u32, bool)> = vec![(0, false)];
    let mut options = vec![None; rules.len()];
    let (mut combination, mut after) = (vec![0; width], vec![0; width]);
    let mut current = 0;
    while current < origin.len() {
        effort.allow(origin.len())?;
        if current.is_multiple_of(1024) {
            effort.monitor.check(current as u64, None)?;
        }
        combination.copy_from_slice(met.at(current));
        if board.track(combination[0]) == 0 {
            for ((option, moved), &residual) in options.iter_mut().zip(&moved).zip(&combination[2..]) {
                *option = moved.label(residual);
            }
            let on_board = board.is_accepting(combination[0]);
            let label = function.state_label(combination[1]).expect("at track 0").number();
            if !target.holds(on_board, label, &options) {
                return Ok(Some(vector(dimension, &origin, current)));
            }
        }
        for bit in 0..2 {
            after.copy_from_slice(&combination);
            after[0] = board.transitions()[after[0] as usize][bit];
            after[1] = function.transitions()[after[1] as usize][bit];
            for (moved, residual) in moved.iter_mut().zip(&mut after[2..]) {
                *residual = moved.step(*residual, bit);
            }
            if met.insert(&after) {
                origin.push((u32::try_from(current).expect("limited by the effort"), bit == 1));
            }
        }
        current += 1;
    }
    Ok(None)
}

/// The combinations that were met, one after the other in one list. They are found again by their hashes: a set of vectors would keep
/// each of them twice, in memory of its own.
struct Met {
    width: usize,
    numbers: Vec<u32>,
    /// The last combination with a hash.
    last: FxHashMap<u64, u32>,
    /// For each combination the one before it with the same hash, or [`UNKNOWN`].
    before: Vec<u32>,
}

impl Met {
    fn new(width: usize) -> Self {
        Self { width, numbers: Vec::new(), last: FxHashMap::default(), before: Vec::new() }
    }

    fn at(&self, number: usize) -> &[u32] {
        &self.numbers[number * self.width..(number + 1) * self.width]
    }

    /// Adds a combination; false when it was met before.
    fn insert(&mut self, combination: &[u32]) -> bool {
        let mut hasher = FxHasher::default();
        for &number in combination {
            hasher.write_u32(number);
        }
        let hash = hasher.finish();
        let last = self.last.get(&hash).copied().unwrap_or(UNKNOWN);
        let mut same = last;
        while same != UNKNOWN {
            // A plain loop: browsers call a function to compare memory, byte by byte.
            if self.at(same as usize).iter().zip(combination).all(|(a, b)| a == b) {
                return false;
            }
            same = self.before[same as usize];
        }
        let number = u32::try_from(self.before.len()).expect("limited by the effort");
        self.last.insert(hash, number);
        self.before.push(last);
        self.numbers.extend_from_slice(combination);
        true
    }
}

/// The vector whose digits lead to a combination.
fn vector(dimension: usize, origin: &[(u32, bool)], mut at: usize) -> Vec<u64> {
    let mut digits = Vec::new();
    while at != 0 {
        digits.push(origin[at].1);
        at = origin[at].0 as usize;
    }
    let mut x = vec![0u64; dimension];
    for (i, one) in digits.into_iter().rev().enumerate() {
        if one && i / dimension < 63 {
            x[i % dimension] |= 1 << (i / dimension);
        }
    }
    x
}

/// The function x ↦ label of x − γ, with residuals numbered as they are met: a state of the automaton, and the
/// vector c such that the rest of x − γ is the rest of x plus c.
struct Moved<'a, L> {
    function: &'a Labelled<L>,
    keys: Vec<(u32, Vec<i64>, usize)>,
    numbers: FxHashMap<(u32, Vec<i64>, usize), u32>,
    next: Vec<[u32; 2]>,
    /// The labels that were asked for.
    labels: Vec<OnceCell<Option<u8>>>,
}

const UNKNOWN: u32 = u32::MAX;

impl<'a, L: Label> Moved<'a, L> {
    fn new(function: &'a Labelled<L>, rule: &[i64]) -> Self {
        let start = (0, rule.iter().map(|g| -g).collect(), 0);
        Self {
            function,
            keys: vec![start.clone()],
            numbers: FxHashMap::from_iter([(start, 0)]),
            next: vec![[UNKNOWN; 2]],
            labels: vec![OnceCell::new()],
        }
    }

    fn step(&mut self, residual: u32, bit: usize) -> u32 {
        let known = self.next[residual as usize][bit];
        if known != UNKNOWN {
            return known;
        }
        let (state, mut carry, track) = self.keys[residual as usize].clone();
        let sum = carry[track] + i64::from(bit == 1);
        carry[track] = sum.div_euclid(2);
        let state = self.function.transitions()[state as usize][usize::from(sum.rem_euclid(2) == 1)];
        let key = (state, carry, (track + 1) % self.function.dimension());
        let fresh = u32::try_from(self.keys.len()).expect("limited by the effort");
        let number = *self.numbers.entry(key).or_insert_with_key(|key| {
            self.keys.push(key.clone());
            self.next.push([UNKNOWN; 2]);
            self.labels.push(OnceCell::new());
            fresh
        });
        self.next[residual as usize][bit] = number;
        number
    }

    fn label(&self, residual: u32) -> Option<u8> {
        let (state, carry, _) = &self.keys[residual as usize];
        *self.labels[residual as usize].get_or_init(|| {
            let rest: Vec<u64> = carry.iter().map(|&c| u64::try_from(c).ok()).collect::<Option<_>>()?;
            Some(self.function.label_from(*state, &rest).number())
        })
    }
}
