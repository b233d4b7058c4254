//! Form "chains": the functions f_{B,j} of a poset game with two infinite chains.
//!
//! The claim is local: at every position (B, m, n) the claimed value is the least j without a claimed
//! option of value j (or "more than K" when every j ≤ K has one). By induction over positions this
//! determines the values. Columns (fixed B and m) are checked one by one, with all their infinitely
//! many n, until either every n has options of all values for ever, or the uncovered part of the
//! column has come back to the same shape one common period later; `docs/theory/chains.md` proves that
//! all further columns then follow.

mod game;
mod set;

use std::collections::{BTreeSet, HashMap};

use crate::json::{Maybe, objects};
use crate::meter::{Held, Meter};
use crate::{Checked, refuse};
pub(crate) use game::ChainsGame;
use game::{Game, Limits, Step};
pub(crate) use set::check as check_set;

/// Columns, values and periods in a file stay below this.
const LARGEST: u64 = 1 << 30;

objects! {
    /// The certificate: K, and the functions of every ideal.
    Chains { values: u64, ideals: Vec<Ideal> }

    Ideal { ideal: Vec<u64>, functions: Vec<Function> }

    /// f_{B,j}: values from m = first on; the last `period` of them repeat, moved by the period.
    Function { first: u64, values: Vec<Maybe<u64>>, period: u64 }
}

impl Function {
    fn end(&self) -> u64 {
        self.first + self.values.len() as u64
    }

    /// From here on the function is periodic, or defined nowhere.
    fn settled(&self) -> u64 {
        self.end() - self.period
    }

    fn at(&self, m: u64) -> Option<u64> {
        let index = m.checked_sub(self.first)?;
        let len = self.values.len() as u64;
        if index < len {
            return self.values[usize::try_from(index).ok()?].0;
        }
        if self.period == 0 {
            return None;
        }
        let turns = (index - len) / self.period + 1;
        let n = self.values[usize::try_from(index - turns * self.period).ok()?].0?;
        Some(n + turns * self.period)
    }

    /// Whether f(m) = n for some m ≥ from, where `from` is beyond the preperiod.
    fn takes_later(&self, n: u64, from: u64) -> bool {
        self.period > 0 && (from..from + self.period).any(|m| self.at(m).is_some_and(|x| x <= n))
    }

    /// Whether all numbers are below 2³⁰ and one period is listed.
    fn is_sound(&self) -> bool {
        self.period <= self.values.len() as u64
            && self.first < LARGEST
            && self.end() < LARGEST
            && self.values.iter().all(|n| n.0.is_none_or(|n| n < LARGEST))
    }
}

type Functions<'a> = HashMap<&'a [u64], &'a [Function]>;

pub(crate) fn check(game: &ChainsGame, certificate: &Chains, meter: &Meter<'_>) -> Checked<String> {
    let (game, count, functions) = verified(game, certificate, meter)?;
    let values = if count == 1 {
        "the P-positions are".to_owned()
    } else {
        format!("the Grundy values up to {} are", count - 1)
    };
    Ok(if game.chains == 1 {
        format!("{}: all Grundy values are the ones given by {} functions", game.words(), functions.len())
    } else {
        format!("{}: {values} exactly those of {} periodic or finite functions", game.words(), functions.len() * count)
    })
}

