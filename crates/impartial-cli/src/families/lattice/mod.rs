//! Lattice games.
//!
//! | file | what it answers |
//! | --- | --- |
//! | `info.rs` | `info`, also for the lattice form of a heap game |
//! | `answer.rs` | `outcome`, `move`, `grundy`, `count` without a strategy file |
//! | `learned.rs` | what the learner answers |
//! | `position.rs` | lattice points as text |
//! | `plot.rs` | pictures |
//! | `quotient.rs` | `quotient`: a presentation from the automaton |

pub mod answer;
pub mod info;
pub mod learned;
pub mod plot;
pub mod position;
pub mod quotient;

use impartial::lattice::{Description, LatticeError, LatticeGame};
use impartial::outcome::{Outcome, Play};
use impartial::solve::parity_kernel::ParityKernel;
use impartial::strategy::parity_kernel::lattice_envelope;
use semilinear::run::Unlimited;
use serde_json::{Value, json};

use super::Family;
use crate::args;
use crate::context::Context;
use crate::files;
use crate::forms::congruence;
use crate::learning::{self, Found};
use crate::report::{Answer, Failure, Report, bad_input};

/// A lattice game on the command line.
pub struct LatticeFamily {
    /// The name in the file, or its path.
    pub name: String,
    /// The game as it is written down.
    pub description: Description,
}

/// A limit stays a limit; everything else is bad input at a place.
pub fn failure(place: &str, error: LatticeError) -> Failure {
    match error {
        LatticeError::Stopped(why) => Failure::Stopped(why),
        error => bad_input(format!("{place}: {error}")),
    }
}

impl LatticeFamily {
    /// A game by its file.
    pub fn from_file(path: &str, text: &str) -> Result<Self, Failure> {
        let description = Description::from_toml(text).map_err(|error| failure(path, error))?;
        Ok(Self { name: description.name.clone().unwrap_or_else(|| path.to_owned()), description })
    }

    /// The description in the play asked for.
    pub fn described(&self, cx: &Context) -> Description {
        self.description.clone().with_play(cx.asked_play())
    }

    /// The game in the play asked for: axioms checked, with a warning when the tangent axiom is broken.
    pub fn game(&self, cx: &Context) -> Result<LatticeGame, Failure> {
        let game = LatticeGame::new(&self.described(cx), cx).map_err(|error| failure(&self.name, error))?;
        if let Some(ray) = game.tangent_violations().first() {
            cx.say(&format!(
                "impartial: warning: {}: no rule lies in the negative tangent cone of the ray {}; \
                 outcomes are defined all the same",
                self.name,
                position::text(ray)
            ));
        }
        Ok(game)
    }
}

impl Family for LatticeFamily {
    fn kind(&self) -> &'static str {
        "lattice"
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn own_play(&self) -> Option<Play> {
        self.description.play
    }

    fn game_json(&self) -> Value {
        // Without --play; strategy files are compared by `strategy_game`.
        LatticeGame::new(&self.description, &Unlimited).map_or(Value::Null, |game| game.to_json())
    }

    fn strategy_game(&self, cx: &Context) -> Result<(Value, Play), Failure> {
        let game = self.game(cx)?;
        Ok((game.to_json(), game.play()))
    }

    fn info(&self, cx: &Context, args: &args::InfoArgs) -> Answer {
        info::report(cx, &args.game, &self.name, &self.described(cx), json!({"kind": "lattice"}), &[])
    }

    fn grundy(&self, cx: &Context, position: &str) -> Result<(String, String), Failure> {
        let game = self.game(cx)?;
        answer::grundy(cx, &game, &position::read(&game, position)?)
    }

    fn outcome(&self, cx: &Context, position: &str) -> Result<(Outcome, String), Failure> {
        let game = self.game(cx)?;
        answer::outcome(cx, &game, &position::read(&game, position)?)
    }

    fn winning_moves(&self, cx: &Context, position: &str) -> Result<(Vec<String>, String), Failure> {
        let game = self.game(cx)?;
        let (moves, method) = answer::winning_moves(cx, &game, &position::read(&game, position)?)?;
        Ok((moves.iter().map(|x| position::text(x)).collect(), method))
    }

