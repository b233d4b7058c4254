//! What the page says is what the command says: exports, words, proofs, refusals. The command is the one that a view shows.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};

use super::{Page, Trial};
use crate::root;

pub const TRIALS: &[Trial] = &[
    ("exports_are_those_of_the_command", exports),
    ("answers_are_those_of_the_command", answers),
    ("a_badge_says_proved_where_the_command_does", badges),
    ("only_true_is_proved", only_true),
    ("refusals_are_those_of_the_command", refusals),
];

/// The command that was built with this program; alone, a trial builds it.
pub fn impartial() -> Result<PathBuf> {
    let command = std::env::current_exe()?.with_file_name("impartial");
    if !command.is_file() {
        let built = Command::new("cargo").args(["build", "-q", "-p", "impartial-cli"]).current_dir(root()).status()?;
        ensure!(built.success(), "the command could not be built");
    }
    Ok(command)
}

/// A folder for the files of one trial.
fn folder(name: &str) -> Result<PathBuf> {
    let folder = std::env::temp_dir().join(format!("impartial-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Runs a line as a person types it, in a folder.
fn typed(line: &str, folder: &Path) -> Result<Output> {
    let words = line.strip_prefix("impartial ").with_context(|| format!("no command: {line}"))?;
    let script = format!("\"$0\" {words}");
    Ok(Command::new("sh").arg("-c").arg(script).arg(impartial()?).current_dir(folder).output()?)
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What the command says when it refuses.
fn refusal(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    text.trim().trim_start_matches("impartial: ").to_owned()
}

/// The line of a command that is shown.
fn line(page: &Page, selector: &str) -> Result<String> {
    let found = page.browser.value(&format!("document.querySelector({}).textContent", json!(selector)))?;
    Ok(found.as_str().unwrap_or_default().to_owned())
}

/// The bytes of a file that is downloaded, when all of them are there.
fn downloaded(file: &Path) -> Result<Vec<u8>> {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        // Chromium writes under another name first.
        if let Ok(bytes) = fs::read(file)
            && !bytes.is_empty()
        {
            fs::remove_file(file)?;
            return Ok(bytes);
        }
        std::thread::sleep(Duration::from_millis(30));
    }
    bail!("no file {}", file.display())
}

/// What every export must be, and some that a kind of game must have.
const EXPORTS: [(&str, &str, &[&str]); 6] = [
    (
        "exotic",
        "normal",
        &["Strategy file (JSON)", "Text", "LaTeX", "Macaulay2", "Sage", "GAP", "Normaliz", "Walnut", "Graphviz", "CSV"],
    ),
    ("kayles", "normal", &["b-file (OEIS)", "Values as JSON", "LaTeX", "Macaulay2", "Sage", "Walnut", "OEIS draft"]),
    ("0.123", "misere", &["Quotient as JSON", "LaTeX", "Macaulay2", "Sage", "GAP", "Graphviz"]),
    ("chomp:3x4", "normal", &["Strategy file (JSON)"]),
    ("chomp-chains:2", "normal", &["Strategy file (JSON)", "LaTeX", "CSV"]),
    ("wythoff", "normal", &["Strategy file (JSON)"]),
];

fn exports(page: &Page) -> Result<()> {
    let (down, own) = (folder("downloads")?, folder("exports")?);
    let wanted = json!({"behavior": "allow", "downloadPath": down});
    page.browser.devtools("Browser.setDownloadBehavior", &wanted)?;
    for (game, play, needed) in EXPORTS {
        page.go(&format!("#/game/{game}?play={play}&view=export"))?;
        let labels =
            page.browser.value("[...document.querySelectorAll('.formats button')].map((b) => b.textContent)")?;
        let labels: Vec<String> = serde_json::from_value(labels)?;
        for label in needed.iter().chain(&["Picture (SVG)", "Picture (PNG)"]) {
            ensure!(labels.iter().any(|found| found == label), "{game} has no export {label}: {labels:?}");
        }
        for (i, label) in labels.iter().enumerate() {
            let button = format!(".formats button:nth-child({})", i + 1);
            page.browser.click(&button)?;
            page.settled()?;
            if page.count("#export .message")? > 0 {
                bail!("{game}, {label}: offered and refused: {}", page.browser.text("#export .message")?);
            }
            let name = page.browser.value(&format!("document.querySelector('{button}').dataset.file"))?;
            let line = line(page, "#export .command code")?;
            page.browser.click("#export button.primary")?;
            let bytes = downloaded(&down.join(name.as_str().unwrap_or_default()))?;
            let output = typed(&line, &own)?;
            ensure!(output.status.success(), "{line}: {}", refusal(&output));
            let mut expected = output.stdout;
            for file in ["strategy.json", "picture.svg", "picture.png"] {
                if line.ends_with(file) {
                    expected = fs::read(own.join(file))?;
                }
            }
            let what = || {
                format!(
                    "{game}, {label}: not what {line} gives: {:?}",
                    String::from_utf8_lossy(&bytes).chars().take(300).collect::<String>()
                )
            };
            if label.ends_with("(PNG)") {
                for png in [&bytes, &expected] {
                    ensure!(png.starts_with(b"\x89PNG") && png.len() > 1000, "{}", what());
                }
            } else if label.ends_with("as JSON") {
                let [mut one, mut other]: [Value; 2] =
                    [serde_json::from_slice(&bytes)?, serde_json::from_slice(&expected)?];
                for value in [&mut one, &mut other] {
                    value.as_object_mut().context("an object")?.remove("schema");
                }
                ensure!(one == other, "{}", what());
            } else {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
                ensure!(text(&bytes) == text(&expected), "{}", what());
            }
        }
    }
    fs::remove_dir_all(&own)?;
    fs::remove_dir_all(&down).ok();
    Ok(())
}

/// A view, the command that it shows, and where the first line of what the command prints must stand.
const ANSWERS: [(&str, &str, &str); 7] = [
    ("#/game/exotic?view=lattice", "#strategy .command code", "#strategy"),
    ("#/game/exotic?play=misere", "#misere-play .command code", "#misere-play"),
    ("#/game/infinite-quotient", "#misere-play .command code", "#misere-play"),
    ("#/game/chomp:3x4", "#normal .command code", "#normal"),
    ("#/game/wythoff", "#misere-play .command code", "#misere-play"),
    ("#/game/wythoff", "#normal .command code", "#normal"),
    ("#/game/chomp-chains:5,3?view=posets", ".command code", "#chains"),
];

fn answers(page: &Page) -> Result<()> {
    let own = folder("answers")?;
    for (hash, command, place) in ANSWERS {
        page.go(hash)?;
        let output = typed(&line(page, command)?, &own)?;
        let said = stdout(&output);
        // Kinds of games have several lines for that; the page has one of them.
        let text = page.browser.text(place)?;
        ensure!(
            said.lines().any(|line| line.len() > 15 && text.contains(line)),
            "{hash}: the page says {text:?}, the command {said:?}"
        );
    }
    // Values, a period and a quotient, number by number.
    page.go("#/game/kayles?view=values&to=90")?;
    let output = typed(&format!("{} --json", line(page, ".command code")?), &own)?;
    let values: Value = serde_json::from_slice(&output.stdout)?;
    let shown = page
        .browser
        .value("[...document.querySelectorAll('table.values button')].map((b) => Number(b.textContent))")?;
    ensure!(values["values"] == shown, "{values} {shown}");
    let period: Value =
        serde_json::from_slice(&typed(&format!("{} --json", line(page, "#period .command code")?), &own)?.stdout)?;
    for key in ["preperiod", "period", "saltus"] {
        page.says("#period", &format!("{key}\n{}", period[key]))?;
    }
    page.go("#/game/0.123?play=misere&view=misere")?;
    let report: Value =
        serde_json::from_slice(&typed(&format!("{} --json", line(page, ".command code")?), &own)?.stdout)?;
    page.says("#quotient", &format!("Quotient of order {}", report["order"]))?;
    page.says("#quotient", &format!("P-portion\n{}", report["p_portion"]))?;
    let elements =
        page.browser.value("[...document.querySelectorAll('.cayley .element')].map((e) => e.dataset.lit.slice(8))")?;
    ensure!(elements == report["elements"], "{elements} {report}");
    let filled = page
        .browser
        .value("[...document.querySelectorAll('.cayley .element.P')].map((e) => e.dataset.lit.slice(8)).sort()")?;
    let mut expected: Vec<String> = serde_json::from_value(report["p"].clone())?;
    expected.sort();
    ensure!(filled == json!(expected), "{filled} {expected:?}");
    // Two sums.
    for (p, q) in [("1+1", "2"), ("1+1", "3"), ("8+9", "8+8+8")] {
        page.browser.fill("#p", p)?;
        page.browser.fill("#q", &format!("{q}\u{e007}"))?;
        page.browser.wait(&format!(
            "document.querySelector('#congruent .command')?.textContent.includes({})",
            json!(format!(" {p} {q} "))
        ))?;
        let said = stdout(&typed(&line(page, "#congruent .command code")?, &own)?);
        let first = said.lines().next().unwrap_or_default();
        page.says("#congruent", first)?;
    }
    Ok(fs::remove_dir_all(&own)?)
}

/// Where a badge is green the command says `"proved": true`, and nowhere else.
fn badges(page: &Page) -> Result<()> {
    let own = folder("badges")?;
    let mut seen = [0, 0];
    for (hash, place) in [
        ("#/game/kayles?view=values", "#period"),
        ("#/game/grundys-game?view=values", "#period"),
        ("#/game/officers?view=values", "#period"),
        ("#/game/0.16?view=values", "#period"),
        ("#/game/subtract:1,2,3?view=values", "#period"),
        ("#/game/kayles", "#normal"),
        ("#/game/kayles", "#misere-play"),
        ("#/game/0.6", "#normal"),
        ("#/game/exotic", "#normal"),
        ("#/game/exotic", "#misere-play"),
        ("#/game/divisors:12", "#normal"),
        ("#/game/chomp-chains:5,3", "#normal"),
        ("#/game/exotic?view=lattice", "#strategy"),
    ] {
        page.go(hash)?;
        let line = format!("{} --json", line(page, &format!("{place} .command code"))?);
        let output = typed(&line, &own)?;
        let report: Value =
            serde_json::from_slice(&output.stdout).with_context(|| format!("{line}: {}", refusal(&output)))?;
        let proved = report["proved"] == true;
        let green = page.count(&format!("{place} .badge.proved"))? > 0;
        ensure!(proved == green, "{hash}, {place}: green {green}, and {line} says {report}");
        seen[usize::from(proved)] += 1;
    }
    ensure!(seen[0] > 1 && seen[1] > 5, "{seen:?}");
    Ok(fs::remove_dir_all(&own)?)
}

/// What is not `true` in a report is no proof, whatever it is.
fn only_true(page: &Page) -> Result<()> {
    let found = page.browser.run(
        "return import('./parts.js').then(({ badge }) => [true, 'true', 1, {}, [], 'proved', null, undefined, false].map((proved) => {
            const made = badge({ proved, theorem: 'automaton' });
            return made.matches('.badge.proved') || made.querySelector('.badge.proved') !== null;
        }))",
    )?;
    ensure!(found == json!([true, false, false, false, false, false, false, false, false]), "{found}");
    Ok(())
}

