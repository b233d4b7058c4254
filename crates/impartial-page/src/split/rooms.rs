//! Which room of the engine is in which part.

/// A part after the first.
pub struct Later {
    pub name: &'static str,
    /// The part that every question needs first that needs this one, if there is one: what both call is in that.
    pub after: Option<&'static str>,
    /// The rooms whose functions it has, by their paths, with all that only these call. A room that is missing here, or in a part where few
    /// look for it, costs bytes, not answers.
    pub rooms: &'static [&'static str],
}

/// The parts after the first.
pub const LATER: &[Later] = &[
    Later {
        name: "points",
        after: None,
        rooms: &[
            "impartial::game::lattice::",
            "impartial::game::plot::PlotAsk",
            "impartial::game::plot::lattice::",
            "impartial::lattice::",
            "impartial::render::lattice_map::LatticeMap",
            "impartial::solve::parity_kernel::",
            "impartial::strategy::parity_kernel::",
            "impartial_lattice::",
            "semilinear::integer::bareiss::",
            "semilinear::integer::hermite::",
            "semilinear::integer::lll::",
            "semilinear::integer::matrix::",
            "semilinear::integer::rat::",
            "semilinear::polyhedron::cone::",
        ],
    },
    Later {
        name: "sets",
        after: Some("points"),
        rooms: &[
            "impartial::game::form::points::<impl impartial::game::form::Answers for impartial::strategy::automaton::AutomatonStrategy>::summary",
            "impartial::game::form::points::found",
            "impartial::strategy::automaton::AutomatonStrategy::learned",
            "impartial::strategy::automaton::AutomatonStrategy::to_envelope",
            "impartial::strategy::automaton::table_json",
            "impartial::strategy::board::",
            "semilinear::integer::lp::",
            "semilinear::vectorset::",
        ],
    },
    Later {
        name: "strata",
        after: Some("sets"),
        rooms: &[
            "impartial::game::convert::",
            "impartial::game::form::points::<impl impartial::game::form::Answers for impartial::strategy::series::SeriesStrategy>::show",
            "impartial::game::form::points::<impl impartial::game::form::Answers for impartial::strategy::stratification::StratificationStrategy>::show",
            "impartial::game::form::points::<impl impartial::game::form::Answers for impartial::strategy::automaton::AutomatonStrategy>::outcome",
            "impartial::game::form::points::<impl impartial::game::form::Answers for impartial::strategy::stratification::StratificationStrategy>::summary",
            "impartial::solve::blocks::margin::",
            "impartial::solve::blocks::shape::",
            "impartial::solve::blocks::symmetry::",
            "impartial::render::stratification::stratification",
            "impartial::solve::sector::proof::",
            "impartial::solve::learn::",
            "impartial::strategy::automaton::",
            "impartial::strategy::modules::",
            "impartial::strategy::series::",
            "impartial::strategy::standing::strata",
            "impartial::strategy::stratification::",
            "semilinear::semigroup::extract::",
            "semilinear::semigroup::frame::",
            "semilinear::semigroup::merge::",
            "semilinear::semigroup::modules::",
            "semilinear::semigroup::stratification::",
            "semilinear::series::coefficient::Coefficients::new",
            "semilinear::series::simplify::",
            "semilinear::series::term::",
        ],
    },
    Later {
        name: "cones",
        after: Some("strata"),
        rooms: &[
            "impartial::strategy::fibres::",
            "semilinear::integer::smith::",
            "semilinear::polyhedron::",
            "semilinear::semigroup::",
            "semilinear::series::",
        ],
    },
    Later {
        name: "sectors",
        after: Some("strata"),
        rooms: &[
            "impartial::solve::sector::",
            "impartial::strategy::sectors::",
            "semilinear::vectorset::image::<impl semilinear::vectorset::Labelled<bool>>::image",
        ],
    },
    Later {
        name: "blocks",
        after: Some("strata"),
        rooms: &[
            "impartial::solve::blocks::",
            "impartial::strategy::blocks::",
            "impartial::strategy::characters::",
            "impartial::strategy::grundy_automaton::",
            "impartial::strategy::pairs::",
            "impartial_lattice::learn::stepwise::",
            "impartial_lattice::threads::",
        ],
    },
    Later {
        name: "forms",
        after: Some("strata"),
        rooms: &[
            "impartial::game::convert::blocks_to_automaton",
            "impartial::game::convert::grundy_to_automaton",
            "impartial::game::convert::heaps_to_lattice",
            "impartial::game::convert::kernel_to",
            "impartial::game::convert::misere_to",
            "impartial::game::convert::presentation_to_automaton",
            "impartial::game::convert::sectors_to_stratification",
            "impartial::game::form::points::",
            "impartial::render::automaton::",
            "impartial::render::graph::",
            "impartial::render::series::",
            "impartial::render::stratification::",
            "impartial::strategy::automaton::AutomatonStrategy::count",
            "impartial::strategy::automaton::AutomatonStrategy::from_envelope",
            "impartial::strategy::stratification::StratificationStrategy::count",
            "impartial::strategy::stratification::StratificationStrategy::from_envelope",
            "impartial::strategy::stratification::StratificationStrategy::outcome",
            "impartial::strategy::stratification::StratificationStrategy::vector_set",
            "semilinear::vectorset::count::",
            "semilinear::vectorset::linear::<impl semilinear::vectorset::Labelled<bool>>::congruence_big",
        ],
    },
    Later { name: "check", after: None, rooms: &["impartial_check::"] },
    Later {
        name: "check-heaps",
        after: Some("check"),
        rooms: &[
            "impartial_check::clauses::",
            "impartial_check::dominance::",
            "impartial_check::follow::",
            "impartial_check::forms::heaps",
            "impartial_check::heap::",
            "impartial_check::induction::",
            "impartial_check::mex::",
            "impartial_check::misere::",
            "impartial_check::monoid::",
            "impartial_check::normal_play::",
            "impartial_check::period::",
            "impartial_check::ranks::",
            "impartial_check::rare::",
        ],
    },
    Later {
        name: "check-sectors",
        after: Some("check"),
        rooms: &["impartial_check::blocks::", "impartial_check::sectors::"],
    },
    Later {
        name: "check-kinds",
        after: Some("check"),
        rooms: &[
            "impartial_check::chains::",
            "impartial_check::characters::",
            "impartial_check::numeration::",
            "impartial_check::others",
            "impartial_check::presentation::",
            "impartial_check::sets::",
            "impartial_check::table::",
        ],
    },
    Later {
        name: "misere",
        after: Some("heaps"),
        rooms: &[
            "impartial::game::heap::misere::",
            "impartial::game::heap::search::",
            "impartial::solve::quotient::",
            "impartial::strategy::congruence::",
            "impartial::strategy::quotient::",
            "impartial_web::desk::congruent",
        ],
    },
    Later {
        name: "counters",
        after: Some("misere"),
        rooms: &[
            "impartial::solve::quotient::counted_repair::",
            "impartial::solve::quotient::counters::",
            "impartial::solve::quotient::grid::",
            "impartial::solve::quotient::guess::",
            "impartial::solve::quotient::shift::",
            "impartial::strategy::counters::",
        ],
    },
    Later {
        name: "families",
        after: Some("misere"),
        rooms: &[
            "impartial::game::form::heaps::<impl impartial::game::form::Answers for impartial::strategy::dominance",
            "impartial::game::form::heaps::<impl impartial::game::form::Answers for impartial::strategy::ranks",
            "impartial::game::heap::misere::dominance_moves",
            "impartial::game::heap::misere::ranks_moves",
            "impartial::solve::quotient::dominance::",
            "impartial::solve::quotient::ranks::",
            "impartial::strategy::dominance::",
            "impartial::strategy::ranks::",
        ],
    },
    Later {
        name: "quotients",
        after: None,
        rooms: &["impartial::game::report::quotient::", "impartial::render::quotient::"],
    },
    Later {
        name: "heaps",
        after: None,
        rooms: &[
            "impartial::game::form::heaps::",
            "impartial::game::heap::",
            "impartial::game::report::quotient::rules_text",
            "impartial::heap::",
            "impartial::solve::sequence::",
            "impartial::strategy::nim_sequence::",
            "impartial_web::desk::values",
        ],
    },
    Later {
        name: "long-sequences",
        after: Some("heaps"),
        rooms: &[
            "impartial::solve::sequence::checkpoint::",
            "impartial::solve::sequence::ring::",
            "impartial::solve::sequence::stream::",
            "impartial::solve::sequence::window::",
            "impartial::strategy::nim_sequence::NimSequence::from_envelope",
            "impartial::strategy::nim_sequence::NimSequence::winning_moves",
        ],
    },
    Later {
        name: "posets",
        after: None,
        rooms: &[
            "impartial::game::form::table::",
            "impartial::game::poset::",
            "impartial::poset::",
            "impartial::render::hasse::",
            "impartial::solve::poset::",
            "impartial::strategy::table::",
        ],
    },
    Later {
        name: "chains",
        after: Some("posets"),
        rooms: &[
            "impartial::game::chains::",
            "impartial::game::form::chains::",
            "impartial::poset::chains::",
            "impartial::solve::chains::",
            "impartial::strategy::chains::",
            "impartial::strategy::chains_set::",
            "impartial_web::desk::chains",
        ],
    },
    Later {
        name: "pictures",
        after: None,
        rooms: &[
            "impartial::game::draw::",
            "impartial::game::plot::",
            "impartial::render::chart::",
            "impartial::render::drawing::",
            "impartial::render::lattice_map::",
            "impartial::render::lattice_map::LatticeMap::drawing",
            "impartial::render::lattice_map::LatticeMap::layout",
            "impartial_web::desk::plot",
        ],
    },
    Later {
        name: "rays",
        after: None,
        rooms: &[
            "impartial::game::form::numeration::",
            "impartial::game::rays::",
            "impartial::game::walnut::",
            "impartial::game::wythoff::",
            "impartial::heap::wythoff::",
            "impartial::lattice::rays::",
            "impartial::lattice::region::",
            "impartial::render::digits::",
            "impartial::solve::rays::",
            "impartial::strategy::numeration::",
            "semilinear::numeration::",
        ],
    },
    Later {
        name: "claims",
        after: None,
        rooms: &["impartial::game::claim::", "impartial::game::set::", "impartial_web::desk::prove"],
    },
    Later {
        name: "sums",
        after: None,
        rooms: &["impartial::game::graph::", "impartial::game::sum::", "impartial::graph::"],
    },
    Later {
        name: "presentations",
        after: Some("sets"),
        rooms: &[
            "impartial::game::form::points::presentation::<impl impartial::game::form::Answers for impartial::strategy::presentation::PresentationStrategy>::file",
            "impartial::game::lattice::quotient::",
            "impartial::game::report::quotient::QuotientReport::of_presentation",
            "impartial::solve::presentation::",
            "impartial::strategy::presentation::",
        ],
    },
    Later {
        name: "files",
        after: None,
        rooms: &[
            "impartial::game::strategy::Claimed",
            "impartial::game::strategy::Strategy::load",
            "impartial_web::desk::load",
        ],
    },
    Later {
        name: "rare",
        after: None,
        rooms: &[
            "core::num::dec2flt::",
            "core::slice::sort::unstable::heapsort",
            "core::str::iter::EscapeDebug",
            "core::time::",
            "f64",
            "impartial::game::catalogue::suggestions",
            "impartial::game::catalogue::unknown",
            "impartial::game::form::kernel::",
            "impartial::game::moves::Words::read",
            "impartial::strategy::envelope::Envelope::from_text",
            "impartial::strategy::long_period::",
            "num_bigint::biguint::convert::to_radix_digits_le_divide_and_conquer",
            "num_bigint::biguint::division::div_rem_burnikel",
            "num_bigint::biguint::division::div_rem_core",
            "num_bigint::biguint::multiplication::mac3",
            "serde_core::de::Visitor",
            "toml::de::error::",
            "toml_datetime::",
            "toml_parser::decoder::string::decode_ml",
        ],
    },
];

