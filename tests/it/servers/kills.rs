//! `umpire serve` is killed at random points of its work, over real servers, while letters come in and turns close; started again,
//! it loses nothing and does nothing twice.
//!
//! `UMPIRE_KILLS` says how often (15), `UMPIRE_KILL_SEED` where the chances begin (1). Every so often it may live until all is done: letters
//! that pile up would be all that it ever dies over, and it has to die over all of its work. What it died over is looked at, too.

use super::pair::{Pair, now};
use crate::counts::{Counts, readjudicated};
use crate::house::served::Serving;
use crate::waiting::wait_for;
use jiff::{SignedDuration, Timestamp};
use lettre::address::Envelope;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::{SmtpTransport, Transport};
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use umpire::campaign;
use umpire::daemon::Folder;
use umpire::desk::NewGame;
use umpire::engine::{GameId, Player, SeatId};
use umpire::mail;

const SEATS: [(&str, &str); 3] = [("astrid", "sweden"), ("pavel", "russia"), ("august", "saxony_poland")];
/// A game closes about every so many kills.
const KILLS_A_GAME: usize = 10;
/// After so many kills the daemon may live until all is done.
const KILLS_A_REST: usize = 5;
/// For so long at most a thousand kills may leave something to be done.
const LONG: Duration = Duration::from_secs(600);
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

/// Over what the daemon died, where that was looked at: letters only fetched and letters only written at its deaths, and what it had
/// got done in short lives.
#[derive(Default, Debug)]
struct Deaths {
    unread: usize,
    unsent: usize,
    read: usize,
    sent: usize,
    closed: usize,
}

impl Deaths {
    /// What is done, in the whole: letters read, letters sent, turns closed.
    fn done(store: &Connection) -> [usize; 3] {
        [
            "SELECT count(*) FROM intake WHERE outcome IS NOT NULL",
            "SELECT count(*) FROM outbox WHERE sent IS NOT NULL",
            "SELECT count(*) FROM journal WHERE json_extract(fact, '$.fact') = 'adjudicated'",
        ]
        .map(|sql| count(store, sql))
    }

