//! Lattice games through the command: bad input, sizes beyond every limit, and pictures.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).expect("a writable folder");
        path.to_str().expect("UTF-8").to_owned()
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("UTF-8").to_owned()
    }
}

fn impartial(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_impartial")).args(args).output().expect("the command runs")
}

/// One message on stderr, nothing on stdout, the exit code.
fn refused(args: &[&str], code: i32, words: &str) {
    let output = impartial(args);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {message}");
    assert!(message.contains(words), "{args:?}: {message}");
    assert_eq!(message.matches("impartial: ").count(), 1, "{args:?}: {message}");
    assert!(message.len() < 600, "{args:?}: {} bytes", message.len());
}

#[test]
fn bad_games_are_refused_with_one_message() {
    let folder = Folder::new();
    let board = |rows: &str| format!("rules = [[1, 0], [0, 1]]\n[board]\ninequalities = {rows}");
    let cases = [
        ("rules = [[1, 0], [0, 0]]".to_owned(), "rules[1] is the zero vector"),
        ("rules = [[1, 0], [1]]".to_owned(), "rules[1] has 1 entries, but 2 are needed"),
        ("rules = [[1, 0]]\ndefeated = [[0, 0, 0]]".to_owned(), "defeated[0] has 3 entries, but 2 are needed"),
        ("rules = []".to_owned(), "`rules` is empty"),
        ("rules = [[]]".to_owned(), "rules[0] has no entries"),
        ("defeated = [[0]]".to_owned(), "missing field `rules`"),
        ("rules = [[1, 0], [0, 1]]\ndefeated = [[0, -1]]".to_owned(), "defeated[0] = (0,-1) does not lie on the board"),
        ("rules = [[1, -1], [-1, 1]]".to_owned(), "play need not end"),
        (board("[[1, 0, 0]]"), "not pointed"),
        (board("[[1, 0, 0], [-1, 0, 2], [0, 1, 0]]"), "recession cone has dimension 1 instead of 2"),
        (board("[[1, 0, -5], [-1, 0, 2], [0, 1, 0]]"), "the board has no lattice points"),
        (board("[[1, 0], [0, 1]]"), "board.inequalities[0] has 2 entries, but 3 are needed"),
        ("rules = [[1, 9999999999999]]".to_owned(), "between -2^40 and 2^40"),
    ];
    for (text, words) in cases {
        let path = folder.file("game.toml", &format!("kind = \"lattice\"\n{text}\n"));
        if words != "play need not end" {
            // `info` says which axiom is broken.
            refused(&["info", &path], 2, words);
        }
        refused(&["solve", &path], 2, words);
        refused(&["outcome", &path, "(0,0)"], 2, words);
    }
    let sound =
        folder.file("sound.toml", "kind = \"lattice\"\nrules = [[1, 0], [0, 1], [2, 2]]\ndefeated = [[0, 0]]\n");
    refused(&["outcome", &sound, "(1,2,3)"], 2, "has 3 coordinates, but the game has 2");
    refused(&["outcome", &sound, "(1,x)"], 2, "no integer");
    refused(&["outcome", &sound, "(-1,2)"], 2, "does not lie on the board");
    refused(&["outcome", &sound, "(0,0)"], 2, "is defeated");
    refused(&["count", &sound, "--box", "3,4,5"], 2, "--box has 3 sizes");
}

