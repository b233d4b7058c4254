//! Theorem 2: a period with any saltus, proved by induction on the heap.

use std::collections::HashSet;

use crate::format::NimSequence;
use crate::heap::Code;
use crate::meter::{Held, Meter};
use crate::mex::right_below;
use crate::{Checked, refuse};

/// Beyond these the certificate is refused as too large to check.
const MOST_CASES: u64 = 200_000_000;
const MOST_STATES: usize = 10_000_000;

/// The claimed values in the shape that the induction needs.
struct Shape<'a> {
    game: &'a Code,
    /// Claimed values of the heaps below base + block.
    g: Vec<u64>,
    /// From here on the equation holds, and digits repeat or are over.
    start: usize,
    /// A multiple of the period and of the repeated block of digits, and what it adds.
    step: usize,
    rise: u64,
}

pub(crate) fn check(game: &Code, claim: &NimSequence, base: usize, block: usize, meter: &Meter<'_>) -> Checked {
    meter.extension("induction");
    if base.checked_add(block).is_none_or(|heaps| heaps > 1 << 20) || claim.values.len() > 1 << 20 {
        return refuse("\"base\" and \"block\" are too large");
    }
    let first_free = game.digits.len() - game.repeat;
    let start = first_free.max(claim.preperiod).max(1);
    let mut step = claim.period;
    while game.repeat > 0 && !step.is_multiple_of(game.repeat) {
        step += claim.period;
    }
    let pairs = game.most_heaps() >= 2;
    if block == 0 || !block.is_multiple_of(step) || (pairs && block % 2 == 1) || base < start + block {
        return refuse("\"base\" or \"block\" does not fit the period");
    }
    let rise = claim.saltus * (step / claim.period) as u64;
    let g = claim.continued(base + block.max(step));
    right_below(game, &g[..base], meter)?;
    let shape = Shape { game, g, start, step, rise };
    // Three lists as long as the value of a heap are made for each heap of the block.
    let g_top = shape.g.iter().copied().max().unwrap_or(0);
    let _held = meter.hold(g_top.saturating_mul(3).saturating_add(8 * shape.g.len() as u64))?;
    let block_rise = claim.saltus * (block / claim.period) as u64;
    for n in base..base + block {
        let cost = |k: usize| {
            let rest = (n - k) as u64;
            1 + if game.digit(k) & 8 != 0 { rest * rest / 2 } else { rest }
        };
        meter.work(game.taken(n).map(cost).fold(3 * g_top, u64::saturating_add))?;
        if let Err(v) = shape.reaches_all(n, block_rise) {
            return refuse(format!("heap {n}: no option of value {v} can be translated"));
        }
    }
    Exclusion { shape: &shape, meter, seen: HashSet::new(), cases: 0, held: meter.hold(0)? }.run()
}

impl Shape<'_> {
    /// (A) Every value below that of heap n has an option that stays one when heap and value grow by a block.
    fn reaches_all(&self, n: usize, block_rise: u64) -> Result<(), u64> {
        let g = &self.g;
        let top = usize::try_from(g[n]).map_err(|_| g[n])?;
        // For each value: reached for ever by a fixed option; also by one that grows with the heap; near the top.
        let mut fixed = vec![false; top];
        let mut late = vec![false; top];
        let mut near = vec![false; top];
        let mark = |set: &mut Vec<bool>, v: u64| {
            if let Some(cell) = usize::try_from(v).ok().and_then(|v| set.get_mut(v)) {
                *cell = true;
            }
        };
        let zero = (1..self.start + self.step).find(|&x| g[x] == 0);
        let tail = self.game.digits.len() - self.game.repeat;
        for k in self.game.taken(n) {
            let digit = self.game.digit(k);
            let rest = n - k;
            let in_tail = self.game.repeat > 0 && k >= tail;
            // A part x that may be any heap of its class up to this one: in the tail k makes room, else equal heaps do.
            let mut free = Vec::new();
            if in_tail && digit & 2 != 0 {
                free.push(rest);
            }
            if let Some(zero) = zero.filter(|&zero| in_tail && digit & 4 != 0 && zero < rest) {
                free.push(rest - zero);
            }
            if in_tail && digit & 8 != 0 && rest > 2 {
                free.push(rest - 2);
            }
            if !in_tail && digit & 8 != 0 {
                free.extend((1..rest).filter(|x| (rest - x) >= 2 && (rest - x).is_multiple_of(2)));
            }
            for x in free.into_iter().filter(|&x| x > 0) {
                mark(&mut fixed, g[x]);
                if x >= self.start {
                    mark(&mut late, g[x]);
                }
            }
            let ends = (in_tail && digit & 1 != 0 && rest == 0)
                || (!in_tail && digit & 4 != 0 && rest >= 2 && rest.is_multiple_of(2));
            if ends {
                mark(&mut fixed, 0);
                if block_rise == 0 {
                    mark(&mut near, 0);
                }
            }
            // One part grows with the heap, the others stay; their sum must lie below the power of two in the rise.
            let mut grow = |x: usize, w: u64| {
                if x >= self.start && (block_rise == 0 || w >> block_rise.trailing_zeros() == 0) {
                    mark(&mut near, g[x] ^ w);
                }
            };
            if digit & 2 != 0 && rest > 0 {
                grow(rest, 0);
            }
            if digit & 4 != 0 {
                (1..rest).for_each(|a| grow(rest - a, g[a]));
            }
            if digit & 8 != 0 {
                for a in 1..rest {
                    (1..rest - a).for_each(|b| grow(rest - a - b, g[a] ^ g[b]));
                }
            }
        }
        let low = fixed.iter().position(|&hit| !hit).unwrap_or(top);
        if block_rise == 0 {
            return near.iter().position(|&hit| !hit).map_or(Ok(()), |v| Err(v as u64));
        }
        let rise = usize::try_from(block_rise).ok().filter(|&rise| rise <= low).ok_or(0_u64)?;
        let gap = (low - rise..low).find(|&v| !late[v]).or_else(|| (low..top).find(|&v| !near[v]));
        gap.map_or(Ok(()), |v| Err(v as u64))
    }
}