    /// Looks at the file after a death; `before` is what was done when the daemon last was at rest.
    fn look(&mut self, store: &Connection, before: [usize; 3]) {
        let [read, sent, closed] = Self::done(store);
        self.read += read - before[0];
        self.sent += sent - before[1];
        self.closed += closed - before[2];
        self.unread += count(store, "SELECT count(*) FROM intake WHERE outcome IS NULL");
        self.unsent += count(store, "SELECT count(*) FROM outbox WHERE sent IS NULL AND gave_up IS NULL");
    }
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
            "[umpire]\naddress = \"umpire@example.org\"\n[serve]\npoll_seconds = 1\n[games]\nreminders = []\n\
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
        let begin = now() + AHEAD + SignedDuration::from_secs(1) * i32::try_from(games).unwrap();
        let closes = (1..).zip(closes).map(|(no, game)| {
            let at = begin + SignedDuration::try_from(every * no).unwrap();
            folder.desk.extend(&game, at, "so that this test is soon over", opened).unwrap();
            (game, at)
        });
        let closes = closes.collect();
        drop(folder);
        Self { dir, closes }
    }

    /// Begins to serve. Dropped, it ends by SIGKILL: no destructor runs.
    fn serve(&self) -> Serving {
        let log = self.dir.join("run.err");
        let file = std::fs::File::options().create(true).append(true).open(&log).unwrap();
        let mut umpire = Command::new(env!("CARGO_BIN_EXE_umpire"));
        Serving::begun(
            umpire.arg("-C").arg(&self.dir).arg("serve").stdin(Stdio::null()).stdout(Stdio::null()),
            file,
            log,
        )
    }

    /// Lets the daemon work until so many letters are answered and nothing waits.
    fn work_off(&self, letters: usize) {
        let _daemon = self.serve();
        let store = self.store();
        wait_for(LONG, "answers to all letters", || {
            let handled = count(&store, "SELECT count(*) FROM intake WHERE outcome IS NOT NULL");
            let waiting = count(&store, "SELECT count(*) FROM outbox WHERE sent IS NULL AND gave_up IS NULL");
            (handled >= letters && waiting == 0).then_some(())
        });
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

#[test]
fn killed_at_random_over_real_servers_nothing_is_lost_or_done_twice() {
    let Some(pair) = Pair::start() else { return };
    let kills = usize::try_from(from_environment("UMPIRE_KILLS", 15)).unwrap();
    let seed = from_environment("UMPIRE_KILL_SEED", 1);
    let mut chance = Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let campaign = Campaign::new(&pair, kills / KILLS_A_GAME + 1, Duration::from_millis(600) * KILLS_A_GAME as u32);
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
    campaign.work_off(0);
    // The shortest of three: what else the machine does must not make its lives so long that it dies of nothing but boredom.
    let lives = (1..=3).map(|letters| {
        write(&mut sent, SEATS[letters - 1].0);
        #[expect(clippy::disallowed_methods, reason = "it is a stopwatch")]
        let begin = Instant::now();
        campaign.work_off(letters);
        begin.elapsed()
    });
    let span = lives.min().unwrap() * 3 / 2;
    let (mut deaths, mut before) = (Deaths::default(), Deaths::done(&campaign.store()));
    for no in 1..=kills {
        for _ in 0..=chance.below(2) {
            write(&mut sent, SEATS[chance.below(3) as usize].0);
        }
        let daemon = campaign.serve();
        std::thread::sleep(Duration::from_micros(chance.below(span.as_micros() as u64)));
        drop(daemon);
        if no % KILLS_A_REST == 0 {
            // Only now: who opens SQLite's file mends it, and that the daemon has to do itself.
            deaths.look(&campaign.store(), before);
            campaign.work_off(sent.len());
            before = Deaths::done(&campaign.store());
        }
        if no % 100 == 0 {
            eprintln!("{no} kills, {} letters; {deaths:?}", sent.len());
        }
    }
    come_to_rest(&pair, &campaign);
    let counts = counted(&pair, &campaign, kills, &sent);
    eprintln!("a kill within {span:?} of each start; {deaths:?}");
    assert!(deaths.read > 0 && deaths.sent > 0, "it always died before it had done anything: {deaths:?}");
    assert!(sent.len() >= kills / 2, "all games had closed before it was killed {kills} times");
    counts.row(&format!("kill -9 at random, {} games (seed {seed})", campaign.closes.len()));
}

/// Lets the daemon work until nothing is left to do.
fn come_to_rest(pair: &Pair, campaign: &Campaign) {
    let daemon = campaign.serve();
    let last = campaign.closes.iter().map(|(_, at)| *at).max().unwrap();
    while now() < last {
        std::thread::sleep(Duration::from_millis(200));
    }
    let store = campaign.store();
    wait_for(LONG, "everything to be done", || {
        let open = count(
            &store,
            "SELECT count(*) FROM game WHERE id NOT IN (SELECT game FROM journal WHERE fact LIKE '{\"fact\":\"announced\"%')",
        );
        let waiting = count(&store, "SELECT count(*) FROM outbox WHERE sent IS NULL AND gave_up IS NULL");
        (open + waiting == 0 && pair.mailbox("umpire", "INBOX").is_empty()).then_some(())
    });
    drop(daemon);
}

fn counted(pair: &Pair, campaign: &Campaign, struck: usize, sent: &[Sent]) -> Counts {
    let mut counts = Counts { struck, letters: sent.len(), ..Counts::default() };
    let store = campaign.store();
    // What is under way to the players' mailboxes arrives.
    let gone = count(&store, "SELECT count(*) FROM outbox WHERE sent IS NOT NULL");
    let mut boxes = BTreeMap::new();
    wait_for(LONG, "the last letters", || {
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
