//! Poset games with one or two infinite chains: `chomp-chains:5,3`, `chomp-row:5,3`, `kind = "chains"`.

use num_bigint::BigUint;
use serde_json::Value;

use super::Ask;
use super::ask::Method;
use super::explain::{Reasons, by_options};
use super::kind::{Found, Moves, Playable};
use super::position::{Place, Position};
use super::report::{ChainsReport, InfoReport, SolveReport};
use super::strategy::Strategy;
use crate::error::{Error, Result};
use crate::outcome::{Outcome, Play};
use crate::poset::chains::{self, Board, ChainsGame};
use crate::solve::chains::{Ideals, Notions, Pattern, Solution, ThreeRows, grundy};
use crate::strategy::{Proved, Standing};
use semilinear::run::Unlimited;

/// At most this many options are listed.
const MOST_OPTIONS: u64 = 2_000;

/// A chains game.
#[derive(Clone, Debug)]
pub(crate) struct Chains {
    game: ChainsGame,
}

impl Chains {
    /// `chomp-chains:5,3` or `chomp-row:5,3`; `None` for other notations.
    pub(crate) fn from_notation(text: &str) -> Option<Result<Self>> {
        let (name, rows) = text.split_once(':')?;
        let make = match name {
            "chomp-chains" => ChainsGame::chomp,
            "chomp-row" => ChainsGame::chomp_row,
            _ => return None,
        };
        let row = |row: &str| {
            let digits = row.trim().replace('_', "");
            let number = if digits.bytes().all(|b| b.is_ascii_digit()) { digits.parse::<u64>().ok() } else { None };
            number.filter(|&n| n < 1 << 60).ok_or_else(|| {
                Error::Input(format!(
                    "GAME \"{text}\": \"{}\" is no natural number below 2^60; write rows such as {name}:5,3",
                    row.trim()
                ))
            })
        };
        let rows: Result<Vec<u64>> = match rows.trim() {
            "" => Ok(Vec::new()),
            rows => rows.split(',').map(row).collect(),
        };
        let made = rows.and_then(|rows| make(&rows).map_err(|error| Error::Input(format!("GAME \"{text}\": {error}"))));
        Some(made.map(|game| Self { game }))
    }

    pub(crate) fn from_file(place: &str, text: &str) -> Result<Self> {
        let game = ChainsGame::from_toml(text).map_err(|error| Error::Input(format!("{place}: {error}")))?;
        Ok(Self { game })
    }

    fn normal_play(&self, ask: &Ask) -> Result<()> {
        if ask.play_of(None) == Play::Misere {
            return Err(Error::Input(format!(
                "{}: chains games are solved in normal play only; leave --play out",
                self.game.name()
            )));
        }
        Ok(())
    }

    /// Refuses values where f is the Grundy value itself.
    fn needs_value(&self, value: u64) -> Result<()> {
        if self.game.chains() == 1 && value > 0 {
            return Err(Error::Input(format!(
                "--value {value}: {} has one chain, and f(m) is the Grundy value itself; leave --value out",
                self.game.name()
            )));
        }
        Ok(())
    }

    /// Q(A), T and W for values up to a bound.
    pub(super) fn notions(&self, value: u64, ask: &Ask) -> Result<Notions> {
        self.normal_play(ask)?;
        Notions::new(&self.game, value, ask.monitor)
    }

    /// The solution with the Grundy values up to a bound; its engine proves each period.
    pub(crate) fn solution(&self, values: u64, ask: &Ask) -> Result<Proved<Solution>> {
        self.normal_play(ask)?;
        Ok(Proved::by_check(Solution::new(self.game.clone(), values, ask.monitor)?))
    }

    /// f_k, by the cheapest engine.
    fn pattern(&self, k: u64, ask: &Ask) -> Result<Proved<Pattern>> {
        self.normal_play(ask)?;
        if let (Board::Chomp(rows), 2, 0) = (self.game.board(), self.game.chains(), k)
            && let [r] = rows.as_slice()
        {
            let mut engine = ThreeRows::new();
            for _ in 0..*r {
                engine.next(ask.monitor)?;
            }
            return Ok(Proved::by_check(engine.next(ask.monitor)?.into()));
        }
        let solution = self.solution(k, ask)?;
        let pattern = u32::try_from(k).ok().and_then(|k| solution.pattern(k));
        pattern.map(Proved::by_check).ok_or_else(|| Error::input("--value: too large"))
    }
}

