//! The form `"nim-sequence"`: a heap game in normal play, solved for heaps of every size by its proved period.

use num_bigint::BigUint;
use num_integer::Integer as _;
use num_traits::{ToPrimitive as _, Zero as _};
use serde_json::{Map, Value, json};
use thiserror::Error;

use super::{Envelope, Proved, Unchecked};
use crate::error::Error;
use crate::heap::{Code, HeapRules};
use crate::outcome::{Outcome, Play};
use crate::solve::sequence::{Block, Engine, Period, Proof, Sequence, Theorem, Values};
use semilinear::run::{Monitor, StopReason};

/// The name of the form.
pub const FORM: &str = "nim-sequence";
/// The name of the form without the values.
pub const PERIOD_FORM: &str = "nim-period";
/// A file lists no more values than this where the form without them will do.
const LISTED: usize = 1 << 20;
/// The largest value in a file without values.
const LARGEST_UNLISTED: u32 = 63;
/// A file without values has at most so many until the end of the first period.
pub(super) const MOST_UNLISTED: usize = 1 << 29;
/// Steps for the options of one heap that are all looked at; beyond, moves are listed by residue classes.
const OPTION_WORK: u64 = 1_000_000;
/// No more winning moves than this are listed.
const MOST_MOVES: usize = 100_000;

/// A heap game in normal play whose Grundy values are known for every heap.
///
/// ```
/// use semilinear::run::Unlimited;
/// use impartial::solve::sequence::{Engine, Sequence};
/// use impartial::strategy::nim_sequence::NimSequence;
/// let mut kayles = Sequence::new("0.77".parse().unwrap(), Engine::Auto);
/// kayles.search(10_000, &Unlimited).unwrap();
/// let solved = NimSequence::new(&kayles).unwrap();
/// let googol: num_bigint::BigUint = format!("1{}", "0".repeat(100)).parse().unwrap();
/// assert_eq!(solved.value(&googol), 1_u32.into());
/// assert_eq!(NimSequence::from_envelope(&solved.to_envelope()).unwrap().claim(), &*solved);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NimSequence {
    rules: HeapRules,
    code: Code,
    proof: Proof,
    /// g(0), g(1), … up to the end of the first period.
    values: Values,
    /// A sparse space that helps a checker: mask, and whether the parity of the heap counts.
    space: Option<(u32, bool)>,
}

/// The winning moves of a position, as resulting positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinningMoves {
    /// The positions, each sorted; sorted, without repeats.
    pub positions: Vec<Vec<BigUint>>,
    /// Whether these are all. If not, some heap was too large to list its options, and the parts of a heap that is
    /// broken stand for their residue classes modulo the period.
    pub complete: bool,
}

/// Why a file of this form cannot be used.
#[derive(Debug, Error)]
pub enum NimSequenceError {
    /// A part is missing or of the wrong kind.
    #[error("strategy file of form \"nim-sequence\": {0}; solve the game again")]
    Shape(String),
}

impl From<NimSequenceError> for Error {
    fn from(error: NimSequenceError) -> Self {
        Self::input(error)
    }
}

impl NimSequence {
    /// The strategy of a sequence whose period is proved, from values that were all computed here; for others see
    /// [`NimSequence::claimed`].
    pub fn new(sequence: &Sequence) -> Option<Proved<Self>> {
        if sequence.is_resumed() {
            return None;
        }
        Self::claimed(sequence).map(|claimed| Proved::by_check(claimed.into_claim()))
    }

    /// What a sequence says whose first values were taken on trust.
    pub fn claimed(sequence: &Sequence) -> Option<Unchecked<Self>> {
        let proof = sequence.proof()?;
        let values = sequence.narrow().iter().take(proof.period.preperiod + proof.period.period).collect();
        let rules = sequence.rules().clone();
        Some(Unchecked::new(Self { code: rules.code()?, rules, proof, values, space: sequence.sparse_space() }))
    }

    /// A strategy with these values.
    pub(super) fn with(rules: HeapRules, code: Code, proof: Proof, values: Values, space: (u32, bool)) -> Self {
        Self { rules, code, proof, values, space: Some(space) }
    }

    /// The proved period.
    pub fn period(&self) -> Period {
        self.proof.period
    }

