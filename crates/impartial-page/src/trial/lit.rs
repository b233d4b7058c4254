//! One thing that is pointed at is lit everywhere: in drawings, tables, lists and maps.

use anyhow::{Result, ensure};
use serde_json::json;

use super::{Page, Trial};

pub const TRIALS: &[Trial] = &[
    ("a_heap_is_lit_in_plot_and_table", heaps),
    ("a_heap_is_lit_beside_its_binary_digits", digits),
    ("an_option_is_lit_on_the_board_and_in_the_list", options),
    ("two_pins_fall_between_two_pins", between),
    ("an_element_is_lit_with_its_heaps", elements),
    ("a_position_of_chains_is_lit_in_plot_and_table", chains),
    ("winning_moves_are_lit_on_the_diagram", posets),
    ("a_point_is_lit_with_its_stratum_and_its_options", points),
    ("terms_light_their_points_and_no_others", terms),
];

/// Points at the first element of a selector, or nowhere.
fn point(page: &Page, selector: &str) -> Result<()> {
    page.browser
        .run(&format!(
            "document.querySelector({}).dispatchEvent(new PointerEvent('pointerover', {{bubbles: true}}))",
            json!(selector)
        ))
        .map(drop)
}

/// The keys of what is lit among the elements of a selector, in their order.
fn lit(page: &Page, selector: &str) -> Result<Vec<String>> {
    let found = page.browser.value(&format!(
        "[...document.querySelectorAll({})].filter((e) => e.classList.contains('is-lit')).map((e) => e.dataset.lit)",
        json!(selector)
    ))?;
    Ok(serde_json::from_value(found)?)
}

fn heaps(page: &Page) -> Result<()> {
    page.go("#/game/kayles?view=values&to=60")?;
    point(page, "table.values [data-lit='heap:7']")?;
    ensure!(lit(page, "circle")? == ["heap:7"] && lit(page, "table.values button")? == ["heap:7"]);
    point(page, "circle[data-lit='heap:9']")?;
    ensure!(lit(page, "circle")? == ["heap:9"] && lit(page, "table.values button")? == ["heap:9"]);
    // An option of two heaps lights both; the position is in the address.
    page.browser.click("table.values [data-lit='heap:12']")?;
    page.browser.wait_text("#detail", "Heap 12 has value")?;
    ensure!(page.browser.value("location.hash")? == "#/game/kayles?view=values&to=60&heap=12");
    point(page, "#detail tr[data-lit='heap:3\\A heap:8']")?;
    ensure!(lit(page, "circle")? == ["heap:3", "heap:8"], "{:?}", lit(page, "circle")?);
    point(page, "h2")?;
    ensure!(page.count(".is-lit")? == 0);
    page.go("#/game/kayles?view=values&to=60&heap=12")?;
    page.browser.wait_text("#detail", "Heap 12 has value")
}

fn digits(page: &Page) -> Result<()> {
    page.go("#/game/nim?view=play&position=3%2B5")?;
    page.browser.click("#colours")?;
    page.settled()?;
    point(page, ".heap[data-lit='heap:5'] .size")?;
    ensure!(lit(page, ".heap")? == ["heap:5"] && lit(page, ".binary tr")? == ["heap:5"]);
    point(page, ".binary tr[data-lit='heap:3']")?;
    ensure!(lit(page, ".heap")? == ["heap:3"]);
    Ok(())
}

/// How many beans, squares or elements a move would take, as the board shows it.
fn aimed(page: &Page) -> Result<u64> {
    page.count(".board .aimed")
}

fn options(page: &Page) -> Result<()> {
    page.go("#/game/nim?view=play&position=3%2B5")?;
    // From the board to the list, and from the list to the board: 3+5 → 2+3 takes three beans of the heap of five.
    point(page, ".heap[data-lit='heap:5'] .bean[data-lit='position:2+3']")?;
    ensure!(lit(page, ".moves button")? == ["position:2+3"] && aimed(page)? == 3);
    ensure!(lit(page, ".heap")? == ["heap:5"], "the heap of the bean");
    point(page, "h3")?;
    ensure!(aimed(page)? == 0);
    point(page, ".moves [data-lit='position:1+5']")?;
    ensure!(aimed(page)? == 2);
    page.go("#/game/chomp:3x3?view=play")?;
    point(page, ".square[data-lit='position:3,1,1']")?;
    ensure!(lit(page, ".moves button")? == ["position:3,1,1"] && aimed(page)? == 4);
    point(page, ".moves [data-lit='position:2,2,2']")?;
    ensure!(lit(page, ".square")? == ["position:2,2,2"] && aimed(page)? == 3);
    page.go("#/game/divisors:36?view=play")?;
    point(page, ".moves [data-lit='position:{2,3,4,9}']")?;
    ensure!(aimed(page)? == 4, "6, 12, 18 and 36 go with 6");
    page.go("#/game/exotic?view=play&position=(4,4)")?;
    point(page, ".cell[data-lit='position:(2,2)']")?;
    ensure!(lit(page, ".moves button")? == ["position:(2,2)"] && lit(page, ".cell")? == ["position:(2,2)"]);
    page.go("#/game/wythoff?view=play&position=3%2B6")?;
    point(page, ".moves [data-lit='position:3+5']")?;
    ensure!(lit(page, ".cell")? == ["position:3+5"]);
    Ok(())
}

