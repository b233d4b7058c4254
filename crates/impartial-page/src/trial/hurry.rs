//! Quick hands and long runs: nothing that is typed, pressed or left behind is lost, blocks or comes too late.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use super::{Page, Trial};

pub const TRIALS: &[Trial] = &[
    ("a_long_run_is_stopped_at_once", stop),
    ("typing_is_never_blocked", typing),
    ("what_was_typed_last_is_what_is_meant", quick_typing),
    ("the_play_is_switched_while_a_run_goes_on", switched),
    ("back_and_forward_show_what_was_there", history),
    ("a_view_that_was_left_says_nothing_more", left),
    ("games_of_a_million_characters_are_told_apart", huge),
    ("maps_are_zoomed_to_their_ends", zoom),
    ("plots_are_drawn_for_the_room_they_have", resized),
    ("a_million_positions_are_drawn", million),
];

/// A run that takes minutes: Dawson's Kayles in misère play with large heaps.
const LONG: &str = "#/game/0.07?play=misere&view=misere&heap=60";

fn begin_long(page: &Page) -> Result<()> {
    page.browser.run("location.hash = '#/about'")?;
    page.browser.wait_text("h1", "About")?;
    page.browser.run(&format!("location.hash = {}", json!(LONG)))?;
    page.browser.wait("!document.querySelector('#busy').hidden && document.querySelector('#busy-text').textContent.includes('quotient')")
}

fn stop(page: &Page) -> Result<()> {
    begin_long(page)?;
    std::thread::sleep(Duration::from_millis(1500));
    let stopped = page.browser.run(
        "return new Promise((resolve) => {
            const start = performance.now();
            document.querySelector('#stop').click();
            const look = () => document.querySelector('#quotient .message.stopped') && document.body.dataset.running === '0' ? resolve(performance.now() - start) : requestAnimationFrame(look);
            look();
        })",
    )?;
    let milliseconds = stopped.as_f64().context("milliseconds")?;
    println!("    stopped after {milliseconds:.0} ms");
    ensure!(milliseconds < 300.0, "a run stopped only after {milliseconds} ms");
    // And the engine answers again.
    page.go("#/game/0.123?play=misere&view=misere")?;
    page.says("#quotient", "order 20")
}

fn typing(page: &Page) -> Result<()> {
    begin_long(page)?;
    let start = Instant::now();
    page.browser.fill("#field", "dawsons-chess")?;
    page.browser.wait_text("#meaning", "Dawson")?;
    let after = start.elapsed().as_millis();
    // On a busy machine the run may be at its limit by now; it must have been told, not lost.
    let goes_on = page.browser.value("document.body.dataset.running")? != "0";
    println!("    meaning shown {after} ms after the first key, while a run goes on: {goes_on}");
    if goes_on {
        page.browser.run("document.querySelector('#stop').click()")?;
    }
    page.settled()
}

fn million(page: &Page) -> Result<()> {
    page.go("#/game/exotic?view=lattice&side=1000")?;
    page.says(".map + .row", "1,000,000 positions")?;
    let frames = page.browser.run(
        "return new Promise((resolve) => {
            const canvas = document.querySelector('.map canvas');
            canvas.focus();
            const start = performance.now();
            let n = 0;
            const step = () => {
                canvas.dispatchEvent(new KeyboardEvent('keydown', {key: n % 2 ? '+' : 'ArrowRight', bubbles: true}));
                if (++n < 30) requestAnimationFrame(step); else resolve((performance.now() - start) / 30);
            };
            step();
        })",
    )?;
    println!("    {:.1} ms a frame while a million positions are zoomed and moved", frames.as_f64().unwrap_or(0.0));
    Ok(())
}

/// Keys that come faster than answers: the meaning is that of the last text, and Enter opens it.
fn quick_typing(page: &Page) -> Result<()> {
    page.go("#/")?;
    let text = "subtract:1,2,3,4,5,6,7,8,9,10";
    page.browser.fill("#field", text)?;
    page.browser.wait_text("#meaning", "octal 0.3333333333 ")?;
    page.settled()?;
    page.says("#meaning", "octal 0.3333333333 ")?;
    page.browser.fill("#field", "kayles\u{e007}")?;
    page.browser.wait("location.hash === '#/game/kayles'")?;
    page.settled()?;
    page.says("h1", "Kayles")?;
    // A text of several lines is a game file: Enter with the shift key, or a pasted one.
    page.browser.run("const f = document.querySelector('#field'); f.value = 'kind = \"lattice\"\\nrules = [[1,0],[0,1],[1,1]]'; f.dispatchEvent(new Event('input', {bubbles: true}))")?;
    page.browser.wait_text("#meaning", "lattice game")?;
    ensure!(page.browser.value("document.querySelector('#field').rows")? == 2);
    page.browser.click("#ask button")?;
    page.settled()?;
    page.says("#normal", "proved")
}

