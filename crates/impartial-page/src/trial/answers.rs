//! The views answer, and link to each other.

use anyhow::{Result, ensure};

use super::{Page, Trial};

pub const TRIALS: &[Trial] = &[
    ("cards_of_the_catalogue_lead_to_home_pages", cards),
    ("the_field_says_what_a_text_means", field),
    ("the_play_is_switched", switched),
    ("the_slider_chooses_how_many_values", slider),
    ("values_have_a_plot_a_proved_period_and_a_mex", values),
    ("the_certificate_is_checked_in_the_browser", certificate),
    ("an_open_sequence_is_not_called_proved", open_sequence),
    ("a_misere_quotient_has_its_elements", misere),
    ("sums_are_compared", congruent),
    ("a_lattice_game_is_mapped_solved_and_stratified", lattice),
    ("slices_of_more_coordinates_are_drawn", slices),
    ("positions_with_a_hundred_digits_are_answered", far),
    ("a_conjecture_is_proved_or_refuted_at_a_point", conjecture),
    ("rules_are_edited_with_the_axioms_checked", rules),
    ("a_position_of_the_map_has_its_stratum_and_value", readout),
    ("chains_have_a_period_and_any_argument", chains),
    ("posets_are_edited", posets),
    ("every_view_opens_for_every_kind", every_view),
    ("the_index_is_searched_by_invariants", index),
    ("deep_links_hold_game_play_view_and_position", deep_links),
];

fn cards(page: &Page) -> Result<()> {
    page.go("#/index")?;
    ensure!(page.count(".cards .card")? >= 40);
    page.go("#/")?;
    page.says(".cards li", "Play from 3+5+7")?;
    ensure!(page.count(".cards .rules")? > 5 && page.count(".cards .source")? == page.count(".cards .card")?);
    page.browser.click(".cards a[href='#/game/nim?view=play']")?;
    page.settled()?;
    page.says(".status", "Your move")?;
    page.go("#/")?;
    page.browser.click(".cards a[href='#/game/kayles']")?;
    page.settled()?;
    page.says("h1", "Kayles")?;
    page.says("main", "period 12")?;
    page.says("main", "order 40")
}

fn field(page: &Page) -> Result<()> {
    page.go("#/")?;
    page.browser.fill("#field", "0.77")?;
    page.browser.wait_text("#meaning", "octal 0.77 = Kayles: ")?;
    page.browser.fill("#field", "subtract:1,2,3")?;
    page.browser.wait_text("#meaning", "octal 0.333 = ")?;
    // Marienbad has the code of Nim: a name means the game of that name.
    page.browser.fill("#field", "nim")?;
    page.browser.wait_text("#meaning", "octal 0.[3] = Nim: ")?;
    page.browser.fill("#field", "exotic")?;
    page.browser.wait_text("#meaning", "lattice game = ")?;
    page.browser.fill("#field", "chomp:3x4")?;
    page.browser.wait_text("#meaning", "poset game")?;
    // Every name of the catalogue, and its rules where they are a notation, mean the game of that title.
    let games = page.browser.run("return import('./app.js').then(({ games }) => games())")?;
    for game in games.as_array().into_iter().flatten() {
        let (name, title) = (game["name"].as_str().unwrap_or_default(), game["title"].as_str().unwrap_or_default());
        page.browser.run(&format!("const f = document.querySelector('#field'); f.value = '{name}'; f.dispatchEvent(new Event('input', {{bubbles: true}}))"))?;
        page.browser.wait_text("#meaning", &format!(" = {title}: "))?;
    }
    ensure!(games.as_array().is_some_and(|games| games.len() > 50));
    Ok(())
}

/// The switch between normal and misère play keeps game and view.
fn switched(page: &Page) -> Result<()> {
    page.go("#/game/nim?view=play&position=1%2B1")?;
    page.browser.run("document.querySelector('#play input[value=misere]').click()")?;
    page.browser.wait("location.hash.includes('play=misere') && location.hash.includes('view=play')")?;
    page.settled()?;
    page.says("main", "who cannot move wins")?;
    page.says(".command code", "--play misere")
}

