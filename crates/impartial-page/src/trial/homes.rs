//! Home pages of games, what can be taken away from the page, and badges that do not lie.

use std::fs;
use std::io::Read as _;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use flate2::read::GzDecoder;
use serde_json::{Value, json};

use super::{Page, Trial};
use crate::census;

pub const TRIALS: &[Trial] = &[
    ("home_pages_gather_what_is_known", homes),
    ("published_errors_and_open_questions_are_told", notes),
    ("a_kept_certificate_is_checked_in_the_browser", kept),
    ("the_census_and_the_tables_of_chomp_have_certificates", census),
    ("a_survey_becomes_data_of_the_page", survey),
    ("a_certificate_is_downloaded", download),
    ("the_command_is_copied", copy),
    ("badges_say_what_was_shown_and_no_more", badges),
    ("every_view_has_a_badge_and_a_command", badge_and_command),
    ("games_solved_by_ranks_are_told_and_checked", ranks),
    ("open_games_show_their_growth", open),
];

fn homes(page: &Page) -> Result<()> {
    page.go("#/game/0.77")?;
    for (place, part) in [
        ("h1", "Kayles"),
        ("#rules-of", "Dudeney"),
        ("#rules-of", "also called"),
        ("#normal", "Preperiod 71, period 12"),
        ("#normal", "proved"),
        ("#misere-play", "order 40, wild; all heaps"),
        ("#misere-play", "proved"),
    ] {
        page.says(place, part)?;
    }
    page.go("#/game/0.4")?;
    page.says("#cousins", "0.07, 0.137")?;
    page.go("#/game/0.123?play=misere")?;
    page.browser.click("#misere-play .check-here")?;
    page.browser.wait_text("#misere-play .verdict.valid", "Valid")?;
    for game in ["exotic", "chomp:3x4", "chomp-chains:5,3", "wythoff"] {
        page.go(&format!("#/game/{game}"))?;
        page.says("#normal", "proved")?;
        page.says(
            "#misere-play",
            if game.starts_with("chomp-chains") { "solved in normal play only" } else { "proved" },
        )?;
        page.browser.wait("document.querySelector('#picture img')?.naturalWidth > 20")?;
        page.says("#picture .command", "impartial plot")?;
    }
    Ok(())
}

fn notes(page: &Page) -> Result<()> {
    page.go("#/game/infinite-quotient")?;
    page.browser.wait_text("#notes", "Published errors")?;
    page.says("#notes", "151,822 of the 305,641")?;
    // By its name and by its code.
    for game in ["dawsons-kayles", "0.07"] {
        page.go(&format!("#/game/{game}"))?;
        page.browser.wait_text("#notes", "What stopped us")?;
        page.says("#misere-play", "Larger heaps are open here")?;
        page.says("#rules-of", "Guy, Smith")?;
        page.browser.wait_text("#census", "period 34 from heap 53 on")?;
    }
    // A game whose play is its own has that one alone.
    page.go("#/game/infinite-quotient")?;
    ensure!(page.count("#normal")? == 0);
    page.says("#misere-play", "proved")
}

fn kept(page: &Page) -> Result<()> {
    page.go("#/game/0.07")?;
    page.browser.wait_text("#kept", "heaps up to 46")?;
    page.says("#kept .command", "impartial solve 0.07 --play misere --max-heap 46")?;
    ensure!(page.count("#kept .badge.proved")? == 0, "a certificate is called proved before it is checked");
    // That one takes the checker long; a small one is read here.
    page.go("#/game/0.157")?;
    page.browser.wait_text("#kept", "all heaps")?;
    page.browser.click("#kept .check-here")?;
    page.browser.wait_text("#kept .verdict.valid", "Valid")?;
    // A period of normal play that is longer than what a page computes, and which the checker computes once more.
    page.go("#/game/0.3546")?;
    page.browser.wait_text("#kept", "preperiod 16,987,457, period 6,792,014")?;
    page.says("#normal", "A longer run found one")?;
    ensure!(page.count("#normal .badge.proved, #kept .badge.proved")? == 0, "called proved before it is checked");
    // The checker takes seconds for that one; the census has shorter ones.
    page.go("#/game/0.56")?;
    page.browser.wait_text("#census", "period 144 from heap 326,640 on")?;
    page.browser.click("#census .check-here")?;
    page.browser.wait_text("#census .verdict.valid", "g(n + 144)")
}

