//! The life of a turn, as a fold of the journal: open, sealed, preliminary, official.

use super::dice::{Hash, Secret};
use super::game::JsonEvent;
use super::hosted::JsonRuling;
use super::ids::{ChallengeNo, IssueNo, LetterNo, RulingNo, SeatId, StepName, TurnNo};
use super::journal::{Challenge, Fact, MoveCause, Numbering, Player, Written};
use super::seating::Seating;
use jiff::Timestamp;
use std::collections::BTreeMap;

/// Where a turn stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Orders are taken until the deadline.
    Open,
    /// Orders are closed; results are being worked out or wait for the umpire's review.
    Sealed,
    /// Results are posted and can be challenged.
    Preliminary {
        /// Which issue.
        issue: IssueNo,
        /// When the window closes. A challenge received at exactly this instant still counts [R-003-87].
        until: Timestamp,
    },
    /// Nothing of it changes any more.
    Official {
        /// The issue that counts.
        issue: IssueNo,
    },
}

/// One issue of a turn's results.
#[derive(Clone, PartialEq, Debug)]
pub struct Issue {
    /// Its number.
    pub no: IssueNo,
    /// What happened.
    pub events: Vec<JsonEvent>,
    /// The version of the rules that worked it out.
    pub rules_version: u32,
    /// How many of the turn's rulings it takes account of.
    pub rulings: usize,
    /// The question with which it stopped, if a step asked one: the step, the seat, the question.
    pub asks: Option<(StepName, SeatId, String)>,
}

/// A ruling on a turn with its reason.
#[derive(Clone, PartialEq, Debug)]
pub struct RulingOnRecord {
    /// The ruling.
    pub ruling: JsonRuling,
    /// The reason given.
    pub reason: String,
    /// When.
    pub at: Timestamp,
}

/// A turn's record.
#[derive(Clone, PartialEq, Debug)]
pub struct Turn {
    /// Number.
    pub no: TurnNo,
    /// "Spring 1700".
    pub phase: String,
    /// The published root of its dice.
    pub root: Hash,
    /// The version of the rules in force when it was opened.
    pub rules_version: u32,
    /// When orders close or closed.
    pub deadline: Timestamp,
    /// When it was opened.
    pub opened: Timestamp,
    /// Where it stands.
    pub stage: Stage,
    /// Each seat's sheet.
    pub sheets: BTreeMap<SeatId, serde_json::Value>,
    /// The letters that made each seat's sheet, in the sequence in which they were taken in; none twice.
    pub letters: BTreeMap<SeatId, Vec<LetterNo>>,
    /// Its issues, oldest first.
    pub issues: Vec<Issue>,
    /// The numbers of its events.
    pub numbering: Numbering,
    /// Rulings on it, oldest first.
    pub rulings: Vec<RulingOnRecord>,
    /// The windows for challenges that were announced, oldest first. An issue whose window was moved has more than one.
    pub windows: Vec<Window>,
    /// How its deadline has moved, oldest first.
    pub moves: Vec<Move>,
    /// Orders closed before the deadline, because all were ready: no grace follows.
    pub closed_early: bool,
    /// Who said READY last, and when the mail server received it. New orders and WAIT take a seat out.
    pub ready: BTreeMap<SeatId, Timestamp>,
    /// When the newest READY or WAIT of each seat was received.
    pub spoke: BTreeMap<SeatId, Timestamp>,
    /// The reminders that went out: of which deadline, how many seconds before it.
    pub reminded: Vec<(Timestamp, i64)>,
    /// Once sealed: the seats with a player that owed orders and sent no word. `None` before, and in journals of version 1.
    pub silent: Option<Vec<SeatId>>,
    /// Once sealed: the seats without player.
    pub vacant: Vec<SeatId>,
}

/// A deadline that moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// Where it stood.
    pub from: Timestamp,
    /// Where it stands since.
    pub to: Timestamp,
    /// What moved it.
    pub cause: MoveCause,
    /// When.
    pub at: Timestamp,
}

/// A window for challenges, as announced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Window {
    /// The issue it is for.
    pub issue: IssueNo,
    /// A challenge received at exactly this instant still counts [R-003-87].
    pub until: Timestamp,
    /// When it was announced.
    pub announced: Timestamp,
    /// The journal's entry that announced it: the cause of the letters that tell of it.
    pub seq: u64,
}

impl Turn {
    /// The newest issue.
    pub fn newest(&self) -> Option<&Issue> {
        self.issues.last()
    }

    /// An issue by number.
    pub fn issue(&self, no: IssueNo) -> Option<&Issue> {
        self.issues.iter().find(|issue| issue.no == no)
    }

    /// Whether a seat has sent orders, or said that it is content without: an empty sheet that was sent is not silence.
    pub fn has_word_of(&self, seat: &SeatId) -> bool {
        self.letters.get(seat).is_some_and(|letters| !letters.is_empty()) || self.ready.contains_key(seat)
    }

