//! Values that pass by: as many heaps as one likes in constant memory, until they are proved to repeat.

use super::period::Period;
use super::states::{State, States};
use super::values::Values;
use super::window::{AnyWindow, Ended, PIECE};
use super::{Moves, Proof, Sequence, Theorem};
use semilinear::run::{Monitor, StopReason};

/// What was seen of values that were not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    /// How many values were computed, those before included.
    pub heaps: usize,
    /// Which values there are among them: bit v for value v.
    pub values: u128,
    /// Their period, once it is proved.
    pub proof: Option<Proof>,
    /// Whether some of it was taken on trust.
    pub resumed: bool,
    /// The sparse space: its mask, and whether the parity of the heap counts.
    pub space: (u32, bool),
    /// Why it ended early, if it did.
    pub stopped: Option<StopReason>,
}

impl Passed {
    /// The largest value.
    pub fn largest(&self) -> u32 {
        self.values.checked_ilog2().unwrap_or(0)
    }

    /// Whether a period was proved of values too large for the checker to compute: they have to be kept and listed.
    pub fn asks_for_values(&self) -> bool {
        self.proof.is_some() && self.largest() > LARGEST_COMPUTED
    }
}

/// What is known of values that pass, for going on with them another day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passing {
    /// Each state is so many values.
    pub reach: usize,
    /// Which values were seen.
    pub values: u128,
    /// States that may come again, in order, and the last state.
    pub states: Vec<State>,
}

/// Told from time to time, and at the end (then the second argument is `true`), what is known; it asks for it when it wants it.
pub type Keeping<'a> = &'a mut dyn FnMut(&dyn Fn() -> Passing, bool);

/// The checker computes no larger values.
const LARGEST_COMPUTED: u32 = 63;
/// The reaches that are tried.
const REACHES: [usize; 3] = [1 << 14, 1 << 16, 1 << 18];
/// Pieces between two looks at the clock.
const STRIDE: usize = 1 << 8;

impl Sequence {
    /// Computes heaps below `len` in constant memory, until their period is proved (`docs/theory/periods.md`, Theorem 4). `None` when that cannot be done: it can where there are
    /// few rare heaps, all small (`docs/performance/sequences.md`). About 2¹⁷ values should be known before; they stay known.
    pub fn pass(
        &mut self,
        len: usize,
        begun: Option<&Passing>,
        keeping: Keeping<'_>,
        monitor: &dyn Monitor,
    ) -> Option<Passed> {
        let (Some(moves), Values::Bytes(list)) = (&self.moves, &self.values) else { return None };
        moves.code().filter(|_| moves.tail.is_none())?;
        monitor.phase("heaps, in constant memory");
        for reach in REACHES {
            if begun.is_some_and(|begun| begun.reach != reach) {
                continue;
            }
            let Some(mut stream) = Stream::new(moves, list, reach) else { continue };
            if begun.is_some_and(|begun| !stream.resume(begun)) {
                return None;
            }
            match stream.run(len as u64, keeping, monitor) {
                Ok(passed) => return Some(passed),
                Err(Ended::Unsettled(heap)) => {
                    monitor.trace(&|| format!("heap {heap} needs more than {reach} heaps before it"));
                }
                Err(_) => {
                    monitor.trace(&|| format!("heap {} is beyond the words", stream.window.heaps()));
                    return None;
                }
            }
        }
        None
    }
}

struct Stream<'a> {
    moves: &'a Moves,
    /// The first values.
    list: &'a [u8],
    window: AnyWindow,
    /// The heap that it begins at.
    begin: usize,
    reach: usize,
    states: States,
    seen: u128,
    resumed: bool,
}

impl<'a> Stream<'a> {
    /// Begins as early as the window allows, so that as many heaps as can be are known to be settled by it.
    fn new(moves: &'a Moves, list: &'a [u8], reach: usize) -> Option<Self> {
        let window = (1..4).find_map(|more| AnyWindow::new(moves, list.get(..(2 + more) * reach)?, reach))?;
        let states = States::new(window.recent(reach), window.heaps());
        let begin = usize::try_from(window.heaps()).ok()?;
        let seen = list[..begin].iter().fold(0, |set, &value| set | 1 << value);
        Some(Self { moves, list, window, begin, reach, states, seen, resumed: false })
    }