    /// The theorem that proves it.
    pub fn theorem(&self) -> Theorem {
        self.proof.theorem
    }

    /// The values of the heaps below preperiod + period.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The rules.
    pub fn rules(&self) -> &HeapRules {
        &self.rules
    }

    /// The Grundy value of a heap of any size.
    pub fn value(&self, heap: &BigUint) -> BigUint {
        let Period { preperiod, period, saltus } = self.proof.period;
        match heap.to_usize() {
            Some(small) if small < self.values.len() => self.values.at(small).into(),
            _ => {
                let (rounds, place) = (heap - preperiod).div_rem(&period.into());
                let place = place.to_usize().expect("a remainder is below the period");
                rounds * saltus + self.values.at(preperiod + place)
            }
        }
    }

    /// The Grundy value of a sum of heaps.
    pub fn grundy(&self, heaps: &[BigUint]) -> BigUint {
        heaps.iter().fold(BigUint::zero(), |sum, heap| sum ^ self.value(heap))
    }

    /// The outcome of a sum of heaps.
    pub fn outcome(&self, heaps: &[BigUint]) -> Outcome {
        Outcome::p_if(self.grundy(heaps).is_zero())
    }

    /// The winning moves of a sum of heaps: all of them where every heap has a list of options of bearable length;
    /// see [`WinningMoves::complete`].
    ///
    /// # Complexity
    /// O(10⁶) for each heap whose options are listed. A larger heap costs O(s·(n₀ + p)ʰ⁻¹) for s digits that
    /// leave h heaps, preperiod n₀ and period p, at most 10⁷ steps.
    pub fn winning_moves(&self, heaps: &[BigUint]) -> WinningMoves {
        let total = self.grundy(heaps);
        let mut moves = WinningMoves { positions: Vec::new(), complete: true };
        if total.is_zero() {
            return moves;
        }
        let mut heaps: Vec<BigUint> = heaps.iter().filter(|heap| !heap.is_zero()).cloned().collect();
        heaps.sort_unstable();
        for i in 0..heaps.len() {
            if i > 0 && heaps[i - 1] == heaps[i] {
                continue;
            }
            let wanted = self.value(&heaps[i]) ^ &total;
            let (options, complete) = self.options_with_value(&heaps[i], &wanted);
            moves.complete &= complete;
            for option in options {
                let mut position = heaps.clone();
                position.remove(i);
                position.extend(option);
                position.sort_unstable();
                moves.positions.push(position);
            }
        }
        moves.positions.sort_unstable();
        moves.positions.dedup();
        if moves.positions.len() > MOST_MOVES {
            moves.positions.truncate(MOST_MOVES);
            moves.complete = false;
        }
        moves
    }

    /// The options of a heap that have a value, and whether they are all of them.
    fn options_with_value(&self, heap: &BigUint, wanted: &BigUint) -> (Vec<Vec<BigUint>>, bool) {
        let listed = heap.to_u64().and_then(|heap| self.rules.options_within(heap, OPTION_WORK));
        if let Some(options) = listed {
            let big = |option: Vec<u64>| option.into_iter().map(BigUint::from).collect::<Vec<_>>();
            let mut options: Vec<Vec<BigUint>> = options.into_iter().map(big).collect();
            options.retain(|option| self.grundy(option) == *wanted);
            return (options, true);
        }
        let mut found = Vec::new();
        self.options_by_taken(heap, wanted, &mut found);
        self.options_by_value(heap, wanted, &mut found);
        found.sort_unstable();
        found.dedup();
        let repeats = self.code.repeat() > 0;
        let breaks = self.code.most_heaps() > 1;
        let endless = breaks || (repeats && self.proof.period.saltus == 0);
        (found, !endless)
    }

