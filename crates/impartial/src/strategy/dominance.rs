//! Form `"dominance"`: misère play of all heaps when one heap may outweigh all others.

use num_bigint::BigUint;
use num_traits::ToPrimitive as _;
use serde_json::{Value, json};

use super::quotient::rules_of;
use super::{Envelope, Moves, QuotientError, Unchecked};
use crate::heap::HeapRules;
use crate::outcome::{Outcome, Play};
use crate::solve::quotient::{Dominance, State};

/// Misère play of a take-and-break code for heaps of every size, by values and weights of the heaps.
///
/// ```
/// use impartial::prelude::*;
/// use impartial::strategy::DominanceStrategy;
/// let game: Game = "4.7".parse()?;
/// let strategy = game.solve(&Ask::new().play(Play::Misere))?;
/// assert_eq!(strategy.form(), Form::Dominance);
/// let far = game.position("1+1000000000000000000000")?;
/// assert_eq!(strategy.outcome(&far, &Ask::new())?.outcome, Outcome::P);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct DominanceStrategy {
    rules: HeapRules,
    dominance: Dominance,
}

impl DominanceStrategy {
    /// What a search guesses; the checker must confirm it.
    pub(crate) fn guessed(rules: HeapRules, dominance: Dominance) -> Unchecked<Self> {
        Unchecked::new(Self { rules, dominance })
    }

    /// The rules of the game.
    pub fn rules(&self) -> &HeapRules {
        &self.rules
    }

    /// Values, weights and states.
    pub fn dominance(&self) -> &Dominance {
        &self.dominance
    }

    /// The outcome of a sum of heaps.
    pub fn outcome(&self, heaps: &[BigUint]) -> Outcome {
        Outcome::p_if(self.dominance.is_p(heaps))
    }

    /// Winning moves of a sum with heaps of any size, one of each kind: one part small, or two parts about equal. The proof of the
    /// strategy finds its moves among these.
    ///
    /// # Complexity
    /// O(k·(first + period)) sums for each heap, k digits.
    pub fn winning_moves(&self, heaps: &[BigUint]) -> Moves {
        let mut positions = Vec::new();
        let Some(code) = self.rules.code() else { return Moves { positions, complete: false } };
        let near = u64::from(self.dominance.first) + 2 * u64::from(self.dominance.period);
        for (i, heap) in heaps.iter().enumerate() {
            if heaps[..i].contains(heap) {
                continue;
            }
            let mut option = |parts: Vec<BigUint>| {
                let rest = heaps[..i].iter().chain(&heaps[i + 1..]).cloned();
                let mut sum: Vec<BigUint> = rest.chain(parts).collect();
                sum.retain(|h| *h != BigUint::ZERO);
                if self.outcome(&sum).is_p() {
                    sum.sort_unstable();
                    positions.push(sum);
                }
            };
            for taken in 0..=code.last().unwrap_or(0) as u64 {
                let digit = code.digit(taken);
                if *heap < BigUint::from(taken) {
                    break;
                }
                let rest = heap - BigUint::from(taken);
                if digit & 1 != 0 && rest == BigUint::ZERO {
                    option(Vec::new());
                }
                if digit & 2 != 0 && rest != BigUint::ZERO && taken > 0 {
                    option(vec![rest.clone()]);
                }
                if digit & 4 != 0 {
                    let half = &rest / 2u32;
                    let middle = if half > BigUint::from(2 * near) { &half - near } else { BigUint::from(near + 1) };
                    let parts = (1..=near).map(BigUint::from).chain((0..=near).map(|n| &middle + n));
                    for part in parts.filter(|part| *part <= half) {
                        option(vec![part.clone(), &rest - &part]);
                    }
                }
            }
        }
        positions.sort_unstable();
        positions.dedup();
        Moves { positions, complete: false }
    }

    /// The strategy file.
    pub fn envelope(&self) -> Envelope {
        let mut game = self.rules.to_json();
        game["kind"] = json!("heap");
        let d = &self.dominance;
        let certificate = json!({
            "first": d.first,
            "period": d.period,
            "gain": d.gain,
            "values": d.values,
            "weights": d.weights,
            "cap": d.cap,
            "top": d.top,
            "p": d.p,
        });
        Envelope { form: "dominance".into(), play: Play::Misere, game, certificate }
    }

    /// Reads a strategy file; the claim is not checked.
    pub fn from_envelope(file: &Envelope) -> Result<Unchecked<Self>, QuotientError> {
        let bad = |what: &str| QuotientError::File(format!("dominance: {what}"));
        let number = |value: &Value| value.as_u64().and_then(|n| n.to_u32());
        let numbers = |value: &Value| -> Option<Vec<u32>> { value.as_array()?.iter().map(number).collect() };
        let part = |key: &str| number(&file.certificate[key]).filter(|&n| n > 0).ok_or_else(|| bad(key));
        let list = |key: &str| numbers(&file.certificate[key]).ok_or_else(|| bad(key));
        let state = |row: &Value| -> Option<State> { numbers(row)?.try_into().ok() };
        let p = file.certificate["p"].as_array().and_then(|rows| rows.iter().map(state).collect::<Option<Vec<_>>>());
        let mut dominance = Dominance {
            first: part("first")?,
            period: part("period")?,
            gain: part("gain")?,
            values: list("values")?,
            weights: list("weights")?,
            cap: part("cap")?,
            top: part("top")?,
            p: p.ok_or_else(|| bad("p"))?,
        };
        dominance.p.sort_unstable();
        let length = dominance.first.checked_add(dominance.period).map(|n| n as usize);
        if [&dominance.values, &dominance.weights].iter().any(|list| length != Some(list.len())) {
            return Err(bad("values and weights are not those of the heaps below first + period"));
        }
        Ok(Unchecked::new(Self { rules: rules_of(&file.game).map_err(QuotientError::File)?, dominance }))
    }
}
