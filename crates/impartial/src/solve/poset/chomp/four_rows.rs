//! P-positions of Chomp with at most four rows, by a sieve that walks over the first row.
//!
//! For given a, c and d there is at most one b with (a, b, c, d) a P-position: the least b ≥ c such that
//! * no d′ < d has (a, b, c, d′) in P (a bite in row 4): one bit set for each c;
//! * no c′ < c has (a, b, c′, d) in P (a bite in row 3), and no c′ < d has (a, b, c′, c′) in P (a bite through rows 3 and 4): one bit set for the current d;
//! * no a′ < a has (a′, b, c, d) in P (a bite in row 1): one bit set for each pair (c, d), in which everything below its first free b is forgotten;
//! * no j < b has (j, j, c, d) in P (a bite through rows 1 and 2): after such a *corner* the pair is closed.
//!
//! A P-position (a, j, j, d) ends the walk over c > j, (a, j, j, j) ends the walk over d > j, and (j, j, j, d) closes all pairs (c, d) with c > j. The rows of
//! these have length j at least; shorter bites leave rectangles, which are N-positions, or the poisoned square, which is the P-position (1, 0, 0, 0).
//! So memory is quadratic in n, and no table of triples is kept.

use semilinear::run::{Monitor, StopReason};

/// The longest first row for which the sieve runs.
pub const MAX_FIRST_ROW_OF_FOUR: u64 = 1 << 13;

/// The b that a pair (c, d) has used up.
#[derive(Clone, Debug)]
struct Pair {
    /// The words before this one are used up, and no longer kept.
    base: u32,
    /// The words kept before this one are full.
    full: u32,
    /// The corner j, when (j, j, c, d) is a P-position; else the largest number.
    corner: u32,
    finished: bool,
    words: Vec<u64>,
}

impl Pair {
    fn new(c: usize) -> Self {
        Self { base: small(c / 64), full: 0, corner: u32::MAX, finished: false, words: Vec::new() }
    }

    /// The first word that is not full.
    #[inline]
    fn start(&self) -> usize {
        (self.base + self.full) as usize
    }

    /// The word at a place from [`Pair::start`] on; b < c are taken in the sets of all pairs with c.
    #[inline]
    fn word(&self, place: usize) -> u64 {
        self.words.get(place - self.base as usize).copied().unwrap_or(0)
    }

    /// Uses b, from the first row a.
    #[inline]
    fn insert(&mut self, a: usize, b: usize, c: usize) {
        if self.words.is_empty() {
            self.words.push((1 << (c % 64)) - 1);
        }
        let place = b / 64 - self.base as usize;
        if self.words.len() <= place {
            self.words.resize(place + 1, 0);
        }
        self.words[place] |= 1 << (b % 64);
        while self.words.get(self.full as usize) == Some(&u64::MAX) {
            self.full += 1;
        }
        if 2 * self.full as usize > self.words.len() {
            self.words.drain(..self.full as usize);
            // What follows is free: an empty list would be taken for a new pair.
            if self.words.is_empty() {
                self.words.push(0);
            }
            self.base += self.full;
            self.full = 0;
        }
        if a == b {
            self.corner = small(a);
        }
        if self.corner != u32::MAX
            && 64 * self.start() + self.word(self.start()).trailing_ones() as usize > self.corner as usize
        {
            self.finished = true;
            self.words = Vec::new();
        }
    }
}

/// The b that are taken for one a and one c, or for one a and one d.
#[derive(Clone, Debug, Default)]
struct Taken {
    words: Vec<u64>,
    full: usize,
}

impl Taken {
    /// All b < `from`, and all b > a.
    fn reset(&mut self, from: usize, a: usize) {
        self.words.clear();
        self.words.resize(from / 64, u64::MAX);
        self.words.resize(a / 64 + 1, 0);
        self.words[from / 64] |= (1 << (from % 64)) - 1;
        self.words[a / 64] |= (u64::MAX << 1) << (a % 64);
        self.full = from / 64;
        self.skip_full();
    }