    /// For each number of beans taken (of a repeating code, the first ones): the heap left, or the heaps left of which
    /// all but the largest lie within the first period.
    fn options_by_taken(&self, heap: &BigUint, wanted: &BigUint, found: &mut Vec<Vec<BigUint>>) {
        let bound = self.values.len();
        let mut work = 10_000_000_usize;
        for k in 0..self.code.digits().len() {
            let digit = self.code.digits()[k];
            if digit < 2 || *heap <= BigUint::from(k) {
                continue;
            }
            let rest = heap - k;
            if digit & 2 != 0 && self.value(&rest) == *wanted {
                found.push(vec![rest.clone()]);
            }
            for a in (1..bound).take_while(|_| digit >= 4) {
                if digit & 4 != 0 && rest > BigUint::from(a) {
                    self.keep(vec![a.into(), &rest - a], wanted, found);
                }
                for b in (a..bound).take_while(|_| digit & 8 != 0) {
                    if work == 0 {
                        return;
                    }
                    work -= 1;
                    if rest > BigUint::from(a + b) {
                        self.keep(vec![a.into(), b.into(), &rest - a - b], wanted, found);
                    }
                }
                if work == 0 {
                    return;
                }
                work -= 1;
            }
        }
    }

    /// For each heap x of the wanted value: x alone, x with a heap of value 0, and x with two equal heaps. For value 0
    /// also no heap at all, and two equal heaps.
    fn options_by_value(&self, heap: &BigUint, wanted: &BigUint, found: &mut Vec<Vec<BigUint>>) {
        if wanted.is_zero() {
            if self.digit(heap) & 1 != 0 {
                found.push(Vec::new());
            }
            for k in (0..self.code.digits().len()).filter(|&k| self.code.digits()[k] & 4 != 0) {
                if *heap >= BigUint::from(k + 2) && (heap - k).is_even() {
                    found.push(vec![(heap - k) / 2_u32; 2]);
                }
            }
        }
        let zero = (1..self.values.len()).find(|&x| self.values.at(x) == 0).map(BigUint::from);
        for x in self.heaps_with_value(wanted) {
            if x >= *heap {
                continue;
            }
            let taken = heap - &x;
            if self.digit(&taken) & 2 != 0 {
                found.push(vec![x.clone()]);
            }
            if let Some(zero) = zero.as_ref().filter(|zero| **zero <= taken)
                && self.digit(&(&taken - zero)) & 4 != 0
            {
                found.push(vec![zero.clone(), x.clone()]);
            }
            let two = BigUint::from(2_u32);
            if taken >= two && self.digit(&(&taken - &two)) & 8 != 0 {
                found.push(vec![1_u32.into(), 1_u32.into(), x.clone()]);
            }
            for k in 0..self.code.digits().len() - self.code.repeat() {
                if self.code.digits()[k] & 8 != 0 && taken >= BigUint::from(k) + &two && (&taken - k).is_even() {
                    let half = (&taken - k) / 2_u32;
                    found.push(vec![half.clone(), half, x.clone()]);
                }
            }
        }
    }

    fn keep(&self, option: Vec<BigUint>, wanted: &BigUint, found: &mut Vec<Vec<BigUint>>) {
        if found.len() <= MOST_MOVES && self.grundy(&option) == *wanted {
            found.push(option);
        }
    }

    /// The heaps x ≥ 1 of a value: all of them when the saltus is not 0, else those of the first period.
    fn heaps_with_value(&self, wanted: &BigUint) -> Vec<BigUint> {
        let Period { preperiod, period, saltus } = self.proof.period;
        let mut heaps = Vec::new();
        let small = wanted.to_u32();
        for (x, value) in self.values.iter().enumerate() {
            if x >= preperiod && saltus > 0 && *wanted >= BigUint::from(value) {
                let (rounds, rest) = (wanted - value).div_rem(&saltus.into());
                if rest.is_zero() {
                    heaps.push(rounds * period + x);
                }
            } else if small == Some(value) {
                heaps.push(x.into());
            }
        }
        heaps.retain(|x| !x.is_zero());
        heaps
    }

    fn digit(&self, k: &BigUint) -> u8 {
        let digits = self.code.digits();
        match (k.to_usize().filter(|&k| k < digits.len()), self.code.repeat()) {
            (Some(k), _) => digits[k],
            (None, 0) => 0,
            (None, repeat) => {
                let start = digits.len() - repeat;
                let place = ((k - start) % repeat).to_usize().expect("below the block length");
                digits[start + place]
            }
        }
    }

    /// Whether the values are too many for a file, and the form without them will do.
    pub fn is_long(&self) -> bool {
        self.values.len() > LISTED && self.unlisted().is_some()
    }

    /// The strategy as a file: of form "nim-period" when it [`NimSequence::is_long`].
    pub fn to_envelope(&self) -> Envelope {
        self.unlisted().filter(|_| self.values.len() > LISTED).unwrap_or_else(|| self.with_values())
    }

