//! Values that pass by: as many heaps as one likes in constant memory, and whether they repeat.

use super::choose::AnyRing;
use super::period::proved;
use super::repeats::Repeats;
use super::ring::REACH;
use super::values::{Heaps as _, Ran, Values};
use super::{Moves, Sequence};
use semilinear::run::{Monitor, StopReason};

/// What was seen of values that were not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    /// How many values were computed, those before included.
    pub heaps: usize,
    /// The largest of them.
    pub largest: u32,
    /// They seem to repeat, after so many heaps: if they do these values prove it. What is said of short periods was compared value by value, of long ones by
    /// residues, and never from the first heap on; so it is no proof.
    pub seems: Option<usize>,
    /// Why it ended early, if it did.
    pub stopped: Option<StopReason>,
}

/// How many values are at hand.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    /// The first heaps, for witnesses.
    head: usize,
    /// The last heaps.
    recent: usize,
    /// Heaps that follow before the first of the last are forgotten.
    fresh: usize,
}

const SIZES: Sizes = Sizes { head: 1 << 16, recent: 1 << 18, fresh: 1 << 18 };

impl Sequence {
    /// From here on heaps below `len` are computed and forgotten, in constant memory, until they seem to repeat. `None` when that cannot be done: it can where there are few rare heaps, all small
    /// (`docs/performance/sequences.md`), as long as no other appears. The values known before stay known.
    pub fn pass(&mut self, len: usize, monitor: &dyn Monitor) -> Option<Passed> {
        monitor.phase("heaps, in constant memory");
        self.pass_by(SIZES, len, monitor, |_| ())
    }

    /// `seen` is told the new values.
    fn pass_by(
        &mut self,
        sizes: Sizes,
        len: usize,
        monitor: &dyn Monitor,
        mut seen: impl FnMut(&[u8]),
    ) -> Option<Passed> {
        let (Some(moves), Values::Bytes(list)) = (&self.moves, &self.values) else { return None };
        if list.len() < sizes.head + sizes.recent + 1 || moves.code().is_none_or(|_| moves.tail.is_some()) {
            return None;
        }
        let ring = self.engine.take_ring()?;
        let mut stream = Stream::new(moves, ring, sizes, list);
        stream.run(len, monitor, &mut seen)
    }
}

struct Stream<'a> {
    moves: &'a Moves,
    ring: AnyRing,
    sizes: Sizes,
    /// The first heaps and the last.
    values: Vec<u8>,
    /// How many heaps are missing between them.
    missing: usize,
    largest: u8,
    repeats: Repeats,
    /// A period of the last heaps, and the heap from which on it holds at least.
    short: Option<(usize, usize)>,
    /// A short period is looked for again when so many heaps are known.
    next_look: usize,
}

impl<'a> Stream<'a> {
    fn new(moves: &'a Moves, ring: AnyRing, sizes: Sizes, list: &[u8]) -> Self {
        let Sizes { head, recent, fresh } = sizes;
        let mut repeats = Repeats::new();
        repeats.add(list, 0);
        // An even number of heaps is left out.
        let missing = (list.len() - head - recent) / 2 * 2;
        let mut values = Vec::with_capacity(head + recent + fresh + 1);
        values.extend_from_slice(&list[..head]);
        values.extend_from_slice(&list[head + missing..]);
        let largest = list.iter().copied().max().unwrap_or(0);
        Self { moves, ring, sizes, values, missing, largest, repeats, short: None, next_look: 0 }
    }

    fn run(&mut self, len: usize, monitor: &dyn Monitor, seen: &mut impl FnMut(&[u8])) -> Option<Passed> {
        let Sizes { head, recent, fresh } = self.sizes;
        self.ring.skip(self.missing, head, recent);
        let mut seems = None;
        let mut stopped = None;
        while self.heaps() < len && seems.is_none() && stopped.is_none() {
            if self.values.len() >= head + recent + fresh {
                self.values.copy_within(head + fresh.., head);
                self.values.truncate(self.values.len() - fresh);
                self.missing += fresh;
                self.ring.skip(self.missing, head, recent);
            }
            let from = self.values.len();
            let end = (head + recent + fresh).min(len - self.missing);
            match self.ring.run(&mut self.values, end, monitor) {
                Ok(Ran::Done) => (),
                Ok(_) => {
                    monitor.trace(&|| format!("heap {} cannot be settled in constant memory", self.heaps()));
                    return None;
                }
                Err(why) => stopped = Some(why),
            }
            let new = &self.values[from..];
            seen(new);
            self.largest = new.iter().copied().max().unwrap_or(0).max(self.largest);
            self.repeats.add(&self.values, from);
            seems = self.seems(from, self.heaps() >= len);
        }
        Some(Passed { heaps: self.heaps(), largest: self.largest.into(), seems, stopped })
    }

    fn heaps(&self) -> usize {
        self.missing + self.values.len()
    }

