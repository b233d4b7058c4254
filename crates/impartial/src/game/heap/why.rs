//! Why a sum of heaps is P or N, and the rules of a heap game in words.

use crate::game::words::counted;
use num_bigint::BigUint;
use num_traits::ToPrimitive as _;

use super::{HeapGame, misere, sequence};
use crate::error::Result;
use crate::game::Ask;
use crate::game::explain::{Reasons, by_options, mex_line, nim_sum_line};
use crate::game::position::Position;
use crate::heap::{Code, HeapRules};
use crate::outcome::Play;
use crate::render::{generator_names, word_text};
use crate::solve::quotient::Quotient;
use crate::strategy::{MisereStrategy, QuotientStrategy};

/// Heaps whose mex is written out have at most so many options.
const MOST_OPTIONS: u64 = 24;
/// At most so many different heaps are written out.
const MOST_HEAPS: usize = 12;

/// Why a sum of heaps has its outcome.
pub(super) fn reasons<'a>(game: &'a HeapGame, position: &Position, ask: &Ask) -> Result<Reasons<'a>> {
    let heaps = position.need_heaps()?;
    match ask.play_of(game.play) {
        Play::Normal => normal(game, heaps, ask),
        Play::Misere if game.is_nim() => Ok(misere_nim(heaps)),
        Play::Misere => match misere::explaining(game, heaps, ask) {
            Some(MisereStrategy::Quotient(quotient)) => by_quotient(quotient, heaps),
            _ => by_options(game, position, ask),
        },
    }
}

fn distinct(heaps: &[BigUint]) -> Vec<BigUint> {
    let mut sizes = heaps.to_vec();
    sizes.dedup();
    sizes
}

/// The values of the heaps, each a mex, and their nim-sum.
fn normal<'a>(game: &'a HeapGame, heaps: &[BigUint], ask: &Ask) -> Result<Reasons<'a>> {
    let value = sequence::values_of(game, heaps, ask)?;
    let mut steps = Vec::new();
    for heap in distinct(heaps).iter().take(MOST_HEAPS) {
        let options = heap.to_u64().and_then(|heap| game.rules.options_within(heap, MOST_OPTIONS));
        match options.filter(|options| options.len() as u64 <= MOST_OPTIONS) {
            Some(options) if !game.is_nim() => {
                let of = |option: &Vec<u64>| option.iter().fold(BigUint::ZERO, |sum, &heap| sum ^ value(&heap.into()));
                let values: Vec<BigUint> = options.iter().map(of).collect();
                steps.push(mex_line("g", heap, &values));
            }
            _ => steps.push(format!("g({heap}) = {}", value(heap))),
        }
    }
    let more = distinct(heaps).len().saturating_sub(MOST_HEAPS);
    if more > 0 {
        steps.push(format!("and {}", counted(more, "more size of heaps", "more sizes of heaps")));
    }
    match heaps.len() {
        0 => steps.push("there is no heap left, and who cannot move loses".to_owned()),
        1 => {}
        _ => steps.push(format!("nim-sum {}", nim_sum_line(&heaps.iter().map(&value).collect::<Vec<_>>()))),
    }
    let why = move |option: &Position| {
        let values: Vec<BigUint> = option.heaps().unwrap_or_default().iter().map(&value).collect();
        match values.len() {
            0 => "where nothing is left".to_owned(),
            1 => "where the value is 0".to_owned(),
            _ => format!("where {}", nim_sum_line(&values).split(" (").next().unwrap_or_default()),
        }
    };
    Ok(Reasons::new(steps, why))
}

/// Bouton's rule: as in normal play while a heap has two beans or more; with heaps of 1 only, an odd number of them is P.
fn misere_nim<'a>(heaps: &[BigUint]) -> Reasons<'a> {
    let rule = "misère Nim (Bouton 1901): P when the nim-sum is 0; but with heaps of 1 only, when their number is odd";
    Reasons::new(vec![rule.to_owned(), ones_or_sum(heaps)], |option| {
        let said = ones_or_sum(option.heaps().unwrap_or_default());
        format!("which has {}", said.split(" (").next().unwrap_or_default())
    })
}

/// What Bouton's rule looks at.
fn ones_or_sum(heaps: &[BigUint]) -> String {
    if heaps.iter().any(|heap| heap.bits() > 1) {
        return format!("nim-sum {}", nim_sum_line(heaps));
    }
    let parity = if heaps.len() % 2 == 1 { "odd" } else { "even" };
    format!("an {parity} number of heaps of 1 ({})", heaps.len())
}

/// A quotient that says what its heaps are, in as few letters as it takes.
struct Spoken {
    strategy: QuotientStrategy,
    quotient: Quotient,
    names: Vec<(u32, String)>,
}

impl Spoken {
    fn value(&self, heap: &BigUint) -> Result<u32> {
        Ok(self.quotient.values()[self.strategy.folded(heap)?])
    }

    fn word(&self, x: u32) -> String {
        word_text(&self.quotient.monoid().word(x), &self.names)
    }

