//! Work on all threads; without the feature `threads`, as in browsers, one piece after the other.

use std::ops::Range;

/// How many threads there are.
pub fn count() -> usize {
    #[cfg(feature = "threads")]
    {
        rayon::current_num_threads().max(1)
    }
    #[cfg(not(feature = "threads"))]
    {
        1
    }
}

/// Works on every item.
pub fn each<T: Send>(items: Vec<T>, work: impl Fn(T) + Sync + Send) {
    #[cfg(feature = "threads")]
    {
        use rayon::prelude::*;
        items.into_par_iter().for_each(work);
    }
    #[cfg(not(feature = "threads"))]
    items.into_iter().for_each(work);
}

/// The answers for all items, in their order, or what went wrong with one.
pub fn all<T: Sync, R: Send, E: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R, E> + Sync + Send,
) -> Result<Vec<R>, E> {
    #[cfg(feature = "threads")]
    {
        use rayon::prelude::*;
        items.par_iter().map(work).collect()
    }
    #[cfg(not(feature = "threads"))]
    {
        items.iter().map(work).collect()
    }
}

/// Works on every number of a range, each thread with a state of its own; a thread takes at least `least` numbers at once.
pub fn numbers<S, E: Send>(
    range: Range<usize>,
    least: usize,
    state: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize) -> Result<(), E> + Sync + Send,
) -> Result<(), E> {
    #[cfg(feature = "threads")]
    {
        use rayon::prelude::*;
        range.into_par_iter().with_min_len(least).try_for_each_init(state, work)
    }
    #[cfg(not(feature = "threads"))]
    {
        let _ = least;
        let (mut range, mut state) = (range, state());
        range.try_for_each(|n| work(&mut state, n))
    }
}

/// Works on the same thing with every thread; threads are numbered from 0 on.
pub fn together(work: impl Fn(usize) + Sync + Send) {
    #[cfg(feature = "threads")]
    rayon::scope(|scope| {
        for thread in 0..count() {
            let work = &work;
            scope.spawn(move |_| work(thread));
        }
    });
    #[cfg(not(feature = "threads"))]
    work(0);
}
