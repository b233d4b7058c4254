//! The mex law with a hint that divides heaps into rare and common ones: any such division is right, a good one saves time.
//!
//! A split of n − k into a + b gives heap n a value of common type exactly when one of a and b is rare and the other is not
//! (`docs/strategy-files.md`, form "nim-sequence").

use crate::format::Space;
use crate::heap::Code;
use crate::meter::Meter;
use crate::mex::{index, marks};
use crate::{Checked, refuse};

/// A search counts its steps for so many splits of each digit at once.
const STRETCH: usize = 64;

/// [`crate::mex::right_below`] for codes that leave at most two heaps.
pub(crate) fn right_below(game: &Code, values: &[u64], space: &Space, meter: &Meter<'_>) -> Checked {
    meter.extension("rare heaps");
    let listed: Vec<usize> = (0..game.digits.len()).filter(|&k| game.digits[k] != 0).collect();
    let splits: Vec<usize> = listed.iter().copied().filter(|&k| game.digits[k] & 4 != 0).collect();
    let odd = space.parity && splits.iter().any(|k| k % 2 == 1);
    if game.most_heaps() > 2 || game.repeat > 0 || space.mask >= 1 << 32 || (odd && splits.iter().any(|k| k % 2 == 0)) {
        return refuse("\"space\" does not fit this game");
    }
    let is_common =
        |value: u64, n: usize| ((value & space.mask).count_ones() % 2 == 1) != ((space.parity && n % 2 == 1) != odd);
    let mut reached = marks(values)?;
    let _held = meter.hold((values.len() as u64).saturating_mul(8) + reached.len() as u64)?;
    let mut rare: Vec<usize> = Vec::new();
    for (n, &claimed) in values.iter().enumerate() {
        meter.steps(reached.len())?;
        reached.fill(false);
        let common = is_common(claimed, n);
        for &k in listed.iter().take_while(|&&k| k <= n) {
            let (digit, rest) = (game.digits[k], n - k);
            if digit & 1 != 0 && rest == 0 && n > 0 {
                reached[0] = true;
            }
            if digit & 2 != 0 && rest > 0 {
                reached[index(values[rest])] = true;
            }
            if digit & 4 != 0 {
                meter.steps(rare.len().min(rest) + 1)?;
                for &r in rare.iter().take_while(|&&r| r < rest) {
                    reached[index(values[r] ^ values[rest - r])] = true;
                }
            }
        }
        let mut missing = reached[..index(claimed)].iter().filter(|&&hit| !hit).count();
        // What two rare or two common parts give is of rare type; it is searched only as far as needed.
        if missing > 0 || !common {
            'search: for from in (1..=n / 2).step_by(STRETCH) {
                for rest in splits.iter().take_while(|&&k| k + 2 * from <= n).map(|k| n - k) {
                    let to = (from + STRETCH).min(rest / 2 + 1);
                    meter.steps(to - from)?;
                    for a in from..to {
                        let value = values[a] ^ values[rest - a];
                        if !std::mem::replace(&mut reached[index(value)], true) && value < claimed {
                            missing -= 1;
                            if missing == 0 && common {
                                break 'search;
                            }
                        }
                    }
                }
            }
        }
        refuse_if!(reached[index(claimed)], "heap {n}: an option has the claimed value {claimed}");
        if missing > 0 {
            let least = reached.iter().position(|&hit| !hit).unwrap_or(0);
            return refuse(format!("heap {n}: no option has value {least}, below the claimed value {claimed}"));
        }
        if n > 0 && !common {
            rare.push(n);
        }
    }
    Ok(())
}