/// In Kayles a click on a pin knocks down one, and a click between two pins both.
fn between(page: &Page) -> Result<()> {
    page.go("#/game/kayles?view=play&position=7")?;
    ensure!(page.count(".pins .gap")? == 6);
    point(page, ".pins .gap")?;
    ensure!(aimed(page)? == 2 && lit(page, ".moves button")? == ["position:5"]);
    page.browser
        .run("document.querySelectorAll('.pins .gap')[2].dispatchEvent(new MouseEvent('click', {bubbles: true}))")?;
    page.browser.wait_text(".status", "It moved from 2+3")
}

fn elements(page: &Page) -> Result<()> {
    page.go("#/game/0.123?play=misere&view=misere")?;
    page.browser.wait_text("#wild", "first wild")?;
    point(page, ".pretending [data-heap='8']")?;
    ensure!(lit(page, ".cayley .element")? == ["element:c"] && lit(page, ".plot circle")? == ["heap:8"]);
    point(page, ".cayley [data-lit='element:d^2']")?;
    let heaps = page
        .browser
        .value("[...document.querySelectorAll('.pretending .is-lit')].map((e) => e.dataset.heap).join()")?;
    ensure!(heaps == "6,11", "{heaps}");
    // A generator lights its arrows, and the heap that it is.
    point(page, "#quotient dd [data-lit^='generator:c']")?;
    ensure!(page.count(".cayley g.is-lit")? == 20 && lit(page, ".plot circle")? == ["heap:8"]);
    Ok(())
}

fn chains(page: &Page) -> Result<()> {
    page.go("#/game/chomp-chains:5,3?view=posets")?;
    point(page, "circle[data-lit='m:11']")?;
    ensure!(lit(page, "#chains tr")? == ["m:11"]);
    ensure!(page.browser.text("#chains tr.is-lit")? == "11\t17\t6", "{}", page.browser.text("#chains tr.is-lit")?);
    // The bands of the period: 9 to 24 in fours.
    ensure!(page.count("#chains .plot .shade")? == 4);
    Ok(())
}

fn posets(page: &Page) -> Result<()> {
    page.go("#/game/divisors:36?view=posets")?;
    point(page, "#poset .word")?;
    ensure!(lit(page, ".node")? == ["position:{2,3,4,9}"] && aimed(page)? == 4);
    page.go("#/game/chomp:3x4?view=posets")?;
    point(page, "#poset .word")?;
    ensure!(lit(page, ".square")?.len() == 1 && aimed(page)? >= 1);
    Ok(())
}

/// The colour of a cell of a map of 48 × 48 positions, in its upper half.
fn cell(page: &Page, u: u32, v: u32) -> Result<String> {
    let found = page.browser.value(&format!(
        "(() => {{ const c = document.querySelector('.map canvas'); const n = c.width / 48; return [...c.getContext('2d').getImageData(({u} + 0.5) * n, c.height - ({v} + 0.5) * n, 1, 1).data].join(); }})()"
    ))?;
    Ok(found.as_str().unwrap_or_default().to_owned())
}

/// Moves the pointer over a cell of the map, or clicks on it.
fn over(page: &Page, u: f64, v: f64, click: bool) -> Result<()> {
    page.browser.run("document.querySelector('.map canvas').scrollIntoView()")?;
    // What scrolls under a resting pointer is pointed at, a moment later.
    std::thread::sleep(std::time::Duration::from_millis(250));
    let kinds = if click { "['pointermove', 'pointerdown', 'pointerup']" } else { "['pointermove']" };
    page.browser
        .run(&format!(
            "const c = document.querySelector('.map canvas'); const box = c.getBoundingClientRect(); const n = box.width / 48; c.setPointerCapture = () => {{}};
             for (const kind of {kinds}) c.dispatchEvent(new PointerEvent(kind, {{clientX: box.left + ({u} + 0.5) * n, clientY: box.bottom - ({v} + 0.5) * n, bubbles: true}}))"
        ))
        .map(drop)
}

