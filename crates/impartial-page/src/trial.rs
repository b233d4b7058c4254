//! The page tried in a real browser: every view, play, proofs, stops, bad and hostile input, the keyboard, no network.

mod answers;
mod homes;
mod hurry;
mod lit;
mod play;
mod same;
mod sturdy;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::json;

use crate::assemble::has_target;
use crate::browser::{Browser, installed};
use crate::serve;

/// The page in a browser.
pub struct Page {
    browser: Browser,
    base: String,
}

/// A trial: its name and what it does.
type Trial = (&'static str, fn(&Page) -> Result<()>);

impl Page {
    /// Goes to an address of the page, and waits until nothing is under way.
    pub fn go(&self, hash: &str) -> Result<()> {
        self.browser.rest()?;
        // By way of a page of its own, so that the same address is opened anew.
        self.browser.run("location.hash = '#/nowhere'")?;
        self.browser.wait_text("main", "There is no page")?;
        self.browser.run(&format!("location.hash = {}", json!(hash)))?;
        self.settled()
    }

    /// Loads the whole page at an address.
    pub fn load(&self, hash: &str) -> Result<()> {
        self.browser.open("about:blank")?;
        self.browser.open(&format!("{}{hash}", self.base))?;
        self.settled()
    }

    /// Waits until nothing is under way.
    pub fn settled(&self) -> Result<()> {
        // Answers lead to new questions: it is quiet when it was quiet three times.
        let mut quiet = 0;
        while quiet < 3 {
            self.browser
                .wait("document.body.dataset.running === '0' && !document.querySelector('[aria-busy],.loading')")?;
            quiet += 1;
            std::thread::sleep(Duration::from_millis(40));
        }
        Ok(())
    }

    /// The text of the page's content must have a part.
    pub fn says(&self, selector: &str, part: &str) -> Result<()> {
        let text = self.browser.text(selector)?;
        ensure!(
            text.contains(part),
            "{selector} does not say \"{part}\" but \"{}\"",
            text.chars().take(500).collect::<String>()
        );
        Ok(())
    }

    /// How many elements a selector has.
    pub fn count(&self, selector: &str) -> Result<u64> {
        let found = self.browser.value(&format!("document.querySelectorAll({}).length", json!(selector)))?;
        found.as_u64().context("a number")
    }
}

const TRIALS: &[&[Trial]] =
    &[answers::TRIALS, lit::TRIALS, same::TRIALS, homes::TRIALS, play::TRIALS, hurry::TRIALS, sturdy::TRIALS];

fn start(folder: &Path) -> Result<Page> {
    let program = installed().context("chromium and chromedriver are not installed and could not be")?;
    let base = serve::in_background(folder)?;
    let browser = Browser::start(program)?;
    Ok(Page { browser, base })
}

fn chosen(only: Option<&str>) -> Vec<&'static Trial> {
    TRIALS.iter().copied().flatten().filter(|(name, _)| only.is_none_or(|part| name.contains(part))).collect()
}

/// What this machine lacks for the trials, after it was tried to be installed.
pub fn missing(build: bool) -> Option<&'static str> {
    if installed().is_none() {
        return Some("chromium and chromedriver are not installed and could not be");
    }
    (build && !has_target()).then_some("the toolchain has no wasm32-unknown-unknown and rustup could not add it")
}

/// Says why there is no trial.
pub fn left_out(reason: &str, only: Option<&str>) -> ExitCode {
    println!("left out: the page in a browser: {reason}");
    println!("test result: ok. 0 passed; 0 failed; {} ignored", chosen(only).len());
    ExitCode::SUCCESS
}