/// The other play takes the place of the one whose run goes on: what is shown belongs to what is switched on.
fn switched(page: &Page) -> Result<()> {
    begin_long(page)?;
    page.browser.run("document.querySelector('#play input[value=normal]').click()")?;
    page.browser.wait("location.hash.includes('view=values') && location.hash.includes('play=normal')")?;
    page.settled()?;
    ensure!(page.count(".plot .dot")? > 20 && page.count("main .message")? == 0);
    page.browser.run("document.querySelector('#play input[value=misere]').click()")?;
    page.browser.wait("location.hash.includes('view=misere') && document.querySelector('#busy-text').textContent.includes('quotient')")?;
    ensure!(page.browser.value("document.querySelector('#play input:checked').value")? == "misere");
    // A link to the quotient of heaps is one to misère play.
    page.go("#/game/0.123?view=misere")?;
    ensure!(page.browser.value("document.querySelector('#play input:checked').value")? == "misere");
    page.says("#quotient", "order 20")
}

fn history(page: &Page) -> Result<()> {
    for hash in ["#/game/nim?view=play&position=3%2B4", "#/game/kayles?view=values&to=50", "#/game/exotic?view=lattice"]
    {
        page.browser.run(&format!("location.hash = {}", json!(hash)))?;
        page.browser.wait(&format!("location.hash.startsWith({})", json!(hash)))?;
        page.settled()?;
    }
    page.browser.run("history.back()")?;
    page.browser.wait("document.querySelectorAll('.plot .dot').length === 51")?;
    page.browser.run("history.back()")?;
    page.browser.wait("document.querySelector('#position')?.value === '3+4'")?;
    ensure!(page.browser.value("document.querySelector('#field').value")? == "nim");
    page.browser.run("history.go(2)")?;
    page.browser.wait("document.querySelector('.map canvas')")?;
    page.settled()?;
    // Quickly to and fro: what the address says is what is shown.
    page.browser
        .run("history.back(); setTimeout(() => history.back(), 30); setTimeout(() => history.forward(), 60)")?;
    std::thread::sleep(Duration::from_millis(400));
    page.settled()?;
    let hash = page.browser.value("location.hash")?.as_str().unwrap_or_default().to_owned();
    let game = page.browser.value("document.querySelector('#field').value")?;
    ensure!(hash.starts_with(&format!("#/game/{}", game.as_str().unwrap_or("?"))), "{hash} shows {game}");
    ensure!(page.count("main .message")? == 0, "{}", page.browser.text("main .message")?);
    Ok(())
}

/// Answers and timers of a view that is gone do not change the address.
fn left(page: &Page) -> Result<()> {
    for (hash, act) in [
        ("#/game/nim?view=play&position=3%2B4", "document.querySelector('.moves button').click()"),
        (
            "#/game/kayles?view=values&to=50",
            "const to = document.querySelector('#to'); to.value = 90; to.dispatchEvent(new Event('input', {bubbles: true}))",
        ),
    ] {
        page.go(hash)?;
        page.browser.run(&format!("{act}; location.hash = '#/about'"))?;
        std::thread::sleep(Duration::from_millis(500));
        page.settled()?;
        ensure!(page.browser.value("location.hash")? == "#/about", "{hash}: {}", page.browser.value("location.hash")?);
        page.says("h1", "About this page")?;
    }
    Ok(())
}