/// The functions of a certificate, when they are right.
fn verified<'a>(
    game: &ChainsGame,
    certificate: &'a Chains,
    meter: &Meter<'_>,
) -> Checked<(Game, usize, Functions<'a>)> {
    meter.extension("chains");
    let game = Game::new(game)?;
    let count = Some(certificate.values).filter(|&k| k < if game.chains == 1 { 1 } else { LARGEST });
    let Some(count) = count.and_then(|k| usize::try_from(k + 1).ok()) else {
        return refuse("certificate.values: too large; with one chain it is 0");
    };
    let mut functions = Functions::new();
    for Ideal { ideal, functions: list } in &certificate.ideals {
        refuse_if!(!game.is_ideal(ideal), "certificate: ideals: a list is not an order ideal of the game");
        if list.len() != count || !list.iter().all(Function::is_sound) {
            return refuse(format!("certificate: ideal {ideal:?} has not {count} functions with numbers below 2^30"));
        }
        if functions.insert(ideal.as_slice(), list.as_slice()).is_some() {
            return refuse(format!("certificate: ideal {ideal:?} stands twice"));
        }
    }
    refuse_if!(!functions.contains_key(game.whole().as_slice()), "certificate: the whole of A is not among the ideals");
    // In one order, so that a file is always refused for the same reason.
    let mut ideals: Vec<&[u64]> = functions.keys().copied().collect();
    ideals.sort_unstable();
    for ideal in ideals {
        Column::new(&game, &functions, ideal, count, meter)?.run(meter)?;
    }
    Ok((game, count, functions))
}

/// Which n of the present and all later columns have an option of value j.
#[derive(Clone, Default)]
struct Covered {
    /// All n.
    all: bool,
    /// All n from here on.
    from: Option<u64>,
    /// All n below this, as far as they are positions.
    base: u64,
    /// These n, all above `base`.
    others: BTreeSet<u64>,
}

impl Covered {
    fn add(&mut self, n: u64) {
        if n >= self.base {
            self.others.insert(n);
        }
    }

    fn contains(&self, n: u64) -> bool {
        self.all || n < self.base || self.from.is_some_and(|from| n >= from) || self.others.contains(&n)
    }

    /// Moves the base up to `lower` (smaller n are no positions any more) and over what is covered.
    fn raise(&mut self, lower: u64) {
        if self.base < lower {
            self.base = lower;
            self.others = self.others.split_off(&lower);
        }
        while self.others.remove(&self.base) {
            self.base += 1;
        }
        self.all |= self.from.is_some_and(|from| from <= self.base);
    }

    /// The same from one column to a later one, apart from the shift.
    fn same_shape(&self, later: &Self, shift: u64) -> bool {
        let moved = || self.others.iter().map(|n| n + shift);
        self.all == later.all
            && (self.all
                || (self.from.is_none()
                    && later.from.is_none()
                    && self.base + shift == later.base
                    && self.others.len() == later.others.len()
                    && moved().eq(later.others.iter().copied())))
    }
}

