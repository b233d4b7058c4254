//! Assumption (3) of the paper: elements of the chains are moved into A until every element of A is
//! below a whole chain or comparable with nothing in it.

use super::{Board, ChainsError, ChainsGame, Meeting, Skeleton};

/// How an element of A lies to the chains when assumption (3) holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementType {
    /// Below C and below D.
    One,
    /// Below C, comparable with nothing in D.
    Two,
    /// Comparable with nothing in C, below D.
    Three,
    /// Comparable with nothing in C and in D.
    Four,
}

/// A game in normal form: c₁ … c_u and d₁ … d_v have become elements of A.
///
/// f of the game and f′ of its normal form satisfy f(m) = v + f′(m − u) whenever m ≥ u and f(m) ≥ v.
///
/// ```
/// use impartial::poset::chains::ChainsGame;
/// let normal = ChainsGame::chomp(&[3]).unwrap().normal_form().unwrap().unwrap();
/// assert_eq!((normal.u, normal.v), (3, 2));
/// assert_eq!(normal.skeleton.len(), 8);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalForm {
    /// The poset with more elements.
    pub skeleton: Skeleton,
    /// How many elements of C were moved.
    pub u: u64,
    /// How many elements of D were moved.
    pub v: u64,
}

impl NormalForm {
    /// How each element lies to the chains.
    pub fn types(&self) -> Vec<ElementType> {
        (0..self.skeleton.len())
            .map(|a| match (self.skeleton.meets_c(a).0, self.skeleton.meets_d(a).0) {
                (Some(_), Some(_)) => ElementType::One,
                (Some(_), None) => ElementType::Two,
                (None, Some(_)) => ElementType::Three,
                (None, None) => ElementType::Four,
            })
            .collect()
    }

    /// The normal form as a game of its own.
    pub fn game(&self, name: String) -> ChainsGame {
        ChainsGame { name, board: Board::Poset(self.skeleton.clone()), chains: 2 }
    }
}

impl ChainsGame {
    /// The normal form of the paper's section 5, in one pass instead of four steps; `None` when some
    /// element of C lies above all of D (then only finitely many elements of C are in any position).
    pub fn normal_form(&self) -> Result<Option<NormalForm>, ChainsError> {
        let skeleton = self.skeleton()?;
        let cross = skeleton.cross();
        if cross.rule().is_none() {
            return Ok(None);
        }
        let size = skeleton.len();
        let needed = |meets: &dyn Fn(usize) -> (Option<u64>, u64)| {
            (0..size).map(|a| meets(a).1.max(meets(a).0.map_or(0, |first| first - 1))).max().unwrap_or(0)
        };
        let mut u = needed(&|a| skeleton.meets_c(a));
        let mut v = needed(&|a| skeleton.meets_d(a));
        // Every moved d that is below some c must be below the first c that stays: go on while
        // φ(u + 1) < min(v, sup φ).
        u = match cross.last_at_most(v.saturating_sub(1)) {
            _ if v == 0 => u,
            Some(last) => u.max(last),
            None => {
                let top = cross.at(cross.regular_from() + cross.period()).unwrap_or(0);
                if top == 0 { u } else { u.max(cross.last_at_most(top - 1).unwrap_or(0)) }
            }
        };
        v = v.max(cross.at(u).unwrap_or(0));
        let total = size as u64 + u + v;
        if total > super::MOST_ELEMENTS as u64 {
            return Err(ChainsError::TooManyElements {
                size: usize::try_from(total).unwrap_or(usize::MAX),
                limit: super::MOST_ELEMENTS,
            });
        }
        let (u_size, v_size) = (usize::try_from(u).unwrap_or(0), usize::try_from(v).unwrap_or(0));
        let shifted = cross.shifted(u, v);
        let mut names = skeleton.names().to_vec();
        names.extend((1..=u).map(|i| format!("c{i}")));
        names.extend((1..=v).map(|j| format!("d{j}")));
        let c_index = |i: u64| size + usize::try_from(i - 1).unwrap_or(0);
        let d_index = |j: u64| size + u_size + usize::try_from(j - 1).unwrap_or(0);
        let mut relations = Vec::new();
        for a in 0..size {
            relations.extend((0..size).filter(|&b| skeleton.less(a, b)).map(|b| (a, b)));
            for (index, count, (first, below)) in
                [(&c_index as &dyn Fn(u64) -> usize, u, skeleton.meets_c(a)), (&d_index, v, skeleton.meets_d(a))]
            {
                relations.extend(first.into_iter().flat_map(|first| first..=count).map(|i| (a, index(i))));
                relations.extend((1..=below).map(|i| (index(i), a)));
            }
        }
        relations.extend((1..u).map(|i| (c_index(i), c_index(i + 1))));
        relations.extend((1..v).map(|j| (d_index(j), d_index(j + 1))));
        for i in 1..=u {
            relations.extend((1..=cross.at(i).unwrap_or(0).min(v)).map(|j| (d_index(j), c_index(i))));
        }
        let below = |yes: bool| Meeting { first_above: yes.then_some(1), below: Some(0) };
        let mut c: Vec<_> = (0..size).map(|a| below(skeleton.meets_c(a).0.is_some())).collect();
        c.extend(vec![below(true); u_size]);
        c.extend((1..=v).map(|j| below(cross.last_at_most(j - 1).is_some())));
        let mut d: Vec<_> = (0..size).map(|a| below(skeleton.meets_d(a).0.is_some())).collect();
        d.extend(vec![below(false); u_size]);
        d.extend(vec![below(true); v_size]);
        Ok(Some(NormalForm { skeleton: Skeleton::new(names, &relations, c, d, shifted)?, u, v }))
    }
}
