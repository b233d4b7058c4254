//! Poset games with one or two infinite chains: `chomp-chains:5,3`, `chomp-row:5,3`, `kind = "chains"`.

use impartial::outcome::{Outcome, Play};
use impartial::poset::chains::{Board, ChainsGame, Position};
use impartial::solve::chains::{Ideals, Kind, Pattern, Solution, ThreeRows, grundy};
use impartial::strategy::chains::to_envelope;
use num_bigint::BigUint;
use num_traits::ToPrimitive as _;
use serde_json::{Value, json};

use super::Family;
use crate::args;
use crate::context::Context;
use crate::files;
use crate::report::{Answer, Failure, Report, bad_input};

/// `play` lists at most this many options.
const MOST_OPTIONS: u64 = 2_000;

/// A chains game.
pub struct ChainsFamily {
    game: ChainsGame,
}

/// An integer in JSON: a string beyond 2⁵³.
pub fn json_integer(n: &BigUint) -> Value {
    match n.to_u64() {
        Some(small) if small <= 1 << 53 => json!(small),
        _ => json!(n.to_string()),
    }
}

impl ChainsFamily {
    /// `chomp-chains:5,3` or `chomp-row:5,3`; `None` for other notations.
    pub fn from_notation(text: &str) -> Option<Result<Self, Failure>> {
        let (name, rows) = text.split_once(':')?;
        let make = match name {
            "chomp-chains" => ChainsGame::chomp,
            "chomp-row" => ChainsGame::chomp_row,
            _ => return None,
        };
        let numbers: Result<Vec<u64>, String> = match rows.trim() {
            "" => Ok(Vec::new()),
            rows => rows.split(',').map(|row| crate::number::size(row.trim())).collect(),
        };
        Some(
            numbers
                .map_err(|error| bad_input(format!("GAME \"{text}\": {error}; write rows such as {name}:5,3")))
                .and_then(|rows| make(&rows).map_err(|error| bad_input(format!("GAME \"{text}\": {error}"))))
                .map(|game| Self { game }),
        )
    }

    /// A game file with `kind = "chains"`.
    pub fn from_file(path: &str, text: &str) -> Result<Self, Failure> {
        let game = ChainsGame::from_toml(text).map_err(|error| bad_input(format!("{path}: {error}")))?;
        Ok(Self { game })
    }

    fn normal_play(&self, cx: &Context) -> Result<(), Failure> {
        if cx.play(None) == Play::Misere {
            return Err(bad_input(format!(
                "{}: chains games are solved in normal play only; leave --play out",
                self.game.name()
            )));
        }
        Ok(())
    }

    fn solution(&self, cx: &Context, values: u64) -> Result<Solution, Failure> {
        self.normal_play(cx)?;
        Ok(Solution::new(self.game.clone(), values, cx)?)
    }

    fn position(&self, text: &str) -> Result<Position, Failure> {
        self.game.position(text).map_err(bad_input)
    }
}

