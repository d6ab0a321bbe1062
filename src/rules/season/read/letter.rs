//! A letter, read.

use super::conflict;
use super::draft::{CardWish, Clause, Cond, CondKind, Draft, Fault, Movers, PlaceRef, Range};
use super::index::Index;
use super::item::{self, Lex};
use super::parse::Parser;
use super::resolve::{Outcome, Resolver, Told};
use super::route::{self, Column};
use super::weigh;
use crate::engine::sheet::{Complaint, ComplaintKind, Held, Question, Reading, TextLine};
use crate::engine::{HexId, LetterNo, SeatId, Source, UnitId};
use crate::orders::choice::all_readings;
use crate::orders::layout::{self, Block};
use crate::orders::names::Closeness;
use crate::orders::place;
use crate::orders::token::Sign;
use crate::rules::season::campaign::rule;
use crate::rules::season::cards::Card;
use crate::rules::season::order::{Arrival, March, Order, Pace, Picked, SiegeAction};
use crate::rules::season::view::View;
use std::collections::{BTreeMap, BTreeSet};

/// Reads a letter of `seat`.
pub(in crate::rules::season) fn letter(
    view: &View,
    seat: &SeatId,
    letter: LetterNo,
    lines: &[TextLine],
) -> Reading<Order> {
    let index = Index::new(view, seat);
    let layout = layout::layout(lines);
    let replace = layout.replaces_all.then(|| lines.iter().position(|line| !line.text.trim().is_empty())).flatten();
    let mut reader = Reader {
        index: &index,
        letter,
        lines,
        told: Told::default(),
        reading: Reading { replaces_all: layout.replaces_all, ..Reading::default() },
        used: replace.into_iter().collect(),
        clauses_of: Vec::new(),
        any_card: None,
        clause: 0,
    };
    for answer in &layout.answers {
        let line = lines.get(answer.line);
        let words = line.map_or("", |line| line.text.trim()).to_owned();
        let column = answer.span.0;
        let source = Source { letter, line: line.map_or(0, |line| line.number), column, words };
        reader.used.insert(answer.line);
        reader.reading.answers.push((answer.number, answer.label, source));
    }
    reader.read(&layout.blocks);
    reader.finish(&layout)
}

struct Reader<'r, 'a> {
    index: &'r Index<'a>,
    letter: LetterNo,
    lines: &'r [TextLine],
    told: Told,
    reading: Reading<Order>,
    used: BTreeSet<usize>,
    /// Which clause each order came from, for conflicts.
    clauses_of: Vec<usize>,
    /// The order that is "any Action card".
    any_card: Option<usize>,
    clause: usize,
}

/// A block read into clauses.
struct Spoken<'b> {
    block: &'b Block,
    clauses: Vec<Clause>,
    faults: Vec<(Fault, Range)>,
    kept: Option<(String, String)>,
}

impl Reader<'_, '_> {
    fn read(&mut self, blocks: &[Block]) {
        let mut spoken: Vec<Spoken<'_>> = blocks.iter().map(|block| self.spoken(block)).collect();
        self.wishes(&mut spoken);
        for part in spoken {
            self.told.last.clear();
            self.told.place = None;
            if let Some((about, words)) = part.kept {
                self.keep(part.block, about, words);
                continue;
            }
            for clause in &part.clauses {
                self.take(part.block, clause);
                self.clause += 1;
            }
            for (fault, range) in part.faults {
                self.complain(part.block, &fault, range);
            }
        }
    }

