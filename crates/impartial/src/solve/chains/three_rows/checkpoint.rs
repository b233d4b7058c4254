//! The state of the solver as bytes.

use sha2::{Digest as _, Sha256};

use super::ThreeRows;
use super::tails::Tail;
use super::taken::Taken;
use crate::solve::chains::Branch;

/// The first word of a checkpoint.
const FORMAT: u64 = u64::from_le_bytes(*b"3rows v3");

impl ThreeRows {
    /// The whole state as bytes, for a checkpoint.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut words = vec![FORMAT, self.r.into(), self.common, self.period];
        words.extend([self.start, self.first, self.settled].map(u64::from));
        words.push(self.solved.len() as u64);
        for branch in &self.solved {
            words.extend([branch.first.into(), branch.period.into(), branch.values.len() as u64]);
            words.extend(branch.values.iter().map(|&p| u64::from(p)));
        }
        for taken in &self.taken {
            words.extend([taken.bits.len() as u64, taken.base as u64, taken.ended.into()]);
            words.extend(&taken.bits);
        }
        words.push(u64::MAX);
        for tail in &self.tails {
            words.extend([u64::from(tail.start), tail.offsets.len() as u64]);
            words.extend(tail.offsets.iter().map(|&o| u64::from(o)));
        }
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let digest = Sha256::digest(&bytes);
        bytes.extend(digest);
        bytes
    }

    /// The state in a checkpoint; `None` when it is damaged or was written by another version.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (content, digest) = bytes.split_at_checked(bytes.len().checked_sub(32)?)?;
        if Sha256::digest(content).as_slice() != digest {
            return None;
        }
        let mut words = content.chunks_exact(8).map(|chunk| u64::from_le_bytes(chunk.try_into().expect("8 bytes")));
        let small = |word: u64| u32::try_from(word).ok();
        let numbers = |words: &mut dyn Iterator<Item = u64>| {
            let length = words.next()?;
            take(words, length)?.into_iter().map(small).collect::<Option<Vec<u32>>>()
        };
        words.next().filter(|&format| format == FORMAT)?;
        let mut state = Self {
            r: small(words.next()?)?,
            common: words.next()?,
            period: words.next()?,
            start: small(words.next()?)?,
            first: small(words.next()?)?,
            settled: small(words.next()?)?,
            ..Self::new()
        };
        for _ in 0..words.next()? {
            let (first, period) = (small(words.next()?)?, small(words.next()?)?);
            state.solved.push_back(Branch { first, values: numbers(&mut words)?, period });
        }
        loop {
            let length = words.next()?;
            if length == u64::MAX {
                break;
            }
            let base = usize::try_from(words.next()?).ok()?;
            let ended = words.next()? != 0;
            let bits = take(&mut words, length)?;
            state.bytes += 8 * bits.len() as u64;
            state.taken.push_back(Taken { ended, ..Taken::new(base, bits) });
        }
        while let Some(start) = words.next() {
            let offsets = numbers(&mut words)?;
            state.tails.push(Tail { start: small(start)?, offsets });
        }
        Some(state)
    }
}

/// The next `length` words, when there are as many.
fn take(words: &mut dyn Iterator<Item = u64>, length: u64) -> Option<Vec<u64>> {
    let list: Vec<u64> = words.take(usize::try_from(length).ok()?).collect();
    (list.len() as u64 == length).then_some(list)
}
