//! Heap positions as text: `3+5+7`.

use num_bigint::BigUint;
use semilinear::integer::from_decimal;
use thiserror::Error;

/// Why a text is no heap position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HeapsError {
    /// A part between two `+` is no number.
    #[error(
        "position \"{position}\": \"{part}\" is no heap size; write sizes joined by +, such as 3+5+7, or 0 for no heap \
         (also 3 5 7, 3,5,7, [3,5,7], *3+*5, 5^3 for three heaps of 5, and 1..4 for 1+2+3+4)"
    )]
    NoNumber {
        /// The whole text.
        position: String,
        /// The bad part.
        part: String,
    },
    /// Too many heaps or digits.
    #[error("position \"{0}…\" is longer than a million characters; give fewer or smaller heaps")]
    Long(String),
}

/// No more heaps than this are written as a power.
const MOST_COPIES: usize = 1_000_000;
/// Longer texts are refused before they are read.
const LONGEST: usize = 20_000_000;

/// The heap sizes of a position, in the order written, empty heaps left out: sizes joined by `+`, or else by commas or blanks,
/// with or without brackets around them. A star before a size (the nimber `*3`) is passed over; `5^3` is three heaps of 5,
/// `1..4` the heaps from 1 to 4.
///
/// ```
/// use impartial::heap::{heaps_from_text, heaps_to_text};
/// for text in ["7+0+3+5", "7 3 5", "3,5,7", "[3,5,7]", "(3, 5, 7)", "*3+*5+*7"] {
///     assert_eq!(heaps_to_text(&heaps_from_text(text).unwrap()), "3+5+7");
/// }
/// assert_eq!(heaps_to_text(&heaps_from_text("5^3+1").unwrap()), "1+5+5+5");
/// assert_eq!(heaps_to_text(&heaps_from_text("1..4").unwrap()), "1+2+3+4");
/// assert_eq!(heaps_to_text::<u64>(&[]), "0");
/// ```
pub fn heaps_from_text(text: &str) -> Result<Vec<BigUint>, HeapsError> {
    if text.len() > LONGEST {
        return Err(HeapsError::Long(text.chars().take(40).collect()));
    }
    let inner = text.trim();
    let bracketed = |open: char, close: char| inner.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    let inner = bracketed('[', ']').or_else(|| bracketed('(', ')')).unwrap_or(inner);
    let parts: Vec<&str> = if inner.contains('+') {
        inner.split('+').collect()
    } else if inner.contains(',') {
        inner.split(',').collect()
    } else if inner.trim().is_empty() {
        vec![inner]
    } else {
        inner.split_whitespace().collect()
    };
    let mut heaps = Vec::new();
    for part in parts {
        let bad = || HeapsError::NoNumber { position: text.into(), part: part.into() };
        let written = part.trim();
        if let Some((first, last)) = written.split_once("..") {
            let end = |text: &str| from_decimal(text.trim()).and_then(|n| u64::try_from(n).ok()).ok_or_else(bad);
            let (first, last) = (end(first)?, end(last)?);
            if first > last {
                return Err(bad());
            }
            if last - first >= (MOST_COPIES - heaps.len()) as u64 {
                return Err(HeapsError::Long(text.chars().take(40).collect()));
            }
            heaps.extend((first.max(1)..=last).map(BigUint::from));
            continue;
        }
        let (size, copies) = written.split_once('^').unwrap_or((written, "1"));
        let heap = from_decimal(size.strip_prefix('*').unwrap_or(size)).ok_or_else(bad)?;
        let copies =
            from_decimal(copies).and_then(|n| usize::try_from(n).ok()).filter(|&n| n <= MOST_COPIES).ok_or_else(bad)?;
        if heaps.len() + copies > MOST_COPIES {
            return Err(HeapsError::Long(text.chars().take(40).collect()));
        }
        if heap != BigUint::ZERO {
            heaps.extend(std::iter::repeat_n(heap, copies));
        }
    }
    Ok(heaps)
}

/// A position as text: sizes sorted and joined by `+`, `0` for no heap.
pub fn heaps_to_text<T: Ord + ToString>(heaps: &[T]) -> String {
    let mut sorted: Vec<&T> = heaps.iter().collect();
    sorted.sort();
    let sizes: Vec<String> = sorted.into_iter().map(ToString::to_string).filter(|size| size != "0").collect();
    if sizes.is_empty() { "0".into() } else { sizes.join("+") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_positions_name_the_part() {
        for (text, part) in [("3+x", "\"x\""), ("", "\"\""), ("3++4", "\"\""), ("-1", "\"-1\""), ("3+ 4 5", "\" 4 5\"")]
        {
            let message = heaps_from_text(text).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
        assert!(heaps_from_text(&"1+".repeat(1_000_000)).is_err());
    }

    #[test]
    fn heaps_of_any_size() {
        let text = "1000000000000000000000000000000+3+1000000000000000000000000000000";
        assert_eq!(heaps_to_text(&heaps_from_text(text).unwrap()), text.replacen("+3", "", 1).replacen('1', "3+1", 1));
    }
}
