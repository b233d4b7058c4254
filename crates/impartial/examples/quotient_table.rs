//! The misère quotient of the octal game 0.123, with its multiplication table.
use impartial::prelude::*;

fn main() -> Result<(), Error> {
    let game: Game = "0.123".parse()?;
    let quotient = game.quotient(&Ask::new().play(Play::Misere))?;
    println!("{}", quotient.report());
    println!("{}", quotient.report().more["cayley"]["table"]);
    Ok(())
}