/// What no person types: an answer or a message, and a page that goes on.
fn huge(page: &Page) -> Result<()> {
    page.go("#/")?;
    page.browser.run("window.worst = 0; let last = performance.now(); const look = (now) => { worst = Math.max(worst, now - last); last = now; requestAnimationFrame(look); }; requestAnimationFrame(look)")?;
    for (name, game, part) in [
        ("digits", "'9'.repeat(1e6)", "is not known"),
        ("a code", "'0.' + '7'.repeat(1e6)", "(1,000,002 characters)"),
        ("brackets", "'['.repeat(1e6)", "is not known"),
        ("rules", "'kind = \"lattice\"\\nrules = [' + '[1,0],'.repeat(5e4) + '[0,1]]'", "game file"),
    ] {
        page.browser.run(&format!("worst = 0; location.hash = '#/game/' + encodeURIComponent({game})"))?;
        page.browser.wait_text("main", part)?;
        page.settled()?;
        let worst = page.browser.value("Math.round(worst)")?;
        println!("    {name}: the longest frame took {worst} ms");
        ensure!(page.count(".message.broken")? == 0, "{name}: {}", page.browser.text(".message.broken")?);
    }
    page.browser.run("const f = document.querySelector('#field'); f.focus(); f.value = 'x'.repeat(1e6); f.dispatchEvent(new Event('input', {bubbles: true}))")?;
    page.browser.wait_text("#meaning", "is not known")?;
    page.browser.run("const f = document.querySelector('#field'); f.value = 'kayles'; f.dispatchEvent(new Event('input', {bubbles: true}))")?;
    page.browser.wait_text("#meaning", "octal 0.77 = Kayles")?;
    page.browser.run("worst = NaN")?;
    page.go("#/game/kayles")?;
    page.says("h1", "Kayles")
}

fn zoom(page: &Page) -> Result<()> {
    page.browser.look(1440, 900, false)?;
    page.go("#/game/exotic?view=lattice&side=200")?;
    page.browser.wait("document.querySelector('.series .term')")?;
    let picture = "document.querySelector('.map canvas').toDataURL()";
    let press = |key: &str, times: u32| {
        page.browser.run(&format!(
            "for (let i = 0; i < {times}; i++) document.querySelector('.map canvas').dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}', bubbles: true}}))"
        ))
    };
    let whole = page.browser.value(picture)?;
    press("+", 60)?;
    // Six cells across, and the pointer still knows where it is.
    for (key, corner) in [("ArrowLeft", "(0,"), ("ArrowRight", "(19"), ("ArrowUp", ",19"), ("ArrowDown", ",0)")] {
        press(key, 400)?;
        page.browser.run(&format!("document.querySelector('.map canvas').scrollIntoView(); const c = document.querySelector('.map canvas'); const box = c.getBoundingClientRect(); const [x, y] = {{ArrowLeft: [0.01, 0.5], ArrowRight: [0.99, 0.5], ArrowUp: [0.5, 0.01], ArrowDown: [0.5, 0.99]}}['{key}'];
             c.dispatchEvent(new PointerEvent('pointermove', {{clientX: box.left + x * box.width, clientY: box.top + y * box.height, bubbles: true}}))"))?;
        page.says(".readout code", corner)?;
    }
    ensure!(page.browser.value(picture)? != whole);
    press("-", 60)?;
    page.browser.run("document.querySelector('.map canvas').dispatchEvent(new PointerEvent('pointerleave'))")?;
    ensure!(page.browser.value(picture)? == whole, "zoomed out as far as it goes, the map is not what it was");
    // By wheel, far beyond both ends.
    for delta in [-1e9, 1e9] {
        page.browser.run(&format!("document.querySelector('.map canvas').dispatchEvent(new WheelEvent('wheel', {{deltaY: {delta}, bubbles: true, cancelable: true}}))"))?;
    }
    ensure!(page.browser.value(picture)? == whole);
    // Another window.
    for (width, height) in [(390, 844), (1440, 900)] {
        page.browser.look(width, height, false)?;
        std::thread::sleep(Duration::from_millis(200));
    }
    page.browser.wait(&format!("{picture} === {whole}"))
}

fn resized(page: &Page) -> Result<()> {
    for hash in [
        "#/game/kayles?view=values&to=80",
        "#/game/0.123?play=misere&view=misere",
        "#/game/chomp-chains:5,3?view=posets",
        "#/game/kayles",
    ] {
        page.browser.look(1440, 900, false)?;
        page.go(hash)?;
        for width in [1440, 900, 390, 1440] {
            page.browser.look(width, 900, false)?;
            // Letters are as large as they are meant: the drawing has the units of the screen, or larger ones.
            page.browser
                .wait("[...document.querySelectorAll('.plot')].every((plot) => plot.viewBox.baseVal.width <= plot.getBoundingClientRect().width + 1 || plot.viewBox.baseVal.width <= 280)")
                .with_context(|| format!("{hash} at {width}"))?;
        }
    }
    Ok(())
}
