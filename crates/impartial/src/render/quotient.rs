//! Elements of quotients as words over letters: `a`, `a*b^2`, `1`.

use crate::solve::quotient::Word;

/// Names of generators (heaps): the letters a–z, then A–Z; when there are more than 52 of them, the
/// heap in brackets.
///
/// ```
/// use impartial::render::{generator_names, word_text};
/// let names = generator_names(&[1, 3]);
/// assert_eq!(word_text(&[(1, 1), (3, 2)], &names), "a*b^2");
/// assert_eq!(word_text(&[], &names), "1");
/// ```
pub fn generator_names(heaps: &[u32]) -> Vec<(u32, String)> {
    let letters: Vec<char> = ('a'..='z').chain('A'..='Z').collect();
    heaps
        .iter()
        .enumerate()
        .map(|(i, &h)| (h, if heaps.len() <= letters.len() { letters[i].to_string() } else { format!("[{h}]") }))
        .collect()
}

/// A word over generators, as algebra systems read it; the empty word is `1`.
pub fn word_text(word: &[(u32, u32)], names: &[(u32, String)]) -> String {
    if word.is_empty() {
        return "1".into();
    }
    word.iter()
        .map(|&(heap, copies)| {
            let name = names.iter().find(|(h, _)| *h == heap).map_or_else(|| format!("[{heap}]"), |(_, n)| n.clone());
            if copies == 1 { name } else { format!("{name}^{copies}") }
        })
        .collect::<Vec<_>>()
        .join("*")
}

/// A word as a heap position: `2+2+5`, `0` for the empty word.
pub fn word_position(word: &Word) -> String {
    let heaps: Vec<String> =
        word.iter().flat_map(|&(heap, copies)| (0..copies).map(move |_| heap.to_string())).collect();
    if heaps.is_empty() { "0".into() } else { heaps.join("+") }
}
