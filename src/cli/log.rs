//! How the program speaks of its work: to a person at a terminal, with priorities to journald and the like elsewhere.

use std::fmt;
use std::io::IsTerminal;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

/// Begins to log to standard error. `daemon` says so of a process that runs for long: it tells what it does, others only what
/// is wrong. Each `-v` says one level more of ourselves alone: what the libraries for mail would say at such levels may hold
/// passwords. `UMPIRE_LOG` (any filter of `tracing`) replaces both.
pub(super) fn begin(daemon: bool, verbose: u8) {
    let own = match u8::from(daemon) + verbose {
        0 => "warn",
        1 => "info",
        2 => "debug",
        _ => "trace",
    };
    let filter = EnvFilter::try_from_env("UMPIRE_LOG").unwrap_or_else(|_| EnvFilter::new(format!("warn,umpire={own}")));
    let terminal = std::io::stderr().is_terminal();
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(terminal);
    match (daemon, terminal) {
        (true, true) => log.with_target(false).init(),
        (true, false) => log.event_format(Priorities).init(),
        (false, _) => log.without_time().with_target(false).init(),
    }
}

/// One line an event, with the priority in front as journald and syslog read it (sd-daemon(3)): `<6>letter 3: ...`.
struct Priorities;

impl<S, N> FormatEvent<S, N> for Priorities
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut to: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let priority = match *event.metadata().level() {
            Level::ERROR => 3,
            Level::WARN => 4,
            Level::INFO => 6,
            _ => 7,
        };
        let mut said = String::new();
        context.field_format().format_fields(Writer::new(&mut said), event)?;
        // A line that a letter has brought in could pass for one of ours.
        let one_line = said.lines().map(str::trim_end).collect::<Vec<_>>().join(" | ");
        writeln!(to, "<{priority}>{one_line}")
    }
}
