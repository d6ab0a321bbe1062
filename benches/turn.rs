//! What a letter, a season, a turn and a replay cost. Each measurement asserts its answer first, so that no figure is
//! ever of something that did not happen. Figures and machine: `benches/README.md`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use cpu_time::ProcessTime;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;
use umpire::campaign::{self, CampaignFiles};
use umpire::daemon::{self, Folder};
use umpire::desk::{Incoming, NewGame};
use umpire::engine::{
    Dice, GameId, Inputs, JsonInputs, LetterNo, Orders, Player, Rules, SeatId, Secret, Sheet, TextLine, TurnNo,
    TurnSecret, Viewer, working,
};
use umpire::mail;
use umpire::rules;
use umpire::rules::season::{Season, setup, state::State};

const START: &str = "2027-01-05T09:00:00Z";

fn start() -> Timestamp {
    START.parse().unwrap()
}

/// The small campaign: three seats, 60 hexes.
const SMALL: &str = "livonia-1700";
/// The great one: eight seats, 1,244 hexes.
const GREAT: &str = "great-northern-war-1700";

fn files(campaign: &str) -> CampaignFiles {
    campaign::find(campaign, None).unwrap()
}

/// A folder with a campaign open for its players.
fn folder(campaign: CampaignFiles) -> (TempDir, Folder) {
    let dir = tempfile::tempdir().unwrap();
    Folder::create_with(dir.path(), umpire::config::EXAMPLE, &Secret::from_bytes([1; 32])).unwrap();
    let mut folder = Folder::open(dir.path()).unwrap();
    let players: BTreeMap<SeatId, Player> =
        toml::from_str(campaign::sample_file(&campaign.name, "players.toml").unwrap()).unwrap();
    let new = NewGame {
        game: GameId::new(campaign.name.trim_end_matches("-1700")),
        campaign,
        players,
        zone: None,
        secret: Some(Secret::from_bytes([2; 32])),
    };
    folder.desk.open_game(&new, start()).unwrap();
    (dir, folder)
}

fn spring_letters(campaign: &str) -> Vec<(SeatId, &'static [u8])> {
    let letters = campaign::sample_letters(campaign);
    letters["spring-1700"].iter().map(|letter| (letter.seat(), letter.raw)).collect()
}

/// The board after the opening deal, and the orders of the sample letters for Spring.
fn spring(campaign: &str) -> (State, Orders<<Season as Rules>::Order>) {
    let files = files(campaign).files;
    let mut game = rules::start("season", &files).unwrap();
    let secret = Secret::from_bytes([2; 32]);
    let dealt = game.opening(Dice::new(TurnNo(0), TurnSecret::of(&secret, TurnNo(0)))).unwrap();
    game.fold(&dealt).unwrap();
    let mut state = setup::open(setup::load(&files).unwrap());
    for event in &dealt {
        Season::apply(&mut state, &serde_json::from_value(event.event.clone()).unwrap());
    }
    let mut orders = Orders::new();
    for (seat, raw) in spring_letters(campaign) {
        let words = mail::read(raw).words;
        let lines: Vec<TextLine> =
            words.lines.iter().map(|l| TextLine { number: l.number as u32, text: l.text.clone() }).collect();
        let view = Season::view(&state, &Viewer::Seat(seat.clone()));
        let mut sheet = Sheet::default();
        sheet.take(LetterNo(1), Season::read(&view, &seat, LetterNo(1), &lines), Season::supersede);
        Season::weigh(&view, &seat, &mut sheet);
        assert!(sheet.orders.len() >= 2, "{seat}: {} orders", sheet.orders.len());
        orders.insert(seat, sheet.orders.into_iter().filter(|held| held.out_of_force.is_none()).collect());
    }
    (state, orders)
}

/// Processor time of this process: what a letter costs apart from waiting for the disk.
struct CpuTime;

impl Measurement for CpuTime {
    type Intermediate = ProcessTime;
    type Value = Duration;

    fn start(&self) -> ProcessTime {
        ProcessTime::now()
    }

    fn end(&self, begun: ProcessTime) -> Duration {
        begun.elapsed()
    }

    fn add(&self, a: &Duration, b: &Duration) -> Duration {
        *a + *b
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        WallTime.to_f64(value)
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}

fn letter_on_the_clock(c: &mut Criterion) {
    letter_to_acknowledgement(c, SMALL, "by the clock");
}

fn letter_on_the_processor(c: &mut Criterion<CpuTime>) {
    for campaign in [SMALL, GREAT] {
        letter_to_acknowledgement(c, campaign, "processor time");
    }
}

/// One letter, as a daemon finds it: the folder open, nothing of this game in memory yet.
fn letter_to_acknowledgement<M: Measurement + 'static>(c: &mut Criterion<M>, campaign: &str, how: &str) {
    let (_, raw) = spring_letters(campaign).into_iter().find(|(seat, _)| seat.as_str() == "sweden").unwrap();
    c.bench_function(&format!("letter -> acknowledgement, durable, {campaign}: {how}"), |b| {
        b.iter_batched(
            || folder(files(campaign)),
            |(_dir, mut folder)| {
                let letter = Incoming { mailbox: "bench", unique_name: "l1", received: start(), raw, cut: false };
                let no = folder.desk.receive(&letter, start()).unwrap().no();
                let handled = folder.desk.handle(no, start()).unwrap();
                assert!(handled.note.contains("orders in force"), "{}", handled.note);
                (_dir, folder)
            },
            BatchSize::PerIteration,
        );
    });
}

