//! The umpire rules. A ruling is shown first: which reports would differ, which dice stay. It is then appended, and the turn is
//! adjudicated again as the next issue; nothing is edited.

use super::announce;
use super::close::{self, WorkedOut};
use super::difference::{self, DiceCount, ReportsBefore};
use super::enrol::check_seat;
use super::orders;
use super::room::Room;
use super::table::{Table, rules_of};
use super::{Desk, DeskError};
use crate::engine::ruling::RulingKind;
use crate::engine::sheet::Complaint;
use crate::engine::{
    DieKey, Entry, EventNo, Fact, GameId, Held, Issue, IssueNo, JsonEvent, JsonRuling, LetterNo, Ruling, RulingNo,
    SeatId, Sheet, Source, Stage, StepName, TurnNo, Viewer,
};
use crate::results::entry::sentence;
use crate::results::facts::RulingText;
use jiff::Timestamp;
use serde_json::Value;

/// What the umpire wants, in the numbers and words that he has before him.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RulingWish {
    /// An order is void: its number in the seat's sheet as acknowledged.
    Strike {
        /// Whose.
        seat: SeatId,
        /// Its number, from 1.
        order: u32,
    },
    /// An order is admitted, in words.
    Admit {
        /// Whose.
        seat: SeatId,
        /// The order.
        words: String,
    },
    /// A die of an event is set to a face.
    FixDie {
        /// The event's number in the report.
        event: EventNo,
        /// For a number like s3: in whose report.
        seat: Option<SeatId>,
        /// Which of the event's dice, from 1.
        die: usize,
        /// The face, 1 to 6.
        face: u8,
    },
    /// A volley of an event is thrown again.
    Reroll {
        /// The event's number in the report.
        event: EventNo,
        /// For a number like s3: in whose report.
        seat: Option<SeatId>,
        /// Which of the event's volleys, from 1.
        volley: usize,
    },
    /// Something happens, in words.
    Impose {
        /// What.
        words: String,
        /// The step after which it happens, if not the usual one.
        after: Option<StepName>,
    },
    /// An earlier ruling no longer stands.
    Withdraw {
        /// Which.
        ruling: RulingNo,
    },
}

/// What a ruling would change. Nothing has been written.
#[derive(Clone, PartialEq, Debug)]
pub struct Preview {
    /// The turn.
    pub turn: TurnNo,
    /// The ruling in words.
    pub what: String,
    /// Set if its outcome cannot be shown: a die is yet to be thrown, or the turn is not closed. Why, a sentence.
    pub hidden: Option<String>,
    /// Seats whose report would differ.
    pub seats: Vec<SeatId>,
    /// The public page would differ.
    pub public: bool,
    /// What would be told differently: number, as it stands, as it would be; empty for nothing.
    pub lines: Vec<(EventNo, String, String)>,
    /// The dice.
    pub dice: DiceCount,
    /// The issue that it would make.
    pub issue: IssueNo,
    /// Set if challenges would be taken anew: until when, if it were ruled now.
    pub until: Option<Timestamp>,
}

/// What a ruling came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ruled {
    /// Its number.
    pub ruling: RulingNo,
    /// The turn.
    pub turn: TurnNo,
    /// The issue that it made; `None` if it changed nothing, or the turn is not closed.
    pub issue: Option<IssueNo>,
    /// Seats that got a corrected issue.
    pub seats: Vec<SeatId>,
    /// When challenges close now; `None` if nothing is posted.
    pub until: Option<Timestamp>,
    /// Seats whose orders for the next turn read differently now; they have been told.
    pub orders_changed: Vec<SeatId>,
}

