//! The finite part A of an explicit chains game, and where its elements meet the chains C and D.

use super::{ChainsError, Cross, LARGEST};

/// The largest number of elements of A in a game file.
pub const MOST_ELEMENTS: usize = 512;

/// Where one element of A meets one chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meeting {
    /// The first element of the chain above it; `None` when no element of the chain is.
    pub first_above: Option<u64>,
    /// How many elements of the chain are below it; `None` when all are.
    pub below: Option<u64>,
}

impl Meeting {
    /// An element that is comparable with nothing in the chain.
    pub const FREE: Self = Self { first_above: None, below: Some(0) };
}

/// A finite poset A with chains C and D: everything closed under transitivity, condition (1) checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skeleton {
    names: Vec<String>,
    /// `less[a][b]`: a < b.
    less: Vec<Vec<bool>>,
    c: Vec<(Option<u64>, u64)>,
    d: Vec<(Option<u64>, u64)>,
    cross: Cross,
}

impl Skeleton {
    /// Closes the relations under transitivity and checks that they are a partial order with
    /// condition (1): no element of C below an element of D. Elements above a whole chain are in no
    /// position and are left out.
    ///
    /// # Complexity
    /// O(|A|³) for each round of the closure, at most |A| + 2 rounds.
    pub fn new(
        names: Vec<String>,
        relations: &[(usize, usize)],
        c: Vec<Meeting>,
        d: Vec<Meeting>,
        cross: Cross,
    ) -> Result<Self, ChainsError> {
        let size = names.len();
        if size > MOST_ELEMENTS {
            return Err(ChainsError::TooManyElements { size, limit: MOST_ELEMENTS });
        }
        for (name, chain, meeting) in
            (0..size).flat_map(|a| [(a, 'c', c[a]), (a, 'd', d[a])]).map(|(a, chain, m)| (&names[a], chain, m))
        {
            if meeting.first_above == Some(0) {
                return Err(ChainsError::Zero { name: name.clone(), chain });
            }
            if let Some(number) = [meeting.first_above, meeting.below].into_iter().flatten().find(|&x| x > LARGEST) {
                return Err(ChainsError::Large { name: name.clone(), number });
            }
        }
        let mut less = vec![vec![false; size]; size];
        for &(a, b) in relations {
            less[a][b] = true;
        }
        let mut all = Self { names, less, c: Vec::new(), d: Vec::new(), cross };
        let (mut c, mut d) = (c, d);
        while all.close(&mut c, &mut d) {}
        all.check(&c, &d)?;
        // What lies above a whole chain is in no position.
        let keep: Vec<usize> = (0..size).filter(|&a| c[a].below.is_some() && d[a].below.is_some()).collect();
        Ok(Self {
            names: keep.iter().map(|&a| all.names[a].clone()).collect(),
            less: keep.iter().map(|&a| keep.iter().map(|&b| all.less[a][b]).collect()).collect(),
            c: keep.iter().map(|&a| (c[a].first_above, c[a].below.unwrap_or(0))).collect(),
            d: keep.iter().map(|&a| (d[a].first_above, d[a].below.unwrap_or(0))).collect(),
            cross: all.cross,
        })
    }

    /// One round of the transitive closure; says whether anything changed.
    fn close(&mut self, c: &mut [Meeting], d: &mut [Meeting]) -> bool {
        let size = self.names.len();
        let mut changed = false;
        for k in 0..size {
            for a in 0..size {
                if self.less[a][k] {
                    for b in 0..size {
                        if self.less[k][b] && !self.less[a][b] {
                            self.less[a][b] = true;
                            changed = true;
                        }
                    }
                }
            }
        }
        let mut lower = |old: &mut Option<u64>, new: Option<u64>| {
            if new.is_some_and(|new| old.is_none_or(|old| new < old)) {
                *old = new;
                changed = true;
            }
        };
        for a in 0..size {
            // a < d_j < c_i.
            let through_d = d[a].first_above.and_then(|j| self.cross.last_at_most(j - 1)).map(|i| i + 1);
            lower(&mut c[a].first_above, through_d);
            for b in (0..size).filter(|&b| self.less[a][b]) {
                let (in_c, in_d) = (c[b].first_above, d[b].first_above);
                lower(&mut c[a].first_above, in_c);
                lower(&mut d[a].first_above, in_d);
            }
        }
        let mut raise = |old: &mut Option<u64>, new: Option<u64>| {
            if old.is_some_and(|old| new.is_none_or(|new| new > old)) {
                *old = new;
                changed = true;
            }
        };
        for b in 0..size {
            // d_j < c_i < b.
            if let Some(i) = c[b].below {
                raise(&mut d[b].below, self.cross.at(i));
            }
            for a in (0..size).filter(|&a| self.less[a][b]) {
                let (in_c, in_d) = (c[a].below, d[a].below);
                raise(&mut c[b].below, in_c);
                raise(&mut d[b].below, in_d);
            }
        }
        for a in 0..size {
            for b in 0..size {
                let between =
                    |m: &[Meeting]| m[a].first_above.is_some_and(|first| m[b].below.is_none_or(|below| first <= below));
                if !self.less[a][b] && (between(c) || between(d)) {
                    self.less[a][b] = true;
                    changed = true;
                }
            }
        }
        changed
    }

    fn check(&self, c: &[Meeting], d: &[Meeting]) -> Result<(), ChainsError> {
        let size = self.names.len();
        for a in 0..size {
            if self.less[a][a] {
                return Err(ChainsError::Cycle(self.names[a].clone()));
            }
            // c_1 < a < d_j.
            if let (Some(j), None | Some(1..)) = (d[a].first_above, c[a].below) {
                return Err(ChainsError::Violates1 { through: self.names[a].clone(), d: j });
            }
            // d_j < a < c_i needs j ≤ φ(i).
            if let Some(i) = c[a].first_above {
                let needed = d[a].below;
                let given = self.cross.at(i);
                if given.is_some_and(|given| needed.is_none_or(|needed| needed > given)) {
                    return Err(ChainsError::CrossTooSmall {
                        through: self.names[a].clone(),
                        c: i,
                        needed,
                        given: given.unwrap_or(0),
                    });
                }
            }
        }
        Ok(())
    }

    /// Number of elements of A.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether A is empty.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The names of the elements of A.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether a < b.
    pub fn less(&self, a: usize, b: usize) -> bool {
        self.less[a][b]
    }

    /// The first c above `a`, and the number of c below it.
    pub fn meets_c(&self, a: usize) -> (Option<u64>, u64) {
        self.c[a]
    }

    /// The first d above `a`, and the number of d below it.
    pub fn meets_d(&self, a: usize) -> (Option<u64>, u64) {
        self.d[a]
    }

    /// How D lies below C.
    pub fn cross(&self) -> &Cross {
        &self.cross
    }
}
