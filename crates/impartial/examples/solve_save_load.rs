//! A lattice game: solved, saved, loaded, asked.
use impartial::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ask = Ask::new();
    let game: Game = "exotic".parse()?;
    let path = std::env::temp_dir().join(format!("exotic-{}.json", std::process::id()));
    std::fs::write(&path, game.solve(&ask)?.to_text())?;
    let strategy = Strategy::load(&std::fs::read_to_string(&path)?, &ask)?.verify(&ask)?;
    let far = game.position("(1000000000000000000000006,6)")?;
    println!("{far}: {}", strategy.outcome(&far, &ask)?);
    Ok(std::fs::remove_file(path)?)
}
