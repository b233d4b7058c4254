//! Numbers on the command line.

use std::time::Duration;

/// A size that an engine can hold: a natural number below 2⁶⁰, with `_` allowed between digits.
pub fn size(text: &str) -> Result<u64, String> {
    let digits = text.replace('_', "");
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err("expected a natural number such as 1000".into());
    }
    match digits.parse::<u64>() {
        Ok(n) if n < 1 << 60 => Ok(n),
        _ => Err("too large; give a number below 2^60".into()),
    }
}

/// A time such as `30s`, `10m`, `2h`, `500ms`; a bare number is seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor = match unit {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => return Err(format!("unknown unit \"{unit}\"; write 500ms, 30s, 10m or 2h")),
    };
    let seconds = number.parse::<f64>().map_err(|_| "expected a time such as 30s or 10m".to_string())?;
    Duration::try_from_secs_f64(seconds * factor).map_err(|_| "too long; give a shorter time".into())
}

/// A number of bytes such as `4GiB`, `512MiB`, `2GB`; a bare number is bytes.
pub fn bytes(text: &str) -> Result<u64, String> {
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "t" | "tib" => 1 << 40,
        "kb" => 1000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        other => return Err(format!("unknown unit \"{other}\"; write 512MiB or 4GiB")),
    };
    let number = number.parse::<u64>().map_err(|_| "expected a number of bytes such as 4GiB".to_string())?;
    number.checked_mul(factor).ok_or_else(|| "too large; give fewer bytes".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size("1_000"), Ok(1000));
        for bad in ["", "-1", "10^30", "1e6", "99999999999999999999999999"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn durations_and_bytes() {
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert!(duration("10 parsecs").is_err());
        assert_eq!(bytes("4GiB"), Ok(4 << 30));
        assert!(bytes("99999999999TiB").is_err());
    }
}