    /// Goes on from what was kept, where it fits.
    fn resume(&mut self, begun: &Passing) -> bool {
        let Some((here, marks)) = begun.states.split_last() else { return true };
        while !begun.states.iter().all(|state| self.window.clone().set_state(state.heap, &state.values)) {
            let Some(wider) = self.window.wider(self.moves, self.first()) else { return false };
            self.window = wider;
        }
        if let Some(last) = marks.last() {
            self.states.restore(marks, &self.window.numbers(&last.values));
        }
        self.window.set_state(here.heap, &here.values);
        self.seen |= begun.values;
        self.resumed = true;
        true
    }

    /// Goes on by a piece; more room for values is made when it is needed.
    fn step(&self, window: &mut AnyWindow) -> Result<(), Ended> {
        match window.run() {
            Ended::Done => Ok(()),
            Ended::Large => {
                *window = window.wider(self.moves, self.first()).ok_or(Ended::Large)?;
                self.step(window)
            }
            unsettled @ Ended::Unsettled(_) => Err(unsettled),
        }
    }

    /// The values that an engine begins with.
    fn first(&self) -> &'a [u8] {
        &self.list[..self.list.len().min(5 * self.reach)]
    }

    fn run(&mut self, len: u64, keeping: Keeping<'_>, monitor: &dyn Monitor) -> Result<Passed, Ended> {
        let (mut proof, mut stopped) = (None, None);
        let mut window = self.window.clone();
        let mut pieces = 0;
        while window.heaps() < len && stopped.is_none() && proof.is_none() {
            self.step(&mut window)?;
            let (heap, reach) = (window.heaps(), self.reach);
            let state = |heap: u64, len: usize| window.values(heap - len as u64, len);
            let found = self.states.look(window.recent(reach), PIECE, heap, &state, reach);
            if let Some((earlier, place)) = found {
                let p = place - earlier.heap;
                monitor.trace(&|| format!("the state of heap {} comes again {p} heaps later", earlier.heap));
                match self.preperiod(&window, &earlier, p, monitor)? {
                    Ok(n0) => proof = Some(self.proof(n0, p)),
                    Err(why) => stopped = Some(why),
                }
            }
            pieces += 1;
            if pieces % STRIDE == 0 {
                stopped = stopped.or(monitor.check(heap, Some(len)).err());
                let (states, values) = (&self.states, self.seen | window.seen());
                keeping(&|| passing(states, &window, values, reach), false);
            }
        }
        let (states, values) = (&self.states, self.seen | window.seen());
        keeping(&|| passing(states, &window, values, self.reach), true);
        let heaps = usize::try_from(window.heaps()).unwrap_or(usize::MAX);
        Ok(Passed { heaps, values, proof, resumed: self.resumed, space: window.space(), stopped })
    }

    fn proof(&self, preperiod: u64, period: u64) -> Proof {
        let size = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        let period = Period { preperiod: size(preperiod), period: size(period), saltus: 0 };
        Proof { period, theorem: Theorem::Window(self.reach) }
    }

    /// The least n₀ such that values repeat after p from it on, where they do from some state on.
    fn preperiod(
        &self,
        window: &AnyWindow,
        known: &State,
        p: u64,
        monitor: &dyn Monitor,
    ) -> Result<Result<u64, StopReason>, Ended> {
        let marks: Vec<&State> = self.states.kept().filter(|state| state.heap <= known.heap).collect();
        let reach = self.reach as u64;
        // From `marks[high]` on they repeat, and not from `marks[low - 1]` on.
        let (mut low, mut high) = (0, marks.len() - 1);
        while low < high {
            let middle = usize::midpoint(low, high);
            let mut later = Cursor::new(self, window, marks[middle].heap + p - reach);
            match later.take(reach, monitor)? {
                Err(why) => return Ok(Err(why)),
                Ok(state) if state == marks[middle].values => high = middle,
                Ok(_) => low = middle + 1,
            }
        }
        // So the last difference is at most so far before it, or before the first values.
        let from = if low == 0 { 0 } else { marks[low - 1].heap - reach };
        let (mut early, mut late) = (Cursor::new(self, window, from), Cursor::new(self, window, from + p));
        let mut preperiod = from;
        while early.next < marks[low].heap {
            let first = early.next;
            let (a, b) = match (early.take(PIECE as u64, monitor)?, late.take(PIECE as u64, monitor)?) {
                (Ok(a), Ok(b)) => (a, b),
                (Err(why), _) | (_, Err(why)) => return Ok(Err(why)),
            };
            if let Some(last) = a.iter().zip(&b).rposition(|(a, b)| a != b) {
                preperiod = first + last as u64 + 1;
            }
        }
        Ok(Ok(preperiod))
    }
}

