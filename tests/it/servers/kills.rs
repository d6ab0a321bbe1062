//! `umpire serve` is killed at random points of its work, over real servers, while letters come in and turns close; started again,
//! it loses nothing and does nothing twice.
//!
//! `UMPIRE_KILLS` says how often (15), `UMPIRE_KILL_SEED` where the chances begin (1).

use super::pair::{Pair, now};
use crate::counts::{Counts, readjudicated};
use jiff::{SignedDuration, Timestamp};
use lettre::address::Envelope;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::{SmtpTransport, Transport};
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use umpire::campaign;
use umpire::daemon::Folder;
use umpire::desk::NewGame;
use umpire::engine::{GameId, Player, SeatId};
use umpire::mail;

const SEATS: [(&str, &str); 3] = [("astrid", "sweden"), ("pavel", "russia"), ("august", "saxony_poland")];
/// A game closes about every so many kills.
const KILLS_A_GAME: usize = 8;
/// A letter is sent only if it has so long to arrive before orders close: what is counted is the umpire's fault alone.
const AHEAD: SignedDuration = SignedDuration::from_secs(3);

/// Chances that can be had again: xorshift64* (Vigna 2016).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) % bound.max(1)
    }
}

fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap())
}

/// A player's way to the server: submission over TLS, with his password.
fn way(pair: &Pair, user: &str) -> SmtpTransport {
    let authority = Certificate::from_pem(&std::fs::read(pair.authority()).unwrap()).unwrap();
    let tls = TlsParameters::builder("localhost".to_owned()).add_root_certificate(authority).build().unwrap();
    SmtpTransport::builder_dangerous("localhost")
        .port(pair.submissions)
        .tls(Tls::Wrapper(tls))
        .credentials(Credentials::new(format!("{user}@example.org"), format!("{user}-password")))
        .build()
}

struct Sent {
    id: String,
    user: &'static str,
}

struct Campaign {
    dir: PathBuf,
    /// When orders of each game close.
    closes: Vec<(GameId, Timestamp)>,
}

impl Campaign {
    /// A folder with so many games, whose orders close one after another, `every` apart.
    fn new(pair: &Pair, games: usize, every: Duration) -> Self {
        let dir = pair.dir().join("play");
        let config = format!(
            "[umpire]\naddress = \"umpire@example.org\"\n[serve]\npoll_seconds = 1\n\
             [mail]\nanswers_per_hour = 10000\nper_minute = 0\n{}",
            pair.toml()
        );
        Folder::create(&dir, &config).unwrap();
        let mut folder = Folder::open(&dir).unwrap();
        let files = campaign::find("livonia-1700", None).unwrap();
        let opened = now() - SignedDuration::from_hours(24 * 30);
        let mut closes = Vec::new();
        for no in 0..games {
            let player = |name: &str| Player {
                name: name.to_owned(),
                address: format!("{name}@example.org"),
                zone: "Europe/Stockholm".to_owned(),
            };
            let game = GameId::new(&format!("g{no}"));
            let new = NewGame {
                game: game.clone(),
                campaign: files.clone(),
                players: SEATS.iter().map(|(name, seat)| (SeatId::new(seat), player(name))).collect(),
                zone: Some("UTC".to_owned()),
                secret: None,
            };
            folder.desk.open_game(&new, opened).unwrap();
            closes.push(game);
        }
        // The welcomes leave first.
        let begin = now() + AHEAD + SignedDuration::from_millis(400) * i32::try_from(games).unwrap();
        let closes = (1..).zip(closes).map(|(no, game)| {
            let at = begin + SignedDuration::try_from(every * no).unwrap();
            folder.desk.extend(&game, at, "so that this test is soon over", opened).unwrap();
            (game, at)
        });
        let closes = closes.collect();
        drop(folder);
        Self { dir, closes }
    }

    fn serve(&self) -> Child {
        let log = std::fs::File::options().create(true).append(true).open(self.dir.join("run.err")).unwrap();
        Command::new(env!("CARGO_BIN_EXE_umpire"))
            .arg("-C")
            .arg(&self.dir)
            .arg("serve")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::from(log))
            .spawn()
            .unwrap()
    }

    /// A game that takes orders for long enough still.
    fn open(&self) -> Option<&GameId> {
        self.closes.iter().find(|(_, at)| *at > now() + AHEAD).map(|(game, _)| game)
    }

    fn store(&self) -> Connection {
        let store = Connection::open(self.dir.join("umpire.sqlite")).unwrap();
        store.busy_timeout(Duration::from_secs(10)).unwrap();
        store
    }
}

/// A Message-ID without its brackets.
fn bare(id: &str) -> &str {
    id.trim_matches(['<', '>'])
}

