//! What every game has in common: a ruleset gives options, a position is plain data.

use std::hash::Hash;

/// The rules of a game whose positions are sums of components.
///
/// An option of a component is a *list* of components (a heap may be split), so that disjunctive
/// sums need no special case: an option of a sum replaces one component by such a list.
pub trait Ruleset: Sync {
    /// One component of a position: plain data, no rules inside.
    type Component: Clone + Eq + Ord + Hash + Send + Sync;

    /// Every option of `component`, each as the list of components that replace it.
    fn options(&self, component: &Self::Component) -> Vec<Vec<Self::Component>>;

    /// As [`Ruleset::options`], but gives up (`None`) after about `work` steps: the options of one
    /// component may be too many to list.
    fn options_within(&self, component: &Self::Component, work: u64) -> Option<Vec<Vec<Self::Component>>> {
        let _ = work;
        Some(self.options(component))
    }
}
