//! The N-check: no word without a winning move may be predicted to be an N-position.
//!
//! Let D_h be the set of contexts c in which heap h is *silent*: neither c·Φ(h) nor any c·Φ(t), t an
//! option of h, is in P. A word w fails the N-check when Φ(w − h) ∈ D_h for each of its heaps h. For
//! D(w) = {c : Φ(w − h)·c ∈ D_h for every h in w} we have D(u+v) = {c : cΦ(v) ∈ D(u), cΦ(u) ∈ D(v)}, and w
//! fails exactly when 1 ∈ D(w). So a search over the states (Φ(w), D(w)) decides the check for all
//! infinitely many words: a state is dropped when an earlier one has the same value and a larger D,
//! since whatever extends the later word to a failure extends the earlier one too.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::bits::Bits;
use super::monoid::{Rows, Word, index, times};
use semilinear::run::{Monitor, StopReason};

/// A heap with its value and its silent contexts.
pub(super) struct Silent {
    pub heap: u32,
    pub value: u32,
    pub contexts: Bits,
}

/// Those of the values x ∈ `start` that a failing word could have.
///
/// If w fails and has the value x, each heap h of it is silent beside the others, whose value c has c·Φ(h) = x and is a product of heaps of w. So w
/// consists of heaps with such a c among the products of all such heaps, and x is such a product.
///
/// # Complexity
/// One look at each pair of a heap and a silent context, and for each set of heaps that occurs one at the products of its heaps.
pub(super) fn possible(start: &Bits, rows: &Rows, silent: &[Silent]) -> Bits {
    let order = start.universe();
    let blocks = silent.len().div_ceil(64);
    // For each value the heaps that a word of it may have.
    let mut allowed: Vec<u64> = vec![0; order * blocks];
    let ways: Vec<_> = silent.iter().map(|s| rows.row(s.value)).collect();
    for (i, s) in silent.iter().enumerate() {
        for c in s.contexts.iter() {
            allowed[ways[i][c] as usize * blocks + i / 64] |= 1 << (i % 64);
        }
    }
    let mut products: FxHashMap<Vec<u64>, Rc<Bits>> = FxHashMap::default();
    let mut possible = start.clone();
    // Contexts of each value by heap, for the values that are left after the first round.
    let mut left: FxHashMap<u32, Vec<(usize, u32)>> = FxHashMap::default();
    let mut closure = |heaps: &[u64]| -> Rc<Bits> {
        if let Some(known) = products.get(heaps) {
            return known.clone();
        }
        let members: Vec<usize> = (0..silent.len()).filter(|i| heaps[i / 64] >> (i % 64) & 1 == 1).collect();
        let mut bits = Bits::empty(order);
        bits.insert(0);
        let mut new = vec![0_usize];
        while let Some(x) = new.pop() {
            for &i in &members {
                let y = ways[i][x] as usize;
                if !bits.has(y) {
                    bits.insert(y);
                    new.push(y);
                }
            }
        }
        let bits = Rc::new(bits);
        products.insert(heaps.to_vec(), bits.clone());
        bits
    };
    for x in start.iter() {
        let heaps = &allowed[x * blocks..(x + 1) * blocks];
        if heaps.iter().all(|&w| w == 0) || !closure(heaps).has(x) {
            possible.remove(x);
        } else {
            left.insert(index(x), Vec::new());
        }
    }
    if left.is_empty() {
        return possible;
    }
    for (i, s) in silent.iter().enumerate() {
        for c in s.contexts.iter() {
            if let Some(list) = left.get_mut(&ways[i][c]) {
                list.push((i, index(c)));
            }
        }
    }
    for (&x, list) in &left {
        let mut heaps: Vec<u64> = allowed[x as usize * blocks..(x as usize + 1) * blocks].to_vec();
        loop {
            let reached = closure(&heaps);
            if !reached.has(x as usize) {
                possible.remove(x as usize);
                break;
            }
            let mut fewer = vec![0; blocks];
            for &(i, c) in list {
                if heaps[i / 64] >> (i % 64) & 1 == 1 && reached.has(c as usize) {
                    fewer[i / 64] |= 1 << (i % 64);
                }
            }
            if fewer == heaps {
                break;
            }
            heaps = fewer;
        }
    }
    possible
}

