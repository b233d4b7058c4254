//! The quotient of a game: order, generators, relations, values.

use std::fmt;

use num_bigint::BigUint;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::{Natural, shortened};
use crate::game::position::point_text;
use crate::heap::HeapRules;
use crate::integer::Int;
use crate::outcome::Play;
use crate::render::{CayleyGraph, Presented, Syntax, field, generator_names, heap_table, word_text};
use crate::solve::presentation::Presentation;
use crate::solve::quotient::first_cousins;
use crate::strategy::{CountersStrategy, NormalQuotient, PresentationStrategy, QuotientStrategy, Standing};

/// The full multiplication table is shown up to this order; beyond, the rows of the generators say it all.
const SMALL: usize = 64;
/// No more values of the pretending function than this are shown.
const PRETENDING: usize = 20_000;
/// Rewriting a generator takes no more steps than this.
const STEPS: usize = 10_000;

/// The size of a set that may be infinite or unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Size {
    /// So many elements.
    Finite(Natural),
    /// Infinitely many.
    Infinite,
    /// Not known.
    Unknown,
}

impl Serialize for Size {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Finite(n) => n.serialize(serializer),
            Self::Infinite => serializer.serialize_str("infinite"),
            Self::Unknown => serializer.serialize_none(),
        }
    }
}

impl Size {
    fn of(n: usize) -> Self {
        Self::Finite(Natural::from(n))
    }
}

/// The quotient of a game.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct QuotientReport {
    /// The game.
    pub game: String,
    /// The winning condition.
    pub play: Play,
    /// The form of the strategy behind it: `quotient`, `counters`, `presentation`, `series`.
    pub form: &'static str,
    /// Whether it is finite; `None` when that is not known.
    pub finite: Option<bool>,
    order: Size,
    p_portion: Size,
    /// Whether it is proved.
    pub proved: Standing,
    /// Names of the generators.
    pub generators: Vec<String>,
    /// Relations between them; `None` when they were not looked for.
    pub relations: Option<Vec<String>>,
    /// The value of each heap, or of each generator of the board, as a word in the generators.
    pub pretending: Map<String, Value>,
    /// The period of the pretending function, when it is proved for all heaps.
    pub period: Option<usize>,
    /// What else is known of this form.
    #[serde(flatten)]
    pub more: Map<String, Value>,
    #[serde(skip)]
    text: String,
}

impl QuotientReport {
    /// The order of the quotient, when it is finite and known.
    pub fn order(&self) -> Option<&Natural> {
        if let Size::Finite(n) = &self.order { Some(n) } else { None }
    }

    /// The size of the P-portion, when it is finite and known.
    pub fn p_portion(&self) -> Option<&Natural> {
        if let Size::Finite(n) = &self.p_portion { Some(n) } else { None }
    }

