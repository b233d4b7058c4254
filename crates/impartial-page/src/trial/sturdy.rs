//! What must never happen: a page that hangs, trusts its input, needs a mouse or a network.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use super::{Page, SIGHTS, Trial};
use crate::root;
use crate::views::{HOSTING, Press, VIEWS};

pub const TRIALS: &[Trial] = &[
    ("the_first_answer_of_a_cold_load", cold_load),
    ("parts_of_the_engine_wait_until_they_are_needed", parts),
    ("a_long_run_is_stopped_at_once", stop),
    ("typing_is_never_blocked", typing),
    ("what_was_typed_last_is_what_is_meant", quick_typing),
    ("the_play_is_switched_while_a_run_goes_on", switched),
    ("back_and_forward_show_what_was_there", history),
    ("a_view_that_was_left_says_nothing_more", left),
    ("games_of_a_million_characters_are_told_apart", huge),
    ("maps_are_zoomed_to_their_ends", zoom),
    ("plots_are_drawn_for_the_room_they_have", resized),
    ("bad_input_has_a_message_and_loses_nothing", bad_input),
    ("a_hostile_address_is_only_text", hostile_address),
    ("a_hostile_strategy_file_is_only_text", hostile_file),
    ("a_forged_strategy_file_is_refused", forged_file),
    ("no_text_becomes_html", sources),
    ("the_keyboard_is_enough", keyboard),
    ("a_million_positions_are_drawn", million),
    ("every_button_and_field_has_a_name", names),
    ("text_stands_out_by_day_and_by_night", contrast),
    ("nothing_runs_over_the_edge_of_a_phone", phone),
    ("the_page_works_without_a_network", offline),
];

fn cold_load(page: &Page) -> Result<()> {
    page.browser.devtools("Network.enable", &json!({}))?;
    page.browser.devtools("Network.setBypassServiceWorker", &json!({"bypass": true}))?;
    page.browser.devtools("Network.clearBrowserCache", &json!({}))?;
    page.browser.open("about:blank")?;
    page.browser.open(&format!("{}#/game/nim?view=play", page.base))?;
    page.browser.wait("document.querySelector('.moves button')")?;
    let time = page.browser.value(
        "(() => { const found = performance.getEntriesByType('mark'); return found.length ? found.at(-1).startTime : performance.now(); })()",
    )?;
    println!("    first answer after {:.0} ms (with an empty cache)", time.as_f64().unwrap_or(0.0));
    page.browser.devtools("Network.setBypassServiceWorker", &json!({"bypass": false})).map(drop)
}

/// Every view loads parts of the engine that it needs and no others, so that what they take up is bounded.
fn parts(page: &Page) -> Result<()> {
    let mut wrong = Vec::new();
    for &(hash, press, parts) in VIEWS {
        page.load(hash)?;
        pressed(page, press).with_context(|| format!("{hash}{}", press.told()))?;
        let found = page.browser.value("document.body.dataset.parts")?.as_str().unwrap_or_default().to_owned();
        let needed: Vec<&str> = parts.split(' ').collect();
        if !found.split_whitespace().all(|part| needed.contains(&part)) {
            wrong.push(format!("{hash}{} loads {found}, not {parts}", press.told()));
        }
    }
    let told = wrong.join("\n    ");
    if !HOSTING.load(Ordering::Relaxed) && !wrong.is_empty() {
        println!("    of an engine that is compiled soon: {told}");
        return Ok(());
    }
    ensure!(wrong.is_empty(), "{told}");
    Ok(())
}

/// Presses what is to be pressed in a view, and waits for the answers.
fn pressed(page: &Page, press: Press) -> Result<()> {
    if page.count("#colours")? > 0 {
        page.browser.click("#colours")?;
        page.settled()?;
    }
    if press == Press::Help {
        for word in ["Hint", "Why?"] {
            press_button(page, word)?;
            page.browser.wait("document.querySelector('.help').textContent")?;
            page.settled()?;
        }
        return Ok(());
    }
    if press == Press::Exports {
        for i in 1..=page.count(".formats button")? {
            page.browser.click(&format!(".formats button:nth-child({i})"))?;
            page.settled()?;
        }
        page.browser.click("[data-file$='.json']:not([data-file$='.values.json'], [data-file$='.quotient.json'])")?;
        page.settled()?;
    }
    if press == Press::Prove {
        press_button(page, "Prove it")?;
        page.browser.wait_text("#verdict", "proved")?;
    }
    if press != Press::Nothing {
        // "Solve all positions" of a finite board has a certificate only when it was pressed.
        if page.count(".check-here")? == 0 {
            press_button(page, "Solve all positions")?;
            page.settled()?;
        }
        let checks = page.count(".check-here")?;
        ensure!(checks > 0, "there is nothing to check");
        page.browser.run("for (const check of document.querySelectorAll('.check-here')) check.click()")?;
        page.browser
            .wait(&format!("document.querySelectorAll('.verdict.valid, .verdict.refused').length === {checks}"))?;
        ensure!(page.count(".verdict.refused")? == 0, "refused: {}", page.browser.text(".verdict.refused")?);
    }
    Ok(())
}

