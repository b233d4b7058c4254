//! The recursion itself, 64 positions a word.
//!
//! A position is N when an option of it is P, so in lexicographic order of the axes the words of a plane are
//! ¬(∪ over γ of the P-words moved by γ), cut to the board. Rules along the bits of a word need care: [`along`].

// Word indices, row numbers and shifts here are bounded by the layout, which keeps all of them within 32 bits.
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_possible_wrap)]

use super::layout::{Layout, Plane};
use crate::threads;
use semilinear::run::{Monitor, StopReason};

/// Layers with less work than this (words × rules) are not worth a second thread.
const PARALLEL: usize = 1 << 15;

/// A rule in the coordinates of the axes.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The leading coordinates, as many as lead to a plane.
    pub prefix: Vec<i32>,
    /// The second to last coordinate where planes gather rows, else 0.
    pub row: i32,
    /// The last coordinate.
    pub bit: i64,
}

/// What the recursion needs of a game.
#[derive(Debug)]
pub(super) struct Steps {
    /// Rules that lead to another plane.
    pub away: Vec<Step>,
    /// Rules along the bits of a row, as positive distances.
    pub along: Vec<u64>,
    /// Defeated positions: word and mask, sorted by word.
    pub defeated: Vec<(usize, u64)>,
    /// Whether planes of a layer do not depend on each other.
    pub layered: bool,
}

/// The P-bits of all positions of a layout.
pub(super) fn p_bits(layout: &Layout, steps: &Steps, monitor: &dyn Monitor) -> Result<Vec<u64>, StopReason> {
    let mut bits = vec![0u64; layout.words];
    let total = layout.planes.len() as u64;
    monitor.phase("outcomes, plane by plane");
    for layer in layout.layers.windows(2) {
        let (first, last) = (layer[0], layer[1]);
        if first == last {
            continue;
        }
        monitor.check(first as u64, Some(total))?;
        let start = layout.planes[first].base as usize;
        let end = layout.planes[last - 1].base as usize + layout.planes[last - 1].words();
        let work = (end - start) * steps.away.len().max(1);
        if steps.layered && last - first > 1 && work > PARALLEL {
            let (before, rest) = bits.split_at_mut(start);
            let before: &[u64] = before;
            let mut slices: Vec<(usize, usize, &mut [u64])> = Vec::new();
            let mut rest = &mut rest[..end - start];
            let chunk = ((last - first) / (8 * threads::count())).max(1);
            let mut plane = first;
            while plane < last {
                let next = (plane + chunk).min(last);
                let length: usize = layout.planes[plane..next].iter().map(Plane::words).sum();
                let (slice, after) = std::mem::take(&mut rest).split_at_mut(length);
                slices.push((plane, next, slice));
                rest = after;
                plane = next;
            }
            threads::each(slices, |(plane, next, slice)| {
                let mut slice = slice;
                for p in plane..next {
                    let (words, after) = std::mem::take(&mut slice).split_at_mut(layout.planes[p].words());
                    one_plane(layout, steps, p, before, words);
                    slice = after;
                }
            });
        } else {
            for p in first..last {
                if p % 256 == 255 {
                    monitor.check(p as u64, Some(total))?;
                }
                let base = layout.planes[p].base as usize;
                let (before, rest) = bits.split_at_mut(base);
                one_plane(layout, steps, p, before, &mut rest[..layout.planes[p].words()]);
            }
        }
    }
    Ok(bits)
}

/// Fills the words of a plane; `before` holds every earlier word.
fn one_plane(layout: &Layout, steps: &Steps, p: usize, before: &[u64], words: &mut [u64]) {
    let plane = &layout.planes[p];
    let prefix = layout.prefix(p);
    for step in &steps.away {
        if let Some(q) = layout.plane(prefix, &step.prefix) {
            let source = &layout.planes[q];
            let base = source.base as usize;
            moved(plane, words, source, &before[base..base + source.words()], step);
        }
    }
    let pitch = plane.pitch as usize;
    if pitch == 0 {
        return;
    }
    for (row, &(from, to)) in words.chunks_exact_mut(pitch).zip(&layout.spans[plane.first_row as usize..]) {
        cut(row, from, to);
    }
    if !steps.defeated.is_empty() {
        let base = plane.base as usize;
        let end = base + words.len();
        let start = steps.defeated.partition_point(|(word, _)| *word < base);
        for &(word, mask) in steps.defeated[start..].iter().take_while(|(word, _)| *word < end) {
            words[word - base] &= !mask;
        }
    }
    if !steps.along.is_empty() {
        // Here planes are single rows, and `words` holds the positions that no other row makes N.
        along(words, &steps.along);
    }
}

/// ORs the P-bits of a source plane, moved by a rule, into the N-bits of a plane.
fn moved(plane: &Plane, words: &mut [u64], source: &Plane, bits: &[u64], step: &Step) {
    let shift = step.bit + i64::from(source.origin) - i64::from(plane.origin);
    // Row r of the plane looks at row r − step.row of the source.
    let offset = i64::from(source.lo) + i64::from(step.row) - i64::from(plane.lo);
    let first = offset.max(0);
    let last = (offset + i64::from(source.rows)).min(i64::from(plane.rows));
    if first >= last {
        return;
    }
    // Both lie between 0 and the number of rows, a u32.
    let (first, last) = (first as usize, last as usize);
    let skipped = (first as i64 - offset) as usize;
    if plane.pitch == 1 && source.pitch == 1 {
        let (target, from) = (&mut words[first..last], &bits[skipped..skipped + last - first]);
        match shift {
            0..=63 => target.iter_mut().zip(from).for_each(|(t, s)| *t |= s << shift),
            -63..=-1 => target.iter_mut().zip(from).for_each(|(t, s)| *t |= s >> -shift),
            _ => {}
        }
        return;
    }
    let (pitch, source_pitch) = (plane.pitch as usize, source.pitch as usize);
    for r in 0..last - first {
        let target = &mut words[(first + r) * pitch..][..pitch];
        let from = &bits[(skipped + r) * source_pitch..][..source_pitch];
        or_shifted(target, from, shift);
    }
}