fn slider(page: &Page) -> Result<()> {
    page.go("#/game/kayles?view=values&to=50")?;
    ensure!(page.count(".plot .dot")? == 51);
    page.browser.run(
        "const to = document.querySelector('#to'); to.value = 90; for (const name of ['input', 'change']) to.dispatchEvent(new Event(name, {bubbles: true}))",
    )?;
    page.browser.wait("document.querySelectorAll('.plot .dot').length === 91 && location.hash.includes('to=90')")
}

fn values(page: &Page) -> Result<()> {
    page.go("#/game/kayles?view=values&to=150")?;
    ensure!(page.count(".plot .dot")? == 151);
    page.says("#period", "proved")?;
    page.says("#period", "71")?;
    ensure!(page.count(".plot .shade")? > 3);
    ensure!(page.count(".plot .dot.exception")? > 5);
    page.browser.click("table.values [data-lit='heap:3']")?;
    page.browser.wait_text("#detail", "the least number that is missing is 3")?;
    page.says(".command code", "impartial values kayles --to 150")
}

fn certificate(page: &Page) -> Result<()> {
    page.go("#/game/kayles?view=values")?;
    page.browser.click(".check-here")?;
    page.browser.wait_text(".verdict.valid", "Valid")
}

fn open_sequence(page: &Page) -> Result<()> {
    page.go("#/game/grundys-game?view=values&to=60")?;
    ensure!(page.count("#period .badge.proved")? == 0);
    page.says("#period", "no period is proved")
}

fn misere(page: &Page) -> Result<()> {
    page.go("#/game/0.123?play=misere&view=misere")?;
    page.says("#quotient", "Quotient of order 20")?;
    page.says("#quotient", "wild")?;
    ensure!(page.count(".cayley .element")? == 20);
    ensure!(page.count(".cayley .element.P")? == 5);
    // Heap 8 brings the third generator, and an order of 12 that no tame quotient has.
    page.browser.wait_text("#wild", "Tame up to heap 7; heap 8 is the first wild one.")?;
    ensure!(page.count(".plot .dot.tame")? == 2 && page.count(".plot .dot.wild")? == 2);
    ensure!(
        page.browser.value("[...document.querySelectorAll('.pretending .wild')].map((e) => e.dataset.heap).join()")?
            == "8"
    );
    page.browser.run("document.querySelector('.cayley [data-lit=\"element:d^2\"]').dispatchEvent(new MouseEvent('click', {bubbles: true}))")?;
    page.browser.wait_text("#element", "Heaps 6, 11 have it, and so on with period 5.")?;
    page.says("#element", "d²")?;
    page.says("#quotient", "period 5 from heap 5 on")
}

fn congruent(page: &Page) -> Result<()> {
    page.go("#/game/0.123?play=misere&view=misere")?;
    page.browser.fill("#p", "1+1")?;
    page.browser.fill("#q", "2\u{e007}")?;
    page.browser.wait_text("#congruent", "Congruent.")?;
    page.browser.fill("#q", "3\u{e007}")?;
    page.browser.wait_text("#congruent", "Not congruent.")?;
    page.says("#congruent", "adding")
}

