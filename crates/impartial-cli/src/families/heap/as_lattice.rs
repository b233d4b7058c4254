//! Heap games as lattice games: coordinate i counts heaps of the i-th size that has a move.

use super::HeapFamily;
use crate::args;
use crate::context::Context;
use crate::families::unsupported;
use crate::report::{Answer, Failure};

/// `info`.
pub fn info(_game: &HeapFamily, _cx: &Context, _args: &args::InfoArgs) -> Answer {
    unsupported("info", "heap")
}

/// `convert GAME --to lattice`.
pub fn lattice_file(_game: &HeapFamily, _cx: &Context, _max_heap: Option<u64>) -> Result<String, Failure> {
    unsupported("convert --to lattice", "heap")
}

/// `count`.
pub fn count(_game: &HeapFamily, _cx: &Context, _args: &args::CountArgs) -> Answer {
    unsupported("count", "heap")
}

/// `plot`.
pub fn plot(_game: &HeapFamily, _cx: &Context, _args: &args::PlotArgs) -> Answer {
    unsupported("plot", "heap")
}
