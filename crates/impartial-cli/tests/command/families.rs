//! Heap, graph, sum and Wythoff games through the command: both plays, bad input, and games played to the end.

use std::process::{Command, Stdio};

use crate::common::{file, impartial, out, refused};

const NO_MOVE: &str = "no winning move: a P-position, or no move at all";

const GRAPH: &str =
    "kind = 'graph'\n[moves]\ntop = ['left', 'right']\nleft = ['end']\nright = ['left', 'end']\nend = []\n";

#[test]
fn bad_games_are_refused_with_one_message() {
    for (game, words) in [
        ("0.8z", "character 4 is 'z'"),
        ("subtract:", "no number"),
        ("subtract:0", "0 may not be taken"),
        ("subtract:1,x", "\"x\" is no number"),
        ("kales", "did you mean kayles?"),
        ("3.7", "the digit before the point is 3"),
        ("no/such/file.toml", "no/such/file.toml"),
    ] {
        refused(&["outcome", game, "3"], words);
    }
    for (text, words) in [
        ("", "`kind` is missing"),
        ("kind = 'heap'", "exactly one of"),
        ("kind = 'tree'", "kind = \"tree\" is not known"),
        ("kind = 'graph'\n[moves]\na = ['b']\nb = ['a']", "a -> b -> a"),
        ("kind = 'graph'\n[moves]\na = ['b']", "add \"b\" = []"),
        ("kind = 'sum'\nparts = []", "parts = [] is no game"),
        ("kind = 'sum'\nparts = ['0.77', '0.8z']", "part 2 \"0.8z\""),
        ("not toml at all", "expected"),
    ] {
        let (_folder, path) = file("game.toml", text);
        refused(&["outcome", &path, "3"], words);
    }
    refused(&["outcome", "-", "3"], "`kind` is missing");
}

#[test]
fn bad_positions_are_refused_with_one_message() {
    refused(&["outcome", "kayles", "3+x"], "\"x\" is no heap size");
    refused(&["outcome", "wythoff", "3+4+5"], "two heaps");
    let (_folder, path) = file("graph.toml", GRAPH);
    refused(&["outcome", &path, "middle"], "its positions are end, left, right, top");
    let (_folder, path) = file("sum.toml", "kind = 'sum'\nparts = ['kayles', 'wythoff']");
    refused(&["outcome", &path, "3"], "1 positions for 2");
    refused(&["outcome", &path, "3|x"], "part 2 (wythoff)");
}

#[test]
fn a_sum_that_contains_itself_is_refused() {
    let (_folder, path) = file("sum.toml", "kind = 'sum'\nparts = ['sum.toml']");
    refused(&["outcome", &path, "3"], "contain itself");
    let message = impartial(&["outcome", &path, "3"], "").stderr;
    assert_eq!(String::from_utf8_lossy(&message).matches("part 1").count(), 1, "the chain of files is not told");
}

#[test]
fn heaps_in_both_plays() {
    assert_eq!(out(&["grundy", "kayles", "11"], ""), "6");
    assert_eq!(out(&["move", "nim", "3+5+7"], ""), "2+5+7\n3+4+7\n3+5+6");
    assert_eq!(out(&["move", "nim", "4"], ""), "0");
    assert_eq!(out(&["move", "nim", "1+1+5", "--play", "misere"], ""), "1+1+1");
    assert_eq!(out(&["outcome", "marienbad", "1+3+5+7"], ""), "P");
    assert_eq!(out(&["outcome", "marienbad", "1", "--play", "normal"], ""), "N");
    assert_eq!(out(&["outcome", "nim", "0", "--play", "misere"], ""), "N");
    // Lecture notes: 0, 1, 0, 2, 1 for "fewer than n/2 + 1".
    for (heap, value) in [("0", "0"), ("1", "1"), ("2", "0"), ("3", "2"), ("4", "1")] {
        assert_eq!(out(&["grundy", "fewer-than-half-plus-one", heap], ""), value);
    }
}

#[test]
fn graphs_in_both_plays() {
    let (_folder, path) = file("graph.toml", GRAPH);
    assert_eq!(out(&["grundy", &path, "right"], ""), "2");
    assert_eq!(out(&["outcome", &path, "top"], ""), "P");
    assert_eq!(out(&["move", &path, "top", "--play", "misere"], ""), "left");
    assert_eq!(out(&["outcome", &path, "end", "--play", "misere"], ""), "N");
}

