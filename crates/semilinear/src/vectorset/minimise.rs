//! Minimisation (Hopcroft 1971, with the refinable partition of Valmari 2012) and canonical numbering.

use super::{Effort, Label, Labelled, id};
use crate::run::StopReason;

/// Splits sets of states into smaller ones, in time proportional to what is marked.
struct Partition {
    /// The elements, block by block.
    elements: Vec<u32>,
    /// Where an element is in `elements`.
    place: Vec<u32>,
    /// The block of an element.
    block: Vec<u32>,
    first: Vec<u32>,
    end: Vec<u32>,
    /// How many of a block's elements are marked; they stand first.
    marked: Vec<u32>,
}

impl Partition {
    /// Blocks of equal `class`; classes are small numbers.
    fn new(class: &[u32], classes: usize) -> Self {
        let mut count = vec![0u32; classes + 1];
        for &c in class {
            count[c as usize + 1] += 1;
        }
        for c in 0..classes {
            count[c + 1] += count[c];
        }
        let mut cursor = count.clone();
        let mut elements = vec![0; class.len()];
        let mut place = vec![0; class.len()];
        for (element, &c) in class.iter().enumerate() {
            let at = &mut cursor[c as usize];
            elements[*at as usize] = id(element);
            place[element] = *at;
            *at += 1;
        }
        let mut this =
            Self { elements, place, block: vec![0; class.len()], first: vec![], end: vec![], marked: vec![] };
        for c in 0..classes {
            if count[c] < count[c + 1] {
                let number = id(this.first.len());
                this.first.push(count[c]);
                this.end.push(count[c + 1]);
                this.marked.push(0);
                for at in count[c]..count[c + 1] {
                    this.block[this.elements[at as usize] as usize] = number;
                }
            }
        }
        this
    }

    fn blocks(&self) -> usize {
        self.first.len()
    }

    /// Marks an element; says whether it is the first marked one of its block.
    fn mark(&mut self, element: u32) -> bool {
        let block = self.block[element as usize] as usize;
        let at = self.place[element as usize];
        let border = self.first[block] + self.marked[block];
        if at < border {
            return false;
        }
        let other = self.elements[border as usize];
        self.elements.swap(at as usize, border as usize);
        self.place[element as usize] = border;
        self.place[other as usize] = at;
        self.marked[block] += 1;
        self.marked[block] == 1
    }

    /// Separates the marked elements of a block from the others; the smaller part becomes a new block.
    fn split(&mut self, block: u32) -> Option<u32> {
        let b = block as usize;
        let marked = std::mem::take(&mut self.marked[b]);
        let size = self.end[b] - self.first[b];
        if marked == 0 || marked == size {
            return None;
        }
        let border = self.first[b] + marked;
        let new = id(self.first.len());
        let (first, end) = if marked * 2 <= size {
            let part = (self.first[b], border);
            self.first[b] = border;
            part
        } else {
            let part = (border, self.end[b]);
            self.end[b] = border;
            part
        };
        self.first.push(first);
        self.end.push(end);
        self.marked.push(0);
        for at in first..end {
            self.block[self.elements[at as usize] as usize] = new;
        }
        Some(new)
    }
}

/// Predecessors by one letter, as one array with offsets.
struct Inverse {
    offsets: Vec<u32>,
    sources: Vec<u32>,
}

impl Inverse {
    fn new(next: &[[u32; 2]], letter: usize) -> Self {
        let mut offsets = vec![0u32; next.len() + 1];
        for successors in next {
            offsets[successors[letter] as usize + 1] += 1;
        }
        for s in 0..next.len() {
            offsets[s + 1] += offsets[s];
        }
        let mut cursor = offsets.clone();
        let mut sources = vec![0; next.len()];
        for (source, successors) in next.iter().enumerate() {
            let at = &mut cursor[successors[letter] as usize];
            sources[*at as usize] = id(source);
            *at += 1;
        }
        Self { offsets, sources }
    }

    fn of(&self, state: u32) -> std::ops::Range<usize> {
        self.offsets[state as usize] as usize..self.offsets[state as usize + 1] as usize
    }
}

