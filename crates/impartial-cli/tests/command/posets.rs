//! Poset games through the command: families, bad input, limits, pictures, tables and games played to the end.

use crate::common::{file, impartial, out, refused};

const N: &str =
    "kind = 'poset'\nname = 'the N'\nelements = ['a','b','c','d']\nrelations = [['a','c'],['b','c'],['b','d']]";

#[test]
fn every_family_answers() {
    // Nim is the nim-sum; a hook is Nim; 2 x 3 without the poisoned square has value 3 (brute force in testdata/poset.json).
    for (game, value) in [
        ("nim-poset:3,5,1", "7"),
        ("chomp:4,1,1", "1"),
        ("chomp:4x6", "16"),
        ("chomp:4x6x1", "16"),
        // 2^5 · 3^3: Chomp on 4 x 6 in other words.
        ("divisors:864", "16"),
        ("divisors:900", "4"),
        ("subsets:5", "2"),
        // Square-free: subsets of the primes.
        ("divisors:2310", "2"),
        ("subsets:5,2", "2"),
        ("chomp:3x3x3", "4"),
        // A path of three vertices below its root is a chain; the roots of hackendot are greatest.
        ("tree:0,1,2", "3"),
        ("hackendot:0,1,1", "2"),
        ("union:nim-poset:3;chomp:4,1,1;divisors:4", "0"),
        // A linear sum adds lengths of chains; two incomparable elements below a chain of two: 1 with two below.
        ("linear-sum:nim-poset:3;nim-poset:4", "7"),
        ("linear-sum:nim-poset:1,1;nim-poset:2", "3"),
    ] {
        assert_eq!(out(&["grundy", game, "all"], ""), value, "{game}");
        let outcome = if value == "0" { "P" } else { "N" };
        assert_eq!(out(&["outcome", game, "all"], ""), outcome, "{game}");
        let moves = impartial(&["move", game, "all", "--json"], "");
        let moves: serde_json::Value = serde_json::from_slice(&moves.stdout).expect("JSON");
        assert_eq!(moves["moves"].as_array().expect("a list").is_empty(), value == "0", "{game}");
    }
}

#[test]
fn subset_takeaway_with_six_points_is_decided_outright() {
    assert_eq!(out(&["grundy", "subsets:6", "all"], ""), "3");
    // Take the whole set; its proper subsets are a P-position.
    let moves = out(&["move", "subsets:6", "all"], "");
    assert_eq!(moves.lines().count(), 1);
    assert!(moves.contains("23456}") && !moves.contains("123456"), "{moves}");
    assert_eq!(out(&["outcome", "subsets:6,5", "all"], ""), "P");
}

#[test]
fn subset_takeaway_with_seven_points() {
    // P_{7,2}: take one point.
    let moves = out(&["move", "subsets:7,2", "all", "--json"], "");
    let moves: serde_json::Value = serde_json::from_str(&moves).expect("JSON");
    let moves = moves["moves"].as_array().expect("a list");
    assert_eq!(moves.len(), 7);
    assert!(moves.iter().all(|after| after.as_str().expect("a position").split(',').count() == 21));
}

