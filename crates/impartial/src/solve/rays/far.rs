//! Values in rows far out, for symmetric games with the queen's rays.
//!
//! The pairs a ≤ b of one value are made in the order of a, and what is made at a depends on three things near by: which rows are taken by pairs made near
//! a/φ, which differences b − a are taken, and which rows b ≈ φa. So rows near a follow from rows near a/φ when a few hundred rows before them
//! are made as well and forgotten: by then what was unknown at the first of them no longer matters. That it no longer matters is a guess, and good enough for data.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use semilinear::run::{Monitor, StopReason};

use crate::lattice::RayGame;

/// The golden ratio and its inverse, times 2⁶⁴: products are right to a row for rows below 2⁶⁰.
const PHI: u128 = 0x1_9e37_79b9_7f4a_7c15;
const INVERSE: u128 = 0x9e37_79b9_7f4a_7c15;
/// Rows made and forgotten before those that are asked for; and for single positions beyond some row, where a slip would matter.
const BURN: u64 = 400;
const LONG_BURN: u64 = 6000;
const LONG_FROM: u64 = 1 << 54;
/// An element (a, b) with a ≤ b has |b − φa| less than this.
const STRIP: i64 = 60;
/// Rows in a remembered block.
const BLOCK: u64 = 1 << 11;
/// Blocks that are remembered.
const BLOCKS: usize = 1 << 15;
/// Rows are less than this.
const LARGEST: u64 = 1 << 58;

/// For each value the partner of each row: y with (x, y) of that value.
#[derive(Debug)]
pub(super) struct Far {
    top: usize,
    rules: Vec<[u64; 2]>,
    /// The first rows, exact: for each value, 2(y − ⌊φx⌋) where y ≥ x, and 2(y − ⌊x/φ⌋) + 1 where y < x.
    first: Vec<Vec<i8>>,
    /// Of how many of the first rows x is the partner y ≥ x: for each value, before every 1024th row.
    leading: Vec<Vec<u64>>,
    /// Differences that no pair of a value has, among those far behind.
    unused: Vec<u64>,
    /// Pairs (a, a) of each value.
    equal: Vec<u64>,
    blocks: RefCell<FxHashMap<u64, Rc<Block>>>,
}

/// A block of rows: for each value how many pairs a ≤ b have a smaller a, and the partner of each row as in `first`.
#[derive(Debug)]
struct Block {
    before: Vec<u64>,
    codes: Vec<Vec<i16>>,
}

/// The pairs a ≤ b of each value with a in a range, and how many there are before it.
struct Segment {
    before: Vec<u64>,
    pairs: Vec<Vec<(u64, u64)>>,
}

fn times(slope: u128, x: u64) -> u64 {
    u64::try_from((slope * u128::from(x)) >> 64).unwrap_or(u64::MAX)
}

impl Far {
    /// The values 0, …, `top`, the first `rows` rows exactly. `None` when the game is of another kind, or its pairs do not follow the golden ratio.
    pub(super) fn new(
        game: &RayGame,
        rows: usize,
        top: usize,
        monitor: &dyn Monitor,
    ) -> Result<Option<Self>, StopReason> {
        let mut rays = game.rays().to_vec();
        rays.sort_unstable();
        let others = game.terminal().len() + game.regions().len();
        if rays != [[0, 1], [1, 0], [1, 1]] || !game.is_symmetric() || others > 0 {
            return Ok(None);
        }
        let entry = |x: i64| u64::try_from(x).unwrap_or(u64::MAX);
        let rules = game.rules().iter().map(|rule| [entry(rule[0]), entry(rule[1])]).collect();
        let mut far = Self {
            top,
            rules,
            first: Vec::new(),
            leading: Vec::new(),
            unused: Vec::new(),
            equal: Vec::new(),
            blocks: RefCell::default(),
        };
        let defeated: Vec<(u64, u64)> = game.defeated().iter().map(|p| (entry(p[0]), entry(p[1]))).collect();
        // Whole blocks.
        let rows = (rows as u64).next_multiple_of(BLOCK);
        Ok(far.make_first(rows, &defeated, monitor)?.then_some(far))
    }

