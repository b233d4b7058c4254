//! Heap games as lattice games: coordinate i counts heaps of the i-th size that has a move.

use num_bigint::BigUint;

use super::HeapGame;
use crate::error::{Error, Result};
use crate::game::lattice::{answer, info as lattice_info, solve_by, table as table_of};
use crate::game::plot;
use crate::game::report::{InfoReport, Picture};
use crate::game::strategy::Strategy;
use crate::game::{Ask, PlotAsk};
use crate::lattice::{HeapLattice, LatticeGame};
use crate::render::LatticeMap;
use crate::solve::parity_kernel::ParityKernel;
use crate::strategy::Standing;

/// The lattice form with heaps up to a bound, in the play asked for.
fn lattice(game: &HeapGame, max_heap: u64, ask: &Ask) -> Result<HeapLattice> {
    HeapLattice::new(&game.rules, max_heap, Some(ask.play_of(game.play)), ask.monitor)
        .map_err(|error| Error::from(error).at(&game.name))
}

fn lattice_game(game: &HeapGame, lattice: &HeapLattice, ask: &Ask) -> Result<LatticeGame> {
    LatticeGame::new(&lattice.description, ask.monitor).map_err(|error| Error::from(error).at(&game.name))
}

/// The sizes that are coordinates, in words.
fn coordinates(lattice: &HeapLattice) -> String {
    let shown: Vec<String> = lattice.sizes.iter().take(24).map(ToString::to_string).collect();
    let more = if lattice.sizes.len() > shown.len() { ", …" } else { "" };
    let dead = lattice.max_heap - lattice.sizes.len() as u64;
    let dropped = if dead == 0 { String::new() } else { format!(" ({dead} sizes without a move are dropped)") };
    format!("coordinates count heaps of sizes {}{more}{dropped}", shown.join(", "))
}

pub(super) fn info(game: &HeapGame, written: &str, ask: &Ask) -> Result<InfoReport> {
    let mut info = InfoReport::new(written, "heap");
    let Some(max_heap) = ask.max_heap else {
        let play = ask.play_of(game.play);
        info.fact("name", &game.name).fact("play", play).line(format!("{}: heap game, {play} play", game.name));
        if let Some(code) = game.rules.code() {
            let code = code.to_string();
            if code.len() <= 200 {
                info.line(format!("code {code}")).fact("code", code);
            }
        }
        info.fact("rules_json", game.rules.to_json()).line("give --max-heap N for its form as a lattice game");
        return Ok(info);
    };
    let lattice = lattice(game, max_heap, ask)?;
    info.fact("max_heap", max_heap).fact("sizes", &lattice.sizes);
    lattice_info::describe(info, &game.name, &lattice.description, &[coordinates(&lattice)], ask)
}

/// The learner on the game as a lattice game.
pub(super) fn learned(game: &HeapGame, max_heap: u64, ask: &Ask) -> Result<Strategy> {
    let lattice = lattice(game, max_heap, ask)?;
    solve_by(&game.name, &lattice_game(game, &lattice, ask)?, ask)
}

/// P₀ + 2ℕᵈ by the dynamic programme over {0,1}ᵈ.
pub(super) fn table(game: &HeapGame, max_heap: u64, ask: &Ask) -> Result<Strategy> {
    let lattice = lattice(game, max_heap, ask)?;
    table_of(lattice_game(game, &lattice, ask)?, &game.name, ask)
}

/// The game as the text of a lattice game file.
pub(crate) fn toml(game: &HeapGame, ask: &Ask) -> Result<String> {
    let max_heap = ask.max_heap.ok_or_else(|| {
        Error::input("a heap game has infinitely many heap sizes; bound them with --max-heap, e.g. 6")
    })?;
    let lattice = lattice(game, max_heap, ask)?;
    let coordinates = coordinates(&lattice);
    Ok(format!(
        "# {coordinates}\n{}",
        lattice.description.named(format!("{} up to heap {max_heap}", game.name)).to_toml()
    ))
}

/// The most coordinates of a parity kernel that nobody asked for by name.
pub(super) const MOST_COORDINATES: u64 = 10_000;

/// A large bound is hardly meant as a number of coordinates, and would take minutes.
pub(super) fn too_many_coordinates(max_heap: u64) -> Error {
    Error::Input(format!(
        "--max-heap {max_heap}: in normal play this bounds the heaps of a strategy with one coordinate for each size, at most \
         {MOST_COORDINATES}; to look for a period up to this heap write --to {max_heap}, and for as many coordinates --method kernel"
    ))
}

/// The parity kernel of the heaps up to a bound, in normal play.
pub(super) fn kernel(game: &HeapGame, max_heap: u64, ask: &Ask) -> Result<Strategy> {
    if game.rules.code().is_some() {
        return Ok(Strategy::heap_kernel(&game.rules, ParityKernel::of_heaps(&game.rules, max_heap, ask.monitor)?));
    }
    // General clauses are the lattice game that they are with bounded heaps.
    let lattice = lattice(game, max_heap, ask)?;
    let lattice = lattice_game(game, &lattice, ask)?;
    let kernel = ParityKernel::of_lattice(&lattice)
        .ok_or_else(|| Error::Input(format!("{}: heaps in normal play have no parity kernel here", game.name)))?;
    Ok(Strategy::lattice_kernel(lattice, kernel))
}

/// The box has one size for each heap size 1, 2, …
pub(crate) fn count(
    game: &HeapGame,
    written: &str,
    sizes: &[BigUint],
    ask: &Ask,
) -> Result<(BigUint, String, Option<Standing>)> {
    let max_heap = sizes.len() as u64;
    let lattice = lattice(game, max_heap, ask)?;
    if lattice.sizes.len() as u64 != max_heap {
        return Err(Error::Input(format!(
            "{}: not every heap size up to {max_heap} has a move; count on the file of \
             `impartial convert {written} --to lattice --max-heap {max_heap}`",
            game.name
        )));
    }
    answer::count(&lattice_game(game, &lattice, ask)?, sizes, ask)
}

/// Two heap sizes against each other, cell by cell.
pub(crate) fn cells(game: &HeapGame, plot: &PlotAsk, ask: &Ask) -> Result<LatticeMap> {
    let max_heap = plot.slice.as_ref().map_or(2, |slice| slice.split(',').count() as u64);
    let lattice = lattice(game, max_heap, ask)?;
    let name = format!("{}: number of heaps of each size", game.name);
    plot::lattice::cells(&name, &lattice_game(game, &lattice, ask)?, plot, ask)
}

/// Two heap sizes against each other.
pub(crate) fn plot(game: &HeapGame, written: &str, plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
    Ok(plot::map(written, &cells(game, plot, ask)?))
}
