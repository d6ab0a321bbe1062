//! `umpire.toml`: raw -> checked, all faults at once, each with its line. Unknown keys are refused, since a mistyped one would
//! otherwise be a wish that nobody hears.

mod reader;
mod servers;

use crate::desk::{AbsenceRule, GamePolicy, Holiday, Language, Missing, Policy, PostPolicy, Posting};
use crate::engine::{DataFault, GameId};
use crate::mail::{ImapConfig, Mailbox};
use crate::post::SmtpConfig;
use crate::wire::OAuth2;
use jiff::SignedDuration;
use jiff::civil::{Date, Weekday};
use reader::Section;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use toml::de::DeTable;

/// The file's name in an umpire's folder.
pub const FILE: &str = "umpire.toml";

/// The commented example: what `umpire init` writes.
pub const EXAMPLE: &str = include_str!("../umpire.toml");

/// An umpire's configuration, checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// The maildir into which letters to the umpire come, unless they lie on a server.
    pub inbox: PathBuf,
    /// The maildir into which letters to the players go, unless a server takes them.
    pub outbox: PathBuf,
    /// The server on which letters to the umpire lie.
    pub imap: Option<ImapConfig>,
    /// The server that takes letters to the players.
    pub smtp: Option<SmtpConfig>,
    /// The access tokens for either.
    pub oauth2: Option<Arc<OAuth2>>,
    /// The largest letter that is read, in bytes.
    pub max_letter: u64,
    /// How long the daemon sleeps at most before it looks for letters again.
    pub poll: Duration,
    /// What wakes the umpire: a program and its arguments; empty if nothing does.
    pub alert_command: Vec<String>,
    /// How long mail may be down before the umpire is woken.
    pub alert_after: SignedDuration,
    /// The folder of the public pages.
    pub site: PathBuf,
    /// How the games are run.
    pub policy: Policy,
}

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("could not read {}: {source} (`umpire init` makes a folder with one)", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It says what cannot be.
    #[error("{} is not right:\n{}", path.display(), faults.iter().map(|f| format!("  {f}")).collect::<Vec<_>>().join("\n"))]
    Faults {
        /// The file.
        path: PathBuf,
        /// Everything that is wrong with it.
        faults: Vec<DataFault>,
    },
}

impl Config {
    /// Reads the configuration of an umpire's folder. Paths in it count from the folder.
    ///
    /// # Errors
    /// If the file cannot be read, or all that is wrong with it.
    pub fn load(folder: &Path) -> Result<Self, ConfigError> {
        let path = folder.join(FILE);
        let text =
            std::fs::read_to_string(&path).map_err(|source| ConfigError::Unreadable { path: path.clone(), source })?;
        Self::parse_within(&text, folder).map_err(|faults| ConfigError::Faults { path, faults })
    }

    /// Reads a configuration whose paths stay as they are written.
    ///
    /// # Errors
    /// All that is wrong with it, each with its line.
    pub fn parse(text: &str) -> Result<Self, Vec<DataFault>> {
        Self::parse_within(text, Path::new(""))
    }

    fn parse_within(text: &str, folder: &Path) -> Result<Self, Vec<DataFault>> {
        let (table, broken) = DeTable::parse_recoverable(text);
        let mut faults: Vec<DataFault> = broken.iter().map(|fault| reader::syntax(text, fault)).collect();
        let mut top = Section::top(text, table.get_ref(), &mut faults);
        let config = checked(&mut top, folder);
        top.refuse_the_rest();
        faults.sort_by_key(|fault| fault.line);
        if faults.is_empty() { Ok(config) } else { Err(faults) }
    }
}

