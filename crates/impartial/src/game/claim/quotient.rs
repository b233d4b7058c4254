//! Claimed misère quotients.

use serde::Deserialize;

use super::refused;
use crate::error::{Error, Result};
use crate::game::Ask;
use crate::game::form::Body;
use crate::game::strategy::Strategy;
use crate::solve::presentation::Rewriting;
use crate::solve::quotient::Word;

#[derive(Clone, Debug)]
pub(super) struct ClaimedQuotient {
    pub(super) generators: Vec<String>,
    pub(super) relations: Vec<String>,
    pub(super) p_portion: Option<Portion>,
    pub(super) p: Option<Vec<String>>,
    pub(super) pretending: Vec<(usize, String)>,
    pub(super) period: Option<(u64, u64)>,
}

/// The P-portion: how many elements it has, or which.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Portion {
    Size(usize),
    Words(Vec<String>),
}

impl ClaimedQuotient {
    /// Whether the presented monoid is the quotient that was found, with the values and the P-portion that are claimed. With all
    /// relations true in the quotient, both are the same as soon as they have the same order.
    pub(super) fn holds(&self, strategy: &Strategy, ask: &Ask) -> Result<()> {
        let claimed = self;
        let Some(found) = strategy.proved(|body| if let Body::Quotient(form) = body { Some(form) } else { None })
        else {
            let reason = "the quotient of these heaps is no finite monoid that was found; claims are about finite ones";
            return Err(Error::input(reason));
        };
        let quotient = found.quotient();
        let monoid = quotient.monoid();
        // Each generator is the value of a heap that is claimed to have it.
        let mut images = Vec::new();
        for name in &claimed.generators {
            let heap = claimed.pretending.iter().find(|(_, word)| word == name).map(|(heap, _)| *heap);
            let image = heap.and_then(|heap| Some((heap, *quotient.values().get(heap)?)));
            images.push(image);
        }
        // The value of a word, when all its generators are values of heaps, and the heaps that it stands for.
        let value = |word: &[u32]| -> Option<u32> {
            word.iter().zip(&images).filter(|(n, _)| **n > 0).try_fold(0, |x, (&n, image)| {
                let (_, value) = (*image)?;
                Some(monoid.product(x, quotient.power(value, n.into())))
            })
        };
        let heaps = |word: &[u32]| -> Word {
            let heap = |image: &Option<(usize, u32)>| image.and_then(|(heap, _)| u32::try_from(heap).ok()).unwrap_or(0);
            word.iter().zip(&images).map(|(&n, image)| (heap(image), n)).collect()
        };
        // Two sums that are claimed to be alike, and are not: one of them with the sum beside it that tells them apart.
        let apart = |(x, left): (u32, Word), (y, right): (u32, Word), what: String| {
            let beside = quotient.distinguishing(x, y).map_or_else(Word::new, |z| monoid.word(z));
            let with = |heaps: &Word| heap_sum(&[heaps.as_slice(), &beside].concat());
            refused(with(&left), format!("{what}: this sum and {} have different outcomes", with(&right)))
        };
        for (heap, text) in &claimed.pretending {
            let Some(&right) = quotient.values().get(*heap) else { continue };
            let claim = word(text, &claimed.generators)?;
            let Some(x) = value(&claim).filter(|&x| x != right) else { continue };
            let what = format!("heap {heap} is claimed to have the value {text}");
            return Err(apart((right, vec![(u32::try_from(*heap).unwrap_or(0), 1)]), (x, heaps(&claim)), what));
        }
        if let Some((name, _)) = claimed.generators.iter().zip(&images).find(|(_, image)| image.is_none()) {
            return Err(Error::Input(format!("pretending: no heap has the value {name}")));
        }
        let read = |text: &str| -> Result<(u32, Vec<u32>)> {
            let word = word(text, &claimed.generators)?;
            Ok((value(&word).expect("all generators are values of heaps"), word))
        };
        let mut rewriting = Rewriting::new(claimed.generators.len());
        for relation in &claimed.relations {
            let sides = relation
                .split_once('=')
                .ok_or_else(|| Error::Input(format!("relations: \"{relation}\" is no relation; write b^4=b^2")))?;
            let ((x, left), (y, right)) = (read(sides.0)?, read(sides.1)?);
            if x != y {
                let what = format!("the relation {relation} does not hold");
                return Err(apart((x, heaps(&left)), (y, heaps(&right)), what));
            }
            rewriting.add(&left, &right, ask.monitor)?;
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
        let portion: Vec<u32> = (0..).take(quotient.order()).filter(|&x| quotient.p().has(x as usize)).collect();
        let listed = match &claimed.p_portion {
            Some(Portion::Size(size)) if *size != portion.len() => {
                let reason = format!("the P-portion has {} elements", portion.len());
                return Err(Error::Refused { reason, position: None });
            }
            Some(Portion::Words(words)) => Some(words),
            _ => None,
        };
        for words in [listed, claimed.p.as_ref()].into_iter().flatten() {
            let mut seen = Vec::new();
            for text in words {
                let (x, word) = read(text)?;
                if !portion.contains(&x) {
                    return Err(refused(
                        heap_sum(&heaps(&word)),
                        format!("{text} is claimed to be in the P-portion, and is N"),
                    ));
                }
                seen.push(x);
            }
            if let Some(&x) = portion.iter().find(|x| !seen.contains(x)) {
                return Err(refused(
                    heap_sum(&monoid.word(x)),
                    "it is P, and not in the P-portion that is claimed".to_owned(),
                ));
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

/// A sum of heaps, given with their numbers, as a position is written.
fn heap_sum(word: &[(u32, u32)]) -> String {
    let mut heaps: Word = word.iter().copied().filter(|&(heap, n)| heap > 0 && n > 0).collect();
    heaps.sort_unstable();
    let texts: Vec<String> =
        heaps.iter().flat_map(|&(heap, n)| std::iter::repeat_n(heap.to_string(), n as usize)).collect();
    if texts.is_empty() { "0".to_owned() } else { texts.join("+") }
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
