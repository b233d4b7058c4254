//! The front door of the solvers: chooses the road, and the width of the bit sets.

use crate::outcome::{Outcome, Play};
use crate::poset::{ElementSet, Poset, Words};
use semilinear::run::{Monitor, StopReason, Unlimited};

use super::chomp::Chomp;
use super::complex::{Faces, Permutations};
use super::misere::Misere;
use super::nfree;
use super::search::Search;
use super::symmetry::Symmetry;
use super::young::Squares;

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
    road: Road,
    /// The general search, once it is needed.
    general: Option<General>,
}

/// The way to values in normal play.
#[derive(Debug)]
enum Road {
    General,
    /// The poset is a Young diagram without its corner.
    Chomp(Squares, Box<Chomp>),
    /// The poset is the face poset of a complex: Subset Takeaway and its positions.
    Complex(Faces, Box<Search<[u64; 2], Permutations>>),
}

/// From this many points on a complex has too many positions for all values.
const OUTCOMES_ONLY: usize = 7;

/// Sets of one word, two, and so on: each width has an engine of its own, but in browsers, where small code loads sooner, the larger
/// widths share one.
#[derive(Debug)]
enum General {
    W1(Both<[u64; 1]>),
    W2(Both<[u64; 2]>),
    #[cfg(not(target_family = "wasm"))]
    W4(Both<[u64; 4]>),
    #[cfg(not(target_family = "wasm"))]
    W8(Both<[u64; 8]>),
    Any(Both<ElementSet>),
}

#[derive(Debug)]
struct Both<S> {
    normal: Search<S, Symmetry<S>>,
    misere: Misere<S>,
}

impl<S: Words> Both<S> {
    fn new(poset: &Poset, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let symmetry = Symmetry::new(poset, monitor)?;
        Ok(Self { normal: Search::new(poset, symmetry.clone()), misere: Misere::new(poset, symmetry) })
    }
}

impl General {
    fn new(poset: &Poset, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        Ok(match poset.len() {
            0..=64 => Self::W1(Both::new(poset, monitor)?),
            65..=128 => Self::W2(Both::new(poset, monitor)?),
            #[cfg(not(target_family = "wasm"))]
            129..=256 => Self::W4(Both::new(poset, monitor)?),
            #[cfg(not(target_family = "wasm"))]
            257..=512 => Self::W8(Both::new(poset, monitor)?),
            _ => Self::Any(Both::new(poset, monitor)?),
        })
    }

    /// The search that is there, or a new one: finding the symmetries of a large poset takes a while.
    fn of<'a>(place: &'a mut Option<Self>, poset: &Poset, monitor: &dyn Monitor) -> Result<&'a mut Self, StopReason> {
        let general = match place.take() {
            Some(general) => general,
            None => Self::new(poset, monitor)?,
        };
        Ok(place.insert(general))
    }
}

/// Runs the same expression for whichever engine there is.
macro_rules! with {
    ($engine:expr, $both:ident => $body:expr) => {
        match $engine {
            General::W1($both) => $body,
            General::W2($both) => $body,
            #[cfg(not(target_family = "wasm"))]
            General::W4($both) => $body,
            #[cfg(not(target_family = "wasm"))]
            General::W8($both) => $body,
            General::Any($both) => $body,
        }
    };
}

impl Solver {
    /// A solver that knows nothing yet. It recognises Chomp (also as divisors of pᵃqᵇ, or from a file) and
    /// Subset Takeaway (also as square-free divisors), which have engines of their own.
    pub fn new(poset: Poset) -> Self {
        let road = if let Some(squares) = Squares::new(&poset) {
            Road::Chomp(squares, Box::default())
        } else if let Some(faces) = Faces::new(&poset) {
            let search = Search::new(&faces.simplex(), Permutations::new(faces.points()));
            Road::Complex(faces, Box::new(search))
        } else {
            Road::General
        };
        Self { poset, road, general: None }
    }

    /// A solver that uses the general search, whatever the poset is.
    pub fn by_search(poset: Poset) -> Self {
        Self { poset, road: Road::General, general: None }
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
        match &mut self.road {
            Road::Chomp(squares, chomp) => Ok(chomp.grundy(&squares.diagram(position), monitor)?.0),
            Road::Complex(faces, search) => search.grundy(&faces.position(position), monitor),
            Road::General => {
                let n = self.poset.len();
                let general = General::of(&mut self.general, &self.poset, monitor)?;
                with!(general, both => both.normal.grundy(&Words::copied(position, n), monitor))
            }
        }
    }

    /// The outcome of an order ideal.
    pub fn outcome(&mut self, position: &ElementSet, play: Play, monitor: &dyn Monitor) -> Result<Outcome, StopReason> {
        if play == Play::Misere {
            let n = self.poset.len();
            let general = General::of(&mut self.general, &self.poset, monitor)?;
            return with!(general, both => both.misere.outcome(&Words::copied(position, n), &both.normal, monitor));
        }
        // Strategy stealing: with a greatest or a least element the next player wins.
        if position.members().any(|x| position.is_subset(self.poset.down(x)) || position.is_subset(self.poset.up(x))) {
            return Ok(Outcome::N);
        }
        match &mut self.road {
            Road::Chomp(squares, chomp) => Ok(chomp.outcome(&squares.diagram(position), monitor)?.0),
            Road::Complex(faces, search) if faces.points() >= OUTCOMES_ONLY => {
                search.outcome(&faces.position(position), monitor)
            }
            _ => Ok(Outcome::p_if(self.grundy(position, monitor)? == 0)),
        }
    }

    /// The elements whose choice is a winning move, in increasing order.
    pub fn winning_moves(
        &mut self,
        position: &ElementSet,
        play: Play,
        monitor: &dyn Monitor,
    ) -> Result<Vec<usize>, StopReason> {
        if let (Road::Chomp(squares, chomp), Play::Normal) = (&mut self.road, play) {
            // All at once: one table serves every option.
            let after = chomp.winning_moves(&squares.diagram(position), monitor)?.0;
            let wins = |x: &usize| after.contains(&squares.diagram(&self.poset.option(position, *x)));
            return Ok(position.members().filter(wins).collect());
        }
        let mut moves = Vec::new();
        for x in position.members() {
            let option = self.poset.option(position, x);
            if self.outcome(&option, play, monitor)?.is_p() {
                moves.push(x);
            }
        }
        Ok(moves)
    }

    /// How [`Solver::grundy`] finds its answer for this position.
    pub fn method(&self, position: &ElementSet) -> &'static str {
        match self.road {
            _ if nfree::witness(&self.poset, position).is_none() => "series-parallel decomposition",
            Road::Chomp(..) => "Chomp on a Young diagram",
            Road::Complex(..) => "search up to permutations of the points",
            Road::General => "search with decomposition",
        }
    }

    /// The number of positions remembered by searches.
    pub fn states(&self) -> u64 {
        let searched = match &self.road {
            Road::Complex(_, search) => search.states(),
            _ => 0,
        };
        searched + self.general.as_ref().map_or(0, |general| with!(general, both => both.normal.states()))
    }

    /// The number of symmetries in use, the identity included: automorphisms of the poset, or permutations of
    /// the points of a complex.
    pub fn symmetries(&mut self) -> usize {
        if let Road::Complex(_, search) = &self.road {
            return search.symmetries();
        }
        let general = General::of(&mut self.general, &self.poset, &Unlimited).expect("no limits");
        with!(general, both => both.normal.symmetries())
    }
}
