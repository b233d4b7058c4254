//! The command line, parsed to plain values. Help, man page and completions come from here.

use std::time::Duration;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use impartial::outcome::Play;
use impartial::render;
use impartial::solve::sequence::Engine;

use crate::number::{bytes, duration, size};

// Every paragraph is one line: the terminal's width breaks it.
const GAMES_HELP: &str = "\
Start here:
  impartial games                               the catalogue, with rules and sources
  impartial info kayles                         how a game is played, and what to ask next
  impartial move kayles 3+5+7 --explain         the winning moves, and why
  impartial period 0.77                         the period of a Grundy sequence, proved
  impartial quotient 0.123 --play misere        a misère quotient, for all heaps
  impartial solve exotic -o strategy.json       a strategy for infinitely many positions

GAME: a code (0.77, .77, 0·77, octal 0.77, 4.7; 0.[3] or 0.333… for a block that repeats), subtract:1,2,3 (also S(1,2,3), subtract:1..3), a catalogue name in any case, chomp:4x7, chomp:5,3,1, divisors:360, subsets:4, nim-poset:3,5, chomp-chains:5,3, or a game file (game.toml).

POSITION: 3+5+7 (heaps; also 3 5 7, 3,5,7, [3,5,7], *3+*5, 5^3 for 5+5+5, 1..4 for 1+2+3+4), (0,2,1) (a lattice point), 5,3,1 (Chomp rows), {a,b} (poset elements left), the name of a graph position, or positions of the parts of a sum joined by |. It is printed back in the first of these forms. @FILE or - (standard input) stands for a long one.

Limits: without --time-limit a search that may never end (misère quotients) stops after 60 s, a period is looked for up to heap 200 000 (further where that is quick), and the recursion on lattice games takes at most 2 GiB. What stops is said.

Exit codes: 0 done or yes, 1 no, 2 bad input, 3 stopped by a limit, 130 interrupted.";