impl Family for ChainsFamily {
    fn kind(&self) -> &'static str {
        "chains"
    }

    fn name(&self) -> String {
        self.game.name().to_owned()
    }

    fn game_json(&self) -> Value {
        self.game.to_json()
    }

    fn info(&self, cx: &Context, args: &args::InfoArgs) -> Answer {
        let ideals = Ideals::new(&self.game, cx)?;
        let whole = &ideals.list()[ideals.whole()];
        let normal = self.game.normal_form().ok().flatten();
        let mut text = format!(
            "{}: a poset game with {} and {} other elements, {} order ideals",
            self.game.name(),
            if self.game.chains() == 1 { "an infinite chain" } else { "two infinite chains" },
            whole.size,
            ideals.list().len(),
        );
        let mut json = json!({
            "game": args.game,
            "kind": "chains",
            "chains": self.game.chains(),
            "dimension": self.game.chains(),
            "elements": whole.size,
            "order_ideals": ideals.list().len(),
            "least_m": whole.m_lo,
            "least_n": whole.n_lo,
        });
        if let Some(normal) = normal {
            use std::fmt::Write as _;
            let _ = write!(
                text,
                "\nnormal form: the first {} elements of C and {} of D join the others, {} in all",
                normal.u,
                normal.v,
                normal.skeleton.len()
            );
            json["normal_form"] = json!({"u": normal.u, "v": normal.v, "elements": normal.skeleton.len()});
        }
        Ok(Report::new(json, text))
    }

    fn grundy(&self, cx: &Context, position: &str) -> Result<(String, String), Failure> {
        self.normal_play(cx)?;
        let answer = grundy(&self.game, &self.position(position)?, cx)?;
        Ok((answer.value.to_string(), answer.method.into()))
    }

    fn outcome(&self, cx: &Context, position: &str) -> Result<(Outcome, String), Failure> {
        let position = self.position(position)?;
        Ok((self.solution(cx, 0)?.outcome(&position), "chains".into()))
    }

    fn winning_moves(&self, cx: &Context, position: &str) -> Result<(Vec<String>, String), Failure> {
        let position = self.position(position)?;
        let moves = self.solution(cx, 0)?.winning_moves(&position);
        Ok((moves.iter().map(|p| self.game.notation(p)).collect(), "chains".into()))
    }

    fn solve(&self, cx: &Context, args: &args::SolveArgs) -> Answer {
        if let Some(method) = args.method.as_deref().filter(|&method| method != "chains") {
            return Err(bad_input(format!(
                "--method {method}: chains games have the method chains only; leave it out"
            )));
        }
        let solution = self.solution(cx, 0)?;
        let periodic = (0..solution.ideals().list().len()).filter(|&b| solution.branch(b, 0).period > 0).count();
        if let Some(path) = &args.output {
            files::write(path, to_envelope(&solution).to_text().as_bytes())?;
        }
        let json = json!({
            "game": args.game,
            "form": "chains",
            "proved": true,
            "order_ideals": solution.ideals().list().len(),
            "periodic": periodic,
            "seconds": cx.seconds(),
        });
        let mut text = format!(
            "chains: the P-positions of {} order ideals of {}, {periodic} of them periodic; proved",
            solution.ideals().list().len(),
            self.game.name()
        );
        if let Some(path) = &args.output {
            text = format!("{text}\nwrote {path}");
        }
        Ok(Report::new(json, text))
    }

    fn chains(&self, cx: &Context, args: &args::ChainsArgs) -> Answer {
        let at = args.at.as_deref().map(large_number).transpose()?;
        if self.game.chains() == 1 && args.value > 0 {
            return Err(bad_input(format!(
                "--value {}: {} has one chain, and f(m) is the Grundy value itself; leave --value out",
                args.value,
                self.game.name()
            )));
        }
        let pattern = match self.pattern(cx, args.value) {
            Ok(pattern) => pattern,
            Err(Failure::Stopped(why)) => {
                let json = json!({"game": args.game, "value": args.value, "proved": false});
                return Ok(Report::new(json, "nothing is proved yet").stopped(why));
            }
            Err(other) => return Err(other),
        };
        Ok(self.pattern_report(&args.game, args.value, &pattern, at.as_ref()))
    }

    fn count(&self, cx: &Context, args: &args::CountArgs) -> Answer {
        count(&self.solution(cx, 0)?, &args.game, &args.sizes)
    }

    fn plot(&self, cx: &Context, args: &args::PlotArgs) -> Answer {
        super::chains_plot::plot(cx, &self.solution(cx, 0)?, args)
    }

    fn options(&self, position: &str) -> Result<Vec<String>, Failure> {
        let position = self.position(position)?;
        let ideals = Ideals::new(&self.game, &semilinear::run::Unlimited)?;
        let options = Solution::options(&self.game, &ideals, &position, MOST_OPTIONS).ok_or_else(|| {
            bad_input(format!("this position has more than {MOST_OPTIONS} options; play from a smaller one"))
        })?;
        Ok(options.iter().map(|option| self.game.notation(option)).collect())
    }

    fn drawing(&self, position: &str) -> Result<String, Failure> {
        let parsed = self.position(position)?;
        if !matches!(self.game.board(), Board::Chomp(_)) {
            return Ok(self.game.notation(&parsed));
        }
        let notation = self.game.notation(&parsed);
        let rows: Vec<usize> = notation.split(',').filter_map(|row| row.parse().ok()).collect();
        if rows.len() != notation.split(',').count() || rows.iter().any(|&row| row > 200) {
            return Ok(notation);
        }
        let lines = rows.iter().enumerate().map(|(i, &row)| {
            let squares = "■ ".repeat(row);
            if i == 0 { squares.replacen('■', "☠", 1) } else { squares }
        });
        Ok(lines.map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n"))
    }

    fn start(&self) -> Result<String, Failure> {
        let ideals = Ideals::new(&self.game, &semilinear::run::Unlimited)?;
        let whole = &ideals.list()[ideals.whole()];
        let m = u64::from(whole.m_lo) + 3;
        let n = self.game.cross().at(m).unwrap_or(0).max(whole.n_lo.into()) + 3;
        let n = if self.game.chains() == 1 { 0 } else { n };
        let m = self.game.cross().last_at_most(n).map_or(m, |last| m.min(last));
        Ok(self.game.notation(&Position { ideal: whole.key.clone(), m: m.into(), n: n.into() }))
    }
}