fn lattice(page: &Page) -> Result<()> {
    page.go("#/game/exotic?view=lattice")?;
    page.says("#strategy", "proved")?;
    page.says("#strategy", "8 strata in 2 modules")?;
    page.says("#strategy", "Generating function: 8 terms")?;
    // (18,18) is P and has the colour of its stratum; (19,18) is N.
    let pixel = "(() => { const c = document.querySelector('.map canvas'); const n = c.width / 48; const at = (u, v) => [...c.getContext('2d').getImageData((u + 0.5) * n, c.height - (v + 0.3) * n, 1, 1).data]; return JSON.stringify([at(18, 18), at(19, 18)]); })()";
    let found = page.browser.value(pixel)?;
    ensure!(found.as_str().is_some_and(|text| text.contains("],[")), "{found}");
    let [p, n] = serde_json::from_str::<[Vec<u32>; 2]>(found.as_str().unwrap_or(""))?;
    ensure!(p != n, "P and N have the same colour {p:?}");
    // A term of the generating function lights its points: those of another stratum fade.
    page.browser.run(
        "document.querySelector('.series .term').dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))",
    )?;
    let lit = page.browser.value(pixel)?;
    ensure!(lit != found, "the term lights nothing");
    page.browser.click("button[aria-label='zoom in']")?;
    page.says(".map + .row", "2,304 positions")
}

/// Three coordinates: a plane of them is drawn, and another one on request.
fn slices(page: &Page) -> Result<()> {
    page.go("#/game/weakly-squarefree?view=lattice")?;
    page.browser.fill("#slice", "(*,1,*)\u{e007}")?;
    page.browser.wait("location.hash.includes('*%2C1%2C*')")?;
    page.settled()?;
    page.says(".map + .row", "x3 up")?;
    page.says("#strategy", "proved")
}

fn far(page: &Page) -> Result<()> {
    page.go("#/game/exotic?view=lattice")?;
    let six = "6".repeat(100);
    page.browser.run(&format!("document.querySelector('#far').value = '({six},{six})'"))?;
    page.browser.click("#far + button")?;
    page.browser.wait_text(".answer", "P proved")
}

fn conjecture(page: &Page) -> Result<()> {
    page.go("#/game/exotic?view=lattice")?;
    page.browser.run("[...document.querySelectorAll('button')].find((b) => b.textContent === 'Prove it').click()")?;
    page.browser.wait_text("#verdict", "proved")?;
    page.browser.run(
        "const area = document.querySelector('textarea.wide'); area.value = area.value.replace('[4,3]', '[4,2]');
         [...document.querySelectorAll('button')].find((b) => b.textContent === 'Prove it').click()",
    )?;
    page.browser.wait_text("#verdict", "Refuted at (")?;
    // The first wrong point is marked on the map.
    let marked = || -> Result<String> {
        let found = page.browser.value("document.querySelector('.map canvas').dataset.marked")?;
        Ok(found.as_str().unwrap_or("nowhere").to_owned())
    };
    page.says("#verdict", &format!("Refuted at ({})", marked()?))?;
    // What is no list of modules has a message, and stays.
    page.browser.run(
        "const area = document.querySelector('textarea.wide'); area.value = 'modules = [';
         [...document.querySelectorAll('button')].find((b) => b.textContent === 'Prove it').click()",
    )?;
    page.browser.wait("document.querySelector('#verdict .message.input')")?;
    ensure!(page.browser.value("document.querySelector('textarea.wide').value")? == "modules = [");
    // Three coordinates: weakly squarefree rules are not enough for P = P₀ + 2ℕ³. And a game file with a board of its own.
    let wedge = "kind%20%3D%20%22lattice%22%0Arules%20%3D%20%5B%5B1%2C0%5D%2C%5B0%2C1%5D%5D%0A%5Bboard%5D%0Ainequalities%20%3D%20%5B%5B1%2C0%2C0%5D%2C%5B-1%2C2%2C0%5D%5D";
    for game in ["weakly-squarefree", wedge] {
        page.go(&format!("#/game/{game}?view=lattice"))?;
        page.browser
            .run("[...document.querySelectorAll('button')].find((b) => b.textContent === 'Prove it').click()")?;
        page.browser.wait_text("#verdict", "Refuted at (")?;
        let said = page.browser.text("#verdict")?;
        let x: Vec<&str> = said["Refuted at (".len()..].split_once(')').map_or(vec![], |(x, _)| x.split(',').collect());
        // On the map, where it is in the plane that is drawn.
        let expected = if x[2..].iter().all(|&entry| entry == "0") { x[..2].join(",") } else { String::new() };
        ensure!(marked()? == expected, "{said} is marked at {}", marked()?);
    }
    Ok(())
}