#[test]
fn the_forbidden_n_is_shown() {
    let (_folder, path) = file("n.toml", N);
    let text = out(&["info", &path], "");
    assert!(text.contains("not N-free: a < c > b < d is an N"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&out(&["info", &path, "--json"], "")).expect("JSON");
    assert_eq!(json["forbidden_n"], serde_json::json!(["a", "b", "c", "d"]));
    assert_eq!(json["n_free"], false);
    let text = out(&["info", "hackendot:0,1,2,3,1,4,4,2,1"], "");
    assert!(text.contains("N-free (series-parallel)"), "{text}");
}

#[test]
fn bad_boards_are_refused_with_one_message() {
    for (game, words) in [
        ("chomp:1000000,1000000x", "write rows"),
        ("chomp:3,5", "rows never get longer"),
        ("chomp:0x4", "write rows"),
        ("chomp:", "write rows"),
        ("chomp:999999999999999999999x2", ""),
        ("chomp:1000x1000x1000", "more than 8192 elements"),
        ("subsets:60", "more than 8192 elements"),
        ("subsets:-3", "write subsets:N"),
        ("subsets:99999999999999999999999", "more than 8192 elements"),
        ("divisors:0", "0"),
        ("divisors:1234567890123456789012345678901234567890", "2^64 - 1"),
        ("divisors:897612484786617600", "more than 8192 elements"),
        ("divisors:twelve", "write divisors:N"),
        ("nim-poset:5000,5000", "more than 8192 elements"),
        ("nim-poset:3,x", "write natural numbers"),
        ("tree:0,1,9", "parent"),
        ("union:nim-poset:3", "semicolons"),
        ("linear-sum:nim-poset:3;kayles", "semicolons"),
    ] {
        refused(&["outcome", game, "all"], words);
    }
}

#[test]
fn bad_files_are_refused_with_one_message() {
    let long =
        format!("kind = 'poset'\nelements = [{}]", (0..9000).map(|i| format!("'e{i}'")).collect::<Vec<_>>().join(","));
    for (text, words) in [
        ("kind = 'poset'", "elements"),
        ("kind = 'poset'\nelements = ['a', 'a']", "\"a\" occurs twice"),
        ("kind = 'poset'\nelements = ['a', 'b,c']", "cannot be written in a position"),
        ("kind = 'poset'\nelements = ['a']\nrelations = [['a','z']]", "\"z\" is not in `elements`"),
        ("kind = 'poset'\nelements = ['a']\nrelations = [['a']]", "relations"),
        ("kind = 'poset'\nelements = ['a']\nrelations = [['a','a']]", "cycle a < a"),
        ("kind = 'poset'\nelements = ['a','b','c']\nrelations = [['a','b'],['b','c'],['c','a']]", "cycle"),
        ("kind = 'poset'\nelements = ['a']\nrelation = []", "relation"),
        ("kind = 'poset'\nelements = 7", "elements"),
        ("kind = 'poset'\nelements = ['a'", ""),
        (&long, "9000 elements are too many"),
    ] {
        let (_folder, path) = file("game.toml", text);
        refused(&["outcome", &path, "all"], words);
    }
}

#[test]
fn bad_positions_are_refused_with_one_message() {
    refused(&["outcome", "divisors:12", "{5}"], "\"5\" is no element");
    refused(&["outcome", "divisors:12", "{4}"], "\"2\" below it is not");
    refused(&["grundy", "divisors:12", "2,3"], "in braces");
    refused(&["move", "chomp:3x3", "4,1"], "does not fit");
    refused(&["move", "chomp:3x3", "1,2"], "rows never get longer");
    refused(&["move", "chomp:3x3", "a"], "");
    refused(&["grundy", "subsets:3", "all", "--play", "misere"], "normal play");
    refused(&["count", "subsets:3", "--box", "3"], "--box");
}

/// Boards that can be named but not solved end at a limit, with exit 3 and what is known.
#[test]
fn huge_boards_end_at_a_limit() {
    for args in [
        vec!["outcome", "chomp:1000000,1000000,999999,7,5", "all"],
        vec!["grundy", "chomp:1000000,1000000", "all"],
        vec!["solve", "chomp:1000000,1000000"],
        vec!["solve", "subsets:7", "--time-limit", "300ms"],
        vec!["grundy", "subsets:9", "all", "--time-limit", "300ms"],
        vec!["grundy", "subsets:7", "all", "--time-limit", "300ms", "--threads", "2"],
        vec!["count", "divisors:897612484786617", "--time-limit", "300ms"],
        vec!["outcome", "chomp:9x9x9", "{1.1.2,1.2.1,2.1.1}", "--time-limit", "1ms", "--json"],
    ] {
        let output = impartial(&args, "");
        let (code, message) = (output.status.code(), String::from_utf8_lossy(&output.stderr));
        if args[1].starts_with("divisors") || args[1].starts_with("chomp:9x9x9") {
            assert!(matches!(code, Some(0 | 3)), "{args:?}: {message}"); // few divisors: quick on some machines
            continue;
        }
        assert_eq!(code, Some(3), "{args:?}: {message}");
        assert!(message.contains("limit"), "{args:?}: {message}");
    }
    // Theorems do not mind the size.
    assert_eq!(out(&["outcome", "chomp:1000000,1000000", "all"], ""), "N");
    assert_eq!(out(&["move", "chomp:2x1000000", "all"], ""), "1000000,999999");
    let json = impartial(&["grundy", "subsets:9", "all", "--time-limit", "200ms", "--json"], "");
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert!(json["stopped"].as_str().is_some_and(|why| why.contains("time")), "{json}");
}

#[test]
fn pictures_are_svg_or_png() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    for (game, shows) in [("chomp:3x100", "1831 P-positions"), ("divisors:360", "the Hasse diagram of 23 elements")] {
        for name in ["x.svg", "x.png", "x.PNG"] {
            let text = out(&["plot", game, "-o", &path(name)], "");
            assert!(text.contains(shows), "{text}");
            let bytes = std::fs::read(path(name)).expect("a picture");
            assert!(bytes.starts_with(if name == "x.svg" { b"<svg" } else { b"\x89PNG" }), "{game} {name}");
        }
    }
    refused(&["plot", "divisors:360", "-o", &path("x.gif")], "x.svg, x.png or x.pdf");
    refused(&["plot", "chomp:3x9000", "-o", &path("x.png"), "--box", "9000"], "--box");
    refused(&["plot", "nim-poset:900", "-o", &path("x.png")], "at most 500 elements");
    refused(&["plot", "divisors:360", "-o", &path("x.png"), "--box", "5"], "leave --box");
}

