//! Loops that are compiled a second time for 256-bit registers; which of the two runs is decided by the processor at hand.

/// A loop with all that it works on. Implementations, and what they call inside the loop, must be `#[inline(always)]`: only what is inlined is compiled
/// for wide registers.
pub(crate) trait Loop {
    /// What comes of it.
    type Output;

    /// Runs it.
    fn run(self) -> Self::Output;
}

/// Runs a loop with the widest registers there are.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn widest<T: Loop>(task: T) -> T::Output {
    use std::sync::LazyLock;

    static ARCH: LazyLock<pulp::Arch> = LazyLock::new(pulp::Arch::new);

    struct Task<T>(T);

    impl<T: Loop> pulp::NullaryFnOnce for Task<T> {
        type Output = T::Output;

        #[inline(always)]
        fn call(self) -> T::Output {
            self.0.run()
        }
    }

    ARCH.dispatch(Task(task))
}

/// Runs a loop.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(crate) fn widest<T: Loop>(task: T) -> T::Output {
    task.run()
}
