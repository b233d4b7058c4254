//! Positions from files and standard input, with more digits than an argument may have.

use crate::common::{file, out, refused};

const GAME: &str = "kind = \"lattice\"\nrules = [[1, 0], [0, 1], [2, 2]]";

/// (6k, 6k + 2) is a P-position, and one more in a coordinate is not.
#[test]
fn a_position_of_many_digits_is_read_from_a_file_and_from_standard_input() {
    let (_game_folder, game) = file("game.toml", GAME);
    let (_strategy_folder, strategy) = file("strategy.json", "");
    out(&["solve", &game, "-o", &strategy], "");
    // Six times a number of 150 000 ones.
    let digits = "6".repeat(150_000);
    let p = format!("({digits},{}8)", &digits[1..]);
    let n = format!("({digits},{}7)", &digits[1..]);
    for (position, expected) in [(&p, "P"), (&n, "N")] {
        let (_folder, path) = file("position.txt", &format!("{position}\n"));
        for (argument, input) in [(format!("@{path}"), ""), ("-".to_owned(), position.as_str())] {
            let said = out(&["outcome", &game, &argument, "--strategy", &strategy, "--json"], input);
            let said: serde_json::Value = serde_json::from_str(&said).expect("JSON");
            assert_eq!(said["outcome"], expected);
            assert_eq!(said["position"], position.as_str());
        }
    }
}

#[test]
fn heaps_come_from_files_too() {
    let (_folder, path) = file("heaps.txt", "3+x\n");
    refused(&["grundy", "kayles", &format!("@{path}")], &path);
    let (_folder, path) = file("heaps.txt", "3+5+7\n");
    assert_eq!(out(&["grundy", "kayles", &format!("@{path}")], ""), out(&["grundy", "kayles", "3+5+7"], ""));
    assert_eq!(out(&["outcome", "kayles", "-"], "3+5+7"), out(&["outcome", "kayles", "3+5+7"], ""));
    // A heap of 150 001 digits: only its residue modulo the period counts.
    let heap = format!("1{}", "0".repeat(150_000));
    assert_eq!(out(&["grundy", "kayles", "-", "--json"], &heap).matches("\"grundy\":").count(), 1);
    refused(&["grundy", "kayles", "@/nowhere/at/all"], "/nowhere/at/all");
    refused(&["grundy", "kayles", "@"], "impartial: ");
}
