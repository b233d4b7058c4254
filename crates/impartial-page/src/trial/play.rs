//! Games played to the end: the perfect player wins from N-positions that it is given, and loses when the theory says so.

use anyhow::{Result, bail, ensure};

use super::{Page, Trial};

pub const TRIALS: &[Trial] = &[
    ("nim_is_won_by_the_nim_sum", nim),
    ("misere_nim_is_won_too", misere_nim),
    ("kayles_is_lost_from_a_p_position", kayles),
    ("a_lattice_game_in_misere_play_ends_as_theory_says", misere_lattice),
    ("chomp_is_won_with_hints", chomp),
    ("wythoffs_queen_is_won_with_hints", wythoff),
    ("an_element_of_a_poset_is_chosen_on_the_board", poset),
    ("a_point_and_a_queen_are_moved_on_their_boards", point_and_queen),
    ("beans_are_taken_with_a_click", beans),
    ("pins_that_were_knocked_down_lie_there", fallen),
    ("trees_are_drawn_and_cut", tree),
    ("undo_hint_and_why", undo),
    ("values_stand_in_binary_columns", binary),
    ("a_game_is_played_with_the_keyboard_alone", by_keyboard),
    ("a_game_that_is_over_stays_won_or_lost", over),
    ("a_move_that_is_stopped_loses_no_game", stopped),
    ("who_begins_is_asked", begin),
    ("what_is_pressed_while_it_thinks_is_done", pressed_meanwhile),
];

/// The moves of the list.
fn moves(page: &Page) -> Result<Vec<String>> {
    let found = page.browser.value("[...document.querySelectorAll('.moves button')].map((b) => b.dataset.to)")?;
    Ok(serde_json::from_value(found)?)
}

/// Makes a move and waits for the answer; true when the game is over.
fn make(page: &Page, to: &str) -> Result<bool> {
    let before = page.browser.value("document.querySelector('#position').value")?;
    page.browser.click(&format!(".moves button[data-to='{to}']"))?;
    page.browser.wait(&format!(
        "document.querySelector('.status').dataset.result || (document.querySelector('.status').textContent.startsWith('It moved') && document.querySelector('#position').value !== {before} && document.querySelector('.moves button:not(:disabled)'))",
    ))?;
    Ok(page.browser.value("!!document.querySelector('.status').dataset.result")? == true)
}

fn result(page: &Page) -> Result<String> {
    Ok(page.browser.value("document.querySelector('.status').dataset.result")?.as_str().unwrap_or("").to_owned())
}

/// Plays to the end; `choose` gives the move.
fn play(page: &Page, choose: impl Fn(&[String]) -> Result<String>) -> Result<String> {
    for _ in 0..60 {
        let options = moves(page)?;
        if options.is_empty() || make(page, &choose(&options)?)? {
            return result(page);
        }
    }
    bail!("the game does not end")
}

fn heaps(position: &str) -> Vec<u32> {
    position.split('+').filter_map(|heap| heap.parse().ok()).collect()
}

fn nim(page: &Page) -> Result<()> {
    page.go("#/game/nim?view=play&position=3%2B5%2B7")?;
    let won = play(page, |options| {
        let best = options.iter().find(|option| heaps(option).iter().fold(0, |sum, heap| sum ^ heap) == 0);
        Ok(best.unwrap_or(&options[0]).clone())
    })?;
    ensure!(won == "won", "the nim-sum does not win: {won}");
    // The other way round: whoever gives the perfect player an N-position loses.
    page.go("#/game/nim?view=play&position=3%2B5%2B6")?;
    let lost = play(page, |options| Ok(options[options.len() / 2].clone()))?;
    ensure!(lost == "lost", "the perfect player lost: {lost}");
    Ok(())
}

fn misere_nim(page: &Page) -> Result<()> {
    page.go("#/game/nim?play=misere&view=play&position=1%2B2%2B4")?;
    let won = play(page, |options| {
        let is_p = |option: &&String| {
            let heaps = heaps(option);
            let sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
            if heaps.iter().all(|&heap| heap <= 1) { sum == 1 } else { sum == 0 }
        };
        Ok(options.iter().find(is_p).unwrap_or(&options[0]).clone())
    })?;
    ensure!(won == "won", "{won}");
    page.says(".status", "cannot move")
}

