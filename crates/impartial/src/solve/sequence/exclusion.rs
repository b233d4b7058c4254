//! Decides for all heaps at once whether an option can have the value of its heap.

use rustc_hash::FxHashSet;

use super::Moves;
use super::induction::Candidate;
use semilinear::run::{Monitor, StopReason};

/// States and starting points beyond which the question is left open.
const MOST_STATES: usize = 4_000_000;
const MOST_STARTS: u64 = 60_000_000;

/// Whether no heap n ≥ start has an option of its own value, values going on as the candidate says.
///
/// From `start` on a heap is start + i + P·q with value f(i) + R·q (step P, rise R). An option of heap n with parts
/// x₁, x₂, x₃ of that kind (q₁, q₂, q₃), other parts of fixed size, and k (+ P·m) beans taken gives the equations
/// q₁ + q₂ + q₃ + m − q = δ and (f₁ + R·q₁) ^ (f₂ + R·q₂) ^ (f₃ + R·q₃) ^ w = f + R·q. Both are read from
/// the lowest bit on with finitely many carries: a path through the carries to a state that ends with zeros is a
/// solution, and without one there is none. The power of two in R only shifts: the bits below it are constants.
///
/// # Complexity
/// See [`super::induction::prove`]; the number of states depends on the odd part of R alone.
pub(super) fn excluded(moves: &Moves, candidate: &Candidate<'_>, monitor: &dyn Monitor) -> Result<bool, StopReason> {
    let mut search = Search::new(candidate, monitor);
    // Taking a whole heap has value 0.
    if let Some(tail) = &moves.tail {
        for n in candidate.start..candidate.start + candidate.step {
            if tail.block[(n - tail.start) % tail.block.len()] & 1 != 0 && candidate.values[n] == 0 {
                return Ok(false);
            }
        }
    }
    let fixed = moves.tail.as_ref().map_or(moves.digits_before(0), |tail| tail.start);
    for k in 0..fixed {
        if !search.free_of_solutions(moves.digit(k), k, false)? {
            return Ok(false);
        }
    }
    if let Some(tail) = &moves.tail {
        for k in tail.start..tail.start + candidate.step {
            if !search.free_of_solutions(moves.digit(k), k, true)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The carries between two bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    /// How many of `carries` belong to growing parts.
    parts: u8,
    /// Whether the number of beans taken grows.
    taken_grows: bool,
    /// Σq + m − q_n so far, from the low bits.
    balance: i64,
    /// Of the growing parts, sorted.
    carries: [u64; 3],
    /// What is left of the value of the fixed parts.
    rest: u64,
    /// Of the heap itself.
    whole: u64,
}

struct Search<'a> {
    candidate: &'a Candidate<'a>,
    monitor: &'a dyn Monitor,
    /// The power of two in the rise, and its odd part.
    shift: u32,
    odd: u64,
    seen: FxHashSet<State>,
    starts: u64,
}

impl<'a> Search<'a> {
    fn new(candidate: &'a Candidate<'a>, monitor: &'a dyn Monitor) -> Self {
        let shift = if candidate.rise == 0 { 0 } else { candidate.rise.trailing_zeros() };
        Self { candidate, monitor, shift, odd: candidate.rise >> shift, seen: FxHashSet::default(), starts: 0 }
    }

    /// Whether no option that takes k beans (k + P·m for some m, if `taken_grows`) has the value of its heap.
    fn free_of_solutions(&mut self, digit: u8, k: usize, taken_grows: bool) -> Result<bool, StopReason> {
        for heaps in 1..=3 {
            if digit >> heaps & 1 == 1 && !self.divisions(heaps, 0, k, &mut Vec::new(), 0, taken_grows)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Chooses the remaining parts in increasing order: a fixed heap below `start`, or a growing one by its first heap.
    fn divisions(
        &mut self,
        heaps: u32,
        least: usize,
        total: usize,
        growing: &mut Vec<u64>,
        rest: u64,
        taken_grows: bool,
    ) -> Result<bool, StopReason> {
        if heaps == 0 {
            return self.start(total, growing, rest, taken_grows);
        }
        let start = self.candidate.start;
        for heap in least.max(1)..start + self.candidate.step {
            let value = u64::from(self.candidate.values[heap]);
            let free = if heap < start {
                self.divisions(heaps - 1, heap, total + heap, growing, rest ^ value, taken_grows)?
            } else {
                growing.push(value);
                let free = self.divisions(heaps - 1, heap, total + heap, growing, rest, taken_grows)?;
                growing.pop();
                free
            };
            if !free {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The parts and the beans taken sum to `total` plus a multiple of the step: begins the search for a solution.
    fn start(&mut self, total: usize, growing: &[u64], rest: u64, taken_grows: bool) -> Result<bool, StopReason> {
        self.starts += 1;
        if self.starts.is_multiple_of(1024) {
            self.monitor.check(self.starts, None)?;
        }
        if self.starts > MOST_STARTS {
            return Err(StopReason::Size { what: "cases of an induction", limit: MOST_STARTS });
        }
        let (start, step) = (self.candidate.start, self.candidate.step);
        let signed = |n: usize| i64::try_from(n).expect("sizes are far below 2^63");
        let offset = signed(total) - signed(start);
        let class = usize::try_from(offset.rem_euclid(signed(step))).expect("not negative");
        // q_n = balance + Σq + m.
        let balance = offset.div_euclid(signed(step));
        let whole = u64::from(self.candidate.values[start + class]);
        let sum = growing.iter().fold(rest, |sum, value| sum ^ value);
        if self.candidate.rise == 0 {
            let possible = balance >= 0 || taken_grows || !growing.is_empty();
            return Ok(sum != whole || !possible);
        }
        if (sum ^ whole) & ((1 << self.shift) - 1) != 0 {
            return Ok(true);
        }
        let mut carries = [0; 3];
        for (carry, value) in carries.iter_mut().zip(growing) {
            *carry = value >> self.shift;
        }
        let parts = u8::try_from(growing.len()).expect("at most three");
        carries[..growing.len()].sort_unstable();
        self.explore(State {
            parts,
            taken_grows,
            balance,
            carries,
            rest: rest >> self.shift,
            whole: whole >> self.shift,
        })
    }

    /// Whether no state that ends with zeros can be reached.
    fn explore(&mut self, from: State) -> Result<bool, StopReason> {
        let mut stack = vec![from];
        while let Some(state) = stack.pop() {
            if !self.seen.insert(state) {
                continue;
            }
            if self.seen.len() > MOST_STATES {
                return Err(StopReason::Size { what: "states of an induction", limit: MOST_STATES as u64 });
            }
            let parts = usize::from(state.parts);
            if state.balance == 0 && state.carries.iter().fold(state.rest, |sum, carry| sum ^ carry) == state.whole {
                return Ok(false);
            }
            for bits in 0..1_u32 << (parts + usize::from(state.taken_grows)) {
                let sum = state.balance + i64::from(bits.count_ones());
                let bit = sum.rem_euclid(2);
                let mut next = State { balance: sum.div_euclid(2), rest: state.rest >> 1, ..state };
                let whole = state.whole + if bit == 1 { self.odd } else { 0 };
                let mut parity = state.rest ^ whole;
                for (i, carry) in next.carries[..parts].iter_mut().enumerate() {
                    let full = *carry + if bits >> i & 1 == 1 { self.odd } else { 0 };
                    parity ^= full;
                    *carry = full >> 1;
                }
                if parity & 1 == 0 {
                    next.whole = whole >> 1;
                    next.carries[..parts].sort_unstable();
                    stack.push(next);
                }
            }
        }
        Ok(true)
    }
}