/// Input that is no game, or no position, has the message of the command, and is still there.
fn refusals(page: &Page) -> Result<()> {
    let own = folder("refusals")?;
    for game in ["no-such-game", "0.7G", "kayle", "subtract:", "chomp:0x", "0.[3", "divisors:0"] {
        page.go(&format!("#/game/{game}"))?;
        let said = refusal(&typed(&format!("impartial info '{game}'"), &own)?);
        ensure!(!said.is_empty(), "the command takes {game}");
        page.says("main .message", &said)?;
        page.says("#meaning", &said)?;
        ensure!(page.browser.value("document.querySelector('#field').value")? == game);
    }
    for (game, position) in
        [("nim", "3+x"), ("kayles", "-1"), ("exotic", "(1,2,3)"), ("chomp:3x4", "9,9"), ("wythoff", "1+2+3")]
    {
        let said = refusal(&typed(&format!("impartial outcome {game} -- '{position}'"), &own)?);
        page.go(&format!("#/game/{game}?view=play"))?;
        let moves = page.count(".moves button")?;
        page.browser.fill("#position", &format!("{position}\u{e007}"))?;
        page.browser.wait("document.querySelector('.help .message')")?;
        page.says(".help .message", &said)?;
        ensure!(page.count(".moves button")? == moves, "{game}: the game is lost");
        ensure!(
            page.browser.value("document.querySelector('#position').value")? == position,
            "{game}: the text is lost"
        );
        // The same as a link: the game is there, with the message.
        page.go(&format!("#/game/{game}?view=play&position={}", position.replace('+', "%2B")))?;
        page.says(".help .message", &said)?;
        ensure!(page.count(".moves button")? > 0, "{game}: a bad link shows no game");
    }
    Ok(fs::remove_dir_all(&own)?)
}