/// Exact and proved strategies for impartial combinatorial games.
#[derive(Debug, Parser)]
#[command(name = "impartial", version, after_help = GAMES_HELP)]
pub struct Args {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// Options that every command understands.
#[derive(Debug, ClapArgs)]
pub struct Global {
    /// Print one JSON object instead of text
    #[arg(long, global = true)]
    pub json: bool,
    /// Who cannot move loses (normal) or wins (misere); default: the game file's own, else normal
    #[arg(long, global = true, value_name = "PLAY")]
    pub play: Option<PlayArg>,
    /// Stop after this time (500ms, 30s, 10m, 2h) and print what is known; default: none, but misère quotients stop after 60s and quotients of lattice games after 120s
    #[arg(long, global = true, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    pub time_limit: Option<Duration>,
    /// Stop when this much memory is in use (512MiB, 4GiB); default: none, but the recursion on lattice games takes 2GiB at most
    #[arg(long, global = true, value_name = "BYTES", value_parser = bytes, allow_hyphen_values = true)]
    pub memory_limit: Option<u64>,
    /// Number of threads; default: one a core
    #[arg(long, global = true, value_name = "N", value_parser = size, allow_hyphen_values = true)]
    pub threads: Option<u64>,
    /// No progress, notes or warnings on stderr; errors are still told
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say on stderr what is being done
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

/// `--play`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum PlayArg {
    Normal,
    #[value(alias = "misère")]
    Misere,
}

impl From<PlayArg> for Play {
    fn from(play: PlayArg) -> Self {
        match play {
            PlayArg::Normal => Self::Normal,
            PlayArg::Misere => Self::Misere,
        }
    }
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// What a game is: kind, dimension, rules, axioms
    Info(InfoArgs),
    /// Grundy values of heaps 0..=N
    Values(ValuesArgs),
    /// The period of a Grundy sequence, with proof
    Period(PeriodArgs),
    /// The Grundy value of a position
    Grundy(PositionArgs),
    /// The outcome of a position: P (previous player wins) or N (next player wins)
    Outcome(PositionArgs),
    /// Every winning move of a position
    Move(PositionArgs),
    /// Find a strategy for the whole game and prove it
    Solve(SolveArgs),
    /// Check a strategy file, independently of how it was found
    Verify(VerifyArgs),
    /// Prove a claim that you write (a stratification, a series, a period, a quotient), or refute it with a position
    Prove(ProveArgs),
    /// Combine, compare, count and list sets of integer vectors, of games or not
    Set(SetArgs),
    /// Convert a strategy file to another form (or a game to a lattice game file)
    Convert(ConvertArgs),
    /// Show a strategy file
    Show(ShowArgs),
    /// The number of P-positions in a box
    Count(CountArgs),
    /// Games with rays in the plane: the positions of a Grundy value in a row or with a difference, and their offsets
    Pairs(PairsArgs),
    /// Whether two positions are congruent (indistinguishable in every sum)
    Congruent(CongruentArgs),
    /// The quotient of a heap or lattice game, with relations
    Quotient(QuotientArgs),
    /// Poset games with two infinite chains: how n = f(m) behaves
    Chains(ChainsArgs),
    /// Play against the perfect player
    Play(PlayArgs),
    /// Draw a game or a strategy
    Plot(PlotArgs),
    /// List the catalogue
    Games(GamesArgs),
    /// Solve many games and keep the results in a SQLite file
    #[cfg(feature = "survey")]
    Survey(crate::survey::SurveyArgs),
    /// Print a completion script for a shell
    Completions {
        /// bash, elvish, fish, powershell or zsh
        shell: clap_complete::Shell,
    },
    /// Print the man page, or that of a command
    Man(ManArgs),
}

impl Command {
    /// The GAME (or strategy file in its place) that the command is about.
    pub fn game(&self) -> Option<&str> {
        match self {
            Self::Info(args) => Some(&args.game),
            Self::Values(args) => Some(&args.game),
            Self::Period(args) => Some(&args.game),
            Self::Grundy(args) | Self::Outcome(args) | Self::Move(args) => Some(&args.game),
            Self::Solve(args) => Some(&args.game),
            Self::Count(args) => Some(&args.game),
            Self::Congruent(args) => Some(&args.game),
            Self::Quotient(args) => Some(&args.game),
            Self::Chains(args) => Some(&args.game),
            Self::Play(args) => Some(&args.game),
            Self::Plot(args) => Some(&args.game),
            _ => None,
        }
    }

    /// The POSITION that the command is about.
    pub fn position(&self) -> Option<&str> {
        match self {
            Self::Info(args) => args.position.as_deref(),
            Self::Grundy(args) | Self::Outcome(args) | Self::Move(args) => args.position.as_deref(),
            _ => None,
        }
    }
}

#[derive(Debug, ClapArgs)]
pub struct InfoArgs {
    pub game: String,
    /// Also give the longest play from here
    #[arg(allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Heap games: the largest heap (the game becomes a lattice game)
    #[arg(long, value_name = "N", value_parser = size, allow_hyphen_values = true)]
    pub max_heap: Option<u64>,
}

/// The engines for Grundy sequences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum EngineArg {
    /// Choose by itself
    #[default]
    Auto,
    /// The plain loop, the reference
    Plain,
    /// The vectorised scan
    Scan,
    /// The sparse space
    Sparse,
}

impl From<EngineArg> for Engine {
    fn from(engine: EngineArg) -> Self {
        match engine {
            EngineArg::Auto => Self::Auto,
            EngineArg::Plain => Self::Plain,
            EngineArg::Scan => Self::Scan,
            EngineArg::Sparse => Self::Sparse,
        }
    }
}

