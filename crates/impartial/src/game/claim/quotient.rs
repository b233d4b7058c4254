//! Claimed misère quotients.

use super::refused;
use crate::error::{Error, Result};
use crate::game::Ask;
use crate::game::form::Body;
use crate::game::strategy::Strategy;
use crate::solve::presentation::Rewriting;

#[derive(Clone, Debug)]
pub(super) struct ClaimedQuotient {
    pub(super) generators: Vec<String>,
    pub(super) relations: Vec<String>,
    pub(super) p_portion: Option<usize>,
    pub(super) p: Option<Vec<String>>,
    pub(super) pretending: Vec<(usize, String)>,
    pub(super) period: Option<(u64, u64)>,
}

impl ClaimedQuotient {
    /// Whether the presented monoid is the quotient that was found, with the values and the P-portion that are claimed. With all
    /// relations true in the quotient, both are the same as soon as they have the same order.
    pub(super) fn holds(&self, strategy: &Strategy, ask: &Ask) -> Result<()> {
        let claimed = self;
        let found =
            strategy.proved(|body| if let Body::Quotient(form) = body { Some(form) } else { None }).ok_or_else(
                || refused("0", "the quotient is infinite, or no finite one was found for these heaps".to_owned()),
            )?;
        let quotient = found.quotient();
        let monoid = quotient.monoid();
        // Each generator is the value of a heap that is claimed to have it.
        let mut images = Vec::new();
        for name in &claimed.generators {
            let heap = claimed.pretending.iter().find(|(_, word)| word == name).map(|(heap, _)| *heap);
            let heap = heap.ok_or_else(|| Error::Input(format!("pretending: no heap has the value {name}")))?;
            let value = quotient.values().get(heap).copied();
            images.push(
                value.ok_or_else(|| Error::Input(format!("pretending: heap {heap} is beyond the quotient found")))?,
            );
        }
        let value = |word: &[u32]| {
            word.iter().zip(&images).fold(0, |x, (&n, &image)| monoid.product(x, quotient.power(image, n.into())))
        };
        let mut rewriting = Rewriting::new(claimed.generators.len());
        for relation in &claimed.relations {
            let sides = relation
                .split_once('=')
                .ok_or_else(|| Error::Input(format!("relations: \"{relation}\" is no relation; write b^4=b^2")))?;
            let (left, right) = (word(sides.0, &claimed.generators)?, word(sides.1, &claimed.generators)?);
            if value(&left) != value(&right) {
                return Err(refused(
                    relation.clone(),
                    format!("the relation {relation} does not hold in the quotient"),
                ));
            }
            rewriting.add(&left, &right, ask.monitor)?;
        }
        for (heap, text) in &claimed.pretending {
            let Some(&right) = quotient.values().get(*heap) else { continue };
            if value(&word(text, &claimed.generators)?) != right {
                return Err(refused(
                    heap.to_string(),
                    format!("heap {heap} is claimed to have the value {text}, and some sum tells them apart"),
                ));
            }
        }
        let reason = match rewriting.cones_within(quotient.order()) {
            Some(cones) if cones.iter().any(|cone| !cone.free.is_empty()) => Some("infinitely many".to_owned()),
            Some(cones) => Some(cones.len().to_string()).filter(|_| cones.len() != quotient.order()),
            None => Some("more".to_owned()),
        };
        if let Some(many) = reason {
            let reason = format!("the relations give {many} elements, and the quotient has {}", quotient.order());
            return Err(Error::Refused { reason, position: None });
        }
        let portion = (0..quotient.order()).filter(|&x| quotient.p().has(x)).count();
        if claimed.p_portion.is_some_and(|size| size != portion) {
            let reason = format!("the P-portion has {portion} elements");
            return Err(Error::Refused { reason, position: None });
        }
        for text in claimed.p.iter().flatten() {
            if !quotient.p().has(value(&word(text, &claimed.generators)?) as usize) {
                return Err(refused(text.clone(), format!("{text} is not in the P-portion")));
            }
        }
        if let (Some((preperiod, period)), true_period) = (claimed.period, found.period()) {
            let Some(true_period) = true_period else {
                return Err(Error::input("the quotient was not proved for all heaps; leave the period out"));
            };
            let reach = u64::try_from(quotient.heaps()).unwrap_or(u64::MAX);
            let folded = |h: u64| -> Option<u32> {
                let h = if h <= reach {
                    h
                } else {
                    let (pre, per) = (true_period.preperiod as u64, true_period.period as u64);
                    pre + (h - pre) % per
                };
                quotient.values().get(usize::try_from(h).ok()?).copied()
            };
            let end = preperiod.max(true_period.preperiod as u64).saturating_add(true_period.period as u64);
            for h in preperiod..end {
                ask.monitor.check(0, None)?;
                if folded(h) != folded(h.saturating_add(period)) {
                    return Err(refused(
                        h.to_string(),
                        format!("heaps {h} and {} have different values", h.saturating_add(period)),
                    ));
                }
            }
        }
        Ok(())
    }
}

/// A word over the generators: `a*b^2`, also `ab2`, `1`.
fn word(text: &str, generators: &[String]) -> Result<Vec<u32>> {
    let mut exponents = vec![0_u32; generators.len()];
    let mut rest = text.trim();
    let bad = || Error::Input(format!("\"{text}\" is no word over {}; write a*b^2, or 1", generators.join(", ")));
    if rest == "1" {
        return Ok(exponents);
    }
    while !rest.is_empty() {
        let found =
            generators.iter().enumerate().filter(|(_, name)| !name.is_empty() && rest.starts_with(name.as_str()));
        let (i, name) = found.max_by_key(|(_, name)| name.len()).ok_or_else(bad)?;
        rest = rest[name.len()..].trim_start_matches('^');
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let exponent = if digits == 0 { 1 } else { rest[..digits].parse::<u32>().map_err(|_| bad())? };
        exponents[i] = exponents[i].checked_add(exponent).filter(|&e| e <= 1 << 20).ok_or_else(bad)?;
        rest = rest[digits..].trim_start_matches(['*', ' ', '·']);
    }
    Ok(exponents)
}
