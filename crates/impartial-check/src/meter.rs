//! What a check may spend: steps and bytes, counted before they are spent.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use crate::Failure;

/// So many steps count as one second. A step is one turn of an inner loop, a few nanoseconds on most machines.
const STEPS_A_SECOND: u64 = 200_000_000;
/// After so many steps the caller is asked whether to go on.
const STEPS_UNTIL_ASKED: u64 = 1 << 18;

/// How much a check may spend. The same file has the same verdict on every machine, as steps are counted and not seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most steps.
    pub steps: u64,
    /// The most bytes held at once.
    pub bytes: u64,
}

impl Limits {
    /// Limits of about this much time and memory.
    ///
    /// ```
    /// use impartial_check::Limits;
    /// use std::time::Duration;
    /// assert_eq!(Limits::new(Duration::from_secs(600), 4 << 30), Limits::default());
    /// ```
    pub fn new(time: Duration, bytes: u64) -> Self {
        let steps = time.as_millis().saturating_mul(u128::from(STEPS_A_SECOND / 1000));
        Self { steps: u64::try_from(steps).unwrap_or(u64::MAX), bytes }
    }
}

impl Default for Limits {
    /// Ten minutes and 4 GiB.
    fn default() -> Self {
        Self { steps: 600 * STEPS_A_SECOND, bytes: 4 << 30 }
    }
}

/// The bytes held, and the most that may be.
#[derive(Debug)]
struct Bytes {
    held: Cell<u64>,
    most: u64,
}

/// Counts what a check spends.
pub(crate) struct Meter<'a> {
    keep_going: &'a dyn Fn() -> bool,
    steps: Cell<u64>,
    most: u64,
    asked: Cell<u64>,
    bytes: Rc<Bytes>,
    extensions: RefCell<BTreeSet<&'static str>>,
}

impl<'a> Meter<'a> {
    pub fn new(limits: &Limits, keep_going: &'a dyn Fn() -> bool) -> Self {
        let bytes = Rc::new(Bytes { held: Cell::new(0), most: limits.bytes });
        let (steps, asked) = (Cell::new(0), Cell::new(0));
        Self { keep_going, steps, most: limits.steps, asked, bytes, extensions: RefCell::default() }
    }

    /// Notes that an extension has a part in the proof.
    pub fn extension(&self, name: &'static str) {
        self.extensions.borrow_mut().insert(name);
    }

    /// Which tier of the checker the proof rests on.
    pub fn tier(&self) -> String {
        let names: Vec<&str> = self.extensions.borrow().iter().copied().collect();
        if names.is_empty() {
            "the kernel".into()
        } else {
            format!("the kernel and the extension {}", names.join(", "))
        }
    }

    /// Counts steps that are about to be made, and asks the caller from time to time.
    pub fn work(&self, steps: u64) -> Result<(), Failure> {
        self.foresee(steps)?;
        let made = self.steps.get() + steps;
        self.steps.set(made);
        if made - self.asked.get() >= STEPS_UNTIL_ASKED {
            self.asked.set(made);
            if !(self.keep_going)() {
                return Err(Failure::Stopped);
            }
        }
        Ok(())
    }

    /// [`Meter::work`] for a length.
    pub fn steps(&self, steps: usize) -> Result<(), Failure> {
        self.work(steps as u64)
    }

    /// Refuses what is known to need so many more steps, before the first of them is made.
    pub fn foresee(&self, steps: u64) -> Result<(), Failure> {
        if self.steps.get().saturating_add(steps) > self.most {
            return Err(Failure::TooLarge(format!(
                "larger than the time limit: the check needs more than {} steps ({} s)",
                self.most,
                self.most / STEPS_A_SECOND
            )));
        }
        Ok(())
    }

    /// Counts bytes that are about to be taken; they are given back when the value is dropped.
    pub fn hold(&self, bytes: u64) -> Result<Held, Failure> {
        let mut held = Held { counter: self.bytes.clone(), bytes: 0 };
        held.grow(bytes)?;
        Ok(held)
    }
}

/// Bytes that were counted.
#[derive(Debug)]
pub(crate) struct Held {
    counter: Rc<Bytes>,
    bytes: u64,
}

impl Held {
    /// Counts more bytes.
    pub fn grow(&mut self, bytes: u64) -> Result<(), Failure> {
        let held = self.counter.held.get().saturating_add(bytes);
        if held > self.counter.most {
            return Err(Failure::Memory(format!(
                "larger than the memory limit: the check needs more than {} MiB",
                self.counter.most >> 20
            )));
        }
        self.counter.held.set(held);
        self.bytes += bytes;
        Ok(())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.counter.held.set(self.counter.held.get() - self.bytes);
    }
}

/// A meter for tests.
#[cfg(test)]
pub(crate) fn free_meter() -> Meter<'static> {
    Meter::new(&Limits::default(), &|| true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_kept() {
        let limits = Limits { steps: 1000, bytes: 100 };
        let meter = Meter::new(&limits, &|| true);
        assert!(meter.work(600).is_ok());
        assert!(meter.foresee(400).is_ok());
        assert!(matches!(meter.foresee(401), Err(Failure::TooLarge(_))));
        assert!(meter.work(400).is_ok());
        assert!(meter.work(1).is_err());
        let mut held = meter.hold(60).unwrap();
        assert!(meter.hold(41).is_err());
        assert!(held.grow(40).is_ok());
        assert!(held.grow(u64::MAX).is_err());
        drop(held);
        assert!(meter.hold(100).is_ok());
        let stopped = Meter::new(&Limits::default(), &|| false);
        assert!(stopped.work(1).is_ok());
        assert!(matches!(stopped.work(STEPS_UNTIL_ASKED), Err(Failure::Stopped)));
    }
}