fn checked(top: &mut Section<'_>, folder: &Path) -> Config {
    let what = "a mail address such as umpire@example.org";
    let (name, address, advice, alert_command) = top.section("umpire", |s| {
        let name = s.text("name", Some("The Umpire"));
        let address = s.checked("address", None, what, mail_address);
        let advice = s.checked("advice", Some(None), what, |text| mail_address(text).map(Some));
        (name, address, advice, s.texts("alert_command").unwrap_or_default())
    });
    let (poll, alert_after, clock_slack) = top.section("serve", |s| {
        let minutes = |number| SignedDuration::from_mins(number);
        (
            Duration::from_secs(s.number("poll_seconds", 30, 1..=86_400).unsigned_abs()),
            minutes(s.number("alert_after_minutes", 60, 1..=10_080)),
            minutes(s.number("clock_jump_minutes", 10, 1..=1_440)),
        )
    });
    let (inbox, outbox, max_letter, answers_per_hour, post, servers) = top.section("mail", |s| {
        (
            folder.join(s.text("inbox", Some("mail/inbox"))),
            folder.join(s.text("outbox", Some("mail/outbox"))),
            1024 * s.number("max_letter_kib", 1024, 16..=65_536).unsigned_abs(),
            u32::try_from(s.number("answers_per_hour", 20, 1..=10_000)).unwrap_or(u32::MAX),
            PostPolicy { advice, ..post(s) },
            servers::read(s, folder, &address),
        )
    });
    let site = top.section("site", |s| folder.join(s.text("folder", Some("site"))));
    let games = top.section("games", |s| game(s, &GamePolicy::default()));
    let own = top.sections("game", |s| game(s, &games));
    let own = own.into_iter().map(|(name, policy)| (GameId::new(&name), policy)).collect();
    let policy = Policy { umpire_name: name, umpire_address: address, answers_per_hour, clock_slack, post, games, own };
    let servers::Servers { imap, smtp, oauth2 } = servers;
    Config { inbox, outbox, imap, smtp, oauth2, max_letter, poll, alert_command, alert_after, site, policy }
}

fn post(s: &mut Section<'_>) -> PostPolicy {
    let usual = PostPolicy::default();
    let days = s.number("give_up_days", usual.give_up.as_hours() / 24, 1..=30);
    let bound = |s: &mut Section<'_>, usual: u32| {
        u32::try_from(s.number("per_minute", usual.into(), 0..=100_000)).unwrap_or(usual)
    };
    let per_minute = bound(s, usual.per_minute);
    let domains = s.sections("domain", |s| bound(s, per_minute));
    let domains = domains.into_iter().map(|(name, bound)| (name.to_lowercase(), bound)).collect();
    PostPolicy { give_up: SignedDuration::from_hours(24 * days), per_minute, domains, advice: None }
}

fn game(s: &mut Section<'_>, base: &GamePolicy) -> GamePolicy {
    let hours = |s: &mut Section<'_>, key, base: SignedDuration, range| {
        SignedDuration::from_hours(s.number(key, base.as_hours(), range))
    };
    let small =
        |s: &mut Section<'_>, key, base: u16, range| u16::try_from(s.number(key, base.into(), range)).unwrap_or(base);
    GamePolicy {
        zone: s.checked("zone", Some(base.zone.clone()), "a time zone such as Europe/Stockholm", |text| {
            jiff::tz::TimeZone::get(text).ok().map(|_| text.to_owned())
        }),
        deadline_days: small(s, "deadline_days", base.deadline_days, 0..=365),
        weekdays: s.list("deadline_weekdays", &base.weekdays, "days of the week such as \"sunday\"", weekday),
        deadline_time: s.checked("deadline_hour", Some(base.deadline_time), "an hour such as \"20:00\"", |text| {
            jiff::civil::Time::strptime("%H:%M", text).ok()
        }),
        holidays: s.list(
            "holidays",
            &base.holidays,
            "days such as \"2026-12-24\" or \"2026-12-24 to 2027-01-01\", a year long at most",
            holiday,
        ),
        grace: hours(s, "grace_hours", base.grace, 0..=72),
        close_early: s.one_of("close_early", base.close_early, &[("when-ready", true), ("never", false)]),
        earliest: hours(s, "earliest_hours", base.earliest, 0..=24 * 60),
        reminders: s.list("reminders", &base.reminders, "spans such as \"48h\" or \"2d\"", span),
        absence: s.one_of(
            "absence",
            base.absence,
            &[("extend", AbsenceRule::Extend), ("standing", AbsenceRule::Standing)],
        ),
        absence_max_days: small(s, "absence_max_days", base.absence_max_days, 0..=90),
        extend_if_missing: s.text_or_number(
            "extend_if_missing",
            base.extend_if_missing,
            "\"never\", \"half\" or a number from 1",
            missing,
        ),
        extend_by: hours(s, "extend_hours", base.extend_by, 1..=24 * 14),
        extend_times: small(s, "extend_times", base.extend_times, 1..=2),
        posting: s.one_of("post", base.posting, &[("auto", Posting::Auto), ("after-review", Posting::AfterReview)]),
        challenge: hours(s, "challenge_hours", base.challenge, 0..=24 * 60),
        language: s.one_of("language", base.language, &[("english", Language::English)]),
    }
}

