//! The notations of the field: other spellings of games, brought into the one that is read and printed.

/// A text that writes a game in another spelling, in the spelling of this library; any other text as it is.
///
/// `.77`, `0·77`, `octal 0.77` are `0.77`; `0.333…` is `0.[3]`; `S(1,2,3)` and `subtract(1,2,3)` are `subtract:1,2,3`; the
/// letters of a notation's name may be large or small.
pub(super) fn respelled(text: &str) -> String {
    let text = text.trim();
    let lower = text.to_lowercase();
    let bare = ["octal:", "octal ", "hexadecimal ", "hex ", "code "]
        .iter()
        .find(|word| lower.starts_with(**word))
        .and_then(|word| text.get(word.len()..))
        .map_or(text, str::trim);
    let code = bare.replace('·', ".").replace('…', "...");
    let digit = |c: char| c.is_ascii_alphanumeric() || c == '[';
    let code =
        if code.strip_prefix('.').is_some_and(|rest| rest.starts_with(digit)) { format!("0{code}") } else { code };
    if let Some(stem) = code.strip_suffix("...")
        && let Some((whole, digits)) = stem.split_once('.')
        && whole.len() <= 1
        && digits.chars().all(|c| c.is_ascii_hexdigit())
        && let Some(last) = digits.chars().last()
    {
        return format!("{whole}.{digits}[{last}]");
    }
    if code.find('.').is_some_and(|at| at == 1) && !code.contains('/') {
        return code;
    }
    for word in ["subtraction", "subtract", "s"] {
        let Some(rest) = lower.strip_prefix(word).map(str::trim) else { continue };
        let inside = [('(', ')'), ('{', '}'), ('[', ']')]
            .into_iter()
            .find_map(|(open, close)| rest.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)))
            .or_else(|| rest.strip_prefix(':'));
        if let Some(set) = inside {
            return format!("subtract:{}", set.replace([' ', '{', '}'], ""));
        }
    }
    match text.split_once(':') {
        Some((name, rest)) if !name.contains(['/', '.', ' ']) => format!("{}:{rest}", name.to_lowercase()),
        _ => text.to_owned(),
    }
}

/// A name as the catalogue has it: `Dawson's Kayles` is `dawsons-kayles`.
pub(super) fn name(text: &str) -> String {
    let lower = text.trim().to_lowercase();
    let plain: String = lower.chars().filter(|c| !matches!(c, '\'' | '’')).collect();
    plain.split([' ', '_', '-']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_the_field_become_ours() {
        for (written, ours) in [
            ("0.77", "0.77"),
            (".77", "0.77"),
            ("0·77", "0.77"),
            ("·137", "0.137"),
            ("octal 0.77", "0.77"),
            ("Octal .07", "0.07"),
            ("hex 0.8", "0.8"),
            ("0.333…", "0.333[3]"),
            ("0.33...", "0.33[3]"),
            ("S(1,2,3)", "subtract:1,2,3"),
            ("s{1, 3}", "subtract:1,3"),
            ("S(1..3)", "subtract:1..3"),
            ("subtract(2,5)", "subtract:2,5"),
            ("Subtract:1,2", "subtract:1,2"),
            ("Chomp:4x7", "chomp:4x7"),
            ("some/path.toml", "some/path.toml"),
            ("./game.toml", "./game.toml"),
            ("kayles", "kayles"),
        ] {
            assert_eq!(respelled(written), ours, "{written}");
        }
        assert_eq!(name("Dawson's Kayles"), "dawsons-kayles");
        assert_eq!(name("NIM"), "nim");
    }
}