/// Rooms of the first part within rooms of later ones: more than one later part needs them, and they are small.
const FIRST: &[&str] = &[
    "impartial::game::convert::ways",
    "impartial::game::plot::PlotAsk::length",
    "impartial::game::plot::PlotAsk::sides",
    "impartial::render::presentation::",
    "impartial::render::quotient::generator_names",
    "impartial::render::quotient::word_text",
];

/// The later part that has a function by its path, counted from 1: `<impartial_lattice::learn::table::Table as …>::fmt` is in the
/// part with `impartial_lattice::learn`. Of a room and a room in it the inner one decides.
pub fn named(name: &str) -> Option<usize> {
    let path = plain(name);
    let later = (1..).zip(LATER).flat_map(|(k, later)| later.rooms.iter().map(move |room| (room.len(), k, room)));
    let rooms = later.chain(FIRST.iter().map(|room| (room.len(), 0, room)));
    rooms.filter(|(_, _, room)| path.starts_with(**room)).max().map(|(_, k, _)| k).filter(|&k| k > 0)
}

/// The path of a function, or of the type that it is about, without the digest of its crate: `core[1f2e…]::slice::…`.
fn plain(name: &str) -> String {
    const BEFORE: [&str; 6] = ["<", "&", "_", "mut ", "dyn ", "core::ptr::drop_in_place<"];
    let mut path = name;
    while let Some(inner) = BEFORE.iter().find_map(|prefix| path.strip_prefix(prefix)) {
        path = inner;
    }
    match path.split_once('[') {
        Some((before, rest)) if rest.get(16..17) == Some("]") => format!("{before}{}", &rest[17..]),
        _ => path.to_owned(),
    }
}

