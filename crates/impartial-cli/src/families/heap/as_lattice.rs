//! Heap games as lattice games: coordinate i counts heaps of the i-th size that has a move.

use impartial::lattice::{HeapLattice, LatticeGame};
use impartial::solve::parity_kernel::ParityKernel;
use impartial::strategy::parity_kernel::{heap_envelope, lattice_envelope};
use semilinear::run::Monitor as _;
use serde_json::json;

use super::HeapFamily;
use crate::args;
use crate::context::Context;
use crate::families::Family as _;
use crate::families::lattice::{answer, failure, info as lattice_info, kernel_report, plot as lattice_plot, position};
use crate::files;
use crate::report::{Answer, Failure, Report, bad_input};

/// The lattice form with heaps up to a bound, in the play asked for.
fn lattice(game: &HeapFamily, cx: &Context, max_heap: u64) -> Result<HeapLattice, Failure> {
    HeapLattice::new(&game.rules, max_heap, Some(cx.play(game.play)), cx).map_err(|error| failure(&game.name, error))
}

/// The sizes that are coordinates, in words.
fn coordinates(lattice: &HeapLattice) -> String {
    let shown: Vec<String> = lattice.sizes.iter().take(24).map(ToString::to_string).collect();
    let more = if lattice.sizes.len() > shown.len() { ", …" } else { "" };
    let dead = lattice.max_heap - lattice.sizes.len() as u64;
    let dropped = if dead == 0 { String::new() } else { format!(" ({dead} sizes without a move are dropped)") };
    format!("coordinates count heaps of sizes {}{more}{dropped}", shown.join(", "))
}

/// `info`.
pub fn info(game: &HeapFamily, cx: &Context, args: &args::InfoArgs) -> Answer {
    let Some(max_heap) = args.max_heap else {
        let mut json = json!({"game": args.game, "name": game.name, "kind": "heap", "play": cx.play(game.play)});
        let mut lines = vec![format!("{}: heap game, {} play", game.name, cx.play(game.play))];
        if let Some(code) = game.rules.code() {
            let code = code.to_string();
            if code.len() <= 200 {
                lines.push(format!("code {code}"));
                json["code"] = json!(code);
            }
        }
        json["rules_json"] = game.rules.to_json();
        lines.push("give --max-heap N for its form as a lattice game".into());
        return Ok(Report::new(json, lines.join("\n")));
    };
    let lattice = lattice(game, cx, max_heap)?;
    let json = json!({"kind": "heap", "max_heap": max_heap, "sizes": lattice.sizes});
    lattice_info::report(cx, &args.game, &game.name, &lattice.description, json, &[coordinates(&lattice)])
}

/// `solve --method learn --max-heap n`: the learner on the game as a lattice game.
pub fn learn(game: &HeapFamily, cx: &Context, args: &args::SolveArgs, max_heap: u64) -> Answer {
    let lattice = lattice(game, cx, max_heap)?;
    let game = LatticeGame::new(&lattice.description, cx).map_err(|error| failure(&game.name, error))?;
    crate::learning::solve(cx, &args.game, &game, args.method.as_deref(), args.output.as_deref())
}

/// `convert GAME --to lattice`.
pub fn lattice_file(game: &HeapFamily, cx: &Context, max_heap: Option<u64>) -> Result<String, Failure> {
    let max_heap = max_heap
        .ok_or_else(|| bad_input("a heap game has infinitely many heap sizes; bound them with --max-heap, e.g. 6"))?;
    let mut lattice = lattice(game, cx, max_heap)?;
    lattice.description.name = Some(format!("{} up to heap {max_heap}", game.name));
    Ok(format!("# {}\n{}", coordinates(&lattice), lattice.description.to_toml()))
}

/// `solve --max-heap` in normal play: the parity kernel.
pub fn solve(game: &HeapFamily, cx: &Context, args: &args::SolveArgs, max_heap: u64) -> Answer {
    let kernel = ParityKernel::of_heaps(&game.rules, max_heap, cx)?;
    let envelope = if game.rules.code().is_some() {
        Some(heap_envelope(&game.rules, &kernel))
    } else if args.output.is_some() {
        // General clauses are written as the lattice game that they are with bounded heaps.
        let lattice = lattice(game, cx, max_heap)?;
        let lattice = LatticeGame::new(&lattice.description, cx).map_err(|error| failure(&game.name, error))?;
        ParityKernel::of_lattice(&lattice).map(|kernel| lattice_envelope(&lattice, &kernel))
    } else {
        None
    };
    if let (Some(path), Some(envelope)) = (&args.output, envelope) {
        files::write(path, envelope.to_text().as_bytes())?;
    }
    cx.trace(&|| format!("values of heaps 1..={max_heap} by mex"));
    Ok(kernel_report(cx, &args.game, &kernel, args.output.as_deref()))
}

/// `count`: the box has one size for each heap size 1, 2, …; dead heaps count as well, they change nothing.
pub fn count(game: &HeapFamily, cx: &Context, args: &args::CountArgs) -> Answer {
    let max_heap = args.sizes.split(',').count() as u64;
    let lattice = lattice(game, cx, max_heap)?;
    if lattice.sizes.len() as u64 != max_heap {
        return Err(bad_input(format!(
            "{}: not every heap size up to {max_heap} has a move; count on the file of \
             `impartial convert {} --to lattice --max-heap {max_heap}`",
            game.name(),
            args.game
        )));
    }
    let lattice = LatticeGame::new(&lattice.description, cx).map_err(|error| failure(&game.name, error))?;
    let sizes = position::sizes(&args.sizes, lattice.dimension())?;
    let (count, method) = answer::count(cx, &lattice, &sizes)?;
    Ok(answer::count_report(&args.game, &args.sizes, &count, &method))
}

/// `plot`: two heap sizes against each other.
pub fn plot(game: &HeapFamily, cx: &Context, args: &args::PlotArgs) -> Answer {
    let max_heap = args.slice.as_ref().map_or(2, |slice| slice.split(',').count() as u64);
    let lattice = lattice(game, cx, max_heap)?;
    let name = format!("{}: number of heaps of each size", game.name);
    let lattice = LatticeGame::new(&lattice.description, cx).map_err(|error| failure(&game.name, error))?;
    lattice_plot::game(cx, &lattice, &name, args)
}
