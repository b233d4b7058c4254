//! First cousins: codes that are the same game with all heaps one bean smaller.

use crate::heap::{Code, HeapRules};

/// The first cousin of a code whose heap 1 has no option: heap n of the code has the same options as heap
/// n − 1 of the cousin, once heap 1 is dropped. `None` when heap 1 has an option, or the code never ends.
///
/// A move that takes k beans and leaves j heaps n₁ + … + nⱼ = n − k becomes, with nᵢ − 1 for nᵢ and n − 1 for n,
/// one that takes k + j − 1 beans, and each nᵢ − 1 may be 0: it leaves at most j heaps.
///
/// ```
/// use impartial::solve::quotient::first_cousin;
/// assert_eq!(first_cousin(&"0.07".parse().unwrap()).unwrap().to_string(), "0.137");
/// assert_eq!(first_cousin(&"0.137".parse().unwrap()), None);
/// ```
pub fn first_cousin(code: &Code) -> Option<Code> {
    if code.repeat() > 0 || code.digit(1) & 1 == 1 || code.last().is_none() {
        return None;
    }
    let mut digits = vec![0_u8; code.digits().len() + 8];
    for (k, &digit) in code.digits().iter().enumerate() {
        for j in (0..8).filter(|j| digit >> j & 1 == 1) {
            // With k = 0 at least two heaps are left, and with k = 1, j = 0 heap 1 would have an option.
            let at = (k + j).checked_sub(1)?;
            if at == 0 {
                return None;
            }
            digits[at] |= u8::try_from((1_u16 << (j + 1)) - 1).ok()?;
        }
    }
    Some(Code::finite(digits))
}

/// The chain of first cousins of a game, the last of which has an option for heap 1.
pub fn first_cousins(rules: &HeapRules) -> Vec<Code> {
    let chain = std::iter::successors(rules.code(), first_cousin);
    chain.skip(1).collect()
}