fn census(page: &Page) -> Result<()> {
    // A game that is solved for all heaps, and one that stopped: both have a certificate of what is said.
    for game in ["0.15", "0.14"] {
        page.go(&format!("#/game/{game}?play=misere"))?;
        page.browser.click("#census .check-here")?;
        page.browser.wait_text("#census .verdict.valid", "Valid")?;
    }
    page.go("#/index")?;
    page.browser.wait("document.querySelector('#chomp-certificates .check-here')")?;
    page.browser.click("#chomp-certificates .check-here")?;
    page.browser.wait_text("#chomp-certificates .verdict.valid", "Valid")?;
    // Every row of the census has one.
    let rows = page.browser.value("fetch('data/misere.json').then((answer) => answer.json()).then(({games}) => games.filter(({certificate}) => !certificate).map(({game}) => game))")?;
    ensure!(rows.as_array().is_some_and(Vec::is_empty), "no certificate: {rows}");
    // Values above 0 have one too.
    page.go("#/game/chomp-chains:2?view=posets&value=1")?;
    page.browser.click("#chains .check-here")?;
    page.browser.wait_text("#chains .verdict.valid", "Valid")
}

/// The command of data/README.md in a small form: every row comes with the strategy file that the survey kept.
fn survey(_: &Page) -> Result<()> {
    let folder = std::env::temp_dir().join(format!("impartial-survey-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let file = folder.join("census.sqlite");
    let impartial = super::same::impartial()?;
    for words in ["survey misere --digits 1 --max-heap 6", "survey chomp --to 4"] {
        let run = Command::new(&impartial).args(words.split(' ')).arg("-o").arg(&file).output()?;
        ensure!(run.status.success(), "{words}: {}", String::from_utf8_lossy(&run.stderr));
    }
    let data = folder.join("data");
    census::write(&file, &[], &data)?;
    let read = |name: &str| -> Result<Value> { Ok(serde_json::from_slice(&fs::read(data.join(name))?)?) };
    let (misere, chomp) = (read("misere.json")?, read("chomp.json")?);
    let games = misere["games"].as_array().context("a list")?;
    ensure!(
        games.len() == 14 && chomp["boards"].as_array().is_some_and(|boards| boards.len() == 5),
        "{misere} {chomp}"
    );
    for game in games {
        let name = game["certificate"].as_str().with_context(|| format!("no certificate: {game}"))?;
        let mut text = String::new();
        GzDecoder::new(fs::File::open(data.join("certificates").join(name))?).read_to_string(&mut text)?;
        ensure!(text.contains("impartial-strategy"), "{name}: {text}");
    }
    Ok(fs::remove_dir_all(&folder)?)
}

fn download(page: &Page) -> Result<()> {
    let folder = std::env::temp_dir().join(format!("impartial-page-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let wanted = json!({"behavior": "allow", "downloadPath": folder});
    page.browser.devtools("Browser.setDownloadBehavior", &wanted)?;
    page.go("#/game/kayles?view=values")?;
    page.browser.click("#period .save-here")?;
    let file = folder.join("kayles-values.json");
    let start = Instant::now();
    let mut text = String::new();
    // The file is there before it is whole.
    while !text.trim_end().ends_with('}') {
        if start.elapsed() > Duration::from_secs(20) {
            bail!("no file {}", file.display());
        }
        std::thread::sleep(Duration::from_millis(50));
        text = fs::read_to_string(&file).unwrap_or_default();
    }
    fs::remove_dir_all(&folder).ok();
    ensure!(text.contains("impartial-strategy") && text.contains("0.77"), "{}", &text[..text.len().min(200)]);
    Ok(())
}

fn copy(page: &Page) -> Result<()> {
    let wanted = json!({"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]});
    page.browser.devtools("Browser.grantPermissions", &wanted)?;
    for (hash, line) in [
        ("#/game/nim?view=play&position=3%2B5", "impartial play nim 3+5"),
        ("#/game/kayles?view=values&to=40", "impartial values kayles --to 40"),
        ("#/game/0.123?play=misere&view=misere", "impartial quotient 0.123 --play misere"),
        ("#/game/chomp-chains:2?view=posets", "impartial chains chomp-chains:2"),
        ("#/game/exotic?view=lattice", "impartial plot exotic --box 48 -o map.svg"),
    ] {
        page.go(hash)?;
        page.says(".command code", line)?;
        page.browser.click(".command button")?;
        page.browser.wait("document.querySelector('.command button').textContent !== 'Copy'")?;
        let copied = page.browser.value("navigator.clipboard.readText()")?;
        ensure!(copied == line, "{hash}: copied {copied}");
    }
    Ok(())
}

fn badges(page: &Page) -> Result<()> {
    // Proved for heaps up to 10 only, and it says so.
    page.go("#/game/0.16?play=misere&view=misere&heap=10")?;
    page.says("#quotient", "up to 10")?;
    // A position played is computed, not proved for all.
    page.go("#/game/divisors:36?view=play")?;
    page.browser.click("#colours")?;
    page.browser.wait_text(".known", "computed for this position")?;
    ensure!(page.count(".known .badge.proved")? == 0);
    // No period is known of Grundy's game.
    page.go("#/game/grundys-game")?;
    page.says("#normal", "computed to heap")?;
    ensure!(page.count("#normal .badge.proved")? == 0);
    // Every badge is one of three.
    ensure!(page.count(".badge")? == page.count(".badge.proved, .badge.computed, .badge.conjectured")?);
    Ok(())
}

/// One game of each kind, in each of its views.
fn badge_and_command(page: &Page) -> Result<()> {
    for (game, views) in [
        ("kayles", &["", "play", "values", "lattice", "export"][..]),
        ("0.123", &["misere"]),
        ("exotic", &["", "play", "lattice", "misere", "export"]),
        ("chomp:3x4", &["", "play", "posets", "export"]),
        ("divisors:12", &["", "posets"]),
        ("chomp-chains:2", &["", "posets", "export"]),
        ("wythoff", &["", "play", "export"]),
        ("kind%20%3D%20%22sum%22%0Aparts%20%3D%20%5B%220.77%22%2C%20%22chomp%3A2x3%22%5D", &["play"]),
    ] {
        for view in views {
            page.go(&format!("#/game/{game}?view={view}"))?;
            if *view == "export" {
                page.browser.click(".formats button")?;
            }
            page.settled()?;
            ensure!(page.count("main .badge")? > 0, "{game}, view {view}: no badge");
            ensure!(page.count("main .command button")? > 0, "{game}, view {view}: no command to copy");
        }
    }
    Ok(())
}

/// Strategies for all heaps that are read from the largest heaps down: on the page of the game, in the index, and not among the open games.
fn ranks(page: &Page) -> Result<()> {
    for game in ["0.54", "0.145", "0.1453"] {
        page.go(&format!("#/game/{game}?play=misere"))?;
        page.browser.wait_text("#kept", "all heaps, by an automaton")?;
        page.says("#misere-play", "for heaps of every size is kept")?;
        page.browser.click("#kept .check-here")?;
        page.browser.wait_text("#kept .verdict.valid", "Valid")?;
    }
    page.go("#/index?tame=ranks")?;
    page.says("table", "0.54")?;
    page.go("#/open")?;
    let open = "[...document.querySelectorAll('table.open a')].map((link) => link.textContent)";
    let listed: Vec<String> = serde_json::from_value(page.browser.value(open)?)?;
    ensure!(!listed.iter().any(|game| ["0.54", "0.145", "0.736", "4.16"].contains(&game.as_str())), "{listed:?}");
    ensure!(listed.iter().any(|game| game == "0.744"), "{listed:?}");
    page.says(".questions", "0.744: Misère play for all heaps")
}

fn open(page: &Page) -> Result<()> {
    page.go("#/open")?;
    ensure!(page.count("table.open tbody tr")? > 10 && page.count("table.open .spark")? > 10);
    // The orders that were reached grow, in words too.
    let orders = page.browser.value("document.querySelector('table.open .spark').getAttribute('aria-label')")?;
    let orders = orders.as_str().and_then(|text| text.strip_prefix("orders ")).context("no orders")?.split(", ");
    let orders: Vec<u32> = orders.map(str::parse).collect::<Result<_, _>>()?;
    ensure!(orders.len() > 2 && orders.is_sorted(), "{orders:?}");
    page.says("main", "out of time")?;
    page.browser.wait(
        "[...document.querySelectorAll('.command')].some((c) => c.textContent.includes('impartial survey misere'))",
    )?;
    page.says("#partial", "0.07: misère play of all sums of heaps up to 46")?;
    page.says("#families", "all 8,721 rulesets")?;
    ensure!(page.count(".questions li")? > 10 && page.count("table.stopped tbody tr")? > 10);
    // A period that was found one by one is not among those that are open.
    let stopped = page.browser.text("table.stopped")?;
    ensure!(!stopped.contains("0.104") && stopped.contains("0.106"), "{stopped}");
    page.go("#/index?kind=chains&period=32")?;
    ensure!(page.count("#chomp-table tbody tr")? > 0);
    page.browser.click("#chomp-table tbody a")?;
    page.settled()?;
    page.says("#chains", "proved")?;
    page.says("#chains", "32")
}
