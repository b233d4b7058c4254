use proptest::prelude::*;

use super::*;
use crate::heap::{Code, HeapRules};
use semilinear::run::{TickLimit, Unlimited};

/// A finite game without structure: option lists of nodes, each of smaller number.
#[derive(Debug, Clone)]
struct Plain(Vec<Vec<Vec<usize>>>);

impl Ruleset for Plain {
    type Component = usize;
    fn options(&self, node: &usize) -> Vec<Vec<usize>> {
        self.0[*node].clone()
    }
}

/// Random games with up to `nodes` components whose options are sums of up to two smaller components.
fn plain(nodes: usize) -> impl Strategy<Value = Plain> {
    let lists = (0..nodes)
        .map(|node| {
            let part = if node == 0 { 0..1 } else { 0..node };
            let option = prop::collection::vec(part, 0..=2);
            prop::collection::vec(option, 0..=if node == 0 { 0 } else { 4 })
        })
        .collect::<Vec<_>>();
    lists.prop_map(Plain)
}

/// The outcome by the definition, no memory, no theory.
fn by_definition<R: Ruleset>(rules: &R, play: Play, position: &[R::Component]) -> Outcome {
    let budget = Budget { limit: u64::MAX, monitor: &Unlimited };
    let options = sum_options(rules, position, &budget).unwrap();
    let who_cannot_move_loses = play == Play::Normal;
    if options.is_empty() {
        return Outcome::p_if(who_cannot_move_loses);
    }
    Outcome::p_if(options.iter().all(|option| !by_definition(rules, play, option).is_p()))
}

/// The Grundy value of a sum by the definition on the whole sum.
fn grundy_of_sum<R: Ruleset>(rules: &R, position: &[R::Component]) -> u64 {
    let budget = Budget { limit: u64::MAX, monitor: &Unlimited };
    let options = sum_options(rules, position, &budget).unwrap();
    crate::nimber::mex(options.iter().map(|option| grundy_of_sum(rules, option)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn outcomes_follow_the_definition(game in plain(6), position in prop::collection::vec(0_usize..6, 0..3)) {
        let mut search = Search::new(&game, &Unlimited);
        for play in [Play::Normal, Play::Misere] {
            prop_assert_eq!(search.outcome(play, &position).unwrap(), by_definition(&game, play, &position));
        }
    }

    #[test]
    fn the_value_of_a_sum_is_the_nim_sum(game in plain(5), a in 0_usize..5, b in 0_usize..5) {
        let mut search = Search::new(&game, &Unlimited);
        let sum = grundy_of_sum(&game, &[a, b]);
        prop_assert_eq!(search.grundy(&[a, b]).unwrap(), sum);
        prop_assert_eq!(search.grundy(&[a]).unwrap() ^ search.grundy(&[b]).unwrap(), sum);
    }

    #[test]
    fn no_move_from_p_to_p_and_one_from_every_n(
        digits in prop::collection::vec(0_u8..8, 1..4),
        heaps in prop::collection::vec(0_u64..8, 0..4),
    ) {
        let rules = HeapRules::Code(Code::finite(std::iter::once(0).chain(digits).collect()));
        let budget = Budget { limit: u64::MAX, monitor: &Unlimited };
        let options = sum_options(&rules, &heaps, &budget).unwrap();
        let mut search = Search::new(&rules, &Unlimited);
        for play in [Play::Normal, Play::Misere] {
            let outcome = search.outcome(play, &heaps).unwrap();
            let winning = search.winning_moves(play, &heaps).unwrap();
            match outcome {
                Outcome::P => prop_assert!(winning.is_empty()),
                Outcome::N if options.is_empty() => prop_assert_eq!(play, Play::Misere),
                Outcome::N => prop_assert!(!winning.is_empty()),
            }
            for option in &options {
                let is_p = search.outcome(play, option).unwrap().is_p();
                prop_assert_eq!(is_p, winning.contains(option));
            }
        }
    }

    #[test]
    fn tame_answers_agree_with_the_search(
        digits in prop::collection::vec(0_u8..8, 1..4),
        heaps in prop::collection::vec(0_u64..9, 0..4),
    ) {
        let rules = HeapRules::Code(Code::finite(std::iter::once(0).chain(digits).collect()));
        let budget = Budget { limit: u64::MAX, monitor: &Unlimited };
        if let Some(outcome) = tame::Types::default().outcome(&rules, &heaps, &budget).unwrap() {
            prop_assert_eq!(outcome, misere::Outcomes::default().of(&rules, &heaps, &budget).unwrap());
        }
    }
}

#[test]
fn facts_of_the_lecture_notes() {
    let rules: HeapRules = "subtract:1,2,3".parse().unwrap();
    let mut search = Search::new(&rules, &Unlimited);
    for x in 0..30 {
        assert_eq!(search.grundy(&[x]), Ok(x % 4));
    }
    let nim: HeapRules = "0.[3]".parse().unwrap();
    let mut search = Search::new(&nim, &Unlimited);
    assert_eq!(search.grundy(&[1, 3, 6]), Ok(4));
    let laskers: HeapRules = "4.[3]".parse().unwrap();
    let mut search = Search::new(&laskers, &Unlimited);
    let values: Vec<u64> = (0..12).map(|n| search.grundy(&[n]).unwrap()).collect();
    assert_eq!(values, [0, 1, 2, 4, 3, 5, 6, 8, 7, 9, 10, 12]);
}

#[test]
fn misere_nim_is_tame_whatever_its_size() {
    let nim: HeapRules = "0.[3]".parse().unwrap();
    let mut search = Search::new(&nim, &Unlimited);
    assert_eq!(search.outcome(Play::Misere, &[100, 200, 300, 0x64 ^ 0xC8 ^ 0x12C]), Ok(Outcome::P));
    assert_eq!(search.outcome(Play::Misere, &[1, 1, 1]), Ok(Outcome::P));
    assert_eq!(search.outcome(Play::Misere, &[]), Ok(Outcome::N));
    assert_eq!(search.winning_moves(Play::Misere, &[1, 1, 5]), Ok(vec![vec![1, 1, 1]]));
}

#[test]
fn deep_games_need_no_recursion() {
    let rules: HeapRules = "subtract:1".parse().unwrap();
    let mut search = Search::new(&rules, &Unlimited);
    assert_eq!(search.grundy(&[300_001]), Ok(1));
    assert_eq!(search.outcome(Play::Misere, &[300_001]), Ok(Outcome::P));
    // 0.26 is wild in misère play from heap 4 on, so this goes through the search of sums.
    let wild: HeapRules = "0.26".parse().unwrap();
    let mut search = Search::new(&wild, &Unlimited);
    assert!(search.outcome(Play::Misere, &[14, 9]).is_ok());
}

#[test]
fn limits_stop_a_search() {
    let rules: HeapRules = "0.77".parse().unwrap();
    let mut search = Search::new(&rules, &Unlimited).with_limit(1000);
    let size = StopReason::Size { what: "steps to list the options of one component", limit: 1000 };
    assert_eq!(search.grundy(&[1_000_000]), Err(size));
    let size = StopReason::Size { what: "components in memory", limit: 1000 };
    assert_eq!(search.outcome(Play::Misere, &[60, 50, 40]), Err(size));
    let ticks = TickLimit::new(10);
    assert_eq!(Search::new(&rules, &ticks).grundy(&[100]), Err(StopReason::Time));
}
