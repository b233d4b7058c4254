//! What the values known so far look like in their best sparse space.

use super::space::Space;
use super::values::{Lane, in_lanes};
use super::{Moves, Sequence};

/// The rare heaps of a sparse space among the known values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RareHeaps {
    /// The mask of the space.
    pub mask: u32,
    /// Whether the parity of the heap counts.
    pub parity: bool,
    /// How many heaps are rare.
    pub heaps: usize,
    /// The last of them; 0 when there is none.
    pub last: usize,
}

impl Sequence {
    /// The rare heaps of the space in which they are fewest, for a finite code that leaves at most two heaps.
    ///
    /// ```
    /// use semilinear::run::Unlimited;
    /// use impartial::solve::sequence::{Engine, Sequence};
    /// let mut officers = Sequence::new("0.6".parse().unwrap(), Engine::Auto);
    /// officers.extend(30_000, &Unlimited).unwrap();
    /// let rare = officers.rare_heaps().unwrap();
    /// assert_eq!((rare.mask, rare.heaps, rare.last), (0x1ee, 1583, 20_627));
    /// ```
    ///
    /// # Complexity
    /// O(n + b·2ᵇ) for n values of b bits.
    pub fn rare_heaps(&self) -> Option<RareHeaps> {
        let moves = self.moves.as_ref().filter(|moves| moves.splits_in_two())?;
        in_lanes!(&self.values, list => fewest(moves, list))
    }
}

fn fewest<L: Lane>(moves: &Moves, values: &[L]) -> Option<RareHeaps> {
    let (space, heaps) = Space::best(moves, values)?;
    let last = (1..values.len()).rev().find(|&n| !space.common(values[n].into(), n)).unwrap_or(0);
    Some(RareHeaps { mask: space.mask, parity: space.sigma, heaps, last })
}