fn kayles(page: &Page) -> Result<()> {
    // g(5) = g(9) = 4 in Kayles, so that the sum is a P-position.
    page.go("#/game/kayles?view=play&position=5%2B9")?;
    let lost = play(page, |options| Ok(options[0].clone()))?;
    ensure!(lost == "lost", "{lost}");
    Ok(())
}

/// The first move that the page hints at.
fn hinted(page: &Page) -> Result<String> {
    page.browser.run("[...document.querySelectorAll('button')].find((b) => b.textContent === 'Hint').click()")?;
    page.browser.wait("document.querySelector('.moves .hinted') || document.querySelector('.help').textContent.includes('P-position')")?;
    let found = page.browser.value(
        "document.querySelector('.moves .hinted')?.dataset.to ?? document.querySelector('.moves button').dataset.to",
    )?;
    Ok(found.as_str().unwrap_or("").to_owned())
}

fn misere_lattice(page: &Page) -> Result<()> {
    // A heap of kind 2 becomes one of kind 1, which the other player would have to take: the origin is no position.
    page.go("#/game/infinite-quotient?view=play&position=(0,1,0,0,0)")?;
    let won = play(page, |_| hinted(page))?;
    ensure!(won == "won", "{won}");
    page.go("#/game/infinite-quotient?view=play&position=(1,0,0,0,0)")?;
    ensure!(result(page)? == "lost", "{}", result(page)?);
    Ok(())
}

fn chomp(page: &Page) -> Result<()> {
    page.go("#/game/chomp:4x5?view=play")?;
    ensure!(page.count(".square")? == 20);
    let won = play(page, |_| hinted(page))?;
    ensure!(won == "won", "{won}");
    Ok(())
}

fn wythoff(page: &Page) -> Result<()> {
    page.go("#/game/wythoff?view=play&position=4%2B6")?;
    ensure!(page.count(".queen-board")? == 1);
    let won = play(page, |_| hinted(page))?;
    ensure!(won == "won", "{won}");
    Ok(())
}

fn poset(page: &Page) -> Result<()> {
    page.go("#/game/divisors:12?view=play")?;
    page.browser.run("document.querySelector('.node[aria-label^=\"choose 12,\"]').dispatchEvent(new MouseEvent('click', {bubbles: true}))")?;
    page.browser.wait("document.querySelectorAll('.node.gone').length >= 1")
}

fn point_and_queen(page: &Page) -> Result<()> {
    page.go("#/game/exotic?view=play&position=(4,4)")?;
    page.browser.run("document.querySelector('.cell[aria-label=\"move to (3,4)\"]').dispatchEvent(new MouseEvent('click', {bubbles: true}))")?;
    page.browser.wait_text(".status", "It moved from (3,4)")?;
    page.go("#/game/wythoff?view=play&position=3%2B6")?;
    page.browser.run("document.querySelector('.cell[aria-label=\"queen to 5, 3\"]').dispatchEvent(new MouseEvent('click', {bubbles: true}))")?;
    page.browser.wait_text(".status", "It moved from 3+5")
}

fn beans(page: &Page) -> Result<()> {
    page.go("#/game/nim?view=play&position=2%2B3")?;
    // The third bean of the second heap: one bean is taken, and 2+2 is a P-position.
    page.browser.run("document.querySelectorAll('.beans')[1].querySelectorAll('.bean')[2].dispatchEvent(new MouseEvent('click', {bubbles: true}))")?;
    page.browser.wait_text(".status", "It moved from 2+2")?;
    page.go("#/game/kayles?view=play&position=3")?;
    page.browser
        .run("document.querySelectorAll('.pins .bean')[1].dispatchEvent(new MouseEvent('click', {bubbles: true}))")?;
    page.browser.wait_text(".status", "It moved from 1+1")
}

