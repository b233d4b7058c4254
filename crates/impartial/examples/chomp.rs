//! The winning bites of Chomp on a 4 × 7 board.
use impartial::prelude::*;

fn main() -> Result<(), Error> {
    let ask = Ask::new();
    let game: Game = "chomp:4x7".parse()?;
    let start = game.start()?;
    println!("{}", game.drawing(&start)?);
    println!("{}", game.winning_moves(&start, &ask)?);
    Ok(())
}