    fn spoken<'b>(&mut self, block: &'b Block) -> Spoken<'b> {
        if let Some(kept) = self.kept_line(block) {
            return Spoken { block, clauses: Vec::new(), faults: Vec::new(), kept: Some(kept) };
        }
        let items = Parser::unbroken(self.index, &block.tokens, item::items(self.index, &block.tokens));
        let parsed = Parser::new(self.index, &block.tokens, &items).block();
        if !parsed.clauses.is_empty() {
            self.slips(block, &items, &parsed.clauses);
        }
        Spoken { block, clauses: parsed.clauses, faults: parsed.faults, kept: None }
    }

    /// The canonical form of what is only kept: `kept, a sea move: "..."`.
    fn kept_line(&self, block: &Block) -> Option<(String, String)> {
        let tokens = &block.tokens;
        let starts = tokens.first()?.word() == Some("kept") && tokens.get(1)?.is(Sign::Comma);
        if !starts {
            return None;
        }
        let open = tokens.iter().position(|token| token.is(Sign::Quote))?;
        let close = tokens.iter().rposition(|token| token.is(Sign::Quote)).filter(|close| *close > open + 1)?;
        let colon = tokens.iter().take(open).rposition(|token| token.is(Sign::Colon))?;
        let about = place::words(self.lines, tokens.get(2..colon)?);
        let raw = place::words(self.lines, tokens.get(open..=close)?);
        let inner: String = raw.chars().skip(1).take(raw.chars().count().saturating_sub(2)).collect();
        Some((about, inner.trim().to_owned()))
    }

    fn keep(&mut self, block: &Block, about: String, words: String) {
        let order = Resolver::kept(&about, &words);
        let message = format!("Kept, but not adjudicated yet: {about}.");
        let fault = Fault { kind: ComplaintKind::NotAdjudicated, ..Fault::words(None, message, "") };
        let all = (0, block.tokens.len().saturating_sub(1));
        self.complain(block, &fault, all);
        self.hold(block, all, vec![order]);
    }

    /// Names that were read in spite of a slip of the pen are said back.
    fn slips(&mut self, block: &Block, items: &[item::Item], clauses: &[Clause]) {
        for item in items {
            let read = clauses.iter().any(|clause| clause.at.0 <= item.first && item.last <= clause.at.1);
            // A plural that fits many of them is no slip: "the Yedisan hordes".
            if let Lex::Name(things, Closeness::Slip) = &item.lex
                && read
                && things.len() <= 3
            {
                let names: Vec<String> = things.iter().map(|thing| self.index.name(thing)).collect();
                let typed = place::words(self.lines, block.tokens.get(item.first..=item.last).unwrap_or(&[]));
                let range = (item.first, item.last);
                let fault =
                    Fault::advice(Some(range), format!("I read \"{typed}\" as {}.", names.join(" or ")), "", &[]);
                self.complain(block, &fault, range);
            }
        }
    }

    /// What is to be done about cities, wherever it stands in the letter: it answers for a march that does not say.
    fn wishes(&mut self, spoken: &mut [Spoken<'_>]) {
        let mut wishes: BTreeMap<HexId, BTreeSet<Arrival>> = BTreeMap::new();
        for part in spoken {
            let mut goal: Option<PlaceRef> = None;
            for clause in &mut part.clauses {
                match &mut clause.draft {
                    Draft::March(march) => {
                        goal = march.legs.last().and_then(|options| options.first()).cloned();
                        if let (Some(arrival), Some(hex)) = (march.arrival, first_hex(goal.as_ref())) {
                            wishes.entry(hex).or_default().insert(arrival);
                        }
                    }
                    Draft::Siege { movers, place, action, .. } => {
                        let arrival = match action {
                            SiegeAction::Besiege => Arrival::Besiege,
                            SiegeAction::Storm => Arrival::Enter,
                            _ => continue,
                        };
                        if place.is_none() && (movers.is_empty() || movers.pronoun) {
                            *place = goal.clone();
                        }
                        if let Some(hex) = first_hex(place.as_ref()) {
                            wishes.entry(hex).or_default().insert(arrival);
                        }
                    }
                    _ => {}
                }
            }
        }
        let plain = wishes.into_iter().filter(|(_, wishes)| wishes.len() == 1);
        self.told.wishes = plain
            .filter_map(|(hex, wishes)| Some((hex, wishes.into_iter().next()?)))
            .filter(|(_, a)| *a != Arrival::Stand)
            .collect();
    }

    fn take(&mut self, block: &Block, clause: &Clause) {
        match &clause.draft {
            Draft::Withdraw(numbers) => {
                for (number, range) in numbers {
                    let source = self.source(block, *range);
                    self.use_lines(block, *range);
                    self.reading.withdrawn.push((*number, source));
                }
                return;
            }
            Draft::Retreat { movers, when: None, to: Some(to), .. }
                if movers.is_empty() && self.falls_back(block, clause, to) =>
            {
                return;
            }
            Draft::GoOn { movers, places } => return self.go_on(block, clause, movers, places),
            Draft::March(march) if self.is_onward(clause, march) => {
                let places: Vec<PlaceRef> = march.legs.iter().filter_map(|options| options.first().cloned()).collect();
                return self.go_on(block, clause, &march.movers, &places);
            }
            _ => {}
        }
        let words = place::words(self.lines, tokens(block, clause.at));
        let lines = self.lines;
        let text = |range: Range| place::words(lines, tokens(block, range));
        let resolver = Resolver { index: self.index, told: &self.told, text: &text };
        let (readings, doubts) = all_readings(|chooser| resolver.clause(clause, &words, chooser));
        let mut fine: Vec<Outcome> = Vec::new();
        let mut faults: Vec<Fault> = Vec::new();
        for reading in readings {
            match reading {
                Ok(outcome) if fine.iter().all(|have| have.orders != outcome.orders) => fine.push(outcome),
                Ok(_) => {}
                Err(fault) => faults.push(fault),
            }
        }
        if clause.standing {
            for outcome in &mut fine {
                outcome.orders = outcome.orders.drain(..).map(|order| Order::Standing(Box::new(order))).collect();
            }
        }
        // "he" is whoever the clause was about, if that is certain; after a clause that came to nothing, whom it named.
        let mut spoken: Vec<Vec<UnitId>> = fine.iter().map(|outcome| resolver.spoken(&outcome.orders)).collect();
        spoken.dedup();
        let spoken =
            if fine.is_empty() { Some(named(&clause.draft)) } else { (spoken.len() == 1).then(|| spoken.remove(0)) };
        let spoken = spoken.unwrap_or_default();
        let speaks = fine.is_empty() || fine.len() > 1 || !spoken.is_empty();
        let goal = fine.first().and_then(|outcome| goal_of(&outcome.orders));
        match fine.len() {
            0 => {
                if let Some(fault) = faults.into_iter().next() {
                    self.complain(block, &fault, clause.at);
                }
            }
            1 => {
                let outcome = fine.into_iter().next().unwrap_or_default();
                for note in &outcome.notes {
                    self.complain(block, note, clause.at);
                }
                if matches!(clause.draft, Draft::Card(CardWish::Any)) {
                    self.any_card = Some(self.reading.orders.len());
                }
                self.hold(block, clause.at, outcome.orders);
            }
            _ => {
                self.use_lines(block, clause.at);
                let message: Vec<String> = doubts.iter().map(|doubt| doubt.message.clone()).collect();
                let cites = doubts.into_iter().flat_map(|doubt| doubt.cites).collect();
                let source = self.source(block, clause.at);
                let readings = fine.into_iter().map(|outcome| outcome.orders).collect();
                self.reading.questions.push(Question {
                    number: 0,
                    source,
                    message: message.join(" "),
                    cites,
                    readings,
                });
            }
        }
        if speaks && is_about_units(&clause.draft) {
            self.told.last = spoken;
        }
        self.told.place = goal.or(self.told.place);
    }

    /// "retreats if he loses half and falls back to Pernau": where to is part of the retreat before it.
    fn falls_back(&mut self, block: &Block, clause: &Clause, to: &PlaceRef) -> bool {
        let Some(hex) = first_hex(Some(to)).filter(|_| clause.cond.is_none()) else { return false };
        let Some(held) =
            self.reading.orders.last_mut().filter(|_| self.clauses_of.last().is_some_and(|at| at + 1 == self.clause))
        else {
            return false;
        };
        let Order::Retreat(retreat) = &mut held.order else { return false };
        if retreat.to.is_some() {
            return false;
        }
        retreat.to = Some(hex);
        let order = held.order.clone();
        if let Some(told) = self.told.orders.last_mut() {
            *told = order;
        }
        self.use_lines(block, clause.at);
        true
    }

    /// "if we win, march to 0306" behind a march of the same units.
    fn is_onward(&self, clause: &Clause, march: &super::draft::MarchDraft) -> bool {
        let wins = matches!(&clause.cond, Some(Cond::On(CondKind::Win | CondKind::Hold, _)));
        let same = march.movers.is_empty() || march.movers.pronoun && march.movers.named.is_empty();
        wins && same && march.from.is_none() && self.told.orders.iter().any(|order| matches!(order, Order::March(_)))
    }

    /// What victors do next: written into the march that it continues [003 Steamroller, R-003-48].
    fn go_on(&mut self, block: &Block, clause: &Clause, movers: &Movers, places: &[PlaceRef]) {
        self.use_lines(block, clause.at);
        if !matches!(&clause.cond, Some(Cond::On(CondKind::Win | CondKind::Hold, _))) {
            let fault = Fault {
                cites: vec![rule("003 Steamroller")],
                ..Fault::words(
                    None,
                    "When are they to go on?",
                    "A march goes to its goal in one order; beyond a battle write \"if we win, go on to ...\".",
                )
            };
            return self.complain(block, &fault, clause.at);
        }
        let named: Vec<_> = movers
            .named
            .iter()
            .flat_map(|named| named.units.iter().copied())
            .chain(self.told.last.iter().copied().filter(|_| movers.named.is_empty()))
            .collect();
        let found = self.reading.orders.iter().rposition(|held| match &held.order {
            Order::March(march) => named.is_empty() || marches(march).iter().any(|id| named.contains(id)),
            _ => false,
        });
        let legs: Vec<HexId> = places.iter().filter_map(|place| place.hexes.first().copied()).collect();
        let Some((at, march)) = found.and_then(|at| match &self.reading.orders.get(at)?.order {
            Order::March(march) => Some((at, march.clone())),
            _ => None,
        }) else {
            let fault = Fault {
                cites: vec![rule("003 Steamroller"), rule("R-003-48")],
                ..Fault::words(
                    None,
                    "There is no march in this letter from which to go on.",
                    "Write it behind the march: \"Dal to Riga; if we win, go on to Wenden\".",
                )
            };
            return self.complain(block, &fault, clause.at);
        };
        let start = march.path.last().copied().unwrap_or(march.from);
        let column = Column { rate: 8, led: march.leader_goes };
        let short = |from: HexId, to: HexId| route::distance(self.index, from, to);
        let mut far = 0;
        let mut last = start;
        for leg in &legs {
            far += short(last, *leg).unwrap_or(99);
            last = *leg;
        }
        let way = if far == 0 || far > 8 {
            None
        } else {
            route::way(self.index, start, &legs, Pace::Normal, Column { rate: far, ..column }, None).ok()
        };
        let Some(way) = way else {
            let goal = legs.last().map_or_else(String::new, |hex| self.index.place_name(*hex));
            let fault = Fault::illegal(
                None,
                format!("There is no way on from {} to {goal}.", self.index.place_name(start)),
                "",
                &[rule("003 Steamroller")],
            );
            return self.complain(block, &fault, clause.at);
        };
        let order = Order::March(March { onward: way.path, ..march });
        if let Some(held) = self.reading.orders.get_mut(at) {
            held.order = order.clone();
        }
        if let Some(told) = self.told.orders.get_mut(at) {
            *told = order;
        }
    }

    fn hold(&mut self, block: &Block, at: Range, orders: Vec<Order>) {
        self.use_lines(block, at);
        let source = self.source(block, at);
        for order in orders {
            self.told.orders.push(order.clone());
            self.clauses_of.push(self.clause);
            self.reading.orders.push(Held { order, source: source.clone(), out_of_force: None });
        }
    }

    fn source(&self, block: &Block, at: Range) -> Source {
        place::source(self.lines, self.letter, tokens(block, at))
    }

    fn use_lines(&mut self, block: &Block, at: Range) {
        self.used.extend(tokens(block, at).iter().map(|token| token.line));
    }

    fn complain(&mut self, block: &Block, fault: &Fault, clause: Range) {
        self.use_lines(block, clause);
        let at = fault.at.unwrap_or(clause);
        let pointed = tokens(block, at);
        let line = pointed.first().and_then(|token| self.lines.get(token.line));
        let complaint = Complaint {
            kind: fault.kind,
            span: place::span(self.lines, pointed),
            line_text: line.map_or_else(String::new, |line| line.text.clone()),
            message: fault.message.clone(),
            help: fault.help.clone(),
            cites: fault.cites.clone(),
        };
        if !self.reading.complaints.contains(&complaint) {
            self.reading.complaints.push(complaint);
        }
    }

    fn finish(mut self, layout: &layout::Layout) -> Reading<Order> {
        self.settle_any_card();
        conflict::settle(self.index, self.lines, &mut self.reading, &self.clauses_of);
        self.reading.complaints.sort_by_key(|complaint| complaint.span.as_ref().map(|span| (span.line, span.start)));
        let blank = |line: &TextLine| line.text.trim().is_empty();
        let passed = self
            .lines
            .iter()
            .enumerate()
            .filter(|(at, line)| !blank(line) && (!self.used.contains(at) || layout.passed.contains(at)));
        self.reading.passed_over = passed.map(|(_, line)| line.clone()).collect();
        self.reading
    }

    /// "any Action card": the smallest that carries the letter's Actions, else the greatest.
    fn settle_any_card(&mut self) {
        let Some(at) = self.any_card else { return };
        let needed =
            weigh::actions_needed(self.index.view, self.index.seat, self.reading.orders.iter().map(|held| &held.order));
        let hand = self.index.view.purse.as_ref().map_or(&[][..], |purse| &purse.hand);
        let mut cards: Vec<(u8, u8)> = hand
            .iter()
            .filter_map(|card| if let Card::Action { value, serial } = card { Some((*value, *serial)) } else { None })
            .collect();
        cards.sort_unstable();
        let fitting = cards.iter().find(|(value, _)| u32::from(*value) >= needed).or(cards.last());
        if let (Some((value, serial)), Some(held)) = (fitting, self.reading.orders.get_mut(at)) {
            held.order = Order::ActionCard(Card::Action { value: *value, serial: *serial });
        }
    }
}

