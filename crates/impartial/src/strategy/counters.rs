//! Form `"counters"`: misère play of a heap game by a finite monoid times counters.

use num_bigint::BigUint;
use rustc_hash::FxHashSet;
use serde_json::{Value, json};

use super::quotient::{folded, read_period, rules_of, shape, winning_moves};
use super::{Envelope, Moves, QuotientError, QuotientStrategy, Unchecked};
use crate::heap::HeapRules;
use crate::outcome::{Outcome, Play};
use crate::solve::quotient::{Bits, Counters, HeapValue, Infinity, Period, Word, period};

/// [`CountersStrategy::distinguishing`] looks at no more pairs of states than this.
pub const MOST_PAIRS: usize = 1 << 20;

/// Misère play of a heap game when a few heaps must be counted without end: of its heaps up to a bound, or of all heaps when the values
/// are proved to be periodic (Theorem 2b of `docs/theory/misere.md`).
#[derive(Clone, Debug)]
pub struct CountersStrategy {
    rules: HeapRules,
    counters: Counters,
    period: Option<Period>,
}

/// A strategy for misère play of a heap game.
#[derive(Clone, Debug)]
pub enum MisereStrategy {
    /// By a finite quotient.
    Quotient(QuotientStrategy),
    /// By a finite monoid and counters.
    Counters(CountersStrategy),
}

impl CountersStrategy {
    /// What a search guesses, with the period that the values show; the checker must confirm it.
    pub(crate) fn guessed(rules: HeapRules, counters: Counters) -> Unchecked<Self> {
        let values: Vec<_> = (0..counters.values.len()).map(|heap| counters.value(heap)).collect();
        let period = shape(&rules).and_then(|shape| period(&values, shape));
        Unchecked::new(Self { rules, counters, period })
    }

    /// The period of the values, when the strategy is for all heaps.
    pub fn period(&self) -> Option<Period> {
        self.period
    }

    /// The largest heap of the strategy; none when it is for all heaps.
    pub fn reach(&self) -> Option<usize> {
        self.period.is_none().then(|| self.counters.values.len() - 1)
    }

    /// The heap at most the largest listed one that has the same value as this one.
    pub fn folded(&self, heap: &BigUint) -> Result<usize, QuotientError> {
        folded(heap, self.counters.values.len() - 1, self.period)
    }

    /// The rules of the game.
    pub fn rules(&self) -> &HeapRules {
        &self.rules
    }

    /// The monoid, the counters and the automaton.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The element of the monoid and the counts of a sum of heaps.
    pub fn value(&self, heaps: &[BigUint]) -> Result<(u32, Vec<u64>), QuotientError> {
        let c = &self.counters;
        let mut value = (0, vec![0; c.counters.len()]);
        for heap in heaps {
            let (element, counts) = c.value(self.folded(heap)?);
            value.0 = c.monoid.product(value.0, element);
            for (a, b) in value.1.iter_mut().zip(counts) {
                *a += u64::from(b);
            }
        }
        Ok(value)
    }

    fn slice(&self, counts: &[u64]) -> &Bits {
        self.counters.slice(64, |i, j| counts[i] >> j & 1 == 1)
    }

    /// The outcome of a sum of heaps.
    pub fn outcome(&self, heaps: &[BigUint]) -> Result<Outcome, QuotientError> {
        let (element, counts) = self.value(heaps)?;
        Ok(Outcome::p_if(self.slice(&counts).has(element as usize)))
    }

    /// Winning moves of a sum of heaps of any size that the strategy reaches, as [`QuotientStrategy::winning_moves`] lists them.
    pub fn winning_moves(&self, heaps: &[BigUint]) -> Result<Moves, QuotientError> {
        let reach = self.counters.values.len() - 1;
        winning_moves(&self.rules, self.period, reach, heaps, &|option| self.outcome(option))
    }

