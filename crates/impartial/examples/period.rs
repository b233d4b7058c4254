//! The period of Dawson's Kayles, with proof.
use impartial::prelude::*;

fn main() -> Result<(), Error> {
    let game: Game = "dawsons-kayles".parse()?;
    let period = game.period(&Ask::new())?;
    println!("{period}");
    assert!(period.proved.is_proved());
    Ok(())
}
