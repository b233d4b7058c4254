//! `cargo xtask exports`: every export of every form, run in the program it is written for, and its result compared.
//!
//! Macaulay2, GAP, Normaliz and Graphviz are in Debian (`macaulay2 gap-core normaliz graphviz`); LaTeX, Sage, Mathematica and Walnut are not
//! asked for, and what they would read is said to be left out where they are missing.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// A folder for files, and the command under test.
struct Bench {
    folder: PathBuf,
    command: PathBuf,
    passed: u32,
    failed: u32,
    left_out: Vec<String>,
}

/// The other programs, and the packages of Debian that have them.
const PROGRAMS: [(&str, &str); 4] =
    [("M2", "macaulay2"), ("gap", "gap-core"), ("normaliz", "normaliz"), ("dot", "graphviz")];

impl Bench {
    /// What the command prints.
    fn impartial(&self, args: &[&str]) -> Result<String, String> {
        output(Command::new(&self.command).args(args).current_dir(&self.folder))
    }

    fn has(&self, program: &str) -> bool {
        program.is_empty() || !self.left_out.iter().any(|missing| missing.starts_with(program))
    }

    fn file(&self, name: &str, text: &str) -> Result<PathBuf, String> {
        let path = self.folder.join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }

    /// A case in a program; it is left out when the program is missing.
    fn case(&mut self, program: &str, name: &str, run: impl FnOnce(&Self) -> Result<(), String>) {
        if !self.has(program) {
            return;
        }
        match run(self) {
            Ok(()) => {
                self.passed += 1;
                println!("ok      {program}: {name}");
            }
            Err(why) => {
                self.failed += 1;
                println!("FAILED  {program}: {name}: {why}");
            }
        }
    }

    /// Runs an export of a strategy file with `more` below it, and compares what is printed.
    fn script(&self, program: &str, file: &str, more: &str, expected: &str) -> Result<(), String> {
        let (syntax, end) = if program == "M2" { ("macaulay2", "m2") } else { ("gap", "g") };
        let export = self.impartial(&["show", file, "--as", syntax])?;
        let path = self.file(&format!("script.{end}"), &format!("{export}\n{more}\n"))?;
        let path = path.to_string_lossy().into_owned();
        let printed = match program {
            "M2" => output(Command::new("M2").args(["--script", &path]))?,
            _ => output(Command::new("gap").args(["-q", "--nointeract", &path]))?,
        };
        equal(&printed, expected)
    }
}

fn output(command: &mut Command) -> Result<String, String> {
    let done = command.stdin(std::process::Stdio::null()).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    if done.status.success() {
        return Ok(text);
    }
    Err(format!("{} {}", text.trim(), String::from_utf8_lossy(&done.stderr).trim()))
}

/// Compares texts without blanks and line breaks, which programs put where they like.
fn equal(found: &str, expected: &str) -> Result<(), String> {
    let plain = |text: &str| text.split_whitespace().collect::<String>();
    if plain(found) == plain(expected) {
        return Ok(());
    }
    let short = |text: &str| text.chars().take(200).collect::<String>();
    Err(format!("it gives {}, and should give {}", short(found), short(expected)))
}

/// The forms that are exported: the file, and the arguments that make it.
const FILES: [(&str, &[&str]); 9] = [
    ("series.json", &["solve", "exotic", "--as", "series"]),
    ("strata.json", &["solve", "exotic", "--as", "stratification"]),
    ("automaton.json", &["solve", "exotic", "--as", "automaton"]),
    ("kernel.json", &["solve", "small-nim-lattice"]),
    ("characters.json", &["convert", "kernel.json", "--to", "series"]),
    ("sequence.json", &["solve", "kayles"]),
    ("quotient.json", &["quotient", "0.123", "--play", "misere"]),
    ("presentation.json", &["quotient", "infinite-quotient"]),
    ("chains.json", &["solve", "chomp-chains:2"]),
];