    /// A finite quotient of a heap game in misère play.
    pub(crate) fn of_quotient(name: &str, strategy: &QuotientStrategy, proved: Standing) -> Self {
        let quotient = strategy.quotient().with_few_generators();
        let monoid = quotient.monoid();
        let names = generator_names(monoid.letters());
        let text = |x: u32| word_text(&monoid.word(x), &names);
        let texts = |list: &[u32]| list.iter().map(|&x| text(x)).collect::<Vec<_>>();
        let elements: Vec<u32> = (0..).take(quotient.order()).collect();
        let relations: Vec<String> = quotient
            .relations()
            .iter()
            .map(|(left, right)| format!("{}={}", word_text(left, &names), word_text(right, &names)))
            .collect();
        let structure = quotient.structure();
        let p: Vec<u32> = elements.iter().copied().filter(|&x| quotient.p().has(x as usize)).collect();
        let values = quotient.values();
        let pretending =
            values.iter().take(PRETENDING).enumerate().map(|(h, &v)| (h.to_string(), text(v).into())).collect();
        let rows: Map<String, Value> = names
            .iter()
            .enumerate()
            .map(|(l, (_, name))| {
                (name.clone(), json!(elements.iter().map(|&x| monoid.step(l, x)).collect::<Vec<_>>()))
            })
            .collect();
        let table = (quotient.order() <= SMALL).then(|| {
            let row = |&x: &u32| elements.iter().map(|&y| monoid.product(x, y)).collect::<Vec<_>>();
            elements.iter().map(row).collect::<Vec<_>>()
        });
        let mut orders = vec![];
        for (i, &(order, portion)) in strategy.orders().iter().enumerate() {
            if i == 0 || strategy.orders()[i - 1] != (order, portion) {
                orders.push((i + 1, order, portion));
            }
        }
        let cousins: Vec<String> = first_cousins(strategy.rules()).iter().map(ToString::to_string).collect();
        let (period, preperiod) = (strategy.period().map(|p| p.period), strategy.period().map(|p| p.preperiod));
        let reach = if period.is_some() { None } else { Some(quotient.heaps()) };
        let tame = quotient.is_tame();
        let standing = proved.in_words();
        let mut lines = vec![
            match reach {
                None => format!("{name}, misère play, all heaps: quotient of order {}, {standing}", quotient.order()),
                Some(n) => {
                    format!("{name}, misère play, heaps up to {n}: quotient of order {}, {standing}", quotient.order())
                }
            },
            format!(
                "{}; P-portion {}, {} idempotents, {} units, kernel of order {}",
                if tame { "tame" } else { "wild" },
                p.len(),
                structure.idempotents.len(),
                structure.units.len(),
                structure.kernel.len()
            ),
            format!(
                "generators  {}",
                names.iter().map(|(h, name)| format!("{name} = heap {h}")).collect::<Vec<_>>().join(", ")
            ),
        ];
        if !cousins.is_empty() {
            lines.push(format!("first cousins (heap n is their heap n-1, n-2, …)  {}", cousins.join(", ")));
        }
        lines.push(format!("relations   {}", shortened(&relations, 60)));
        lines.push(format!("P           {}", shortened(&texts(&p), 60)));
        if let (Some(period), Some(preperiod)) = (period, preperiod) {
            lines.push(format!("pretending  period {period} from heap {preperiod} on"));
        }
        let shown = match (period, preperiod) {
            (Some(period), Some(preperiod)) => preperiod + period,
            _ => quotient.heaps() + 1,
        };
        let words: Vec<String> = values.iter().take(shown).map(|&v| text(v)).collect();
        lines.push(format!("heaps 0 to {}: {}", shown.saturating_sub(1), shortened(&words, 400)));
        let more = object(json!({
            "max_heap": reach,
            "tame": tame,
            "generator_heaps": heaps_of(&names),
            "p": texts(&p),
            "preperiod": preperiod,
            "orders": orders,
            "idempotents": texts(&structure.idempotents),
            "units": texts(&structure.units),
            "kernel": texts(&structure.kernel),
            "components": structure.components.iter().map(|c| texts(c)).collect::<Vec<_>>(),
            "elements": texts(&elements),
            "cayley": {"generators": rows, "table": table},
            "cousins": cousins,
        }));
        Self {
            game: name.to_owned(),
            play: Play::Misere,
            form: "quotient",
            finite: Some(true),
            order: Size::of(quotient.order()),
            p_portion: Size::of(p.len()),
            proved,
            generators: names.into_iter().map(|(_, name)| name).collect(),
            relations: Some(relations),
            pretending,
            period,
            more,
            text: lines.join("\n"),
        }
    }