fn count(store: &Connection, sql: &str) -> usize {
    store.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap().unsigned_abs() as usize
}

fn orders(no: usize, user: &str, game: &GameId) -> (String, String) {
    let id = format!("<{no}.{user}@example.org>");
    let buys = no % 3 + 1;
    let raw = format!(
        "From: {user}@example.org\r\nTo: umpire@example.org\r\nSubject: [{game}] orders\r\nMessage-ID: {id}\r\n\r\n\
         Dear umpire,\r\nbuy {buys} infantry\r\n"
    );
    (id, raw)
}

/// Starts the daemon, and kills it when it has run for so long (SIGKILL: no destructor runs).
fn killed(campaign: &Campaign, after: Duration) {
    let mut daemon = campaign.serve();
    std::thread::sleep(after);
    daemon.kill().unwrap();
    daemon.wait().unwrap();
}

/// As [`wait_until`], for as long as a thousand kills may leave to be done.
fn wait_long<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    for _ in 0..3_000 {
        if let Some(answer) = ask() {
            return answer;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    panic!("waited in vain for {what}");
}

/// Sends the welcomes, and measures how long a daemon takes from its start to the answer to a letter.
fn measured(pair: &Pair, campaign: &Campaign, ask: impl FnOnce()) -> Duration {
    let serve_until_empty = || {
        let mut daemon = campaign.serve();
        let store = campaign.store();
        wait_long("an empty outbox", || {
            let waits = count(&store, "SELECT count(*) FROM outbox WHERE sent IS NULL AND gave_up IS NULL");
            (waits == 0 && pair.mailbox("umpire", "INBOX").is_empty()).then_some(())
        });
        daemon.kill().unwrap();
        daemon.wait().unwrap();
    };
    serve_until_empty();
    ask();
    #[expect(clippy::disallowed_methods, reason = "it is a stopwatch")]
    let begin = Instant::now();
    serve_until_empty();
    begin.elapsed()
}

#[test]
fn killed_at_random_over_real_servers_nothing_is_lost_or_done_twice() {
    let Some(pair) = Pair::start() else { return };
    let kills = usize::try_from(from_environment("UMPIRE_KILLS", 15)).unwrap();
    let seed = from_environment("UMPIRE_KILL_SEED", 1);
    let mut chance = Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let campaign = Campaign::new(&pair, kills / KILLS_A_GAME + 1, Duration::from_millis(700) * KILLS_A_GAME as u32);
    let ways: BTreeMap<&str, SmtpTransport> = SEATS.iter().map(|(user, _)| (*user, way(&pair, user))).collect();
    let mut sent = Vec::new();
    let write = |sent: &mut Vec<Sent>, user: &'static str| {
        let Some(game) = campaign.open() else { return };
        let (id, raw) = orders(sent.len(), user, game);
        let envelope = format!("{user}@example.org").parse().unwrap();
        let envelope = Envelope::new(Some(envelope), vec!["umpire@example.org".parse().unwrap()]).unwrap();
        // Every third letter comes twice, as letters do.
        for _ in 0..=usize::from(sent.len() % 3 == 2) {
            ways[user].send_raw(&envelope, raw.as_bytes()).unwrap();
        }
        sent.push(Sent { id, user });
    };
    let span = measured(&pair, &campaign, || write(&mut sent, "astrid")) * 3 / 2;
    for no in 0..kills {
        for _ in 0..=chance.below(2) {
            write(&mut sent, SEATS[chance.below(3) as usize].0);
        }
        killed(&campaign, Duration::from_micros(chance.below(span.as_micros() as u64)));
        if no % 100 == 99 {
            eprintln!("{} kills, {} letters", no + 1, sent.len());
        }
    }
    come_to_rest(&pair, &campaign);
    let counts = counted(&pair, &campaign, kills, &sent);
    counts.row(&format!("kill -9 at random, {} games (seed {seed})", campaign.closes.len()));
}

/// Lets the daemon work until nothing is left to do.
fn come_to_rest(pair: &Pair, campaign: &Campaign) {
    let mut daemon = campaign.serve();
    let last = campaign.closes.iter().map(|(_, at)| *at).max().unwrap();
    while now() < last {
        std::thread::sleep(Duration::from_millis(200));
    }
    let store = campaign.store();
    wait_long("everything to be done", || {
        let open = count(
            &store,
            "SELECT count(*) FROM game WHERE id NOT IN (SELECT game FROM journal WHERE fact LIKE '{\"fact\":\"announced\"%')",
        );
        let waiting = count(&store, "SELECT count(*) FROM outbox WHERE sent IS NULL AND gave_up IS NULL");
        (open + waiting == 0 && pair.mailbox("umpire", "INBOX").is_empty()).then_some(())
    });
    daemon.kill().unwrap();
    daemon.wait().unwrap();
}