impl Desk {
    /// Shows what a ruling on a turn (the oldest that is not official, if none is named) would change.
    ///
    /// # Errors
    /// If the ruling is impossible; the text says why, and what would be understood.
    pub fn preview_ruling(
        &mut self,
        game: &GameId,
        turn: Option<TurnNo>,
        wish: &RulingWish,
        now: Timestamp,
    ) -> Result<Preview, DeskError> {
        self.look(now, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            let turn = turn_to_rule_on(table, turn)?;
            let ruling = resolve(table, turn, wish)?;
            preview(room, table, turn, ruling)
        })
    }

    /// Rules on a turn (the oldest that is not official, if none is named): appends the ruling, adjudicates again, posts the
    /// corrected issue, and looks at the next turn's orders again.
    ///
    /// # Errors
    /// If the ruling is impossible, or has no reason.
    pub fn rule(
        &mut self,
        game: &GameId,
        turn: Option<TurnNo>,
        wish: &RulingWish,
        reason: &str,
        now: Timestamp,
    ) -> Result<Ruled, DeskError> {
        if reason.trim().is_empty() {
            return Err(DeskError::refused("a ruling needs a reason", "the players will read it: --because \"...\""));
        }
        self.work(now, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            let turn = turn_to_rule_on(table, turn)?;
            let ruling = resolve(table, turn, wish)?;
            rule(room, table, turn, ruling, reason)
        })
    }
}

fn turn_to_rule_on(table: &Table, turn: Option<TurnNo>) -> Result<TurnNo, DeskError> {
    let turn = match turn {
        Some(no) => table.turn(no)?,
        None => {
            let none = || DeskError::refused(format!("game {} has no turn to rule on", table.id), "");
            table.record.current().ok_or_else(none)?
        }
    };
    if matches!(turn.stage, Stage::Official { .. }) {
        let help = "impose an event in the next turn instead [R-003-90]";
        return Err(DeskError::refused(format!("{} is official and stands", turn.phase), help));
    }
    Ok(turn.no)
}

fn rule(
    room: &Room<'_>,
    table: &mut Table,
    turn: TurnNo,
    ruling: JsonRuling,
    reason: &str,
) -> Result<Ruled, DeskError> {
    let no = ruling.no;
    let stage = table.turn(turn)?.stage.clone();
    let old = table.turn(turn)?.newest().cloned();
    let before = match &old {
        Some(issue) => Some(ReportsBefore::of_issue(table, turn, issue)?),
        None => None,
    };
    room.append(table, Fact::Ruled { turn, ruling, reason: reason.trim().to_owned() })?;
    let mut ruled = Ruled { ruling: no, turn, issue: None, seats: Vec::new(), until: None, orders_changed: Vec::new() };
    let (Some(old), Some(before)) = (old, before) else { return Ok(ruled) };
    let rulings = table.turn(turn)?.rulings.iter().map(|r| r.ruling.clone()).collect();
    let done = close::adjudicate(table, turn, rulings)?;
    if done.events == old.events && done.asks == old.asks {
        return Ok(ruled);
    }
    ruled.issue = Some(close::keep(room, table, turn, done)?);
    if matches!(stage, Stage::Preliminary { .. }) {
        let since: Vec<RulingNo> = table.turn(turn)?.rulings.iter().skip(old.rulings).map(|r| r.ruling.no).collect();
        let correction = announce::correction(room, table, turn, &before, &since)?;
        ruled.seats = correction.seats;
        ruled.until = Some(correction.until);
        ruled.orders_changed = orders::look_again(room, table, turn)?;
    }
    Ok(ruled)
}

