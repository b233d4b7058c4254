//! The progress line: one line on a terminal, drawn over itself, and cleared before anything else is written there.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Columns left free at the right: a terminal shows `^C` there without going on to a new line, where the old one could not be cleared.
const FREE: usize = 6;
/// Characters of a full bar.
const BAR: u64 = 24;

/// What stands on the terminal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Nothing,
    Drawn,
    /// Nothing is drawn any more.
    Ended,
}

/// One for the process: whoever writes to standard error (the command, a limit, Ctrl-C) clears it first.
static LINE: Mutex<Line> = Mutex::new(Line::Nothing);

/// Draws the line anew.
pub fn draw(text: &str) {
    let Ok(mut line) = LINE.lock() else { return };
    if *line != Line::Ended {
        let text: String = text.chars().take(columns().saturating_sub(FREE)).collect();
        let _ = write!(std::io::stderr(), "\r{text}\x1b[K");
        *line = Line::Drawn;
    }
}

fn leave(next: Line) {
    let Ok(mut line) = LINE.lock() else { return };
    if *line == Line::Drawn {
        let _ = write!(std::io::stderr(), "\r\x1b[2K");
    }
    if *line != Line::Ended {
        *line = next;
    }
}

/// Clears the line; it may be drawn again.
pub fn clear() {
    leave(Line::Nothing);
}

/// Clears the line for good.
pub fn end() {
    leave(Line::Ended);
}

/// The width of the terminal.
fn columns() -> usize {
    #[cfg(unix)]
    if let Ok(size) = rustix::termios::tcgetwinsize(std::io::stderr())
        && size.ws_col > 0
    {
        return size.ws_col.into();
    }
    80
}

/// How far a phase of the work is.
#[derive(Clone, Copy, Debug)]
pub struct Phase {
    name: &'static str,
    start: Instant,
    done: u64,
    total: Option<u64>,
}

impl Phase {
    /// A phase that begins now.
    pub fn new(name: &'static str) -> Self {
        Self { name, start: Instant::now(), done: 0, total: None }
    }

    /// Notes what is done; less than before, or another total, is a new count, whose time begins now.
    pub fn reach(&mut self, done: u64, total: Option<u64>) {
        if done < self.done || total != self.total {
            self.start = Instant::now();
        }
        (self.done, self.total) = (done, total);
    }

    /// The line: the task, its phase, the time since the task began, what is done. Without a total there is nothing to be a part of,
    /// and no bar.
    pub fn line(&self, task: &str, elapsed: Duration) -> String {
        let mut line = task.to_owned();
        if !self.name.is_empty() {
            let _ = write!(line, ": {}", self.name);
        }
        let _ = write!(line, " {} {}", clock(elapsed.as_secs()), grouped(self.done));
        if let Some(total) = self.total.filter(|&total| total > 0) {
            let done = self.done.min(total);
            let part = |of: u64| u64::try_from(u128::from(of) * u128::from(done) / u128::from(total)).unwrap_or(of);
            let filled = usize::try_from(part(BAR)).unwrap_or(0);
            let rest = usize::try_from(BAR).unwrap_or(0) - filled;
            let _ = write!(line, "/{} {}{}", grouped(total), "█".repeat(filled), "░".repeat(rest));
            let left = self.start.elapsed().as_millis() * u128::from(total - done) / u128::from(done.max(1)) / 1000;
            if done > 0 {
                let _ = write!(line, " {} left", clock(u64::try_from(left).unwrap_or(u64::MAX)));
            }
        }
        line
    }
}

/// Seconds as 1:05 or 2:03:04.
fn clock(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// A number with commas between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_bar_only_with_a_total() {
        let mut phase = Phase::new("learning");
        phase.reach(399_616, None);
        assert_eq!(phase.line("solve exotic", Duration::from_secs(65)), "solve exotic: learning 1:05 399,616");
        phase.reach(399_616, Some(0));
        assert_eq!(phase.line("solve exotic", Duration::from_secs(5)), "solve exotic: learning 0:05 399,616");
        phase.reach(1_500, Some(6_000));
        let line = phase.line("values nim", Duration::from_secs(7384));
        let bar = format!("{}{}", "█".repeat(6), "░".repeat(18));
        let start = format!("values nim: learning 2:03:04 1,500/6,000 {bar} ");
        assert!(line.starts_with(&start) && line.ends_with(" left"), "{line}");
        phase.reach(u64::MAX, Some(u64::MAX));
        assert!(phase.line("", Duration::ZERO).contains(&"█".repeat(24)));
        // More than the total is a full bar.
        phase.reach(9, Some(7));
        assert!(phase.line("", Duration::ZERO).contains("9/7 "), "{}", phase.line("", Duration::ZERO));
    }
}
