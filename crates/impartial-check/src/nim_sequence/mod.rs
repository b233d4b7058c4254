//! The form "nim-sequence": a heap game's Grundy values for all heaps, by a period.
//!
//! `docs/strategy-files.md` says what is checked and why it proves the claim.

mod induction;

use serde_json::{Map, Value};

use crate::envelope::File;
use crate::heap::Code;
use crate::meter::Meter;
use crate::{Failure, refuse};

/// More heaps than this are not checked: no honest certificate needs them, and a forged one would waste hours.
const MOST_HEAPS: usize = 1 << 26;

/// The claimed values and how they go on.
pub(crate) struct Claim {
    pub preperiod: usize,
    pub period: usize,
    pub saltus: u64,
    pub values: Vec<u64>,
}

impl Claim {
    /// The claimed values of the heaps below `len`.
    pub fn values(&self, len: usize) -> Vec<u64> {
        let mut values: Vec<u64> = self.values.iter().copied().take(len).collect();
        while values.len() < len {
            values.push(values[values.len() - self.period] + self.saltus);
        }
        values
    }
}

pub(crate) fn check(file: &File, meter: &Meter<'_>) -> Result<String, Failure> {
    if file.misere {
        return refuse("form \"nim-sequence\" is about normal play");
    }
    let (_, claim) = verified(&file.game, &file.certificate, meter)?;
    Ok(format!(
        "in normal play g(n + {}) = g(n) + {} for all n >= {} (least period and preperiod), \
         and g(n) is as listed for n < {}",
        claim.period,
        claim.saltus,
        claim.preperiod,
        claim.values.len()
    ))
}

/// The Grundy values of a game that a certificate proves.
pub(crate) fn verified(
    game: &Map<String, Value>,
    certificate: &Map<String, Value>,
    meter: &Meter<'_>,
) -> Result<(Code, Claim), Failure> {
    let game = Code::read(game)?;
    let theorem = certificate.get("theorem").and_then(Value::as_str).unwrap_or("");
    let allowed: &[&str] = match theorem {
        "guy-smith" => &["theorem", "preperiod", "period", "saltus", "values", "space"],
        "induction" => &["theorem", "preperiod", "period", "saltus", "values", "base", "block"],
        _ => return refuse("\"theorem\" is neither \"guy-smith\" nor \"induction\""),
    };
    if let Some(key) = certificate.keys().find(|key| !allowed.contains(&key.as_str())) {
        return refuse(format!("certificate: unknown key \"{key}\""));
    }
    let claim = claim(certificate)?;
    if theorem == "guy-smith" {
        guy_smith(&game, &claim, space(&game, certificate)?, meter)?;
    } else {
        let (base, block) = (number(certificate, "base")?, number(certificate, "block")?);
        if base.checked_add(block).is_none_or(|heaps| heaps > 1 << 20) || claim.values.len() > 1 << 20 {
            return refuse("\"base\" and \"block\" are too large");
        }
        induction::check(&game, &claim, base, block, meter)?;
    }
    least(&claim)?;
    Ok((game, claim))
}

fn number(map: &Map<String, Value>, key: &str) -> Result<usize, Failure> {
    match map.get(key).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok()) {
        Some(n) if n <= MOST_HEAPS => Ok(n),
        _ => refuse(format!("\"{key}\" is no natural number of bearable size")),
    }
}

fn claim(certificate: &Map<String, Value>) -> Result<Claim, Failure> {
    let (preperiod, period) = (number(certificate, "preperiod")?, number(certificate, "period")?);
    let saltus = number(certificate, "saltus")? as u64;
    let Some(list) = certificate.get("values").and_then(Value::as_array) else {
        return refuse("\"values\" is no list");
    };
    let values: Option<Vec<u64>> = list.iter().map(|v| v.as_u64().filter(|&v| v < 1 << 32)).collect();
    let Some(values) = values else { return refuse("\"values\" has an entry that is no natural number below 2^32") };
    if period == 0 || values.len() != preperiod + period {
        return refuse("\"values\" must hold preperiod + period values, and the period is at least 1");
    }
    Ok(Claim { preperiod, period, saltus, values })
}

/// Theorem 1: a finite code, values that repeat for n < h·(max(n₀, 1) + p) + t.
fn guy_smith(game: &Code, claim: &Claim, space: Space, meter: &Meter<'_>) -> Result<(), Failure> {
    if game.repeat > 0 || claim.saltus != 0 {
        return refuse("theorem \"guy-smith\" is about finite codes and saltus 0");
    }
    let needed = game.most_heaps().max(1) * (claim.preperiod.max(1) + claim.period) + game.digits.len() - 1;
    if needed > MOST_HEAPS {
        return refuse("the period is too long to check");
    }
    right_below(game, &claim.values(needed), needed, space, meter)
}

/// Whether preperiod and period are the least.
fn least(claim: &Claim) -> Result<(), Failure> {
    let values = claim.values(claim.preperiod + 2 * claim.period);
    let n0 = claim.preperiod;
    if n0 > 0 && values[n0 - 1 + claim.period] == values[n0 - 1] + claim.saltus {
        return refuse("\"preperiod\" is not the least one");
    }
    let mut divisors = (1..claim.period).filter(|d| claim.period.is_multiple_of(*d));
    let shorter = divisors.find(|&d| {
        let rise = values[n0 + d].checked_sub(values[n0]);
        rise.is_some_and(|rise| (n0..n0 + claim.period).all(|n| values[n + d] == values[n] + rise))
    });
    match shorter {
        Some(d) => refuse(format!("\"period\" is not the least one: {d} is one too")),
        None => Ok(()),
    }
}