    /// A monoid with counters; `found` is the presentation and the size of its P-portion, when they were looked for.
    pub(crate) fn of_counters(
        name: &str,
        strategy: &CountersStrategy,
        found: Option<&(Presentation, Option<usize>)>,
        proved: Standing,
    ) -> Self {
        let counters = strategy.counters();
        let monoid = &counters.monoid;
        let mut all = [monoid.letters(), &counters.counters[..]].concat();
        all.sort_unstable();
        let names = generator_names(&all);
        let word = |heap: usize| {
            let (element, counts) = counters.value(heap);
            let mut word = monoid.word(element);
            word.extend(counters.counters.iter().copied().zip(counts).filter(|&(_, n)| n > 0));
            word.sort_unstable();
            word_text(&word, &names)
        };
        let side = |x: &[u32]| {
            let word: Vec<(u32, u32)> = all.iter().copied().zip(x.iter().copied()).filter(|&(_, n)| n > 0).collect();
            word_text(&word, &names)
        };
        let relations: Option<Vec<String>> = found.map(|(found, _)| {
            found.relations.rules().iter().map(|(left, right)| format!("{}={}", side(left), side(right))).collect()
        });
        let complete = found.is_some_and(|(found, _)| found.complete);
        let p_portion = match (complete, found.and_then(|(_, portion)| *portion)) {
            (false, _) => Size::Unknown,
            (true, Some(n)) => Size::of(n),
            (true, None) => Size::Infinite,
        };
        let (reach, listed) = (strategy.reach(), counters.values.len() - 1);
        let (period, preperiod) = (strategy.period().map(|p| p.period), strategy.period().map(|p| p.preperiod));
        let infinite = counters.infinity.is_some() || counters.infinite_to.is_some();
        // The file proves the outcomes; that of fewer heaps, which was checked on the way, proves the rest.
        let by_fewer = match (&counters.infinity, counters.infinite_to) {
            (None, Some(heap)) => format!(" (infinite by the checked certificate of the heaps up to {heap})"),
            _ => String::new(),
        };
        let list = |heaps: &[u32]| {
            heaps.iter().map(|&h| format!("{} = heap {h}", word_text(&[(h, 1)], &names))).collect::<Vec<_>>().join(", ")
        };
        let words: Vec<String> = (0..=listed).map(word).collect();
        let shown = period.zip(preperiod).map_or(listed + 1, |(period, preperiod)| preperiod + period);
        let text = format!(
            "{name}, misère play, {}: {}, {}{by_fewer}\n\
             a monoid of order {} times the counters {}; {} slices, {} automaton states\n\
             generators of the monoid  {}\n{}{}heaps 0 to {}: {}",
            reach.map_or_else(|| "all heaps".to_owned(), |n| format!("heaps up to {n}")),
            if infinite { "infinite quotient" } else { "outcomes by counters" },
            proved.in_words(),
            monoid.order(),
            list(&counters.counters),
            counters.slices.len(),
            counters.next.len(),
            list(monoid.letters()),
            match (&relations, complete) {
                (None, _) => String::new(),
                (Some(relations), true) => {
                    format!("relations (all follow from these)  {}\n", shortened(relations, 60))
                }
                (Some(relations), false) => format!("relations (there may be more)  {}\n", shortened(relations, 60)),
            },
            match (period, preperiod) {
                (Some(period), Some(preperiod)) => format!("pretending  period {period} from heap {preperiod} on\n"),
                _ => String::new(),
            },
            shown.saturating_sub(1),
            words[..shown].join(", ")
        );
        let more = object(json!({
            "max_heap": reach,
            "preperiod": preperiod,
            "tame": false,
            "generator_heaps": heaps_of(&names),
            "counters": counters.counters,
            "monoid_order": monoid.order(),
            "slices": counters.slices.len(),
            "states": counters.next.len(),
            "relations_complete": complete,
        }));
        Self {
            game: name.to_owned(),
            play: Play::Misere,
            form: "counters",
            finite: infinite.then_some(false),
            order: if infinite { Size::Infinite } else { Size::Unknown },
            p_portion,
            proved,
            generators: all.iter().map(|&h| word_text(&[(h, 1)], &names)).collect(),
            relations,
            pretending: (0..).zip(&words).map(|(h, word): (usize, _)| (h.to_string(), json!(word))).collect(),
            period,
            more,
            text,
        }
    }

