//! Games with rays, and Wythoff's game among them, through the command.

use crate::common::{file, impartial, out, refused};

#[test]
fn wythoff_is_solved_and_the_file_answers() {
    let (folder, _) = file("empty", "");
    let path = folder.path().join("w.json").to_str().expect("UTF-8").to_owned();
    assert!(out(&["solve", "wythoff", "-o", &path], "").contains("7 states, in fibonacci digits"));
    assert!(out(&["verify", &path], "").contains("the P-positions are exactly those"));
    assert_eq!(out(&["outcome", "wythoff", "8+13", "--strategy", &path], ""), "P");
    assert_eq!(out(&["move", "wythoff", "8+14", "--strategy", &path], ""), "8+13");
    assert_eq!(out(&["grundy", "wythoff", "4+7", "--strategy", &path], ""), "0");
    assert_eq!(out(&["count", &path, "--box", "1000"], ""), "763");
    // ⌊kφ⌋ for k = 10⁶⁰, by an integer square root.
    let a = "1618033988749894848204586834365638117720309179805762862135448";
    let b = "2618033988749894848204586834365638117720309179805762862135448";
    assert_eq!(out(&["outcome", "wythoff", &format!("{a}+{b}"), "--strategy", &path], ""), "P");
    refused(&["grundy", "wythoff", "4+4", "--strategy", &path], "--up-to");
    refused(&["outcome", "wythoff", "1+1", "--play", "misere", "--strategy", &path], "misere");
    // A flipped transition.
    let text = std::fs::read_to_string(&path).expect("a file");
    let (_folder, wrong) = file("wrong.json", &text.replacen("\"recurrence\":[1,1]", "\"recurrence\":[2,1]", 1));
    assert_eq!(impartial(&["verify", &wrong], "").status.code(), Some(1));
}

#[test]
fn lattice_files_have_rays() {
    let (_folder, path) = file("rooks.toml", "kind = 'lattice'\nrays = [[1, 0], [0, 1]]\nrules = [[1, 1]]\n");
    assert!(out(&["solve", &path, "--numeration", "binary"], "").contains("in binary digits"));
    assert_eq!(out(&["outcome", &path, "(1,2)"], ""), "P");
    assert_eq!(out(&["grundy", &path, "(1,1)"], ""), "2");
    assert_eq!(out(&["move", &path, "(2,2)"], ""), "(1,2)\n(2,1)");
    assert!(out(&["info", &path], "").contains("play ends"));
    refused(&["solve", &path, "--numeration", "golden"], "no numeration system is called \"golden\"");
    refused(&["solve", &path, "--grundy"], "--up-to");
    refused(&["outcome", &path, "(-1,2)"], "must not be negative");
    // Play ends at a terminal position: a move to it wins, and there is none from it.
    let text = "kind = 'lattice'\nrays = [[1, 0], [0, 1], [1, 1]]\nterminal = [[1, 1]]\n";
    let (folder, path) = file("ends.toml", text);
    let strategy = folder.path().join("s.json").to_str().expect("UTF-8").to_owned();
    assert!(out(&["solve", &path, "-o", &strategy], "").contains("in fibonacci digits"));
    assert!(out(&["verify", &strategy], "").contains("1 terminal position "));
    for more in [&[][..], &["--strategy", &strategy]] {
        assert_eq!(out(&[&["outcome", &path, "(1,1)"], more].concat(), ""), "P");
        assert_eq!(out(&[&["move", &path, "(4,4)"], more].concat(), ""), "(0,0)\n(1,1)");
    }
    assert!(out(&["info", &path], "").contains("play ends at [[1,1]]"));
    refused(&["outcome", &path, "(1,1)", "--play", "misere"], "contradicts `terminal`");
    let (_folder, path) = file("bad.toml", "kind = 'lattice'\nrays = [[1, -1]]\n");
    refused(&["solve", &path], "rays[0] has the negative entry -1");
}
