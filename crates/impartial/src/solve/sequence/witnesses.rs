//! Witnesses for many heaps at once: of every value a bit for each of the last heaps.

use super::Moves;
use super::space::Space;
use super::values::Lane;
use crate::solve::wide::{Loop, widest};

/// The words of a set of heaps.
const WORDS: usize = 8;
/// Heaps whose witnesses are looked for together: the bits of as many words, less the largest shift within a byte, rounded to
/// whole batches.
pub(super) const BLOCK: usize = 64 * WORDS - 16;
/// Splits whose smaller part, with the beans taken, is below this are looked at.
const REACH: usize = 1 << 13;
/// How many heaps follow before the planes are laid anew.
const FRESH: usize = 1 << 13;
/// The bytes of a plane: room before the first heaps, and no multiple of a large power of two, so that planes do not share
/// places in the cache.
const STRIDE: usize = (2 * REACH + FRESH) / 8 + 192;
/// Values below this have a plane.
const MOST_PLANES: usize = 1 << 10;
/// Splits between two looks at what is left.
const STRETCH: usize = 16;
/// Splits that are kept for a value.
const MOST_SPLITS: usize = 1024;
/// When so few heaps of a block are expected to need a value they are left to searches of their own.
const FEW: u64 = 6;
/// The last heaps say how frequent values are.
const SAMPLE: usize = 1 << 12;
/// Every other bit.
const EVEN: u64 = 0x5555_5555_5555_5555;

/// For a block of heaps and every value v of rare type: which of the heaps have a split of value v with a small part i. These
/// are the heaps of value v ^ g(i) moved up by i and the beans taken, so that one step a split serves all heaps of the
/// block. Splits come first whose v ^ g(i) is frequent, until few heaps are left. What is found is a split;
/// a split that is not found may exist.
///
/// # Complexity
/// O(V·D/w) a heap for V values, of which one split in D is a given one, and w = 496.
pub(super) struct Witnesses {
    /// The plane of v has a bit for each heap of value v: heap `base` at bit [`REACH`] of the bytes from `v * STRIDE` on.
    planes: Vec<u8>,
    base: usize,
    /// The heaps from `base` on and below this are in the planes; 0 when the planes are empty.
    held: usize,
    asked: Vec<Asked>,
    /// The number of heaps that `Asked::larger` is out of.
    sampled: u64,
    /// The first heap of the block; none when this is the largest number.
    start: usize,
    /// `found[b * width + v]`: which of the heaps `start + 8 * b`, … have a witness for v.
    found: Vec<u8>,
    width: usize,
    steps: u64,
}

/// A value of rare type.
struct Asked {
    value: usize,
    /// How many of the last heaps have a larger value.
    larger: u64,
    /// Whether it is of rare type for even and for odd heaps.
    rare: [bool; 2],
    splits: Vec<Stretch>,
}

/// Splits whose distances, from a heap to the other part, are equal modulo 8: those parts stand at the same bits of their bytes.
struct Stretch {
    residue: usize,
    /// Where the bytes stand, relative to those of the block.
    bytes: [u32; STRETCH],
}

impl Witnesses {
    pub fn new() -> Self {
        Self {
            planes: Vec::new(),
            base: 0,
            held: 0,
            asked: Vec::new(),
            sampled: 1,
            start: usize::MAX,
            found: Vec::new(),
            width: 0,
            steps: 0,
        }
    }

    /// How many splits the block took.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Chooses which splits to look at, by the values known.
    pub fn plan<L: Lane>(&mut self, moves: &Moves, space: &Space, values: &[L]) {
        let n = values.len();
        let last = &values[n.saturating_sub(SAMPLE)..];
        let largest = last.iter().map(|v| v.index()).filter(|&v| v < MOST_PLANES).max().unwrap_or(0);
        let planes = (largest + 1).next_power_of_two();
        let mut frequency = vec![0_u64; planes];
        for value in last {
            if let Some(count) = frequency.get_mut(value.index()) {
                *count += 1;
            }
        }
        let mut frequent: Vec<usize> = (0..planes).filter(|&v| frequency[v] > 0).collect();
        frequent.sort_by_key(|&v| std::cmp::Reverse(frequency[v]));
        // The small part is less than half of what is left, now and for larger heaps: the two parts differ.
        let reach = REACH.min(n / 2);
        let mut distances: Vec<Vec<usize>> = vec![Vec::new(); planes];
        for (part, value) in values.iter().enumerate().take(reach).skip(1) {
            if let Some(distances) = distances.get_mut(value.index()) {
                distances.extend(moves.two.iter().map(|k| part + k).filter(|&distance| distance < reach));
            }
        }
        self.sampled = last.len() as u64;
        let mut larger = self.sampled;
        self.asked.clear();
        for (value, v) in (0..=largest).zip(0..) {
            larger -= frequency[value];
            let rare = [0, 1].map(|n| !space.common(v, n));
            if rare != [false; 2] {
                let splits =
                    frequent.iter().flat_map(|&plane| distances[plane ^ value].iter().map(move |&d| (plane, d)));
                self.asked.push(Asked { value, larger, rare, splits: Stretch::list(splits.take(MOST_SPLITS)) });
            }
        }
        self.planes = vec![0; planes * STRIDE];
        self.width = largest + 1;
        (self.held, self.start) = (0, usize::MAX);
    }