    /// A presentation of the quotient of a lattice game; `portion` is the size of the P-portion of an infinite one.
    pub(crate) fn of_presentation(
        name: &str,
        strategy: &PresentationStrategy,
        portion: Option<usize>,
        proved: Standing,
        seconds: Option<f64>,
    ) -> Self {
        let (generators, relations) = (strategy.generators(), strategy.relations());
        let (complete, cones, order) = (strategy.is_complete(), strategy.cones(), strategy.order());
        let names = Names::of(strategy);
        let rules: Vec<String> = relations
            .rules()
            .iter()
            .filter(|(left, _)| left.iter().sum::<u32>() > 1)
            .map(|(left, right)| format!("{}={}", names.text(left), names.text(right)))
            .collect();
        let value = |i: usize| {
            let x: Vec<BigUint> = unit(generators.len(), i).into_iter().map(BigUint::from).collect();
            let normal = relations.reduced(&x, STEPS).unwrap_or(x);
            normal.iter().map(|n| u32::try_from(n).ok()).collect::<Option<Vec<u32>>>().map(|word| names.text(&word))
        };
        let pretending = generators.iter().enumerate().map(|(i, g)| (point_text(g), json!(value(i)))).collect();
        let p: Option<Vec<String>> = order.map(|_| {
            let inside = cones.iter().filter(|cone| strategy.is_p(&cone.base));
            inside.map(|cone| names.text(&cone.base)).collect()
        });
        let portion = p.as_ref().map(Vec::len).or(portion);
        let size = |n: Option<usize>| match n {
            Some(n) => Size::of(n),
            None if complete => Size::Infinite,
            None => Size::Unknown,
        };
        let place = |i: u32| point_text(&generators[i as usize]);
        let proved = if complete { proved } else { Standing::CLAIMED };
        let head = match (complete, order) {
            (true, Some(n)) => {
                format!("quotient of order {n}, P-portion {}, {}", portion.unwrap_or(0), proved.in_words())
            }
            (true, None) => format!("infinite quotient, finitely presented, {}", proved.in_words()),
            _ => "the relations hold, but there may be more".to_owned(),
        };
        let list = |(i, letter): &(u32, String)| format!("{letter} = {}", place(*i));
        let lines = [
            format!("{name}: {head}"),
            format!("generators  {}", names.names.iter().map(list).collect::<Vec<_>>().join(", ")),
            format!("relations   {}", shortened(&rules, 100)),
        ];
        let more = object(json!({
            "generator_positions": names.names.iter().map(|(i, name)| (name.clone(), place(*i).into()))
                .collect::<Map<String, Value>>(),
            "relations_complete": complete,
            "p": p,
            "cones": cones.len(),
            "seconds": seconds,
        }));
        Self {
            game: name.to_owned(),
            play: strategy.automaton().game().play(),
            form: "presentation",
            finite: complete.then_some(order.is_some()),
            order: size(order),
            p_portion: size(portion),
            proved,
            generators: names.names.iter().map(|(_, name)| name.clone()).collect(),
            relations: Some(rules),
            pretending,
            period: None,
            more,
            text: lines.join("\n"),
        }
    }

    /// The group ℤᵈ/ℤP of a normal affine semigroup P (Guo's thesis, Theorem 8.3).
    pub(crate) fn of_group(name: &str, d: usize, quotient: &NormalQuotient, proved: Standing) -> Self {
        let basis: Vec<String> = quotient.hilbert_basis.iter().map(|a| point_text(a)).collect();
        let order: BigUint = quotient.invariants.iter().filter_map(|m| m.to_big().to_biguint()).product();
        let factors: Vec<String> = quotient.invariants.iter().map(|m: &Int| format!("Z/{m}")).collect();
        let group = if factors.is_empty() { "the trivial group".to_owned() } else { factors.join(" x ") };
        let relations: Vec<String> = basis.iter().map(|a| format!("{a} = 0")).collect();
        let text = format!("quotient Z^{d}/ZP = {group}, order {order}; relations {}", relations.join(", "));
        Self {
            game: name.to_owned(),
            play: Play::Normal,
            form: "series",
            finite: Some(true),
            order: Size::Finite(Natural(order)),
            p_portion: Size::of(1),
            proved,
            generators: Vec::new(),
            relations: Some(relations),
            pretending: Map::new(),
            period: None,
            more: object(json!({"group": quotient.invariants, "method": "normal affine semigroup"})),
            text,
        }
    }

    /// The quotient in the language of another system; `None` where it has no meaning there, or the relations are not known.
    pub fn written(&self, syntax: Syntax) -> Option<String> {
        let heaps: Vec<(String, String)> = {
            let mut heaps: Vec<(&String, &Value)> = self.pretending.iter().collect();
            heaps.sort_by_key(|(heap, _)| (heap.len(), (*heap).clone()));
            heaps.into_iter().map(|(heap, word)| (heap.clone(), word.as_str().unwrap_or("").to_owned())).collect()
        };
        let strings = |key: &str| -> Option<Vec<String>> {
            self.more.get(key)?.as_array()?.iter().map(|word| word.as_str().map(ToOwned::to_owned)).collect()
        };
        match syntax {
            Syntax::Csv => {
                let line = |(heap, word): &(String, String)| format!("{},{}\n", field(heap), field(word));
                return Some(format!("heap,value\n{}", heaps.iter().map(line).collect::<Vec<_>>().concat()));
            }
            Syntax::JsonLines => {
                let line = |(heap, word): &(String, String)| json!({"heap": heap, "value": word}).to_string();
                return Some(heaps.iter().map(line).collect::<Vec<_>>().join("\n"));
            }
            Syntax::Dot => return self.cayley().map(|graph| graph.dot()),
            _ => {}
        }
        let p = strings("p");
        let complete = self.more.get("relations_complete").and_then(Value::as_bool).unwrap_or(true);
        let monoid = Presented {
            title: &format!("quotient of {}, {} play", self.game, self.play),
            generators: &self.generators,
            relations: self.relations.as_deref()?,
            complete,
            p: p.as_deref(),
            order: self.order().map(ToString::to_string),
        };
        let text = monoid.text(syntax)?;
        Some(if syntax == Syntax::Latex { format!("{text}{}", heap_table(&heaps)) } else { text })
    }