fn counted(pair: &Pair, campaign: &Campaign, struck: usize, sent: &[Sent]) -> Counts {
    let mut counts = Counts { struck, letters: sent.len(), ..Counts::default() };
    let store = campaign.store();
    // What is under way to the players' mailboxes arrives.
    let gone = count(&store, "SELECT count(*) FROM outbox WHERE sent IS NOT NULL");
    let mut boxes = BTreeMap::new();
    wait_long("the last letters", || {
        boxes = SEATS.iter().map(|(user, _)| (*user, pair.mailbox(user, "INBOX"))).collect();
        let ids: BTreeSet<String> = boxes.values().flatten().filter_map(|raw| mail::read(raw).message_id).collect();
        (ids.len() >= gone).then_some(())
    });
    let mut answers: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut arrived = BTreeSet::new();
    for raw in boxes.values().flatten() {
        let letter = mail::read(raw);
        let id = letter.message_id.unwrap();
        for answered in &letter.in_reply_to {
            answers.entry(answered.clone()).or_default().insert(id.clone());
        }
        counts.again += usize::from(!arrived.insert(id));
    }
    for Sent { id, user } in sent {
        let own = answers.get(bare(id)).map_or(0, BTreeSet::len);
        counts.twice += own.saturating_sub(1);
        if own > 0 || replaced(&store, id, &arrived) {
            counts.settled += 1;
        } else {
            counts.lost += 1;
            eprintln!("nothing came of {id} of {user}: {}", trail(&store, id));
        }
        let sql = format!("SELECT count(*) FROM intake WHERE message_id = '{id}' AND outcome = 'orders'");
        counts.unread += usize::from(count(&store, &sql) != 1);
    }
    counts.readjudicated = readjudicated(&store);
    drop(store);
    verified(campaign, counts);
    counts
}

/// What the store holds of the answers to a letter, for whoever has to find out why one did not come.
fn trail(store: &Connection, id: &str) -> String {
    let sql = "SELECT coalesce(group_concat(o.id || ' ' || o.kind || ' sent ' || coalesce(o.sent, '-') || ' dropped '
                 || coalesce(o.dropped_why, '-') || ' by ' || coalesce(o.dropped_by, '-'), '; '), 'no answer was written')
               FROM outbox AS o JOIN intake AS i ON o.cause = 'letter ' || i.no WHERE i.message_id = ?1";
    store.query_row(sql, [id], |row| row.get(0)).unwrap()
}

/// Whether the acknowledgement of a letter was dropped for a newer one, and that one, or the one that took its place, arrived.
fn replaced(store: &Connection, id: &str, arrived: &BTreeSet<String>) -> bool {
    let sql = "WITH RECURSIVE chain(id) AS (
                 SELECT o.dropped_by FROM outbox AS o JOIN intake AS i ON o.cause = 'letter ' || i.no WHERE i.message_id = ?1
                 UNION SELECT o.dropped_by FROM outbox AS o JOIN chain ON o.id = chain.id)
               SELECT message_id FROM outbox WHERE id IN chain AND sent IS NOT NULL";
    let mut query = store.prepare(sql).unwrap();
    let found: Vec<String> = query.query_map([id], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    found.iter().any(|id| arrived.contains(bare(id)))
}

/// Every turn comes out the same again, the file is sound, and each game's three players have one letter of results each.
fn verified(campaign: &Campaign, counts: Counts) {
    let mut folder = Folder::open(&campaign.dir).unwrap();
    assert_eq!(folder.desk.integrity().unwrap(), "ok", "{counts:?}");
    for (game, _) in &campaign.closes {
        assert!(folder.desk.verify(game, now()).unwrap().is_sound(), "{game}: {counts:?}");
    }
    let results = count(&campaign.store(), "SELECT count(*) FROM outbox WHERE kind = 'results' AND sent IS NOT NULL");
    assert_eq!(results, SEATS.len() * campaign.closes.len(), "{counts:?}");
    assert!(no_errors(&campaign.dir), "see {}", campaign.dir.join("run.err").display());
}

/// The daemon met nothing that it could not do: death is none of its errors.
fn no_errors(dir: &Path) -> bool {
    let log = std::fs::read_to_string(dir.join("run.err")).unwrap();
    let errors: Vec<&str> = log.lines().filter(|line| line.starts_with("<3>") || line.contains("panicked")).collect();
    errors.iter().for_each(|line| eprintln!("{line}"));
    errors.is_empty()
}