    /// Makes the first rows; `false` when they leave the strip.
    fn make_first(&mut self, rows: u64, defeated: &[(u64, u64)], monitor: &dyn Monitor) -> Result<bool, StopReason> {
        let mut maker = Maker::new(self, 0, rows, &vec![0; self.top + 1], &vec![0; self.top + 1]);
        maker.defeated = defeated;
        let size = usize::try_from(rows).unwrap_or(0);
        let mut first = vec![vec![i8::MIN; size]; self.top + 1];
        for m in 0..rows {
            if m % 65536 == 0 {
                monitor.check(m, Some(rows))?;
            }
            for (g, row) in first.iter_mut().enumerate() {
                let Some(b) = maker.place(g, m) else { continue };
                let (up, down) = (Self::code(m, b), Self::code(b, m));
                let (Some(up), Some(down)) = (up, down) else { return Ok(false) };
                row[usize::try_from(m).unwrap_or(0)] = up;
                if b != m && b < rows {
                    row[usize::try_from(b).unwrap_or(0)] = down;
                    maker.taken[g].set(b);
                }
            }
        }
        let unused = maker.unused;
        self.unused = unused;
        for row in &first {
            if row.contains(&i8::MIN) {
                return Ok(false);
            }
            let (mut leading, mut sum, mut equal) = (Vec::new(), 0, 0);
            for (x, code) in row.iter().enumerate() {
                if x % 1024 == 0 {
                    leading.push(sum);
                }
                sum += u64::from(code & 1 == 0);
                equal += u64::from(Self::decode(x as u64, i16::from(*code)) == x as u64);
            }
            self.leading.push(leading);
            self.equal.push(equal);
        }
        self.first = first;
        Ok(true)
    }

    /// How a partner is written.
    fn code(x: u64, y: u64) -> Option<i8> {
        let (near, class) = if y >= x { (times(PHI, x), 0) } else { (times(INVERSE, x), 1) };
        let offset = y.wrapping_sub(near).cast_signed();
        (-STRIP < offset && offset < STRIP).then(|| i8::try_from(2 * offset + class).unwrap_or(0))
    }

    fn decode(x: u64, code: i16) -> u64 {
        let near = if code & 1 == 0 { times(PHI, x) } else { times(INVERSE, x) };
        near.wrapping_add_signed(i64::from(code >> 1))
    }

    fn exact(&self) -> u64 {
        self.first[0].len() as u64
    }

    /// The pairs with a in [lo, hi), each row from rows that are made for it alone.
    fn segment(&self, lo: u64, hi: u64, burn: u64) -> Segment {
        if hi <= self.exact() {
            return self.exact_segment(lo, hi);
        }
        let from = lo.saturating_sub(burn);
        let (low, high) = Self::takers(from, hi);
        self.extend(lo, hi, from, &self.segment(low, high, burn))
    }

    fn exact_segment(&self, lo: u64, hi: u64) -> Segment {
        let index = |x: u64| usize::try_from(x).unwrap_or(0);
        let mut found = Segment { before: Vec::new(), pairs: Vec::new() };
        for (row, leading) in self.first.iter().zip(&self.leading) {
            let last = lo / 1024 * 1024;
            let extra = row[index(last)..index(lo)].iter().filter(|&&code| code & 1 == 0).count() as u64;
            found.before.push(leading[index(lo / 1024)] + extra);
            let pairs = (lo..hi).filter(|&x| row[index(x)] & 1 == 0);
            found.pairs.push(pairs.map(|x| (x, Self::decode(x, i16::from(row[index(x)])))).collect());
        }
        found
    }

    /// The rows a whose pairs (a, b) can have b in [from, hi).
    fn takers(from: u64, hi: u64) -> (u64, u64) {
        let margin = STRIP.unsigned_abs();
        (times(INVERSE, from).saturating_sub(margin), times(INVERSE, hi) + margin)
    }