fn press_button(page: &Page, word: &str) -> Result<()> {
    let found = format!("[...document.querySelectorAll('button')].find((b) => b.textContent === {})", json!(word));
    page.browser.wait(&found)?;
    page.browser.run(&format!("{found}.click()")).map(drop)
}

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

fn bad_input(page: &Page) -> Result<()> {
    page.go("#/game/nim?view=play&position=3%2B4")?;
    page.browser.fill("#position", "3+x\u{e007}")?;
    page.browser.wait("document.querySelector('.help .message')")?;
    ensure!(page.count(".moves button")? == 7, "the game is lost");
    page.go("#/game/no-such-game")?;
    page.says(".message", "is not known")?;
    ensure!(page.browser.value("document.querySelector('#field').value")? == "no-such-game");
    page.go("#/game/0.7G?view=values")?;
    ensure!(page.count("main .message")? > 0);
    page.go("#/game/exotic?view=lattice&side=1000000&slice=x")?;
    page.says("main", "proved")?;
    page.go("#/game/kayles?view=nothing&play=sideways&to=-5")?;
    page.says("h1", "Kayles")
}

fn unhurt(page: &Page) -> Result<()> {
    ensure!(page.browser.value("window.hacked === undefined")? == true, "a script of the input ran");
    ensure!(
        page.count("main script, main iframe, main img[onerror], main [onclick], main style, main link, main object")?
            == 0
    );
    ensure!(page.browser.value("document.querySelector('.brand').textContent")? == "impartial");
    Ok(())
}

fn hostile_address(page: &Page) -> Result<()> {
    let scripts = [
        "<img src=x onerror=window.hacked=1>",
        "<script>window.hacked=1</script>",
        "\"><svg onload=window.hacked=1>",
        "javascript:window.hacked=1",
        "' onclick='window.hacked=1",
        "__proto__",
        "%ZZ",
        "../../../etc/passwd",
        "kind = \"poset\"\nelements = [\"<img src=x onerror=window.hacked=1>\"]\nrelations = []",
        "kind = \"graph\"\n[moves]\n\"<svg onload=window.hacked=1>\" = []",
    ];
    for script in scripts {
        let escaped: String = script.bytes().fold(String::new(), |text, byte| text + &format!("%{byte:02X}"));
        for view in [
            "",
            "?view=play",
            "?view=posets",
            "?view=export",
            "?view=constructor&play=%3Cb%3E&position=%3Cimg%20src%3Dx%20onerror%3Dwindow.hacked%3D1%3E",
        ] {
            page.go(&format!("#/game/{escaped}{view}"))?;
            unhurt(page)?;
        }
    }
    page.go("#/__proto__")?;
    page.says("main", "There is no page")?;
    page.go("#/index?q=%3Cimg%20src%3Dx%20onerror%3Dwindow.hacked%3D1%3E&kind=%3Cb%3E")?;
    unhurt(page)?;
    page.go(&format!("#/game/{}", "9".repeat(5000)))?;
    unhurt(page)
}

fn check_file(page: &Page, text: &str) -> Result<()> {
    page.browser.run(&format!("document.querySelector('#file').value = {}", json!(text)))?;
    page.browser.click("#check")?;
    page.browser.wait("document.querySelector('#checked .message')")
}

fn hostile_file(page: &Page) -> Result<()> {
    for text in [
        r#"{"format":"impartial strategy","version":1,"form":"<img src=x onerror=window.hacked=1>","game":{},"certificate":{}}"#.to_owned(),
        "<script>window.hacked=1</script>".to_owned(),
        "[".repeat(100_000),
        format!("{{\"form\": \"automaton\", \"game\": {{\"rules\": [[{}]]}}}}", "9".repeat(100_000)),
        String::new(),
    ] {
        page.go("#/about")?;
        check_file(page, &text)?;
        ensure!(page.count("#checked .message.valid")? == 0);
        unhurt(page)?;
    }
    Ok(())
}

