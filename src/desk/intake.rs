//! Takes letters in. A letter is stored raw in a transaction of its own before anything else happens to it; then it is read, its
//! sender and its wish are found out, and what becomes of it is written down together with the answer.

mod time_words;

use super::bounce;
use super::challenge::{self, ChallengeLetter};
use super::command::{self, Command};
use super::identify::{self, Who};
use super::orders::{self, Receipt};
use super::room::{Address, Kind, Room, Why};
use super::standing::Standing;
use super::table::{Table, Tables};
use super::telling::{self, NoticeNews};
use super::{Desk, DeskError, timing, words};
use crate::engine::{Fact, LetterNo, SeatId, Stage, Turn, TurnNo};
use crate::mail::{self, Hints, Letter, LetterKind, Mailbox, ReplyLeave};
use crate::results::facts::Notice;
use crate::results::letters;
use crate::store::{Disposition, IntakeRow, NewLetter, Outcome, StoreError, Taken};
use jiff::Timestamp;

/// A letter as a mailbox holds it.
pub type Incoming<'a> = NewLetter<'a>;

/// What became of a letter.
pub type Handled = Disposition;

impl Desk {
    /// Stores a letter, once. Do this before the mailbox is told that the letter was seen.
    ///
    /// # Errors
    /// If it cannot be stored; then it must stay where it is.
    pub fn receive(&mut self, letter: &Incoming<'_>, now: Timestamp) -> Result<Taken, DeskError> {
        self.work(now, |room, _| Ok(room.tx.receive(letter, now)?))
    }

    /// Stores several letters with one commit. All are stored, or none.
    ///
    /// # Errors
    /// If one cannot be stored; then all must stay where they are.
    pub fn receive_many(&mut self, letters: &[Incoming<'_>], now: Timestamp) -> Result<Vec<Taken>, DeskError> {
        self.work(now, |room, _| {
            letters.iter().map(|letter| Ok(room.tx.receive(letter, now)?)).collect::<Result<Vec<_>, DeskError>>()
        })
    }

    /// The number of the letter of this name in this mailbox, if it is stored.
    ///
    /// # Errors
    /// If that cannot be looked up.
    pub fn letter_named(&mut self, mailbox: &str, unique_name: &str) -> Result<Option<LetterNo>, DeskError> {
        Ok(self.store.read(|tx| tx.letter_named(mailbox, unique_name)).map_err(|fault: StoreError| fault)?)
    }

    /// Stored letters of which nothing has become yet, in the sequence of their receipt, at most `limit`.
    ///
    /// # Errors
    /// If they cannot be looked up.
    pub fn waiting_letters(&mut self, limit: u32) -> Result<Vec<LetterNo>, DeskError> {
        Ok(self.store.read(|tx| tx.waiting_letters(limit)).map_err(|fault: StoreError| fault)?)
    }

    /// What became of a letter; `None` while it waits.
    ///
    /// # Errors
    /// If there is none of this number.
    pub fn outcome(&mut self, no: LetterNo) -> Result<Option<Outcome>, DeskError> {
        Ok(self.store.read(|tx| tx.outcome(no)).map_err(|fault: StoreError| fault)?)
    }

    /// A letter as it came, with what became of it.
    ///
    /// # Errors
    /// If there is none of this number.
    pub fn letter(&mut self, no: LetterNo) -> Result<IntakeRow, DeskError> {
        Ok(self.store.read(|tx| tx.letter(no)).map_err(|fault: StoreError| fault)?)
    }

    /// Reads a stored letter, does what it asks, and answers it. A letter that has been handled is left as it is.
    ///
    /// # Errors
    /// If nothing could be done with it; it waits.
    pub fn handle(&mut self, no: LetterNo, now: Timestamp) -> Result<Handled, DeskError> {
        self.work(now, |room, tables| handle(room, tables, no))
    }

    /// As [`Desk::handle`], for several letters with one commit: many that wait are answered by the disk waiting once. A letter
    /// that cannot be handled leaves no trace and does not keep the others from it.
    ///
    /// # Errors
    /// If the file cannot be written now; then nothing was done with any of them.
    pub fn handle_many(
        &mut self,
        letters: &[LetterNo],
        now: Timestamp,
    ) -> Result<Vec<Result<Handled, DeskError>>, DeskError> {
        self.work(now, |room, tables| {
            let mut all = Vec::new();
            for no in letters {
                match room.tx.apart(|| handle(room, tables, *no))? {
                    Err(fault) if fault.is_retryable() => return Err(fault),
                    done => {
                        if done.is_err() {
                            tables.forget();
                        }
                        all.push(done);
                    }
                }
            }
            Ok(all)
        })
    }

    /// Lays a letter aside for the umpire, because the program could not handle it.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn set_aside(&mut self, no: LetterNo, why: &str, now: Timestamp) -> Result<(), DeskError> {
        self.work(now, |room, _| Ok(room.tx.dispose(no, &plain(Outcome::ForUmpire, why))?))
    }
}

