//! What solved third rows take at all first rows to come.

use super::taken::Taken;
use crate::solve::chains::Branch;

/// f_r from its preperiod on.
#[derive(Clone, Debug)]
pub(super) struct Tail {
    pub start: u32,
    pub offsets: Vec<u32>,
}

impl Tail {
    /// The tail of a periodic third row.
    pub fn new(branch: &Branch) -> Self {
        let start = branch.preperiod();
        Self { start, offsets: (start..branch.end()).filter_map(|q| branch.at(q).map(|p| p - q)).collect() }
    }

    /// The q with f(q) = p on the tail: at most one.
    fn at(&self, p: u32) -> Option<u32> {
        let period = self.offsets.len();
        let reached = |(i, &offset): (usize, &u32)| {
            let q = p.checked_sub(offset)?;
            (q.checked_sub(self.start)? as usize % period == i).then_some(q)
        };
        self.offsets.iter().enumerate().find_map(reached)
    }
}

/// All tails; those with a period of 1 together: what they take at any first row is the same but for a shift.
#[derive(Clone, Debug, Default)]
pub(super) struct Steady {
    /// So many of the tails were looked at.
    tails: usize,
    /// Their offsets p − q as bits.
    offsets: Vec<u64>,
    /// The places of the tails with a longer period.
    others: Vec<usize>,
}

impl Steady {
    /// Looks at the tails that are new.
    pub fn update(&mut self, tails: &[Tail]) {
        if self.tails > tails.len() {
            *self = Self::default();
        }
        for (place, tail) in tails.iter().enumerate().skip(self.tails) {
            match tail.offsets[..] {
                [offset] => {
                    let word = offset as usize / 64;
                    if self.offsets.len() <= word {
                        self.offsets.resize(word + 1, 0);
                    }
                    self.offsets[word] |= 1 << (offset % 64);
                }
                _ => self.others.push(place),
            }
        }
        self.tails = tails.len();
    }

    /// What the tails take at first row p beyond all their lists, with all q < `start` and q > p.
    pub fn row(&self, p: u32, start: u32, tails: &[Tail]) -> Taken {
        let (base, end) = (start as usize / 64, p as usize / 64 + 1);
        // The offsets p − q of the q in a word run down.
        let mut bits: Vec<u64> = (base..end).map(|word| self.below(p as usize - 64 * word).reverse_bits()).collect();
        let others = self.others.iter().filter_map(|&place| tails[place].at(p)).filter(|&q| q >= start);
        for q in others {
            bits[q as usize / 64 - base] |= 1 << (q % 64);
        }
        if let Some(first) = bits.first_mut() {
            *first |= (1 << (start % 64)) - 1;
        }
        if let Some(last) = bits.last_mut() {
            *last |= (u64::MAX << 1) << (p % 64);
        }
        Taken::new(base, bits)
    }

    /// The offsets from `last` − 63 to `last` as bits.
    fn below(&self, last: usize) -> u64 {
        let word = |i: usize| self.offsets.get(i).copied().unwrap_or(0);
        let (i, shift) = (last / 64, 63 - last % 64);
        let before = if i == 0 { 0 } else { word(i - 1) };
        word(i) << shift | (before >> 1) >> (63 - shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every first row of a few tails, q by q.
    #[test]
    fn tails_are_taken_where_they_are() {
        let tails: Vec<Tail> = [(0, vec![1]), (3, vec![70]), (5, vec![64, 66]), (9, vec![3, 4, 2]), (40, vec![130])]
            .map(|(start, offsets)| Tail { start, offsets })
            .into();
        let mut steady = Steady::default();
        steady.update(&tails);
        for (p, start) in (200..500_u32).flat_map(|p| [(p, 0), (p, p / 2), (p, p - 1)]) {
            let taken = steady.row(p, start, &tails);
            for q in 0..=p + 70 {
                let is = |tail: &Tail| tail.offsets[((q - tail.start) as usize) % tail.offsets.len()] == p - q;
                let expected = q < start || q > p || tails.iter().any(|tail| q >= tail.start && is(tail));
                let word = (q as usize / 64).checked_sub(taken.base).and_then(|place| taken.bits.get(place));
                assert_eq!(word.is_none_or(|word| word >> (q % 64) & 1 == 1), expected, "{p} {q} {start}");
            }
        }
    }
}