fn passing(states: &States, window: &AnyWindow, values: u128, reach: usize) -> Passing {
    let heap = window.heaps();
    let here = State { heap, values: window.values(heap - reach as u64, reach) };
    Passing { reach, values, states: states.kept().cloned().chain([here]).collect() }
}

/// Reads values from some heap on.
struct Cursor<'a> {
    stream: &'a Stream<'a>,
    window: AnyWindow,
    next: u64,
}

impl<'a> Cursor<'a> {
    /// Before heap `next`: from the first values, or from the last state that is early enough. `window` has room for all values.
    fn new(stream: &'a Stream<'a>, window: &AnyWindow, next: u64) -> Self {
        let (mut window, reach) = (window.clone(), stream.reach);
        // What stands in the window is the state and what follows it.
        match stream.states.kept().rev().find(|state| state.heap <= next + reach as u64) {
            Some(state) => window.set_state(state.heap, &state.values),
            None => window.set_state(stream.begin as u64, &stream.list[stream.begin - reach..stream.begin]),
        };
        Self { stream, window, next }
    }

    /// The next values: as many as the reach at most.
    fn take(&mut self, len: u64, monitor: &dyn Monitor) -> Result<Result<Vec<u8>, StopReason>, Ended> {
        let (from, end) = (self.next, self.next + len);
        self.next = end;
        let within = |n: u64| usize::try_from(n).ok().filter(|&n| n <= self.stream.list.len());
        let count = usize::try_from(len).unwrap_or(usize::MAX);
        if let (Some(from), Some(end)) = (within(from), within(end)) {
            return Ok(Ok(self.stream.list[from..end].to_vec()));
        }
        let mut pieces = 0;
        while self.window.heaps() < end {
            self.stream.step(&mut self.window)?;
            pieces += 1;
            if pieces % STRIDE == 0
                && let Err(why) = monitor.check(self.window.heaps(), None)
            {
                return Ok(Err(why));
            }
        }
        Ok(Ok(self.window.values(from, count)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Engine;
    use super::*;
    use semilinear::run::Unlimited;
    use std::cell::RefCell;
    use std::ops::ControlFlow;

    fn begun(code: &str, len: usize) -> Sequence {
        let mut sequence = Sequence::new(code.parse().unwrap(), Engine::Auto);
        sequence.extend(len, &Unlimited).unwrap();
        sequence
    }

    /// The values that pass, by stopping again and again.
    fn passed(sequence: &mut Sequence, len: usize) -> Option<(Passed, Passing)> {
        let last = RefCell::new(None);
        let passed = sequence.pass(
            len,
            None,
            &mut |passing, at_end| {
                if at_end {
                    *last.borrow_mut() = Some(passing());
                }
            },
            &Unlimited,
        )?;
        Some((passed, last.into_inner()?))
    }

    #[test]
    fn values_that_pass_are_the_values() {
        for code in ["0.106", "0.104", "0.1052", "0.056", "0.1156", "0.1077", "0.0144"] {
            let mut sequence = begun(code, 80_000);
            let Some((found, passing)) = passed(&mut sequence, 400_001) else { panic!("{code}") };
            assert_eq!(sequence.len(), 80_000);
            assert!(found.proof.is_some() || found.heaps >= 400_001, "{code}");
            sequence.extend(found.heaps, &Unlimited).unwrap();
            let Values::Bytes(all) = sequence.narrow() else { panic!("small values") };
            for State { heap, values } in &passing.states {
                let end = usize::try_from(*heap).unwrap();
                assert!(all[end - values.len()..end] == values[..], "{code}, heap {heap}");
            }
            assert!(passing.states.len() > 2, "{code}");
            assert_eq!(found.values, all.iter().fold(0, |set, &value| set | 1 << value), "{code}");
        }
    }

    #[test]
    fn periods_are_those_that_the_values_prove() {
        let mut proved = 0;
        for first in [0, 4] {
            for n in 0..512_u16 {
                let digit = |shift: u16| n >> shift & 7;
                let code = format!("{first}.{}{}{}", digit(6), digit(3), digit(0));
                let mut sequence = Sequence::new(code.parse().unwrap(), Engine::Auto);
                sequence.extend(3_000, &Unlimited).unwrap();
                // What is dense takes too long here.
                if sequence.rare_heaps().is_none_or(|rare| rare.heaps > 150) {
                    continue;
                }
                sequence.search(150_000, &Unlimited).unwrap();
                let Some(proof) = sequence.proof() else { continue };
                sequence.extend(100_000, &Unlimited).unwrap();
                let Some((found, _)) = passed(&mut sequence, 600_000) else { continue };
                assert_eq!(found.proof.unwrap().period, proof.period, "{code}");
                proved += 1;
            }
        }
        assert!(proved > 300, "{proved}");
    }

    #[test]
    fn what_was_stopped_goes_on() {
        let mut sequence = begun("0.356", 80_000);
        let (whole, _) = passed(&mut sequence, 600_000).unwrap();
        let mut sequence = begun("0.1077", 80_000);
        let (all, at_end) = passed(&mut sequence, 1_000_000).unwrap();
        let middle = RefCell::new(None);
        let stop = Budget(500_000);
        let half =
            sequence.pass(1_000_000, None, &mut |passing, _| *middle.borrow_mut() = Some(passing()), &stop).unwrap();
        assert_eq!(half.stopped, Some(StopReason::Time));
        let middle = middle.into_inner().unwrap();
        let last = RefCell::new(None);
        let rest = sequence
            .pass(1_000_000, Some(&middle), &mut |passing, _| *last.borrow_mut() = Some(passing()), &Unlimited)
            .unwrap();
        assert!(rest.resumed && !all.resumed && !whole.resumed);
        assert_eq!(rest.values, all.values);
        let (here, there) = (last.into_inner().unwrap(), at_end);
        assert_eq!(here.states.last(), there.states.last());
        // A file may say anything.
        let wrong = Passing { states: vec![State { heap: 1 << 40, values: vec![127; 1 << 14] }], ..middle };
        let found = sequence.pass(2_000_000, Some(&wrong), &mut |_, _| (), &Unlimited);
        assert!(found.is_none_or(|found| found.resumed));
    }

    #[test]
    fn engines_that_need_all_values_keep_them() {
        let mut sequence = begun("0.07", 80_000);
        assert_eq!(sequence.pass(90_000, None, &mut |_, _| (), &Unlimited), None);
    }

    /// Stops when so many heaps are behind.
    struct Budget(u64);

    impl Monitor for Budget {
        fn tick(&self, done: u64, _: Option<u64>) -> ControlFlow<StopReason> {
            if done < self.0 { ControlFlow::Continue(()) } else { ControlFlow::Break(StopReason::Time) }
        }
    }

    /// Two periods of Flammenkamp's, of which no value is kept.
    #[test]
    #[ignore = "long without optimisation"]
    fn long_periods_are_proved_in_constant_memory() {
        for (code, preperiod, period) in [("0.104", 197_769_598, 11_770_282), ("0.1077", 193_235_615, 10_015_179)] {
            let mut sequence = begun(code, 1 << 20);
            let (found, _) = passed(&mut sequence, 300_000_001).unwrap();
            assert_eq!(found.proof.unwrap().period, Period { preperiod, period, saltus: 0 }, "{code}");
        }
    }
}