    /// The pairs with a in [lo, hi), from remembered blocks: rows at all scales between are made once.
    fn remembered_segment(&self, lo: u64, hi: u64) -> Segment {
        if hi <= self.exact() {
            return self.exact_segment(lo, hi);
        }
        let mut found: Option<Segment> = None;
        for number in lo / BLOCK..=(hi - 1) / BLOCK {
            let (from, to) = (lo.max(number * BLOCK), hi.min((number + 1) * BLOCK));
            let part =
                if to <= self.exact() { self.exact_segment(from, to) } else { self.block_segment(number, from, to) };
            match &mut found {
                None => found = Some(part),
                Some(found) => {
                    found.pairs.iter_mut().zip(part.pairs).for_each(|(all, more)| all.extend(more));
                }
            }
        }
        found.expect("at least one block")
    }

    /// The pairs with a in [from, to), a part of one block.
    fn block_segment(&self, number: u64, from: u64, to: u64) -> Segment {
        let (block, start) = (self.remembered(number), number * BLOCK);
        let mut found = Segment { before: Vec::new(), pairs: Vec::new() };
        for (before, codes) in block.before.iter().zip(&block.codes) {
            let leading = (start..).zip(codes).filter(|(_, code)| **code & 1 == 0 && **code != i16::MIN);
            let (mut skipped, mut pairs) = (0, Vec::new());
            for (x, &code) in leading.take_while(|&(x, _)| x < to) {
                if x < from {
                    skipped += 1;
                } else {
                    pairs.push((x, Self::decode(x, code)));
                }
            }
            found.before.push(before + skipped);
            found.pairs.push(pairs);
        }
        found
    }

    fn extend(&self, lo: u64, hi: u64, from: u64, lower: &Segment) -> Segment {
        // Rows before `from` are those of an a, or of a b > a: the latter are counted by their pairs.
        let count = |g: usize| {
            let within = lower.pairs[g].partition_point(|&(a, _)| times(PHI, a) + STRIP.unsigned_abs() < from);
            let near = lower.pairs[g][within..].iter().filter(|&&(_, b)| b < from).count();
            from - (lower.before[g] + (within + near) as u64 - self.equal[g])
        };
        let before: Vec<u64> = (0..=self.top).map(count).collect();
        let mut maker = Maker::new(self, from, hi, &before, &self.unused);
        for (g, pairs) in lower.pairs.iter().enumerate() {
            for &(_, b) in pairs {
                maker.taken[g].set(b);
            }
        }
        let mut found = Segment { before, pairs: vec![Vec::new(); self.top + 1] };
        for m in from..hi {
            for g in 0..=self.top {
                match maker.place(g, m) {
                    Some(b) if m >= lo => found.pairs[g].push((m, b)),
                    Some(_) => found.before[g] += 1,
                    None => {}
                }
            }
        }
        found
    }

    fn block(&self, number: u64) -> Block {
        let (lo, hi) = (number * BLOCK, (number + 1) * BLOCK);
        let from = lo.saturating_sub(BURN);
        let (low, high) = Self::takers(from, hi);
        let lower = self.remembered_segment(low, high);
        let segment = self.extend(lo, hi, from, &lower);
        let code = |x: u64, y: u64| Self::code(x, y).map_or(i16::MIN, i16::from);
        let index = |x: u64| usize::try_from(x - lo).unwrap_or(0);
        let mut codes = vec![vec![i16::MIN; usize::try_from(BLOCK).unwrap_or(0)]; self.top + 1];
        for (g, codes) in codes.iter_mut().enumerate() {
            for &(a, b) in &segment.pairs[g] {
                codes[index(a)] = code(a, b);
            }
            for &(a, b) in lower.pairs[g].iter().filter(|(_, b)| (lo..hi).contains(b)) {
                codes[index(b)] = code(b, a);
            }
        }
        Block { before: segment.before, codes }
    }

