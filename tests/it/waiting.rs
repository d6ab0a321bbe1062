//! Waiting for what other processes do.

use std::time::Duration;
use umpire::clock::Timer;

/// Asks again and again, at most for so long, and gives up loudly.
pub fn wait_for<T>(at_most: Duration, what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let timer = Timer::of(at_most);
    loop {
        if let Some(found) = ask() {
            return found;
        }
        assert!(timer.left().is_some(), "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