    /// The strategy as a file that leaves the values out; `None` where the checker would not compute them: moves that leave
    /// three heaps or repeat, large values.
    pub fn unlisted(&self) -> Option<Envelope> {
        let splits = self.code.repeat() == 0 && self.code.most_heaps() == 2;
        let small = || self.values.largest().is_some_and(|value| value <= LARGEST_UNLISTED);
        let seen = matches!(self.proof.theorem, Theorem::GuySmith | Theorem::Window(_));
        let (mask, parity) = self.space.filter(|_| splits && seen && small())?;
        let Period { preperiod, period, .. } = self.proof.period;
        let space = json!({"mask": mask, "parity": parity});
        let mut certificate = json!({"preperiod": preperiod, "period": period, "space": space});
        if let Theorem::Window(reach) = self.proof.theorem {
            certificate["window"] = reach.into();
        }
        Some(Envelope { form: PERIOD_FORM.into(), certificate, ..self.envelope() })
    }

    /// The game in an envelope without a certificate.
    fn envelope(&self) -> Envelope {
        let mut game = self.rules.to_json();
        game["kind"] = "heap".into();
        Envelope { form: FORM.into(), play: Play::Normal, game, certificate: Value::Null }
    }

    /// The strategy as a file that lists the values, be they many.
    pub fn with_values(&self) -> Envelope {
        let Period { preperiod, period, saltus } = self.proof.period;
        // What a state proves, enough values prove as well.
        let theorem = match self.proof.theorem {
            Theorem::Window(_) => Theorem::GuySmith,
            other => other,
        };
        let mut certificate = json!({
            "theorem": theorem.name(),
            "preperiod": preperiod,
            "period": period,
            "saltus": saltus,
            "values": self.values.iter().collect::<Vec<u32>>(),
        });
        if let Theorem::Induction(Block { base, length }) = self.proof.theorem {
            certificate["base"] = base.into();
            certificate["block"] = length.into();
        }
        if let Some((mask, parity)) = self.space {
            certificate["space"] = json!({"mask": mask, "parity": parity});
        }
        Envelope { certificate, ..self.envelope() }
    }

    /// Reads a file of form "nim-period", which leaves the values out: they are computed again. `None`: a file of another form.
    pub fn from_period(file: &Envelope, monitor: &dyn Monitor) -> Result<Option<Unchecked<Self>>, Error> {
        if file.form != PERIOD_FORM {
            return Ok(None);
        }
        let shape = |what: &str| Error::from(NimSequenceError::Shape(what.into()));
        if file.play != Play::Normal {
            return Err(shape("\"play\" is another one"));
        }
        let (rules, code) = code_game(file)?;
        let number = |key: &str| natural(file, key);
        let (preperiod, period) = (number("preperiod")?, number("period")?);
        let space = space_of(file).ok_or_else(|| shape("\"space\" is missing"))?;
        let len = preperiod.checked_add(period).filter(|&len| len <= MOST_UNLISTED && period > 0);
        let limit = StopReason::Size { what: "values of a file that leaves them out", limit: MOST_UNLISTED as u64 };
        let len = len.ok_or(limit)?;
        let mut sequence = Sequence::new(rules.clone(), Engine::Auto);
        sequence.extend(len, monitor)?;
        let theorem = match file.certificate.get("window") {
            Some(_) => Theorem::Window(number("window")?),
            None => Theorem::GuySmith,
        };
        let proof = Proof { period: Period { preperiod, period, saltus: 0 }, theorem };
        let values = sequence.into_values();
        Ok(Some(Unchecked::new(Self { rules, code, proof, values, space: Some(space) })))
    }

