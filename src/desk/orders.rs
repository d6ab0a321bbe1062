//! Takes orders into a seat's sheet, and acknowledges them.

use super::enrol::check_seat;
use super::room::{Address, Kind, Room, Why};
use super::standing::Standing;
use super::table::{Table, Tables, rules_of};
use super::telling::{self, SheetNews};
use super::{Desk, DeskError};
use crate::engine::sheet::{ComplaintKind, SheetText};
use crate::engine::{Fact, GameId, LetterNo, SeatId, Sheet, Stage, TextLine, TurnNo};
use crate::mail::{self, Letter};
use crate::results::facts::Acknowledgement;
use crate::results::letters;
use crate::store::{Disposition, IntakeRow, NewLetter, Outcome};
use jiff::Timestamp;
use serde_json::Value;

/// The mailbox in which the umpire's own hand puts what he enters for players.
const BY_HAND: &str = "desk";

/// A sheet after a letter was read into it.
pub(super) struct ReadSheet {
    pub sheet: Value,
    pub text: SheetText,
    /// The letter changed orders or questions, or there is something to say about it.
    pub anything: bool,
}

/// A sheet in a few words: "7 orders in force, 1 doubtful line".
pub fn in_short(sheet: &SheetText) -> String {
    let out = sheet.orders.iter().filter(|order| order.out_of_force.is_some()).count();
    let of = |number: usize, thing: &str| format!("{number} {thing}{}", if number == 1 { "" } else { "s" });
    let mut words = vec![format!("{} in force", of(sheet.orders.len() - out, "order"))];
    if out > 0 {
        words.push(format!("{} out of force", of(out, "order")));
    }
    if !sheet.questions.is_empty() {
        words.push(of(sheet.questions.len(), "doubtful line"));
    }
    if !sheet.complaints.is_empty() {
        words.push(of(sheet.complaints.len(), "remark"));
    }
    words.join(", ")
}

/// Reads lines into a seat's sheet without keeping the result.
pub(super) fn read(
    table: &mut Table,
    turn: TurnNo,
    seat: &SeatId,
    letter: LetterNo,
    lines: &[TextLine],
) -> Result<ReadSheet, DeskError> {
    let Table { record, boards, .. } = table;
    let held = record.turn(turn).and_then(|t| t.sheets.get(seat)).cloned();
    let board = boards.before(record, turn)?;
    let (sheet, text) = board.read(seat, held.as_ref(), letter, lines).map_err(rules_of(&table.id))?;
    let anything = differs(held.as_ref(), &sheet);
    Ok(ReadSheet { sheet, text, anything })
}

/// A seat's sheet as it is held; an empty one if nothing has come.
pub(super) fn status(table: &mut Table, turn: TurnNo, seat: &SeatId) -> Result<ReadSheet, DeskError> {
    let rules = rules_of(&table.id);
    let Table { record, boards, .. } = table;
    let board = boards.before(record, turn)?;
    let held = record.turn(turn).and_then(|t| t.sheets.get(seat));
    let (sheet, text) = match held {
        Some(sheet) => board.describe(seat, sheet),
        None => board.read(seat, None, LetterNo(0), &[]),
    }
    .map_err(rules)?;
    Ok(ReadSheet { sheet, text, anything: true })
}

fn differs(held: Option<&Value>, new: &Value) -> bool {
    let typed = |json: &Value| serde_json::from_value::<Sheet<Value>>(json.clone()).unwrap_or_default();
    let (old, new) = (held.map(typed).unwrap_or_default(), typed(new));
    let complaint = new.complaints.iter().any(|c| c.kind != ComplaintKind::Advice);
    old.orders != new.orders || old.questions != new.questions || complaint
}

/// Reads all letters of a seat for a turn anew, in the sequence of their receipt, with one more among them: for a letter that was
/// received before one that has been taken already.
pub(super) fn read_all(
    table: &mut Table,
    turn: TurnNo,
    seat: &SeatId,
    letters: &[(LetterNo, Vec<TextLine>)],
) -> Result<ReadSheet, DeskError> {
    let rules = rules_of(&table.id);
    let board = table.before(turn)?;
    let mut sheet = None;
    let mut text = None;
    for (no, lines) in letters {
        let (next, words) = board.read(seat, sheet.as_ref(), *no, lines).map_err(&rules)?;
        (sheet, text) = (Some(next), Some(words));
    }
    match (sheet, text) {
        (Some(sheet), Some(text)) => Ok(ReadSheet { sheet, text, anything: true }),
        _ => Err(DeskError::refused("there is no letter to read", "")),
    }
}

