//! Parts of a census: games are dealt out by a hash that is the same on every machine.

use std::str::FromStr;

use sha2::{Digest as _, Sha256};

/// The part i of n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    part: u64,
    parts: u64,
}

impl Shard {
    /// The whole census.
    pub const WHOLE: Self = Self { part: 1, parts: 1 };

    /// Whether the game with this canonical text belongs to the part.
    pub fn has(self, game: &str) -> bool {
        let digest = Sha256::digest(game);
        let first = digest.iter().take(8).fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
        first % self.parts + 1 == self.part
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((part, parts)) if 1 <= part && part <= parts => Ok(Self { part, parts }),
            _ => Err("write i/N with 1 <= i <= N, such as 2/16".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_in_one_part() {
        for game in ["0.77", "0.07", "[[1,0],[0,1]] misere"] {
            let parts = (1..=7).filter(|i| format!("{i}/7").parse::<Shard>().unwrap().has(game)).count();
            assert_eq!(parts, 1);
            assert!(Shard::WHOLE.has(game));
        }
        // The same as in the Python package.
        assert!("11/16".parse::<Shard>().unwrap().has("0.77"));
        for wrong in ["0/3", "4/3", "1", "a/b", "1/0", "-1/2"] {
            assert!(wrong.parse::<Shard>().is_err());
        }
    }
}