    /// `Some(None)` when the two sums are congruent; `Some(Some(z))` when adding z tells them apart; `None` when neither was
    /// settled within [`MOST_PAIRS`] pairs of states. Small z are tried first; then all are, by the pairs of states that
    /// the two sums can be in together.
    #[allow(clippy::option_option)]
    pub fn distinguishing(&self, a: &[BigUint], b: &[BigUint]) -> Result<Option<Option<Word>>, QuotientError> {
        const SIDE: u64 = 12;
        let ((x, m), (y, n)) = (self.value(a)?, self.value(b)?);
        if (x, &m) == (y, &n) {
            return Ok(Some(None));
        }
        let c = &self.counters;
        let r = u32::try_from(c.counters.len()).expect("few counters");
        for code in 0..SIDE.pow(r) {
            let extra: Vec<u64> = (0..r).map(|i| code / SIDE.pow(i) % SIDE).collect();
            let plus = |m: &[u64]| m.iter().zip(&extra).map(|(a, b)| a + b).collect::<Vec<_>>();
            let (first, second) = (self.slice(&plus(&m)), self.slice(&plus(&n)));
            let elements = 0..u32::try_from(c.monoid.order()).expect("elements are numbered with 32 bits");
            for z in elements {
                let has = |set: &Bits, v| set.has(c.monoid.product(v, z) as usize);
                if has(first, x) != has(second, y) {
                    let mut word = c.monoid.word(z);
                    word.extend(
                        c.counters
                            .iter()
                            .zip(&extra)
                            .filter(|(_, n)| **n > 0)
                            .map(|(&h, &n)| (h, u32::try_from(n).expect("small"))),
                    );
                    word.sort_unstable();
                    return Ok(Some(Some(word)));
                }
            }
        }
        Ok(self.settled((x, &m), (y, &n)))
    }

    /// Whether some z tells two values apart, decided by a search of all pairs of states that m + e and n + e lead to, e ∈ ℕʳ.
    #[allow(clippy::option_option)]
    fn settled(&self, (x, m): (u32, &[u64]), (y, n): (u32, &[u64])) -> Option<Option<Word>> {
        let c = &self.counters;
        let r = c.counters.len();
        let elements = 0..u32::try_from(c.monoid.order()).expect("elements are numbered with 32 bits");
        let levels = m.iter().chain(n).map(|k| 64 - k.leading_zeros()).max().unwrap_or(0);
        // One block of digits e: the digits of sum and carry, for each counter.
        let add = |state: u32, carry: u32, number: &[u64], level: u32, e: u32| -> (u32, u32) {
            let (mut digit, mut next) = (0usize, 0u32);
            for (i, k) in number.iter().enumerate() {
                let bit = |word: u32| word >> i & 1;
                let total = bit(carry) + bit(e) + u32::try_from(k.checked_shr(level).unwrap_or(0) & 1).expect("a bit");
                digit |= usize::from(total & 1 == 1) << i;
                next |= (total >> 1) << i;
            }
            (c.next[state as usize][digit], next)
        };
        // What tells the values apart when no more digits of e come.
        let element = |(mut s, mut cs, mut t, mut ct, mut level): (u32, u32, u32, u32, u32)| -> Option<u32> {
            while level <= levels {
                (s, cs) = add(s, cs, m, level, 0);
                (t, ct) = add(t, ct, n, level, 0);
                level += 1;
            }
            let set = |s: u32| &c.slices[c.output[s as usize] as usize];
            elements.clone().find(|&z| {
                let has = |set: &Bits, v| set.has(c.monoid.product(v, z) as usize);
                has(set(s), x) != has(set(t), y)
            })
        };
        let start = (0, 0, 0, 0, 0);
        let mut met: FxHashSet<(u32, u32, u32, u32, u32)> = FxHashSet::default();
        let mut nodes = vec![(start, 0usize, 0u32)];
        met.insert(start);
        let mut current = 0;
        while current < nodes.len() {
            let node = nodes[current].0;
            // A carry into a level beyond the numbers' own digits is gone one level later: the last level stands for all.
            if let Some(z) = element(node) {
                let mut digits = Vec::new();
                let mut at = current;
                while at > 0 {
                    digits.push(nodes[at].2);
                    at = nodes[at].1;
                }
                let mut word = c.monoid.word(z);
                for (i, &heap) in c.counters.iter().enumerate() {
                    // The digits lie highest first.
                    let count = digits.iter().try_fold(0u32, |n, e| n.checked_mul(2)?.checked_add(e >> i & 1))?;
                    if count > 0 {
                        word.push((heap, count));
                    }
                }
                word.sort_unstable();
                return Some(Some(word));
            }
            let (s, cs, t, ct, level) = node;
            for e in 0..1u32 << r {
                let ((s, cs), (t, ct)) = (add(s, cs, m, level, e), add(t, ct, n, level, e));
                let next = (s, cs, t, ct, (level + 1).min(levels));
                if met.insert(next) {
                    if nodes.len() == MOST_PAIRS {
                        return None;
                    }
                    nodes.push((next, current, e));
                }
            }
            current += 1;
        }
        Some(None)
    }

