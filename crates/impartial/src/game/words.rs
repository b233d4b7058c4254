//! Words of answers.

use std::fmt::Display;

/// A number with its noun.
pub(crate) fn counted<N: Copy + Display + PartialEq + From<u8>>(n: N, one: &str, several: &str) -> String {
    let noun = if n == N::from(1) { one } else { several };
    format!("{n} {noun}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_not_several() {
        assert_eq!(counted(1usize, "rule", "rules"), "1 rule");
        assert_eq!(counted(0u64, "rule", "rules"), "0 rules");
        assert_eq!(counted(2i64, "stratum", "strata"), "2 strata");
    }
}