fn forged_file(page: &Page) -> Result<()> {
    page.go("#/game/exotic?view=export")?;
    page.browser.click("[data-file='exotic.json']")?;
    page.settled()?;
    let file = page.browser.value("document.querySelector('#export pre').textContent")?;
    let file = file.as_str().unwrap_or("").to_owned();
    page.go("#/about")?;
    check_file(page, &file)?;
    page.says("#checked", "Valid")?;
    // Another game under the same certificate.
    page.go("#/about")?;
    check_file(page, &file.replace("2,2", "2,1").replace("2,\n", "3,\n"))?;
    page.says("#checked", "Refused")
}

/// The sources have no way from text to HTML, and no inline script.
fn sources(page: &Page) -> Result<()> {
    let mut files = Vec::new();
    crate::assemble::list(
        &root().join("crates/impartial-web/page"),
        &root().join("crates/impartial-web/page"),
        &mut files,
    )?;
    ensure!(files.len() > 20);
    for name in files.iter().filter(|name| matches!(name.rsplit_once('.'), Some((_, "js" | "html")))) {
        let text = std::fs::read_to_string(root().join("crates/impartial-web/page").join(name))?;
        for bad in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            "srcdoc",
            "DOMParser",
        ] {
            ensure!(!text.contains(bad), "{name} has {bad}");
        }
    }
    // Every form of strategy has the words of its theorem.
    let forms = std::fs::read_to_string(root().join("crates/impartial/src/game/form/mod.rs"))?;
    let theorems = std::fs::read_to_string(root().join("crates/impartial-web/page/parts.js"))?;
    let names =
        forms.lines().filter_map(|line| line.trim().strip_prefix("Self::")?.split_once(" => \"")?.1.split('"').next());
    for name in names {
        ensure!(
            theorems.contains(&format!("  {name}: \"")) || theorems.contains(&format!("  \"{name}\": \"")),
            "parts.js has no theorem for the form {name}"
        );
    }
    let index = std::fs::read_to_string(root().join("crates/impartial-web/page/index.html"))?;
    ensure!(
        index.contains("Content-Security-Policy")
            && !index.contains("unsafe-inline")
            && !index.contains(" 'unsafe-eval'"),
        "the policy"
    );
    ensure!(index.matches("<script").count() == 1 && !index.contains(" style=") && !index.contains(" onclick"));
    // The policy is in force: an inline script and a style attribute do nothing.
    page.go("#/about")?;
    page.browser.run("const s = document.createElement('script'); s.textContent = 'window.hacked = 1'; document.body.append(s); s.remove();")?;
    ensure!(page.browser.value("window.hacked === undefined")? == true);
    // That refusal is an entry of the console, and wanted.
    page.browser.complaints().map(drop)
}