fn preview(room: &Room<'_>, table: &mut Table, turn: TurnNo, ruling: JsonRuling) -> Result<Preview, DeskError> {
    let on_record = table.turn(turn)?;
    let issue = on_record.newest().map_or(IssueNo(1), |issue| issue.no.next());
    let mut preview = Preview {
        turn,
        what: in_words(table, turn, &ruling),
        hidden: None,
        seats: Vec::new(),
        public: false,
        lines: Vec::new(),
        dice: DiceCount::default(),
        issue,
        until: None,
    };
    let Some(old) = on_record.newest().cloned() else {
        preview.hidden = Some("The turn is not closed: the ruling will count when it is.".to_owned());
        return Ok(preview);
    };
    if matches!(ruling.kind, RulingKind::Reroll { .. }) {
        preview.hidden = Some("A die that is thrown again cannot be looked at beforehand.".to_owned());
        return Ok(preview);
    }
    let before = ReportsBefore::of_issue(table, turn, &old)?;
    let rulings = on_rulings(table, turn)?.into_iter().chain([ruling]).collect();
    let done = close::adjudicate(table, turn, rulings)?;
    let differing = would_differ(table, turn, &before, &done)?;
    preview.public = differing.contains(&Viewer::Public);
    preview.seats =
        differing.iter().filter_map(|v| if let Viewer::Seat(s) = v { Some(s.clone()) } else { None }).collect();
    preview.dice = difference::dice(&old.events, &done.events);
    preview.lines = told_differently(room, table, turn, &old, &done)?;
    let posted = matches!(table.turn(turn)?.stage, Stage::Preliminary { .. });
    if posted && !differing.is_empty() && table.heading.is_on("reopen_on_correction", true) {
        preview.until = room.now.checked_add(room.policy.of(&table.id).challenge).ok();
    }
    Ok(preview)
}

fn on_rulings(table: &Table, turn: TurnNo) -> Result<Vec<JsonRuling>, DeskError> {
    Ok(table.turn(turn)?.rulings.iter().map(|r| r.ruling.clone()).collect())
}

fn report_of(table: &mut Table, turn: TurnNo, done: &WorkedOut, viewer: &Viewer) -> Result<Vec<Entry>, DeskError> {
    let rules = rules_of(&table.id);
    Ok(table.before(turn)?.tell(&done.events, viewer, &done.numbering).map_err(rules)?.entries)
}

fn would_differ(
    table: &mut Table,
    turn: TurnNo,
    before: &ReportsBefore,
    done: &WorkedOut,
) -> Result<Vec<Viewer>, DeskError> {
    let rules = rules_of(&table.id);
    let mut differing = Vec::new();
    for viewer in difference::readers(table) {
        let new = table.before(turn)?.tell(&done.events, &viewer, &done.numbering).map_err(&rules)?;
        if before.of(&viewer) != Some(&new) {
            differing.push(viewer);
        }
    }
    Ok(differing)
}

fn told_differently(
    room: &Room<'_>,
    table: &mut Table,
    turn: TurnNo,
    old: &Issue,
    done: &WorkedOut,
) -> Result<Vec<(EventNo, String, String)>, DeskError> {
    let was = WorkedOut {
        events: old.events.clone(),
        asks: None,
        rules_version: old.rules_version,
        numbering: done.numbering.clone(),
    };
    let olds = report_of(table, turn, &was, &Viewer::Umpire)?;
    let news = report_of(table, turn, done, &Viewer::Umpire)?;
    let say = |entry: &Entry| sentence(room.templates, &table.record.system, turn.0, entry);
    let sides = difference::sides(&olds, &news);
    let mut lines = Vec::new();
    for (was, is) in sides.changed {
        lines.push((is.no, say(was)?, say(is)?));
    }
    for entry in sides.struck {
        lines.push((entry.no, say(entry)?, String::new()));
    }
    for entry in sides.added {
        lines.push((entry.no, String::new(), say(entry)?));
    }
    Ok(lines)
}