    pub(super) fn forget(&mut self, seat: &SeatId) {
        self.sheets.remove(seat);
        self.letters.remove(seat);
        self.ready.remove(seat);
        self.spoke.remove(seat);
    }

    /// An issue's window as last announced.
    pub fn window(&self, issue: IssueNo) -> Option<&Window> {
        self.windows.iter().rev().find(|window| window.issue == issue)
    }
}

/// A challenge with what became of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChallengeOnRecord {
    /// The challenge.
    pub challenge: Challenge,
    /// The umpire's answer and whether he upheld it; `None` while it is open.
    pub answer: Option<(String, bool)>,
}

/// What chance decided before the first turn.
#[derive(Clone, PartialEq, Debug)]
pub struct Opening {
    /// The root over the dice of turn 0.
    pub root: Hash,
    /// The version of the rules that did it.
    pub rules_version: u32,
    /// What happened.
    pub events: Vec<JsonEvent>,
}

/// A game's record: everything in its journal, folded, but for the state of the board.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The campaign's name.
    pub campaign: String,
    /// The rule system.
    pub system: String,
    /// The campaign's files as they were at the opening.
    pub files: BTreeMap<String, String>,
    /// Players by seat.
    pub players: BTreeMap<SeatId, Player>,
    /// What else there is to know of the seats.
    pub seating: Seating,
    /// The zone in which deadlines stand.
    pub zone: String,
    /// The secret behind the dice.
    pub secret: Secret,
    /// What chance decided before the first turn, if anything.
    pub opening: Option<Opening>,
    /// Turns, oldest first.
    pub turns: Vec<Turn>,
    /// Challenges, oldest first.
    pub challenges: Vec<ChallengeOnRecord>,
    /// Set while the umpire holds the game: since when, and why.
    pub held: Option<(Timestamp, String)>,
    /// How many facts have been folded.
    pub length: u64,
}

/// A journal that cannot have been written by this program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the journal makes no sense at entry {seq}: {why}")]
pub struct BrokenJournal {
    /// The entry.
    pub seq: u64,
    /// What does not fit.
    pub why: &'static str,
}

impl Record {
    /// Folds a journal.
    ///
    /// # Errors
    /// If it does not begin with the opening, or names a turn that was never opened.
    pub fn fold(journal: &[Written]) -> Result<Self, BrokenJournal> {
        let mut facts = journal.iter();
        let Some(first) = facts.next() else {
            return Err(BrokenJournal { seq: 0, why: "it is empty" });
        };
        let Fact::GameOpened { campaign, system, files, players, zone, secret } = &first.fact else {
            return Err(BrokenJournal { seq: first.seq, why: "it does not begin with the game's opening" });
        };
        let mut record = Record {
            campaign: campaign.clone(),
            system: system.clone(),
            files: files.clone(),
            players: players.clone(),
            seating: Seating::default(),
            zone: zone.clone(),
            secret: secret.clone(),
            opening: None,
            turns: Vec::new(),
            challenges: Vec::new(),
            held: None,
            length: 1,
        };
        for written in facts {
            record.add(written)?;
        }
        Ok(record)
    }

    /// Folds one more fact.
    ///
    /// # Errors
    /// If it names a turn or a challenge that the journal does not know.
    pub fn add(&mut self, written: &Written) -> Result<(), BrokenJournal> {
        let broken = |why| BrokenJournal { seq: written.seq, why };
        self.length += 1;
        if self.add_seating(written) {
            return Ok(());
        }
        match &written.fact {
            Fact::GameOpened { .. } => return Err(broken("the game is opened twice")),
            Fact::Opening { .. } if self.opening.is_some() || !self.turns.is_empty() => {
                return Err(broken("the game's opening comes twice, or too late"));
            }
            Fact::Opening { root, rules_version, events } => {
                self.opening = Some(Opening { root: *root, rules_version: *rules_version, events: events.clone() });
            }
            Fact::TurnOpened { .. } => self.turns.extend(Turn::opened(written)),
            Fact::Held { reason } => self.held = Some((written.at, reason.clone())),
            Fact::Resumed { .. } => self.held = None,
            Fact::Challenged { challenge } => {
                self.challenges.push(ChallengeOnRecord { challenge: challenge.clone(), answer: None });
            }
            Fact::ChallengeAnswered { challenge, answer, upheld } => {
                let open = self.challenges.iter_mut().find(|c| c.challenge.no == *challenge);
                open.ok_or_else(|| broken("an unknown challenge is answered"))?.answer =
                    Some((answer.clone(), *upheld));
            }
            Fact::Sealed { turn, silent: Some(silent), .. } => {
                let deadline = self.add_to_turn(*turn, written)?;
                self.count_missed(*turn, silent, deadline);
            }
            Fact::OrdersTaken { turn, .. }
            | Fact::ReadySaid { turn, .. }
            | Fact::Reminded { turn, .. }
            | Fact::Extended { turn, .. }
            | Fact::ClosedEarly { turn, .. }
            | Fact::Sealed { turn, .. }
            | Fact::Adjudicated { turn, .. }
            | Fact::Announced { turn, .. }
            | Fact::Ruled { turn, .. }
            | Fact::Official { turn, .. } => {
                self.add_to_turn(*turn, written)?;
            }
            // Those of seats have been folded above.
            Fact::Enrolled { .. }
            | Fact::Vacated { .. }
            | Fact::Deputised { .. }
            | Fact::AbsenceSaid { .. }
            | Fact::BackSaid { .. } => {}
        }
        Ok(())
    }