/// Switches a cell of the editor's grid.
fn switch(page: &Page, cell: &str) -> Result<()> {
    let event = "dispatchEvent(new MouseEvent('click', {bubbles: true}))";
    page.browser.run(&format!("document.querySelector('[aria-label=\"rule {cell}\"]').{event}")).map(drop)
}

fn rules(page: &Page) -> Result<()> {
    page.go("#/game/exotic?view=lattice")?;
    page.says("#rules", "tangent cone axiom")?;
    switch(page, "(-1,0)")?;
    page.browser.wait_text("#rules", "need not end")?;
    for cell in ["(-1,0)", "(2,2)", "(1,0)"] {
        switch(page, cell)?;
    }
    page.browser.wait_text("#rules", "no rule goes back along the ray (1,0)")?;
    switch(page, "(1,0)")?;
    page.browser.wait_text("#rules", "✓ tangent")?;
    // A defeated point is no position of the map.
    page.browser.run("document.querySelector('#mode').value = 'defeated'")?;
    switch(page, "(1,1)")?;
    page.browser.wait("document.querySelector('#defeated-list').value === '(1,1)'")?;
    let open =
        "[...document.querySelectorAll('#rules button')].find((b) => b.textContent === 'Open this game').click()";
    page.browser.run(open)?;
    page.browser.wait("location.hash.includes('defeated')")?;
    page.settled()?;
    page.says("#strategy", "proved")?;
    ensure!(page.browser.value("document.querySelector('#defeated-list').value")? == "(1,1)");
    // A board that is a wedge.
    page.browser.fill("#board-list", "(1,0,0) (-1,2,0)")?;
    page.browser.wait_text("#rules", "ends")?;
    page.browser.run(open)?;
    page.browser.wait("location.hash.includes('inequalities')")?;
    page.settled()?;
    ensure!(page.count(".map canvas")? == 1);
    Ok(())
}

/// Pointing at a position: its outcome, its module, its base and the coefficients; or its Grundy value.
fn readout(page: &Page) -> Result<()> {
    let point = "const c = document.querySelector('.map canvas'); const box = c.getBoundingClientRect(); const n = box.width / 48;
         c.dispatchEvent(new PointerEvent('pointermove', {clientX: box.left + 18.5 * n, clientY: box.bottom - 18.5 * n, bubbles: true}))";
    page.go("#/game/exotic?view=lattice")?;
    page.browser.run("document.querySelector('.map canvas').scrollIntoView()")?;
    page.browser.run(point)?;
    page.browser.wait_text(".readout", "(18,18) P module 1: (0,0) + 3·(6,6)")?;
    ensure!(page.count(".modules .is-lit")? == 1, "the stratum is not lit in the legend");
    page.go("#/game/exotic?view=lattice&colour=grundy")?;
    page.browser.run("document.querySelector('.map canvas').scrollIntoView()")?;
    page.browser.run(point)?;
    page.browser.wait_text(".readout", "(18,18) Grundy value 0")
}

fn chains(page: &Page) -> Result<()> {
    page.go("#/game/chomp-chains:5,3?view=posets")?;
    page.says("#chains", "proved")?;
    page.says("#chains", "periodic")?;
    page.browser.fill("#at", "1000000000000000000000\u{e007}")?;
    page.browser.wait_text("#at-answer", "f(1000000000000000000000) = 100000000000000000000")
}

