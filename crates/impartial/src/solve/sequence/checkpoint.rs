//! A sequence as bytes, to go on with it later.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use super::{Passing, State};
use crate::heap::HeapRules;

/// The first line of every checkpoint.
const TITLE: &str = "impartial checkpoint 1\n";
/// The length of the checksum at its end.
const CHECKSUM: usize = 32;

/// Why bytes are no checkpoint of a game. Nothing is lost by any of these: the file stays as it is.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CheckpointError {
    /// Something else.
    #[error("this is no checkpoint of impartial; give the path of a new file or of a checkpoint")]
    Foreign,
    /// Written by another version.
    #[error(
        "this checkpoint was written by another version of impartial; go on with that version or choose a new file"
    )]
    Version,
    /// The end is missing or bytes changed.
    #[error("this checkpoint is damaged or cut off (its checksum does not fit); remove it, or choose a new file")]
    Damaged,
    /// It holds the values of another game.
    #[error("this checkpoint belongs to another game ({0}); choose a new file")]
    OtherGame(String),
}

/// What tells games apart: the code where there is one, so that equal codes are equal games.
fn identity(rules: &HeapRules) -> Value {
    match rules.code() {
        Some(code) => json!({"code": code.to_string()}),
        None => rules.to_json(),
    }
}

/// The bytes of a checkpoint: a title line, one line of JSON (`game`, `heaps`: how many values, `width`: bytes of
/// each), the values with the lowest byte first, and the SHA-256 of all that.
///
/// ```
/// use impartial::solve::sequence::{CheckpointError, checkpoint, restore};
/// let kayles = "0.77".parse().unwrap();
/// let bytes = checkpoint(&kayles, &[0, 1, 2, 3]);
/// assert_eq!(restore(&kayles, &bytes).unwrap(), [0, 1, 2, 3]);
/// assert!(matches!(restore(&"0.07".parse().unwrap(), &bytes), Err(CheckpointError::OtherGame(_))));
/// assert_eq!(restore(&kayles, &bytes[..bytes.len() - 1]), Err(CheckpointError::Damaged));
/// ```
pub fn checkpoint(rules: &HeapRules, values: &[u32]) -> Vec<u8> {
    let largest = values.iter().copied().max().unwrap_or(0);
    let width = if largest < 1 << 8 {
        1
    } else if largest < 1 << 16 {
        2
    } else {
        4
    };
    let header = json!({"game": identity(rules), "heaps": values.len(), "width": width});
    sealed(&header, values.iter().flat_map(|value| value.to_le_bytes().into_iter().take(width)))
}

/// Title, header, data and checksum.
fn sealed(header: &Value, data: impl Iterator<Item = u8>) -> Vec<u8> {
    let mut bytes = format!("{TITLE}{header}\n").into_bytes();
    bytes.extend(data);
    let checksum = Sha256::digest(&bytes);
    bytes.extend_from_slice(&checksum);
    bytes
}

/// The bytes of a checkpoint of values that pass: as those of [`checkpoint`], but the header has `states`, the heaps before which the states are, `reach`, how many
/// values each of them has, and `values`, which values were seen; the values of the states follow, one byte each.
pub fn passing_checkpoint(rules: &HeapRules, passing: &Passing) -> Vec<u8> {
    let heaps: Vec<u64> = passing.states.iter().map(|state| state.heap).collect();
    let seen = passing.values.to_string();
    let header = json!({"game": identity(rules), "reach": passing.reach, "values": seen, "states": heaps});
    sealed(&header, passing.states.iter().flat_map(|state| state.values.iter().copied()))
}

/// What a checkpoint of this game says of values that pass; `None` when it holds the values themselves.
pub fn restore_passing(rules: &HeapRules, bytes: &[u8]) -> Result<Option<Passing>, CheckpointError> {
    let (header, data) = opened(rules, bytes)?;
    if header.get("states").is_none() {
        return Ok(None);
    }
    let read = || {
        let reach = usize::try_from(header["reach"].as_u64()?).ok().filter(|&reach| reach > 0)?;
        let heaps: Vec<u64> = serde_json::from_value(header["states"].clone()).ok()?;
        // Far from where numbers of heaps would overflow.
        let right = heaps.is_sorted() && heaps.iter().all(|heap| (reach as u64 * 2..1 << 60).contains(heap));
        let values = header["values"].as_str()?.parse().ok()?;
        let rows = data.chunks_exact(reach);
        let fits = right && rows.remainder().is_empty() && rows.len() == heaps.len() && data.iter().all(|&v| v < 128);
        let state = |(row, heap): (&[u8], u64)| State { heap, values: row.to_vec() };
        fits.then(|| Passing { reach, values, states: rows.zip(heaps).map(state).collect() })
    };
    read().map(Some).ok_or(CheckpointError::Damaged)
}