/// (E) No heap n ≥ start has an option of its own value: no solution of two equations in natural numbers.
struct Exclusion<'a> {
    shape: &'a Shape<'a>,
    meter: &'a Meter<'a>,
    seen: HashSet<Carries>,
    cases: u64,
    held: Held,
}

/// What is left of the equations after some low bits: q = balance + Σ qᵢ (+ m), and the sum of the values
/// carryᵢ + odd·qᵢ with `fixed` is whole + odd·q.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Carries {
    growing: Vec<u64>,
    with_m: bool,
    balance: i64,
    fixed: u64,
    whole: u64,
}

impl Exclusion<'_> {
    fn run(mut self) -> Checked {
        let Shape { game, start, step, g, .. } = self.shape;
        let tail = game.digits.len() - game.repeat;
        for (n, &value) in g.iter().enumerate().skip(*start).take(*step) {
            if game.repeat > 0 && game.digit(n) & 1 != 0 && value == 0 {
                return refuse(format!("heap {n} may be taken whole, and has the claimed value 0"));
            }
        }
        let last = if game.repeat > 0 { tail + step } else { tail };
        for k in 0..last {
            for heaps in 1..=3 {
                if game.digit(k) >> heaps & 1 == 1 {
                    self.parts(heaps, 1, k, 0, &mut Vec::new(), game.repeat > 0 && k >= tail)?;
                }
            }
        }
        Ok(())
    }

    /// Chooses the parts, smallest first; those from `start` on stand for their whole class.
    fn parts(
        &mut self,
        heaps: usize,
        from: usize,
        total: usize,
        fixed: u64,
        growing: &mut Vec<u64>,
        with_m: bool,
    ) -> Checked {
        let shape = self.shape;
        if heaps == 0 {
            return self.case(total, fixed, growing, with_m);
        }
        for x in from..shape.start + shape.step {
            if x < shape.start {
                self.parts(heaps - 1, x, total + x, fixed ^ shape.g[x], growing, with_m)?;
            } else {
                growing.push(shape.g[x]);
                self.parts(heaps - 1, x, total + x, fixed, growing, with_m)?;
                growing.pop();
            }
        }
        Ok(())
    }

    fn case(&mut self, total: usize, fixed: u64, growing: &[u64], with_m: bool) -> Checked {
        self.cases += 1;
        self.meter.work(16)?;
        refuse_if!(self.cases > MOST_CASES, "the induction has too many cases to check");
        let Shape { g, start, step, rise, .. } = self.shape;
        let mut n = total;
        let mut balance = 0_i64;
        while n < *start {
            n += step;
            balance -= 1;
        }
        balance += i64::try_from((n - start) / step).unwrap_or(i64::MAX);
        n = start + (n - start) % step;
        let sum = growing.iter().fold(fixed, |sum, value| sum ^ value);
        let clash = || refuse(format!("a heap of the class of {n} has an option of its own claimed value"));
        if *rise == 0 {
            let solvable = with_m || !growing.is_empty() || balance >= 0;
            return if sum == g[n] && solvable { clash() } else { Ok(()) };
        }
        let shift = rise.trailing_zeros();
        if (sum ^ g[n]).trailing_zeros() < shift {
            return Ok(());
        }
        let mut growing: Vec<u64> = growing.iter().map(|value| value >> shift).collect();
        growing.sort_unstable();
        let first = Carries { growing, with_m, balance, fixed: fixed >> shift, whole: g[n] >> shift };
        if self.solvable(first, rise >> shift)? { clash() } else { Ok(()) }
    }

    /// Whether the equations have a solution, all states seen before having none.
    fn solvable(&mut self, first: Carries, odd: u64) -> Checked<bool> {
        let mut open = vec![first];
        while let Some(state) = open.pop() {
            if self.seen.contains(&state) {
                continue;
            }
            let sum = state.growing.iter().fold(state.fixed, |sum, carry| sum ^ carry);
            if state.balance == 0 && sum == state.whole {
                return Ok(true);
            }
            let variables = state.growing.len() + usize::from(state.with_m);
            for choice in 0..1_u32 << variables {
                let balance = state.balance + i64::from(choice.count_ones());
                let bit = balance.rem_euclid(2) == 1;
                let whole = state.whole + if bit { odd } else { 0 };
                let mut growing = state.growing.clone();
                for (i, carry) in growing.iter_mut().enumerate() {
                    *carry += if choice >> i & 1 == 1 { odd } else { 0 };
                }
                if (growing.iter().fold(state.fixed ^ whole, |sum, carry| sum ^ carry)) & 1 == 1 {
                    continue;
                }
                for carry in &mut growing {
                    *carry /= 2;
                }
                growing.sort_unstable();
                open.push(Carries {
                    growing,
                    with_m: state.with_m,
                    balance: balance.div_euclid(2),
                    fixed: state.fixed / 2,
                    whole: whole / 2,
                });
            }
            self.seen.insert(state);
            refuse_if!(self.seen.len() > MOST_STATES, "the induction has too many states to check");
            self.held.grow(200)?;
            self.meter.work(64)?;
        }
        Ok(false)
    }
}
