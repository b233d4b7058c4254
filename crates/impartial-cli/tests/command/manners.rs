//! Manners: output that fails, terminals, quiet runs, completions, man pages, files of examples, play in words.

use super::common::{file, impartial, out, refused};

#[test]
fn a_full_disk_is_told() {
    for args in [&["values", "nim", "5"][..], &["--help"], &["games", "--json"], &["solve", "kayles", "-o", "-"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has /dev/full");
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_impartial"))
            .args(args)
            .stdout(full)
            .output()
            .expect("the command starts");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(message.contains("No space left"), "{args:?}: {message}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_closed_output_is_told() {
    let run = |script: &str| {
        let mut shell = std::process::Command::new("sh");
        let output = shell.args(["-c", script, env!("CARGO_BIN_EXE_impartial")]).output().expect("a shell");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for args in ["values nim 5", "--help", "games --json", "solve kayles -o -"] {
        let (code, message) = run(&format!("exec \"$0\" {args} >&-"));
        assert_eq!(code, Some(2), "{args}: {message}");
        assert!(message.contains("it is closed") && message.contains("another place"), "{args}: {message}");
    }
    // Nothing is printed, or the reader has gone: both are well.
    assert_eq!(run("exec \"$0\" values nim 5 > /dev/null").0, Some(0));
    assert_eq!(run("\"$0\" values nim 100000 | head -c 1 > /dev/null"), (Some(0), String::new()));
}

#[test]
#[cfg(unix)]
fn links_are_followed_also_where_nothing_is_yet() {
    let folder = tempfile::tempdir().expect("a folder");
    let (link, end) = (folder.path().join("link.json"), folder.path().join("end.json"));
    std::os::unix::fs::symlink("end.json", &link).expect("a link");
    for _ in 0..2 {
        out(&["solve", "kayles", "-o", &link.to_string_lossy()], "");
        assert!(link.is_symlink() && end.is_file() && !end.is_symlink());
    }
}

#[test]
fn play_states_the_rules_and_takes_moves_in_words() {
    let told = out(&["play", "thai-21"], "take 5\ntake 1\nexplain\nhint\nrules\nquit\n");
    assert!(told.contains("Thai 21. Twenty-one flags") && told.contains("who cannot move loses"), "{told}");
    assert!(told.contains("  21\n") && told.contains("\"take 5\" is no move here"), "{told}");
    assert!(told.contains("You take 1 from the heap of 21: 20.\nI take"), "{told}");
    assert!(told.contains("N: the next player wins") || told.contains("P: the previous player wins"), "{told}");
    let told = out(&["play", "marienbad"], "7-1\nundo\n3+4+5\n1+3+4+7\nquit\n");
    assert!(told.contains("Misère play: who cannot move wins"), "{told}");
    assert!(told.contains("You take 1 from the heap of 7: 1+3+5+6."), "{told}");
    assert!(
        told.contains("No move leads to 3+4+5") && told.contains("You take 1 from the heap of 5: 1+3+4+7."),
        "{told}"
    );
    let tree = out(&["play", "hackendot"], "quit\n");
    assert!(tree.contains("└─ "), "{tree}");
}

#[test]
fn a_whole_game_is_won_by_following_hints() {
    // Nim 3+5+7 is an N-position: hints win it.
    let mut moves = Vec::new();
    loop {
        let input = moves.join("\n") + "\nhint\nquit\n";
        let told = out(&["play", "nim"], &input);
        if told.ends_with("You win.") {
            break;
        }
        assert!(!told.ends_with("I win."), "{told}");
        let hint = told.rsplit("To win, ").next().expect("a hint");
        let inside = hint.split('(').nth(1).and_then(|rest| rest.split(')').next()).expect("a position");
        moves.push(inside.to_owned());
        assert!(moves.len() < 20, "{moves:?}");
    }
    assert!(!moves.is_empty());
}

#[test]
fn quiet_keeps_notes_away() {
    let args = ["move", "kayles", "1000000000000000000000000", "--quiet"];
    let output = impartial(&args, "");
    assert!(output.status.success());
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn completions_know_the_games_and_every_command_has_a_page() {
    for shell in ["bash", "zsh", "fish"] {
        let script = out(&["completions", shell], "");
        assert!(script.contains("dawsons-kayles") && script.contains("wythoff"), "{shell}");
    }
    let page = out(&["man", "values"], "");
    assert!(page.contains("impartial") && page.contains("csv"), "{page}");
    refused(&["man", "nothing"], "no command has this name");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().to_str().expect("UTF-8");
    out(&["man", "-o", path], "");
    for name in ["impartial.1", "impartial-values.1", "impartial-play.1", "impartial-plot.1"] {
        assert!(folder.path().join(name).is_file(), "{name}");
    }
}

#[test]
fn every_answer_names_its_game_and_play() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (exotic, wythoff, picture) = (path("exotic.json"), path("wythoff.json"), path("x.svg"));
    out(&["solve", "exotic", "-o", &exotic], "");
    out(&["solve", "wythoff", "-o", &wythoff], "");
    for args in [
        &["values", "kayles", "5"][..],
        &["period", "kayles"],
        &["grundy", "kayles", "3"],
        &["outcome", "kayles", "3"],
        &["outcome", &exotic, "(3,4)"],
        &["move", "kayles", "3"],
        &["solve", "kayles"],
        &["solve", "exotic", "--as", "series"],
        &["count", "exotic", "--box", "4"],
        &["count", &exotic, "--box", "4"],
        &["congruent", "kayles", "1", "1"],
        &["quotient", "0.3", "--play", "misere"],
        &["chains", "chomp-chains:1"],
        &["info", "kayles"],
        &["convert", "exotic", "--to", "stratification"],
        &["convert", &exotic, "--to", "series"],
        &["convert", "kayles", "--to", "lattice", "--max-heap", "3"],
        &["pairs", &wythoff, "--row", "5"],
        &["plot", "kayles", "-o", &picture],
        &["play", "nim"],
    ] {
        let text = out(&[args, &["--json"]].concat(), "");
        let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert!(json["play"].is_string(), "{args:?}: {text}");
        // As it was written.
        assert_eq!(json["game"], args[1], "{args:?}: {text}");
    }
    for (args, position) in [
        (&["outcome", "nim", "*5+*3"][..], "3+5"),
        (&["grundy", "nim", "5 3"], "3+5"),
        (&["move", "nim", "[5,3]"], "3+5"),
        (&["info", "nim", "5,3"], "3+5"),
        (&["outcome", "chomp:2x3"], "3,3"),
        (&["outcome", &exotic, "(3, 4)"], "(3,4)"),
    ] {
        let text = out(&[args, &["--json"]].concat(), "");
        let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(json["position"], position, "{args:?}: {text}");
    }
    let text = out(&["congruent", "kayles", "2+1", "3", "--json"], "");
    assert!(text.contains("\"p\":\"1+2\"") && text.contains("\"q\":\"3\""), "{text}");
    // What is about a file gives the rules that the file holds.
    let text = out(&["verify", &exotic, "--json"], "");
    assert!(text.contains("\"kind\":\"lattice\"") && text.contains("\"play\":\"normal\""), "{text}");
}

#[test]
fn pictures_are_written_as_svg_png_and_pdf() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (args, name) in [
        (&["plot", "kayles"][..], "values"),
        (&["plot", "grundys-game"], "grundy"),
        (&["plot", "nim", "--what", "sums"], "sums"),
        (&["plot", "kayles", "--what", "map"], "map"),
        (&["plot", "wythoff"], "wythoff"),
        (&["plot", "0.123", "--what", "cayley"], "cayley"),
        (&["plot", "kayles", "--what", "orders", "--max-heap", "12"], "orders"),
        (&["plot", "chomp-chains:3", "--what", "function"], "function"),
        (&["plot", "exotic", "--what", "automaton"], "automaton"),
    ] {
        for (end, start) in [("svg", &b"<svg"[..]), ("png", b"\x89PNG"), ("pdf", b"%PDF")] {
            let path = folder.path().join(format!("{name}.{end}"));
            out(&[args, &["-o", path.to_str().expect("UTF-8")]].concat(), "");
            assert!(std::fs::read(&path).expect("a file").starts_with(start), "{name}.{end}");
        }
    }
    refused(&["plot", "kayles", "-o", "x.gif"], "x.svg, x.png or x.pdf");
    refused(&["plot", "divisors:12", "--what", "orders", "-o", "x.svg"], "is no picture of a poset game");
}

#[test]
fn examples_of_the_documentation_are_the_files_that_are_run() {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut compared = 0;
    for page in ["game-files", "guide/misere-game", "guide/macaulay2"] {
        let text = std::fs::read_to_string(docs.join(format!("{page}.md"))).expect("the page is there");
        for block in text.split("```toml\n").skip(1) {
            let block = block.split("```").next().expect("a block ends");
            let name = block.lines().next().and_then(|line| line.strip_prefix("# ")).expect("the name of the file");
            let file = std::fs::read_to_string(docs.join(format!("{page}.in/{name}"))).expect("the file is there");
            assert_eq!(file, block, "{page}: {name}");
            compared += 1;
        }
    }
    assert!(compared >= 12);
}

#[test]
fn a_file_of_a_heap_game_is_refused_with_line_and_remedy() {
    let (_folder, path) = file("own.toml", "kind = \"heap\"\n[[moves]]\ntake = 1\nleave = 1\ncolour = 2\n");
    refused(&["info", &path], "line 5: unknown field `colour`");
}

#[test]
fn large_boxes_are_counted_by_a_strategy_made_on_the_way() {
    assert_eq!(out(&["count", "exotic", "--box", "1000000,1000000"], ""), "333333666666");
}

/// What a terminal of 80 columns shows after it has been sent a text: carriage returns, line feeds, erasing within a line.
#[cfg(target_os = "linux")]
fn screen(sent: &str) -> Vec<String> {
    let (mut lines, mut row, mut column) = (vec![vec![' '; 80]], 0, 0);
    let mut letters = sent.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\r' => column = 0,
            '\n' => row += 1,
            '\x1b' => {
                let code: String = letters.by_ref().skip(1).take_while(char::is_ascii_digit).collect();
                // The letter that ends the code is taken with it: all codes of a progress line are K.
                let line: &mut Vec<char> = &mut lines[row];
                let from = if code == "2" { 0 } else { column };
                line[from..].fill(' ');
            }
            _ => {
                if column == 80 {
                    (row, column) = (row + 1, 0);
                }
                while lines.len() <= row {
                    lines.push(vec![' '; 80]);
                }
                lines[row][column] = letter;
                column += 1;
            }
        }
        while lines.len() <= row {
            lines.push(vec![' '; 80]);
        }
    }
    lines.into_iter().map(|line| line.into_iter().collect::<String>().trim_end().to_owned()).collect()
}

/// Runs a command on a terminal of 80 columns, with what is typed after some seconds; what was sent to the terminal, and the exit
/// code. `None` without the program `script`.
#[cfg(target_os = "linux")]
fn on_a_terminal(args: &str, typed: &[u8]) -> Option<(String, Option<i32>)> {
    use std::io::{Read as _, Write as _};
    use std::process::{Command, Stdio};
    let line = format!("stty cols 80 rows 24; exec {} {args}", env!("CARGO_BIN_EXE_impartial"));
    let mut child = Command::new("script")
        .args(["-qfec", &line, "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut keys = child.stdin.take().expect("piped");
    let mut sent = Vec::new();
    let mut output = child.stdout.take().expect("piped");
    if !typed.is_empty() {
        // A line of progress is there before anything is typed.
        let mut some = [0; 4096];
        while !String::from_utf8_lossy(&sent).contains("\x1b[K") {
            let n = output.read(&mut some).expect("a terminal");
            assert!(n > 0, "no progress is shown: {}", String::from_utf8_lossy(&sent));
            sent.extend_from_slice(&some[..n]);
        }
        keys.write_all(typed).expect("a terminal");
    }
    output.read_to_end(&mut sent).expect("a terminal");
    let code = child.wait().expect("script ends").code();
    Some((String::from_utf8_lossy(&sent).into_owned(), code))
}

#[test]
#[cfg(target_os = "linux")]
fn progress_is_cleared_at_the_end_and_on_ctrl_c() {
    for args in ["period grundys-game --to 100000000", "quotient 0.3102 --play misere --time-limit 10m"] {
        let Some((sent, code)) = on_a_terminal(args, b"\x03") else { return };
        assert_eq!(code, Some(130), "{args}: {sent}");
        assert!(sent.contains("^C"), "{sent}");
        let screen = screen(&sent).join("\n");
        let command = args.split(' ').take(2).collect::<Vec<_>>().join(" ");
        assert!(sent.contains(&command) && !screen.contains(&command) && !screen.contains("^C"), "{args}: {screen}");
        assert!(screen.contains("impartial: stopped: "), "{args}: {screen}");
    }
    let Some((sent, code)) = on_a_terminal("period grundys-game --to 100000000 --time-limit 2s", b"") else { return };
    let screen = screen(&sent).join("\n");
    assert_eq!(code, Some(3), "{screen}");
    assert!(sent.contains("period grundys-game") && !screen.contains("period grundys-game"), "{screen}");
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_no_regular_file_is_written_into() {
    use std::os::unix::fs::FileTypeExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read_to_string(pipe).expect("a text")
    });
    out(&["solve", "kayles", "-o", &pipe.to_string_lossy()], "");
    assert!(reader.join().expect("read").starts_with('{'));
    assert!(pipe.symlink_metadata().expect("it is there").file_type().is_fifo());
    // A device stays one also for those who may put a file in its place.
    refused(&["solve", "kayles", "-o", "/dev/full"], "No space left");
    assert!(std::fs::metadata("/dev/full").expect("it is there").file_type().is_char_device());
    // Standard output holds the file alone.
    let file: serde_json::Value = serde_json::from_str(&out(&["solve", "kayles", "-o", "-"], "")).expect("one object");
    assert_eq!(file["format"], "impartial-strategy");
}

#[test]
fn files_of_the_other_play_are_refused_and_answers_name_their_play() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("misere.json").to_string_lossy().into_owned();
    out(&["solve", "exotic", "--play", "misere", "-o", &path], "");
    let questions: [&[&str]; 9] = [
        &["count", &path, "--box", "5"],
        &["show", &path],
        &["verify", &path],
        &["convert", &path, "--to", "stratification"],
        &["outcome", &path, "(3,4)"],
        &["outcome", &path, "(3,4)", "--trust"],
        &["move", &path, "(3,4)"],
        &["congruent", &path, "(3,4)", "(9,10)"],
        &["set", "count", &path, "--box", "5"],
    ];
    for question in questions {
        refused(&[question, &["--play", "normal"]].concat(), "misere play");
        out(&[question, &["--play", "misere"]].concat(), "");
    }
    // The board of misère play lacks the origin, so that values are others.
    for (play, value) in [("normal", 0), ("misere", 1)] {
        let said = out(&["grundy", "exotic", "(3,4)", "--play", play, "--json"], "");
        let json: serde_json::Value = serde_json::from_str(&said).expect("JSON");
        assert_eq!((&json["play"], &json["grundy"]), (&play.into(), &value.into()), "{said}");
    }
}
