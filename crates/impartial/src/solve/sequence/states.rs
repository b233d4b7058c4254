//! Whether states come again: some of those that passed are kept, and compared with the others at places that the values themselves choose.

/// At most so many states are kept.
const MOST: usize = 256;
/// States are kept no closer than this at first.
const FIRST_GAP: u64 = 1 << 16;
/// So many values choose a place.
const ANCHOR: usize = 4;
/// The last values, by which states are told apart before they are compared.
const KEY: usize = 48;
/// After so many states with equal keys and other values another anchor is chosen.
const MISSES: u64 = 64;

/// A heap and the last values before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The heap that follows.
    pub heap: u64,
    /// The values before it.
    pub values: Vec<u8>,
}

/// States at places where the last few numbers are the *anchor*; what comes again comes to such a place again. When there are too many states, every other one is dropped,
/// so that a bounded number of them spans all heaps.
///
/// # Complexity
/// O(n/32) for the anchors among n values, and O(W) for a state of W values kept or compared.
pub(super) struct States {
    anchor: [u8; ANCHOR],
    kept: Vec<(u64, State)>,
    gap: u64,
    /// The anchor was chosen at this heap: states before it have another one and are not compared.
    chosen: u64,
    /// The anchor was seen last before this heap.
    seen: u64,
    misses: u64,
}

/// A polynomial in the last values.
fn key(values: &[u8]) -> u64 {
    let last = &values[values.len() - KEY..];
    last.iter().fold(0, |key: u64, &value| key.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(u64::from(value) + 1))
}

impl States {
    /// No states yet; the numbers choose the anchor, the last of them before this heap.
    pub fn new(numbers: &[u8], heap: u64) -> Self {
        Self { anchor: rarest(numbers), kept: Vec::new(), gap: FIRST_GAP, chosen: heap, seen: heap, misses: 0 }
    }

    /// The states that were kept.
    pub fn kept(&self) -> impl DoubleEndedIterator<Item = &State> + ExactSizeIterator {
        self.kept.iter().map(|(_, state)| state)
    }

    /// States that were kept before, the anchor being the last numbers of the last of them.
    pub fn restore(&mut self, states: &[State], numbers: &[u8]) {
        self.kept = states.iter().map(|state| (key(&state.values), state.clone())).collect();
        if let (Some((_, last)), Some(anchor)) = (self.kept.last(), numbers.last_chunk()) {
            (self.anchor, self.chosen, self.seen) = (*anchor, 0, last.heap);
            self.gap = (last.heap / (MOST as u64 / 2)).next_power_of_two().max(FIRST_GAP);
        }
    }

    /// Looks for anchors in the last `new` of the numbers, those before `heap`. A state that was kept and comes again: `state` says what it is before a heap.
    pub fn look(
        &mut self,
        numbers: &[u8],
        new: usize,
        heap: u64,
        state: &dyn Fn(u64, usize) -> Vec<u8>,
        len: usize,
    ) -> Option<(State, u64)> {
        let from = numbers.len() - new - (ANCHOR - 1);
        for end in anchors(&numbers[from..], self.anchor) {
            let place = heap - (numbers.len() - from - end) as u64;
            self.seen = place;
            let own = key(&state(place, KEY));
            let alike = |(key, state): &&(u64, State)| *key == own && state.heap >= self.chosen;
            for (_, earlier) in self.kept.iter().filter(alike) {
                if earlier.values == state(place, len) {
                    return Some((earlier.clone(), place));
                }
                self.misses += 1;
            }
            // The first one with a new anchor is kept in any case.
            if self.kept.last().is_none_or(|(_, last)| last.heap < self.chosen || place >= last.heap + self.gap) {
                self.keep(own, State { heap: place, values: state(place, len) });
            }
        }
        if heap > self.seen + heap / 4 + FIRST_GAP || self.misses > MISSES + heap / FIRST_GAP {
            (self.anchor, self.chosen, self.seen, self.misses) = (rarest(numbers), heap, heap, 0);
        }
        None
    }

    fn keep(&mut self, key: u64, state: State) {
        self.gap = self.gap.max((state.heap / MOST as u64).next_power_of_two());
        self.kept.push((key, state));
        if self.kept.len() > MOST {
            let mut odd = true;
            self.kept.retain(|_| {
                odd = !odd;
                !odd
            });
            self.gap *= 2;
        }
    }
}

/// Of the groups of neighbouring numbers one that is seldom.
fn rarest(numbers: &[u8]) -> [u8; ANCHOR] {
    let mut groups: Vec<[u8; ANCHOR]> = numbers.windows(ANCHOR).filter_map(|group| group.try_into().ok()).collect();
    groups.sort_unstable();
    groups.chunk_by(|a, b| a == b).min_by_key(|equal| equal.len()).map_or([0; ANCHOR], |equal| equal[0])
}

/// The ends of the anchors in a list.
fn anchors(numbers: &[u8], anchor: [u8; ANCHOR]) -> Vec<usize> {
    const LOOK: usize = 64;
    let mut ends = Vec::new();
    let mut at = 0;
    while at + ANCHOR <= numbers.len() {
        let to = (at + LOOK).min(numbers.len() + 1 - ANCHOR);
        let rows: [&[u8]; ANCHOR] = std::array::from_fn(|i| &numbers[at + i..to + i]);
        let equal = |place: usize| (0..ANCHOR).fold(1, |all, i| all & u8::from(rows[i][place] == anchor[i]));
        let any = match rows.map(<&[u8; LOOK]>::try_from) {
            // Of a fixed length, so that many places are one step.
            [Ok(a), Ok(b), Ok(c), Ok(d)] => (0..LOOK).fold(0, |any, i| {
                any | u8::from(a[i] == anchor[0])
                    & u8::from(b[i] == anchor[1])
                    & u8::from(c[i] == anchor[2])
                    & u8::from(d[i] == anchor[3])
            }),
            _ => 1,
        };
        if any != 0 {
            ends.extend((0..to - at).filter(|&place| equal(place) == 1).map(|place| at + place + ANCHOR));
        }
        at = to;
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn anchors_are_found(numbers in prop::collection::vec(0_u8..3, 0..400), anchor in prop::array::uniform4(0_u8..3)) {
            let ends: Vec<usize> = (ANCHOR..=numbers.len()).filter(|&end| numbers[end - ANCHOR..end] == anchor).collect();
            prop_assert_eq!(anchors(&numbers, anchor), ends);
        }

        #[test]
        fn what_repeats_comes_again(head in 0_usize..300_000, period in 1_usize..300_000, seed in 1_u64..1000, piece in 300_usize..3000) {
            let random = |i: usize| {
                let mixed = (i as u64 ^ seed << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9).to_be_bytes()[0] >> 4
            };
            let value = |n: usize| if n < head { random(n) } else { random(head + (n - head) % period) };
            let values: Vec<u8> = (0..4 * (head + period) + 300_000).map(value).collect();
            let (mut states, len) = (States::new(&values[..1000], 1000), 500);
            let mut end = 1000;
            let found = loop {
                prop_assert!(end + piece <= values.len(), "not found");
                end += piece;
                let of = |heap: u64, len: usize| values[usize::try_from(heap).unwrap() - len..][..len].to_vec();
                if let Some(found) = states.look(&values[end - piece - 400..end], piece, end as u64, &of, len) {
                    break found;
                }
            };
            let p = usize::try_from(found.1 - found.0.heap).unwrap();
            prop_assert!(p.is_multiple_of(period) && (p == period || len < period), "{p}");
        }
    }
}