fn posets(page: &Page) -> Result<()> {
    page.go("#/game/divisors:4?view=posets")?;
    page.browser.wait_text("#poset", "1 P-position in all")?;
    page.go("#/game/divisors:12?view=posets")?;
    page.says("#poset", "Winning moves")?;
    page.browser.fill("#relations", "a<b b<c")?;
    page.browser.wait("document.querySelectorAll('main .hasse').length === 2")?;
    // A chain of three and two elements beside it: Nim with heaps 3, 1 and 1.
    page.browser.wait("[...document.querySelectorAll('[role=status]')].some((e) => e.innerText.includes('5 elements') && e.querySelector('.outcome.N'))")?;
    page.browser.fill("#relations", "a<z")?;
    page.browser.wait("document.querySelector('main .message')")?;
    ensure!(page.browser.value("document.querySelector('#relations').value")? == "a<z");
    page.browser.fill("#relations", "a<b b<c\u{e007}")?;
    page.browser.wait("location.hash.includes('elements')")?;
    page.settled()?;
    page.says("#poset", "Grundy value 3")?;
    ensure!(page.count("#poset .node")? == 5 && page.count("#poset .hasse line")? == 2);
    Ok(())
}

fn every_view(page: &Page) -> Result<()> {
    let graph = "kind%20%3D%20%22graph%22%0A%5Bmoves%5D%0Aa%20%3D%20%5B%22b%22%2C%20%22c%22%5D%0Ab%20%3D%20%5B%22c%22%5D%0Ac%20%3D%20%5B%5D";
    let sum = "kind%20%3D%20%22sum%22%0Aparts%20%3D%20%5B%220.77%22%2C%20%22chomp%3A2x3%22%5D";
    for (game, views) in [
        ("0.77", 6),
        ("subtract:1,2", 6),
        ("exotic", 5),
        ("chomp:3x4", 4),
        ("divisors:12", 4),
        ("chomp-chains:2", 4),
        ("wythoff", 3),
        (graph, 3),
        (sum, 3),
    ] {
        page.go(&format!("#/game/{game}"))?;
        ensure!(page.count("#tabs a")? == views, "{game} has {} views", page.count("#tabs a")?);
        for i in 1..=views {
            page.browser.click(&format!("#tabs a:nth-child({i})"))?;
            page.settled()?;
            ensure!(
                page.count(".message.broken, .message.input")? == 0,
                "{game}, view {i}: {}",
                page.browser.text(".message")?
            );
            ensure!(page.browser.text("main")?.len() > 20, "{game}, view {i} is empty");
        }
    }
    Ok(())
}

fn index(page: &Page) -> Result<()> {
    page.go("#/index?kind=lattice")?;
    page.says("#count", " of ")?;
    ensure!(page.count(".cards .card")? >= 5 && page.count(".cards .card")? < 20);
    page.browser.run(
        "document.querySelector('#kind').value = ''; document.querySelector('#kind').dispatchEvent(new Event('input'))",
    )?;
    page.browser.fill("#search", "Dudeney")?;
    page.browser.wait("document.querySelectorAll('.cards .card').length === 1")?;
    // A search is a link.
    ensure!(page.browser.value("location.hash")? == "#/index?q=Dudeney");
    page.go("#/index?q=Dudeney&kind=heap")?;
    ensure!(page.count(".cards .card")? == 1 && page.browser.value("document.querySelector('#kind').value")? == "heap");
    // The census by its invariants: of 0.123 the quotient has order 20 and the pretending function period 5.
    page.go("#/index?tame=wild&order=20&period=5")?;
    page.says("table", "0.123")?;
    // Periods of normal play, those of the census and those that were found one by one.
    page.go("#/index?kind=heap&period=12")?;
    page.says("#octal-table", "0.77")?;
    page.go("#/index?repeats=periodic&period=6792014")?;
    page.says("#octal-table", "0.3546")?;
    page.go("#/game/0.123")?;
    page.says("main", "Census")
}

fn deep_links(page: &Page) -> Result<()> {
    page.load("#/game/0.77?play=misere&view=play&position=3%2B4")?;
    ensure!(page.browser.value("document.querySelector('#play input[value=misere]').checked")? == true);
    ensure!(page.browser.value("document.querySelector('#position').value")? == "3+4");
    page.says(".command code", "impartial play 0.77 3+4 --play misere")?;
    page.load("#/game/0.77?play=misere")?;
    page.says("main", "order 40")
}