fn handle(room: &Room<'_>, tables: &mut Tables, no: LetterNo) -> Result<Handled, DeskError> {
    let row = room.tx.letter(no)?;
    if let Some(done) = row.disposition {
        return Ok(done);
    }
    let hints = Hints { charset_guess: None, own_domain: Some(room.ids.domain().to_owned()) };
    let letter = mail::read_with(&row.raw, &hints);
    let done = Visit { room, row: &row, letter: &letter }.received(tables)?;
    room.tx.dispose(no, &done)?;
    Ok(done)
}

/// One letter and the room it is read in.
struct Visit<'v> {
    room: &'v Room<'v>,
    row: &'v IntakeRow,
    letter: &'v Letter,
}

/// For which turn a letter's orders are, and whether they are in time.
#[derive(Clone, Copy)]
enum Fits {
    InTime(TurnNo),
    Late(TurnNo),
    /// In time, but found after the turn was sealed.
    FoundLate(TurnNo),
    NoTurn,
}

fn plain(outcome: Outcome, note: impl Into<String>) -> Disposition {
    Disposition { outcome, note: note.into(), game: None, seat: None, turn: None }
}

impl Visit<'_> {
    fn received(&self, tables: &mut Tables) -> Result<Disposition, DeskError> {
        if let LetterKind::Bounce(bounce) = &self.letter.kind {
            return bounce::take(self.room, tables, self.row, self.letter, bounce);
        }
        let from = match self.letter.sender() {
            Ok(from) => from,
            Err(fault) => return Ok(plain(Outcome::ForUmpire, fault.to_string())),
        };
        let leave = mail::reply_leave(self.letter);
        if !self.letter.kind.is_a_persons() {
            return Ok(self.not_a_persons(&leave));
        }
        match identify::who(self.room, tables, from, self.letter)? {
            Who::Stranger => self.answer_stranger(from, &leave),
            Who::Former => self.answer_former(from, &leave),
            Who::Unclear(reason) => self.answer_unclear(from, reason),
            Who::Seat { game, seat, replies_to } => {
                let table = tables.sit(self.room.tx, &game)?;
                let done = self.player_wrote(table, &seat, replies_to)?;
                Ok(Disposition { game: Some(game), seat: Some(seat), ..done })
            }
        }
    }

    fn not_a_persons(&self, leave: &ReplyLeave) -> Disposition {
        match leave {
            ReplyLeave::Never(why) => plain(Outcome::Ignored, *why),
            _ => plain(Outcome::Ignored, "no person wrote it"),
        }
    }

    fn about(&self) -> String {
        self.letter.subject.clone().unwrap_or_default()
    }

    fn why(&self, ordinal: usize) -> Why<'_> {
        Why::Answer { letter: self.row.no, ordinal, to: Some(self.letter) }
    }

    /// Answers somebody without a seat, with no fact of any game.
    fn answer_stranger(&self, from: &Mailbox, leave: &ReplyLeave) -> Result<Disposition, DeskError> {
        let who = from.to_string();
        if *leave != ReplyLeave::Anyone {
            return Ok(plain(Outcome::Refused, format!("no player ({who}), and not to be answered")));
        }
        self.answer_outside(&who, "unknown_sender", String::new())?;
        Ok(plain(Outcome::Refused, format!("no player has the address {who}")))
    }

    /// Answers somebody who had a seat once: what he writes is no one's orders any more.
    fn answer_former(&self, from: &Mailbox, leave: &ReplyLeave) -> Result<Disposition, DeskError> {
        if *leave == ReplyLeave::Anyone {
            self.answer_outside(&from.to_string(), "former_player", String::new())?;
        }
        Ok(plain(Outcome::Refused, format!("{from} had a seat once and has none now")))
    }

    /// Answers a player whose letter is for no game that can be told, at the address that he is registered with.
    fn answer_unclear(&self, from: &Mailbox, reason: String) -> Result<Disposition, DeskError> {
        self.answer_outside(&from.to_string(), "no_such_game", reason.clone())?;
        Ok(plain(Outcome::Refused, reason))
    }

    fn answer_outside(&self, address: &str, kind: &str, reason: String) -> Result<(), DeskError> {
        let notice = Notice {
            occasion: telling::no_occasion(self.room),
            kind: kind.to_owned(),
            reason,
            about: self.about(),
            ..Notice::default()
        };
        let to = Address {
            kind: Kind::Notice,
            why: self.why(0),
            standing: Standing::Lasting,
            thread: None,
            game: None,
            seat: None,
            name: "",
            address,
            turn: None,
            second: false,
        };
        if address.is_ascii() {
            self.room.send(&to, letters::notice(self.room.templates, &notice)?)?;
        }
        Ok(())
    }

    fn player_wrote(
        &self,
        table: &mut Table,
        seat: &SeatId,
        replies_to: Option<TurnNo>,
    ) -> Result<Disposition, DeskError> {
        if self.row.cut {
            return self.refuse(table, seat, "too_large", "too large", String::new());
        }
        match &self.letter.kind {
            LetterKind::Encrypted(_) => {
                let reason = "It is encrypted, and I have no key.".to_owned();
                return self.refuse(table, seat, "unreadable", "encrypted", reason);
            }
            LetterKind::ForwardedOnly => {
                let reason =
                    "It holds only a letter that you passed on; orders have to be in your own words.".to_owned();
                return self.refuse(table, seat, "no_orders_found", "only a forwarded letter", reason);
            }
            _ => {}
        }
        let wishes = command::sort(&orders::own_lines(self.letter));
        let fits = self.fits(table, replies_to);
        self.carry_out(table, seat, &wishes.commands)?;
        let done = self.read_orders(table, seat, &wishes, fits)?;
        self.time_words(table, seat, &wishes.commands, fits, done.outcome == Outcome::Orders)?;
        Ok(done)
    }

    fn read_orders(
        &self,
        table: &mut Table,
        seat: &SeatId,
        wishes: &command::Wishes,
        fits: Fits,
    ) -> Result<Disposition, DeskError> {
        let words = wishes.rest.iter().any(|line| !line.text.trim().is_empty());
        match fits {
            _ if !words && wishes.commands.is_empty() => {
                let left_out: Vec<String> = self.letter.words.left_out.iter().map(words::left_out).collect();
                let reason =
                    if left_out.is_empty() { String::new() } else { format!("Left out: {}.", left_out.join("; ")) };
                self.refuse(table, seat, "no_orders_found", "no words of the player's own", reason)
            }
            _ if !words => Ok(plain(Outcome::Command, "a challenge or command")),
            Fits::InTime(turn) => self.take_orders(table, seat, turn, wishes),
            // A challenge comes with greetings, which are no late orders.
            _ if !wishes.commands.is_empty() => Ok(plain(Outcome::Command, "a challenge or command")),
            Fits::Late(turn) => self.refuse_late(table, seat, turn),
            Fits::FoundLate(turn) => self.stop_for(table, seat, turn),
            Fits::NoTurn => {
                let reason = "No orders are taken at the moment.".to_owned();
                self.refuse(table, seat, "no_orders_wanted", "no turn takes orders", reason)
            }
        }
    }

    /// For which turn the letter's orders are. The time of receipt decides [R-003-84]; a late order, or an answer to an earlier
    /// turn's letter, is never read as the next turn's.
    fn fits(&self, table: &Table, replies_to: Option<TurnNo>) -> Fits {
        let received = self.row.received;
        let Some(open) = table.record.turns.iter().find(|turn| turn.stage == Stage::Open) else {
            return match table.record.newest() {
                Some(turn) if matches!(turn.stage, Stage::Sealed | Stage::Preliminary { .. }) => {
                    self.after_sealing(table, turn)
                }
                _ => Fits::NoTurn,
            };
        };
        let mut earlier = table.record.turns.iter().rev().filter(|turn| turn.no < open.no);
        let meant = match earlier.clone().next() {
            Some(last) if received < open.opened => Some(last),
            _ => earlier.find(|turn| replies_to == Some(turn.no) || self.names_only(turn, open, replies_to)),
        };
        if let Some(turn) = meant {
            return self.after_sealing(table, turn);
        }
        // The clock stood still when the game was held, and what came since is in time if it was running until then.
        let last = timing::last_moment(self.room.policy.of(&table.id), open);
        let stopped_before = table.record.held.as_ref().is_some_and(|(since, _)| *since <= last);
        if received <= last || stopped_before { Fits::InTime(open.no) } else { Fits::Late(open.no) }
    }

    fn after_sealing(&self, table: &Table, turn: &Turn) -> Fits {
        let official = matches!(turn.stage, Stage::Official { .. });
        let last = timing::last_moment(self.room.policy.of(&table.id), turn);
        if self.row.received <= last && !official { Fits::FoundLate(turn.no) } else { Fits::Late(turn.no) }
    }

    /// The subject names the earlier turn and not the open one, and the letter answers none of ours that could tell better.
    fn names_only(&self, earlier: &Turn, open: &Turn, replies_to: Option<TurnNo>) -> bool {
        let subject = self.letter.subject.as_deref().unwrap_or_default().to_lowercase();
        let names = |turn: &Turn| subject.contains(&turn.phase.to_lowercase());
        replies_to.is_none() && names(earlier) && !names(open)
    }

    fn carry_out(&self, table: &mut Table, seat: &SeatId, commands: &[Command]) -> Result<(), DeskError> {
        for (command, ordinal) in commands.iter().zip(1..) {
            match command {
                Command::Challenge { event, text } => {
                    let made = ChallengeLetter {
                        seat,
                        event: *event,
                        text,
                        letter: self.row.no,
                        received: self.row.received,
                        why: self.why(ordinal),
                    };
                    challenge::take(self.room, table, made)?;
                }
                Command::Status => self.tell_status(table, seat, ordinal)?,
                Command::Help => {
                    let open = telling::open_turn(table).and_then(|no| table.record.turn(no));
                    let deadline = open.map(|turn| turn.deadline);
                    self.notice(table, seat, ordinal, "help", String::new(), deadline)?;
                }
                // What has to do with time comes after the orders of the same letter.
                Command::Ready | Command::Wait | Command::Absent(_) | Command::Back => {}
            }
        }
        Ok(())
    }

    fn tell_status(&self, table: &mut Table, seat: &SeatId, ordinal: usize) -> Result<(), DeskError> {
        let Some(turn) = telling::open_turn(table) else {
            let reason = "No orders are taken at the moment.".to_owned();
            return self.notice(table, seat, ordinal, "no_orders_wanted", reason, None);
        };
        let mut remarks = vec!["You asked for the status; nothing was changed.".to_owned()];
        if table.turn(turn)?.ready.contains_key(seat) {
            remarks.push("You are READY.".to_owned());
        }
        self.tell_sheet(table, seat, ordinal, Standing::Status(turn), remarks)
    }

    fn tell_sheet(
        &self,
        table: &mut Table,
        seat: &SeatId,
        ordinal: usize,
        standing: Standing,
        remarks: Vec<String>,
    ) -> Result<(), DeskError> {
        let Some(turn) = telling::open_turn(table) else { return Ok(()) };
        let last = table.turn(turn)?.letters.get(seat).and_then(|letters| letters.last()).copied();
        let read = orders::status(table, turn, seat)?;
        let receipt = Receipt {
            why: self.why(ordinal),
            letter: last.unwrap_or(LetterNo(0)),
            standing,
            by_umpire: false,
            left_out: Vec::new(),
            remarks,
        };
        orders::acknowledge(self.room, table, turn, seat, &read, receipt)?;
        Ok(())
    }

    fn take_orders(
        &self,
        table: &mut Table,
        seat: &SeatId,
        turn: TurnNo,
        wishes: &command::Wishes,
    ) -> Result<Disposition, DeskError> {
        let read = self.read_in_sequence(table, seat, turn, wishes)?;
        if !read.anything && !wishes.commands.is_empty() {
            return Ok(plain(Outcome::Command, "a challenge or command"));
        }
        if !read.anything {
            let deadline = table.turn(turn)?.deadline;
            self.notice(table, seat, 0, "no_orders_found", String::new(), Some(deadline))?;
            return Ok(Disposition { turn: Some(turn), ..plain(Outcome::Refused, "no order found") });
        }
        let mut remarks: Vec<String> = self.letter.notes.iter().map(ToString::to_string).collect();
        if self.letter.words.charset_doubt {
            remarks.push("Some letters could not be read for certain: please look at the names".to_owned());
        }
        remarks.extend(self.time_remarks(table, seat, turn, wishes)?);
        let receipt = Receipt {
            why: self.why(0),
            letter: self.row.no,
            standing: Standing::Orders(turn),
            by_umpire: false,
            left_out: self.letter.words.left_out.iter().map(words::left_out).collect(),
            remarks,
        };
        let sheet = orders::in_short(&read.text);
        let (_, written) = orders::keep(self.room, table, turn, seat, read, receipt)?;
        let unsaid = if written { "" } else { "; not acknowledged: too many answers within the hour" };
        Ok(Disposition { turn: Some(turn), ..plain(Outcome::Orders, format!("{sheet}{unsaid}")) })
    }

    /// Letters count in the sequence of their receipt [R-003-86]: one that comes out of turn makes all be read again.
    fn read_in_sequence(
        &self,
        table: &mut Table,
        seat: &SeatId,
        turn: TurnNo,
        wishes: &command::Wishes,
    ) -> Result<orders::ReadSheet, DeskError> {
        if !self.room.tx.took_orders_later(&table.id, seat, turn, self.row.received)? {
            return orders::read(table, turn, seat, self.row.no, &wishes.rest);
        }
        let taken = self.room.tx.order_letters(&table.id, seat, turn)?;
        let place = taken.iter().take_while(|row| row.received <= self.row.received).count();
        let mut letters: Vec<_> = taken.iter().map(|row| (row.no, orders::order_lines(row))).collect();
        letters.insert(place, (self.row.no, wishes.rest.clone()));
        orders::read_all(table, turn, seat, &letters)
    }

    fn refuse_late(&self, table: &mut Table, seat: &SeatId, turn: TurnNo) -> Result<Disposition, DeskError> {
        self.say_late(table, seat, turn, 0)?;
        Ok(Disposition { turn: Some(turn), ..plain(Outcome::Refused, "late") })
    }

    fn say_late(&self, table: &Table, seat: &SeatId, turn: TurnNo, ordinal: usize) -> Result<(), DeskError> {
        let closed = timing::last_moment(self.room.policy.of(&table.id), table.turn(turn)?);
        let news = NoticeNews {
            kind: "late",
            turn: Some(turn),
            moment: Some(closed),
            received: Some(self.row.received),
            about: self.about(),
            ..NoticeNews::default()
        };
        telling::send_notice(self.room, table, seat, self.why(ordinal), &news)?;
        Ok(())
    }

    /// A letter that came in time and was found after the turn had been sealed: nothing goes on before the umpire has seen to it.
    fn stop_for(&self, table: &mut Table, seat: &SeatId, turn: TurnNo) -> Result<Disposition, DeskError> {
        let reason = "A letter that had come in time was found after orders had been closed.".to_owned();
        if table.record.held.is_none() {
            self.room.append(table, Fact::Held { reason: reason.clone() })?;
        }
        self.notice(table, seat, 0, "held", reason, None)?;
        let note = "in time, but found after the turn was sealed: rule to admit its orders, then resume";
        Ok(Disposition { turn: Some(turn), ..plain(Outcome::ForUmpire, note) })
    }

    fn refuse(
        &self,
        table: &Table,
        seat: &SeatId,
        kind: &str,
        note: &str,
        reason: String,
    ) -> Result<Disposition, DeskError> {
        let deadline = telling::open_turn(table).and_then(|no| table.record.turn(no)).map(|turn| turn.deadline);
        self.notice(table, seat, 0, kind, reason, deadline)?;
        Ok(plain(Outcome::Refused, note))
    }

    fn notice(
        &self,
        table: &Table,
        seat: &SeatId,
        ordinal: usize,
        kind: &str,
        reason: String,
        moment: Option<Timestamp>,
    ) -> Result<(), DeskError> {
        let turn = telling::open_turn(table);
        let news = NoticeNews { kind, turn, reason, moment, about: self.about(), ..NoticeNews::default() };
        telling::send_notice(self.room, table, seat, self.why(ordinal), &news)?;
        Ok(())
    }
}