struct State {
    value: u32,
    contexts: Bits,
    parent: u32,
    heap: u32,
}

/// A search over words in colex order.
pub(super) struct Search {
    states: Vec<State>,
    by_value: FxHashMap<u32, Vec<u32>>,
}

/// More states than this are taken for a search that has gone astray.
const MOST_STATES: usize = 4_000_000;

/// Sets that words of equal value share are forgotten when they have more bits than this.
const MOST_SHARED: usize = 1 << 28;

impl Search {
    /// The search that knows the empty word only; `start` are the contexts allowed for it.
    pub fn new(start: Bits) -> Self {
        let first = State { value: 0, contexts: start, parent: 0, heap: 0 };
        Self { states: vec![first], by_value: std::iter::once((0, vec![0])).collect() }
    }

    /// A point to which [`Search::undo`] comes back.
    pub fn mark(&self) -> usize {
        self.states.len()
    }

    /// Forgets all states found since the mark.
    pub fn undo(&mut self, mark: usize) {
        self.states.truncate(mark);
        for states in self.by_value.values_mut() {
            while states.last().is_some_and(|&i| i as usize >= mark) {
                states.pop();
            }
        }
    }

    fn word(&self, mut state: u32) -> Word {
        let mut word = Word::new();
        while state != 0 {
            let s = &self.states[state as usize];
            word = times(&word, s.heap, 1);
            state = s.parent;
        }
        word
    }

    fn dominated(&self, value: u32, contexts: &Bits) -> bool {
        self.by_value
            .get(&value)
            .is_some_and(|earlier| earlier.iter().any(|&i| contexts.within(&self.states[i as usize].contexts)))
    }

    /// Whether a new heap of this value and silence can fail nowhere, because an old word is as silent.
    pub fn covers(&self, value: u32, contexts: &Bits) -> bool {
        contexts.is_empty() || !contexts.has(0) && self.dominated(value, contexts)
    }

    /// Adds one heap, larger than all before: all words with it are searched, with at most `most` copies.
    /// Returns the colex-least failure among them.
    pub fn extend(
        &mut self,
        rows: &Rows,
        silent: &Silent,
        most: u32,
        monitor: &dyn Monitor,
    ) -> Result<Option<Word>, StopReason> {
        if silent.contexts.is_empty() {
            return Ok(None);
        }
        let times_heap = rows.row(silent.value);
        let order = silent.contexts.universe();
        // One byte an element: a look at it is shorter than at a bit, and there are very many.
        let silence: Vec<u8> = (0..order).map(|c| u8::from(silent.contexts.has(c))).collect();
        // {c : c·v silent for the heap}, which words of the same value v share.
        let mut shared: FxHashMap<u32, Bits> = FxHashMap::default();
        let mut level = 0..self.states.len();
        for _ in 0..most {
            let next = self.states.len();
            for i in level {
                monitor.check(i as u64, None)?;
                let state = &self.states[i];
                if shared.len().saturating_mul(order) > MOST_SHARED {
                    shared.clear();
                }
                let within = shared
                    .entry(state.value)
                    .or_insert_with(|| Bits::marked(&rows.row(state.value)[..order], &silence));
                let contexts = within.filtered(|c| state.contexts.has(times_heap[c] as usize));
                if contexts.is_empty() {
                    continue;
                }
                let value = times_heap[state.value as usize];
                // The empty word fails nowhere, so it may dominate only words that do not fail themselves.
                let fails = contexts.has(0);
                if !fails && self.dominated(value, &contexts) {
                    continue;
                }
                let new = index(self.states.len());
                self.states.push(State { value, contexts, parent: index(i), heap: silent.heap });
                self.by_value.entry(value).or_default().push(new);
                if fails {
                    return Ok(Some(self.word(new)));
                }
                if self.states.len() > MOST_STATES {
                    return Err(StopReason::Size { what: "states of the N-check", limit: MOST_STATES as u64 });
                }
            }
            level = next..self.states.len();
            if level.is_empty() {
                break;
            }
        }
        Ok(None)
    }
}