/// Makes a ruling of a wish, with the number that it will have.
fn resolve(table: &mut Table, turn: TurnNo, wish: &RulingWish) -> Result<JsonRuling, DeskError> {
    let no = table.record.next_ruling();
    let kind = match wish {
        RulingWish::Strike { seat, order } => strike(table, turn, seat, *order)?,
        RulingWish::Admit { seat, words } => admit(table, turn, seat, words)?,
        RulingWish::FixDie { event, seat, die, face } => {
            if !(1..=6).contains(face) {
                return Err(DeskError::refused(format!("a die has no face {face}"), "1 to 6"));
            }
            let (key, die) = die_of(&event_of(table, turn, *event, seat.as_ref())?, *event, *die)?;
            RulingKind::FixDie { key, die, face: *face }
        }
        RulingWish::Reroll { event, seat, volley } => {
            let rolls = event_of(table, turn, *event, seat.as_ref())?.rolls;
            let chosen = volley.checked_sub(1).and_then(|place| rolls.get(place));
            let none = || {
                DeskError::refused(format!("event {event} has no volley {volley}"), format!("it has {}", rolls.len()))
            };
            RulingKind::Reroll { key: plain_key(&chosen.ok_or_else(none)?.key) }
        }
        RulingWish::Impose { words, after } => impose(table, turn, words, after.as_ref())?,
        RulingWish::Withdraw { ruling } => {
            let known = table.turn(turn)?.rulings.iter().any(|r| r.ruling.no == *ruling);
            if !known {
                let help = "`umpire status` lists the rulings";
                return Err(DeskError::refused(format!("there is no ruling {ruling} on this turn"), help));
            }
            RulingKind::Withdraw { ruling: *ruling }
        }
    };
    Ok(Ruling { no, kind })
}

fn strike(table: &Table, turn: TurnNo, seat: &SeatId, order: u32) -> Result<RulingKind<Value, Value>, DeskError> {
    check_seat(table.boards.opening(), seat)?;
    let sheet = table.turn(turn)?.sheets.get(seat);
    let sheet: Sheet<Value> = sheet
        .map(|json| serde_json::from_value(json.clone()))
        .transpose()
        .map_err(|fault| table.broken(fault.to_string()))?
        .unwrap_or_default();
    let place = usize::try_from(order).ok().and_then(|n| n.checked_sub(1));
    let Some(held) = place.and_then(|place| sheet.orders.get(place)) else {
        let help = format!("the sheet has {}; `umpire review` shows it", sheet.orders.len());
        return Err(DeskError::refused(format!("{seat} has no order {order}"), help));
    };
    let Source { letter, line, words, .. } = held.source.clone();
    Ok(RulingKind::StrikeOrder { seat: seat.clone(), letter, line, words })
}

fn admit(table: &mut Table, turn: TurnNo, seat: &SeatId, words: &str) -> Result<RulingKind<Value, Value>, DeskError> {
    check_seat(table.boards.opening(), seat)?;
    let order = table.before(turn)?.read_one(seat, words).map_err(|complaints| refused_words(words, &complaints))?;
    let source = Source { letter: LetterNo(0), line: 1, column: 0, words: words.to_owned() };
    Ok(RulingKind::AdmitOrder { seat: seat.clone(), held: Held { order, source, out_of_force: None } })
}

fn impose(
    table: &mut Table,
    turn: TurnNo,
    words: &str,
    after: Option<&StepName>,
) -> Result<RulingKind<Value, Value>, DeskError> {
    let board = table.before(turn)?;
    let (usual, event) = board.imposed(words).map_err(|complaint| refused_words(words, &[complaint]))?;
    let steps: Vec<&str> = board.step_names().iter().map(|(name, _)| *name).collect();
    let after = after.cloned().unwrap_or_else(|| StepName::new(&usual));
    if !steps.contains(&after.as_str()) {
        let help = format!("the steps are: {}", steps.join(", "));
        return Err(DeskError::refused(format!("there is no step \"{after}\""), help));
    }
    Ok(RulingKind::Impose { after, event, words: words.trim().to_owned() })
}

fn refused_words(words: &str, complaints: &[Complaint]) -> DeskError {
    let said: Vec<&str> = complaints.iter().map(|c| c.message.as_str()).collect();
    let help: Vec<&str> = complaints.iter().map(|c| c.help.as_str()).filter(|help| !help.is_empty()).collect();
    DeskError::refused(format!("\"{words}\": {}", said.join(" ")), help.join(" "))
}

/// The event of a turn's newest issue that bears this number; `seat` for one of its own series.
pub(super) fn event_of(
    table: &Table,
    turn: TurnNo,
    no: EventNo,
    seat: Option<&SeatId>,
) -> Result<JsonEvent, DeskError> {
    let on_record = table.turn(turn)?;
    let id = on_record.numbering.find(no, seat);
    let found = on_record.newest().and_then(|issue| issue.events.iter().find(|event| Some(&event.id) == id));
    found.cloned().ok_or_else(|| {
        let help = "the numbers are those of the newest report; for a number like s3 name the seat";
        DeskError::refused(format!("{} has no event {no}", on_record.phase), help)
    })
}