#[test]
fn sums_of_different_games() {
    let (folder, path) = file("sum.toml", "kind = 'sum'\nparts = ['kayles', 'graph.toml', 'wythoff']");
    std::fs::write(folder.path().join("graph.toml"), GRAPH).expect("a writable folder");
    // Values 6, 2 and the value 4 of (1, 3).
    assert_eq!(out(&["grundy", &path, "11|right|1+3"], ""), "0");
    assert_eq!(out(&["outcome", &path, "11|right|3+1"], ""), "P");
    assert_eq!(out(&["move", &path, "0|right|0"], ""), "0|end|0");
    // In misère play right -> left leaves a single move.
    assert_eq!(out(&["move", &path, "0|right|0", "--play", "misere"], ""), "0|left|0");
    assert_eq!(out(&["move", &path, "1|left|1", "--play", "misere"], ""), NO_MOVE);
    std::fs::write(folder.path().join("outer.toml"), "kind = 'sum'\nparts = ['nim', 'sum.toml']").expect("writable");
    let outer = folder.path().join("outer.toml").to_str().expect("UTF-8").to_owned();
    assert_eq!(out(&["grundy", &outer, "5|11|right|1+3"], ""), "5");
}

/// A position of the sum of one heap of Dawson's Chess, the graph and Wythoff's game.
type Triple = (u64, &'static str, (u64, u64));

/// The options by rules written here once more, apart from the program's own.
fn options((heap, node, (a, b)): Triple) -> Vec<Triple> {
    let mut all = Vec::new();
    let nodes: &[&str] = match node {
        "top" => &["left", "right"],
        "left" => &["end"],
        "right" => &["left", "end"],
        _ => &[],
    };
    all.extend(nodes.iter().map(|&next| (heap, next, (a, b))));
    // 0.137 up to heap 4, where no move leaves two heaps.
    let heaps: &[u64] = match heap {
        1 | 2 => &[0],
        3 => &[0, 1],
        4 => &[1, 2],
        _ => &[],
    };
    all.extend(heaps.iter().map(|&next| (next, node, (a, b))));
    all.extend((0..a).map(|x| (heap, node, (x, b))));
    all.extend((0..b).map(|y| (heap, node, (a, y))));
    all.extend((1..=a.min(b)).map(|t| (heap, node, (a - t, b - t))));
    all
}

fn is_p(position: Triple, misere: bool) -> bool {
    let options = options(position);
    if options.is_empty() { !misere } else { options.into_iter().all(|option| !is_p(option, misere)) }
}

fn written((heap, node, (a, b)): Triple) -> String {
    let pair = match (a.min(b), a.max(b)) {
        (0, large) => large.to_string(),
        (small, large) => format!("{small}+{large}"),
    };
    format!("{heap}|{node}|{pair}")
}

#[test]
fn winning_moves_of_sums_follow_the_definition() {
    let (folder, path) = file("sum.toml", "kind = 'sum'\nparts = ['dawsons-chess', 'graph.toml', 'wythoff']");
    std::fs::write(folder.path().join("graph.toml"), GRAPH).expect("a writable folder");
    for heap in [0, 1, 3, 4] {
        for node in ["top", "left", "right", "end"] {
            for pair in [(0, 0), (0, 1), (1, 2), (2, 2)] {
                let position = (heap, node, pair);
                for (play, misere) in [("normal", false), ("misere", true)] {
                    let mut expected: Vec<String> =
                        options(position).into_iter().filter(|&option| is_p(option, misere)).map(written).collect();
                    expected.sort();
                    expected.dedup();
                    let expected = if expected.is_empty() { NO_MOVE.to_owned() } else { expected.join("\n") };
                    let found = out(&["move", &path, &written(position), "--play", play], "");
                    assert_eq!(found, expected, "{} in {play} play", written(position));
                }
            }
        }
    }
}

#[test]
fn catalogue_games_have_their_published_values() {
    for (name, values) in [
        // OEIS A002186, A002187, A002188, A046695.
        ("kayles", "0 1 2 3 1 4 3 2 1 4 2 6 4 1 2 7 1 4 3 2 1 4 6 7 4 1 2 8 5 4 7 2 1 8"),
        ("dawsons-chess", "0 1 1 2 0 3 1 1 0 3 3 2 2 4 0 5 2 2 3 3 0 1 1 3 0 2 1 1 0 4 5 2 7 4"),
        ("grundys-game", "0 0 0 1 0 2 1 0 2 1 0 2 1 3 2 1 3 2 4 3 0 4 3 0 4 3 0 4 1 2 3 1 2 4"),
        ("officers", "0 0 1 2 0 1 2 3 1 2 3 4 0 3 4 2 1 3 2 1 0 2 1 4 5 1 4 5 1 2 0 1 2 3"),
        // Lecture notes: n mod 4; and "fewer than n/2 + 1".
        ("one-two-three", "0 1 2 3 0 1 2 3 0 1 2 3 0"),
        ("fewer-than-half-plus-one", "0 1 0 2 1"),
        // g(4k + 1) = 4k + 1, g(4k + 2) = 4k + 2, g(4k + 3) = 4k + 4, g(4k + 4) = 4k + 3.
        ("laskers-nim", "0 1 2 4 3 5 6 8 7 9 10 12 11"),
        // The exponent of the largest power of 2 that divides n, plus one.
        ("dim", "0 1 2 1 3 1 2 1 4 1 2 1 3 1 2 1 5"),
        // A heap of 2m or 2m + 1 beans takes the value of half the heap: a(2m) = m, a(2m + 1) = a(m).
        ("at-most-half", "0 0 1 0 2 1 3 0 4 2 5 1 6 3 7 0 8"),
        ("take-a-power-of-2", "0 1 2 0 1 2 0 1 2 0 1 2 0"),
    ] {
        let to = (values.split(' ').count() - 1).to_string();
        assert_eq!(out(&["values", name, "--to", &to], ""), values, "{name}");
    }
}

#[test]
fn wythoff_of_any_size() {
    assert_eq!(out(&["outcome", "wythoff", "5+3"], ""), "P");
    assert_eq!(out(&["move", "wythoff", "2+2", "--play", "misere"], ""), NO_MOVE);
    assert_eq!(out(&["grundy", "wythoff", "4+4"], ""), "7");
    let pair = "218922995834555169026+354224848179261915075";
    assert_eq!(out(&["outcome", "wythoff", pair], ""), "N");
    assert_eq!(out(&["outcome", "wythoff", "354224848179261915075+573147844013817084101"], ""), "P");
    let output = impartial(&["grundy", "wythoff", pair], "");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn huge_heaps_end_in_an_answer_or_a_limit() {
    // The period of Kayles is proved at once.
    assert_eq!(out(&["outcome", "kayles", "1000000000000000000+1000000000000000000"], ""), "P");
    let output = impartial(&["outcome", "0.77", "1000000000000", "--play", "misere", "--time-limit", "2s"], "");
    assert!(matches!(output.status.code(), Some(0 | 2 | 3)), "{output:?}");
}

#[test]
fn the_computer_wins_from_an_n_position_and_says_so() {
    let text = out(&["play", "nim", "1+2+4", "--second"], "hint\nmoves\n#1\n1+1\nfoo\n1\n0\n");
    assert!(text.contains("I take 1 from the heap of 4: 1+2+3."), "{text}");
    assert!(text.contains("P-position: no move wins"), "{text}");
    assert!(text.ends_with("I win."), "{text}");
}

#[test]
fn a_person_who_plays_perfectly_wins() {
    let text = out(&["play", "nim", "1+2"], "hint\n1+1\n0\n");
    assert!(text.contains("To win, take 1 from the heap of 2 (1+1)."), "{text}");
    assert!(text.ends_with("I cannot move.\nYou win."), "{text}");
    let text = out(&["play", "nim", "1+2", "--play", "misere"], "1\n");
    assert!(text.contains("who cannot move wins"), "{text}");
    assert!(text.ends_with("You cannot move.\nYou win."), "{text}");
}

#[test]
fn moves_can_be_taken_back_and_the_game_left() {
    let text = out(&["play", "nim", "3+3"], "undo\n2+3\nundo\nquit\n");
    assert!(text.contains("There is nothing to take back."), "{text}");
    assert!(text.contains("I take 1 from the heap of 3: 2+2."), "{text}");
    // The drawing of 3+3 comes at the start, after the first undo and after the second.
    assert_eq!(text.matches("ooo  3\n  ooo  3").count(), 3, "{text}");
    assert!(text.ends_with("Good bye."), "{text}");
    let text = out(&["play", "kayles"], "");
    assert!(text.ends_with("Good bye."), "{text}");
    let json = out(&["play", "nim", "1", "--json"], "0\n");
    assert!(json.contains("\"winner\":\"you\"") && json.lines().count() == 1, "{json}");
}

#[test]
fn graphs_and_sums_are_played_too() {
    let (folder, path) = file("sum.toml", "kind = 'sum'\nparts = ['nim', 'graph.toml']");
    std::fs::write(folder.path().join("graph.toml"), GRAPH).expect("a writable folder");
    let text = out(&["play", &path, "1|top"], "0 | top\n0|end\n");
    assert!(text.ends_with("win."), "{text}");
}

#[test]
fn sums_take_parts_of_every_kind() {
    let (_folder, path) = file("sum.toml", "kind = 'sum'\nparts = ['0.77', 'chomp:3x4', 'exotic']");
    // 2,1 is two squares apart from the poisoned one: value 1 + 1 = 0; (1,0) has value 1; heap 3 has value 3.
    assert_eq!(out(&["grundy", &path, "3|2,1|(1,0)"], ""), "2");
    assert_eq!(out(&["move", &path, "3|2,1|(1,0)"], ""), "1|2,1|(1,0)");
    // In misère play five single moves are a P-position; a heap of two is one move or two.
    assert_eq!(out(&["outcome", &path, "1+1|2,1|(1,0)", "--play", "misere"], ""), "P");
    assert_eq!(out(&["outcome", &path, "1|2,1|(1,0)", "--play", "misere"], ""), "N");
    refused(&["outcome", &path, "3|2,1|(1,0,0)"], "part 3 (exotic)");
    let text = out(&["play", &path, "1|2,1|(0,0)"], "0|2,1|(0,0)\n");
    assert!(text.contains(" in part 2: 0|"), "{text}");
}

/// Ctrl-C is heard while nobody types.
#[cfg(unix)]
#[test]
fn an_interrupted_game_ends_with_130() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_impartial"))
        .args(["play", "nim", "3+4"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts");
    // The first line is written after the handler is set.
    let mut first = [0_u8; 1];
    std::io::Read::read_exact(child.stdout.as_mut().expect("piped"), &mut first).expect("a greeting");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    // The input stays open: it is the signal that ends the game.
    let _input = child.stdin.take();
    assert_eq!(child.wait().expect("the command ends").code(), Some(130));
}

#[test]
fn the_catalogue_is_listed() {
    let all = out(&["games"], "");
    assert!(all.contains("grundys-game") && all.contains("Source: "), "{all}");
    let json = out(&["games", "dawson", "--json"], "");
    assert!(json.contains("\"dawsons-chess\"") && !json.contains("\"wythoff\""), "{json}");
    refused(&["games", "no such game"], "no game of the catalogue matches");
}

#[test]
fn completions_and_man_page_know_every_command() {
    let help = out(&["--help"], "");
    let commands = ["info", "values", "period", "grundy", "outcome", "move", "solve", "verify", "play", "games"];
    let man = out(&["man"], "");
    assert!(man.starts_with(".ie") || man.starts_with(".TH"), "{}", &man[..40]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = out(&["completions", shell], "");
        for command in commands {
            assert!(help.contains(command) && script.contains(command) && man.contains(command), "{shell} {command}");
        }
    }
    assert_eq!(impartial(&["completions", "tcsh"], "").status.code(), Some(2));
}

#[test]
fn a_stopped_question_says_what_is_known() {
    for (command, limit) in [("outcome", "1s"), ("move", "8s")] {
        let args = [command, "0.07", "90+91+92", "--play", "misere", "--time-limit", limit, "--json"];
        let output = impartial(&args, "");
        assert_eq!(output.status.code(), Some(3), "{args:?}");
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!((&json["play"], &json["position"]), (&"misere".into(), &"90+91+92".into()), "{json}");
        let known = json["quotient_up_to"].as_u64().expect("how far the quotient is known");
        assert!(known < 92, "{json}");
    }
    // Nothing tells the two apart among the first heaps, and the quotient of all heaps is not found.
    let args = ["congruent", "0.07", "1+1", "0", "--play", "misere", "--time-limit", "2s", "--json"];
    let output = impartial(&args, "");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((output.status.code(), &json["q"]), (Some(3), &"0".into()), "{json}");
    assert!(json["congruent_up_to"].as_u64().is_some_and(|heap| heap > 0), "{json}");
}