/// What is left of an automaton when states that no word tells apart are one.
struct Reduced {
    /// Successors of the states, numbered breadth first from the initial state, letter 0 before letter 1.
    next: Vec<[u32; 2]>,
    /// For each state one of the states that it stands for.
    representative: Vec<u32>,
}

impl<L: Label> Labelled<L> {
    /// The minimal automaton, numbered breadth first: the canonical form. All states are reachable from state 0.
    ///
    /// # Complexity
    /// O(n log n) for n states.
    pub(super) fn minimal(&self, effort: &Effort<'_>) -> Result<Self, StopReason> {
        // Labels at track 0, then one class for each other track.
        let class = |(&track, &label): (&u8, &L)| match track {
            0 => u32::from(label.number()),
            track => L::COUNT - 1 + u32::from(track),
        };
        let classes: Vec<u32> = self.track.iter().zip(&self.label).map(class).collect();
        let Reduced { next, representative } =
            reduced(&self.next, &classes, L::COUNT as usize - 1 + self.dimension, effort)?;
        Ok(Self {
            dimension: self.dimension,
            next,
            track: representative.iter().map(|&s| self.track[s as usize]).collect(),
            label: representative.iter().map(|&s| self.label[s as usize]).collect(),
        })
    }
}

/// States of different classes stay apart, others are one unless some word leads them to different classes.
///
/// # Complexity
/// O(n log n) for n states.
fn reduced(next: &[[u32; 2]], class: &[u32], classes: usize, effort: &Effort<'_>) -> Result<Reduced, StopReason> {
    let mut partition = Partition::new(class, classes);
    let inverse = [Inverse::new(next, 0), Inverse::new(next, 1)];
    // Pairs (block, letter) by which other blocks are still to be split.
    let mut waiting: Vec<(u32, usize)> = (0..id(partition.blocks())).flat_map(|b| [(b, 0), (b, 1)]).collect();
    let (mut splitter, mut touched) = (Vec::new(), Vec::new());
    let mut work = 0u64;
    let mut next_tick = 1 << 14;
    while let Some((block, letter)) = waiting.pop() {
        let range = partition.first[block as usize] as usize..partition.end[block as usize] as usize;
        splitter.clear();
        splitter.extend_from_slice(&partition.elements[range]);
        work += 1 + splitter.len() as u64;
        for &state in &splitter {
            for at in inverse[letter].of(state) {
                let source = inverse[letter].sources[at];
                if partition.mark(source) {
                    touched.push(partition.block[source as usize]);
                }
            }
        }
        for old in touched.drain(..) {
            if let Some(new) = partition.split(old) {
                // When `old` waits, both halves do now; else the smaller half, which is `new`, is enough.
                waiting.extend([(new, 0), (new, 1)]);
            }
        }
        if work > next_tick {
            effort.monitor.check(work, None)?;
            next_tick = work + (1 << 14);
        }
    }
    Ok(numbered(next, &partition))
}

/// The quotient by the partition, breadth first from the initial state, letter 0 before letter 1.
fn numbered(next: &[[u32; 2]], partition: &Partition) -> Reduced {
    const UNSEEN: u32 = u32::MAX;
    let blocks = partition.blocks();
    let mut number = vec![UNSEEN; blocks];
    let mut order = Vec::with_capacity(blocks);
    number[partition.block[0] as usize] = 0;
    order.push(partition.block[0]);
    let mut reduced = Reduced { next: Vec::with_capacity(blocks), representative: Vec::with_capacity(blocks) };
    let mut current = 0;
    while current < order.len() {
        let representative = partition.elements[partition.first[order[current] as usize] as usize];
        let successors = next[representative as usize].map(|target| {
            let block = partition.block[target as usize];
            if number[block as usize] == UNSEEN {
                number[block as usize] = id(order.len());
                order.push(block);
            }
            number[block as usize]
        });
        reduced.next.push(successors);
        reduced.representative.push(representative);
        current += 1;
    }
    reduced
}
