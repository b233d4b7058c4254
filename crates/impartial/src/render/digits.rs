//! Strategies in a numeration system as text for Walnut: automata, and predicates that prove them there.

use std::fmt::Write as _;

use semilinear::numeration::{DigitSet, NOWHERE};
use semilinear::vectorset::id;

use crate::strategy::NumerationStrategy;

/// Walnut's name of a system, if it knows it.
fn walnut_name(system: &str) -> Option<&'static str> {
    Some(match system {
        "binary" => "msd_2",
        "ternary" => "msd_3",
        "fibonacci" => "msd_fib",
        "pell" => "msd_pell",
        "tribonacci" => "msd_trib",
        _ => return None,
    })
}

/// The automaton of a set as Walnut reads it: a line of numeration systems, then every state with its output and its transitions.
///
/// ```
/// use impartial::render::walnut_digits;
/// use semilinear::numeration::{DigitSet, System};
/// use semilinear::vectorset::Effort;
/// use std::sync::Arc;
/// let system = Arc::new(System::fibonacci());
/// let all = DigitSet::full(&system, 1, &Effort::unlimited())?;
/// assert_eq!(walnut_digits(&all).unwrap(), "msd_fib\n\n0 1\n0 -> 0\n1 -> 1\n\n1 1\n0 -> 0\n");
/// # Ok::<(), semilinear::run::StopReason>(())
/// ```
pub fn walnut_digits(set: &DigitSet) -> Option<String> {
    let (base, d) = (set.system().base(), set.dimension());
    let mut text = vec![walnut_name(set.system().name())?; d].join(" ");
    text.push('\n');
    let table = set.table();
    for state in 0..id(table.states()) {
        let _ = write!(text, "\n{state} {}\n", u8::from(table.accepts(state)));
        for letter in 0..table.letters() {
            let target = table.step(state, letter);
            if target == NOWHERE {
                continue;
            }
            let digit = |i: usize| (letter / base.pow(u32::try_from(d - 1 - i).unwrap_or(0)) % base).to_string();
            let digits: Vec<String> = (0..d).map(digit).collect();
            let _ = writeln!(text, "{} -> {target}", digits.join(" "));
        }
    }
    Some(text)
}

/// The automata of a strategy and a script of predicates, each of which Walnut should call TRUE: together they are the equation of each value.
/// Every part begins with the name of the file that it belongs in.
pub fn walnut_proof(strategy: &NumerationStrategy) -> Option<String> {
    let game = strategy.game();
    let d = game.dimension();
    let system = walnut_name(strategy.system().name())?;
    let mut text = String::new();
    for (g, set) in strategy.sets().iter().enumerate() {
        let _ = write!(text, "# Automata Library/s{g}.txt\n{}\n", walnut_digits(set)?);
    }
    let x: Vec<String> = (0..d).map(|i| format!("x{i}")).collect();
    let y: Vec<String> = (0..d).map(|i| format!("y{i}")).collect();
    let same = |i: usize| format!("{} = {}", x[i], y[i]);
    let mut moves: Vec<String> = Vec::new();
    // Rays with more entries come first: what they leave keeps the automata of the others small.
    let mut rays: Vec<&Vec<i64>> = game.rays().iter().collect();
    rays.sort_by_key(|ray| std::cmp::Reverse(ray.iter().filter(|&&v| v != 0).count()));
    for ray in rays {
        let first = ray.iter().position(|&v| v != 0).unwrap_or(0);
        let plain = ray.iter().all(|&v| v <= 1);
        let part = |(i, &v): (usize, &i64)| match v {
            0 => same(i),
            _ if !plain => format!("{} = {} + {v}*t", x[i], y[i]),
            // Equal steps need no further variable, which would cost time.
            _ if i == first => format!("{} > {}", x[i], y[i]),
            _ => format!("{} + {} = {} + {}", x[first], y[i], x[i], y[first]),
        };
        let parts: Vec<String> = ray.iter().enumerate().map(part).collect();
        let parts = parts.join(" & ");
        moves.push(if plain { format!("({parts})") } else { format!("(E t t >= 1 & {parts})") });
    }
    for region in game.regions().iter().rev() {
        // Terms with a minus go to the other side: Walnut's variables are natural numbers.
        let row = |row: &Vec<i64>| {
            let side = |sign: i64| {
                let term = |(i, &a): (usize, &i64)| {
                    let a = sign * a;
                    (a != 0).then(|| format!("{}*{}", a.abs(), if a > 0 { &x[i] } else { &y[i] }))
                };
                let constant = (sign * row[d]).max(0).to_string();
                row[..d].iter().enumerate().filter_map(term).chain([constant]).collect::<Vec<_>>().join(" + ")
            };
            format!("{} >= {}", side(1), side(-1))
        };
        let orders = (0..d).map(|i| format!("{} >= {}", x[i], y[i]));
        let parts: Vec<String> = orders.chain(region.rows().iter().map(row)).collect();
        moves.insert(0, format!("({})", parts.join(" & ")));
    }
    for rule in game.rules() {
        let part = |(i, &v): (usize, &i64)| if v == 0 { same(i) } else { format!("{} = {} + {v}", x[i], y[i]) };
        moves.push(format!("({})", rule.iter().enumerate().map(part).collect::<Vec<_>>().join(" & ")));
    }
    let one_of = |points: &[Vec<i64>]| {
        let equal = |(p, x): (&i64, &String)| format!("{x} = {p}");
        let point = |p: &Vec<i64>| format!("({})", p.iter().zip(&x).map(equal).collect::<Vec<_>>().join(" & "));
        (!points.is_empty()).then(|| format!("({})", points.iter().map(point).collect::<Vec<_>>().join(" | ")))
    };
    let but = |points: &Option<String>| points.as_ref().map_or(String::new(), |points| format!(" & ~{points}"));
    let (off, terminal) = (but(&one_of(game.defeated())), one_of(game.terminal()));
    let (xs, ys) = (x.join(","), y.join(","));
    let _ = writeln!(text, "# Command Files/prove.txt");
    for g in 0..strategy.sets().len() {
        let before: Vec<String> = (0..g).map(|h| format!(" & ~$s{h}({xs})")).collect();
        let before = before.concat();
        // Terminal positions have value 0, whatever could be reached from them.
        let terminal = terminal.clone().filter(|_| g == 0);
        let moving = but(&terminal);
        for (i, step) in moves.iter().enumerate() {
            // The set is joined with the move first: both sets without the move between them would be a product of all their states.
            let _ = writeln!(
                text,
                "eval s{g}_no_move_{i} \"?{system} ~(E {xs},{ys} ($s{g}({xs}){moving} & {step}) & $s{g}({ys}))\":"
            );
            // The positions without such a move, one set after the other: a union of all moves would explode.
            let domain = if i == 0 {
                format!("({} >= 0{off}{moving}{before})", x[0])
            } else {
                format!("$s{g}_left_{}({xs})", i - 1)
            };
            let _ = writeln!(text, "def s{g}_left_{i} \"?{system} {domain} & ~(E {ys} $s{g}({ys}) & {step})\":");
        }
        let last = moves.len() - 1;
        let left = format!("$s{g}_left_{last}({xs})");
        let left = terminal.map_or(left.clone(), |terminal| format!("({left} | {terminal})"));
        let _ = writeln!(text, "eval s{g}_equation \"?{system} A {xs} $s{g}({xs}) <=> {left}\":");
    }
    Some(text)
}