fn weekday(text: &str) -> Option<Weekday> {
    const DAYS: [(&str, Weekday); 7] = [
        ("monday", Weekday::Monday),
        ("tuesday", Weekday::Tuesday),
        ("wednesday", Weekday::Wednesday),
        ("thursday", Weekday::Thursday),
        ("friday", Weekday::Friday),
        ("saturday", Weekday::Saturday),
        ("sunday", Weekday::Sunday),
    ];
    DAYS.iter().find(|(name, _)| text.eq_ignore_ascii_case(name)).map(|(_, day)| *day)
}

fn holiday(text: &str) -> Option<Holiday> {
    let (first, last) = text.split_once(" to ").unwrap_or((text, text));
    let (first, last): (Date, Date) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    let days = first.until(last).ok()?.get_days();
    (0..=366).contains(&days).then_some(Holiday { first, last })
}

/// Hours and days of 24 hours: "48h", "2d", "1d12h".
fn span(text: &str) -> Option<SignedDuration> {
    let span: jiff::Span = text.parse().ok()?;
    let long = span.to_duration(jiff::SpanRelativeTo::days_are_24_hours()).ok()?;
    (long >= SignedDuration::from_mins(10) && long <= SignedDuration::from_hours(24 * 60)).then_some(long)
}

fn missing(text: &str) -> Option<Missing> {
    match text {
        "never" => Some(Missing::Never),
        "half" => Some(Missing::Half),
        number => number.parse().ok().filter(|n| *n > 0).map(Missing::Count),
    }
}