#[test]
fn tables_of_every_family_are_checked_and_answer() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (_n, n) = file("n.toml", N);
    let table = folder.path().join("table.json").to_str().expect("UTF-8").to_owned();
    let games = ["chomp:4,3,1", "divisors:60", "subsets:4", "nim-poset:3,2", "chomp:2x2x3", "hackendot:0,1,1,2"];
    for game in games.into_iter().chain(["tree:0,1,1,0", "linear-sum:nim-poset:2;divisors:12", &n]) {
        for play in ["normal", "misere"] {
            let solved = out(&["solve", game, "-o", &table, "--play", play], "");
            assert!(solved.contains("solved by a table"), "{solved}");
            let verified = out(&["verify", &table], "");
            assert!(verified.starts_with("valid: "), "{verified}");
            for command in ["outcome", "move"] {
                let plain = impartial(&[command, game, "all", "--play", play], "");
                let by_file = impartial(&[command, game, "all", "--play", play, "--strategy", &table], "");
                assert_eq!(plain.stdout, by_file.stdout, "{command} {game} {play}");
            }
            assert_eq!(out(&["count", game, "--play", play], ""), out(&["count", &table], ""), "{game} {play}");
        }
    }
    // One value changed: refused with exit 1.
    out(&["solve", "divisors:60", "-o", &table], "");
    let text = std::fs::read_to_string(&table).expect("a table");
    let at = text.find("\"values\"").expect("values") + 14;
    let other = if &text[at..=at] == "1" { "2" } else { "1" };
    std::fs::write(&table, format!("{}{other}{}", &text[..at], &text[at + 1..])).expect("a writable folder");
    assert_eq!(impartial(&["verify", &table], "").status.code(), Some(1));
}

#[test]
fn chomp_is_drawn_and_played() {
    // 3 x 3: bite (2,2), then copy on the other arm.
    let text = out(&["play", "chomp:3x3"], "hint\n2.2\n(1, 3)\n3.1\n1.2\n2.1\n");
    assert!(text.contains("1  ☠ ■ ■\n2  ■ ■ ■\n3  ■ ■ ■"), "{text}");
    assert!(text.contains("This is an N-position. Its Grundy value is 5."), "{text}");
    assert!(text.contains("To win, choose 2.2 (3,1,1)"), "{text}");
    assert!(text.contains("I choose "), "{text}");
    assert!(text.ends_with("You win."), "{text}");
    // Squares that are gone, the poisoned one, and nonsense get an answer, and the game goes on.
    let text = out(&["play", "chomp:2x2"], "5.5\n1.1\nfoo\n\n2,2,2\nquit\n");
    assert_eq!(text.matches("Your move:").count(), 6, "{text}");
    assert!(text.contains("does not fit on the board"), "{text}");
    assert!(text.ends_with("Good bye."), "{text}");
}

#[test]
fn posets_are_played_by_naming_elements() {
    // Not the sixth move: the divisor 6.
    let text = out(&["play", "divisors:12"], "6\n2\n");
    assert!(text.contains("12\n4 6\n2 3"), "{text}");
    assert!(text.contains("I choose "), "{text}");
    assert!(text.ends_with("win.") || text.ends_with("bye."), "{text}");
    let text = out(&["play", "divisors:12", "all"], "hint\n12\n");
    assert!(text.contains("To win, choose 12 ({2,3,4,6})"), "{text}");
    let text = out(&["play", "divisors:12"], "7\n#99\n{2,3,4,6}\n");
    assert!(text.contains("\"7\" is no position") || text.contains("No move leads to"), "{text}");
    assert!(text.contains("There is no move #99; the list has 5."), "{text}");
    // A P-position: the computer wins whatever a person does.
    let text = out(&["play", "subsets:3", "{1,2,3,12,13,23}"], "hint\n#1\n#1\n#1\n#1\n#1\n#1\n");
    assert!(text.contains("This is a P-position: no move wins against perfect play. Its Grundy value is 0."), "{text}");
    assert!(text.ends_with("I win."), "{text}");
    refused(&["play", "divisors:12", "{4}"], "\"2\" below it is not");
    let (_folder, path) = file("n.toml", N);
    let text = out(&["play", &path, "--second", "--play", "misere"], "");
    assert!(text.ends_with("Good bye."), "{text}");
}

#[test]
fn lattice_games_are_played() {
    let text = out(&["play", "exotic", "(2,1)"], "hint\nfoo\n#1\n");
    assert!(text.contains("Your move:") && text.contains("This is a"), "{text}");
    assert!(text.ends_with("win.") || text.ends_with("bye."), "{text}");
}