    /// Calls `found` with the elements (x, y) of the last value in a box, by x. `None` when the box lies too far out.
    pub(super) fn elements(&self, corner: &[u64], sizes: &[u64], found: &mut dyn FnMut(u64, u64)) -> Option<()> {
        let ends = [corner[0] + sizes[0], corner[1] + sizes[1]];
        if ends[0] >= LARGEST || ends[1] >= LARGEST {
            return None;
        }
        // The rows whose elements below, and above, the diagonal can lie in the box.
        let margin = 2 * STRIP.unsigned_abs();
        let strip = |slope: u128| {
            let lo = times(slope, corner[1]).saturating_sub(margin).max(corner[0]);
            (lo, (times(slope, ends[1]) + margin).min(ends[0]))
        };
        let (above, below) = (strip(INVERSE), strip(PHI));
        let (first, second) =
            if above.1 >= below.0 { ((above.0.min(below.0), above.1.max(below.1)), (0, 0)) } else { (above, below) };
        for (lo, hi) in [first, second] {
            let mut x = lo;
            while x < hi {
                let end = hi.min((x / BLOCK + 1) * BLOCK);
                let mut each = |x: u64, code: i16| {
                    let y = Self::decode(x, code);
                    if (corner[1]..ends[1]).contains(&y) {
                        found(x, y);
                    }
                };
                if end <= self.exact() {
                    let codes = &self.first[self.top][usize::try_from(x).ok()?..usize::try_from(end).ok()?];
                    (x..end).zip(codes).for_each(|(x, &code)| each(x, i16::from(code)));
                } else {
                    let block = self.remembered(x / BLOCK);
                    let codes = &block.codes[self.top][usize::try_from(x % BLOCK).ok()?..];
                    if codes.iter().take(usize::try_from(end - x).ok()?).any(|&code| code == i16::MIN) {
                        return None;
                    }
                    (x..end).zip(codes).for_each(|(x, &code)| each(x, code));
                }
                x = end;
            }
        }
        Some(())
    }

    fn remembered(&self, number: u64) -> Rc<Block> {
        if let Some(block) = self.blocks.borrow().get(&number) {
            return block.clone();
        }
        let block = Rc::new(self.block(number));
        let mut blocks = self.blocks.borrow_mut();
        if blocks.len() > BLOCKS {
            blocks.clear();
        }
        blocks.insert(number, block.clone());
        block
    }

    /// The y with (x, y) of the last value.
    pub(super) fn partner(&self, x: u64) -> Option<u64> {
        if x < self.exact() {
            return Some(Self::decode(x, i16::from(self.first[self.top][usize::try_from(x).ok()?])));
        }
        let code = self.remembered(x / BLOCK).codes[self.top][usize::try_from(x % BLOCK).ok()?];
        (code != i16::MIN).then(|| Self::decode(x, code))
    }

    /// Whether (x, y) has the last value; `None` too far out.
    pub(super) fn contains(&self, x: u64, y: u64) -> Option<bool> {
        let (a, b) = (x.min(y), x.max(y));
        if b >= LARGEST {
            return None;
        }
        if Self::code(a, b).is_none() {
            return Some(false);
        }
        // The smaller heap's row is the nearer one.
        if a < LONG_FROM {
            return Some(self.partner(a)? == b);
        }
        Some(self.segment(a, a + 1, LONG_BURN).pairs[self.top].contains(&(a, b)))
    }

    /// The value whose elements are asked for.
    pub(super) fn top(&self) -> usize {
        self.top
    }

    /// How many of the first rows are exact.
    pub(super) fn rows(&self) -> usize {
        self.first[0].len()
    }
}

/// Bits for the numbers from some number on.
struct Bits {
    from: u64,
    words: Vec<u64>,
}

impl Bits {
    fn new(from: u64, to: u64) -> Self {
        Self { from, words: vec![0; usize::try_from((to - from) / 64 + 1).unwrap_or(0)] }
    }

    fn set(&mut self, x: u64) {
        if let Some(at) = x.checked_sub(self.from)
            && let Some(word) = self.words.get_mut(usize::try_from(at / 64).unwrap_or(usize::MAX))
        {
            *word |= 1 << (at % 64);
        }
    }

    fn has(&self, x: u64) -> bool {
        let Some(at) = x.checked_sub(self.from) else { return false };
        self.words.get(usize::try_from(at / 64).unwrap_or(usize::MAX)).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }
}

