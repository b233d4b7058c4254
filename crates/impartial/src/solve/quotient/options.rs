//! The options of heaps, as the quotient search sees them.

/// The options of the heaps 1, 2, …: each option is a list of smaller heaps. Heaps without options
/// are *inert*; they and heap 0 are the same as no heap, so they are dropped from every option.
///
/// ```
/// use impartial::solve::quotient::OptionTable;
/// let mut kayles = OptionTable::default();
/// kayles.push(&[vec![]]);                                     // heap 1: take it
/// kayles.push(&[vec![], vec![1]]);                            // heap 2: take one or both
/// kayles.push(&[vec![1], vec![2], vec![1, 1]]);               // heap 3
/// assert_eq!(kayles.heaps(), 3);
/// assert_eq!(kayles.options(3).collect::<Vec<_>>(), [&[1][..], &[1, 1], &[2]]);
/// ```
#[derive(Clone, Debug)]
pub struct OptionTable {
    /// All options one after another.
    parts: Vec<u32>,
    /// Where each option ends in `parts`.
    ends: Vec<u32>,
    /// Where the options of each heap end in `ends`; entry 0 is heap 0.
    heaps: Vec<u32>,
}

impl Default for OptionTable {
    fn default() -> Self {
        Self { parts: Vec::new(), ends: Vec::new(), heaps: vec![0] }
    }
}

impl OptionTable {
    /// The number of heaps known: 1..=heaps.
    pub fn heaps(&self) -> usize {
        self.heaps.len() - 1
    }

    /// Adds the next heap. Every part of every option must be a smaller heap (0 is no heap).
    ///
    /// # Panics
    /// When an option has a part that is not smaller than the heap: such a game may never end.
    pub fn push(&mut self, options: &[Vec<u32>]) {
        let heap = self.heaps.len();
        let mut kept: Vec<Vec<u32>> = options
            .iter()
            .map(|option| {
                assert!(option.iter().all(|&h| (h as usize) < heap), "options of heap {heap} have smaller heaps only");
                let mut parts: Vec<u32> = option.iter().copied().filter(|&h| !self.inert(h as usize)).collect();
                parts.sort_unstable();
                parts
            })
            .collect();
        kept.sort_unstable();
        kept.dedup();
        for option in kept {
            self.parts.extend_from_slice(&option);
            self.ends.push(u32::try_from(self.parts.len()).expect("fewer than 2^32 parts"));
        }
        self.heaps.push(u32::try_from(self.ends.len()).expect("fewer than 2^32 options"));
    }

    /// Removes the last heap.
    pub(super) fn pop(&mut self) {
        if self.heaps.len() > 1 {
            self.heaps.pop();
            self.ends.truncate(self.heaps.last().map_or(0, |&n| n as usize));
            self.parts.truncate(self.ends.last().map_or(0, |&n| n as usize));
        }
    }

    fn range(&self, heap: usize) -> std::ops::Range<usize> {
        if heap == 0 { 0..0 } else { self.heaps[heap - 1] as usize..self.heaps[heap] as usize }
    }

    /// Whether the heap has no options.
    pub fn inert(&self, heap: usize) -> bool {
        self.range(heap).is_empty()
    }

    /// The options of a heap, each as a sorted list of heaps that are not inert; sorted, without repeats.
    pub fn options(&self, heap: usize) -> impl Iterator<Item = &[u32]> + '_ {
        self.range(heap).map(|i| {
            let from = if i == 0 { 0 } else { self.ends[i - 1] as usize };
            &self.parts[from..self.ends[i] as usize]
        })
    }
}
