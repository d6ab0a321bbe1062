//! The order sheet: what a seat has ordered, what was asked back, what was refused and why.
//!
//! The machinery that turns words into these types lives in `orders`; the verbs themselves in each rule system.

use super::cite::Cite;
use super::ids::{LetterNo, SeatId, Source};
use serde::{Deserialize, Serialize};

/// The line that an acknowledgement sets before the orders in force; in a letter that holds both marker lines only what
/// stands between them is read, so that an acknowledgement can be mailed back whole.
pub const ORDERS_BEGIN: &str = "===== orders in force =====";
/// The line that an acknowledgement sets behind the orders in force.
pub const ORDERS_END: &str = "====== end of orders ======";

/// A line of the player's own words, as the mail intake hands it over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TextLine {
    /// Its number in the letter as the player sees it, from 1.
    pub number: u32,
    /// The words, untouched.
    pub text: String,
}

/// A stretch of one line of a letter, in characters (not bytes), for drawing carets.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Span {
    /// The line's number in the letter, from 1.
    pub line: u32,
    /// First character, from 0.
    pub start: u32,
    /// One past the last character.
    pub end: u32,
}

/// One order and the words that it came from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Held<O> {
    /// The order, typed.
    pub order: O,
    /// Letter, line and words.
    pub source: Source,
    /// Why the order, though understood, is out of force (beyond the card's Actions, not in the bank ...); `None` = in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out_of_force: Option<Complaint>,
}

/// What kind of answer a complaint is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ComplaintKind {
    /// The words could not be read as an order.
    NotUnderstood,
    /// Understood, and against a rule (the part named is void).
    Illegal,
    /// Understood and kept, but this version does not adjudicate it yet.
    NotAdjudicated,
    /// In force as it stands; a warning worth reading.
    Advice,
}

/// Something said back to the player about his words: where, what, by which rule, and what to do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Complaint {
    /// Kind.
    pub kind: ComplaintKind,
    /// Where; `None` when it is about the sheet as a whole.
    pub span: Option<Span>,
    /// The whole line, for quoting.
    pub line_text: String,
    /// What is the matter, a sentence.
    pub message: String,
    /// What would be understood instead, or what to do; a sentence or empty.
    pub help: String,
    /// By which rules; empty if only the wording is in question.
    pub cites: Vec<Cite>,
}

/// A line with two or more readings: never guessed between.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Question<O> {
    /// The number under which the letter in which it stands is answered: "2a" is reading `a` of question 2. Unique in a sheet.
    pub number: u32,
    /// Where the doubtful words stand.
    pub source: Source,
    /// Why there is a doubt, a sentence.
    pub message: String,
    /// By which rules.
    pub cites: Vec<Cite>,
    /// The readings, `a` first; each is a list of orders, since one line can hold several.
    pub readings: Vec<Vec<O>>,
}

/// What one letter was understood to say.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reading<O> {
    /// Orders, in the letter's sequence.
    pub orders: Vec<Held<O>>,
    /// Doubtful lines; numbered when they are merged into the sheet.
    pub questions: Vec<Question<O>>,
    /// Answers to questions of earlier letters: ("2", 'b', where).
    pub answers: Vec<(u32, char, Source)>,
    /// What was refused or remarked upon.
    pub complaints: Vec<Complaint>,
    /// Lines that hold no order: greetings, press, comments.
    pub passed_over: Vec<TextLine>,
    /// The letter's first word was REPLACE: it stands for all earlier letters [R-003-86].
    pub replaces_all: bool,
    /// The letter asks to withdraw these earlier orders (numbers of the sheet as acknowledged, from 1).
    pub withdrawn: Vec<(u32, Source)>,
}

impl<O> Default for Reading<O> {
    fn default() -> Self {
        Self {
            orders: Vec::new(),
            questions: Vec::new(),
            answers: Vec::new(),
            complaints: Vec::new(),
            passed_over: Vec::new(),
            replaces_all: false,
            withdrawn: Vec::new(),
        }
    }
}

