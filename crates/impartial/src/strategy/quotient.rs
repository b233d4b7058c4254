//! Form `"quotient"`: misère play of a heap game by its finite quotient.

use num_bigint::BigUint;
use num_traits::ToPrimitive as _;
use serde_json::{Value, json};
use thiserror::Error;

use super::nim_sequence::{self, NimSequence};
use super::{Envelope, Unchecked};
use crate::error::Error;
use crate::heap::{HeapFile, HeapRules};
use crate::outcome::{Outcome, Play};
use crate::solve::quotient::{Builder, NormalKernel, Period, Quotient, Shape, Word, period};
use crate::solve::sequence::{Engine, Sequence};
use semilinear::run::{Monitor, StopReason};

/// Misère play of a heap game: the quotient of its heaps up to a bound, or of all heaps when the
/// pretending function is proved to be periodic.
///
/// ```
/// use impartial::{game::quotient_strategy, outcome::Outcome, run::{Run, Unlimited}};
/// let Run::Finished(kayles) = quotient_strategy("0.77".parse().unwrap(), None, &Unlimited) else { panic!() };
/// assert_eq!(kayles.quotient().order(), 40);
/// assert_eq!(kayles.period().map(|p| (p.preperiod, p.period)), Some((71, 12)));
/// let heaps: Vec<_> = ["1000000000000000000000", "17"].map(|h| h.parse().unwrap()).into();
/// assert_eq!(kayles.outcome(&heaps), Ok(Outcome::N));
/// ```
#[derive(Clone, Debug)]
pub struct QuotientStrategy {
    rules: HeapRules,
    quotient: Quotient,
    period: Option<Period>,
    orders: Vec<(usize, usize)>,
    /// The Grundy values that give the values of large heaps, and the number of heaps for which the quotient was found by itself.
    kernel: Option<(NimSequence, usize)>,
}

/// Without a bound the quotient is looked for up to this heap.
pub const FAR: usize = 5_000;
/// At this heap, and at its doubles, it is asked whether large heaps behave as in normal play.
const LOOK: usize = 100;

/// Winning moves, as resulting positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moves {
    /// Sorted, without repeats.
    pub positions: Vec<Vec<BigUint>>,
    /// Whether these are all winning moves; else they are one of each class.
    pub complete: bool,
}

/// Why a quotient strategy has no answer, or a file is none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum QuotientError {
    /// The strategy does not reach the heap.
    #[error("heap {heap} is beyond this strategy, which reaches heap {reach}; solve the game with a larger --max-heap")]
    Beyond {
        /// The heap.
        heap: BigUint,
        /// The largest heap of the strategy.
        reach: usize,
    },
    /// Not a file of this form.
    #[error("not a strategy of form \"quotient\": {0}; solve the game again")]
    File(String),
}

impl From<QuotientError> for Error {
    fn from(error: QuotientError) -> Self {
        Self::input(error)
    }
}

/// The shape of a move, for codes that end.
pub fn shape(rules: &HeapRules) -> Option<Shape> {
    let code = rules.code()?;
    let taken = code.last().unwrap_or(0);
    (code.repeat() == 0).then(|| Shape { taken, parts: code.most_heaps() as usize })
}

impl QuotientStrategy {
    /// The quotient of all heaps, when that of the heaps so far proves it: by a period of the pretending function (Theorem 2 of
    /// `docs/theory/misere.md`), or by the Grundy values of larger heaps (Theorem 2a), if their period ends within `max_heap`.
    pub(crate) fn of_all_heaps(
        rules: &HeapRules,
        builder: &Builder,
        max_heap: Option<usize>,
        monitor: &dyn Monitor,
    ) -> Result<Option<Self>, StopReason> {
        let Some(shape) = shape(rules) else { return Ok(None) };
        if let Some(found) = period(builder.quotient_values(), shape) {
            return Ok(Some(Self::from_builder(rules.clone(), builder, Some(found))));
        }
        let heaps = builder.heaps();
        if !heaps.is_multiple_of(LOOK) || !(heaps / LOOK).is_power_of_two() {
            return Ok(None);
        }
        let mut sequence = Sequence::new(rules.clone(), Engine::Auto);
        sequence.extend(heaps + 1, monitor)?;
        let quotient = builder.quotient();
        let Some(kernel) = NormalKernel::new(&quotient, shape, &sequence.values()[..=heaps]) else { return Ok(None) };
        // The same was seen at the look before, and no period was found.
        let before = heaps / 2;
        if heaps > LOOK
            && kernel.heaps_needed(shape) <= before
            && builder.history()[before - 1] == builder.history()[heaps - 1]
        {
            return Ok(None);
        }
        // A proof takes about twice as many values as the period it proves.
        let length = max_heap.map_or(usize::MAX, |most| most.saturating_mul(3));
        match sequence.search(sequence.default_length().min(length), monitor) {
            Ok(()) | Err(StopReason::Size { .. }) => {}
            Err(why) => return Err(why),
        }
        let Some(sequence) = NimSequence::new(&sequence) else { return Ok(None) };
        let whole = Self::by_kernel(rules.clone(), &quotient, sequence.into_inner());
        Ok(whole
            .filter(|w| max_heap.is_none_or(|most| w.quotient.heaps() <= most))
            .map(|whole| Self { orders: [builder.history(), &whole.orders].concat(), ..whole }))
    }