/// The last move is drawn in the row in which it was made.
fn fallen(page: &Page) -> Result<()> {
    page.go("#/game/kayles?view=play&position=7")?;
    ensure!(page.count(".last-move")? == 0);
    page.browser
        .run("document.querySelectorAll('.pins .bean')[3].dispatchEvent(new MouseEvent('click', {bubbles: true}))")?;
    page.browser.wait_text(".status", "It moved from 3+3")?;
    page.says(".last-move", "It knocked down")?;
    let lying = page.count(".last-move .taken")?;
    ensure!((1..=2).contains(&lying) && page.count(".last-move .bean")? == 3, "{lying} pins lie there");
    page.go("#/game/nim?view=play&position=2%2B4")?;
    make(page, "2+3")?;
    page.says(".last-move", "It took 1 of 3")?;
    ensure!(page.count(".last-move .taken")? == 1);
    Ok(())
}

/// A tree is a poset whose elements have one element below them at most: a branch goes with all that grows from it.
fn tree(page: &Page) -> Result<()> {
    let tree = "kind = \"poset\"\nelements = [\"r\", \"a\", \"b\", \"c\", \"d\"]\nrelations = [[\"r\", \"a\"], [\"r\", \"b\"], [\"a\", \"c\"], [\"a\", \"d\"]]";
    let escaped: String = tree.bytes().fold(String::new(), |text, byte| text + &format!("%{byte:02X}"));
    page.go(&format!("#/game/{escaped}?view=play"))?;
    ensure!(page.count(".hasse .node")? == 5 && page.count(".hasse line")? == 4);
    page.browser.run("document.querySelector('.node[aria-label^=\"choose a,\"]').dispatchEvent(new MouseEvent('click', {bubbles: true}))")?;
    page.browser.wait("document.querySelectorAll('.node.gone').length >= 3")
}

fn undo(page: &Page) -> Result<()> {
    page.go("#/game/nim?view=play&position=2%2B4")?;
    make(page, "2+3")?;
    page.browser.run("[...document.querySelectorAll('button')].find((b) => b.textContent === 'Undo').click()")?;
    page.browser.wait("document.querySelector('#position').value === '2+4'")?;
    page.browser.run("[...document.querySelectorAll('button')].find((b) => b.textContent === 'Why?').click()")?;
    page.browser.wait_text(".help", "nim-sum 2 ⊕ 4 = 6 (010 ⊕ 100 = 110)")?;
    page.says(".help", "take 2 from the heap of 4")?;
    ensure!(hinted(page)? == "2+2");
    Ok(())
}

fn binary(page: &Page) -> Result<()> {
    page.go("#/game/nim?view=play&position=3%2B5")?;
    page.browser.click("#colours")?;
    page.browser.wait("document.querySelectorAll('.binary .sum .one').length === 2")?;
    page.says(".known", "Grundy value 6")?;
    ensure!(page.count(".moves .outcome.P")? == 1);
    Ok(())
}

/// From the first key to the end of the game: Tab to a move, Enter, and so on, with the focus where it was.
fn by_keyboard(page: &Page) -> Result<()> {
    page.go("#/game/nim?view=play&position=1%2B2%2B4")?;
    page.browser.run("document.querySelector('#position').focus()")?;
    for _ in 0..20 {
        page.browser.keys("\u{e004}")?;
        if page.browser.value("!!document.activeElement.closest('.moves')")? == true {
            break;
        }
    }
    for turn in 0..20 {
        if !result(page)?.is_empty() {
            ensure!(turn > 1, "the game was too short");
            // The end leaves the focus at what one does next.
            ensure!(page.browser.value("document.activeElement.textContent")? == "New game");
            page.browser.keys("\u{e007}")?;
            return page.browser.wait("document.querySelector('.status').textContent === 'Your move.' && document.querySelector('#position').value === '3+5+7'");
        }
        ensure!(
            page.browser.value("!!document.activeElement.closest('.moves')")? == true,
            "the focus is lost after {turn} moves"
        );
        // What has the focus is lit on the board.
        ensure!(page.count(".board .aimed")? > 0, "the move with the focus is not shown on the board");
        let before = page.browser.value("document.querySelector('#position').value")?;
        page.browser.keys("\u{e007}")?;
        page.browser.wait(&format!("document.querySelector('.status').dataset.result || (document.querySelector('#position').value !== {before} && document.querySelector('.moves button:not(:disabled)'))"))?;
    }
    bail!("the game does not end")
}

