//! The `impartial` command.

mod args;
mod commands;
mod context;
mod files;
mod number;
mod play;
mod progress;
mod proved;
mod raster;
mod report;
mod set;
mod shells;
#[cfg(feature = "survey")]
mod survey;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            if error.use_stderr() {
                let _ = error.print();
                if std::env::args().any(|arg| arg == "--json") {
                    report::print_error(error.to_string().trim_end());
                }
                return ExitCode::from(2);
            }
            // Help goes to standard output, and a failure there is told like everywhere else.
            return report::printed(report::open_stdout().and_then(|_| error.print()));
        }
    };
    let phase = std::env::args().nth(1).filter(|word| !word.starts_with('-'));
    let phase = [phase.as_deref(), args.command.game()].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let context = match context::Context::new(&args.global, phase) {
        Ok(context) => context,
        Err(error) => return report::finish(Err(error), &[], args.global.json),
    };
    let answer = commands::run(&args.command, &context);
    context::close();
    let play = args.global.play.map(|play| impartial::outcome::Play::from(play).to_string());
    let asked = [("game", args.command.game()), ("position", args.command.position()), ("play", play.as_deref())];
    report::finish(answer, &asked, args.global.json)
}