    /// The quotient of all heaps, from that of the first ones and the Grundy values.
    fn by_kernel(rules: HeapRules, quotient: &Quotient, sequence: NimSequence) -> Option<Self> {
        let shape = shape(&rules)?;
        let normal = sequence.period();
        if normal.saltus != 0 {
            return None;
        }
        let known = quotient.heaps();
        let grundy = |heaps: usize| -> Vec<u32> {
            let values = sequence.values();
            let folded =
                |h: usize| if h < values.len() { h } else { normal.preperiod + (h - normal.preperiod) % normal.period };
            (0..heaps).map(|h| values.at(folded(h))).collect()
        };
        let letters = quotient.monoid().letters().last().map_or(0, |&h| h as usize);
        let least = known.max(letters) + 1;
        let kernel = NormalKernel::new(quotient, shape, &grundy(least))?;
        let preperiod = normal.preperiod.max(kernel.last_outside() + 1);
        let grundy = grundy(least.max(preperiod + normal.period));
        let orders = kernel.orders(quotient, &grundy);
        let quotient = kernel.extended(quotient, &grundy)?;
        let period = Some(Period { preperiod, period: normal.period });
        Some(Self { rules, quotient, period, orders, kernel: Some((sequence, known)) })
    }

    pub(crate) fn from_builder(rules: HeapRules, builder: &Builder, period: Option<Period>) -> Self {
        Self { quotient: builder.quotient(), period, rules, orders: builder.history().to_vec(), kernel: None }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &HeapRules {
        &self.rules
    }

    /// The quotient.
    pub fn quotient(&self) -> &Quotient {
        &self.quotient
    }

    /// The period of the pretending function, when it is proved for all heaps.
    pub fn period(&self) -> Option<Period> {
        self.period
    }

    /// Order and size of the P-portion of Q₁, Q₂, … (empty when the strategy was read from a file).
    pub fn orders(&self) -> &[(usize, usize)] {
        &self.orders
    }

    /// The heap at most the largest known one that has the same value as this one.
    pub fn folded(&self, heap: &BigUint) -> Result<usize, QuotientError> {
        folded(heap, self.quotient.heaps(), self.period)
    }

    /// The element of a sum of heaps.
    pub fn value(&self, heaps: &[BigUint]) -> Result<u32, QuotientError> {
        let monoid = self.quotient.monoid();
        heaps.iter().try_fold(0, |x, heap| Ok(monoid.product(x, self.quotient.values()[self.folded(heap)?])))
    }

    /// The outcome of a sum of heaps.
    pub fn outcome(&self, heaps: &[BigUint]) -> Result<Outcome, QuotientError> {
        Ok(Outcome::p_if(self.quotient.p().has(self.value(heaps)? as usize)))
    }

    /// Winning moves of a sum of heaps of any size that the strategy reaches.
    ///
    /// Options of a heap beyond the period stand for their classes: when a part a ≥ preperiod + period is made smaller by
    /// the period and the largest part larger by it, all values stay the same. So all parts but the largest need be tried below
    /// preperiod + period only.
    ///
    /// # Complexity
    /// O(k·(preperiod + period)^(r−1)) values for a heap beyond the period, k digits, at most r heaps left.
    ///
    /// ```
    /// use impartial::{game::quotient_strategy, run::{Run, Unlimited}};
    /// let Run::Finished(kayles) = quotient_strategy("0.77".parse().unwrap(), None, &Unlimited) else { panic!() };
    /// let heap: num_bigint::BigUint = "1000000000000000000000".parse().unwrap();
    /// let moves = kayles.winning_moves(&[heap.clone()]).unwrap();
    /// assert!(!moves.complete);
    /// let wins = |option: &Vec<_>| kayles.outcome(option).unwrap().is_p();
    /// assert!(!moves.positions.is_empty() && moves.positions.iter().all(wins));
    /// ```
    pub fn winning_moves(&self, heaps: &[BigUint]) -> Result<Moves, QuotientError> {
        winning_moves(&self.rules, self.period, self.quotient.heaps(), heaps, &|option| self.outcome(option))
    }

    /// `None` when the two sums are congruent; else a sum that tells them apart.
    pub fn distinguishing(&self, a: &[BigUint], b: &[BigUint]) -> Result<Option<Word>, QuotientError> {
        let z = self.quotient.distinguishing(self.value(a)?, self.value(b)?);
        Ok(z.map(|z| self.quotient.monoid().word(z)))
    }

    /// The strategy file.
    pub fn envelope(&self) -> Envelope {
        let mut game = self.rules.to_json();
        game["kind"] = json!("heap");
        let monoid = self.quotient.monoid();
        let elements = 0..u32::try_from(monoid.order()).expect("elements are numbered with 32 bits");
        let steps: Vec<Vec<u32>> =
            (0..monoid.letters().len()).map(|l| elements.clone().map(|x| monoid.step(l, x)).collect()).collect();
        // By Grundy values the first heaps are enough; their period is that of the values.
        let (listed, period) = match &self.kernel {
            Some((_, known)) => (known + 1, None),
            None => (self.quotient.values().len(), self.period),
        };
        let mut file = Envelope {
            form: "quotient".into(),
            play: Play::Misere,
            game,
            certificate: json!({
                "generators": monoid.letters(),
                "steps": steps,
                "p": self.quotient.p().iter().collect::<Vec<_>>(),
                "values": self.quotient.values()[..listed],
                "period": period.map(|p| json!({"preperiod": p.preperiod, "period": p.period})),
            }),
        };
        if let Some((sequence, _)) = &self.kernel {
            file.certificate["kernel"] = sequence.with_values().certificate;
        }
        file
    }

    /// Reads a strategy file; the claim is not checked.
    pub fn from_envelope(file: &Envelope) -> Result<Unchecked<Self>, QuotientError> {
        let bad = |what: &str| QuotientError::File(what.to_owned());
        let numbers = |value: &Value| -> Option<Vec<u32>> {
            value.as_array()?.iter().map(|n| u32::try_from(n.as_u64()?).ok()).collect()
        };
        let certificate = &file.certificate;
        let letters = numbers(&certificate["generators"]).ok_or_else(|| bad("no generators"))?;
        let steps = certificate["steps"]
            .as_array()
            .and_then(|rows| rows.iter().map(numbers).collect::<Option<Vec<_>>>())
            .ok_or_else(|| bad("no steps"))?;
        let p = numbers(&certificate["p"]).ok_or_else(|| bad("no P-portion"))?;
        let values = numbers(&certificate["values"]).ok_or_else(|| bad("no values"))?;
        let quotient = Quotient::from_parts(&letters, &steps, &p, values).map_err(bad)?;
        let period = read_period(&certificate["period"], quotient.heaps() + 1)?;
        let rules = rules_of(&file.game).map_err(QuotientError::File)?;
        if let Some(kernel) = certificate.get("kernel") {
            let normal = Envelope {
                form: nim_sequence::FORM.into(),
                play: Play::Normal,
                game: file.game.clone(),
                certificate: kernel.clone(),
            };
            let sequence = NimSequence::from_envelope(&normal)
                .map_err(|error| QuotientError::File(error.to_string()))?
                .into_claim();
            let whole = Self::by_kernel(rules, &quotient, sequence)
                .ok_or_else(|| bad("the kernel is not as in normal play"))?;
            return Ok(Unchecked::new(Self { orders: Vec::new(), ..whole }));
        }
        Ok(Unchecked::new(Self { rules, quotient, period, orders: Vec::new(), kernel: None }))
    }
}

/// The heap up to `reach` that has the value of this one.
pub(super) fn folded(heap: &BigUint, reach: usize, period: Option<Period>) -> Result<usize, QuotientError> {
    let small = heap.to_usize().filter(|&h| h <= reach).or_else(|| {
        let Period { preperiod, period } = period?;
        ((heap - BigUint::from(preperiod)) % BigUint::from(period)).to_usize().map(|r| preperiod + r)
    });
    small.ok_or_else(|| QuotientError::Beyond { heap: heap.clone(), reach })
}

/// The period in a strategy file that lists so many values.
pub(super) fn read_period(value: &Value, values: usize) -> Result<Option<Period>, QuotientError> {
    if value.is_null() {
        return Ok(None);
    }
    let bad = |what: &str| QuotientError::File(what.to_owned());
    let number = |key: &str| value[key].as_u64().and_then(|n| usize::try_from(n).ok());
    let (preperiod, period) = number("preperiod").zip(number("period")).ok_or_else(|| bad("no period"))?;
    if period == 0 || preperiod.checked_add(period).is_none_or(|n| n > values) {
        return Err(bad("the period is beyond the values"));
    }
    Ok(Some(Period { preperiod, period }))
}

/// The winning moves of a sum, as `outcome` tells them; of heaps with many options one of each class.
pub(super) fn winning_moves(
    rules: &HeapRules,
    period: Option<Period>,
    reach: usize,
    heaps: &[BigUint],
    outcome: &dyn Fn(&[BigUint]) -> Result<Outcome, QuotientError>,
) -> Result<Moves, QuotientError> {
    let mut moves = Moves { positions: Vec::new(), complete: true };
    for (i, heap) in heaps.iter().enumerate() {
        if heaps[..i].contains(heap) {
            continue;
        }
        let (options, complete) = options(rules, period, reach, heap)?;
        for option in options {
            let mut position: Vec<BigUint> = heaps[..i].iter().chain(&heaps[i + 1..]).cloned().chain(option).collect();
            if outcome(&position)?.is_p() {
                position.sort_unstable();
                moves.positions.push(position);
                // A class that wins may have further members.
                moves.complete &= complete;
            }
        }
    }
    moves.positions.sort_unstable();
    moves.positions.dedup();
    Ok(moves)
}

/// The options of a heap, or one of each class, and whether these are all.
#[allow(clippy::type_complexity)]
fn options(
    rules: &HeapRules,
    period: Option<Period>,
    reach: usize,
    heap: &BigUint,
) -> Result<(Vec<Vec<BigUint>>, bool), QuotientError> {
    const FEW: u64 = 20_000;
    let beyond = || QuotientError::Beyond { heap: heap.clone(), reach };
    if let Some(list) = heap.to_u64().and_then(|heap| rules.options_within(heap, FEW)) {
        return Ok((list.into_iter().map(|option| option.into_iter().map(Into::into).collect()).collect(), true));
    }
    let Period { preperiod, period } = period.ok_or_else(beyond)?;
    let code = rules.code().ok_or_else(beyond)?;
    let small = preperiod.max(1) + period;
    let mut options = Vec::new();
    let mut complete = true;
    for (k, &digit) in code.digits().iter().enumerate() {
        let Some(left) = (heap >= &BigUint::from(k)).then(|| heap - k) else { continue };
        for parts in (1..8).filter(|j| digit >> j & 1 == 1) {
            complete &= parts == 1;
            // All parts but the largest, non-decreasing.
            let mut heads: Vec<Vec<usize>> = vec![vec![]];
            for _ in 1..parts {
                heads = heads
                    .iter()
                    .flat_map(|head| {
                        let from = head.last().copied().unwrap_or(1);
                        (from..small).map(move |a| [&head[..], &[a]].concat())
                    })
                    .collect();
            }
            for head in heads {
                let taken: usize = head.iter().sum();
                let last = head.last().copied().unwrap_or(1);
                if left < BigUint::from(taken + last) {
                    continue;
                }
                let mut option: Vec<BigUint> = head.into_iter().map(Into::into).collect();
                option.push(&left - taken);
                options.push(option);
            }
        }
        if digit & 1 == 1 && *heap == BigUint::from(k) {
            options.push(vec![]);
        }
    }
    Ok((options, complete))
}

/// The rules of a heap game in a strategy file: its keys are those of a game file.
pub(super) fn rules_of(game: &Value) -> Result<HeapRules, String> {
    let text = toml::to_string(game).map_err(|error| error.to_string())?;
    Ok(HeapFile::from_toml(&text).map_err(|error| error.to_string())?.rules)
}
