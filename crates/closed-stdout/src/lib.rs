//! Whether standard output was closed when the program was started (`command >&-`).
//!
//! Rust's runtime opens `/dev/null` in place of a closed descriptor before `main`, so that every later write seems to succeed. What it
//! found can only be seen by a function that the loader runs before it. That needs two lines of `unsafe`, which no other crate here has.

use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether descriptor 1 was closed at the start; `false` where that cannot be seen.
///
/// ```
/// assert!(!closed_stdout::at_start());
/// ```
pub fn at_start() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

#[cfg(any(target_os = "linux", target_os = "freebsd", target_os = "macos"))]
mod early {
    #[used]
    // SAFETY: the section holds functions of this signature, which the loader calls once, before `main`.
    #[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
    #[cfg_attr(not(target_os = "macos"), unsafe(link_section = ".init_array"))]
    static LOOK: extern "C" fn() = look;

    extern "C" fn look() {
        // SAFETY: asks for the flags of a descriptor and changes nothing.
        let closed = unsafe { libc::fcntl(1, libc::F_GETFD) } == -1;
        super::CLOSED.store(closed, super::Ordering::Relaxed);
    }
}