fn board(c: &mut Criterion) {
    for (campaign, hexes) in [(SMALL, 60), (GREAT, 1_200)] {
        let files = files(campaign).files;
        c.bench_function(&format!("{campaign} loaded and checked"), |b| {
            b.iter(|| assert!(setup::load(black_box(&files)).unwrap().board.hexes.len() >= hexes));
        });
    }
}

fn season(c: &mut Criterion) {
    for campaign in [SMALL, GREAT] {
        season_of(c, campaign);
    }
}

fn season_of(c: &mut Criterion, campaign: &str) {
    let (state, orders) = spring(campaign);
    let once = |state: &State| {
        let mut state = state.clone();
        let inputs = Inputs { orders: orders.clone(), rulings: Vec::new() };
        let mut dice = Dice::new(TurnNo(1), TurnSecret::of(&Secret::from_bytes([2; 32]), TurnNo(1)));
        working::adjudicate::<Season>(&mut state, &inputs, &mut dice).events.len()
    };
    let events = once(&state);
    assert!(events > 30, "{events} events");
    c.bench_function(&format!("a season of {campaign} adjudicated"), |b| {
        b.iter(|| assert_eq!(once(black_box(&state)), events));
    });
}

fn copy_tree(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_tree(&path, &target);
        } else {
            std::fs::copy(&path, &target).unwrap();
        }
    }
}

fn full_turn(c: &mut Criterion) {
    for campaign in [SMALL, GREAT] {
        full_turn_of(c, campaign);
    }
}

fn full_turn_of(c: &mut Criterion, campaign: &str) {
    let (dir, mut open) = folder(files(campaign));
    let letters = spring_letters(campaign);
    let seats = letters.len();
    for (seat, raw) in letters {
        mail::deliver(&open.config.inbox, &format!("{seat}.bench"), raw, start()).unwrap();
    }
    assert_eq!(daemon::pass(&mut open, start() + SignedDuration::from_hours(1)).letters.len(), seats);
    drop(open);
    c.bench_function(&format!("a turn of {campaign} closed: adjudicated, all letters, all pages"), |b| {
        b.iter_batched(
            || {
                let copy = tempfile::tempdir().unwrap();
                copy_tree(dir.path(), copy.path());
                let folder = Folder::open(copy.path()).unwrap();
                (copy, folder)
            },
            |(_copy, mut folder)| {
                let pass = daemon::pass(&mut folder, start() + SignedDuration::from_hours(24 * 8));
                assert_eq!((pass.closed.len(), pass.failures.len()), (1, 0));
                assert!(pass.sent >= seats && pass.pages >= 3);
            },
            BatchSize::PerIteration,
        );
    });
}

fn replay(c: &mut Criterion) {
    let mut campaign = files(SMALL);
    let text = campaign.files["campaign.toml"].replacen("years = 2", "years = 20", 1);
    campaign.files.insert("campaign.toml".to_owned(), text);
    let mut game = rules::start("season", &campaign.files).unwrap();
    let secret = Secret::from_bytes([2; 32]);
    let mut turns = Vec::new();
    while !game.expects().over {
        let turn = game.expects().turn;
        let dice = Dice::new(turn, TurnSecret::of(&secret, turn));
        let events = game.adjudicate(&JsonInputs::default(), dice).unwrap().events;
        game.fold(&events).unwrap();
        turns.push((turn, events));
    }
    assert_eq!(turns.len(), 80);
    c.bench_function("80 quiet turns of the small campaign replayed and compared", |b| {
        b.iter(|| {
            let mut game = rules::start("season", &campaign.files).unwrap();
            for (turn, events) in &turns {
                let again =
                    game.adjudicate(&JsonInputs::default(), Dice::new(*turn, TurnSecret::of(&secret, *turn))).unwrap();
                assert_eq!(again.events, *events);
                game.fold(events).unwrap();
            }
        });
    });
}

criterion_group!(benches, letter_on_the_clock, board, season, full_turn, replay);
criterion_group! {
    name = processor;
    config = Criterion::default().with_measurement(CpuTime);
    targets = letter_on_the_processor
}
criterion_main!(benches, processor);