/// Runs the trials, and prints a summary as test programs do.
pub fn run(folder: &Path, only: Option<&str>) -> Result<ExitCode> {
    let page = start(folder)?;
    page.load("#/")?;
    let (mut passed, mut failed) = (0, 0);
    for (name, trial) in chosen(only) {
        let quiet = |page: &Page| {
            let complaints = page.browser.complaints()?;
            if complaints.is_empty() { Ok(()) } else { bail!("the console has errors: {}", complaints.join("; ")) }
        };
        match trial(&page).and_then(|()| quiet(&page)) {
            Ok(()) => {
                println!("page {name} ... ok");
                passed += 1;
            }
            Err(error) => {
                println!("page {name} ... FAILED\n    {error:#}");
                page.browser.complaints().ok();
                failed += 1;
            }
        }
    }
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!("test result: {word}. {passed} passed; {failed} failed; 0 ignored");
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// One address a view.
const SIGHTS: [(&str, &str); 26] = [
    ("home", "#/"),
    ("game-kayles", "#/game/kayles"),
    ("game-exotic", "#/game/exotic"),
    ("play-nim", "#/game/nim?view=play"),
    ("play-kayles", "#/game/kayles?view=play"),
    ("played-kayles", "#/game/kayles?view=play"),
    ("play-chomp", "#/game/chomp:4x7?view=play"),
    ("play-wythoff", "#/game/wythoff?view=play"),
    ("play-poset", "#/game/divisors:36?view=play"),
    (
        "play-tree",
        "#/game/kind%20%3D%20%22poset%22%0Aelements%20%3D%20%5B%22r%22%2C%22a%22%2C%22b%22%2C%22c%22%2C%22d%22%2C%22e%22%5D%0Arelations%20%3D%20%5B%5B%22r%22%2C%22a%22%5D%2C%5B%22r%22%2C%22b%22%5D%2C%5B%22a%22%2C%22c%22%5D%2C%5B%22a%22%2C%22d%22%5D%2C%5B%22b%22%2C%22e%22%5D%5D?view=play",
    ),
    ("play-lattice", "#/game/exotic?view=play"),
    (
        "play-far",
        "#/game/nim?play=misere&view=play&position=3+5+7777777777777777777777777777777777777777777777777777777777777777777777777777777777777777777777777777",
    ),
    ("unknown", "#/game/a-game-with-a-name-that-is-longer-than-the-field-in-which-it-is-shown-and-that-nobody-knows"),
    ("values-kayles", "#/game/kayles?view=values&to=200"),
    ("game-0.54", "#/game/0.54?play=misere"),
    ("values-kayles-misere", "#/game/kayles?view=values&play=misere"),
    ("misere-exotic", "#/game/exotic?view=misere"),
    ("misere-0.123", "#/game/0.123?play=misere&view=misere"),
    ("lattice-exotic", "#/game/exotic?view=lattice"),
    ("lattice-far", "#/game/infinite-quotient?view=lattice"),
    ("posets-chains", "#/game/chomp-chains:5,3?view=posets"),
    ("posets-divisors", "#/game/divisors:36?view=posets"),
    ("export", "#/game/exotic?view=export"),
    ("index", "#/index"),
    ("open", "#/open"),
    ("about", "#/about"),
];

/// Takes pictures of every view, on a phone and on a desk, light and dark.
pub fn look(folder: &Path, pictures: &Path) -> Result<()> {
    let page = start(folder)?;
    std::fs::create_dir_all(pictures)?;
    page.load("#/")?;
    for (name, hash) in SIGHTS {
        for (width, height) in [(1440, 900), (390, 844)] {
            // Plots are drawn for the width that they find.
            page.browser.look(width, height, false)?;
            page.go(hash)?;
            // A position that is too large has no board.
            if name.starts_with("play") && page.count("#colours")? > 0 {
                page.browser.click("#colours")?;
                page.settled()?;
            }
            if name == "played-kayles" {
                page.browser.run("document.querySelectorAll('.pins .bean')[4].dispatchEvent(new MouseEvent('click', {bubbles: true}))")?;
                page.browser.wait_text(".status", "It moved")?;
            }
            if name == "export" {
                page.browser.click(".formats button:nth-child(3)")?;
                page.settled()?;
            }
            for dark in [false, true] {
                page.browser.look(width, height, dark)?;
                std::thread::sleep(Duration::from_millis(250));
                let scheme = if dark { "dark" } else { "light" };
                page.browser.picture(&pictures.join(format!("{name}-{width}-{scheme}.png")))?;
            }
        }
    }
    for complaint in page.browser.complaints()? {
        println!("{complaint}");
    }
    Ok(())
}
