//! P-positions of Chomp with at most three rows, by a sieve that walks over the first row.
//!
//! For given p and r there is at most one q with (p, q, r) a P-position: the least q ≥ r such that
//! * no r′ < r has (p, q, r′) in P (a bite in row 3): one bit set `taken` for the current p;
//! * no p′ < p has (p′, q, r) in P (a bite in row 1): one bit set for each r, in which everything
//!   below its first free q is forgotten;
//! * no j < q has (j, j, r) in P (a bite through rows 1 and 2): after such a *corner* r is closed;
//! * no j < r has (p, j, j) in P (a bite through rows 2 and 3): after it the walk over r ends.
//!
//! For r below about p/1.71 the bit set of r is a few words, and r with a corner is finished; the rest,
//! about 0.12·p values of r, have some 0.4·r bits each. So the memory is linear in n but for a very
//! small quadratic part (about 4·10⁻³ n² bytes: 40 MB for n = 10⁵), and no table of pairs is kept.

use semilinear::run::{Monitor, StopReason};

/// The longest first row for which the sieve runs.
pub const MAX_FIRST_ROW: u64 = 1 << 22;

/// How many p are walked over together.
const BATCH: usize = 16;

/// The q that a fixed r has used up, as bits from `offset` words on; all before are used.
#[derive(Debug, Default)]
struct Used {
    r: usize,
    /// The absolute word where `words` begins.
    offset: usize,
    /// The index in `words` of the first word that has a free bit (or the end).
    head: usize,
    words: Vec<u64>,
    /// The corner j, when (j, j, r) is a P-position.
    corner: Option<usize>,
}

impl Used {
    fn new(r: usize) -> Self {
        Self { r, offset: r / 64, head: 0, words: vec![(1 << (r % 64)) - 1], corner: None }
    }

    /// The least q from the set's first free one on that is neither used nor `taken`.
    #[inline]
    fn least_free(&self, taken: &[u64]) -> usize {
        let start = self.offset + self.head;
        let own = &self.words[self.head..];
        let both = own.len().min(taken.len().saturating_sub(start));
        let mut at = 0;
        // Eight words at a time: long runs are full.
        for (a, b) in own[..both].chunks_exact(8).zip(taken[start..start + both].chunks_exact(8)) {
            if a.iter().zip(b).fold(u64::MAX, |all, (x, y)| all & (x | y)) != u64::MAX {
                break;
            }
            at += 8;
        }
        for i in at..both {
            let word = own[i] | taken[start + i];
            if word != u64::MAX {
                return 64 * (start + i) + word.trailing_ones() as usize;
            }
        }
        // Beyond its own words nothing is used.
        for (i, word) in taken.iter().enumerate().skip(start + both) {
            if *word != u64::MAX {
                return 64 * i + word.trailing_ones() as usize;
            }
        }
        64 * taken.len()
    }

    #[inline]
    fn insert(&mut self, q: usize) {
        let at = q / 64 - self.offset;
        if at >= self.words.len() {
            self.words.resize(at + 1, 0);
        }
        self.words[at] |= 1 << (q % 64);
        if at == self.head {
            while self.words.get(self.head) == Some(&u64::MAX) {
                self.head += 1;
            }
            if self.head > 32 && 2 * self.head > self.words.len() {
                self.words.drain(..self.head);
                self.offset += self.head;
                self.head = 0;
            }
        }
    }

    /// Whether no q is used.
    fn untouched(&self) -> bool {
        self.words.len() == 1 && self.offset == self.r / 64 && self.words[0] >> (self.r % 64) == 0
    }

    /// Whether every q up to the corner is used.
    fn finished(&self) -> bool {
        self.corner.is_some_and(|corner| {
            let first_free = match self.words.get(self.head) {
                Some(word) => 64 * (self.offset + self.head) + word.trailing_ones() as usize,
                None => 64 * (self.offset + self.words.len()),
            };
            first_free > corner
        })
    }
}

/// Calls `visit(p, q, r)` for every P-position with p ≤ n (and r ≤ `third`, if that is given), in no
/// particular order.
///
/// ```
/// use impartial::{run::Unlimited, solve::poset::chomp::three_rows};
/// let mut found = Vec::new();
/// three_rows(3, None, &Unlimited, |p, q, r| found.push((p, q, r))).unwrap();
/// found.sort();
/// assert_eq!(found, [(1, 0, 0), (2, 1, 0), (2, 2, 1), (3, 1, 1), (3, 2, 0)]);
/// ```
///
/// # Complexity
/// About 0.18·n² P-positions; each costs a few steps for r < p/1.71, and else a scan of at most 0.4·r bits.
pub fn three_rows(
    n: u64,
    third: Option<u64>,
    monitor: &dyn Monitor,
    mut visit: impl FnMut(u64, u64, u64),
) -> Result<(), StopReason> {
    if n > MAX_FIRST_ROW {
        return Err(StopReason::Size { what: "squares in the first row", limit: MAX_FIRST_ROW });
    }
    let n = usize::try_from(n).expect("below 2^22");
    let third = usize::try_from(third.unwrap_or(n as u64).min(n as u64)).expect("below 2^22");
    let stride = n / 64 + 1;
    let mut taken = vec![0_u64; BATCH * stride];
    let mut open: Vec<Used> = Vec::new();
    let mut next_r = 0;
    // A batch of p at a time, r by r: the bits of r stay in the cache while all p of the batch use them.
    for start in (1..=n).step_by(BATCH) {
        monitor.check((start * start) as u64, Some((n * n) as u64))?;
        let mut alive: Vec<usize> = (start..=n.min(start + BATCH - 1)).collect();
        taken.fill(0);
        let mut finished = false;
        let mut at = 0;
        while !alive.is_empty() {
            if at == open.len() {
                if next_r > third || next_r > n {
                    break;
                }
                open.push(Used::new(next_r));
                next_r += 1;
            }
            let used = &mut open[at];
            let r = used.r;
            alive.retain(|&p| {
                if r > p {
                    return false;
                }
                let words = p / 64 + 1;
                let taken = &mut taken[(p - start) * stride..][..words];
                let q = used.least_free(taken);
                if q <= used.corner.unwrap_or(p).min(p) {
                    visit(p as u64, q as u64, r as u64);
                    taken[q / 64] |= 1 << (q % 64);
                    used.insert(q);
                    if q == p {
                        used.corner = Some(p);
                    }
                    return q != r;
                }
                // When nothing is used for this r, every q from r to p is taken: it stays so for larger r.
                !used.untouched()
            });
            finished |= used.finished();
            at += 1;
        }
        if finished {
            open.retain(|used| !used.finished());
        }
    }
    Ok(())
}
