//! Heap positions as text: `3+5+7`.

use num_bigint::BigUint;
use thiserror::Error;

/// Why a text is no heap position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HeapsError {
    /// A part between two `+` is no number.
    #[error(
        "position \"{position}\": \"{part}\" is no heap size; write sizes joined by +, such as 3+5+7, or 0 for no heap"
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

/// The heap sizes of a position, in the order written, empty heaps left out.
///
/// ```
/// use impartial::heap::{heaps_from_text, heaps_to_text};
/// let heaps = heaps_from_text("7+0+3+5").unwrap();
/// assert_eq!(heaps_to_text(&heaps), "3+5+7");
/// assert_eq!(heaps_to_text::<u64>(&[]), "0");
/// ```
pub fn heaps_from_text(text: &str) -> Result<Vec<BigUint>, HeapsError> {
    if text.len() > 1_000_000 {
        return Err(HeapsError::Long(text.chars().take(40).collect()));
    }
    let mut heaps = Vec::new();
    for part in text.split('+') {
        let digits = part.trim();
        let number = digits.bytes().all(|b| b.is_ascii_digit()).then(|| BigUint::parse_bytes(digits.as_bytes(), 10));
        match number.flatten() {
            Some(heap) if heap == BigUint::ZERO => {}
            Some(heap) => heaps.push(heap),
            None => return Err(HeapsError::NoNumber { position: text.into(), part: part.into() }),
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