    #[inline]
    fn insert(&mut self, b: usize) {
        self.words[b / 64] |= 1 << (b % 64);
        self.skip_full();
    }

    #[inline]
    fn skip_full(&mut self) {
        while self.words.get(self.full) == Some(&u64::MAX) {
            self.full += 1;
        }
    }
}

/// The least b that is free in all three sets.
#[inline]
fn least_free(one: &Taken, other: &Taken, pair: &Pair) -> Option<usize> {
    let start = one.full.max(other.full).max(pair.start());
    (start..one.words.len()).find_map(|place| {
        let word = one.words[place] | other.words[place] | pair.word(place);
        (word != u64::MAX).then(|| 64 * place + word.trailing_ones() as usize)
    })
}

/// Calls `visit([a, b, c, d])` for every P-position with a ≤ n, c ≤ `third` and d ≤ `fourth`, those with a shorter first row first.
///
/// ```
/// use impartial::{run::Unlimited, solve::poset::chomp::four_rows};
/// let mut found = Vec::new();
/// four_rows(3, 3, 3, &Unlimited, |rows| found.push(rows)).unwrap();
/// found.sort();
/// assert_eq!(found, [[1, 0, 0, 0], [2, 1, 0, 0], [2, 2, 1, 0], [2, 2, 2, 1], [3, 1, 1, 0], [3, 2, 0, 0], [3, 3, 1, 1]]);
/// ```
///
/// # Complexity
/// At most n³/6 triples (a, c, d), 0.07·n³ of which are looked at for n near 1000; each costs a few steps. About 24·n² bytes and what pairs have not used up.
pub fn four_rows(
    n: u64,
    third: u64,
    fourth: u64,
    monitor: &dyn Monitor,
    mut visit: impl FnMut([u64; 4]),
) -> Result<(), StopReason> {
    if n > MAX_FIRST_ROW_OF_FOUR {
        return Err(StopReason::Size { what: "squares in the first row", limit: MAX_FIRST_ROW_OF_FOUR });
    }
    let number = |n: u64| usize::try_from(n).expect("below 2^13");
    let (n, third) = (number(n), number(third.min(n)));
    let fourth = number(fourth.min(third as u64));
    // The pairs (c, d) of each d, from c = d on, and the longest c that is not closed.
    let mut pairs: Vec<Vec<Pair>> = vec![Vec::new(); fourth + 1];
    let mut longest = vec![third; fourth + 1];
    let mut rows = vec![Taken::default(); third + 1];
    let (mut row, mut both) = (Taken::default(), Taken::default());
    for a in 1..=n {
        monitor.check(cube(a - 1), Some(cube(n)))?;
        for (c, row) in rows.iter_mut().enumerate().take(a + 1) {
            row.reset(c, a);
        }
        // The b with a P-position (a, b, j, j), j < d.
        both.reset(0, a);
        'fourth: for d in 0..=fourth.min(a) {
            row.clone_from(&both);
            if d % 64 == 63 {
                monitor.check(cube(a - 1), Some(cube(n)))?;
            }
            while pairs[d].len() <= longest[d].min(a) - d {
                let c = d + pairs[d].len();
                pairs[d].push(Pair::new(c));
            }
            for (c, pair) in (d..=longest[d].min(a)).zip(&mut pairs[d]) {
                let column = &mut rows[c];
                if pair.finished || column.full == column.words.len() {
                    continue;
                }
                let Some(b) = least_free(column, &row, pair).filter(|&b| b <= pair.corner as usize) else { continue };
                visit([a, b, c, d].map(|row| row as u64));
                pair.insert(a, b, c);
                column.insert(b);
                row.insert(b);
                if c == d {
                    both.insert(b);
                }
                if b == a && c == a {
                    longest[d] = a;
                }
                if b == c {
                    if c == d {
                        break 'fourth;
                    }
                    break;
                }
            }
        }
    }
    Ok(())
}

/// The work for first rows up to a, for the progress.
fn cube(a: usize) -> u64 {
    (a as u64).pow(3)
}

fn small(n: usize) -> u32 {
    u32::try_from(n).expect("below 2^13")
}