/// The last part that the ways to all of these parts have in common; bit k is part k, 0 the first.
pub fn shared(parts: u32) -> usize {
    let number = |name: &str| LATER.iter().position(|later| later.name == name).map_or(0, |k| k + 1);
    let way = |part: usize| -> Vec<usize> {
        let before = |&k: &usize| (k > 0).then(|| LATER[k - 1].after.map_or(0, number));
        std::iter::successors(Some(part), before).collect()
    };
    let mut ways = (0..=LATER.len()).filter(|k| parts >> k & 1 == 1).map(way);
    let Some(mut common) = ways.next() else { return 0 };
    for way in ways {
        common.retain(|part| way.contains(part));
    }
    common.first().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &str) -> Option<&'static str> {
        named(name).map(|k| LATER[k - 1].name)
    }

    #[test]
    fn functions_are_in_the_part_of_the_innermost_room() {
        assert_eq!(part("impartial_check::walk::walk::h0123456789abcdef"), Some("check"));
        assert_eq!(
            part("<impartial_check::ranks::Claim as core::fmt::Debug>::fmt::h0123456789abcdef"),
            Some("check-heaps")
        );
        assert_eq!(
            part("core::ptr::drop_in_place<impartial::game::chains::Chains>::h0123456789abcdef"),
            Some("chains")
        );
        assert_eq!(part("num_bigint[0123456789abcdef]::biguint::multiplication::mac3"), Some("rare"));
        assert_eq!(part("core::fmt::write"), None);
    }

    #[test]
    fn what_parts_share_is_in_the_part_before_them() {
        let number = |name: &&str| LATER.iter().position(|later| later.name == *name).map_or(0, |k| k + 1);
        let home = |names: &[&str]| match shared(names.iter().map(|name| 1 << number(name)).sum()) {
            0 => "first",
            k => LATER[k - 1].name,
        };
        assert_eq!(home(&["cones", "forms"]), "strata");
        assert_eq!(home(&["cones", "points"]), "points");
        assert_eq!(home(&["cones", "rays"]), "first");
        assert_eq!(home(&["cones"]), "cones");
        assert_eq!(home(&["first", "cones"]), "first");
        assert_eq!(home(&[]), "first");
        // Every part that comes before another is one.
        assert!(LATER.iter().filter_map(|later| later.after).all(|name| number(&name) > 0));
    }
}
