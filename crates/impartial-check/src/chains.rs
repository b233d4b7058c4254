//! Form "chains": the functions f_{B,j} of a poset game with two infinite chains.
//!
//! The claim is local: at every position (B, m, n) the claimed value is the least j without a claimed
//! option of value j (or "more than K" when every j ≤ K has one). By induction over positions this
//! determines the values. Only positions with |n − m| ≤ |B| + K can have such a value, so every column (fixed B and m)
//! is finite; and `docs/theory/chains.md` says after which column all others follow by periodicity.

mod game;
mod set;

use crate::hash::HashMap;
use crate::json::{Maybe, objects};
use crate::meter::{Held, Meter};
use crate::monoid::Set;
use crate::{Checked, refuse};
pub(crate) use game::ChainsGame;
use game::{Game, Limits, members};
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

    /// From here on the function is periodic, or defined nowhere.
    fn settled(&self) -> u64 {
        let listed = self.values.len() - usize::try_from(self.period).expect("a sound period");
        let some = |value: &Maybe<u64>| value.0.is_some();
        let before = if self.values[listed..].iter().any(some) { Some(listed) } else { None };
        let before = before.or_else(|| self.values.iter().rposition(some).map(|last| last + 1));
        before.map_or(0, |before| self.first + before as u64)
    }

    /// Whether all numbers are below 2³⁰ and one period is listed.
    fn is_sound(&self) -> bool {
        self.period <= self.values.len() as u64
            && self.first < LARGEST
            && self.end() < LARGEST
            && self.values.iter().all(|n| n.0.is_none_or(|n| n < LARGEST))
    }
}

/// The functions of the ideals that were listed.
type Functions<'a> = HashMap<Set, (&'a [u64], &'a [Function])>;

pub(crate) fn check(game: &ChainsGame, certificate: &Chains, meter: &Meter<'_>) -> Checked<String> {
    let (game, functions) = verified(game, certificate, meter)?;
    let count = certificate.values + 1;
    let values = if count == 1 {
        "the P-positions are".to_owned()
    } else {
        format!("the Grundy values up to {} are", count - 1)
    };
    let ideals = functions.len() as u64;
    Ok(if game.chains == 1 {
        format!("{}: all Grundy values are the ones given by {ideals} functions", game.words())
    } else {
        format!("{}: {values} exactly those of {} periodic or finite functions", game.words(), ideals * count)
    })
}

/// The functions of a certificate, when they are right.
fn verified<'a>(game: &ChainsGame, certificate: &'a Chains, meter: &Meter<'_>) -> Checked<(Game, Functions<'a>)> {
    meter.extension("chains");
    let game = Game::new(game)?;
    let most = if game.chains == 1 { 1 } else { LARGEST };
    let count = Some(certificate.values).filter(|&k| k < most).and_then(|k| usize::try_from(k + 1).ok());
    let Some(count) = count else { return refuse("certificate.values: too large; with one chain it is 0") };
    let mut functions = Functions::default();
    for Ideal { ideal: name, functions: list } in &certificate.ideals {
        let Some(ideal) = game.ideal(name) else {
            return refuse("certificate: ideals: a list is not an order ideal of the game");
        };
        if list.len() != count || !list.iter().all(Function::is_sound) {
            return refuse(format!("certificate: ideal {name:?} has not {count} functions with numbers below 2^30"));
        }
        if functions.insert(ideal, (name, list)).is_some() {
            return refuse(format!("certificate: ideal {name:?} stands twice"));
        }
    }
    refuse_if!(!functions.contains_key(&game.whole()), "certificate: the whole of A is not among the ideals");
    // In one order, so that a file is always refused for the same reason.
    let mut ideals: Vec<&Set> = functions.keys().collect();
    ideals.sort_unstable();
    for ideal in ideals {
        Columns::new(&game, &functions, ideal, meter)?.run(meter)?;
    }
    Ok((game, functions))
}

