//! An acknowledgement as the template sees it: carets drawn, orders sorted into those in force and those out of it.

use super::facts::{Acknowledgement, Moment, Occasion};
use super::text::{self, WIDTH};
use crate::engine::sheet::{Complaint, ComplaintKind, OrderText, QuestionText, TextLine};
use crate::engine::{Span, Table};
use serde::Serialize;

#[derive(Serialize)]
pub struct SheetView<'a> {
    pub occasion: &'a Occasion,
    pub letter: u32,
    pub receipt: &'a str,
    pub by_umpire: bool,
    pub orders: Vec<OrderView>,
    pub in_force: Vec<u32>,
    pub out_of_force: Vec<OrderView>,
    pub refused: Vec<ComplaintView>,
    pub kept: Vec<ComplaintView>,
    pub advice: Vec<ComplaintView>,
    pub questions: Vec<QuestionView>,
    pub passed_over: Vec<PassedOver>,
    pub left_out: &'a [String],
    pub still_open: &'a [String],
    pub remarks: &'a [String],
    pub standing: &'a [Table],
    pub deadline: &'a Moment,
    pub root: &'a str,
    pub begin: &'a str,
    pub end: &'a str,
}

#[derive(Serialize)]
pub struct OrderView {
    pub line: String,
    pub note: String,
    pub why: String,
}

/// A complaint with the player's line and the carets under it, ready to print.
#[derive(Serialize)]
pub struct ComplaintView {
    pub quote: String,
    pub message: String,
    pub help: String,
    pub cites: Vec<String>,
}

#[derive(Serialize)]
pub struct QuestionView {
    pub quote: String,
    pub message: String,
    pub cites: Vec<String>,
    pub readings: Vec<Reading>,
    pub answers: String,
}

#[derive(Serialize)]
pub struct Reading {
    pub label: String,
    pub words: String,
}

#[derive(Serialize)]
pub struct PassedOver {
    pub quote: String,
}

impl<'a> SheetView<'a> {
    pub fn of(ack: &'a Acknowledgement, begin: &'a str, end: &'a str) -> Self {
        let sheet = &ack.sheet;
        let of_kind = |kinds: &[ComplaintKind]| {
            sheet.complaints.iter().filter(|c| kinds.contains(&c.kind)).map(complaint).collect::<Vec<_>>()
        };
        let (held, out): (Vec<&OrderText>, Vec<&OrderText>) =
            sheet.orders.iter().partition(|o| o.out_of_force.is_none());
        SheetView {
            occasion: &ack.occasion,
            letter: ack.letter,
            receipt: &ack.receipt,
            by_umpire: ack.by_umpire,
            in_force: held.iter().map(|o| o.number).collect(),
            orders: held.into_iter().map(order).collect(),
            out_of_force: out.into_iter().map(order).collect(),
            refused: of_kind(&[ComplaintKind::NotUnderstood, ComplaintKind::Illegal]),
            kept: of_kind(&[ComplaintKind::NotAdjudicated]),
            advice: of_kind(&[ComplaintKind::Advice]),
            questions: sheet.questions.iter().map(question).collect(),
            passed_over: sheet.passed_over.iter().filter(|l| !l.text.trim().is_empty()).map(passed_over).collect(),
            left_out: &ack.left_out,
            still_open: &sheet.still_open,
            remarks: &ack.remarks,
            standing: &ack.standing,
            deadline: &ack.deadline,
            root: &ack.root,
            begin,
            end,
        }
    }
}

fn order(order: &OrderText) -> OrderView {
    OrderView {
        line: format!("{:>3}  {}", order.number, text::plain(&order.words)),
        note: text::plain(&order.note),
        why: order.out_of_force.as_deref().map(text::plain).unwrap_or_default(),
    }
}

pub fn complaint(complaint: &Complaint) -> ComplaintView {
    let quote = match &complaint.span {
        Some(span) => quote(span.line, &complaint.line_text, Some(span)),
        None if complaint.line_text.trim().is_empty() => String::new(),
        None => quote(0, &complaint.line_text, None),
    };
    ComplaintView {
        quote,
        message: text::plain(&complaint.message),
        help: text::plain(&complaint.help),
        cites: complaint.cites.iter().map(ToString::to_string).collect(),
    }
}

fn question(question: &QuestionText) -> QuestionView {
    let label = |i: usize| char::from_u32(u32::from('a').saturating_add(u32::try_from(i).unwrap_or(0))).unwrap_or('?');
    let labels: Vec<String> =
        (0..question.readings.len()).map(|i| format!("{}{}", question.number, label(i))).collect();
    let quoted: Vec<String> = labels.iter().map(|l| format!("\"{l}\"")).collect();
    let answers = match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, firsts)) => format!("{} or {last}", firsts.join(", ")),
        None => String::new(),
    };
    QuestionView {
        quote: quote(question.source.line, &question.source.words, None),
        message: text::plain(&question.message),
        cites: question.cites.iter().map(ToString::to_string).collect(),
        readings: labels
            .into_iter()
            .zip(&question.readings)
            .map(|(label, words)| Reading { label, words: text::plain(words) })
            .collect(),
        answers,
    }
}

fn passed_over(line: &TextLine) -> PassedOver {
    PassedOver { quote: quote(line.number, &line.text, None) }
}

/// `  line 7 | the player's words`, and a line of carets below if a span is given.
fn quote(line: u32, words: &str, span: Option<&Span>) -> String {
    let head = if line == 0 { "         | ".to_owned() } else { format!("  line {line:<2}| ") };
    let head = if line > 99 { format!("  line {line} | ") } else { head };
    let (shown, carets) = text::carets(words, span, WIDTH - head.len());
    match carets {
        Some(carets) => format!("{head}{shown}\n{}| {carets}", " ".repeat(head.len() - 2)),
        None => format!("{head}{shown}"),
    }
}