/// Bit i of `target` |= bit i − `shift` of `source`.
fn or_shifted(target: &mut [u64], source: &[u64], shift: i64) {
    let whole = shift.div_euclid(64);
    let bits = shift.rem_euclid(64) as u32;
    let (length, sources) = (target.len() as i64, source.len() as i64);
    // Word w takes the low part of word w − whole and, for shifts inside words, the high part of the word before.
    let (lo, hi) = (whole.max(0), (whole + sources).min(length));
    if bits == 0 {
        if lo < hi {
            let from = &source[(lo - whole) as usize..(hi - whole) as usize];
            target[lo as usize..hi as usize].iter_mut().zip(from).for_each(|(t, s)| *t |= s);
        }
        return;
    }
    if (0..length).contains(&whole) && sources > 0 {
        target[whole as usize] |= source[0] << bits;
    }
    let both = (whole + 1).max(0);
    if both < hi {
        let count = (hi - both) as usize;
        let start = (both - whole) as usize;
        let high = &source[start - 1..start - 1 + count];
        let low = &source[start..start + count];
        let target = &mut target[both as usize..hi as usize];
        for ((t, low), high) in target.iter_mut().zip(low).zip(high) {
            *t |= low << bits | high >> (64 - bits);
        }
    }
    let end = whole + sources;
    if (0..length).contains(&end) && sources > 0 {
        target[end as usize] |= source[source.len() - 1] >> (64 - bits);
    }
}

/// Complements a row and keeps the bits from..to.
fn cut(row: &mut [u64], from: u32, to: u32) {
    for word in row.iter_mut() {
        *word = !*word;
    }
    if from >= to {
        row.fill(0);
        return;
    }
    let (first, last) = ((from / 64) as usize, ((to - 1) / 64) as usize);
    row[..first].fill(0);
    row[last + 1..].fill(0);
    row[first] &= u64::MAX << (from % 64);
    row[last] &= u64::MAX >> (63 - (to - 1) % 64);
}

/// Resolves rules along a row: `row` comes with the positions that no other row makes N, and leaves with the P-positions.
///
/// # Complexity
/// O(1) a word when 1 is the only rule along the row or every distance is at least 64, else O(P-positions in the word).
pub(super) fn along(row: &mut [u64], distances: &[u64]) {
    let inside: u64 = distances.iter().filter(|&&a| a < 64).map(|&a| 1u64 << a).sum();
    for w in 0..row.len() {
        let free = row[w];
        let p = match inside {
            0 => free,
            2 => every_other(free),
            _ => greedy(free, inside),
        };
        row[w] = p;
        if p != 0 {
            for &a in distances {
                let (whole, bits) = ((a / 64) as usize, (a % 64) as u32);
                if whole > 0
                    && let Some(word) = row.get_mut(w + whole)
                {
                    *word &= !(p << bits);
                }
                if bits > 0
                    && let Some(word) = row.get_mut(w + whole + 1)
                {
                    *word &= !(p >> (64 - bits));
                }
            }
        }
    }
}

/// Every other bit of each run of ones, from its lowest bit on: P-positions for the rule 1 along the row.
fn every_other(free: u64) -> u64 {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let starts = free & !(free << 1);
    // Adding the lowest bit of a run clears the run, and no carry reaches the next one.
    let sum = free.wrapping_add(starts & EVEN);
    (free & !sum & EVEN) | (free & sum & !EVEN)
}

/// The P-positions of a word, lowest first; `inside` has a bit for every distance below 64.
fn greedy(mut free: u64, inside: u64) -> u64 {
    let mut p = 0;
    while free != 0 {
        let lowest = free.trailing_zeros();
        p |= 1 << lowest;
        free &= !(1 << lowest) & !(inside << lowest);
    }
    p
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_other_is_the_greedy_choice() {
        let mut x = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..2000 {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            for free in [x, x | x >> 1, x | x << 3 | x >> 2, u64::MAX, 0, !0 << 63] {
                assert_eq!(every_other(free), greedy(free, 2), "{free:b}");
            }
        }
    }

    #[test]
    fn shifts_agree_with_single_bits() {
        let source = [0x8000_0000_0000_0001u64, 0xdead_beef_0123_4567, 0xffff_0000_ffff_0000];
        for length in 0..6usize {
            for shift in -260..260i64 {
                let mut target = vec![0u64; length];
                or_shifted(&mut target, &source, shift);
                for i in 0..(64 * length) as i64 {
                    let j = i - shift;
                    let expected = (0..192).contains(&j) && source[j as usize / 64] >> (j % 64) & 1 == 1;
                    assert_eq!(target[i as usize / 64] >> (i % 64) & 1 == 1, expected, "{length} {shift} {i}");
                }
            }
        }
    }
}
