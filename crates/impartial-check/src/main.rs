//! `impartial-check FILE…`: says of each strategy file whether it is valid. Exit 0 when all are, 1 when
//! one is refused, 2 when one cannot be read.

use std::io::Read as _;
use std::process::ExitCode;

use impartial_check::{Verdict, check};

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() || files.iter().any(|f| f == "--help" || f == "-h") {
        eprintln!(
            "usage: impartial-check FILE…   (- is standard input)\nVerifies strategy files written by `impartial solve`."
        );
        return ExitCode::from(2);
    }
    let mut worst = 0;
    for file in &files {
        let text = if file == "-" {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map(|_| text)
        } else {
            std::fs::read_to_string(file)
        };
        let code = match text {
            Err(error) => {
                eprintln!("impartial-check: {file}: {error}; give the path of a strategy file");
                2
            }
            Ok(text) => match check(&text, &|| true) {
                Verdict::Valid { claim } => {
                    println!("{file}: valid: {claim}");
                    0
                }
                Verdict::Refused { reason } => {
                    println!("{file}: refused: {reason}");
                    1
                }
                Verdict::Stopped => unreachable!("nobody stops this check"),
            },
        };
        worst = worst.max(code);
    }
    ExitCode::from(worst)
}