#[derive(Debug, ClapArgs)]
pub struct ValuesArgs {
    pub game: String,
    /// The largest heap, or a range such as 10..20
    #[arg(value_name = "N", allow_hyphen_values = true, required_unless_present = "to")]
    pub heaps: Option<String>,
    /// The largest heap
    #[arg(long, value_name = "N", value_parser = size, allow_hyphen_values = true, conflicts_with = "heaps")]
    pub to: Option<u64>,
    /// Lines heap,value (the same as --as csv)
    #[arg(long)]
    pub csv: bool,
    /// text, csv, bfile (lines n a(n) for the OEIS), or jsonl
    #[arg(long = "as", value_name = "SYNTAX", conflicts_with = "csv", value_parser = ["text", "csv", "bfile", "jsonl"])]
    pub syntax: Option<String>,
    /// Write the values here
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<String>,
    #[arg(long, value_enum, default_value_t)]
    pub engine: EngineArg,
    /// Do not stop computing at a proved period
    #[arg(long)]
    pub no_proof_stop: bool,
    /// Keep the values in this file, and go on from it
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub struct PeriodArgs {
    pub game: String,
    /// Look no further than this heap; default: 200000, further where that is quick
    #[arg(long, value_name = "N", value_parser = size, allow_hyphen_values = true)]
    pub to: Option<u64>,
    #[arg(long, value_enum, default_value_t)]
    pub engine: EngineArg,
    /// Keep what is known in this file, and go on from it: values or, beyond four million heaps, states
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub struct PositionArgs {
    pub game: String,
    /// Default: the whole board, where the game names one (chomp:4x7, divisors:360, a poset file)
    #[arg(allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Say why: the mex and the nim-sum written out, in misère play the product in the quotient; and the moves in words
    #[arg(long, conflicts_with = "strategy")]
    pub explain: bool,
    /// Answer from this strategy file
    #[arg(long, value_name = "FILE")]
    pub strategy: Option<String>,
    #[command(flatten)]
    pub trust: Trust,
}

/// What is done with a strategy file before it answers.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub struct Trust {
    /// Take the strategy file's word for it: no check, and the answer is not called proved
    #[arg(long)]
    pub trust: bool,
}

#[derive(Debug, ClapArgs)]
pub struct SolveArgs {
    pub game: String,
    /// Heap games: the largest heap
    #[arg(long, value_name = "N", value_parser = size, allow_hyphen_values = true)]
    pub max_heap: Option<u64>,
    /// Force a method instead of the cheapest that applies
    #[arg(long, value_name = "METHOD")]
    pub method: Option<String>,
    /// Lattice games: find the Grundy value of every position, not just the P-positions
    #[arg(long)]
    pub grundy: bool,
    /// Chains games: with the positions of all Grundy values up to K
    #[arg(long, value_name = "K", value_parser = size, allow_hyphen_values = true)]
    pub value: Option<u64>,
    /// Games with rays, with --grundy: the values 0 to K
    #[arg(long, value_name = "K", value_parser = size, allow_hyphen_values = true, requires = "grundy")]
    pub up_to: Option<u64>,
    /// Games with rays: the numeration system (binary, fibonacci, pell, tribonacci, ostrowski:A, auto)
    #[arg(long, value_name = "SYSTEM")]
    pub numeration: Option<String>,
    /// Heap games: look no further than this heap for a period; default: 200000, further where that is quick
    #[arg(long, value_name = "N", value_parser = size, allow_hyphen_values = true)]
    pub to: Option<u64>,
    /// Give it in this form (automaton, stratification, series, quotient, …) or syntax (latex, sage, macaulay2, mathematica, …: see show)
    #[arg(long = "as", value_name = "FORM")]
    pub form: Option<String>,
    /// Write the strategy file (or with --as SYNTAX the text) here
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub struct VerifyArgs {
    /// A strategy file
    pub file: String,
    /// Ask proved-check, the checker extracted from machine-checked proofs (in PATH, or named by `IMPARTIAL_PROVED_CHECK`)
    #[arg(long)]
    pub proved: bool,
}

#[derive(Debug, ClapArgs)]
pub struct ProveArgs {
    /// A claim in TOML or JSON: game, form, and what is claimed
    pub claim: String,
    /// Series: by automaton, or by series (Hadamard products)
    #[arg(long)]
    pub method: Option<String>,
    /// Write the certified strategy here
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<String>,
}

/// The operations of `set`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SetOperation {
    /// All elements of the sets
    Union,
    /// The elements that all sets have
    Intersection,
    /// What the first set has and the others have not
    Difference,
    /// The rest of N^d
    Complement,
    /// The product of generating functions term by term: the intersection
    Hadamard,
    /// The set moved by --by
    Translate,
    /// The set seen in the coordinates --to
    Project,
    /// Whether two sets are equal, with a witness when not
    Equal,
    /// The number of elements in --box
    Count,
    /// The elements in --box
    Members,
    /// Whether the vector --by is an element
    Contains,
    /// What the saturation of a semigroup has and the semigroup has not
    Holes,
    /// The minimal generators of a cone's integer points
    HilbertBasis,
    /// The Hilbert series of a cone or semigroup for --grading
    HilbertSeries,
}

#[derive(Debug, ClapArgs)]
pub struct SetArgs {
    pub operation: SetOperation,
    /// Strategy files, or TOML: kind = "stratification", "series", "semigroup", "cone" or "polyhedron"
    #[arg(required = true)]
    pub files: Vec<String>,
    /// Sizes n1,n2,… of a box: 0 <= xi < ni; one size stands for all
    #[arg(long = "box", value_name = "SIZES", allow_hyphen_values = true)]
    pub sizes: Option<String>,
    /// A vector such as 1,-2
    #[arg(long, value_name = "VECTOR", allow_hyphen_values = true)]
    pub by: Option<String>,
    /// Coordinates, counted from 1, such as 1,3
    #[arg(long, value_name = "COORDINATES", allow_hyphen_values = true)]
    pub to: Option<String>,
    /// The degrees of the coordinates, such as 1,2,1; default: 1 each
    #[arg(long, value_name = "DEGREES", allow_hyphen_values = true)]
    pub grading: Option<String>,
    /// Write the resulting set here, as TOML
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub struct ConvertArgs {
    /// A strategy file, or a GAME, which is solved first
    pub file: String,
    /// automaton, stratification, series, quotient, …; lattice makes a lattice game file of a GAME
    #[arg(long, value_name = "FORM")]
    pub to: String,
    /// The positions to give: P, or N as a set (--to stratification)
    #[arg(long, value_name = "P|N", default_value = "P")]
    pub of: String,
    /// Heap games: the largest heap
    #[arg(long, value_name = "N", value_parser = size, allow_hyphen_values = true)]
    pub max_heap: Option<u64>,
    /// Write the result here
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<String>,
}

/// The languages of `show --as`.
fn syntaxes() -> clap::builder::PossibleValuesParser {
    let languages = render::Syntax::ALL.into_iter().map(render::Syntax::name);
    clap::builder::PossibleValuesParser::new(languages.chain(["json"]).collect::<Vec<_>>())
}

#[derive(Debug, ClapArgs)]
pub struct ShowArgs {
    /// A strategy file
    pub file: String,
    /// text, json, or the language of another system
    #[arg(long = "as", value_name = "SYNTAX", default_value = "text", value_parser = syntaxes())]
    pub syntax: String,
    /// Write the text here
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<String>,
    #[command(flatten)]
    pub trust: Trust,
}

#[derive(Debug, ClapArgs)]
pub struct CountArgs {
    /// A GAME or a strategy file
    pub game: String,
    /// Sizes n1,n2,…: positions with 0 <= xi < ni (poset games: row lengths of Chomp; absent = the whole board)
    #[arg(
        long = "box",
        value_name = "SIZES",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    pub sizes: String,
    #[command(flatten)]
    pub trust: Trust,
}

#[derive(Debug, ClapArgs)]
pub struct PairsArgs {
    /// A strategy file of a game with rays, e.g. that of `solve wythoff -o FILE`
    pub file: String,
    /// The Grundy value
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub value: usize,
    #[command(flatten)]
    pub of: PairsOfArgs,
    #[command(flatten)]
    pub trust: Trust,
}

/// Which pairs are asked for.
#[derive(Debug, ClapArgs)]
#[group(required = true, multiple = false)]
pub struct PairsOfArgs {
    /// The positions (N, y)
    #[arg(long, value_name = "N")]
    pub row: Option<String>,
    /// The positions (x, N)
    #[arg(long, value_name = "N")]
    pub column: Option<String>,
    /// The positions (x, x + N): in Wythoff's game the N-th pair
    #[arg(long, value_name = "N")]
    pub difference: Option<String>,
    /// Wythoff's game: the least and the largest y - floor(phi x) of all positions x <= y of the value
    #[arg(long)]
    pub offsets: bool,
}

#[derive(Debug, ClapArgs)]
pub struct CongruentArgs {
    pub game: String,
    /// The first position
    #[arg(allow_hyphen_values = true)]
    pub p: String,
    /// The second position
    #[arg(allow_hyphen_values = true)]
    pub q: String,
    /// Answer from this strategy file
    #[arg(long, value_name = "FILE")]
    pub strategy: Option<String>,
    #[command(flatten)]
    pub trust: Trust,
    /// Heap games: the largest heap
    #[arg(long, value_name = "N", value_parser = size, allow_hyphen_values = true)]
    pub max_heap: Option<u64>,
}

#[derive(Debug, ClapArgs)]
pub struct QuotientArgs {
    /// A GAME or a strategy file
    pub game: String,
    /// Heap games: the largest heap; default: all heaps where that is proved, else as far as the time limit allows
    #[arg(long, value_name = "N", value_parser = size, allow_hyphen_values = true)]
    pub max_heap: Option<u64>,
    /// Write the strategy file here
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub struct ChainsArgs {
    pub game: String,
    /// The Grundy value k of f_k
    #[arg(long, value_name = "K", value_parser = size, default_value_t = 0, allow_hyphen_values = true)]
    pub value: u64,
    /// Also give f_k(m) for this m, of any size (@FILE and - as for a position)
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    pub at: Option<String>,
    /// Also give Q(A), T and W, which the proof of the periodicity theorem works with
    #[arg(long)]
    pub explain: bool,
    /// Write the strategy with the Grundy values up to K here
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub struct PlayArgs {
    pub game: String,
    /// Where to begin; default: the position that the catalogue names, else a small one
    #[arg(allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Let the computer begin
    #[arg(long)]
    pub second: bool,
}

/// The pictures of `plot --what`.
fn pictures() -> clap::builder::PossibleValuesParser {
    clap::builder::PossibleValuesParser::new(impartial::game::PlotKind::ALL.map(|(_, name)| name))
}

#[derive(Debug, ClapArgs)]
pub struct PlotArgs {
    /// A GAME or a strategy file
    pub game: String,
    /// Where to write: x.svg, x.png or x.pdf
    #[arg(short, long, value_name = "FILE")]
    pub output: String,
    /// How many positions on each axis: n1,n2 (or n); default: 64 on a map, 300 heaps on a chart
    #[arg(long = "box", value_name = "SIZES", allow_hyphen_values = true)]
    pub sizes: Option<String>,
    /// A 2-D slice of a higher game: * for the two axes drawn, e.g. (*,*,0,1); default: the first two, 0 for the others
    #[arg(long, value_name = "SLICE", allow_hyphen_values = true)]
    pub slice: Option<String>,
    /// Colour by Grundy value instead of P and N
    #[arg(long)]
    pub grundy: bool,
    /// Which picture: values (n against g(n)), sums (two heaps), map (numbers of heaps, lattice points), orders and cayley (misère
    /// quotients), function (chains), automaton
    #[arg(long, value_name = "PICTURE", default_value = "auto", hide_default_value = true, value_parser = pictures())]
    pub what: String,
    /// Misère quotients: the largest heap; default as for quotient
    #[arg(long, value_name = "N", value_parser = size, allow_hyphen_values = true)]
    pub max_heap: Option<u64>,
    #[command(flatten)]
    pub trust: Trust,
}

#[derive(Debug, ClapArgs)]
pub struct ManArgs {
    /// A command, such as values
    pub command: Option<String>,
    /// Write the pages of all commands into this folder
    #[arg(short, long, value_name = "FOLDER", conflicts_with = "command")]
    pub output: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub struct GamesArgs {
    /// Only games whose name, code or words contain this
    pub filter: Option<String>,
}