/// The volley and the place in it of the `die`-th die of an event, all its volleys counted through.
fn die_of(event: &JsonEvent, no: EventNo, die: usize) -> Result<(DieKey, usize), DeskError> {
    let mut place = die.checked_sub(1);
    for roll in &event.rolls {
        match place {
            Some(at) if at < roll.faces.len() => return Ok((plain_key(&roll.key), at)),
            Some(at) => place = at.checked_sub(roll.faces.len()),
            None => break,
        }
    }
    let all: usize = event.rolls.iter().map(|roll| roll.faces.len()).sum();
    Err(DeskError::refused(format!("event {no} has no die {die}"), format!("{all} dice were thrown for it")))
}

fn plain_key(key: &DieKey) -> DieKey {
    DieKey { reroll: None, ..key.clone() }
}

/// A ruling in words, for those who may know all of it.
fn in_words(table: &Table, turn: TurnNo, ruling: &JsonRuling) -> String {
    let number = |key: &DieKey| {
        let on_record = table.record.turn(turn)?;
        let rolled = |event: &&JsonEvent| event.rolls.iter().any(|roll| plain_key(&roll.key) == plain_key(key));
        let event = on_record.issues.iter().rev().find_map(|issue| issue.events.iter().find(rolled))?;
        on_record.numbering.of(&event.id)
    };
    let event = |key: &DieKey| number(key).map_or_else(|| key.to_string(), |no| format!("event {no}"));
    match &ruling.kind {
        RulingKind::StrikeOrder { seat, words, .. } => {
            format!("The order \"{words}\" of {} is void.", table.seat_name(seat))
        }
        RulingKind::AdmitOrder { seat, held } => {
            format!("The order \"{}\" of {} is admitted.", held.source.words, table.seat_name(seat))
        }
        RulingKind::FixDie { key, die, face } => {
            format!("Die {} of \"{}\" in {} counts as {face}.", die + 1, key.what, event(key))
        }
        RulingKind::Reroll { key } => format!("The dice of \"{}\" in {} are thrown again.", key.what, event(key)),
        RulingKind::Impose { after, words, .. } => format!("Imposed after the step \"{after}\": {words}."),
        RulingKind::Withdraw { ruling } => format!("Ruling {ruling} no longer stands."),
    }
}

/// Rulings as a reader whose report they changed may be told of them: the reason, and what was ruled as far as it is his.
pub(super) fn as_told(
    table: &Table,
    turn: TurnNo,
    which: &[RulingNo],
    viewer: &Viewer,
    reports: &[&[Entry]],
) -> Vec<RulingText> {
    let Some(on_record) = table.record.turn(turn) else { return Vec::new() };
    let entries = || reports.iter().flat_map(|report| report.iter());
    let sees_dice = |key: &DieKey| entries().flat_map(|e| &e.rolls).any(|roll| plain_key(&roll.key) == *key);
    let may_know = |ruling: &JsonRuling| match &ruling.kind {
        RulingKind::StrikeOrder { seat, .. } | RulingKind::AdmitOrder { seat, .. } => viewer.may_see_secrets_of(seat),
        RulingKind::FixDie { key, .. } | RulingKind::Reroll { key } => sees_dice(key),
        RulingKind::Impose { .. } => entries().any(|entry| entry.ruling == Some(ruling.no)),
        RulingKind::Withdraw { .. } => true,
    };
    let told = on_record.rulings.iter().filter(|r| which.contains(&r.ruling.no)).map(|r| RulingText {
        no: r.ruling.no.0,
        what: if may_know(&r.ruling) { in_words(table, turn, &r.ruling) } else { String::new() },
        reason: r.reason.clone(),
    });
    told.collect()
}