#[test]
fn ten_megabytes_of_brackets_are_refused_in_little_memory() {
    let folder = Folder::new();
    for (name, text) in [
        ("a.toml", format!("kind = \"lattice\"\nrules = {}", "[".repeat(10 << 20))),
        ("b.toml", "[1,{".repeat(5 << 19)),
        ("c.json", format!("{{\"format\": {}", "[".repeat(10 << 20))),
    ] {
        let path = folder.file(name, &text);
        refused(&["outcome", &path, "(0,0)", "--memory-limit", "256MiB"], 2, "impartial: ");
        let output = impartial(&["verify", &path]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        let verdict = String::from_utf8_lossy(&output.stdout);
        assert!(verdict.starts_with("refused: not JSON") && verdict.len() < 300, "{name}");
    }
}

/// 10¹² positions and more: a limit, reached before memory is taken.
#[test]
fn sizes_beyond_memory_are_a_limit() {
    let folder = Folder::new();
    let game = folder.file("game.toml", "kind = \"lattice\"\nrules = [[1, 0], [0, 1], [2, 2]]\n");
    // Boxes that no recursion fills are counted by a strategy.
    for (sizes, expected) in
        [("1000000,1000000", "333333666666"), ("99999999999999999999999,2", "99999999999999999999999")]
    {
        let output = impartial(&["count", &game, "--box", sizes]);
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), expected);
    }
    let wild = "kind = \"lattice\"\nrules = [[-2, 3], [-1, 4], [0, 1], [2, 1], [4, -2], [5, -2]]\n";
    let wild = folder.file("wild.toml", wild);
    refused(&["count", &wild, "--box", "3000000,3000000"], 3, "stopped: the limit of");
    // A closure of defeated positions that would not end soon.
    let ideal = "kind = \"lattice\"\nrules = [[1, 0], [0, 1]]\ndefeated = [[1000000, 1000000]]\n";
    refused(&["info", &folder.file("ideal.toml", ideal)], 3, "vectors below the defeated positions");
    refused(&["plot", &game, "--box", "1000000", "-o", &folder.path("x.svg")], 2, "between 1 and 4000");
}

/// The size and the pixels of a PNG file.
fn pixels(path: &str) -> (u32, u32, Vec<u8>) {
    let decoder = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(path).expect("the picture is there")));
    let mut reader = decoder.read_info().expect("a PNG file");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut bytes).expect("one frame");
    assert_eq!(info.color_type, png::ColorType::Rgb);
    (info.width, info.height, bytes)
}

