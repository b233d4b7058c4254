//! What the views load of the engine until they have answered, and how much that may be.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

/// What a person presses in a view that has answered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Press {
    /// "Show P and N" where there is a board, and nothing else.
    Nothing,
    /// "Hint" and "Why?".
    Help,
    /// "Check it in this browser", every one that is there.
    Check,
    /// The check, and "Prove it" of the conjecture.
    Prove,
    /// Every export, and the check.
    Exports,
}

use Press::{Check, Exports, Help, Nothing, Prove};

impl Press {
    /// What is pressed, after a view.
    pub fn told(self) -> &'static str {
        match self {
            Nothing => "",
            Help => ", hint and reasons",
            Check => ", checked",
            Prove => ", checked and a conjecture proved",
            Exports => ", every export, checked",
        }
    }
}

/// A view, what is pressed there, and the parts of the engine that it may load beyond the first until all has answered. The trial
/// `parts_of_the_engine_wait_until_they_are_needed` opens them.
pub const VIEWS: &[(&str, Press, &str)] = &[
    ("#/", Nothing, ""),
    ("#/index", Nothing, ""),
    ("#/open", Nothing, ""),
    ("#/about", Nothing, ""),
    ("#/game/nim?view=play&position=3%2B5%2B7", Help, "heaps"),
    ("#/game/kayles?view=values&to=100", Nothing, "heaps"),
    ("#/game/kayles?view=values&to=100", Check, "check check-heaps heaps"),
    ("#/game/grundys-game?view=values&to=5000", Nothing, "heaps"),
    ("#/game/kayles?view=lattice", Nothing, "heaps points"),
    ("#/game/kayles?view=export", Exports, "check check-heaps heaps pictures"),
    ("#/game/kayles", Check, "check check-heaps heaps misere quotients"),
    ("#/game/kayles?play=misere&view=play&position=3%2B4", Help, "heaps misere"),
    ("#/game/0.123?play=misere&view=misere", Nothing, "heaps misere quotients"),
    ("#/game/0.123?play=misere&view=misere", Check, "check check-heaps heaps misere quotients"),
    ("#/game/0.123?play=misere&view=export", Exports, "check check-heaps heaps misere pictures quotients"),
    ("#/game/0.26?play=misere&view=misere&heap=10", Check, "check check-heaps heaps misere quotients"),
    ("#/game/0.26?play=misere&view=export", Exports, "check check-heaps families heaps misere pictures quotients"),
    ("#/game/chomp:4x5?view=play", Help, "posets"),
    ("#/game/chomp:4x5", Check, "check check-kinds pictures posets"),
    ("#/game/chomp:4x5?view=export", Exports, "check check-kinds pictures posets"),
    ("#/game/divisors:12?view=posets", Nothing, "posets"),
    ("#/game/divisors:12?view=posets", Check, "check check-kinds posets"),
    ("#/game/chomp-chains:5,3?view=play", Help, "chains"),
    ("#/game/chomp-chains:5,3", Check, "chains check check-kinds pictures"),
    ("#/game/chomp-chains:5,3?view=posets", Check, "chains check check-kinds"),
    ("#/game/chomp-chains:2?view=export", Exports, "chains check check-kinds forms pictures strata"),
    ("#/game/wythoff?view=play", Help, "rays"),
    ("#/game/wythoff", Check, "check check-kinds pictures rays"),
    ("#/game/wythoff?view=export", Exports, "check check-kinds pictures rays"),
    ("#/game/exotic?view=play&position=(4,4)", Help, "points"),
    ("#/game/exotic", Check, "check pictures points sets"),
    ("#/game/exotic?view=misere", Nothing, "points presentations quotients sets"),
    ("#/game/exotic?view=misere", Check, "check check-kinds points presentations quotients sets"),
    // The generating function is proved by the checker, and so is a conjecture.
    ("#/game/exotic?view=lattice", Check, "check points sets strata"),
    ("#/game/exotic?view=lattice&colour=grundy", Check, "check points sets strata"),
    ("#/game/exotic?view=lattice", Prove, "check check-sectors claims points sets strata"),
    ("#/game/exotic?view=export", Exports, "check forms pictures points sets strata"),
    ("#/game/infinite-quotient", Check, "check pictures points sets strata"),
    ("#/game/infinite-quotient?view=lattice", Check, "check points sets strata"),
    ("#/game/infinite-quotient?view=export", Exports, "check forms pictures points sets strata"),
    ("#/game/weakly-squarefree?view=lattice", Check, "check points sets strata"),
    ("#/game/weakly-squarefree?view=export", Exports, "check forms pictures points sets strata"),
    ("#/game/finks-game?view=play", Help, "points sets"),
    (GRAPH, Help, "sums"),
    (SUM, Help, "heaps posets sums"),
];
/// A graph and a sum, as game files.
const GRAPH: &str = "#/game/kind%20%3D%20%22graph%22%0A%5Bmoves%5D%0Aa%20%3D%20%5B%22b%22%2C%20%22c%22%5D%0Ab%20%3D%20%5B%22c%22%5D%0Ac%20%3D%20%5B%5D?view=play";
const SUM: &str = "#/game/kind%20%3D%20%22sum%22%0Aparts%20%3D%20%5B%220.77%22%2C%20%22chomp%3A2x3%22%5D?view=play";
/// Whether the engine was built for hosting. In one that is compiled soon, what is otherwise within other functions stands by itself, and
/// other parts are loaded.
pub static HOSTING: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);
/// The most bytes that the parts of a view take up on their way to a browser.
pub const MOST: usize = 700_000;

/// Tells how large the parts are as a server sends them, and that no view loads too much.
pub fn weigh(engine: &Path, later: &[&str]) -> Result<()> {
    let first = compressed(&engine.join("impartial_web_bg.wasm"))?;
    let mut sizes = vec![("first", first)];
    for name in later {
        sizes.push((name, compressed(&engine.join(format!("{name}.wasm")))?));
    }
    let sum: usize = sizes.iter().map(|(_, bytes)| bytes).sum();
    let list: Vec<String> = sizes.iter().map(|(name, bytes)| format!("{name} {bytes}")).collect();
    println!("== bytes of the engine's parts, compressed: {}; all {sum}", list.join(", "));
    for (view, press, parts) in VIEWS {
        let mut bytes = first;
        for part in parts.split_whitespace() {
            bytes += sizes.iter().find(|(name, _)| *name == part).with_context(|| format!("no part {part}"))?.1;
        }
        println!("   {bytes:7} {view}{}", press.told());
        if bytes > MOST {
            bail!("{view} loads {bytes} bytes of the engine, compressed, which is more than {MOST}");
        }
    }
    Ok(())
}

/// The bytes of a file as `brotli -q 11` leaves it.
fn compressed(file: &Path) -> Result<usize> {
    let bytes = fs::read(file).with_context(|| format!("{}", file.display()))?;
    let mut writer = brotli::CompressorWriter::new(Vec::new(), 1 << 16, 11, 22);
    writer.write_all(&bytes)?;
    Ok(writer.into_inner().len())
}