impl ChainsFamily {
    /// f_k, by the cheapest engine.
    fn pattern(&self, cx: &Context, k: u64) -> Result<Pattern, Failure> {
        self.normal_play(cx)?;
        if let (Board::Chomp(rows), 2, 0) = (self.game.board(), self.game.chains(), k)
            && let [r] = rows.as_slice()
        {
            let mut engine = ThreeRows::new();
            for _ in 0..*r {
                engine.next(cx)?;
            }
            return Ok(engine.next(cx)?.into());
        }
        let solution = self.solution(cx, k)?;
        u32::try_from(k).ok().and_then(|k| solution.pattern(k)).ok_or_else(|| bad_input("--value: too large"))
    }

    fn pattern_report(&self, game: &str, value: u64, pattern: &Pattern, at: Option<&BigUint>) -> Report {
        let (kind, period, constant) = match pattern.kind() {
            Kind::Finite => ("finite", Value::Null, Value::Null),
            Kind::Constant(n) => ("constant", Value::Null, json!(n)),
            Kind::Periodic(p) => ("periodic", json!(p), Value::Null),
        };
        let offsets = pattern.offsets();
        let initial = pattern.initial();
        let mut json = json!({
            "game": game,
            "value": value,
            "kind": kind,
            "preperiod": pattern.preperiod(),
            "period": period,
            "offsets": offsets,
            "initial": initial.iter().map(|&(m, n)| [m, n]).collect::<Vec<_>>(),
            "proved": true,
        });
        let f = if self.game.chains() == 1 { "g(m)".to_owned() } else { format!("f_{value}(m)") };
        let from = pattern.preperiod();
        let mut lines = vec![match pattern.kind() {
            Kind::Finite => format!("finite: {f} exists for {} values of m only", initial.len()),
            Kind::Constant(n) => format!("constant: {f} = {n} for all m ≥ {from}"),
            Kind::Periodic(p) => format!("periodic: f(m + {p}) = f(m) + {p} for all m ≥ {from}"),
        }];
        if !offsets.is_empty() {
            lines.push(format!("{f} − m from m = {from}: {}", shortened(offsets.iter())));
        }
        if !initial.is_empty() {
            let pairs: Vec<String> = initial.iter().map(|(m, n)| format!("{m}→{n}")).collect();
            lines.push(format!("before: {}", shortened(pairs.iter())));
        }
        lines.push("proved: least preperiod, least period".into());
        if let Kind::Constant(_) = pattern.kind() {
            json["constant"] = constant;
        }
        if let Some(m) = at {
            let n = pattern.at(m);
            json["at"] = json_integer(m);
            json["n"] = n.as_ref().map_or(Value::Null, json_integer);
            let n = n.map_or("not defined".to_owned(), |n| n.to_string());
            lines.push(format!("at m = {m}: {n}"));
        }
        Report::new(json, lines.join("\n"))
    }
}

/// A list for people: the first entries, and how many more there are.
fn shortened<T: ToString>(list: impl ExactSizeIterator<Item = T>) -> String {
    const SHOWN: usize = 40;
    let count = list.len();
    let shown: Vec<String> = list.take(SHOWN).map(|x| x.to_string()).collect();
    let more = if count > SHOWN { format!(" … ({} more)", count - SHOWN) } else { String::new() };
    shown.join(" ") + &more
}

/// A natural number of any size.
pub fn large_number(text: &str) -> Result<BigUint, Failure> {
    let digits = text.replace('_', "");
    let fine = !digits.is_empty() && digits.len() <= 10_000 && digits.bytes().all(|b| b.is_ascii_digit());
    fine.then(|| digits.parse().ok())
        .flatten()
        .ok_or_else(|| bad_input(format!("--at {text}: expected a natural number such as 1000")))
}

/// The number of P-positions (m, n) of the whole game in a box of any size: 0 ≤ m < n1 and 0 ≤ n < n2.
pub fn count(solution: &Solution, game: &str, sizes: &str) -> Answer {
    let bad = || {
        bad_input(format!(
            "--box {sizes}: expected {} sizes such as 100,200",
            if solution.game().chains() == 1 { 1 } else { 2 }
        ))
    };
    let sizes: Vec<BigUint> =
        sizes.split(',').map(|size| large_number(size.trim())).collect::<Result<_, _>>().map_err(|_| bad())?;
    let pattern = solution.pattern(0).ok_or_else(bad)?;
    let count = match (solution.game().chains(), sizes.as_slice()) {
        (2, [rows, columns]) => pattern.count(rows, columns),
        (1, [rows]) => pattern.inverse(&BigUint::ZERO).map_or(BigUint::ZERO, |m| BigUint::from(u8::from(m < *rows))),
        _ => return Err(bad()),
    };
    let json = json!({"game": game, "count": json_integer(&count), "proved": true, "method": "chains"});
    Ok(Report::new(json, count.to_string()))
}
