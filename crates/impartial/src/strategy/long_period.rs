//! The form `"nim-period"` where the values are too many to be kept: they are computed when somebody asks for them.

use semilinear::run::{Monitor, StopReason};
use serde_json::json;

use super::nim_sequence::{MOST_UNLISTED, NimSequence, PERIOD_FORM, code_game, natural, space_of};
use super::{Envelope, Proved, Unchecked};
use crate::error::Error;
use crate::heap::{Code, HeapRules};
use crate::outcome::Play;
use crate::solve::sequence::{Engine, Passed, Period, Proof, Sequence, Theorem};

/// A heap game in normal play whose Grundy values are known to repeat, and are not kept.
///
/// ```
/// use semilinear::run::Unlimited;
/// use impartial::solve::sequence::{Engine, Sequence};
/// use impartial::strategy::LongPeriod;
/// let mut sequence = Sequence::new("0.356".parse().unwrap(), Engine::Auto);
/// sequence.extend(1 << 17, &Unlimited).unwrap();
/// let passed = sequence.pass(1 << 20, None, &mut |_, _| (), &Unlimited).unwrap();
/// let long = LongPeriod::new(&sequence, &passed).unwrap();
/// assert_eq!(long.period().period, 142);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongPeriod {
    rules: HeapRules,
    code: Code,
    proof: Proof,
    space: (u32, bool),
    reach: usize,
}

impl LongPeriod {
    /// What passed and was proved, from heap 0 on; for others see [`LongPeriod::claimed`]. `None` when it [asks for values](Passed::asks_for_values).
    pub fn new(sequence: &Sequence, passed: &Passed) -> Option<Proved<Self>> {
        if sequence.is_resumed() || passed.resumed {
            return None;
        }
        Self::claimed(sequence, passed).map(|claimed| Proved::by_check(claimed.into_claim()))
    }

    /// What passed, some of it taken on trust.
    pub fn claimed(sequence: &Sequence, passed: &Passed) -> Option<Unchecked<Self>> {
        let rules = sequence.rules().clone();
        let proof = passed.proof.filter(|_| !passed.asks_for_values())?;
        let Theorem::Window(reach) = proof.theorem else { return None };
        Some(Unchecked::new(Self { code: rules.code()?, rules, proof, space: passed.space, reach }))
    }

    /// The proved period.
    pub fn period(&self) -> Period {
        self.proof.period
    }

    /// The theorem that proves it.
    pub fn theorem(&self) -> Theorem {
        self.proof.theorem
    }

    /// The rules.
    pub fn rules(&self) -> &HeapRules {
        &self.rules
    }

    /// The code.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// The strategy as a file.
    pub fn to_envelope(&self) -> Envelope {
        let mut game = self.rules.to_json();
        game["kind"] = "heap".into();
        let Period { preperiod, period, .. } = self.period();
        let space = json!({"mask": self.space.0, "parity": self.space.1});
        let certificate = json!({"preperiod": preperiod, "period": period, "space": space, "window": self.reach});
        Envelope { form: PERIOD_FORM.into(), play: Play::Normal, game, certificate }
    }

    /// Reads a file of form "nim-period" with more values than are computed at once; `None`: another file.
    pub fn from_envelope(file: &Envelope) -> Result<Option<Unchecked<Self>>, Error> {
        if file.form != PERIOD_FORM || file.play != Play::Normal || file.certificate.get("window").is_none() {
            return Ok(None);
        }
        let number = |key: &str| natural(file, key);
        let (preperiod, period, reach) = (number("preperiod")?, number("period")?, number("window")?);
        if period == 0 || preperiod.checked_add(period).is_some_and(|len| len <= MOST_UNLISTED) {
            return Ok(None);
        }
        let (rules, code) = code_game(file)?;
        let Some(space) = space_of(file) else { return Ok(None) };
        let proof = Proof { period: Period { preperiod, period, saltus: 0 }, theorem: Theorem::Window(reach) };
        Ok(Some(Unchecked::new(Self { rules, code, proof, space, reach })))
    }

    /// The values to the end of the first period, where they are not too many.
    pub fn listed(&self, monitor: &dyn Monitor) -> Result<NimSequence, Error> {
        let Period { preperiod, period, .. } = self.period();
        let limit = StopReason::Size { what: "values of a long period", limit: MOST_UNLISTED as u64 };
        let len = preperiod.checked_add(period).filter(|&len| len <= MOST_UNLISTED).ok_or(limit)?;
        let mut sequence = Sequence::new(self.rules.clone(), Engine::Auto);
        sequence.extend(len, monitor)?;
        Ok(NimSequence::with(self.rules.clone(), self.code.clone(), self.proof, sequence.into_values(), self.space))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use semilinear::run::Unlimited;

    #[test]
    fn a_long_period_is_a_file_and_its_values_are_found_again() {
        for code in ["0.356", "0.77", "4.7"] {
            let mut sequence = Sequence::new(code.parse().unwrap(), Engine::Auto);
            sequence.search(1 << 17, &Unlimited).unwrap();
            let proof = sequence.proof().unwrap();
            sequence.extend(1 << 17, &Unlimited).unwrap();
            let passed = sequence.pass(1 << 20, None, &mut |_, _| (), &Unlimited).unwrap();
            let long = LongPeriod::new(&sequence, &passed).unwrap().into_inner();
            assert_eq!(long.period(), proof.period, "{code}");
            let file = long.to_envelope();
            let verdict = impartial_check::check(&file.to_text(), &|| true);
            assert!(matches!(verdict, impartial_check::Verdict::Valid { .. }), "{code}: {verdict:?}");
            let listed = long.listed(&Unlimited).unwrap();
            assert_eq!(listed.unlisted().unwrap(), file);
            assert_eq!(NimSequence::from_period(&file, &Unlimited).unwrap().unwrap().claim(), &listed);
            assert!(LongPeriod::from_envelope(&file).unwrap().is_none(), "the values are few");
            let mut far = file;
            far.certificate["period"] = json!(1_u64 << 40);
            let read = LongPeriod::from_envelope(&far).unwrap().unwrap();
            assert_eq!(read.claim().to_envelope(), far);
            assert!(matches!(read.claim().listed(&Unlimited), Err(Error::Stopped { .. })));
        }
    }
}