    /// Which of the sixteen heaps from n on (`values` being those below n) have a witness: by value, the bits of the first eight and of the
    /// others, for the values below the lengths of the lists.
    pub fn batch<L: Lane>(&mut self, values: &[L]) -> (&[u8], &[u8]) {
        let n = values.len();
        let place = n.wrapping_sub(self.start);
        if self.start > n || place + 16 > BLOCK || !place.is_multiple_of(8) {
            self.catch_up(values);
            self.start = n;
            self.found.clear();
            self.found.resize(BLOCK / 8 * self.width, 0);
            widest(Search(self));
        }
        self.found[(n - self.start) / 8 * self.width..][..2 * self.width].split_at(self.width)
    }

    /// Takes new heaps into the planes.
    fn catch_up<L: Lane>(&mut self, values: &[L]) {
        let n = values.len();
        if self.held == 0 || n > self.base + REACH + FRESH {
            self.base = n.saturating_sub(REACH) / 8 * 8;
            self.held = self.base.max(1);
            self.planes.fill(0);
        }
        for (n, value) in values.iter().enumerate().skip(self.held) {
            let place = n - self.base + REACH;
            if let Some(byte) = self.planes.get_mut(value.index() * STRIDE + place / 8) {
                *byte |= 1 << (place % 8);
            }
        }
        self.held = n;
    }
}

impl Stretch {
    /// Full stretches of planes and distances, in the order in which they are full.
    fn list(splits: impl Iterator<Item = (usize, usize)>) -> Vec<Self> {
        let mut open: [Vec<u32>; 8] = [const { Vec::new() }; 8];
        let mut list = Vec::new();
        for (plane, distance) in splits {
            let residue = distance % 8;
            let byte = plane * STRIDE + REACH / 8 - distance / 8;
            open[residue].push(u32::try_from(byte).expect("planes are short and few"));
            if let Ok(bytes) = open[residue].as_slice().try_into() {
                list.push(Self { residue, bytes });
                open[residue].clear();
            }
        }
        list
    }
}

/// Finds the witnesses of a block.
struct Search<'a>(&'a mut Witnesses);

impl Loop for Search<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Witnesses { planes, base, asked, sampled, start, found, width, steps, .. } = self.0;
        let even = EVEN << (*start % 2);
        *steps = 0;
        for asked in asked {
            let wanted = if asked.rare[0] { even } else { 0 } | if asked.rare[1] { !even } else { 0 };
            let mut heaps = [0_u64; WORDS];
            for stretch in &asked.splits {
                let left: u32 = heaps.iter().map(|word| (wanted & !word).count_ones()).sum();
                if u64::from(left) * asked.larger <= FEW * *sampled {
                    break;
                }
                *steps += STRETCH as u64;
                let place = *start - *base - stretch.residue;
                let mut any = [0_u64; WORDS];
                for &byte in &stretch.bytes {
                    let at = byte as usize + place / 8;
                    let part = words(planes[at..at + 8 * WORDS].try_into().expect("as long as a set of heaps"));
                    for (any, part) in any.iter_mut().zip(part) {
                        *any |= part;
                    }
                }
                // Seen as it is by the compiler, which would take it apart for the shifts, and so every load above.
                let (any, shift) = (std::hint::black_box(any), place % 8);
                for i in 0..WORDS {
                    let next = any.get(i + 1).copied().unwrap_or(0);
                    heaps[i] |= any[i] >> shift | next << (63 - shift) << 1;
                }
            }
            for (i, bytes) in found.chunks_exact_mut(*width).enumerate() {
                bytes[asked.value] = heaps[i / 8].to_le_bytes()[i % 8];
            }
        }
    }
}

#[inline(always)]
fn words(bytes: &[u8; 8 * WORDS]) -> [u64; WORDS] {
    std::array::from_fn(|i| u64::from_le_bytes(bytes[8 * i..][..8].try_into().expect("eight bytes")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn what_is_found_is_a_split(seed in 1_u64..1 << 40, n in 600_usize..900, far in prop::bool::ANY, code in prop::sample::select(vec!["0.6", "4.7", "0.137", "0.00704"])) {
            let moves = Moves::new(&code.parse().unwrap()).unwrap();
            let space = Space { mask: 5, sigma: false, tau: false, bits: 3 };
            let n = if far { n + 20_000 } else { n };
            let random = |i: usize| {
                let mixed = (i as u64 + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9).to_be_bytes()[0] >> 5
            };
            let values: Vec<u8> = (0..n).map(random).collect();
            let mut witnesses = Witnesses::new();
            witnesses.plan(&moves, &space, &values);
            let (first, second) = witnesses.batch(&values);
            let splits = |n: usize, v: u8| moves.two.iter().any(|k| (1..n - k).any(|i| {
                values.get(i).zip(values.get(n - k - i)).is_some_and(|(a, b)| a ^ b == v)
            }));
            let mut zeros = 0;
            for heap in 0..16 {
                for (v, set) in (0_u8..).zip(if heap < 8 { first } else { second }) {
                    if set >> (heap % 8) & 1 == 1 {
                        zeros += u32::from(v == 0);
                        prop_assert!(splits(n + heap, v), "heap {} value {v}", n + heap);
                    }
                }
            }
            // Nearly all heaps need 0, and one split in eight has it.
            prop_assert!(zeros >= 12, "{zeros}");
        }
    }
}