/// The header and the data, the checksum being right and the game this one.
fn opened<'a>(rules: &HeapRules, bytes: &'a [u8]) -> Result<(Value, &'a [u8]), CheckpointError> {
    let Some(rest) = bytes.strip_prefix(TITLE.as_bytes()) else {
        let kin = bytes.starts_with(&TITLE.as_bytes()[..21]);
        return Err(match bytes {
            _ if kin => CheckpointError::Version,
            // What a crash in the middle of writing leaves is the beginning of a checkpoint.
            _ if !bytes.is_empty() && TITLE.as_bytes().starts_with(bytes) => CheckpointError::Damaged,
            _ => CheckpointError::Foreign,
        });
    };
    let body_end = bytes.len().checked_sub(CHECKSUM).ok_or(CheckpointError::Damaged)?;
    if Sha256::digest(&bytes[..body_end]).as_slice() != &bytes[body_end..] {
        return Err(CheckpointError::Damaged);
    }
    let line = rest.iter().position(|&b| b == b'\n').ok_or(CheckpointError::Damaged)?;
    let header: Value = serde_json::from_slice(&rest[..line]).map_err(|_| CheckpointError::Damaged)?;
    if header["game"] != identity(rules) {
        return Err(CheckpointError::OtherGame(header["game"].to_string()));
    }
    let data = bytes.get(TITLE.len() + line + 1..body_end).ok_or(CheckpointError::Damaged)?;
    Ok((header, data))
}

/// The values in the bytes of a checkpoint of this game.
pub fn restore(rules: &HeapRules, bytes: &[u8]) -> Result<Vec<u32>, CheckpointError> {
    let (header, data) = opened(rules, bytes)?;
    let number = |key: &str| header[key].as_u64().and_then(|n| usize::try_from(n).ok());
    let (Some(heaps), Some(width @ (1 | 2 | 4))) = (number("heaps"), number("width")) else {
        return Err(CheckpointError::Damaged);
    };
    if heaps.checked_mul(width) != Some(data.len()) {
        return Err(CheckpointError::Damaged);
    }
    let value = |cell: &[u8]| cell.iter().rev().fold(0_u32, |value, &byte| value << 8 | u32::from(byte));
    Ok(data.chunks_exact(width).map(value).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cut_and_every_changed_byte_is_refused() {
        let rules: HeapRules = "0.77".parse().unwrap();
        for values in [vec![0, 1, 2, 300, 1], vec![], vec![0, 1 << 20]] {
            let bytes = checkpoint(&rules, &values);
            assert_eq!(restore(&rules, &bytes).unwrap(), values);
            for i in 0..bytes.len() {
                assert!(restore(&rules, &bytes[..i]).is_err(), "cut at {i}");
                let mut changed = bytes.clone();
                changed[i] ^= 1;
                assert!(restore(&rules, &changed).is_err(), "byte {i}");
            }
        }
    }

    #[test]
    fn states_are_kept_and_changed_ones_refused() {
        let rules: HeapRules = "0.106".parse().unwrap();
        let states = vec![State { heap: 9, values: vec![1, 2, 3] }, State { heap: 100, values: vec![0, 127, 3] }];
        for states in [states, vec![]] {
            let passing = Passing { reach: 3, values: 1 << 127 | 5, states };
            let bytes = passing_checkpoint(&rules, &passing);
            assert_eq!(restore_passing(&rules, &bytes).unwrap(), Some(passing));
            assert_eq!(restore(&rules, &bytes), Err(CheckpointError::Damaged), "no values");
            for i in 0..bytes.len() {
                assert!(restore_passing(&rules, &bytes[..i]).is_err(), "cut at {i}");
                let mut changed = bytes.clone();
                changed[i] ^= 1;
                assert!(restore_passing(&rules, &changed).is_err(), "byte {i}");
            }
        }
        assert_eq!(restore_passing(&rules, &checkpoint(&rules, &[0, 1])), Ok(None));
        for header in [
            json!({"reach": 0, "values": "1", "states": []}),
            json!({"reach": 3, "values": "1", "states": [9]}),
            json!({"reach": 3, "values": "-1", "states": []}),
            json!({"reach": 3, "values": "1", "states": 9}),
        ] {
            let mut header = header;
            header["game"] = identity(&rules);
            let bytes = sealed(&header, [].into_iter());
            assert_eq!(restore_passing(&rules, &bytes), Err(CheckpointError::Damaged), "{header}");
        }
    }

    #[test]
    fn equal_codes_are_one_game() {
        let bytes = checkpoint(&"subtract:1,3".parse().unwrap(), &[0, 1]);
        assert!(restore(&"0.303".parse().unwrap(), &bytes).is_ok());
    }
}