/// All that a seat has in force for a turn: the fold of its letters in the sequence of their receipt.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Sheet<O> {
    /// Orders in the sequence in which they are carried out.
    pub orders: Vec<Held<O>>,
    /// Doubtful lines that still wait for an answer.
    pub questions: Vec<Question<O>>,
    /// Complaints about the newest letter.
    pub complaints: Vec<Complaint>,
    /// Lines of the newest letter that hold no order.
    pub passed_over: Vec<TextLine>,
    /// The letters that made it, in the sequence of receipt.
    pub letters: Vec<LetterNo>,
}

impl<O> Default for Sheet<O> {
    fn default() -> Self {
        Self {
            orders: Vec::new(),
            questions: Vec::new(),
            complaints: Vec::new(),
            passed_over: Vec::new(),
            letters: Vec::new(),
        }
    }
}

/// What became of an older order when a newer one came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Superseded<O> {
    /// They have nothing to do with each other.
    Stands,
    /// The newer replaces the older.
    Replaced,
    /// The newer takes a part of it; this is what stays.
    Reduced(O),
}

impl<O: Clone + PartialEq> Sheet<O> {
    /// Takes one letter into the sheet [R-003-86]: newer lines replace older ones on the same subject and keep their place,
    /// others follow; `REPLACE` begins anew; an answer `2b` puts the chosen reading where the doubt stood (at the end of the
    /// sheet). `supersede(older, newer)` is the rule system's word on what two orders have to do with each other.
    pub fn take(&mut self, letter: LetterNo, reading: Reading<O>, supersede: impl Fn(&O, &O) -> Superseded<O>) {
        if reading.replaces_all {
            *self = Sheet::default();
        }
        if !self.letters.contains(&letter) {
            self.letters.push(letter);
        }
        self.complaints = reading.complaints;
        self.passed_over = reading.passed_over;
        self.withdraw(reading.withdrawn);
        for (number, label, source) in reading.answers {
            self.answer(number, label, source, &supersede);
        }
        self.put(reading.orders, &supersede);
        for mut question in reading.questions {
            self.questions
                .retain(|q| q.source.letter == question.source.letter || q.source.words != question.source.words);
            question.number = self.questions.iter().map(|q| q.number).max().unwrap_or(0) + 1;
            self.questions.push(question);
        }
    }

    fn withdraw(&mut self, withdrawn: Vec<(u32, Source)>) {
        let mut numbers: Vec<usize> = Vec::new();
        for (number, source) in withdrawn {
            match usize::try_from(number).ok().and_then(|n| n.checked_sub(1)).filter(|i| *i < self.orders.len()) {
                Some(index) => numbers.push(index),
                None => self.complaints.push(no_such(&source, format!("There is no order {number} to withdraw."))),
            }
        }
        let mut index = 0;
        self.orders.retain(|_| {
            index += 1;
            !numbers.contains(&(index - 1))
        });
    }

    fn answer(&mut self, number: u32, label: char, source: Source, supersede: &impl Fn(&O, &O) -> Superseded<O>) {
        let Some(place) = self.questions.iter().position(|q| q.number == number) else {
            self.complaints.push(no_such(&source, format!("There is no open question {number}.")));
            return;
        };
        let choice = u32::from(label).checked_sub(u32::from('a')).and_then(|n| usize::try_from(n).ok());
        let chosen = self.questions.get(place).and_then(|q| choice.and_then(|c| q.readings.get(c)).cloned());
        let Some(orders) = chosen else {
            self.complaints.push(no_such(&source, format!("Question {number} has no reading \"{label}\".")));
            return;
        };
        let question = self.questions.remove(place);
        let chosen = orders.into_iter().map(|order| Held { order, source: question.source.clone(), out_of_force: None });
        self.put(chosen.collect(), supersede);
    }