/// Runs all cases with a command that is built already, or with one that is built for it.
pub fn run(root: &Path, command: Option<PathBuf>) -> ExitCode {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let Some(command) = command.or_else(|| crate::pictures::built(root, &target)) else {
        println!("the command does not build");
        return ExitCode::FAILURE;
    };
    let folder = target.join("exports");
    if std::fs::create_dir_all(&folder).is_err() {
        println!("{}: no such folder can be made", folder.display());
        return ExitCode::FAILURE;
    }
    let mut bench = Bench { folder, command, passed: 0, failed: 0, left_out: Vec::new() };
    for (program, package) in PROGRAMS {
        if !crate::check::installed(program, &[package]) {
            bench.left_out.push(format!("{program}: not installed and could not be (package {package})"));
        }
    }
    for (file, args) in FILES {
        if let Err(why) = bench.impartial(&[args, &["-o", file]].concat()) {
            println!("FAILED  {file}: {why}");
            bench.failed += 1;
        }
    }
    points(&mut bench);
    monoids(&mut bench);
    sequences(&mut bench);
    automata(&mut bench);
    bench.left_out.push("LaTeX, Sage, Mathematica: their texts are compared by unit tests only".to_owned());
    for reason in &bench.left_out {
        println!("left out: {reason}");
    }
    println!("test result: {} passed; {} failed; 0 ignored", bench.passed, bench.failed);
    if bench.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Sets of points: series, stratifications, kernels.
fn points(bench: &mut Bench) {
    let members = bench.impartial(&["set", "members", "strata.json", "--box", "15"]).unwrap_or_default();
    let points: Vec<&str> = members.lines().collect();
    bench.case("M2", "series of exotic: coefficients up to degree 14", |bench| {
        expansion(bench, "series.json", "strata.json")
    });
    bench.case("M2", "sum over characters: coefficients up to degree 14", |bench| {
        expansion(bench, "characters.json", "kernel.json")
    });
    let listed = points.join("");
    bench.case("M2", "stratification of exotic: its points in a box", |bench| {
        let more = "found = {}
            scan(strata, s -> (F := s_0; A := s_1;
              scan(numColumns F, i -> scan(15, a -> scan(15, b -> (
                v := flatten entries(F_{i} + a * A_{0} + b * A_{1});
                if all(v, c -> c < 15) then found = append(found, v)))))));
            print concatenate apply(sort found, v -> concatenate(\"(\", toString v_0, \",\", toString v_1, \")\"))";
        bench.script("M2", "strata.json", more, &listed)
    });
    bench.case("gap", "stratification of exotic: its points in a box", |bench| {
        let more = "found := [];;
            for s in strata do for f in s.F do for a in [0..14] do for b in [0..14] do
              v := f + a * s.A[1] + b * s.A[2];
              if ForAll(v, c -> c < 15) then Add(found, v); fi;
            od; od; od; od;
            Sort(found);
            for v in found do Print(\"(\", v[1], \",\", v[2], \")\"); od; Print(\"\\n\"); QUIT;";
        bench.script("gap", "strata.json", more, &listed)
    });
    bench.case("M2", "parity kernel: Grundy values of unit vectors and of their sum", |bench| {
        let values = bench.impartial(&["show", "kernel.json", "--as", "csv"])?;
        let values: Vec<u64> = values.lines().skip(1).filter_map(|line| line.split(',').nth(1)?.parse().ok()).collect();
        let all = values.iter().fold(0, |sum, value| sum ^ value);
        let ones = vec!["1"; values.len()].join(",");
        bench.script("M2", "kernel.json", &format!("print grundy {{{ones}}}"), &all.to_string())
    });
    bench.case("normaliz", "the semigroup of a stratum: its Hilbert basis", |bench| {
        let input = bench.impartial(&["show", "strata.json", "--as", "normaliz"])?;
        bench.file("stratum.in", &input)?;
        output(Command::new("normaliz").args(["-f", "stratum"]).current_dir(&bench.folder))?;
        let answer = std::fs::read_to_string(bench.folder.join("stratum.gen")).map_err(|error| error.to_string())?;
        // Two lines with the numbers of rows and columns, then the elements.
        let mut found: Vec<String> =
            answer.lines().skip(2).map(|line| line.split_whitespace().collect::<Vec<_>>().join(",")).collect();
        found.sort();
        let rays: Vec<String> = input
            .lines()
            .skip_while(|line| !line.starts_with("cone_and_lattice"))
            .skip(1)
            .take_while(|line| line.starts_with(|c: char| c.is_ascii_digit()))
            .map(|line| format!("[{}]", line.split_whitespace().collect::<Vec<_>>().join(", ")))
            .collect();
        bench
            .file("cone.toml", &format!("kind = \"cone\"\nlattice = \"generated\"\nrays = [{}]\n", rays.join(", ")))?;
        let ours = bench.impartial(&["set", "hilbert-basis", "cone.toml"])?;
        let mut ours: Vec<String> = ours.lines().map(|line| line.trim_matches(['(', ')']).to_owned()).collect();
        ours.sort();
        equal(&found.join(" "), &ours.join(" "))
    });
}

/// A rational function against the points of a set: with T the sum of the monomials of all points of degree below 15,
/// numerator - T * denominator has no term of degree below 15.
fn expansion(bench: &Bench, series: &str, set: &str) -> Result<(), String> {
    let members = bench.impartial(&["set", "members", set, "--box", "15"])?;
    let mut monomials = Vec::new();
    for point in members.lines() {
        let entries: Vec<u32> = point.trim_matches(['(', ')']).split(',').filter_map(|x| x.parse().ok()).collect();
        if entries.iter().sum::<u32>() < 15 {
            let names: Vec<String> = match entries.len() {
                1 => vec!["t".to_owned()],
                d @ 2..=3 => ["x", "y", "z"][..d].iter().map(ToString::to_string).collect(),
                d => (1..=d).map(|i| format!("t{i}")).collect(),
            };
            let powers: Vec<String> = names.iter().zip(&entries).map(|(name, e)| format!("{name}^{e}")).collect();
            monomials.push(powers.join("*"));
        }
    }
    // The variables of the script are those of the field of fractions; numerator and denominator lie in R.
    let more = format!(
        "use R\nT = {}\nrest = numerator f - T * denominator f\nprint toString part(0, 14, rest)",
        monomials.join("+")
    );
    bench.script("M2", series, &more, "0")
}

/// The order that the command gives for a quotient.
fn order(bench: &Bench, file: &str) -> Result<String, String> {
    let text = bench.impartial(&["show", file])?;
    let after = text.split("quotient of order ").nth(1).ok_or("no order is told")?;
    Ok(after.chars().take_while(char::is_ascii_digit).collect())
}

/// Quotients: binomial ideals and finitely presented monoids.
fn monoids(bench: &mut Bench) {
    bench.case("M2", "binomial ideal of 0.123: dimension of the algebra, P-portion", |bench| {
        let order = order(bench, "quotient.json")?;
        let more = "print numgens source basis quotientAlgebra\nprint(#pPortion)\n\
                    print all(pPortion, m -> sub(m, quotientAlgebra) != 0)";
        bench.script("M2", "quotient.json", more, &format!("{order} 5 true"))
    });
    bench.case("gap", "monoid of 0.123 by generators and relations: its size", |bench| {
        let order = order(bench, "quotient.json")?;
        bench.script("gap", "quotient.json", "Print(Size(monoid), \"\\n\"); QUIT;", &order)
    });
    bench.case(
        "M2",
        "presentation of an infinite quotient: its algebra has positive dimension, 17 relations",
        |bench| {
            let more = "print(dim quotientAlgebra > 0)\nprint numgens relationIdeal";
            bench.script("M2", "presentation.json", more, "true 17")
        },
    );
    bench.case("dot", "Cayley graph of 0.123: a node for every element", |bench| {
        let graph = bench.impartial(&["show", "quotient.json", "--as", "dot"])?;
        let order = order(bench, "quotient.json")?;
        nodes(bench, &graph, &order)
    });
}

/// Graphviz reads a graph and finds so many nodes in it.
fn nodes(bench: &Bench, graph: &str, expected: &str) -> Result<(), String> {
    let path = bench.file("graph.dot", graph)?;
    let svg = output(Command::new("dot").arg("-Tsvg").arg(path))?;
    equal(&svg.matches("class=\"node\"").count().to_string(), expected)
}

/// Grundy sequences as functions, tables and b-files.
fn sequences(bench: &mut Bench) {
    let values = bench.impartial(&["values", "kayles", "200"]).unwrap_or_default();
    bench.case("M2", "Grundy values of Kayles to heap 200", |bench| {
        bench.script("M2", "sequence.json", "scan(201, n -> << g n << \" \")\n<< endl", &values)
    });
    bench.case("gap", "Grundy values of Kayles to heap 200", |bench| {
        bench.script(
            "gap",
            "sequence.json",
            "for n in [0..200] do Print(g(n), \" \"); od; Print(\"\\n\"); QUIT;",
            &values,
        )
    });
    bench.case("", "b-file of Kayles: one space, an end of line after every line, the values", |bench| {
        let path = "bfile.txt";
        bench.impartial(&["show", "sequence.json", "--as", "bfile", "-o", path])?;
        let file = std::fs::read_to_string(bench.folder.join(path)).map_err(|error| error.to_string())?;
        let lines: Vec<&str> = file.strip_suffix('\n').ok_or("no end of line at the end")?.split('\n').collect();
        let fields: Option<Vec<(&str, &str)>> = lines.iter().map(|line| line.split_once(' ')).collect();
        let fields = fields.ok_or("a line without a blank")?;
        let in_order = fields.iter().enumerate().all(|(n, (heap, _))| *heap == n.to_string());
        let found: Vec<&str> = fields.iter().take(201).map(|(_, value)| *value).collect();
        if in_order { equal(&found.join(" "), &values) } else { Err("the lines are not numbered from 0 on".into()) }
    });
}

/// Automata: Walnut's text is read back, Graphviz finds every state.
fn automata(bench: &mut Bench) {
    bench.case("", "Walnut's automaton of exotic is read back as the same set", |bench| {
        bench.impartial(&["show", "automaton.json", "--as", "walnut", "-o", "automaton.txt"])?;
        bench.impartial(&["set", "equal", "automaton.txt", "strata.json"]).map(drop)
    });
    bench.case("dot", "automaton of exotic: a node for every state and one for the start", |bench| {
        let graph = bench.impartial(&["show", "automaton.json", "--as", "dot"])?;
        let states = graph.matches("[shape=circle]").count() + graph.matches("[shape=doublecircle").count();
        nodes(bench, &graph, &(states + 1).to_string())
    });
    bench.case("", "every other export of every form is told or refused with the forms that there are", |bench| {
        for (file, _) in FILES {
            for syntax in [
                "latex",
                "sage",
                "mathematica",
                "macaulay2",
                "gap",
                "normaliz",
                "walnut",
                "dot",
                "bfile",
                "oeis",
                "csv",
                "jsonl",
            ] {
                match bench.impartial(&["show", file, "--as", syntax, "--trust"]) {
                    Ok(text) if text.trim().is_empty() => return Err(format!("{file} --as {syntax} is empty")),
                    Err(why) if !why.contains("it has") => return Err(format!("{file} --as {syntax}: {why}")),
                    _ => {}
                }
            }
        }
        Ok(())
    });
}