/// A hint that divides heaps into rare and common ones; any such division is right, a good one saves time.
#[derive(Clone, Copy)]
struct Space {
    mask: u64,
    parity: bool,
    odd: bool,
}

impl Space {
    fn common(self, value: u64, n: usize) -> bool {
        ((value & self.mask).count_ones() % 2 == 1) != ((self.parity && n % 2 == 1) != self.odd)
    }
}

/// No hint: every heap is rare.
const NO_SPACE: Space = Space { mask: 0, parity: false, odd: false };

fn space(game: &Code, certificate: &Map<String, Value>) -> Result<Space, Failure> {
    let Some(space) = certificate.get("space") else { return Ok(NO_SPACE) };
    let Some(space) = space.as_object().filter(|map| map.len() == 2) else {
        return refuse("\"space\" needs exactly \"mask\" and \"parity\"");
    };
    let (Some(mask), Some(parity)) = (
        space.get("mask").and_then(Value::as_u64).filter(|&mask| mask < 1 << 32),
        space.get("parity").and_then(Value::as_bool),
    ) else {
        return refuse("\"space\": \"mask\" is a number below 2^32 and \"parity\" is true or false");
    };
    let splits: Vec<usize> = (0..game.digits.len()).filter(|&k| game.digits[k] & 4 != 0).collect();
    let odd = parity && splits.iter().any(|k| k % 2 == 1);
    if game.most_heaps() > 2 || (odd && splits.iter().any(|k| k % 2 == 0)) {
        return refuse("\"space\" does not fit this game");
    }
    Ok(Space { mask, parity, odd })
}

/// Checks g(n) = mex for every heap n < `len`, from the claimed values of smaller heaps.
fn right_below(game: &Code, values: &[u64], len: usize, space: Space, meter: &Meter<'_>) -> Result<(), Failure> {
    let largest = values[..len].iter().copied().max().unwrap_or(0);
    // Sums of claimed values have no more bits than the largest one.
    let room = (usize::try_from(largest).unwrap_or(usize::MAX)).checked_add(1).map(usize::next_power_of_two);
    let Some(room) = room.filter(|&room| room <= 16 * len.max(64)) else {
        // g(n) is at most the number of options, and these sums are bounded by the heaps: far too large a value.
        return refuse("\"values\" has a value that no heap of this game can have");
    };
    let _held = meter.hold((len as u64).saturating_mul(8) + room as u64)?;
    let mut reached = vec![false; room];
    let mut rare: Vec<usize> = Vec::new();
    let listed = game.listed();
    // Splits into three heaps are all looked at, and without a hint those into two are: with n³/3 of them below n when the
    // digits repeat, a hopeless number is known beforehand.
    let last = len.saturating_sub(1);
    let cost: u64 = game.taken(&listed, last).map(|k| splits(game, space, k, last - k)).fold(0, u64::saturating_add);
    meter.foresee(cost.saturating_mul(len as u64 / 4))?;
    for n in 0..len {
        meter.steps(room)?;
        reached.fill(false);
        let value = index(values[n]);
        let common = space.common(values[n], n);
        for k in game.taken(&listed, n) {
            let digit = game.digit(k);
            let rest = n - k;
            meter.work(splits(game, space, k, rest))?;
            if digit & 1 != 0 && rest == 0 && n > 0 {
                reached[0] = true;
            }
            if digit & 2 != 0 && rest > 0 {
                reached[index(values[rest])] = true;
            }
            if digit & 4 != 0 {
                for &r in rare.iter().take_while(|&&r| r < rest) {
                    reached[index(values[r] ^ values[rest - r])] = true;
                }
            }
            if digit & 8 != 0 {
                for a in 1..=rest / 3 {
                    for b in a..=(rest - a) / 2 {
                        reached[index(values[a] ^ values[b] ^ values[rest - a - b])] = true;
                    }
                }
            }
        }
        let mut missing = reached[..value].iter().filter(|&&hit| !hit).count();
        // What two rare or two common parts give is of rare type; it is searched only as far as needed.
        if missing > 0 || !common {
            'search: for k in game.taken(&listed, n) {
                if game.digit(k) & 4 == 0 {
                    continue;
                }
                let rest = n - k;
                meter.steps(rest / 2)?;
                for a in 1..=rest / 2 {
                    let hit = &mut reached[index(values[a] ^ values[rest - a])];
                    if !*hit {
                        *hit = true;
                        if values[a] ^ values[rest - a] < values[n] {
                            missing -= 1;
                            if missing == 0 && common {
                                break 'search;
                            }
                        }
                    }
                }
            }
        }
        if reached[value] {
            return refuse(format!("heap {n}: an option has the claimed value {value}"));
        }
        if missing > 0 {
            let least = reached.iter().position(|&hit| !hit).unwrap_or(value);
            return refuse(format!("heap {n}: no option has value {least}, below the claimed value {value}"));
        }
        if n > 0 && !common {
            rare.push(n);
        }
    }
    Ok(())
}

/// How many splits of what k beans leave are looked at, at least.
fn splits(game: &Code, space: Space, k: usize, rest: usize) -> u64 {
    let (digit, rest) = (game.digit(k), rest as u64);
    let threes = if digit & 8 != 0 { rest.saturating_mul(rest) / 12 } else { 0 };
    let twos = if digit & 4 != 0 && space.mask == 0 && !space.parity { rest / 2 } else { 0 };
    threes + twos + 1
}

fn index(value: u64) -> usize {
    usize::try_from(value).expect("values are below 2^32")
}