    /// Newer orders together against those held: what one letter says twice (two brigades built alike) is its reader's
    /// business, not a replacement of the one by the other. An order repeated keeps its own place; another takes the first place
    /// that it replaces and no other has taken; the rest follow.
    fn put(&mut self, newer: Vec<Held<O>>, supersede: &impl Fn(&O, &O) -> Superseded<O>) {
        let older = std::mem::take(&mut self.orders);
        let mut placed: Vec<Option<usize>> = vec![None; newer.len()];
        for (at, held) in older.iter().enumerate() {
            let same = newer.iter().zip(&mut placed).find(|(new, place)| place.is_none() && new.order == held.order);
            if let Some((_, place)) = same {
                *place = Some(at);
            }
        }
        let mut kept: Vec<Option<Held<O>>> = Vec::with_capacity(older.len());
        for (at, mut held) in older.into_iter().enumerate() {
            let repeated = placed.contains(&Some(at));
            let mut replaced = repeated;
            for (new, place) in newer.iter().zip(&mut placed).filter(|_| !repeated) {
                match supersede(&held.order, &new.order) {
                    Superseded::Stands => {}
                    Superseded::Reduced(rest) => held.order = rest,
                    Superseded::Replaced => {
                        replaced = true;
                        place.get_or_insert(at);
                        break;
                    }
                }
            }
            kept.push((!replaced).then_some(held));
        }
        let mut newer: Vec<Option<Held<O>>> = newer.into_iter().map(Some).collect();
        for (at, held) in kept.into_iter().enumerate() {
            self.orders.extend(held);
            let here = newer.iter_mut().zip(&placed).filter(|(_, place)| **place == Some(at));
            self.orders.extend(here.filter_map(|(new, _)| new.take()));
        }
        self.orders.extend(newer.into_iter().flatten());
    }
}

fn no_such(source: &Source, message: String) -> Complaint {
    let width = u32::try_from(source.words.chars().count()).unwrap_or(u32::MAX);
    Complaint {
        kind: ComplaintKind::NotUnderstood,
        span: Some(Span { line: source.line, start: source.column, end: source.column.saturating_add(width) }),
        line_text: source.words.clone(),
        message,
        help: "The numbers are those of the newest acknowledgement.".to_owned(),
        cites: Vec::new(),
    }
}

/// A sheet as people see it: what the acknowledgement, `umpire check` and the umpire's review print.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SheetText {
    /// The seat's slug and name.
    pub seat: SeatId,
    /// The orders in force and out of it, in canonical words that read back as the same orders.
    pub orders: Vec<OrderText>,
    /// Open questions.
    pub questions: Vec<QuestionText>,
    /// Complaints.
    pub complaints: Vec<Complaint>,
    /// Lines taken as no order.
    pub passed_over: Vec<TextLine>,
    /// What is still open, one sentence each: no Action card chosen, two Actions unused ...
    pub still_open: Vec<String>,
}

/// One order in canonical words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OrderText {
    /// Its number in the sheet, from 1.
    pub number: u32,
    /// Canonical words.
    pub words: String,
    /// A remark in brackets: cost, odds, what it needs.
    pub note: String,
    /// Set if it is out of force, with the reason.
    pub out_of_force: Option<String>,
    /// Where it came from.
    pub source: Source,
}

