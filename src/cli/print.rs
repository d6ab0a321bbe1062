//! How commands print: lists, counts, questions to the umpire.

use std::io::{IsTerminal, Write};

/// Asks a yes-or-no question at the terminal. Without a terminal nothing is agreed to.
pub(super) fn agreed(question: &str) -> bool {
    if !std::io::stdin().is_terminal() {
        return false;
    }
    print!("{question} [y/N] ");
    let _ = std::io::stdout().flush();
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer).is_ok() && matches!(answer.trim(), "y" | "Y" | "yes")
}

/// A list in words: "a, b and c", or `none` if it is empty.
pub(super) fn list<T: ToString>(items: &[T], none: &str) -> String {
    let words: Vec<String> = items.iter().map(ToString::to_string).collect();
    match words.as_slice() {
        [] => none.to_owned(),
        [only] => only.clone(),
        [init @ .., last] => format!("{} and {last}", init.join(", ")),
    }
}

/// Letters that a verb wrote leave with the next pass.
pub(super) fn outbox_hint() {
    println!("The letters leave with the next pass (`umpire serve` or `umpire run`).");
}

/// A moment for the umpire: "2026-12-09 21:47 UTC".
pub(super) fn moment(at: jiff::Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// How long something was ago: "3 minutes ago". Nobody counts seconds at a glance.
pub(super) fn ago(at: jiff::Timestamp, now: jiff::Timestamp) -> String {
    let minutes = now.duration_since(at).as_mins();
    match minutes {
        ..0 => "in time to come".to_owned(),
        0 => "just now".to_owned(),
        1 => "1 minute ago".to_owned(),
        2..120 => format!("{minutes} minutes ago"),
        120..2880 => format!("{} hours ago", minutes / 60),
        _ => format!("{} days ago", minutes / 1440),
    }
}

/// "1 letter", "3 letters".
pub(super) fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// Makes a file that holds secrets its owner's alone.
pub(super) fn private(file: &std::path::Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o600))
}
