//! The letters: facts in, a subject and texts out. What they say stands in `templates/`.

use super::dice_block;
use super::entry::{self, Section};
use super::facts::{Acknowledgement, Briefing, ChallengeNews, Changes, Moment, NextTurn, Notice, Occasion, Results};
use super::sheet_view::{self, ComplaintView, SheetView};
use super::templates::{TemplateFault, Templates};
use super::text;
use crate::engine::{Roll, Table};
use serde::Serialize;

pub use crate::engine::sheet::{ORDERS_BEGIN, ORDERS_END};

/// A letter, ready for the outbox but for its addresses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dispatch {
    /// One line.
    pub subject: String,
    /// Plain text, 72 columns but for orders and hashes.
    pub text: String,
    /// The same in HTML, where that reads better than plain text.
    pub html: Option<String>,
}

/// Orders as they are held now, and what was asked and refused.
///
/// # Errors
/// If a template is faulty.
pub fn acknowledgement(templates: &Templates, ack: &Acknowledgement) -> Result<Dispatch, TemplateFault> {
    plain(templates, &ack.occasion.system, "acknowledgement.txt", &SheetView::of(ack, ORDERS_BEGIN, ORDERS_END))
}

/// What `umpire check` prints: an acknowledgement without the letter around it.
///
/// # Errors
/// If a template is faulty.
pub fn check_text(templates: &Templates, ack: &Acknowledgement) -> Result<String, TemplateFault> {
    let name = templates.name_for(&ack.occasion.system, "sheet.txt");
    Ok(text::tidy(&templates.render(&name, &SheetView::of(ack, ORDERS_BEGIN, ORDERS_END))?))
}

/// A turn's results, preliminary or official.
///
/// # Errors
/// If a template is faulty.
pub fn results(templates: &Templates, results: &Results) -> Result<Dispatch, TemplateFault> {
    let view = ResultsView::of(templates, results);
    let system = &results.occasion.system;
    let mut dispatch = plain(templates, system, "results.txt", &view)?;
    dispatch.html = Some(templates.render(&templates.name_for(system, "results.html"), &view)?);
    Ok(dispatch)
}

/// A challenge received, refused or answered.
///
/// # Errors
/// If a template is faulty.
pub fn challenge(templates: &Templates, news: &ChallengeNews) -> Result<Dispatch, TemplateFault> {
    plain(templates, &news.occasion.system, "challenge.txt", news)
}

/// All that a newcomer in a seat has to know.
///
/// # Errors
/// If a template is faulty.
pub fn briefing(templates: &Templates, briefing: &Briefing) -> Result<Dispatch, TemplateFault> {
    plain(templates, &briefing.occasion.system, "briefing.txt", briefing)
}

/// Any other short letter; a kind without a template of its own is told by `notice/other.txt`.
///
/// # Errors
/// If a template is faulty.
pub fn notice(templates: &Templates, notice: &Notice) -> Result<Dispatch, TemplateFault> {
    #[derive(Serialize)]
    struct View<'a> {
        #[serde(flatten)]
        notice: &'a Notice,
        listed: Vec<ComplaintView>,
    }
    let system = &notice.occasion.system;
    let own = format!("notice/{}.txt", notice.kind);
    let name = if templates.has(&templates.name_for(system, &own)) { own.as_str() } else { "notice/other.txt" };
    let listed = notice.complaints.iter().map(sheet_view::complaint).collect();
    plain(templates, system, name, &View { notice, listed })
}

/// A template of a letter begins with its subject, as a letter does: `Subject: ...`, a blank line, the text.
fn plain<T: Serialize>(templates: &Templates, system: &str, name: &str, facts: &T) -> Result<Dispatch, TemplateFault> {
    let name = templates.name_for(system, name);
    let rendered = templates.render(&name, facts)?;
    let rendered = rendered.trim_start();
    let Some((subject, body)) = rendered.strip_prefix("Subject:").and_then(|r| r.split_once('\n')) else {
        let message = "A letter's template has to begin with a line \"Subject: ...\".".to_owned();
        return Err(TemplateFault { file: format!("templates/{name}"), line: 1, message });
    };
    Ok(Dispatch { subject: text::plain(subject.trim()), text: text::tidy(body), html: None })
}

/// Results as the templates see them: every entry with its sentence, the dice collected at the foot.
#[derive(Serialize)]
pub(super) struct ResultsView<'a> {
    pub occasion: &'a Occasion,
    pub stage: &'a str,
    pub official: bool,
    pub issue: u16,
    pub until: &'a Option<Moment>,
    pub sections: Vec<Section>,
    pub tables: &'a [Table],
    pub changes: &'a Option<Changes>,
    pub dice: Option<Table>,
    pub ruled_dice: bool,
    pub secrets: usize,
    pub root: &'a str,
    pub dice_block: String,
    pub next: &'a Option<NextTurn>,
    pub without_orders: &'a [String],
    pub own_silence: &'a str,
    pub vacant: &'a [String],
    pub example: String,
}

impl<'a> ResultsView<'a> {
    pub fn of(templates: &Templates, results: &'a Results) -> Self {
        let sections = entry::sections(templates, results);
        let rolls: Vec<Roll> = results.report.entries.iter().flat_map(|e| e.rolls.iter().cloned()).collect();
        let example = results.report.entries.iter().map(|e| e.no.to_string()).find(|no| !no.starts_with('s'));
        ResultsView {
            occasion: &results.occasion,
            stage: &results.stage,
            official: results.stage == "official",
            issue: results.issue,
            until: &results.until,
            tables: &results.report.tables,
            changes: &results.changes,
            dice: dice_table(&sections),
            ruled_dice: rolls.iter().any(|r| !r.set_by_ruling.is_empty()),
            secrets: results.revealed.len(),
            root: &results.root,
            dice_block: dice_block::write(&results.root, results.occasion.turn, &rolls, &results.revealed),
            next: &results.next,
            without_orders: &results.without_orders,
            own_silence: &results.own_silence,
            vacant: &results.vacant,
            example: example.unwrap_or_else(|| "14".to_owned()),
            sections,
        }
    }
}

fn dice_table(sections: &[Section]) -> Option<Table> {
    let mut rows = Vec::new();
    for entry in sections.iter().flat_map(|s| &s.entries) {
        for roll in &entry.rolls {
            let again = if roll.rerolled { " (thrown again by ruling)" } else { "" };
            rows.push(vec![entry.no.clone(), format!("{}{again}", roll.what), roll.scope.clone(), roll.faces.clone()]);
        }
    }
    let columns = ["Event", "Thrown for", "Seen by", "Faces"].map(str::to_owned).to_vec();
    (!rows.is_empty()).then(|| Table { title: String::new(), columns, rows })
}

#[cfg(test)]
mod tests;