/// The columns of one ideal.
struct Column<'a> {
    game: &'a Game,
    ideal: &'a [u64],
    limits: Limits,
    count: usize,
    own: &'a [Function],
    /// Moves inside A, with the functions of their results.
    steps: Vec<(Step, &'a [Function])>,
    /// For n < n_lo: the functions of what d_{n+1} leaves, and the last c that it leaves.
    cuts_d: Vec<(u64, Option<u64>, &'a [Function])>,
    covered: Vec<Covered>,
    /// Scratch: options in the present column, by n − start and j.
    marks: Vec<bool>,
    held: Held,
}

impl<'a> Column<'a> {
    fn new(
        game: &'a Game,
        functions: &Functions<'a>,
        ideal: &'a [u64],
        count: usize,
        meter: &Meter<'_>,
    ) -> Checked<Self> {
        let mut held = meter.hold(0)?;
        let find = |to: &[u64]| match functions.get(to) {
            Some(list) => Ok(*list),
            None => refuse(format!("certificate: a move leads from ideal {ideal:?} to {to:?}, which is missing")),
        };
        let limits = game.limits(ideal);
        let own = find(ideal)?;
        if let Some(function) = own.iter().find(|function| function.first < limits.m_lo) {
            return refuse(format!(
                "ideal {ideal:?}: a function begins at m = {}, where no position is",
                function.first
            ));
        }
        // One by one: the first move to an ideal that is missing ends it.
        let own_size = ideal.len() as u64 + 1;
        let mut steps = Vec::new();
        game.steps(ideal, &mut |step| {
            meter.work(own_size)?;
            held.grow(8 * own_size + 80)?;
            let list = find(&step.to)?;
            steps.push((step, list));
            Ok(())
        })?;
        let mut covered = vec![Covered { base: limits.n_lo, ..Covered::default() }; count];
        for i in 0..limits.m_lo {
            meter.work(own_size + count as u64)?;
            held.grow(40 * count as u64)?;
            for (covered, function) in covered.iter_mut().zip(find(&game.cut_c(ideal, i))?) {
                if let Some(n) = function.at(i) {
                    covered.add(n);
                }
            }
        }
        let cuts_d = (0..limits.n_lo)
            .map(|n| {
                meter.work(own_size)?;
                held.grow(40)?;
                Ok((n, game.phi.last_at_most(n), find(&game.cut_d(ideal, n))?))
            })
            .collect::<Checked<_>>()?;
        Ok(Self { game, ideal, limits, count, own, steps, cuts_d, covered, marks: Vec::new(), held })
    }

    fn run(mut self, meter: &Meter<'_>) -> Checked {
        // A column from which the inputs are periodic, what was covered there, and the period.
        let mut snapshot: Option<(u64, Vec<Covered>, u64)> = None;
        let last_start = self.last_start();
        let mut m = self.limits.m_lo;
        loop {
            let inputs = self.steps.len() + self.cuts_d.len() + 1;
            meter.steps(inputs.saturating_mul(self.count))?;
            self.held.grow(50 * self.count as u64)?;
            let below = self.game.phi.at(m);
            let lower = below.map(|below| below.max(self.limits.n_lo));
            let Some(lower) = lower.filter(|&lower| self.limits.n_hi.is_none_or(|hi| lower < hi)) else {
                return self.nothing_from(m, true, meter);
            };
            if self.limits.m_hi.is_some_and(|hi| m >= hi) {
                return self.nothing_from(m, true, meter);
            }
            self.begin(m);
            for covered in &mut self.covered {
                covered.raise(lower);
            }
            let done = |covered: &Covered| covered.all || self.limits.n_hi.is_some_and(|hi| covered.base >= hi);
            if self.covered.iter().all(done) {
                return self.nothing_from(m, true, meter);
            }
            if let Some((since, before, period)) = &snapshot
                && m == since + period
            {
                if before.iter().zip(&self.covered).all(|(old, new)| old.same_shape(new, *period)) {
                    return self.nothing_from(m, false, meter);
                }
                snapshot = None;
            }
            if snapshot.is_none() {
                let period = self.periodic_from(m, meter)?;
                if m > last_start.saturating_add(period.unwrap_or(0)) {
                    return refuse(format!("ideal {:?}: column {m}: the options do not become periodic", self.ideal));
                }
                snapshot = period.map(|period| (m, self.covered.clone(), period));
            }
            self.column(m, lower, meter)?;
            let next = self.game.phi.at(m + 1);
            for j in 0..self.count {
                if let Some(n) = self.own[j].at(m) {
                    self.covered[j].add(n);
                    // c_{m+1} > d_{n+1}: the move d_{n+1} leads here from every later column.
                    self.covered[j].all |= next.is_none_or(|next| n < next);
                }
            }
            // With slope below 1, φ must have left the uncovered part for good.
            if self.game.phi.rule().is_some_and(|(period, step)| step < period)
                && self.covered.iter().any(|covered| !covered.all && next.is_some_and(|next| next > covered.base))
            {
                snapshot = None;
            }
            m += 1;
            refuse_if!(m >= LARGEST, "ideal {:?}: more than 2^30 columns", self.ideal);
        }
    }

    /// The options that are the same in column m and all later ones, as far as they begin in column m.
    fn begin(&mut self, m: u64) {
        let first_column = self.limits.m_lo;
        for (step, functions) in &self.steps {
            let Some(column) = step.c_first.map(|first| first - 1) else { continue };
            if m == column.max(first_column) {
                for (covered, function) in self.covered.iter_mut().zip(*functions) {
                    match function.at(column) {
                        Some(n) if step.d_first == Some(n + 1) => {
                            covered.from = Some(covered.from.map_or(n, |from| from.min(n)));
                        }
                        Some(n) => covered.add(n),
                        None => {}
                    }
                }
            }
        }
        for (n, last, functions) in &self.cuts_d {
            if let Some(last) = *last
                && m == last.max(first_column)
            {
                for (covered, function) in self.covered.iter_mut().zip(*functions) {
                    covered.all |= function.at(last) == Some(*n);
                }
            }
        }
    }

    /// No position with m at or beyond this column has a claimed value that every n has an option of
    /// (or any claimed value at all, when the column is beyond all positions or all values are covered).
    fn nothing_from(&self, m: u64, whole: bool, meter: &Meter<'_>) -> Checked {
        for (j, function) in self.own.iter().enumerate().filter(|(j, _)| whole || self.covered[*j].all) {
            // The rest of the list and one whole period.
            meter.work((m.max(function.end()) - m).saturating_add(function.period))?;
            if let Some(at) = (m..m.max(function.end()) + function.period).find(|&m| function.at(m).is_some()) {
                return refuse(format!(
                    "ideal {:?}, value {j}: a value is claimed at m = {at}, where none is",
                    self.ideal
                ));
            }
        }
        Ok(())
    }

    /// The values of column m for all n: the least value without an option is the claimed one.
    fn column(&mut self, m: u64, lower: u64, meter: &Meter<'_>) -> Checked {
        let count = self.count;
        let wrong = |n: u64| {
            refuse(format!(
                "ideal {:?}: the claim at m = {m}, n = {n} is not the least value without an option",
                self.ideal
            ))
        };
        // Below this n every value has an option.
        let start = self.covered.iter().filter(|c| !c.all).map(|c| c.base).min().unwrap_or(lower);
        let mut all: Vec<bool> = self.covered.iter().map(|covered| covered.all).collect();
        let mut from: Vec<Option<u64>> = self.covered.iter().map(|covered| covered.from).collect();
        for (n, last, functions) in &self.cuts_d {
            if last.is_none_or(|last| m < last) {
                for (all, function) in all.iter_mut().zip(*functions) {
                    *all |= function.at(m) == Some(*n);
                }
            }
        }
        // The walk below meets, at each n, a claimed value or a covered or marked n: it is no longer than this.
        let highest = self.covered.iter().filter(|c| !c.all).map(|c| c.base).max().unwrap_or(lower);
        let others = self.covered.iter().map(|c| c.others.len()).sum::<usize>();
        let room = usize::try_from(highest - start).unwrap_or(0) + others + (self.steps.len() + 1) * count + 2;
        meter.steps(room.saturating_mul(count))?;
        let _marks = meter.hold(2 * room as u64 * count as u64)?;
        self.marks.clear();
        self.marks.resize(room * count, false);
        for (step, functions) in &self.steps {
            if step.c_first.is_some_and(|first| m >= first - 1) {
                continue;
            }
            for (j, function) in functions.iter().enumerate() {
                let Some(n) = function.at(m) else { continue };
                if step.d_first == Some(n + 1) {
                    from[j] = Some(from[j].map_or(n, |from| from.min(n)));
                } else if let Some(at) =
                    n.checked_sub(start).and_then(|at| usize::try_from(at).ok()).filter(|&at| at < room)
                {
                    self.marks[at * count + j] = true;
                }
            }
        }
        let claimed: Vec<Option<u64>> = self.own.iter().map(|function| function.at(m)).collect();
        if let Some(&n) = claimed.iter().flatten().find(|&&n| n < start || self.limits.n_hi.is_some_and(|hi| n >= hi)) {
            return wrong(n);
        }
        for (at, n) in (start..).enumerate() {
            if self.limits.n_hi == Some(n) {
                return Ok(());
            }
            let option = |j: usize| {
                all[j]
                    || self.covered[j].contains(n)
                    || from[j].is_some_and(|from| n >= from)
                    || claimed[j].is_some_and(|claimed| n > claimed)
                    || self.marks.get(at * count + j).copied().unwrap_or(false)
            };
            let least = (0..count).find(|&j| !option(j));
            let mut claims = (0..count).filter(|&j| claimed[j] == Some(n));
            if claims.next() != least || claims.next().is_some() {
                return wrong(n);
            }
            // From here on every value has an option at every n.
            let for_ever = |j: usize| {
                all[j] || from[j].is_some_and(|from| n >= from) || claimed[j].is_some_and(|claimed| n >= claimed)
            };
            if (0..count).all(for_ever) {
                return match claimed.iter().flatten().find(|&&claimed| claimed > n) {
                    Some(&later) => wrong(later),
                    None => Ok(()),
                };
            }
        }
        Ok(())
    }

    /// The common period of the inputs, when they are all periodic from column m on.
    fn periodic_from(&self, m: u64, meter: &Meter<'_>) -> Checked<Option<u64>> {
        let phi = &self.game.phi;
        let Some((phi_period, step)) = phi.rule().filter(|(period, step)| step <= period) else { return Ok(None) };
        if m < phi.regular_from() || self.limits.m_hi.is_some() || self.limits.n_hi.is_some() {
            return Ok(None);
        }
        let open: Vec<usize> = (0..self.count).filter(|&j| !self.covered[j].all).collect();
        if open.iter().any(|&j| self.covered[j].from.is_some())
            || self.steps.iter().any(|(step, _)| step.c_first.is_some_and(|first| m < first - 1))
        {
            return Ok(None);
        }
        for (n, last, functions) in &self.cuts_d {
            if last.is_none() {
                meter.work(open.iter().map(|&j| functions[j].period).sum())?;
            }
            let quiet = match last {
                Some(last) => m >= *last,
                None => open.iter().all(|&j| m >= functions[j].settled() && !functions[j].takes_later(*n, m)),
            };
            if !quiet {
                return Ok(None);
            }
        }
        if step < phi_period && self.covered.iter().any(|c| !c.all && phi.at(m + 1).is_some_and(|next| next > c.base)) {
            return Ok(None);
        }
        let mut period = phi_period;
        for &j in &open {
            let inputs =
                self.steps.iter().filter(|(step, _)| step.c_first.is_none()).map(|(_, functions)| &functions[j]);
            for function in inputs.chain([&self.own[j]]) {
                if m < function.settled() {
                    return Ok(None);
                }
                if function.period > 0 {
                    period = period / gcd(period, function.period) * function.period;
                    refuse_if!(period >= LARGEST, "ideal {:?}: the common period is beyond 2^30", self.ideal);
                }
            }
        }
        Ok(Some(period))
    }

    /// A column by which the options of a true certificate have become periodic: the values of the
    /// own functions before their periods have left the uncovered part. Later starts are refused.
    fn last_start(&self) -> u64 {
        let phi = &self.game.phi;
        let mut last = self.limits.m_lo.max(phi.regular_from());
        let mut widest = 0;
        for function in self.own {
            last = last.max(function.end());
            let reach = (function.first..).zip(&function.values).filter_map(|(m, n)| n.0.map(|n| n.abs_diff(m))).max();
            widest = widest.max(reach.unwrap_or(0));
        }
        for (step, functions) in &self.steps {
            last = last.max(step.c_first.unwrap_or(0));
            last = functions.iter().map(Function::end).max().unwrap_or(0).max(last);
        }
        for (n, until, functions) in &self.cuts_d {
            last = last.max(until.unwrap_or(0)).max(*n);
            last = functions.iter().map(Function::end).max().unwrap_or(0).max(last);
        }
        let elements = self.steps.len() as u64 + self.count as u64 + self.limits.m_lo;
        let bound = last + widest + elements + self.limits.n_lo + self.limits.n_hi.unwrap_or(0);
        // φ that grows faster or slower than m needs up to one of its periods for every step apart.
        let pace = phi.rule().map_or(1, |(period, step)| if step == period { 1 } else { period });
        bound.saturating_mul(4).saturating_mul(pace)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