/// Pairs while they are made, for rows in a range.
struct Maker<'a> {
    far: &'a Far,
    from: u64,
    defeated: &'a [(u64, u64)],
    /// Rows that are those of a b.
    taken: Vec<Bits>,
    differences: Vec<Bits>,
    /// The first difference that may be free, the largest that is taken, and how many were passed over for ever.
    free: Vec<u64>,
    largest: Vec<u64>,
    unused: Vec<u64>,
    seconds: Vec<Bits>,
    /// The b of the last rows, by row modulo 256.
    recent: Vec<[u64; 256]>,
}

impl<'a> Maker<'a> {
    /// `before` pairs of each value were made, and `unused` differences passed over.
    fn new(far: &'a Far, from: u64, to: u64, before: &[u64], unused: &[u64]) -> Self {
        let margin = 4 * STRIP.unsigned_abs();
        let values = 0..=far.top;
        let free: Vec<u64> = values.clone().map(|g| before[g] + unused[g]).collect();
        let second = times(PHI, from).saturating_sub(margin);
        Self {
            far,
            from,
            defeated: &[],
            taken: values.clone().map(|_| Bits::new(from, to)).collect(),
            differences: free.iter().map(|&f| Bits::new(f, f + (to - from) + margin)).collect(),
            largest: free.clone(),
            free,
            unused: vec![0; far.top + 1],
            seconds: values.clone().map(|_| Bits::new(second, times(PHI, to) + margin)).collect(),
            recent: values.map(|_| [u64::MAX; 256]).collect(),
        }
    }

    /// The b of row m when m is an a: the first place without a reason against it.
    fn place(&mut self, g: usize, m: u64) -> Option<u64> {
        if self.taken[g].has(m) {
            self.recent[g][slot(m)] = u64::MAX;
            return None;
        }
        // Differences follow a/φ as closely as b follows φa: one that was left so far behind is never taken.
        loop {
            let has = self.differences[g].has(self.free[g]);
            if !has && self.largest[g] < self.free[g] + 2 * STRIP.unsigned_abs() {
                break;
            }
            self.unused[g] += u64::from(!has);
            self.free[g] += 1;
        }
        let mut d = self.free[g];
        loop {
            let b = m + d;
            if !self.differences[g].has(d) && !self.seconds[g].has(b) && self.is_free(g, m, b) {
                self.differences[g].set(d);
                self.largest[g] = self.largest[g].max(d);
                self.seconds[g].set(b);
                self.recent[g][slot(m)] = b;
                return Some(b);
            }
            d += 1;
        }
    }

    /// Whether (m, b) has no smaller value, no rule into value g, and is on the board.
    fn is_free(&self, g: usize, m: u64, b: u64) -> bool {
        let at = |h: usize, x: u64| if x < self.from || x + 255 < m { u64::MAX } else { self.recent[h][slot(x)] };
        if (0..g).any(|h| at(h, m) == b) || self.defeated.contains(&(m, b)) {
            return false;
        }
        !self.far.rules.iter().any(|rule| {
            let (Some(x), Some(y)) = (m.checked_sub(rule[0]), b.checked_sub(rule[1])) else { return false };
            if x > y { at(g, y) == x } else { at(g, x) == y }
        })
    }
}

fn slot(x: u64) -> usize {
    usize::try_from(x % 256).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use semilinear::run::Unlimited;

    #[test]
    fn far_rows_follow_from_nearer_ones() {
        for text in ["rays = [[1, 0], [0, 1], [1, 1]]", "rays = [[1, 0], [0, 1], [1, 1]]\nrules = [[1, 2], [2, 1]]"] {
            let game = RayGame::from_toml(text).unwrap();
            for top in 0..=3 {
                let exact = Far::new(&game, 400_000, top, &Unlimited).unwrap().unwrap();
                let few = Far::new(&game, 20_000, top, &Unlimited).unwrap().unwrap();
                let wrong = (0..400_000).filter(|&x| exact.partner(x) != few.partner(x)).count();
                assert_eq!(wrong, 0, "{text}, value {top}");
                let pairs = crate::solve::rays::Pairs::new(&game, 3000, top, &Unlimited).unwrap().unwrap();
                for x in 0..3000 {
                    assert_eq!(exact.partner(x), pairs.column_of(top, usize::try_from(x).unwrap()).map(|y| y as u64));
                }
            }
        }
    }
}