    /// The Cayley graph of a finite quotient of heaps.
    pub fn cayley(&self) -> Option<CayleyGraph> {
        let strings = |key: &str| -> Option<Vec<String>> {
            self.more.get(key)?.as_array()?.iter().map(|word| word.as_str().map(ToOwned::to_owned)).collect()
        };
        let elements = strings("elements")?;
        let p = strings("p")?;
        let rows = self.more.get("cayley")?.get("generators")?.as_object()?;
        let row = |name: &String| -> Option<(String, Vec<usize>)> {
            let targets = rows.get(name)?.as_array()?.iter().map(|x| x.as_u64().and_then(|x| usize::try_from(x).ok()));
            Some((name.clone(), targets.collect::<Option<_>>()?))
        };
        let generators = self.generators.iter().map(row).collect::<Option<_>>()?;
        let inside = elements.iter().map(|word| p.contains(word)).collect();
        Some(CayleyGraph { title: format!("misère quotient of {}", self.game), elements, inside, generators })
    }

    /// Adds what a file shows beside the quotient.
    pub(crate) fn with(mut self, key: &str, value: Value) -> Self {
        self.more.insert(key.to_owned(), value);
        self
    }
}

impl fmt::Display for QuotientReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn object(value: Value) -> Map<String, Value> {
    if let Value::Object(map) = value { map } else { Map::new() }
}

fn heaps_of(names: &[(u32, String)]) -> Map<String, Value> {
    names.iter().map(|(h, name)| (name.clone(), json!(h))).collect()
}

/// A word in the generators of a presentation, by their names.
struct Names {
    names: Vec<(u32, String)>,
}

impl Names {
    /// Names for the generators that are normal forms themselves.
    fn of(strategy: &PresentationStrategy) -> Self {
        let d = strategy.generators().len();
        let normal = |&i: &u32| strategy.relations().is_normal(&unit(d, i as usize));
        Self { names: generator_names(&(0..).take(d).filter(normal).collect::<Vec<u32>>()) }
    }

    fn text(&self, x: &[u32]) -> String {
        let word: Vec<(u32, u32)> = (0..).zip(x.iter().copied()).filter(|&(_, n)| n > 0).collect();
        word_text(&word, &self.names)
    }
}

/// The normal forms in words: each cone as its base and the powers of its free generators, `a*b^2 c^N`.
pub(crate) fn normal_forms(strategy: &PresentationStrategy) -> Vec<String> {
    let names = Names::of(strategy);
    let letter = |i: usize| names.text(&unit(strategy.generators().len(), i));
    strategy
        .cones()
        .iter()
        .map(|cone| {
            let base = names.text(&cone.base);
            let free: Vec<String> = cone.free.iter().map(|&i| format!("{}^N", letter(i))).collect();
            match (base.as_str(), free.is_empty()) {
                (_, true) => base,
                ("1", false) => free.join(" "),
                _ => format!("{base} {}", free.join(" ")),
            }
        })
        .collect()
}

fn unit(d: usize, i: usize) -> Vec<u32> {
    (0..d).map(|j| u32::from(i == j)).collect()
}

/// The rules of a heap game as a name.
pub(crate) fn rules_text(rules: &HeapRules) -> String {
    match rules {
        HeapRules::Code(code) => code.to_string(),
        HeapRules::Subtraction(set) => {
            format!("subtract:{}", set.iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
        }
        HeapRules::Clauses(_) => "a heap game".into(),
    }
}