    fn solve(&self, cx: &Context, args: &args::SolveArgs) -> Answer {
        let game = self.game(cx)?;
        if args.grundy {
            return match args.method.as_deref() {
                None | Some("learn") => learning::solve_values(cx, &args.game, &game, args.output.as_deref()),
                Some(method) => Err(bad_input(format!(
                    "--method {method} does not find Grundy values; --grundy goes with --method learn or none"
                ))),
            };
        }
        match args.method.as_deref() {
            None => match ParityKernel::of_lattice(&game) {
                Some(kernel) => solved_by_kernel(cx, args, &game, &kernel),
                None => learned::solve(cx, args, &game),
            },
            Some("kernel" | "parity-kernel") => {
                let kernel = ParityKernel::of_lattice(&game).ok_or_else(|| {
                    bad_input(format!(
                        "{}: the parity kernel needs a squarefree rule set on the orthant in normal play; \
                         leave --method out",
                        self.name
                    ))
                })?;
                solved_by_kernel(cx, args, &game, &kernel)
            }
            Some(_) => learned::solve(cx, args, &game),
        }
    }

    fn congruent(&self, cx: &Context, args: &args::CongruentArgs) -> Answer {
        let game = self.game(cx)?;
        if let Some(kernel) = ParityKernel::of_lattice(&game) {
            return congruence::by_kernel(&kernel, &game, args);
        }
        // Bad positions are refused before the game is solved for them.
        congruence::points(&game, args)?;
        let found = learned::strategy(cx, &game)?;
        match &found {
            Found::Automaton(strategy) => congruence::by_automaton(cx, strategy, args, found.method()),
            Found::Sectors(strategy) => congruence::by_sectors(cx, strategy, args),
        }
    }

    fn lattice_file(&self, cx: &Context, _max_heap: Option<u64>) -> Result<String, Failure> {
        self.game(cx)?;
        Ok(self.described(cx).to_toml())
    }

    fn count(&self, cx: &Context, args: &args::CountArgs) -> Answer {
        let game = self.game(cx)?;
        let sizes = position::sizes(&args.sizes, game.dimension())?;
        let (count, method) = answer::count(cx, &game, &sizes)?;
        Ok(answer::count_report(&args.game, &args.sizes, &count, &method))
    }

    fn quotient(&self, cx: &Context, args: &args::QuotientArgs) -> Answer {
        let game = self.game(cx)?;
        let strategy = learned::automaton(cx, &game)?;
        quotient::report(cx, &args.game, &strategy, args.output.as_deref())
    }

    fn plot(&self, cx: &Context, args: &args::PlotArgs) -> Answer {
        plot::game(cx, &self.game(cx)?, &self.name, args)
    }

    fn options(&self, position: &str) -> Result<Vec<String>, Failure> {
        let game = LatticeGame::new(&self.description, &Unlimited).map_err(|error| failure(&self.name, error))?;
        let x = position::read(&game, position)?;
        Ok(answer::options(&game, &x).iter().map(|x| position::text(x)).collect())
    }

    fn drawing(&self, position: &str) -> Result<String, Failure> {
        let game = LatticeGame::new(&self.description, &Unlimited).map_err(|error| failure(&self.name, error))?;
        Ok(position::drawing(&position::read(&game, position)?))
    }

    fn start(&self) -> Result<String, Failure> {
        let game = LatticeGame::new(&self.description, &Unlimited).map_err(|error| failure(&self.name, error))?;
        position::start(&game)
    }
}

/// The report, and the file, of a parity kernel.
fn solved_by_kernel(cx: &Context, args: &args::SolveArgs, game: &LatticeGame, kernel: &ParityKernel) -> Answer {
    let envelope = lattice_envelope(game, kernel);
    if let Some(path) = &args.output {
        files::write(path, envelope.to_text().as_bytes())?;
    }
    Ok(kernel_report(cx, &args.game, kernel, args.output.as_deref()))
}

/// What `solve` says of a parity kernel.
pub fn kernel_report(cx: &Context, game: &str, kernel: &ParityKernel, output: Option<&str>) -> Report {
    let (d, rank) = (kernel.values().len(), kernel.rank());
    let json = json!({
        "game": game,
        "form": "parity-kernel",
        "proved": true,
        "dimension": d,
        "rank": rank,
        "terms": (d - rank < 53).then(|| 1u64 << (d - rank)),
        "seconds": cx.seconds(),
    });
    let written = output.map_or(String::new(), |path| format!("; written to {path}"));
    let text = format!(
        "solved and proved: P-positions are those whose Grundy value, the nim-sum of g(e_i) over odd coordinates, is 0; \
         {d} coordinates, rank {rank} (P = P0 + 2N^{d} with 2^{} points in P0){written}",
        d - rank
    );
    Report::new(json, text)
}