    /// A period that the values prove, if they have it. At the end what may just be enough counts.
    fn seems(&mut self, from: usize, at_end: bool) -> Option<usize> {
        let (heaps, known) = (self.heaps(), self.values.len());
        let last_digit = self.moves.digits_before(0) - 1;
        let room = heaps.checked_sub(last_digit)? / 2;
        let goes_on = |&(p, _): &(usize, usize)| self.values[from - p..known - p] == self.values[from..];
        self.short = self.short.filter(goes_on);
        if self.short.is_none() && (at_end || heaps >= self.next_look) {
            self.next_look = heaps + heaps / 16;
            let last = &self.values[known - self.sizes.recent..];
            let found = proved(self.moves, last);
            self.short = found.map(|found| (found.period, heaps - last.len() + found.preperiod));
        }
        match self.short {
            Some((p, start)) if at_end || start + p <= room => Some(p),
            _ => self.repeats.least(room, at_end),
        }
    }
}

const _: () = assert!(SIZES.recent > REACH && SIZES.fresh.is_multiple_of(2));

#[cfg(test)]
mod tests {
    use super::super::Engine;
    use super::*;
    use semilinear::run::Unlimited;
    use std::ops::ControlFlow;

    const SMALL: Sizes = Sizes { head: 1 << 12, recent: 1 << 15, fresh: 1 << 14 };

    fn begun(code: &str, len: usize) -> Sequence {
        let mut sequence = Sequence::new(code.parse().unwrap(), Engine::Auto);
        sequence.extend(len, &Unlimited).unwrap();
        assert_eq!(sequence.engine(), "ring");
        sequence
    }

    #[test]
    fn values_that_pass_are_the_values() {
        for (code, first) in [("0.106", 70_000), ("0.106", 71_001), ("0.056", 80_000)] {
            let mut sequence = begun(code, first);
            let mut passed = Vec::new();
            let found = sequence.pass_by(SMALL, 400_001, &Unlimited, |new| passed.extend_from_slice(new)).unwrap();
            assert_eq!(sequence.len(), first);
            sequence.extend(found.heaps, &Unlimited).unwrap();
            let Values::Bytes(kept) = sequence.narrow() else { panic!("small values") };
            assert!(passed == kept[first..], "{code}");
            assert_eq!(found.largest, sequence.narrow().largest().unwrap());
            assert_eq!((found.heaps, found.seems, found.stopped), (400_001, None, None));
        }
    }
    #[test]
    fn a_short_period_is_seen_as_soon_as_it_is_long_enough() {
        let mut sequence = begun("0.356", 70_001);
        let found = sequence.pass_by(SMALL, 400_001, &Unlimited, |_| ()).unwrap();
        assert_eq!((found.seems, found.stopped), (Some(142), None));
        // It was not looked for before the first heap that passed.
        assert!(found.heaps <= 2 * (70_001 + 142) + SMALL.fresh, "{}", found.heaps);
    }

    #[test]
    fn a_heap_that_is_out_of_sight_is_not_guessed() {
        // A head so short that searches for witnesses leave it.
        let mut sequence = begun("0.106", 70_000);
        assert_eq!(sequence.pass_by(Sizes { head: 40, ..SMALL }, 400_001, &Unlimited, |_| ()), None);
        // The kept values go on as if nothing had been.
        sequence.extend(100_000, &Unlimited).unwrap();
        let mut other = Sequence::new("0.106".parse().unwrap(), Engine::Sparse);
        other.extend(100_000, &Unlimited).unwrap();
        assert_eq!(sequence.values(), other.values());
    }

    #[test]
    fn engines_that_need_all_values_keep_them() {
        let mut sequence = Sequence::new("0.07".parse().unwrap(), Engine::Auto);
        sequence.extend(60_000, &Unlimited).unwrap();
        assert_eq!(sequence.pass_by(SMALL, 70_000, &Unlimited, |_| ()), None);
    }

    #[test]
    fn a_stop_tells_how_far_it_came() {
        let mut sequence = begun("0.106", 70_000);
        let stop = Budget(100_000);
        let found = sequence.pass_by(SMALL, 400_001, &stop, |_| ()).unwrap();
        assert_eq!(found.stopped, Some(StopReason::Time));
        assert!((100_000..130_000).contains(&found.heaps), "{}", found.heaps);
    }

    /// Stops when so many heaps are behind.
    struct Budget(u64);

    impl Monitor for Budget {
        fn tick(&self, done: u64, _: Option<u64>) -> ControlFlow<StopReason> {
            if done < self.0 { ControlFlow::Continue(()) } else { ControlFlow::Break(StopReason::Time) }
        }
    }

    /// The period of 0.104 needs 419 million values, of which none is kept here: about 6 s when optimised.
    #[test]
    #[ignore = "long without optimisation"]
    fn a_long_period_is_seen_by_residues() {
        let mut sequence = begun("0.104", 1 << 20);
        let found = sequence.pass(450_000_001, &Unlimited).unwrap();
        assert_eq!((found.seems, found.stopped), (Some(11_770_282), None));
        let needed = 2 * (197_769_598 + 11_770_282);
        assert!((needed..needed + needed / 100).contains(&found.heaps), "{}", found.heaps);
    }
}