/// A letter's own lines that may be orders, as they were read when it came.
pub(super) fn order_lines(row: &IntakeRow) -> Vec<TextLine> {
    super::command::sort(&own_lines(&letter_of(row))).rest
}

/// The letter in a row of the intake. What the umpire typed is no mail and has no header.
pub(super) fn letter_of(row: &IntakeRow) -> Letter {
    let mut letter = mail::read(&row.raw);
    if row.mailbox == BY_HAND && letter.from.is_empty() {
        letter.words = mail::own_words(&String::from_utf8_lossy(&row.raw));
    }
    letter
}

/// A letter's own lines.
pub(super) fn own_lines(letter: &Letter) -> Vec<TextLine> {
    let line = |line: &mail::OwnLine| TextLine {
        number: u32::try_from(line.number).unwrap_or(u32::MAX),
        text: line.text.clone(),
    };
    letter.words.lines.iter().map(line).collect()
}

/// What an acknowledgement is to say besides the sheet.
pub(super) struct Receipt<'a> {
    pub why: Why<'a>,
    pub letter: LetterNo,
    pub standing: Standing,
    pub by_umpire: bool,
    pub left_out: Vec<String>,
    pub remarks: Vec<String>,
}

/// Writes the sheet that is now in force into the journal and acknowledges it to the seat's registered address.
pub(super) fn keep(
    room: &Room<'_>,
    table: &mut Table,
    turn: TurnNo,
    seat: &SeatId,
    read: ReadSheet,
    receipt: Receipt<'_>,
) -> Result<(Acknowledgement, bool), DeskError> {
    let taken = Fact::OrdersTaken { turn, seat: seat.clone(), letter: receipt.letter, sheet: read.sheet.clone() };
    room.append(table, taken)?;
    acknowledge(room, table, turn, seat, &read, receipt)
}

/// Acknowledges a sheet. Says whether the letter was written.
pub(super) fn acknowledge(
    room: &Room<'_>,
    table: &mut Table,
    turn: TurnNo,
    seat: &SeatId,
    read: &ReadSheet,
    receipt: Receipt<'_>,
) -> Result<(Acknowledgement, bool), DeskError> {
    let mut remarks = receipt.remarks;
    remarks.extend(in_place_of(room, table, seat, receipt.standing)?);
    let news = SheetNews {
        turn,
        seat,
        letter: receipt.letter,
        sheet: &read.sheet,
        text: read.text.clone(),
        by_umpire: receipt.by_umpire,
        left_out: receipt.left_out,
        remarks,
    };
    let facts = telling::acknowledgement(room, table, news)?;
    let Some(player) = table.record.players.get(seat) else { return Ok((facts, false)) };
    let address = Address {
        kind: Kind::Acknowledgement,
        why: receipt.why,
        standing: receipt.standing,
        thread: Some(turn),
        game: Some(&table.id),
        seat: Some(seat),
        name: &player.name,
        address: &player.address,
        turn: Some(turn),
    };
    let written = room.send(&address, letters::acknowledgement(room.templates, &facts)?)?;
    Ok((facts, written))
}

/// A player who wrote twice and is answered once is told that this is right.
fn in_place_of(room: &Room<'_>, table: &Table, seat: &SeatId, standing: Standing) -> Result<Option<String>, DeskError> {
    let (Some(player), Standing::Orders(_), Some(name)) = (table.record.players.get(seat), standing, standing.name())
    else {
        return Ok(None);
    };
    Ok(match room.tx.count_standing(&table.id, seat, &player.address, &name)? {
        0 => None,
        _ => Some("Your letter before this one was read, too; this answer takes the place of mine to it.".to_owned()),
    })
}

/// Looks at the sheets of the open turn again after the position has changed, and tells the owners of those that read
/// differently now.
pub(super) fn look_again(room: &Room<'_>, table: &mut Table, corrected: TurnNo) -> Result<Vec<SeatId>, DeskError> {
    let Some(turn) = telling::open_turn(table).filter(|turn| *turn > corrected) else { return Ok(Vec::new()) };
    let phase = table.turn(corrected)?.phase.clone();
    let sheets = table.turn(turn)?.sheets.clone();
    let mut told = Vec::new();
    for (seat, old) in sheets {
        let rules = rules_of(&table.id);
        let (sheet, text) = table.before(turn)?.describe(&seat, &old).map_err(rules)?;
        if sheet == old {
            continue;
        }
        let letter = table.turn(turn)?.letters.get(&seat).and_then(|l| l.last()).copied().unwrap_or(LetterNo(0));
        let taken = Fact::OrdersTaken { turn, seat: seat.clone(), letter, sheet: sheet.clone() };
        let entry = room.append(table, taken)?.seq;
        let remark = format!(
            "The results of {phase} were corrected, and your position with them: I have read your orders again."
        );
        let receipt = Receipt {
            why: Why::Entry(entry),
            letter,
            standing: Standing::Orders(turn),
            by_umpire: false,
            left_out: Vec::new(),
            remarks: vec![remark],
        };
        acknowledge(room, table, turn, &seat, &ReadSheet { sheet, text, anything: true }, receipt)?;
        told.push(seat);
    }
    Ok(told)
}