    /// The strategy file.
    pub fn envelope(&self) -> Envelope {
        let mut game = self.rules.to_json();
        game["kind"] = json!("heap");
        let c = &self.counters;
        let elements = 0..u32::try_from(c.monoid.order()).expect("elements are numbered with 32 bits");
        let steps: Vec<Vec<u32>> =
            (0..c.monoid.letters().len()).map(|l| elements.clone().map(|x| c.monoid.step(l, x)).collect()).collect();
        let infinite = c.infinity.as_ref().map(|i| {
            json!({"step": i.step, "from": i.from, "counter": i.counter, "at": i.at, "period": i.period, "far": i.far})
        });
        let values: Vec<Value> = c
            .values
            .iter()
            .map(|value| match value {
                HeapValue::Element(v) => json!(v),
                HeapValue::Counter(_) => Value::Null,
                HeapValue::Follower { element, counts, like } => {
                    json!({"element": element, "counts": counts, "like": like})
                }
            })
            .collect();
        let mut file = Envelope {
            form: "counters".into(),
            play: Play::Misere,
            game,
            certificate: json!({
                "generators": c.monoid.letters(),
                "steps": steps,
                "values": values,
                "counters": c.counters,
                "slices": c.slices.iter().map(|s| s.iter().collect::<Vec<_>>()).collect::<Vec<_>>(),
                "next": c.next,
                "output": c.output,
                "infinite": infinite,
            }),
        };
        if let Some(Period { preperiod, period }) = self.period {
            file.certificate["period"] = json!({"preperiod": preperiod, "period": period});
        }
        file
    }

    /// Reads a strategy file; the claim is not checked.
    pub fn from_envelope(file: &Envelope) -> Result<Unchecked<Self>, QuotientError> {
        let bad = |what: &str| QuotientError::File(what.to_owned());
        let number = |value: &Value| value.as_u64().and_then(|n| u32::try_from(n).ok());
        let numbers = |value: &Value| -> Option<Vec<u32>> { value.as_array()?.iter().map(number).collect() };
        let rows = |value: &Value| -> Option<Vec<Vec<u32>>> { value.as_array()?.iter().map(numbers).collect() };
        let certificate = &file.certificate;
        let part = |key: &str| &certificate[key];
        let letters = numbers(part("generators")).ok_or_else(|| bad("no generators"))?;
        let steps = rows(part("steps")).ok_or_else(|| bad("no steps"))?;
        let counters = numbers(part("counters")).ok_or_else(|| bad("no counters"))?;
        let value = |(heap, value): (usize, &Value)| -> Option<HeapValue> {
            match value {
                Value::Null => counters.iter().position(|&c| c as usize == heap).map(HeapValue::Counter),
                Value::Object(parts) => Some(HeapValue::Follower {
                    element: number(parts.get("element")?)?,
                    counts: numbers(parts.get("counts")?)?,
                    like: {
                        let word = |word: &Value| -> Option<Word> {
                            let pairs = rows(word)?;
                            pairs.iter().map(|pair| Some((*pair.first()?, *pair.get(1)?))).collect()
                        };
                        parts.get("like")?.as_array()?.iter().map(word).collect::<Option<_>>()?
                    },
                }),
                _ => number(value).map(HeapValue::Element),
            }
        };
        let values: Vec<HeapValue> = part("values")
            .as_array()
            .and_then(|list| list.iter().enumerate().map(value).collect())
            .ok_or_else(|| bad("no values"))?;
        let infinite = part("infinite");
        let infinity = match infinite {
            Value::Null => None,
            _ => Some(
                (|| {
                    Some(Infinity {
                        step: numbers(&infinite["step"])?,
                        from: numbers(&infinite["from"])?,
                        at: numbers(&infinite["at"])?,
                        counter: number(&infinite["counter"])?,
                        period: number(&infinite["period"])?,
                        far: number(&infinite["far"])?,
                    })
                })()
                .ok_or_else(|| bad("no proof of infinity"))?,
            ),
        };
        let counters = Counters::from_parts(
            &letters,
            &steps,
            values,
            counters,
            &rows(part("slices")).ok_or_else(|| bad("no slices"))?,
            rows(part("next")).ok_or_else(|| bad("no automaton"))?,
            numbers(part("output")).ok_or_else(|| bad("no output"))?,
            infinity,
        )
        .map_err(bad)?;
        let period = read_period(part("period"), counters.values.len())?;
        Ok(Unchecked::new(Self { rules: rules_of(&file.game).map_err(QuotientError::File)?, counters, period }))
    }
}