/// "Show P and N" after the last move changes nobody's turn.
fn over(page: &Page) -> Result<()> {
    for (play, position, expected) in [("normal", "1", "won"), ("misere", "1", "lost"), ("misere", "2", "won")] {
        page.go(&format!("#/game/nim?play={play}&view=play&position={position}"))?;
        let mut ended = false;
        while !ended {
            let options = moves(page)?;
            // Of two beans in misère play one is taken.
            ended = make(page, options.iter().find(|to| *to == "1").unwrap_or(&options[0]))?;
        }
        ensure!(result(page)? == expected, "{play} play from {position}: {}", result(page)?);
        for _ in 0..2 {
            page.browser.click("#colours")?;
            page.settled()?;
            ensure!(result(page)? == expected, "{play} play from {position}, coloured: {}", result(page)?);
        }
    }
    Ok(())
}

fn stopped(page: &Page) -> Result<()> {
    page.go("#/game/nim?view=play&position=3%2B4")?;
    page.browser.run("document.querySelector('.moves button').click(); document.querySelector('#stop').click()")?;
    page.browser.wait_text(".help .message", "stopped")?;
    ensure!(page.browser.value("document.querySelector('#position').value")? == "3+4" && moves(page)?.len() == 7);
    make(page, "3+3")?;
    page.says(".status", "It moved from 3+3")
}

/// The perfect player begins when it is asked to, and wins.
fn begin(page: &Page) -> Result<()> {
    page.go("#/game/kayles?view=play&position=5")?;
    page.browser
        .run("[...document.querySelectorAll('button')].find((b) => b.textContent === 'Let it begin').click()")?;
    page.browser.wait_text(".status", "It moved from 5 to")?;
    let lost = play(page, |options| Ok(options[0].clone()))?;
    ensure!(lost == "lost", "{lost}");
    Ok(())
}

/// What is pressed while the perfect player thinks is not lost, and what was under way comes no more.
fn pressed_meanwhile(page: &Page) -> Result<()> {
    let press =
        "const press = (word) => [...document.querySelectorAll('button')].find((b) => b.textContent === word).click();";
    for (meanwhile, position) in [("press('Undo')", "3+4"), ("press('New game')", "3+5+7")] {
        page.go("#/game/nim?view=play&position=3%2B4")?;
        // At the moment in which its move would come.
        page.browser.run(&format!("{press} document.querySelector('.moves button').click(); const watch = new MutationObserver(() => {{ if (document.querySelector('.status').textContent.includes('thinks')) {{ watch.disconnect(); {meanwhile}; }} }}); watch.observe(document.querySelector('.status'), {{childList: true}})"))?;
        page.browser.wait(&format!("document.querySelector('.status').textContent === 'Your move.' && document.querySelector('#position').value === '{position}' && document.querySelector('.moves button:not(:disabled)')"))?;
        std::thread::sleep(std::time::Duration::from_millis(300));
        page.settled()?;
        ensure!(page.browser.value("document.querySelector('#position').value")? == position);
        ensure!(page.count(".help .message")? == 0, "{}", page.browser.text(".help")?);
        page.browser.click(".moves button")?;
        page.browser.wait_text(".status", "It moved from")?;
    }
    // Two moves at once: the last one counts.
    page.go("#/game/nim?view=play&position=1%2B9")?;
    page.browser.run("document.querySelector('.moves [data-to=\"9\"]').click(); document.querySelector('.moves [data-to=\"1+8\"]')?.click()")?;
    page.browser.wait_text(".status", "It moved from 1+8 to 1+1")
}
