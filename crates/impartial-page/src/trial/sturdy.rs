//! What must never happen: a page that hangs, trusts its input, needs a mouse or a network.

use std::sync::atomic::Ordering;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use super::{Page, SIGHTS, Trial};
use crate::root;
use crate::serve::SILENT;
use crate::views::{HOSTING, Press, VIEWS};

pub const TRIALS: &[Trial] = &[
    ("the_first_answer_of_a_cold_load", cold_load),
    ("parts_of_the_engine_wait_until_they_are_needed", parts),
    ("bad_input_has_a_message_and_loses_nothing", bad_input),
    ("a_hostile_address_is_only_text", hostile_address),
    ("a_hostile_strategy_file_is_only_text", hostile_file),
    ("a_forged_strategy_file_is_refused", forged_file),
    ("no_text_becomes_html", sources),
    ("the_keyboard_is_enough", keyboard),
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
            std::thread::sleep(std::time::Duration::from_millis(100));
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
    // What was looked at before is not what helps here.
    page.browser.devtools("Network.clearBrowserCache", &json!({}))?;
    SILENT.store(true, Ordering::Relaxed);
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
    SILENT.store(false, Ordering::Relaxed);
    // Requests that fail and are answered from the store are entries of the console.
    page.browser.complaints()?;
    result
}