    /// Reads a file of this form. The claim itself is for the checker: here only its parts must fit together.
    pub fn from_envelope(file: &Envelope) -> Result<Unchecked<Self>, NimSequenceError> {
        let shape = |what: &str| NimSequenceError::Shape(what.into());
        if file.form != FORM || file.play != Play::Normal {
            return Err(shape("\"form\" or \"play\" is another one"));
        }
        let (rules, code) = code_game(file)?;
        let number = |key: &str| natural(file, key);
        let (preperiod, period) = (number("preperiod")?, number("period")?);
        let saltus = u32::try_from(number("saltus")?).map_err(|_| shape("\"saltus\" is too large"))?;
        let values = serde_json::from_value::<Vec<u32>>(file.certificate["values"].clone())
            .map_err(|_| shape("\"values\" is no list of natural numbers"))?;
        if period == 0 || preperiod.checked_add(period) != Some(values.len()) {
            return Err(shape("\"values\" does not end with the first period"));
        }
        let theorem = match file.certificate["theorem"].as_str() {
            Some("guy-smith") => Theorem::GuySmith,
            Some("induction") => Theorem::Induction(Block { base: number("base")?, length: number("block")? }),
            _ => return Err(shape("\"theorem\" is not known")),
        };
        let proof = Proof { period: Period { preperiod, period, saltus }, theorem };
        let values = values.into_iter().collect();
        Ok(Unchecked::new(Self { rules, code, proof, values, space: space_of(file) }))
    }
}

/// The game of a file.
pub(super) fn code_game(file: &Envelope) -> Result<(HeapRules, Code), NimSequenceError> {
    let shape = |what: &str| NimSequenceError::Shape(what.into());
    let Value::Object(game) = &file.game else { return Err(shape("\"game\" is no object")) };
    let rules = rules_from_json(game).ok_or_else(|| shape("\"game\" is no code and no subtraction set"))?;
    let code = rules.code().ok_or_else(|| shape("\"game\" is too large"))?;
    Ok((rules, code))
}

/// A number of the certificate.
pub(super) fn natural(file: &Envelope, key: &str) -> Result<usize, NimSequenceError> {
    let number = file.certificate[key].as_u64().and_then(|n| usize::try_from(n).ok());
    number.ok_or_else(|| NimSequenceError::Shape(format!("\"{key}\" is no natural number")))
}

/// The hint of the certificate.
pub(super) fn space_of(file: &Envelope) -> Option<(u32, bool)> {
    let space = file.certificate.get("space")?;
    Some((u32::try_from(space["mask"].as_u64()?).ok()?, space["parity"].as_bool()?))
}

fn rules_from_json(game: &Map<String, Value>) -> Option<HeapRules> {
    if let Some(code) = game.get("code") {
        return code.as_str()?.parse().ok();
    }
    let number = |k: &Value| k.as_u64().or_else(|| k.as_str()?.parse().ok());
    let set = game.get("subtract")?.as_array()?.iter().map(number).collect::<Option<Vec<_>>>()?;
    HeapRules::subtraction(&set).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use semilinear::run::Unlimited;

    fn solved(code: &str) -> NimSequence {
        let mut sequence = Sequence::new(code.parse().unwrap(), Engine::Auto);
        sequence.search(1_000_000, &Unlimited).unwrap();
        NimSequence::new(&sequence).unwrap().into_inner()
    }

    #[test]
    fn values_left_out_are_found_again() {
        for code in ["0.77", "0.137", "4.7", "0.165", "0.45"] {
            let solved = solved(code);
            let file = solved.unlisted().unwrap();
            let verdict = impartial_check::check(&file.to_text(), &|| true);
            assert!(matches!(verdict, impartial_check::Verdict::Valid { .. }), "{code}: {verdict:?}");
            assert_eq!(NimSequence::from_period(&file, &Unlimited).unwrap().unwrap().claim(), &solved, "{code}");
            assert!(NimSequence::from_period(&solved.to_envelope(), &Unlimited).unwrap().is_none(), "{code}");
        }
        // No heap is split; the values grow; the code repeats.
        assert!(["0.33", "0.3F", "0.[3]"].iter().all(|code| solved(code).unlisted().is_none()));
    }

    #[test]
    fn bad_files_without_values_are_refused() {
        let file = solved("0.77").unlisted().unwrap();
        for (key, value) in
            [("period", json!(0)), ("period", json!(1_u64 << 40)), ("preperiod", json!(-1)), ("space", json!(3))]
        {
            let mut changed = file.clone();
            changed.certificate[key] = value;
            assert!(NimSequence::from_period(&changed, &Unlimited).is_err(), "{key}");
        }
        let misere = Envelope { play: Play::Misere, ..file };
        assert!(NimSequence::from_period(&misere, &Unlimited).is_err());
    }
}
