//! The front door of the general solver: chooses the width of the bit sets.

use crate::outcome::{Outcome, Play};
use crate::poset::{ElementSet, Poset, Words};
use crate::run::{Monitor, StopReason};

use super::misere::Misere;
use super::nfree;
use super::search::Search;

/// A solver for the game on one poset; it remembers what it has found.
///
/// ```
/// use impartial::outcome::{Outcome, Play};
/// use impartial::{poset::Poset, run::Unlimited, solve::poset::Solver};
/// let poset = Poset::divisors(360).unwrap();
/// let mut solver = Solver::new(poset.clone());
/// assert_eq!(solver.grundy(&poset.all(), &Unlimited), Ok(14));
/// // The only winning opening is 6, which leaves 2, 3, 4, 5, 8, 9, 10, 15, 20, 40, 45.
/// assert_eq!(solver.winning_moves(&poset.all(), Play::Normal, &Unlimited), Ok(vec![4]));
/// assert_eq!(solver.outcome(&poset.nothing(), Play::Misere, &Unlimited), Ok(Outcome::N));
/// ```
#[derive(Debug)]
pub struct Solver {
    poset: Poset,
    engine: Engine,
}

#[derive(Debug)]
enum Engine {
    W1(Both<[u64; 1]>),
    W2(Both<[u64; 2]>),
    W4(Both<[u64; 4]>),
    W8(Both<[u64; 8]>),
    Any(Both<ElementSet>),
}

#[derive(Debug)]
struct Both<S> {
    normal: Search<S>,
    misere: Misere<S>,
}

impl<S: Words> Both<S> {
    fn new(poset: &Poset) -> Self {
        Self { normal: Search::new(poset), misere: Misere::new(poset) }
    }
}

/// Runs the same expression for whichever engine there is.
macro_rules! with {
    ($engine:expr, $both:ident => $body:expr) => {
        match $engine {
            Engine::W1($both) => $body,
            Engine::W2($both) => $body,
            Engine::W4($both) => $body,
            Engine::W8($both) => $body,
            Engine::Any($both) => $body,
        }
    };
}

impl Solver {
    /// A solver that knows nothing yet.
    pub fn new(poset: Poset) -> Self {
        let engine = match poset.len() {
            0..=64 => Engine::W1(Both::new(&poset)),
            65..=128 => Engine::W2(Both::new(&poset)),
            129..=256 => Engine::W4(Both::new(&poset)),
            257..=512 => Engine::W8(Both::new(&poset)),
            _ => Engine::Any(Both::new(&poset)),
        };
        Self { poset, engine }
    }

    /// The poset.
    pub fn poset(&self) -> &Poset {
        &self.poset
    }

    /// The Grundy value of an order ideal.
    ///
    /// # Complexity
    /// Polynomial when the position is N-free; else O(prime positions up to symmetry × elements).
    pub fn grundy(&mut self, position: &ElementSet, monitor: &dyn Monitor) -> Result<u32, StopReason> {
        let n = self.poset.len();
        with!(&self.engine, both => both.normal.grundy(&Words::copied(position, n), monitor))
    }

    /// The outcome of an order ideal.
    pub fn outcome(&mut self, position: &ElementSet, play: Play, monitor: &dyn Monitor) -> Result<Outcome, StopReason> {
        let n = self.poset.len();
        match play {
            Play::Normal => {
                // Strategy stealing: with a greatest or a least element the next player wins.
                if position
                    .members()
                    .any(|x| position.is_subset(self.poset.down(x)) || position.is_subset(self.poset.up(x)))
                {
                    return Ok(Outcome::N);
                }
                Ok(Outcome::p_if(self.grundy(position, monitor)? == 0))
            }
            Play::Misere => {
                with!(&mut self.engine, both => both.misere.outcome(&Words::copied(position, n), &both.normal, monitor))
            }
        }
    }

    /// The elements whose choice is a winning move, in increasing order.
    pub fn winning_moves(
        &mut self,
        position: &ElementSet,
        play: Play,
        monitor: &dyn Monitor,
    ) -> Result<Vec<usize>, StopReason> {
        let mut moves = Vec::new();
        for x in position.members() {
            let option = self.poset.option(position, x);
            if self.outcome(&option, play, monitor)?.is_p() {
                moves.push(x);
            }
        }
        Ok(moves)
    }

    /// How [`Solver::grundy`] finds its answer for this position: by decomposition alone, or by search.
    pub fn method(&self, position: &ElementSet) -> &'static str {
        if nfree::witness(&self.poset, position).is_none() {
            "series-parallel decomposition"
        } else {
            "search with decomposition"
        }
    }

    /// The number of positions remembered.
    pub fn states(&self) -> u64 {
        with!(&self.engine, both => both.normal.states())
    }

    /// The number of automorphisms of the poset in use, the identity included.
    pub fn symmetries(&self) -> usize {
        with!(&self.engine, both => both.normal.symmetries())
    }
}