/// A position of a chains game.
pub(crate) fn written(game: &ChainsGame, position: chains::Position) -> Position {
    let text = game.notation(&position);
    Position::new(Place::Chains(position), text)
}

/// The position in a chains game; one of another game is refused.
pub(crate) fn place(game: &ChainsGame, position: &Position) -> Result<chains::Position> {
    match &position.place {
        Place::Chains(_) => game.position(position.as_str()).map_err(Error::input),
        _ => Err(position.of_another_kind("positions such as those `impartial play` shows")),
    }
}

/// The strategy for all m and n, with the functions of the Grundy values up to one.
pub(super) fn solve(game: &Chains, value: u64, ask: &Ask) -> Result<Strategy> {
    ask.method_among(&[Method::Chains], "chains games")?;
    game.needs_value(value)?;
    match game.solution(value, ask) {
        Ok(solution) => Ok(Strategy::chains(solution)),
        Err(Error::Stopped { why, .. }) => {
            let report = SolveReport {
                game: game.game.name().into(),
                play: Play::Normal,
                form: Some("chains".into()),
                proved: Standing::CLAIMED,
                size: serde_json::Map::new(),
                seconds: ask.seconds(),
                text: "nothing is proved yet".into(),
            };
            Err(Error::stopped_knowing(why, &report))
        }
        Err(error) => Err(error),
    }
}

/// How n = f(m) behaves.
pub(super) fn report(
    game: &Chains,
    written: &str,
    value: u64,
    at: Option<&BigUint>,
    ask: &Ask,
) -> Result<ChainsReport> {
    let chains = game.game.chains();
    game.needs_value(value)?;
    let pattern = game.pattern(value, ask)?;
    let report = ChainsReport::new(written.to_owned(), value, chains, &pattern, Standing::of(&pattern));
    Ok(match at {
        Some(m) => report.at(&pattern, m),
        None => report,
    })
}

/// The number of P-positions (m, n) of the whole game in a box of any size: 0 ≤ m < n1 and 0 ≤ n < n2.
pub(crate) fn count(solution: &Solution, sizes: &[BigUint]) -> Result<BigUint> {
    let chains = solution.game().chains();
    let bad = || {
        let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
        Error::Input(format!(
            "--box {}: expected {} sizes such as 100,200",
            sizes.join(","),
            if chains == 1 { 1 } else { 2 }
        ))
    };
    let pattern = solution.pattern(0).ok_or_else(bad)?;
    match (chains, sizes) {
        (2, [rows, columns]) => Ok(pattern.count(rows, columns)),
        (1, [rows]) => {
            Ok(pattern.inverse(&BigUint::ZERO).map_or(BigUint::ZERO, |m| BigUint::from(u8::from(m < *rows))))
        }
        _ => Err(bad()),
    }
}

pub(super) fn count_game(game: &Chains, sizes: &[BigUint], ask: &Ask) -> Result<(BigUint, String, Option<Standing>)> {
    let solution = game.solution(0, ask)?;
    Ok((count(&solution, sizes)?, "chains".into(), Some(Standing::of(&solution))))
}