impl Desk {
    /// What a seat's words would be read as, without keeping anything: `umpire check`. `raw` is plain words or a letter. Gives
    /// the typed sheet as JSON and the acknowledgement's facts.
    ///
    /// # Errors
    /// If there is no such game or seat, or no turn takes orders.
    pub fn check(
        &mut self,
        game: &GameId,
        seat: &SeatId,
        raw: &[u8],
        now: Timestamp,
    ) -> Result<(Value, Acknowledgement), DeskError> {
        self.look(now, |room, tables| {
            let (table, turn) = open_table(room, tables, game, seat)?;
            let row = by_hand(raw, now);
            let letter = letter_of(&row);
            let read = read(table, turn, seat, LetterNo(0), &order_lines(&row))?;
            let news = SheetNews {
                turn,
                seat,
                letter: LetterNo(0),
                sheet: &read.sheet,
                text: read.text,
                by_umpire: false,
                left_out: letter.words.left_out.iter().map(super::words::left_out).collect(),
                remarks: letter.notes.iter().map(ToString::to_string).collect(),
            };
            let facts = telling::acknowledgement(room, table, news)?;
            Ok((read.sheet, Acknowledgement { letter: 0, receipt: String::new(), ..facts }))
        })
    }

    /// Enters orders for a player; he gets the acknowledgement. What was entered is kept like a letter. Until the turn is sealed
    /// the umpire may do so even after the deadline.
    ///
    /// # Errors
    /// If there is no such game or seat, or no turn takes orders.
    pub fn submit(
        &mut self,
        game: &GameId,
        seat: &SeatId,
        raw: &[u8],
        now: Timestamp,
    ) -> Result<Acknowledgement, DeskError> {
        self.work(now, |room, tables| {
            let (table, turn) = open_table(room, tables, game, seat)?;
            let name = format!("{game}-{}", table.record.length);
            let entered = NewLetter { mailbox: BY_HAND, unique_name: &name, received: now, raw, cut: false };
            let no = room.tx.receive(&entered, now)?.no();
            let row = room.tx.letter(no)?;
            if row.disposition.is_some() {
                return Err(DeskError::refused(
                    "this letter has been taken in already",
                    "`umpire review` shows the sheet",
                ));
            }
            let letter = letter_of(&row);
            let read = read(table, turn, seat, no, &order_lines(&row))?;
            let receipt = Receipt {
                why: Why::Answer { letter: no, ordinal: 0, to: None },
                letter: no,
                standing: Standing::Orders(turn),
                by_umpire: true,
                left_out: letter.words.left_out.iter().map(super::words::left_out).collect(),
                remarks: letter.notes.iter().map(ToString::to_string).collect(),
            };
            let (facts, _) = keep(room, table, turn, seat, read, receipt)?;
            let done = Disposition {
                outcome: Outcome::Orders,
                note: "entered by the umpire".to_owned(),
                game: Some(game.clone()),
                seat: Some(seat.clone()),
                turn: Some(turn),
            };
            room.tx.dispose(no, &done)?;
            Ok(facts)
        })
    }
}

fn by_hand(raw: &[u8], now: Timestamp) -> IntakeRow {
    IntakeRow {
        no: LetterNo(0),
        mailbox: BY_HAND.to_owned(),
        unique_name: String::new(),
        received: now,
        raw: raw.to_vec(),
        cut: false,
        disposition: None,
    }
}

fn open_table<'t>(
    room: &Room<'_>,
    tables: &'t mut Tables,
    game: &GameId,
    seat: &SeatId,
) -> Result<(&'t mut Table, TurnNo), DeskError> {
    let table = tables.sit(room.tx, game)?;
    check_seat(table.boards.opening(), seat)?;
    match table.record.turns.iter().find(|turn| turn.stage == Stage::Open).map(|turn| turn.no) {
        Some(turn) => Ok((table, turn)),
        None => {
            let help =
                "orders are taken again when results are posted; after closing, `umpire rule` admits a missed order";
            Err(DeskError::refused(format!("game {game} takes no orders now"), help))
        }
    }
}
