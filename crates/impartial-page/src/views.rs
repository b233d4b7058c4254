//! What the views load of the engine until they have answered, and how much that may be.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

/// Views that have answered, with what people can press there, and the parts of the engine that they may load beyond the first. The trial
/// `parts_of_the_engine_wait_until_they_are_needed` opens them.
pub const VIEWS: &[(&str, &str)] = &[
    ("#/", ""),
    ("#/index", ""),
    ("#/open", ""),
    ("#/game/nim?view=play&position=3%2B5%2B7", "heaps"),
    ("#/game/kayles?view=values&to=100", "check check-heaps heaps"),
    ("#/game/kayles", "heaps misere quotients"),
    ("#/game/0.123?play=misere&view=misere", "check check-heaps heaps misere quotients"),
    ("#/game/kayles?play=misere&view=play&position=3%2B4", "heaps misere quotients"),
    ("#/game/0.26?play=misere&view=misere&heap=10", "check check-heaps heaps misere quotients"),
    ("#/game/chomp:4x5?view=play", "posets"),
    ("#/game/divisors:12?view=posets", "check check-heaps check-kinds posets"),
    ("#/game/chomp-chains:5,3?view=posets", "chains check check-heaps check-kinds"),
    ("#/game/wythoff?view=play", "rays"),
    ("#/game/exotic?view=play&position=(4,4)", "points"),
    ("#/game/exotic", "pictures points strata"),
    ("#/game/exotic?view=misere", "points presentations quotients strata"),
    // The generating function is proved by the checker, and so is a conjecture.
    ("#/game/exotic?view=lattice", "check claims forms points strata"),
    ("#/game/infinite-quotient?view=lattice", "check points strata"),
    ("#/game/weakly-squarefree?view=lattice", "check points strata"),
];
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
    for (view, parts) in VIEWS {
        let mut bytes = first;
        for part in parts.split_whitespace() {
            bytes += sizes.iter().find(|(name, _)| *name == part).with_context(|| format!("no part {part}"))?.1;
        }
        println!("   {bytes:7} {view}");
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