impl Playable for Chains {
    fn kind(&self) -> &'static str {
        "chains"
    }

    fn name(&self) -> &str {
        self.game.name()
    }

    fn own_play(&self) -> Option<Play> {
        None
    }

    fn strategy_game(&self, ask: &Ask) -> Result<(Value, Play)> {
        Ok((self.game.to_json(), ask.play_of(None)))
    }

    fn info(&self, written: &str, ask: &Ask) -> Result<InfoReport> {
        let ideals = Ideals::new(&self.game, ask.monitor)?;
        let whole = &ideals.list()[ideals.whole()];
        let mut info = InfoReport::new(written, "chains");
        info.line(format!(
            "{}: a poset game with {} and {} other elements, {} order ideals",
            self.game.name(),
            if self.game.chains() == 1 { "an infinite chain" } else { "two infinite chains" },
            whole.size,
            ideals.list().len(),
        ));
        info.fact("chains", self.game.chains()).fact("dimension", self.game.chains());
        info.fact("elements", whole.size).fact("order_ideals", ideals.list().len());
        info.fact("least_m", whole.m_lo).fact("least_n", whole.n_lo);
        if let Some(normal) = self.game.normal_form().ok().flatten() {
            let elements = normal.skeleton.len();
            info.line(format!(
                "normal form: the first {} elements of C and {} of D join the others, {elements} in all",
                normal.u, normal.v
            ));
            info.fact("normal_form", serde_json::json!({"u": normal.u, "v": normal.v, "elements": elements}));
        }
        Ok(info)
    }

    fn position(&self, text: &str) -> Result<Position> {
        Ok(written(&self.game, self.game.position(text).map_err(Error::input)?))
    }

    fn start(&self) -> Result<Position> {
        let ideals = Ideals::new(&self.game, &Unlimited)?;
        let whole = &ideals.list()[ideals.whole()];
        let m = u64::from(whole.m_lo) + 3;
        let n = self.game.cross().at(m).unwrap_or(0).max(whole.n_lo.into()) + 3;
        let n = if self.game.chains() == 1 { 0 } else { n };
        let m = self.game.cross().last_at_most(n).map_or(m, |last| m.min(last));
        Ok(written(&self.game, chains::Position { ideal: whole.key.clone(), m: m.into(), n: n.into() }))
    }

    fn options(&self, position: &Position) -> Result<Vec<Position>> {
        let position = place(&self.game, position)?;
        let ideals = Ideals::new(&self.game, &Unlimited)?;
        let options = Solution::options(&self.game, &ideals, &position, MOST_OPTIONS).ok_or_else(|| {
            Error::Input(format!("this position has more than {MOST_OPTIONS} options; play from a smaller one"))
        })?;
        Ok(options.into_iter().map(|option| written(&self.game, option)).collect())
    }

    fn drawing(&self, position: &Position) -> Result<String> {
        let notation = self.game.notation(&place(&self.game, position)?);
        if !matches!(self.game.board(), Board::Chomp(_)) {
            return Ok(notation);
        }
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

    fn reasons<'a>(&'a self, position: &Position, ask: &Ask) -> Result<Reasons<'a>> {
        by_options(self, position, ask)
    }

    fn rules_in_words(&self) -> String {
        match self.game.board() {
            Board::Chomp(_) => format!(
                "Chomp with its {} as long as you like: choose a square; it goes, with every square that is neither above \
                 it nor to its left.",
                if self.game.chains() == 1 { "top row" } else { "two top rows" }
            ),
            Board::Poset(_) => "Choose an element: it goes, with everything above it.".into(),
        }
    }

    fn position_forms(&self) -> &'static str {
        match self.game.board() {
            Board::Chomp(_) => "row lengths such as 7,5,3, the longest first",
            Board::Poset(_) => "{a,b|m,n}: the elements that are left, then the lengths of the chains",
        }
    }

    fn outcome(&self, position: &Position, ask: &Ask) -> Result<Found<Outcome>> {
        let position = place(&self.game, position)?;
        let solution = self.solution(0, ask)?;
        Ok(Found { value: solution.outcome(&position), method: "chains".into(), proved: Some(Standing::of(&solution)) })
    }

    fn grundy(&self, position: &Position, ask: &Ask) -> Result<Found<BigUint>> {
        self.normal_play(ask)?;
        let answer = grundy(&self.game, &place(&self.game, position)?, ask.monitor)?;
        Ok(Found::by(answer.value, answer.method))
    }

    fn winning_moves(&self, position: &Position, ask: &Ask) -> Result<Found<Moves>> {
        let position = place(&self.game, position)?;
        let solution = self.solution(0, ask)?;
        let moves = solution.winning_moves(&position).into_iter().map(|p| written(&self.game, p)).collect();
        Ok(Found { value: Moves::all(moves), method: "chains".into(), proved: Some(Standing::of(&solution)) })
    }
}
