//! Solved functions as bytes, to go on with a long table later.

use sha2::{Digest as _, Sha256};

use super::Branch;

/// The functions of the first order ideals as bytes: for each of them the number of functions, for each function
/// its first m, its period, the number of its values and the values, all as 32-bit words with the lowest
/// byte first; at the end the SHA-256 of all that.
///
/// ```
/// use impartial::solve::chains::{Branch, branches_from_bytes, branches_to_bytes};
/// let functions = vec![vec![Branch { first: 2, values: vec![4, 2, 5], period: 1 }]];
/// let bytes = branches_to_bytes(&functions);
/// assert_eq!(branches_from_bytes(&bytes), Some(functions));
/// assert_eq!(branches_from_bytes(&bytes[1..]), None);
/// ```
pub fn branches_to_bytes(ideals: &[Vec<Branch>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut word = |word: u32| bytes.extend(word.to_le_bytes());
    let length = |length: usize| u32::try_from(length).expect("columns and values are counted by u32");
    for functions in ideals {
        word(length(functions.len()));
        for branch in functions {
            [branch.first, branch.period, length(branch.values.len())].into_iter().for_each(&mut word);
            branch.values.iter().copied().for_each(&mut word);
        }
    }
    let digest = Sha256::digest(&bytes);
    bytes.extend(digest);
    bytes
}

/// The functions in such bytes; `None` when they are damaged.
pub fn branches_from_bytes(bytes: &[u8]) -> Option<Vec<Vec<Branch>>> {
    let (content, digest) = bytes.split_at_checked(bytes.len().checked_sub(32)?)?;
    if Sha256::digest(content).as_slice() != digest {
        return None;
    }
    let mut words = content.chunks_exact(4).map(|chunk| u32::from_le_bytes(chunk.try_into().expect("4 bytes")));
    let mut ideals = Vec::new();
    while let Some(count) = words.next() {
        let function = |_| {
            let (first, period, length) = (words.next()?, words.next()?, words.next()? as usize);
            let values: Vec<u32> = words.by_ref().take(length).collect();
            let whole = values.len() == length && period as usize <= length;
            (whole && first.checked_add(u32::try_from(length).ok()?).is_some()).then_some(Branch {
                first,
                values,
                period,
            })
        };
        ideals.push((0..count).map(function).collect::<Option<Vec<Branch>>>()?);
    }
    Some(ideals)
}