fn keyboard(page: &Page) -> Result<()> {
    page.go("#/")?;
    page.browser.run("document.activeElement.blur()")?;
    page.browser.keys("/nim\u{e007}")?;
    page.browser.wait("location.hash === '#/game/nim'")?;
    page.settled()?;
    // Tab to the view Play and open it.
    for _ in 0..20 {
        page.browser.keys("\u{e004}")?;
        if page.browser.value("document.activeElement.textContent")? == "Play" {
            break;
        }
    }
    page.browser.keys("\u{e007}")?;
    page.browser.wait("document.querySelector('.moves button')")?;
    page.settled()?;
    for _ in 0..60 {
        page.browser.keys("\u{e004}")?;
        if page.browser.value("!!document.activeElement.closest('.moves')")? == true {
            break;
        }
    }
    page.browser.keys("\u{e007}")?;
    page.browser.wait_text(".status", "It moved")?;
    // What is drawn on a board is pressed with the space bar too.
    for game in ["exotic", "wythoff", "divisors:36"] {
        page.go(&format!("#/game/{game}?view=play"))?;
        page.browser.run("[...document.querySelectorAll('.board .movable')].at(-1).focus()")?;
        page.browser.keys(" ")?;
        page.browser.wait_text(".status", "It moved")?;
    }
    Ok(())
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

fn names(page: &Page) -> Result<()> {
    for hash in [
        "#/",
        "#/game/nim?view=play",
        "#/game/kayles?view=values&to=40",
        "#/game/exotic?view=lattice",
        "#/game/0.123?play=misere&view=misere",
        "#/game/chomp-chains:2?view=posets",
        "#/index",
        "#/about",
    ] {
        page.go(hash)?;
        let nameless = page.browser.value(
            "[...document.querySelectorAll('button, input, textarea, select, a[href], svg[role=img], canvas')].filter((e) => !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length || e.alt || e.placeholder)).map((e) => e.cloneNode(false).tagName + '#' + e.id)",
        )?;
        ensure!(nameless.as_array().is_some_and(Vec::is_empty), "{hash}: {nameless}");
        ensure!(page.count("h1, h2, .status")? > 0, "{hash} has no heading");
    }
    Ok(())
}

/// Colours of text and what is behind them: at least 4.5 to 1, as WCAG asks for.
fn contrast(page: &Page) -> Result<()> {
    let pairs = json!([
        ["ink", "paper"],
        ["ink", "sheet"],
        ["soft", "paper"],
        ["soft", "sheet"],
        ["soft", "faint"],
        ["p", "sheet"],
        ["paper", "p"],
        ["n", "n-wash"],
        ["n", "sheet"],
        ["n", "paper"],
        ["good", "good-wash"],
        ["bad", "bad-wash"],
        ["bad", "paper"],
        ["ink", "p-wash"],
        ["ink", "n-wash"],
        ["ink", "bad-wash"],
        ["lit", "sheet"],
        ["s1", "sheet"],
        ["s2", "sheet"],
        ["s3", "sheet"],
        ["s4", "sheet"],
        ["s5", "sheet"],
        ["s6", "sheet"],
        ["s7", "sheet"],
        ["s8", "sheet"],
    ]);
    for dark in [false, true] {
        page.browser.look(1440, 900, dark)?;
        let faint = page.browser.run(&format!(
            "const style = getComputedStyle(document.documentElement);
             const light = (name) => {{
                 const hex = style.getPropertyValue(`--${{name}}`).trim();
                 const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((x) => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
                 return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
             }};
             const ratio = (a, b) => Math.max(light(a) / light(b), light(b) / light(a));
             return {pairs}.filter(([a, b]) => !(ratio(a, b) >= 4.5)).map(([a, b]) => `${{a}} on ${{b}}: ${{ratio(a, b).toFixed(2)}}`);"
        ))?;
        ensure!(faint.as_array().is_some_and(Vec::is_empty), "dark {dark}: {faint}");
    }
    page.browser.look(1440, 900, false)
}

fn phone(page: &Page) -> Result<()> {
    for (_, hash) in SIGHTS {
        page.browser.look(390, 844, false)?;
        page.go(hash)?;
        for width in [390, 320] {
            page.browser.look(width, 844, false)?;
            page.browser.wait(&format!("innerWidth === {width}"))?;
            let wide = page.browser.value("document.documentElement.scrollWidth")?;
            ensure!(wide.as_u64() <= Some(width.into()), "{hash} is {wide} pixels wide on a phone of {width}");
        }
    }
    page.browser.look(1440, 900, false)
}

fn offline(page: &Page) -> Result<()> {
    page.load("#/")?;
    page.browser.wait("navigator.serviceWorker.controller")?;
    page.browser.devtools("Network.enable", &json!({}))?;
    let network = |offline: bool| {
        let wanted = json!({"offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1});
        page.browser.devtools("Network.emulateNetworkConditions", &wanted)
    };
    // What was looked at before is not what helps here.
    page.browser.devtools("Network.clearBrowserCache", &json!({}))?;
    network(true)?;
    let views = || -> Result<()> {
        ensure!(page.browser.value("fetch('no-such-file').then(() => 'network', () => 'none')")? == "none");
        for (hash, place, part) in [
            ("#/game/kayles?view=values", "#period", "proved"),
            ("#/game/0.123?play=misere&view=misere", "#quotient", "order 20"),
            ("#/game/exotic?view=lattice", "#strategy", "Generating function: 8 terms"),
            ("#/game/chomp-chains:5,3?view=posets", "#chains", "periodic"),
            ("#/game/wythoff?view=play", ".status", "Your move"),
            ("#/index?order=20&period=5", "table", "0.123"),
            ("#/open", "main", "Solved in part"),
        ] {
            page.load(hash)?;
            page.browser.wait_text(place, part)?;
        }
        page.go("#/game/kayles?view=values")?;
        page.browser.click(".check-here")?;
        page.browser.wait_text(".verdict.valid", "Valid")
    };
    let result = views();
    network(false)?;
    // Requests that fail and are answered from the store are entries of the console.
    page.browser.complaints()?;
    result
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
