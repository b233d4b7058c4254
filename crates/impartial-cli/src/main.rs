//! The `impartial` command.

mod args;
mod commands;
mod context;
mod files;
mod number;
mod play;
mod proved;
mod raster;
mod report;
mod set;
#[cfg(feature = "survey")]
mod survey;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // A closed pipe while help is printed is success, like everywhere else.
            let _ = error.print();
            if error.use_stderr() && std::env::args().any(|arg| arg == "--json") {
                report::print_error(error.to_string().trim_end());
            }
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let context = match context::Context::new(&args.global) {
        Ok(context) => context,
        Err(error) => return report::finish(Err(error), None, args.global.json),
    };
    let answer = commands::run(&args.command, &context);
    context.close();
    report::finish(answer, args.command.game(), args.global.json)
}
