//! What is taken at one first row.

/// The q that shorter third rows take at one first row p, and all q that are too short or too long.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken {
    /// Bit i of word w stands for q = 64·(base + w) + i. All q before and behind the words are taken.
    pub base: usize,
    pub bits: Vec<u64>,
    /// All words before this one are full.
    pub full: usize,
    /// A shorter third row j has the P-position (p, j, j), which every (p, q, r) with r > j reaches by one bite.
    pub ended: bool,
}

impl Taken {
    /// A set of words; full words at its end are left out.
    pub fn new(base: usize, mut bits: Vec<u64>) -> Self {
        while bits.last() == Some(&u64::MAX) {
            bits.pop();
        }
        bits.shrink_to_fit();
        let mut taken = Self { base, bits, full: 0, ended: false };
        taken.skip_full();
        taken
    }

    /// Whether no longer third row has a P-position here.
    #[inline(always)]
    pub fn is_done(&self) -> bool {
        self.ended || self.full >= self.bits.len()
    }

    /// The place of q among the words.
    #[inline(always)]
    fn place(&self, q: u32) -> usize {
        q as usize / 64 - self.base
    }

    /// Takes q, which was free or is taken already.
    #[inline(always)]
    pub fn take(&mut self, q: u32) {
        let place = self.place(q);
        if let Some(word) = self.bits.get_mut(place) {
            *word |= 1 << (q % 64);
            if place == self.full {
                self.skip_full();
            }
        }
    }

    /// Gives q back, which third row r took.
    pub fn give_back(&mut self, q: u32, r: u32) {
        let place = self.place(q);
        self.bits[place] &= !(1 << (q % 64));
        self.full = self.full.min(place);
        self.ended &= q != r;
    }

    /// Takes all q < `start`; forgets full words when they are many.
    pub fn take_below(&mut self, start: u32) {
        let word = start as usize / 64;
        if let Some(place) = word.checked_sub(self.base).filter(|&place| place >= self.full) {
            self.full = place.min(self.bits.len());
            if let Some(bits) = self.bits.get_mut(place) {
                *bits |= (1 << (start % 64)) - 1;
            }
            self.skip_full();
        }
        if 2 * self.full > self.bits.len() || self.ended {
            let forgotten = if self.ended { self.bits.len() } else { self.full };
            self.bits.drain(..forgotten);
            self.bits.shrink_to_fit();
            self.base += forgotten;
            self.full = 0;
        }
    }

    #[inline(always)]
    fn skip_full(&mut self) {
        while self.bits.get(self.full) == Some(&u64::MAX) {
            self.full += 1;
        }
    }
}
