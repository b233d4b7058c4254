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
        name: "strata",
        after: Some("points"),
        rooms: &[
            "impartial::game::convert::",
            "impartial::game::form::points::<impl impartial::game::form::Answers for impartial::strategy::automaton::AutomatonStrategy>::summary",
            "impartial::game::form::points::<impl impartial::game::form::Answers for impartial::strategy::series::SeriesStrategy>::show",
            "impartial::game::form::points::<impl impartial::game::form::Answers for impartial::strategy::stratification::StratificationStrategy>::show",
            "impartial::game::form::points::found",
            "impartial::solve::blocks::margin::",
            "impartial::solve::blocks::shape::",
            "impartial::solve::blocks::symmetry::",
            "impartial::solve::learn::",
            "impartial::strategy::automaton::",
            "impartial::strategy::board::",
            "impartial::strategy::modules::",
            "impartial::strategy::series::",
            "impartial::strategy::standing::strata",
            "impartial::strategy::stratification::",
            "semilinear::integer::lp::",
            "semilinear::semigroup::extract::",
            "semilinear::semigroup::frame::",
            "semilinear::semigroup::merge::",
            "semilinear::semigroup::modules::",
            "semilinear::semigroup::stratification::",
            "semilinear::series::coefficient::Coefficients::new",
            "semilinear::series::simplify::",
            "semilinear::series::term::",
            "semilinear::vectorset::",
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
            "impartial::solve::blocks::",
            "impartial::solve::sector::",
            "impartial::strategy::blocks::",
            "impartial::strategy::characters::",
            "impartial::strategy::grundy_automaton::",
            "impartial::strategy::pairs::",
            "impartial::strategy::sectors::",
            "impartial_lattice::learn::stepwise::",
            "impartial_lattice::threads::",
        ],
    },
    Later {
        name: "forms",
        after: Some("strata"),
        rooms: &[
            "impartial::game::form::points::",
            "impartial::render::automaton::",
            "impartial::render::graph::",
            "impartial::render::series::",
            "impartial::render::stratification::",
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
            "impartial_check::heap::",
            "impartial_check::induction::",
            "impartial_check::mex::",
            "impartial_check::misere::",
            "impartial_check::monoid::",
            "impartial_check::normal_play::",
            "impartial_check::others",
            "impartial_check::period::",
            "impartial_check::ranks::",
            "impartial_check::rare::",
        ],
    },
    Later {
        name: "check-kinds",
        after: Some("check-heaps"),
        rooms: &[
            "impartial_check::blocks::",
            "impartial_check::chains::",
            "impartial_check::characters::",
            "impartial_check::classes::",
            "impartial_check::numeration::",
            "impartial_check::presentation::",
            "impartial_check::sectors::",
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
            "impartial::strategy::counters::",
            "impartial::strategy::dominance::",
            "impartial::strategy::quotient::",
            "impartial::strategy::ranks::",
            "impartial_web::desk::congruent",
        ],
    },
    Later {
        name: "quotients",
        after: None,
        rooms: &[
            "impartial::game::report::quotient::",
            "impartial::render::quotient::",
            "impartial_web::desk::Desk::quotient",
        ],
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
        after: Some("strata"),
        rooms: &[
            "impartial::game::lattice::quotient::",
            "impartial::render::presentation::",
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
            "core::slice::sort::unstable::heapsort",
            "impartial::game::form::kernel::",
            "num_bigint::biguint::division::div_rem_burnikel",
            "num_bigint::biguint::multiplication::mac3",
            "serde_core::de::Visitor",
            "toml::de::error::",
            "toml_datetime::",
        ],
    },
];

/// The later part that has a function by its path, counted from 1: `<impartial_lattice::learn::table::Table as …>::fmt` is in the
/// part with `impartial_lattice::learn`. Of a room and a room in it the inner one decides.
pub fn named(name: &str) -> Option<usize> {
    let path = plain(name);
    let rooms = (1..).zip(LATER).flat_map(|(k, later)| later.rooms.iter().map(move |room| (room.len(), k, room)));
    rooms.filter(|(_, _, room)| path.starts_with(**room)).max().map(|(_, k, _)| k)
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