fn points(page: &Page) -> Result<()> {
    page.go("#/game/exotic?view=lattice")?;
    page.browser.wait("document.querySelector('.series .term')")?;
    // (18,18) is in the first stratum: its entry is lit, and the term with the same name.
    over(page, 18.0, 18.0, false)?;
    ensure!(lit(page, ".modules .term")? == ["stratum:0"] && lit(page, ".series .term")? == ["stratum:0"]);
    // A click keeps the position: its options with their outcomes, and its address.
    over(page, 9.0, 8.0, true)?;
    page.browser.wait_text("#map .options", "3 options")?;
    let options = page
        .browser
        .value("[...document.querySelectorAll('#map .moves li')].map((li) => li.innerText.replace(/\\s+/g, ' '))")?;
    ensure!(options == json!(["P (9,7)", "N (8,8)", "N (7,6)"]), "{options}");
    ensure!(page.browser.value("location.hash")? == "#/game/exotic?view=lattice&side=48&position=%289%2C8%29");
    // Pointing at an option frames its cell; the map is another picture then.
    page.browser.run("document.querySelector('.map canvas').dispatchEvent(new PointerEvent('pointerleave'))")?;
    // In one script: what changes under a resting pointer would put it out between two. A map that is still being asked for lights nothing.
    page.browser.wait(
        "(() => {
             const picture = () => document.querySelector('.map canvas').toDataURL();
             const point = (selector) => document.querySelector(selector).dispatchEvent(new PointerEvent('pointerover', {bubbles: true}));
             point('h2');
             const before = picture();
             point(\"#map .moves [data-lit='position:(7,6)']\");
             const framed = picture() !== before;
             point('h2');
             return framed && picture() === before;
         })()",
    )?;
    // The link shows the same.
    page.go("#/game/exotic?view=lattice&position=(9,8)")?;
    page.browser.wait_text("#map .options", "3 options")?;
    page.browser.click("#map .options a")?;
    page.settled()?;
    ensure!(page.browser.value("document.querySelector('#position').value")? == "(9,8)");
    // A map of heaps counts them: three of one and two of two are no heaps of three and two.
    page.go("#/game/kayles?view=lattice")?;
    over(page, 3.0, 2.0, true)?;
    page.browser.wait_text("#map .options", "3 options")?;
    page.says(".readout", "(3,2) 1^3+2^2 N")?;
    page.says("#map .options", "1+1+2+2")?;
    ensure!(page.browser.value("location.hash")? == "#/game/kayles?view=lattice&side=48&position=1%5E3%2B2%5E2");
    Ok(())
}

/// Each term of the generating function lights the points of its stratum: (base, another point of it, a point of another one).
fn terms(page: &Page) -> Result<()> {
    page.go("#/game/exotic?view=lattice")?;
    page.browser.wait("document.querySelectorAll('.series .term').length === 8")?;
    // The legend has the colours of the map: (18,18) is in the first stratum, (6,8) too.
    let border = page.browser.value(
        "getComputedStyle(document.querySelector('.modules .term')).borderColor.match(/\\d+/g).join() + ',255'",
    )?;
    ensure!(border == cell(page, 18, 18)? && border == cell(page, 6, 8)?, "{border} is not {}", cell(page, 18, 18)?);
    let plain = [cell(page, 6, 8)?, cell(page, 8, 6)?, cell(page, 9, 10)?, cell(page, 5, 5)?];
    point(page, ".series .term")?;
    let lit = [cell(page, 6, 8)?, cell(page, 8, 6)?, cell(page, 9, 10)?, cell(page, 5, 5)?];
    // (6,8) = (0,0) + (6,6) + (0,2) is lit; (8,6) and (9,10) fade; (5,5) is N and stays.
    ensure!(lit[0] != plain[0] && lit[1] != plain[1] && lit[2] != plain[2] && lit[3] == plain[3], "{plain:?} {lit:?}");
    ensure!(lit[0] != lit[1] && lit[1] == lit[2], "{lit:?}");
    point(page, "h2")?;
    ensure!(cell(page, 6, 8)? == plain[0], "the light stays");
    Ok(())
}