fn mail_address(text: &str) -> Option<String> {
    // Letters are sent from it and Message-IDs are made of its domain: both have to be ASCII.
    text.parse::<Mailbox>().ok().filter(|_| text.is_ascii()).map(|mailbox| mailbox.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_is_right_and_says_every_key() {
        let config = Config::parse(EXAMPLE).unwrap_or_else(|faults| panic!("{faults:#?}"));
        assert_eq!(config.policy.umpire_address, "umpire@example.org");
        assert_eq!(config.policy.games, GamePolicy::default(), "the example shows the defaults");
        for &key in KEYS {
            let said = EXAMPLE.lines().any(|line| {
                line.trim_start_matches(['#', ' ']).split_once('=').is_some_and(|(name, _)| name.trim() == key)
            });
            assert!(said, "umpire.toml says nothing of {key}");
        }
    }

    const KEYS: &[&str] = &[
        "name",
        "address",
        "advice",
        "per_minute",
        "give_up_days",
        "alert_command",
        "poll_seconds",
        "alert_after_minutes",
        "clock_jump_minutes",
        "inbox",
        "outbox",
        "max_letter_kib",
        "answers_per_hour",
        "host",
        "tls",
        "port",
        "user",
        "password_file",
        "password_command",
        "password_shell",
        "password_env",
        "oauth2",
        "processed",
        "rejected",
        "timeout_seconds",
        "tls_ca",
        "provider",
        "client_id",
        "client_secret_file",
        "tenant",
        "authorize_url",
        "device_url",
        "token_url",
        "scope",
        "token_file",
        "folder",
        "zone",
        "deadline_days",
        "deadline_weekdays",
        "deadline_hour",
        "holidays",
        "grace_hours",
        "close_early",
        "earliest_hours",
        "reminders",
        "absence",
        "absence_max_days",
        "extend_if_missing",
        "extend_hours",
        "extend_times",
        "post",
        "challenge_hours",
        "language",
    ];

    #[test]
    fn the_servers_of_the_example_are_right_when_they_are_meant() {
        let sections = EXAMPLE.split("# [mail.").skip(1).flat_map(|part| {
            let part = part.split("\n\n").next().unwrap_or_default();
            let lines = part.lines().skip(1).map(|line| line.trim_start_matches(['#', ' ']).to_owned());
            // Of several ways to log in only one can be meant.
            let lines = lines.filter(|line| {
                !["password_command", "password_shell", "password_env"].iter().any(|p| line.starts_with(p))
            });
            std::iter::once(format!("[mail.{}", part.lines().next().unwrap_or_default())).chain(lines)
        });
        let text = format!("[umpire]\naddress = \"u@example.org\"\n{}\n", sections.collect::<Vec<_>>().join("\n"));
        let config = Config::parse(&text).unwrap_or_else(|faults| panic!("{faults:#?}\n{text}"));
        let (imap, smtp, tokens) = (config.imap.unwrap(), config.smtp.unwrap(), config.oauth2.unwrap());
        let bare = "[umpire]\naddress = \"umpire@example.org\"\n[mail.imap]\nhost = \"imap.example.org\"\npassword_file = \"imap.password\"\n";
        let default = Config::parse(bare).unwrap().imap.unwrap();
        let server = crate::wire::Server { authority: None, ..imap.server.clone() };
        assert_eq!(
            (server, imap.folder, imap.processed, imap.rejected),
            (default.server, default.folder, default.processed, default.rejected)
        );
        assert_eq!((imap.login, smtp.server.port), (default.login, 587));
        assert_eq!(tokens.config().token_file, PathBuf::from("mail/oauth2.json"));
    }

    #[test]
    fn little_is_enough_and_the_rest_has_defaults() {
        let config = Config::parse("[umpire]\naddress = \"u@example.org\"\n").unwrap();
        assert_eq!((config.policy.umpire_name.as_str(), config.max_letter), ("The Umpire", 1024 * 1024));
        assert_eq!(config.policy.games, GamePolicy::default());
    }

    #[test]
    fn a_domain_may_have_a_bound_of_its_own() {
        let text = "[umpire]\naddress = \"u@example.org\"\nadvice = \"me@example.net\"\n[mail]\nper_minute = 0\n\
                    [mail.domain.\"Slow.Example.org\"]\nper_minute = 4\n";
        let post = Config::parse(text).unwrap().policy.post;
        assert_eq!((post.bound("slow.example.org"), post.bound("example.org")), (Some(4), None));
        assert_eq!(post.advice.as_deref(), Some("me@example.net"));
        let wrong = Config::parse(&text.replace("per_minute = 4", "per_hour = 4")).unwrap_err();
        assert!(wrong[0].to_string().contains("mail.domain.Slow.Example.org.per_hour"), "{wrong:?}");
    }

    #[test]
    fn a_game_of_its_own_differs_only_in_what_it_says() {
        let text = "[umpire]\naddress = \"u@example.org\"\n[games]\nzone = \"Europe/Stockholm\"\ndeadline_days = 3\n\
                    [game.livonia]\npost = \"after-review\"\n";
        let policy = Config::parse(text).unwrap().policy;
        let livonia = policy.of(&GameId::new("livonia"));
        assert_eq!((livonia.posting, livonia.deadline_days), (Posting::AfterReview, 3));
        assert_eq!(livonia.zone, "Europe/Stockholm");
        assert_eq!(policy.of(&GameId::new("other")).posting, Posting::Auto);
    }

    #[test]
    fn all_faults_come_at_once_with_their_lines() {
        let text = "[umpire]\nadress = \"u@example.org\"\n\n[games]\nzone = \"Europe/Stokholm\"\ndeadline_days = \"3\"\n\
                    post = \"later\"\nchallenge_hours = -1\n\n[sight]\n[game.livonia]\ndeadline_hour = \"8 pm\"\n";
        let faults = Config::parse(text).unwrap_err();
        let said: Vec<String> = faults.iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(said.join("\n"), @r#"
        umpire.toml:1: `umpire.address` is missing (it should be a mail address such as umpire@example.org)
        umpire.toml:2: `umpire.adress` is not a setting (did you mean `address`?)
        umpire.toml:5: `games.zone` cannot be "Europe/Stokholm" (it should be a time zone such as Europe/Stockholm)
        umpire.toml:6: `games.deadline_days` cannot be "3" (it should be a whole number from 0 to 365)
        umpire.toml:7: `games.post` cannot be "later" (it should be "auto" or "after-review")
        umpire.toml:8: `games.challenge_hours` cannot be -1 (it should be a whole number from 0 to 1440)
        umpire.toml:10: `sight` is not a setting (here may stand: umpire, serve, mail, site, games, game)
        umpire.toml:12: `game.livonia.deadline_hour` cannot be "8 pm" (it should be an hour such as "20:00")
        "#);
    }

    #[test]
    fn time_is_told_in_days_hours_and_words() {
        let text = "[umpire]\naddress = \"u@example.org\"\nadvice = \"me@example.org\"\n[games]\n\
                    deadline_weekdays = [\"Sunday\", \"wednesday\"]\nholidays = [\"2026-12-24 to 2027-01-01\", \"2027-04-04\"]\n\
                    reminders = [\"2d\", \"90m\"]\nextend_if_missing = 3\n[game.duel]\nextend_if_missing = \"half\"\nreminders = []\n";
        let policy = Config::parse(text).unwrap().policy;
        assert_eq!(policy.post.advice.as_deref(), Some("me@example.org"));
        assert_eq!(policy.games.weekdays, [Weekday::Sunday, Weekday::Wednesday]);
        assert_eq!(
            policy.games.holidays.iter().map(|h| h.last.to_string()).collect::<Vec<_>>(),
            ["2027-01-01", "2027-04-04"]
        );
        assert_eq!(policy.games.reminders, [SignedDuration::from_hours(48), SignedDuration::from_mins(90)]);
        assert_eq!(policy.games.extend_if_missing, Missing::Count(3));
        let duel = policy.of(&GameId::new("duel"));
        assert_eq!((duel.extend_if_missing, duel.reminders.len(), duel.weekdays.len()), (Missing::Half, 0, 2));
    }

    #[test]
    fn wrong_times_are_said_with_their_lines() {
        let text = "[umpire]\naddress = \"u@example.org\"\n[games]\ndeadline_weekdays = \"sunday\"\n\
                    holidays = [\"2027-01-01 to 2026-12-24\"]\nreminders = [\"48h\", \"soon\"]\nextend_if_missing = 0\n\
                    deadline_weekdays_ = []\nextend_times = 3\n";
        let said: Vec<String> = Config::parse(text).unwrap_err().iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(said.join("\n"), @r#"
        umpire.toml:4: `games.deadline_weekdays` is a list (it should be a list of days of the week such as "sunday", in brackets)
        umpire.toml:5: `games.holidays` cannot hold "2027-01-01 to 2026-12-24" (it should hold days such as "2026-12-24" or "2026-12-24 to 2027-01-01", a year long at most)
        umpire.toml:6: `games.reminders` cannot hold "soon" (it should hold spans such as "48h" or "2d")
        umpire.toml:7: `games.extend_if_missing` cannot be 0 (it should be "never", "half" or a number from 1)
        umpire.toml:8: `games.deadline_weekdays_` is not a setting (did you mean `deadline_weekdays`?)
        umpire.toml:9: `games.extend_times` cannot be 3 (it should be a whole number from 1 to 2)
        "#);
    }

    #[test]
    fn broken_toml_is_said_with_its_line() {
        let faults = Config::parse("[umpire]\naddress = \n").unwrap_err();
        assert_eq!((faults[0].file.as_str(), faults[0].line), (FILE, 2), "{faults:?}");
    }

    #[test]
    fn paths_count_from_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(Config::load(dir.path()), Err(ConfigError::Unreadable { .. })));
        std::fs::write(dir.path().join(FILE), "[umpire]\naddress = \"u@example.org\"\n[site]\nfolder = \"/srv/www\"\n")
            .unwrap();
        let config = Config::load(dir.path()).unwrap();
        assert_eq!((config.inbox, config.site), (dir.path().join("mail/inbox"), PathBuf::from("/srv/www")));
    }
}
