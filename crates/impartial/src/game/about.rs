//! What people want to know of a game first: how to play it, where it comes from, an example, what is known, how to go on.

use semilinear::run::Unlimited;

use super::kind::Kind;
use super::report::InfoReport;
use super::{Ask, Game};
use crate::outcome::Play;

/// A period is looked for up to this heap, which every engine reaches at once.
const NEAR: u64 = 2_000;

/// Adds to what the kind of game says of itself.
pub(super) fn add(game: &Game, info: &mut InfoReport, ask: &Ask) {
    let entry = game.entry();
    let words = game.rules_in_words();
    let play = match game.play(ask) {
        Play::Normal => "who cannot move loses",
        Play::Misere => "who cannot move wins (misère play)",
    };
    info.fact("words", &words).fact("play", game.play(ask));
    let title = entry.as_ref().map_or_else(String::new, |entry| format!("{}: ", entry.title));
    info.line(format!("rules     {title}{words} In the end, {play}."));
    if let Some(entry) = &entry {
        info.fact("title", &entry.title).fact("source", &entry.source).line(format!("source    {}", entry.source));
    }
    let example = game.start().ok();
    info.fact("example", &example).fact("position_forms", game.position_forms());
    let shown = example.as_ref().map_or_else(String::new, |start| format!("; an example is {start}"));
    info.line(format!("position  {}{shown}", game.position_forms()));
    let known = known(game, ask);
    for fact in &known {
        info.line(format!("known     {fact}"));
    }
    let commands = commands(game, example.map(|start| start.to_string()), game.play(ask));
    for command in &commands {
        info.line(format!("try       {command}"));
    }
    info.fact("known", known).fact("commands", commands);
}

/// What the catalogue says, and what is proved at once.
fn known(game: &Game, ask: &Ask) -> Vec<String> {
    let mut known: Vec<String> = game.entry().and_then(|entry| entry.known).into_iter().collect();
    match &game.kind {
        Kind::Heap(heap) if game.play(ask) == Play::Normal => {
            let near = Ask::new().to(NEAR).monitor(&Unlimited);
            if let Ok((found, _)) = super::heap::sequence::period(heap, None, &near)
                && let (true, Some(preperiod), Some(period), Some(saltus)) =
                    (found.proved.is_proved(), found.preperiod, found.period, found.saltus)
            {
                known.push(format!("Grundy values: preperiod {preperiod}, period {period}, saltus {saltus}, proved"));
            } else {
                known.push(format!("Grundy values: no period proved from heaps up to {NEAR}"));
            }
        }
        Kind::Lattice(lattice) => {
            if let Ok(lattice) = lattice.game(&Ask::new().play(game.play(ask)))
                && crate::solve::parity_kernel::ParityKernel::of_lattice(&lattice).is_some()
            {
                known
                    .push("squarefree: Grundy values depend on parities only, proved for positions of any size".into());
            }
        }
        Kind::Wythoff(_) => known
            .push("P-positions: (⌊nφ⌋, ⌊nφ²⌋) with the golden ratio φ (Wythoff 1907), for heaps of any size".into()),
        _ => {}
    }
    known
}

/// Commands to go on with.
fn commands(game: &Game, example: Option<String>, play: Play) -> Vec<String> {
    let quoted = |text: &str| {
        if text.chars().all(|c| c.is_ascii_alphanumeric() || "+.,:-_/".contains(c)) {
            text.to_owned()
        } else {
            format!("\"{text}\"")
        }
    };
    let name = quoted(game.written());
    let mut commands = vec![format!("impartial play {name}")];
    if let Some(example) = example {
        commands.push(format!("impartial move {name} {} --explain", quoted(&example)));
    }
    let more: &[&str] = match game.kind() {
        "heap" if play == Play::Misere => &["quotient NAME", "solve NAME -o strategy.json", "plot NAME -o orders.svg"],
        "heap" => &["values NAME 20", "period NAME", "quotient NAME --play misere", "plot NAME -o values.svg"],
        "lattice" => &["solve NAME -o strategy.json", "count NAME --box 100", "plot NAME -o map.svg"],
        "poset" => &["plot NAME -o board.svg"],
        "chains" => &["chains NAME --at 1000", "plot NAME -o map.svg"],
        "wythoff" => &["plot NAME -o map.svg"],
        _ => &[],
    };
    commands.extend(more.iter().map(|command| format!("impartial {}", command.replace("NAME", &name))));
    commands
}