    /// `b·c = b*c, not in the P-portion`.
    fn product(&self, heaps: &[BigUint]) -> Result<String> {
        let values: Vec<u32> = heaps.iter().map(|heap| self.value(heap)).collect::<Result<_>>()?;
        let product = values.iter().fold(0, |x, &y| self.quotient.monoid().product(x, y));
        let inside = if self.quotient.p().has(product as usize) { "in" } else { "not in" };
        let factors: Vec<String> = values.iter().map(|&x| self.word(x)).collect();
        Ok(match factors.as_slice() {
            [] => format!("the empty sum is 1, {inside} the P-portion"),
            [_] => format!("{}, {inside} the P-portion", self.word(product)),
            many => format!("{} = {}, {inside} the P-portion", many.join("·"), self.word(product)),
        })
    }
}

/// The product of the heaps' values in the quotient.
fn by_quotient<'a>(strategy: QuotientStrategy, heaps: &[BigUint]) -> Result<Reasons<'a>> {
    let quotient = strategy.quotient().with_few_generators();
    let names = generator_names(quotient.monoid().letters());
    let spoken = Spoken { strategy, quotient, names };
    let reach = match spoken.strategy.period() {
        Some(_) => "all heaps".to_owned(),
        None => format!("heaps up to {}", spoken.quotient.heaps()),
    };
    let order = spoken.quotient.order();
    let mut steps = vec![format!("quotient of order {order} for {reach}; its elements stand for sums")];
    for heap in distinct(heaps).iter().take(MOST_HEAPS) {
        steps.push(format!("heap {heap} is {}", spoken.word(spoken.value(heap)?)));
    }
    steps.push(spoken.product(heaps)?);
    Ok(Reasons::new(steps, move |option| spoken.product(option.heaps().unwrap_or_default()).unwrap_or_default()))
}

/// The rules of a heap game in words.
pub(super) fn rules_in_words(rules: &HeapRules) -> String {
    match rules {
        HeapRules::Subtraction(set) => {
            let numbers: Vec<String> = set.iter().take(20).map(ToString::to_string).collect();
            let more = if set.len() > 20 { ", …" } else { "" };
            let numbers =
                if more.is_empty() { listed(&numbers, "or") } else { format!("{}{more}", numbers.join(", ")) };
            let sort = if set.as_slice() == [1] { "bean" } else { "beans" };
            format!("Take {numbers} {sort} from a heap.")
        }
        HeapRules::Code(code) => code_in_words(code),
        HeapRules::Clauses(_) => "A move changes one heap by one of the clauses of the game's file.".into(),
    }
}

/// `a, b or c`.
fn listed(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

fn code_in_words(code: &Code) -> String {
    let ways = |digit: u8| {
        let names = ["nothing", "one heap", "two heaps", "three heaps"];
        let ways: Vec<String> =
            (0..).zip(names).filter(|(bit, _)| digit >> bit & 1 == 1).map(|(_, name)| name.to_owned()).collect();
        listed(&ways, "or")
    };
    let digits = code.digits();
    let mut sentences = Vec::new();
    if let Some(&zeroth) = digits.first().filter(|&&zeroth| zeroth != 0) {
        sentences.push(format!("Split a heap into {} without taking a bean", ways(zeroth)));
    }
    if code.repeat() == 1 && digits.len() == 2 {
        sentences.push(format!("Take any number of beans from a heap and leave {}", ways(digits[1])));
    } else {
        let mut seen = Vec::new();
        for (k, &digit) in digits.iter().enumerate().skip(1) {
            if digit == 0 || seen.contains(&digit) || seen.len() >= 8 {
                continue;
            }
            seen.push(digit);
            let numbers: Vec<String> =
                (k..digits.len()).filter(|&k| digits[k] == digit).take(12).map(|k| k.to_string()).collect();
            let sort = if numbers == ["1"] { "bean" } else { "beans" };
            sentences.push(format!("Take {} {sort} from a heap and leave {}", listed(&numbers, "or"), ways(digit)));
        }
        if code.repeat() > 0 {
            sentences.push(format!("The last {} digits of the code are repeated for ever", code.repeat()));
        }
    }
    if sentences.is_empty() {
        return "There is no move.".into();
    }
    format!("{}.", sentences.join(". "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_told_in_words() {
        let words = |text: &str| rules_in_words(&text.parse().unwrap());
        assert_eq!(words("0.77"), "Take 1 or 2 beans from a heap and leave nothing, one heap or two heaps.");
        assert_eq!(words("0.[3]"), "Take any number of beans from a heap and leave nothing or one heap.");
        assert_eq!(words("subtract:1,2,3"), "Take 1, 2 or 3 beans from a heap.");
        assert_eq!(
            words("4.[3]"),
            "Split a heap into two heaps without taking a bean. Take any number of beans from a heap and leave nothing or one heap."
        );
        assert_eq!(
            words("0.137"),
            "Take 1 bean from a heap and leave nothing. Take 2 beans from a heap and leave nothing or one heap. \
             Take 3 beans from a heap and leave nothing, one heap or two heaps."
        );
        assert_eq!(words("0.0"), "There is no move.");
    }
}
