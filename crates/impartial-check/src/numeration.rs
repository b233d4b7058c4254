//! Form "numeration": the positions of the values 0, …, k of a game with rays, as automata that read the digits of a numeration system, most
//! significant first.
//!
//! What is proved, and why it suffices, stands in `docs/theory/numeration.md`: the valid strings of the system by counting (Theorem 1), the
//! moves as relations between digits (Lemma 2), the equation S = rest ∧ (T ∨ ¬Pre(S)) for each value (Theorem 3).

mod digits;
mod table;

use std::collections::HashSet;

use serde_json::Value;

use crate::file::File;
use crate::format::{Matrix, Vector};
use crate::json::{objects, typed};
use crate::meter::Meter;
use crate::sets::NOWHERE;
use crate::words::counted;
use crate::{Checked, Failure, refuse};
use digits::{Part, Relation, System, carried, side};
use table::{Pairs, Table, search, walk};

const LARGEST_ENTRY: i64 = 1_000_000;
const LARGEST_COEFFICIENT: u64 = 1000;
const MOST_LETTERS: usize = 1024;
/// So many states are looked at for a short word at which a claim fails.
const SHORT: usize = 20_000;

objects! {
    /// The game; `kind` is "lattice".
    RaysGame { kind: String, rules: Matrix, rays: Matrix, defeated: Matrix, #[serde(default)] regions: Vec<Matrix>, #[serde(default)] terminal: Matrix }

    /// The certificate.
    Numeration { system: SystemText, values: Vec<TableText> }

    SystemText { #[expect(dead_code)] name: String, recurrence: Vector, initial: Vector, digits: usize, valid: TableText }

    /// −1 is nowhere.
    TableText { transitions: Vector, accepting: Vec<usize> }
}

pub(crate) fn check(file: File, meter: &Meter<'_>) -> Checked<String> {
    meter.extension("numeration");
    let game = Game::new(typed("game", Value::Object(file.game))?, file.misere)?;
    let Numeration { system, values } = typed("certificate", Value::Object(file.certificate))?;
    let system = System::new(&system)?;
    let letters = u32::try_from(game.dimension).ok().and_then(|d| system.base.checked_pow(d));
    let Some(letters) = letters.filter(|&n| n <= MOST_LETTERS) else {
        return refuse("certificate.system: too many letters for so many coordinates");
    };
    let relations = game
        .moves()
        .iter()
        .map(|parts| Relation::new(&system, game.dimension, parts, meter))
        .collect::<Checked<Vec<_>>>()?;
    let mut rest = board(&system, game.dimension, &game.defeated, letters, meter)?;
    let mut moving = board(&system, game.dimension, &[&game.defeated[..], &game.terminal].concat(), letters, meter)?;
    let mut sizes = Vec::new();
    for (value, table) in values.iter().enumerate() {
        let place = format!("certificate.values[{value}]");
        let set = Table::new(&place, table, letters)?;
        // A number has many strings, by leading zeros; a set must not tell them apart.
        if set.next[0] != 0 && set.accepting.contains(&true) {
            return refuse(format!("{place}: a leading zero does not lead from the first state to itself"));
        }
        if let Some(word) = wrong([&rest, &moving, &set], &relations, meter)? {
            let x = system.vector(&word, game.dimension);
            let written: Vec<String> = x.iter().map(ToString::to_string).collect();
            let reason = format!(
                "these are not the positions of value {value}: the equation S = rest and no move into S fails at ({})",
                written.join(",")
            );
            return Err(Failure::At(reason, x));
        }
        rest = rest.minus(&set, meter)?.minimal(meter)?;
        // Terminal positions have the value 0, so that they are not among the rest.
        moving = rest.clone();
        sizes.push(set.accepting.len().to_string());
    }
    let what = match sizes.len() {
        0 => return refuse("certificate.values: there is none"),
        1 => "the P-positions are exactly those that the automaton accepts".to_owned(),
        n => format!("the positions of Grundy value 0 to {} are exactly those that the automata accept", n - 1),
    };
    let (rules, rays) = (counted(game.rules.len(), "rule"), counted(game.rays.len(), "ray"));
    let (regions, defeated) =
        (counted(game.regions.len(), "region"), counted(game.defeated.len(), "defeated position"));
    let terminal = counted(game.terminal.len(), "terminal position");
    Ok(format!(
        "{what} ({} states), of the lattice game with {rules}, {rays}, {regions}, {defeated} and {terminal} in dimension {}, in digits with the recurrence {:?}",
        sizes.join(", "),
        game.dimension,
        system.recurrence
    ))
}

/// A word at which S = rest ∧ ¬(moving ∧ Pre(S)) fails, if there is one: the rest that is not moving is terminal.
fn wrong([rest, moving, set]: [&Table; 3], relations: &[Relation], meter: &Meter<'_>) -> Checked<Option<Vec<usize>>> {
    let pairs = relations.iter().map(|relation| Pairs::new(relation, set, meter)).collect::<Result<Vec<_>, _>>()?;
    // A wrong set can make subsets explode below; most wrong sets fail at a short word, or have a move inside.
    let start = ([0_u32; 3], pairs.iter().map(|pairs| pairs.start.clone()).collect::<Vec<_>>());
    let short = search(
        vec![start],
        rest.letters,
        meter,
        SHORT,
        |(_, subsets)| subsets.iter().map(|subset| 24 + 4 * subset.len()).sum(),
        |([s, m, t], subsets), letter| {
            let states = [rest.step(*s, letter), moving.step(*m, letter), set.step(*t, letter)];
            if states[0] == NOWHERE {
                let nothing = vec![vec![]; subsets.len()];
                return Ok(if states[2] == NOWHERE { vec![] } else { vec![(states, nothing)] });
            }
            let after = |(subset, pairs): (&Vec<u32>, &Pairs)| pairs.after(subset, letter, meter);
            Ok(vec![(states, subsets.iter().zip(&pairs).map(after).collect::<Result<Vec<_>, _>>()?)])
        },
        |([s, m, t], subsets)| {
            let reached = subsets.iter().zip(&pairs).any(|(subset, pairs)| pairs.accept(subset));
            set.accepts(*t) != (rest.accepts(*s) && !(moving.accepts(*m) && reached))
        },
    )?;
    if short.is_some() {
        return Ok(short);
    }
    let of_moving = set.minus(&rest.minus(moving, meter)?, meter)?;
    for pairs in &pairs {
        if let Some(word) = pairs.inside(&of_moving, meter)? {
            return Ok(Some(word));
        }
    }
    let mut left = moving.clone();
    for pairs in &pairs {
        left = left.without(pairs, meter)?.minimal(meter)?;
    }
    rest.minus(&moving.minus(&left, meter)?, meter)?.difference(set, meter)
}

/// The board is ℕᵈ∖D; every move lowers the sum of the coordinates, since no entry is negative and no move is 0: play ends.
struct Game {
    dimension: usize,
    rules: Vec<Vec<i64>>,
    rays: Vec<Vec<i64>>,
    defeated: Vec<Vec<i64>>,
    terminal: Vec<Vec<i64>>,
    regions: Vec<Matrix>,
}

impl Game {
    fn new(RaysGame { kind, rules, rays, defeated, regions, terminal }: RaysGame, misere: bool) -> Checked<Self> {
        refuse_if!(kind != "lattice", "\"game\": \"kind\" is not \"lattice\"");
        let Some(dimension) = rays.first().or(rules.first()).map(Vec::len).filter(|d| (1..=8).contains(d)) else {
            return refuse("game: no ray and no rule, or not between 1 and 8 coordinates");
        };
        let all = || rules.iter().chain(&rays).chain(&defeated).chain(&terminal);
        refuse_if!(all().any(|v| v.len() != dimension), "game: vectors of different lengths");
        refuse_if!(
            all().flatten().any(|x| !(0..=LARGEST_ENTRY).contains(x)),
            "game: an entry is no integer between 0 and {LARGEST_ENTRY}"
        );
        let zero = |v: &Vec<i64>| v.iter().all(|&x| x == 0);
        refuse_if!(rules.iter().chain(&rays).any(zero), "game: the move 0 would let play go on for ever");
        let rows = || regions.iter().flatten();
        refuse_if!(
            rows().any(|row| row.len() != dimension + 1 || row.iter().any(|x| x.unsigned_abs() > LARGEST_COEFFICIENT)),
            "game.regions: not rows of {dimension} coefficients and a constant up to {LARGEST_COEFFICIENT}"
        );
        let moves = |region: &Matrix| region.iter().any(|row| row[dimension] < 0);
        refuse_if!(!regions.iter().all(moves), "game.regions: the move 0 would let play go on for ever");
        let points: HashSet<&Vec<i64>> = defeated.iter().chain(&terminal).collect();
        refuse_if!(
            points.len() != defeated.len() + terminal.len(),
            "game: a defeated or terminal position stands twice"
        );
        refuse_if!(
            misere != (defeated.len() == 1 && zero(&defeated[0])),
            "\"play\" is \"misere\" exactly when the origin alone is defeated"
        );
        refuse_if!(misere && !terminal.is_empty(), "game.terminal: misère play has none");
        Ok(Self { dimension, rules, rays, defeated, terminal, regions })
    }

    /// For each ray and rule the conditions on x and x′ under which x′ is reached by it.
    fn moves(&self) -> Vec<Vec<Part>> {
        // What keeps automata small comes first: the rays along several coordinates.
        let mut rays: Vec<&Vec<i64>> = self.rays.iter().collect();
        rays.sort_by_key(|ray| ray.iter().filter(|&&x| x == 0).count());
        let along = |ray: &Vec<i64>| {
            // x − x′ = tγ with t ≥ 1 ⇔ x − x′ is parallel to γ, its first entry where γ has one is positive and a multiple of γ's.
            let first = ray.iter().position(|&x| x != 0).unwrap_or(0);
            let mut parts = vec![Part::Lower(first, true)];
            for (i, &entry) in ray.iter().enumerate() {
                if entry == 0 {
                    parts.push(Part::Same(i));
                } else if i != first {
                    let (mut a, g) = (vec![0; ray.len()], gcd(entry, ray[first]));
                    (a[first], a[i]) = (entry / g, -ray[first] / g);
                    parts.push(Part::Form(a, 0));
                }
            }
            if ray[first] > 1 {
                parts.push(Part::Multiple(first, ray[first]));
            }
            parts
        };
        let once = |rule: &Vec<i64>| {
            let unit = |i: usize| (0..rule.len()).map(|j| i64::from(i == j)).collect();
            let part = |(i, &c): (usize, &i64)| if c == 0 { Part::Same(i) } else { Part::Form(unit(i), c) };
            rule.iter().enumerate().map(part).collect()
        };
        // x − x′ has no negative entry and satisfies the inequalities.
        let within = |region: &Matrix| {
            let row = |row: &Vec<i64>| Part::AtLeast(row[..self.dimension].to_vec(), row[self.dimension]);
            (0..self.dimension).map(|i| Part::Lower(i, false)).chain(region.iter().map(row)).collect()
        };
        let regions = self.regions.iter().map(within);
        regions.chain(rays.into_iter().map(along)).chain(self.rules.iter().map(once)).collect()
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// ℕᵈ without some positions: valid strings in every coordinate, but those of the positions.
fn board(system: &System, d: usize, forms: &[Vec<i64>], letters: usize, meter: &Meter<'_>) -> Checked<Table> {
    // Which of the positions agree with the digits so far: their rest, as in a form with the constant.
    let k = system.recurrence.len();
    let start: (Vec<u32>, Vec<Option<Vec<i64>>>) = (vec![0; d], vec![Some(vec![0; k * d]); forms.len()]);
    walk(
        letters,
        start,
        meter,
        |(valid, points)| {
            4 * valid.len()
                + points.iter().map(|point| 24 + point.as_ref().map_or(0, |v| 16 + 8 * v.len())).sum::<usize>()
        },
        |(valid, points), letter| {
            meter.steps(100 * (1 + points.len()))?;
            let digit = |i: usize| system.digit(d, letter, i);
            let valid: Vec<u32> = valid.iter().enumerate().map(|(i, &s)| system.valid.step(s, digit(i))).collect();
            if valid.contains(&NOWHERE) {
                return Ok(None);
            }
            let mut after = Vec::with_capacity(points.len());
            for (point, form) in points.iter().zip(forms) {
                let Some(v) = point else {
                    after.push(None);
                    continue;
                };
                let mut all = Vec::with_capacity(k * d);
                let mut lives = true;
                for i in 0..d {
                    let e = i64::try_from(digit(i)).unwrap_or(i64::MAX);
                    let one = carried(system, &v[k * i..k * (i + 1)], e)?;
                    lives &= side(system, &one, &[1], form[i]) == 0;
                    all.extend(one);
                }
                after.push(lives.then_some(all));
            }
            Ok(Some((valid, after)))
        },
        |(valid, points)| {
            let value = |v: &[i64]| v.iter().zip(&system.weights).map(|(&v, w)| i128::from(v) * w).sum::<i128>();
            let is_point = |point: &Option<Vec<i64>>, at: &[i64]| {
                point.as_ref().is_some_and(|v| (0..d).all(|i| value(&v[k * i..k * (i + 1)]) == i128::from(at[i])))
            };
            valid.iter().all(|&s| system.valid.accepts(s))
                && !points.iter().zip(forms).any(|(point, at)| is_point(point, at))
        },
    )?
    .minimal(meter)
}