fn plotted(args: &[&str]) -> Value {
    let output = impartial(&[args, &["--json"]].concat());
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

const P: [u8; 3] = [22, 66, 120];

#[test]
fn pictures_show_the_outcomes() {
    let folder = Folder::new();
    let game = folder.file("exotic.toml", "kind = \"lattice\"\nname = \"exotic\"\nrules = [[1, 0], [0, 1], [2, 2]]\n");
    let (svg, png) = (folder.path("x.svg"), folder.path("x.png"));
    plotted(&["plot", &game, "--box", "12,9", "-o", &svg]);
    let text = std::fs::read_to_string(&svg).unwrap();
    assert!(text.starts_with("<svg xmlns") && text.trim_end().ends_with("</svg>"));
    assert!(text.contains("exotic: P and N"));
    for label in [">x1<", ">x2<", ">0<", ">10<", ">P<", ">N<"] {
        assert!(text.contains(label), "{label}");
    }
    let report = plotted(&["plot", &game, "--box", "12,9", "-o", &png]);
    assert_eq!((&report["columns"], &report["rows"]), (&12.into(), &9.into()));
    let (width, height, bytes) = pixels(&png);
    // Cells are 28 pixels wide and begin at (72, 64); the lowest row is drawn lowest; small pictures have twice as many pixels.
    let at = |x: usize, y: usize| {
        let i = (2 * (64 + (8 - y) * 28 + 6) * width as usize + 2 * (72 + x * 28 + 6)) * 3;
        [bytes[i], bytes[i + 1], bytes[i + 2]]
    };
    assert!(width > 12 * 28 && height > 9 * 28);
    for (x, y, is_p) in
        [(0, 0, true), (1, 1, true), (2, 2, false), (1, 0, false), (4, 3, true), (5, 5, false), (6, 6, true)]
    {
        assert_eq!(at(x, y) == P, is_p, "({x},{y})");
    }
}

#[test]
fn pictures_of_every_kind_and_size_are_written() {
    let folder = Folder::new();
    let exotic = folder.file("exotic.toml", "kind = \"lattice\"\nrules = [[1, 0], [0, 1], [2, 2]]\n");
    let cone =
        "kind = \"lattice\"\nrules = [[1, 2], [1, -1], [2, 0]]\n[board]\ninequalities = [[1, -1, 0], [1, 1, 0]]\n";
    let cone = folder.file("cone.toml", cone);
    let triple = "kind = \"lattice\"\nrules = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [2, 2, 2]]\ndefeated = [[1, 0, 0]]\n";
    let triple = folder.file("triple.toml", triple);
    let (svg, png) = (folder.path("x.svg"), folder.path("x.png"));
    let written = |path: &str| std::fs::metadata(Path::new(path)).unwrap().len();
    for out in [&svg, &png] {
        plotted(&["plot", &exotic, "--box", "20", "--grundy", "-o", out]);
        assert!(written(out) > 1000);
        // A board with negative coordinates is drawn where it lies.
        plotted(&["plot", &cone, "--box", "20", "-o", out]);
        plotted(&["plot", &triple, "--slice", "(*,1,*)", "--box", "30,20", "-o", out]);
        plotted(&["plot", &triple, "--slice", "(*,1,*)", "--box", "30,20", "--grundy", "-o", out]);
        plotted(&["plot", &exotic, "--box", "1500,900", "-o", out]);
    }
    let (width, height, _) = pixels(&png);
    assert!(width >= 1500 && height >= 900);
    plotted(&["plot", &cone, "--box", "20", "-o", &svg]);
    assert!(std::fs::read_to_string(&svg).unwrap().contains(">-10<"));
    plotted(&["plot", &triple, "--slice", "(*,1,*)", "--box", "9", "--grundy", "-o", &svg]);
    let text = std::fs::read_to_string(&svg).unwrap();
    assert!(
        text.contains("Grundy values, x2 = 1") && text.contains(">x3<") && text.contains("fill=\"#ffffff\">0<"),
        "{text}"
    );
    plotted(&["plot", &triple, "--slice", "(*,0,*)", "--box", "9", "-o", &svg]);
    assert!(std::fs::read_to_string(&svg).unwrap().contains(">defeated<"));
    for (args, words) in [
        (["--slice", "(*,*,*)"], "at most two"),
        (["--slice", "(*,*)"], "give 3 entries"),
        (["--slice", "(*,*,-1)"], "no position of the board"),
        (["--box", "0"], "between 1 and 4000"),
    ] {
        refused(&["plot", &triple, args[0], args[1], "-o", &svg], 2, words);
    }
    refused(&["plot", &exotic, "-o", "picture.gif"], 2, "x.svg, x.png or x.pdf");
}

#[test]
fn strata_are_drawn_in_colours_with_arrows() {
    let folder = Folder::new();
    let game = folder.file("exotic.toml", "kind = \"lattice\"\nrules = [[1, 0], [0, 1], [2, 2]]\n");
    let (solved, strata) = (folder.path("solved.json"), folder.path("strata.json"));
    assert!(impartial(&["solve", &game, "-o", &solved]).status.success());
    assert!(impartial(&["convert", &solved, "--to", "stratification", "-o", &strata]).status.success());
    let (svg, png) = (folder.path("x.svg"), folder.path("x.png"));
    plotted(&["plot", &strata, "--box", "24", "-o", &svg]);
    let text = std::fs::read_to_string(&svg).unwrap();
    for label in ["F1 (4 bases) + N{(0,2),(6,6)}", "F2 (4 bases) + N{(2,0),(6,6)}", "strata: strata"] {
        assert!(text.contains(label), "{label}");
    }
    // Four arrows, each on a rim, with four heads.
    assert_eq!((text.matches("<line").count(), text.matches("<polygon").count()), (8, 4));
    plotted(&["plot", &strata, "--box", "24", "-o", &png]);
    let (width, _, bytes) = pixels(&png);
    let at = |x: usize, y: usize| {
        let i = (2 * (64 + (23 - y) * 25 + 3) * width as usize + 2 * (72 + x * 25 + 3)) * 3;
        [bytes[i], bytes[i + 1], bytes[i + 2]]
    };
    // (20,3) is 4 + 16 to the right of a base, (3,20) above one; (2,2) is an N-position.
    assert_eq!((at(20, 3), at(3, 20)), ([230, 120, 20], [31, 119, 180]));
    assert_eq!(at(2, 2), [236, 236, 236]);
    refused(&["plot", &strata, "--grundy", "-o", &png], 2, "knows no Grundy values");
}