fn first_hex(place: Option<&PlaceRef>) -> Option<HexId> {
    place?.hexes.first().copied()
}

fn tokens(block: &Block, at: Range) -> &[crate::orders::Token] {
    let last = block.tokens.len().saturating_sub(1);
    block.tokens.get(at.0.min(last)..=at.1.min(last)).unwrap_or(&[])
}

/// The units that a clause names beyond doubt.
fn named(draft: &Draft) -> Vec<UnitId> {
    let movers = match draft {
        Draft::March(march) => &march.movers,
        Draft::Hold { movers, .. }
        | Draft::Intent { movers, .. }
        | Draft::Retreat { movers, .. }
        | Draft::Siege { movers, .. } => movers,
        _ => return Vec::new(),
    };
    movers.named.iter().filter_map(|named| named.units.first().copied().filter(|_| named.units.len() == 1)).collect()
}

fn is_about_units(draft: &Draft) -> bool {
    matches!(
        draft,
        Draft::March(_)
            | Draft::Hold { .. }
            | Draft::Intent { .. }
            | Draft::Retreat { .. }
            | Draft::Siege { .. }
            | Draft::Kept(_)
    )
}

fn goal_of(orders: &[Order]) -> Option<HexId> {
    orders.iter().rev().find_map(|order| match order {
        Order::March(march) => march.path.last().copied(),
        Order::Siege { city, .. } => Some(*city),
        _ => None,
    })
}

fn marches(march: &March) -> Vec<crate::engine::UnitId> {
    let mut units: Vec<_> = march.army_of.into_iter().collect();
    if let Picked::These(these) = &march.units {
        units.extend(these);
    }
    units
}
