//! What a letter says of time: READY, WAIT, ABSENT, BACK; and what its hour means.

use super::super::command::{Command, Wishes};
use super::super::ready::{self, Saying};
use super::super::standing::Standing;
use super::super::table::Table;
use super::super::telling::{self, NoticeNews};
use super::super::{DeskError, absence, dates, reminder, timing};
use super::{Fits, Visit};
use crate::engine::{Fact, SeatId, TurnNo};

impl Visit<'_> {
    /// READY, WAIT, ABSENT and BACK. `acknowledged` says that the letter's orders have been answered, and what READY means with
    /// them.
    pub(super) fn time_words(
        &self,
        table: &mut Table,
        seat: &SeatId,
        commands: &[Command],
        fits: Fits,
        acknowledged: bool,
    ) -> Result<(), DeskError> {
        // "Ready" and "wait" in one letter: the last word counts.
        let last = commands.iter().rposition(|c| matches!(c, Command::Ready | Command::Wait));
        for ((command, place), ordinal) in commands.iter().zip(0..).zip(1..) {
            match command {
                Command::Ready | Command::Wait if Some(place) == last => {
                    self.say_ready(table, seat, *command == Command::Ready, fits, ordinal, acknowledged)?;
                }
                Command::Absent(days) => self.say_absent(table, seat, days, ordinal)?,
                Command::Back => {
                    self.room.append(table, Fact::BackSaid { seat: seat.clone(), at: self.row.received })?;
                    let deadline = telling::open_turn(table).and_then(|no| table.record.turn(no)).map(|t| t.deadline);
                    self.notice(table, seat, ordinal, "back", String::new(), deadline)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn say_ready(
        &self,
        table: &mut Table,
        seat: &SeatId,
        ready: bool,
        fits: Fits,
        ordinal: usize,
        acknowledged: bool,
    ) -> Result<(), DeskError> {
        let turn = match fits {
            Fits::InTime(turn) => turn,
            Fits::Late(turn) | Fits::FoundLate(turn) => return self.say_late(table, seat, turn, ordinal),
            Fits::NoTurn => {
                let reason = "No orders are taken at the moment.".to_owned();
                return self.notice(table, seat, ordinal, "no_orders_wanted", reason, None);
            }
        };
        let said = self.saying(seat, turn, ready);
        let counts = ready::say(self.room, table, &said)?;
        if acknowledged {
            return Ok(());
        }
        let mut remarks = vec![ready::remark(self.room, table, self.room.policy.of(&table.id), &said)?];
        if !counts {
            remarks = vec!["A newer letter of yours has come meanwhile: that one counts.".to_owned()];
        }
        if ready && !table.turn(turn)?.sheets.contains_key(seat) {
            let (without, _) = reminder::without_orders(table, turn, seat)?;
            remarks.push(format!("You have sent no orders. {}", without.trim_end_matches(':')));
        }
        // It takes the place of a reminder that still waits.
        self.tell_sheet(table, seat, ordinal, Standing::Orders(turn), remarks)
    }

    fn saying<'s>(&self, seat: &'s SeatId, turn: TurnNo, ready: bool) -> Saying<'s> {
        Saying { turn, seat, ready, letter: self.row.no, received: self.row.received }
    }

    fn say_absent(&self, table: &mut Table, seat: &SeatId, days: &str, ordinal: usize) -> Result<(), DeskError> {
        let today = absence::today(self.room, table, seat)?;
        let Some(span) = dates::span(days, today) else {
            return self.notice(table, seat, ordinal, "absent_unclear", days.to_owned(), None);
        };
        let (noted, _) = absence::note(self.room, table, seat, span, Some(self.row.no))?;
        let news = NoticeNews { turn: telling::open_turn(table), ..absence::absent_news(&noted, self.about()) };
        telling::send_notice(self.room, table, seat, self.why(ordinal), &news)?;
        Ok(())
    }

    /// What the acknowledgement says of the hour at which the letter came, and of READY.
    pub(super) fn time_remarks(
        &self,
        table: &Table,
        seat: &SeatId,
        turn: TurnNo,
        wishes: &Wishes,
    ) -> Result<Vec<String>, DeskError> {
        let mut remarks = Vec::new();
        let (on_record, policy) = (table.turn(turn)?, self.room.policy.of(&table.id));
        if self.row.received > on_record.deadline && table.record.held.is_none() {
            let last = timing::last_moment(policy, on_record);
            let last = telling::moment(self.room, table, last, Some(seat));
            remarks.push(format!(
                "Your letter came after the deadline, within the grace: it counts. The grace ends {} ({}).",
                last.text, last.zone
            ));
        }
        let said = wishes.commands.iter().rev().find(|c| matches!(c, Command::Ready | Command::Wait));
        if let Some(said) = said {
            let said = self.saying(seat, turn, *said == Command::Ready);
            remarks.push(ready::remark(self.room, table, policy, &said)?);
        } else if on_record.ready.contains_key(seat) {
            remarks.push("You were READY; with these new orders you are so no longer. Write READY again.".to_owned());
        }
        Ok(remarks)
    }
}