/// One question in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct QuestionText {
    /// Its number.
    pub number: u32,
    /// Where the doubtful words stand.
    pub source: Source,
    /// Why there is a doubt.
    pub message: String,
    /// By which rules.
    pub cites: Vec<Cite>,
    /// The readings in canonical words, `a` first.
    pub readings: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Orders of a game in which a unit is a letter and each order sends some of them somewhere.
    type Toy = (String, u8);

    fn supersede(older: &Toy, newer: &Toy) -> Superseded<Toy> {
        let rest: String = older.0.chars().filter(|unit| !newer.0.contains(*unit)).collect();
        match rest.len() {
            0 => Superseded::Replaced,
            n if n == older.0.len() => Superseded::Stands,
            _ => Superseded::Reduced((rest, older.1)),
        }
    }

    fn held(letter: u32, units: &str, to: u8) -> Held<Toy> {
        let source = Source { letter: LetterNo(letter), line: 1, column: 0, words: format!("{units} to {to}") };
        Held { order: (units.to_owned(), to), source, out_of_force: None }
    }

    fn letter(no: u32, orders: &[(&str, u8)]) -> Reading<Toy> {
        Reading { orders: orders.iter().map(|(units, to)| held(no, units, *to)).collect(), ..Reading::default() }
    }

    fn in_force(sheet: &Sheet<Toy>) -> Vec<(&str, u8)> {
        sheet.orders.iter().map(|h| (h.order.0.as_str(), h.order.1)).collect()
    }

    fn sheet_of(letters: &[(u32, Reading<Toy>)]) -> Sheet<Toy> {
        let mut sheet = Sheet::default();
        for (no, reading) in letters {
            sheet.take(LetterNo(*no), reading.clone(), supersede);
        }
        sheet
    }

    /// [R-003-86]: newer lines replace older lines on the same unit and keep the old line's place; new lines follow.
    #[test]
    fn a_newer_line_keeps_the_older_ones_place() {
        let sheet = sheet_of(&[(1, letter(1, &[("a", 1), ("b", 2)])), (2, letter(2, &[("c", 3), ("a", 9)]))]);
        assert_eq!(in_force(&sheet), [("a", 9), ("b", 2), ("c", 3)]);
        assert_eq!(sheet.letters, [LetterNo(1), LetterNo(2)]);
    }

    #[test]
    fn a_newer_line_takes_its_units_out_of_an_older_one() {
        let sheet = sheet_of(&[(1, letter(1, &[("abc", 1)])), (2, letter(2, &[("b", 2)]))]);
        assert_eq!(in_force(&sheet), [("ac", 1), ("b", 2)]);
    }

    #[test]
    fn replace_begins_anew() {
        let second = Reading { replaces_all: true, ..letter(2, &[("c", 3)]) };
        let sheet = sheet_of(&[(1, letter(1, &[("a", 1)])), (2, second)]);
        assert_eq!(in_force(&sheet), [("c", 3)]);
        assert_eq!(sheet.letters, [LetterNo(2)]);
    }

    #[test]
    fn a_withdrawn_order_goes_and_an_unknown_number_is_said() {
        let source = held(2, "", 0).source;
        let second = Reading { withdrawn: vec![(1, source.clone()), (7, source)], ..letter(2, &[]) };
        let sheet = sheet_of(&[(1, letter(1, &[("a", 1), ("b", 2)])), (2, second)]);
        assert_eq!(in_force(&sheet), [("b", 2)]);
        assert_eq!(sheet.complaints.len(), 1);
        assert!(sheet.complaints[0].message.contains('7'));
    }

    fn doubt() -> Reading<Toy> {
        let question = Question {
            number: 0,
            source: held(1, "a", 0).source,
            message: "Which?".to_owned(),
            cites: Vec::new(),
            readings: vec![vec![("a".to_owned(), 1)], vec![("a".to_owned(), 2)]],
        };
        Reading { questions: vec![question], ..letter(1, &[("b", 5)]) }
    }

    #[test]
    fn an_answer_takes_the_chosen_reading() {
        let source = held(2, "1b", 0).source;
        let answer = Reading { answers: vec![(1, 'b', source)], ..letter(2, &[]) };
        let sheet = sheet_of(&[(1, doubt()), (2, answer)]);
        assert_eq!(in_force(&sheet), [("b", 5), ("a", 2)]);
        assert!(sheet.questions.is_empty());
        assert_eq!(sheet.orders[1].source.words, "a to 0", "the order keeps the words that were in doubt");
    }

    #[test]
    fn a_wrong_answer_leaves_the_question_open() {
        let source = held(2, "1z", 0).source;
        let answer = Reading { answers: vec![(1, 'z', source.clone()), (4, 'a', source)], ..letter(2, &[]) };
        let sheet = sheet_of(&[(1, doubt()), (2, answer)]);
        assert_eq!(sheet.questions.len(), 1);
        assert_eq!(sheet.complaints.len(), 2);
    }
}