    fn add_to_turn(&mut self, no: TurnNo, written: &Written) -> Result<Timestamp, BrokenJournal> {
        let broken = BrokenJournal { seq: written.seq, why: "an unknown turn is named" };
        let turn = self.turns.iter_mut().find(|turn| turn.no == no).ok_or(broken)?;
        turn.add(written);
        Ok(turn.deadline)
    }

    /// A turn by number.
    pub fn turn(&self, no: TurnNo) -> Option<&Turn> {
        self.turns.iter().find(|t| t.no == no)
    }

    /// The newest turn that is not yet official, or that takes orders.
    pub fn newest(&self) -> Option<&Turn> {
        self.turns.last()
    }

    /// The oldest turn that is not official.
    pub fn current(&self) -> Option<&Turn> {
        self.turns.iter().find(|t| !matches!(t.stage, Stage::Official { .. }))
    }

    /// Challenges that wait for an answer.
    pub fn open_challenges(&self) -> impl Iterator<Item = &Challenge> {
        self.challenges.iter().filter(|c| c.answer.is_none()).map(|c| &c.challenge)
    }

    /// The number that the next ruling gets.
    pub fn next_ruling(&self) -> RulingNo {
        let highest = self.turns.iter().flat_map(|t| &t.rulings).map(|r| r.ruling.no.0).max();
        RulingNo(highest.unwrap_or(0) + 1)
    }

    /// The number that the next challenge gets.
    pub fn next_challenge(&self) -> ChallengeNo {
        ChallengeNo(self.challenges.iter().map(|c| c.challenge.no.0).max().unwrap_or(0) + 1)
    }
}

impl Turn {
    fn opened(written: &Written) -> Option<Self> {
        let Fact::TurnOpened { turn, phase, root, rules_version, deadline } = &written.fact else { return None };
        Some(Turn {
            no: *turn,
            phase: phase.clone(),
            root: *root,
            rules_version: *rules_version,
            deadline: *deadline,
            opened: written.at,
            stage: Stage::Open,
            sheets: BTreeMap::new(),
            letters: BTreeMap::new(),
            issues: Vec::new(),
            numbering: Numbering::default(),
            rulings: Vec::new(),
            windows: Vec::new(),
            moves: Vec::new(),
            closed_early: false,
            ready: BTreeMap::new(),
            spoke: BTreeMap::new(),
            reminded: Vec::new(),
            silent: None,
            vacant: Vec::new(),
        })
    }

    fn add(&mut self, written: &Written) {
        match &written.fact {
            Fact::OrdersTaken { seat, letter, sheet, .. } => {
                self.ready.remove(seat);
                self.sheets.insert(seat.clone(), sheet.clone());
                let letters = self.letters.entry(seat.clone()).or_default();
                if !letters.contains(letter) {
                    letters.push(*letter);
                }
            }
            Fact::ReadySaid { seat, ready, received, .. } => {
                self.spoke.insert(seat.clone(), *received);
                if *ready {
                    self.ready.insert(seat.clone(), *received);
                } else {
                    self.ready.remove(seat);
                }
            }
            Fact::Reminded { deadline, ahead, .. } => self.reminded.push((*deadline, *ahead)),
            Fact::Extended { deadline, cause, .. } => {
                self.moves.push(Move { from: self.deadline, to: *deadline, cause: *cause, at: written.at });
                self.deadline = *deadline;
            }
            Fact::ClosedEarly { deadline, .. } => {
                self.closed_early = true;
                self.deadline = *deadline;
            }
            Fact::Sealed { silent, vacant, .. } => {
                self.stage = Stage::Sealed;
                self.silent.clone_from(silent);
                self.vacant.clone_from(vacant);
            }
            Fact::Adjudicated { issue, events, numbering, rules_version, asks, .. } => {
                self.issues.push(Issue {
                    no: *issue,
                    events: events.clone(),
                    rules_version: *rules_version,
                    rulings: self.rulings.len(),
                    asks: asks.clone(),
                });
                self.numbering = numbering.clone();
            }
            Fact::Announced { issue, until, .. } => {
                self.stage = Stage::Preliminary { issue: *issue, until: *until };
                self.windows.push(Window { issue: *issue, until: *until, announced: written.at, seq: written.seq });
            }
            Fact::Ruled { ruling, reason, .. } => {
                self.rulings.push(RulingOnRecord { ruling: ruling.clone(), reason: reason.clone(), at: written.at });
            }
            Fact::Official { issue, .. } => self.stage = Stage::Official { issue: *issue },
            _ => {}
        }
    }
}
