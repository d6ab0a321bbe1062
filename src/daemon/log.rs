//! What the daemon says of its passes. At the usual level nothing that one side may not know: no orders, no hands, no number of
//! orders, no address; `-v` says what the umpire would see with `umpire review`, but never a secret of a dice or a password.

use super::{ExtendedTurn, Failure, Pass, intake};

/// Says what a pass did.
pub(super) fn tell(pass: &Pass) {
    for (no, done) in &pass.letters {
        tracing::info!("{}", intake::in_short(*no, done));
        tracing::debug!("letter {no}: {}", done.note);
    }
    for turn in &pass.closed {
        match turn.until {
            Some(until) => {
                tracing::info!("{}: {} closed, results posted, challenges until {until}", turn.game, turn.phase)
            }
            None => tracing::info!("{}: {} closed, the results wait for you (`umpire release`)", turn.game, turn.phase),
        }
    }
    for turn in &pass.extended {
        tracing::warn!("{}", suspected(turn));
    }
    for (game, _, phase) in &pass.ratified {
        tracing::info!("{game}: {phase} is official");
    }
    if pass.reminded > 0 {
        tracing::info!("reminders written: {}", pass.reminded);
    }
    if pass.sent > 0 {
        tracing::info!("letters sent: {}", pass.sent);
    }
    for failure in &pass.failures {
        fault(failure);
    }
    tracing::debug!(pages = pass.pages, complete = pass.complete, more = pass.more, "a pass is over");
}

/// Why a deadline moved by itself, and what the umpire should look at.
pub(super) fn suspected(turn: &ExtendedTurn) -> String {
    format!(
        "{}: nothing has come for {} from {} of {} players ({}), so orders close {} instead; is the mail all right?",
        turn.game,
        turn.phase,
        turn.missing.len(),
        turn.waited_for,
        turn.missing.join(", "),
        turn.deadline
    )
}

fn fault(failure: &Failure) {
    match failure {
        Failure::Post { recipient, fault } => {
            tracing::warn!("a letter could not be sent: {fault}");
            tracing::debug!("it is to {recipient}");
        }
        _ if failure.is_retryable() => tracing::warn!("{failure}"),
        _ => tracing::error!("{failure}"),
    }
}