/// The columns of one ideal.
struct Columns<'a> {
    game: &'a Game,
    name: &'a [u64],
    limits: Limits,
    /// A position with |n − m| beyond this has no value up to K.
    window: u64,
    own: &'a [Function],
    /// For each move inside A the first c and d that go with it, and the functions of what it leaves.
    steps: Vec<(Option<u64>, Option<u64>, &'a [Function])>,
    /// For t < n_lo the last c that d_{t+1} leaves, and the functions of what it leaves.
    cuts: Vec<(u64, Option<u64>, &'a [Function])>,
    /// Values of which every position of this and all later columns has an option.
    closed: Vec<bool>,
    /// By n and value: an option in an earlier column, by a move in C.
    seen: Vec<bool>,
    held: Held,
}

impl<'a> Columns<'a> {
    fn new(game: &'a Game, functions: &Functions<'a>, ideal: &Set, meter: &Meter<'_>) -> Checked<Self> {
        let (name, own) = functions[ideal];
        let find = |to: &Set| {
            meter.steps(64 * to.len())?;
            match functions.get(to) {
                Some((_, list)) => Ok(*list),
                None => refuse(format!("certificate: a move leads from ideal {name:?} to one that is missing")),
            }
        };
        let limits = game.limits(ideal);
        if own.iter().any(|function| function.first < limits.m_lo) {
            return refuse(format!("ideal {name:?}: a function begins where no position is"));
        }
        let step = |a: usize| {
            let (to, c, d) = game.step(ideal, a);
            Ok((c, d, find(&to)?))
        };
        let steps = members(ideal).map(step).collect::<Checked<Vec<_>>>()?;
        let cut = |t: u64| Ok((t, game.phi.last_at_most(t), find(&game.cut_d(ideal, t))?));
        let cuts = (0..limits.n_lo).map(cut).collect::<Checked<_>>()?;
        let window = steps.len() as u64 + own.len() as u64 - 1;
        let held = meter.hold((limits.m_lo + 3 * window + 3).saturating_mul(own.len() as u64))?;
        let closed = vec![false; own.len()];
        let mut columns = Self { game, name, limits, window, own, steps, cuts, closed, seen: Vec::new(), held };
        for i in 0..columns.limits.m_lo {
            let functions = find(&game.cut_c(ideal, i))?;
            columns.see(i, functions);
        }
        Ok(columns)
    }

    /// Notes the values of column i as options of all later columns. (Those beyond the window are refused elsewhere.)
    fn see(&mut self, i: u64, functions: &[Function]) {
        for (j, function) in functions.iter().enumerate() {
            if let Some(n) = function.at(i).filter(|&n| n <= i + self.window) {
                let at = usize::try_from(n).expect("below 2^31") * self.own.len() + j;
                self.seen.resize(self.seen.len().max(at + 1), false);
                self.seen[at] = true;
            }
        }
    }

    fn run(mut self, meter: &Meter<'_>) -> Checked {
        let stop = self.stop(meter)?;
        let each = (self.steps.len() as u64 + 2 * self.window + 8) * self.own.len() as u64;
        for m in self.limits.m_lo..LARGEST {
            let Some(low) = self.lowest(m) else {
                return (0..self.own.len()).try_for_each(|j| self.nothing_from(j, m, meter));
            };
            if stop.is_some_and(|stop| m >= stop) || !self.closed.contains(&false) {
                return Ok(());
            }
            meter.work(each + (self.cuts.len() * self.own.len()) as u64)?;
            self.held.grow(self.own.len() as u64)?;
            self.column(m, low, meter)?;
        }
        refuse(format!("ideal {:?}: more than 2^30 columns", self.name))
    }

    /// The least n of column m in the window; none when neither this nor a later column has a position there.
    fn lowest(&self, m: u64) -> Option<u64> {
        let below = self.game.phi.at(m)?;
        let low = below.max(self.limits.n_lo).max(m.saturating_sub(self.window));
        let rule = self.game.phi.rule();
        let fast = |(from, period, step)| step >= period && m >= from && below > m + self.window + period;
        let over = self.limits.m_hi.is_some_and(|hi| m >= hi) || self.limits.n_hi.is_some_and(|hi| low >= hi);
        (!over && !rule.is_some_and(fast)).then_some(low)
    }

    /// No value j is claimed from column m on.
    fn nothing_from(&self, j: usize, m: u64, meter: &Meter<'_>) -> Checked {
        let (name, function) = (self.name, &self.own[j]);
        // The rest of the list and one whole period.
        let end = m.max(function.end()) + function.period;
        meter.work(end - m)?;
        match (m..end).find(|&m| function.at(m).is_some()) {
            Some(at) => refuse(format!("ideal {name:?}, value {j}: a value is claimed at m = {at}, where none is")),
            None => Ok(()),
        }
    }

    /// The least value without an option is the claimed one, for all n of the window.
    fn column(&mut self, m: u64, low: u64, meter: &Meter<'_>) -> Checked {
        let count = self.own.len();
        let high = self.limits.n_hi.map_or(m + self.window, |hi| (m + self.window).min(hi - 1));
        let place =
            |n: u64| (low..=high).contains(&n).then(|| usize::try_from(n - low).expect("in the window") * count);
        let mut closing = Vec::new();
        // By value: the n from which on there is an option; by n and value: an option.
        let mut from = vec![u64::MAX; count];
        let mut marks = vec![false; usize::try_from((high + 1).saturating_sub(low)).expect("a window") * count];
        for &(c, d, functions) in &self.steps {
            let gone = c.filter(|&c| m + 1 >= c);
            for (j, function) in functions.iter().enumerate() {
                let Some(n) = function.at(gone.map_or(m, |c| c - 1)) else { continue };
                if d != Some(n + 1) {
                    if let Some(at) = place(n) {
                        marks[at + j] = true;
                    }
                    continue;
                }
                from[j] = from[j].min(n);
                if gone.is_some() && n <= low {
                    closing.push(j);
                }
            }
        }
        for &(t, last, functions) in &self.cuts {
            let past = last.filter(|&last| m >= last);
            for j in (0..count).filter(|&j| functions[j].at(past.unwrap_or(m)) == Some(t)) {
                from[j] = 0;
                if past.is_some() {
                    closing.push(j);
                }
            }
        }
        self.cuts.retain(|(_, last, _)| last.is_none_or(|last| m < last));
        let claimed: Vec<Option<u64>> = self.own.iter().map(|function| function.at(m)).collect();
        // Beyond this n every value has an option, and none is claimed.
        let open = (0..count).filter(|&j| !self.closed[j]);
        let last = open.map(|j| from[j].min(claimed[j].unwrap_or(high))).max().map_or(low, |last| last.min(high));
        let seen = self.seen.iter().skip(usize::try_from(low).expect("a column") * count);
        marks.iter_mut().zip(seen).for_each(|(mark, seen)| *mark |= seen);
        let option = |at: usize, n: u64, j: usize| {
            marks[at + j] || n >= from[j] || self.closed[j] || claimed[j].is_some_and(|claimed| n > claimed)
        };
        let right = |n: u64| {
            let least = place(n).and_then(|at| (0..count).find(|&j| !option(at, n, j)));
            let mut claims = (0..count).filter(|&j| claimed[j] == Some(n));
            claims.next() == least && claims.next().is_none()
        };
        if let Some(n) = (low..=last.min(high)).chain(claimed.iter().flatten().copied()).find(|&n| !right(n)) {
            let name = self.name;
            return refuse(format!(
                "ideal {name:?}: the claim at m = {m}, n = {n} is not the least value without an option"
            ));
        }
        // c_{m+1} > d_{n+1}: the move d_{n+1} leads here from every later column.
        let next = self.game.phi.at(m + 1);
        closing.extend((0..count).filter(|&j| claimed[j].is_some_and(|n| next.is_some_and(|next| n < next))));
        self.see(m, self.own);
        for j in closing {
            if !std::mem::replace(&mut self.closed[j], true) {
                self.nothing_from(j, m + 1, meter)?;
            }
        }
        Ok(())
    }

    /// The column up to which all must be looked at: from some column M on all that a column depends on is the same one common period
    /// later, but for the values of columns before M, and these leave the window.
    fn stop(&self, meter: &Meter<'_>) -> Checked<Option<u64>> {
        let (phi, w, Limits { m_lo, m_hi, n_lo, n_hi }) = (&self.game.phi, self.window, &self.limits);
        let Some((regular, phi_period, step)) = phi.rule().filter(|(_, period, step)| step <= period) else {
            return Ok(None);
        };
        if m_hi.is_some() || n_hi.is_some() {
            return Ok(None);
        }
        meter.work(2 * phi_period)?;
        let (mut from, mut period) = (regular.max(*m_lo), phi_period);
        if step < phi_period {
            // φ(i) is below the window of column i − 1 for good.
            let above = (regular..regular + phi_period).filter_map(|i| (phi.at(i)? + w + 1).checked_sub(i)).max();
            from = from.max(regular + above.unwrap_or(0).div_ceil(phi_period - step) * phi_period).max(n_lo + w);
        }
        from = from.max(self.seen.len().div_ceil(self.own.len()) as u64);
        from = from.max(n_lo.checked_sub(1).and_then(|t| phi.last_at_most(t)).map_or(0, |last| last + 1));
        for &(c, d, functions) in &self.steps {
            from = from.max(c.map_or(0, |c| c + 2 * w)).max(d.map_or(0, |d| d + w));
            let inputs = if c.is_none() { functions } else { &[] };
            for function in inputs {
                (from, period) = joined(from, period, function);
            }
        }
        // How far a value lies above the column where it is claimed, and the lower end of the window below its column, at most.
        let (mut above, below) = (0, (regular..regular + phi_period).filter_map(|m| m.checked_sub(phi.at(m)?)).max());
        for function in self.own {
            (from, period) = joined(from, period, function);
            let listed = (function.first..).zip(&function.values).filter_map(|(m, n)| n.0?.checked_sub(m));
            above = listed.max().unwrap_or(0).min(w).max(above);
        }
        let leaving = above + if step == phi_period { below.unwrap_or(0).min(w) } else { w } + 1;
        refuse_if!(period >= LARGEST, "ideal {:?}: the common period is beyond 2^30", self.name);
        Ok(Some(from + period.max(leaving) + period))
    }
}

/// A column from which on a function is periodic too, and the common period.
fn joined(from: u64, period: u64, function: &Function) -> (u64, u64) {
    let gcd = |mut a: u64, mut b: u64| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let common = if period >= LARGEST || function.period == 0 {
        period
    } else {
        period / gcd(period, function.period) * function.period
    };
    (from.max(function.settled()), common)
}
