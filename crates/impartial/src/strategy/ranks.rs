//! Form `"ranks"`: misère play of all heaps when sizes are compared.

use num_bigint::BigUint;
use num_traits::{ToPrimitive as _, Zero as _};
use serde_json::{Value, json};

use super::quotient::rules_of;
use super::{Envelope, Moves, QuotientError, Unchecked};
use crate::heap::HeapRules;
use crate::outcome::{Outcome, Play};
use crate::solve::quotient::Ranks;

/// Periods and the like are not larger than this in files.
const MOST: u32 = 1024;

/// Misère play of a take-and-break code for heaps of every size, by an automaton that reads a sum from its largest heaps down.
///
/// ```
/// use impartial::prelude::*;
/// let game: Game = "0.54".parse()?;
/// let strategy = game.solve(&Ask::new().play(Play::Misere))?;
/// assert_eq!(strategy.form(), Form::Ranks);
/// let far = game.position("7000000000000000000000+7000000000000000000000")?;
/// assert_eq!(strategy.outcome(&far, &Ask::new())?.outcome, Outcome::P);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RanksStrategy {
    rules: HeapRules,
    ranks: Ranks,
}

impl RanksStrategy {
    /// What a search guesses; the checker must confirm it.
    pub(crate) fn guessed(rules: HeapRules, ranks: Ranks) -> Unchecked<Self> {
        Unchecked::new(Self { rules, ranks })
    }

    /// The rules of the game.
    pub fn rules(&self) -> &HeapRules {
        &self.rules
    }

    /// Letters and automaton.
    pub fn ranks(&self) -> &Ranks {
        &self.ranks
    }

    /// The outcome of a sum of heaps.
    pub fn outcome(&self, heaps: &[BigUint]) -> Outcome {
        Outcome::p_if(self.ranks.is_p(heaps))
    }

    /// Winning moves of a sum with heaps of any size: one part small, about as large as another heap, or about half of what is left. The
    /// proof of the strategy finds its moves among these, unless a part has to lie far from all other heaps.
    ///
    /// # Complexity
    /// O(k·n·p·r) sums for each of n heaps, k digits, period p and r the ranks after which states repeat.
    pub fn winning_moves(&self, heaps: &[BigUint]) -> Moves {
        let mut positions = Vec::new();
        let Some(code) = self.rules.code() else { return Moves { positions, complete: false } };
        let (first, period, near) = (self.ranks.first, self.ranks.period, self.ranks.near);
        let around = BigUint::from(period) * (self.ranks.reach() + 1);
        let small = &around + first + period * near;
        for (i, heap) in heaps.iter().enumerate() {
            if heaps[..i].contains(heap) {
                continue;
            }
            let others = || heaps[..i].iter().chain(&heaps[i + 1..]);
            let mut option = |parts: Vec<BigUint>| {
                let mut sum: Vec<BigUint> = others().cloned().chain(parts).filter(|h| !h.is_zero()).collect();
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
                if digit & 1 != 0 && rest.is_zero() {
                    option(Vec::new());
                }
                if digit & 2 != 0 && !rest.is_zero() && taken > 0 {
                    option(vec![rest.clone()]);
                }
                if digit & 4 != 0 {
                    let half = &rest / 2u32;
                    let mut parts: Vec<BigUint> = count(&BigUint::from(1u32), &small);
                    for middle in others().chain([&half]) {
                        let from = if *middle > around { middle - &around } else { BigUint::from(1u32) };
                        parts.extend(count(&from, &(middle + &around)));
                    }
                    parts.retain(|part| *part < rest);
                    parts.sort_unstable();
                    parts.dedup();
                    for part in parts {
                        let other = &rest - &part;
                        option(vec![part, other]);
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
        let Ranks { first, period, near, letters, next, accepting } = &self.ranks;
        Envelope {
            form: "ranks".into(),
            play: Play::Misere,
            game,
            certificate: json!({
                "first": first,
                "period": period,
                "near": near,
                "letters": letters,
                "next": next,
                "accepting": accepting,
            }),
        }
    }

    /// Reads a strategy file; the claim is not checked.
    pub fn from_envelope(file: &Envelope) -> Result<Unchecked<Self>, QuotientError> {
        let bad = |what: &str| QuotientError::File(format!("ranks: {what}"));
        let number = |value: &Value| value.as_u64().and_then(|n| n.to_u32());
        let numbers = |value: &Value| -> Option<Vec<u32>> { value.as_array()?.iter().map(number).collect() };
        let part =
            |key: &str| number(&file.certificate[key]).filter(|n| (1..=MOST).contains(n)).ok_or_else(|| bad(key));
        let list = |key: &str| numbers(&file.certificate[key]).ok_or_else(|| bad(key));
        let rows = file.certificate["next"].as_array().and_then(|rows| rows.iter().map(numbers).collect());
        let mut ranks = Ranks {
            first: part("first")?,
            period: part("period")?,
            near: part("near")?,
            letters: list("letters")?,
            next: rows.ok_or_else(|| bad("next"))?,
            accepting: list("accepting")?,
        };
        ranks.accepting.sort_unstable();
        let (states, width) = (ranks.next.len(), ranks.next.first().map_or(0, Vec::len));
        let length = ranks.first.checked_add(ranks.period).map(|n| n as usize);
        if length != Some(ranks.letters.len()) || ranks.letters.iter().any(|&letter| letter as usize >= width) {
            return Err(bad("letters are not those of the heaps below first + period"));
        }
        if ranks.next.iter().any(|row| row.len() != width || row.iter().any(|&state| state as usize >= states)) {
            return Err(bad("next has not one state for each state and letter"));
        }
        Ok(Unchecked::new(Self { rules: rules_of(&file.game).map_err(QuotientError::File)?, ranks }))
    }
}

/// The numbers from one to another.
fn count(from: &BigUint, to: &BigUint) -> Vec<BigUint> {
    let all = std::iter::successors(Some(from.clone()), |n| Some(n + 1u32));
    all.take_while(|n| n <= to).collect()
}
