//! What the card, the purse and the pool carry: the rest is out of force, and says why.

use super::index::Index;
use super::supersede::supersede;
use crate::engine::sheet::{Complaint, ComplaintKind, Held, Sheet, Span, Superseded};
use crate::engine::{Cite, HexId, SeatId, Source, UnitId, Viewer};
use crate::rules::season::campaign::{Kind, rule};
use crate::rules::season::cards::Card;
use crate::rules::season::order::{Build, Buy, Condition, March, Order, Picked};
use crate::rules::season::view::View;
use std::collections::{BTreeMap, BTreeSet};

/// Looks at the whole sheet.
pub(in crate::rules::season) fn weigh(view: &View, seat: &SeatId, sheet: &mut Sheet<Order>) {
    settle_questions(sheet);
    let index = Index::new(view, seat);
    stay_at_home(&index, sheet);
    places(&index, sheet);
    cards(view, sheet);
    actions(view, seat, sheet);
    purse(view, seat, sheet);
    sides(&index, sheet);
}

fn refuse(held: &mut Held<Order>, message: String, help: &str, cites: &[Cite]) {
    if held.out_of_force.is_none() {
        held.out_of_force = Some(complaint(&held.source, ComplaintKind::Illegal, message, help, cites));
    }
}

fn complaint(source: &Source, kind: ComplaintKind, message: String, help: &str, cites: &[Cite]) -> Complaint {
    let width = u32::try_from(source.words.chars().count()).unwrap_or(u32::MAX);
    Complaint {
        kind,
        span: Some(Span { line: source.line, start: source.column, end: source.column.saturating_add(width) }),
        line_text: source.words.clone(),
        message,
        help: help.to_owned(),
        cites: cites.to_vec(),
    }
}

/// A doubt about units that a later letter has ordered anew is settled [R-003-86].
fn settle_questions(sheet: &mut Sheet<Order>) {
    let orders: Vec<(Order, crate::engine::LetterNo)> =
        sheet.orders.iter().map(|held| (held.order.clone(), held.source.letter)).collect();
    let letters = sheet.letters.clone();
    let when = |letter| letters.iter().position(|have| *have == letter);
    sheet.questions.retain(|question| {
        let touched = |reading: &Vec<Order>| {
            reading.iter().any(|asked| {
                orders.iter().any(|(order, letter)| {
                    when(*letter) > when(question.source.letter) && supersede(asked, order) == Superseded::Replaced
                })
            })
        };
        question.readings.is_empty() || !question.readings.iter().all(touched)
    });
}

/// "All his brigades" are not those that were told to stay.
fn stay_at_home(index: &Index<'_>, sheet: &mut Sheet<Order>) {
    let held: BTreeSet<UnitId> = sheet
        .orders
        .iter()
        .filter_map(|held| match &held.order {
            Order::Hold(units) => Some(units.clone()),
            _ => None,
        })
        .flatten()
        .collect();
    let marching: BTreeSet<UnitId> = sheet.orders.iter().flat_map(|held| named(&held.order)).collect();
    for entry in &mut sheet.orders {
        let Order::March(march) = &mut entry.order else { continue };
        if march.units != Picked::All {
            continue;
        }
        let here: Vec<UnitId> = index
            .forces
            .values()
            .filter(|unit| unit.at == march.from && unit.is_brigade())
            .map(|unit| unit.id)
            .collect();
        if here.iter().any(|id| held.contains(id)) {
            march.units =
                Picked::These(here.into_iter().filter(|id| !held.contains(id) && !marching.contains(id)).collect());
        }
    }
}

fn named(order: &Order) -> Vec<UnitId> {
    match order {
        Order::March(March { units: Picked::These(units), .. }) => units.clone(),
        _ => Vec::new(),
    }
}

/// Units go from where they stand [003 Army Movement]; after a correction they may stand elsewhere.
fn places(index: &Index<'_>, sheet: &mut Sheet<Order>) {
    for held in &mut sheet.orders {
        let Order::March(march) = &held.order else { continue };
        let mut units: Vec<UnitId> = march.army_of.into_iter().collect();
        units.extend(named(&held.order));
        let away = units.into_iter().find(|id| index.unit(*id).is_none_or(|unit| unit.at != march.from));
        if let Some(id) = away {
            let message = format!("{} is not at {}.", index.unit_name(id), index.place_name(march.from));
            refuse(held, message, "Write the order anew.", &[rule("003 Army Movement")]);
        }
    }
}

/// Cards must be in the hand, and serve once [003 Cards, R-003-08].
fn cards(view: &View, sheet: &mut Sheet<Order>) {
    let Some(purse) = &view.purse else { return };
    let mut used: Vec<Card> = Vec::new();
    for held in &mut sheet.orders {
        let card = match &held.order {
            Order::ActionCard(card) => card.clone(),
            Order::EventCard(play) => play.card.clone(),
            _ => continue,
        };
        if !purse.hand.contains(&card) {
            refuse(held, "The card is not in your hand.".to_owned(), "", &[rule("003 Cards")]);
        } else if used.contains(&card) {
            refuse(held, "The card is played already.".to_owned(), "", &[rule("003 Cards")]);
        } else if let Some(why) = unplayable(view, &held.order) {
            refuse(held, why, "", &[rule("003 Event Cards"), rule("R-003-09")]);
        } else {
            used.push(card);
        }
    }
}

/// Why an Event card's text is of no use to the one who plays it.
fn unplayable(view: &View, order: &Order) -> Option<String> {
    let (Order::EventCard(play), Viewer::Seat(seat)) = (order, &view.viewer) else { return None };
    let Card::Event { id, .. } = &play.card else { return None };
    super::super::play::unplayable(view.campaign.cards.event(id)?, seat)
}

/// The Actions that a card gives [003 Action Cards, R-003-09].
pub(super) fn value(card: &Card) -> u32 {
    match card {
        Card::Action { value, .. } => u32::from(*value),
        Card::Event { .. } => 1,
    }
}

/// The Action cards of the hand, in words.
pub(super) fn action_hand(view: &View) -> String {
    let hand = view.purse.as_ref().map_or(&[][..], |purse| &purse.hand);
    let cards: Vec<String> = hand
        .iter()
        .filter_map(|card| match card {
            Card::Action { value, serial } => Some(format!("Action card {value} (no. {serial})")),
            Card::Event { .. } => None,
        })
        .collect();
    if !cards.is_empty() {
        return format!("In your hand: {}.", cards.join(", "));
    }
    if view.campaign.house.event_as_action && !hand.is_empty() {
        return "Your hand holds none; an Event card can be thrown in as one of value 1: \"play ... as an Action card\".".to_owned();
    }
    "Your hand holds none.".to_owned()
}

/// Counts Actions in written order: one for all marches of one army, one for each single brigade and each brigade built
/// [003 Action Cards, R-003-12].
struct Count<'v> {
    view: &'v View,
    seat: &'v SeatId,
    used: u32,
    armies: BTreeSet<(UnitId, HexId)>,
    waiting: Vec<Condition>,
}

impl<'v> Count<'v> {
    fn new(view: &'v View, seat: &'v SeatId) -> Self {
        Self { view, seat, used: 0, armies: BTreeSet::new(), waiting: Vec::new() }
    }

    /// What an order costs on top of those before it.
    fn cost(&self, order: &Order) -> u32 {
        match order {
            Order::March(march) => match march.army_of {
                Some(leader) if self.armies.contains(&(leader, march.from)) => 0,
                Some(_) => 1,
                None => self.singles(march),
            },
            Order::Build(_) => 1,
            _ => 0,
        }
    }

    fn singles(&self, march: &March) -> u32 {
        let count = match &march.units {
            Picked::These(units) => units.len(),
            Picked::All => {
                let own = self.view.own.values().filter(|unit| unit.seat == *self.seat);
                own.filter(|unit| unit.at == march.from && unit.is_brigade()).count()
            }
        };
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// Two marches of which only one can come up cost one Action [R-003-89].
    fn excluded(&self, order: &Order) -> bool {
        let Order::March(March { condition: Some(condition), .. }) = order else { return false };
        self.waiting.iter().any(|have| excludes(have, condition))
    }

    fn pay(&mut self, order: &Order) {
        if !self.excluded(order) {
            self.used = self.used.saturating_add(self.cost(order));
        }
        if let Order::March(march) = order {
            self.armies.extend(march.army_of.map(|leader| (leader, march.from)));
            self.waiting.extend(march.condition.clone());
        }
    }
}

fn excludes(a: &Condition, b: &Condition) -> bool {
    match (a, b) {
        (Condition::EnemyAt(a), Condition::NoEnemyAt(b)) | (Condition::NoEnemyAt(a), Condition::EnemyAt(b)) => a == b,
        _ => false,
    }
}

/// The Actions that these orders need together.
pub(super) fn actions_needed<'o>(view: &View, seat: &SeatId, orders: impl Iterator<Item = &'o Order>) -> u32 {
    let mut count = Count::new(view, seat);
    for order in orders {
        count.pay(order);
    }
    count.used
}

/// Written order decides which Actions the card carries [R-003-86, R-003-101].
fn actions(view: &View, seat: &SeatId, sheet: &mut Sheet<Order>) {
    let card = sheet.orders.iter().filter(|held| held.out_of_force.is_none()).find_map(|held| match &held.order {
        Order::ActionCard(card) => Some(card.clone()),
        _ => None,
    });
    let has = card.as_ref().map_or(0, value);
    let mut count = Count::new(view, seat);
    for held in &mut sheet.orders {
        if held.out_of_force.is_some() {
            continue;
        }
        let cost = if count.excluded(&held.order) { 0 } else { count.cost(&held.order) };
        if cost > 0 && count.used.saturating_add(cost) > has {
            let (message, help) = match &card {
                None => ("That takes an Action, and no Action card is chosen.".to_owned(), action_hand(view)),
                Some(Card::Action { value, .. }) => {
                    let nth = ordinal(count.used.saturating_add(cost));
                    (format!("That would be {nth} Action; card {value} gives {}.", number(has)), String::new())
                }
                Some(Card::Event { .. }) => {
                    let nth = ordinal(count.used.saturating_add(cost));
                    (format!("That would be {nth} Action; an Event card thrown in gives one."), String::new())
                }
            };
            refuse(held, message, &help, &[rule("003 Action Cards")]);
            continue;
        }
        count.pay(&held.order);
    }
}

fn ordinal(n: u32) -> String {
    match n {
        1 => "a first".to_owned(),
        2 => "a second".to_owned(),
        3 => "a third".to_owned(),
        4 => "a fourth".to_owned(),
        5 => "a fifth".to_owned(),
        n => format!("Action number {n}, that is one more"),
    }
}

fn number(n: u32) -> String {
    match n {
        0 => "none".to_owned(),
        1 => "one".to_owned(),
        2 => "two".to_owned(),
        3 => "three".to_owned(),
        n => n.to_string(),
    }
}

/// Money and men of the turn, as they are spent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Purse {
    money: u32,
    men: u32,
}

impl Purse {
    /// What the seat has.
    pub fn of(view: &View) -> Self {
        view.purse.as_ref().map_or(Self { money: 0, men: 0 }, |purse| Self { money: purse.bank, men: purse.manpower })
    }

    /// The price of a purchase: whole brigades; ships by step at price x steps / maximum, rounded up [R-003-101].
    pub fn price(view: &View, seat: &SeatId, kind: Kind, count: u32) -> Option<(u32, u32)> {
        let row = view.campaign.brigade(seat, kind)?;
        if !kind.is_naval() {
            return Some((row.money.saturating_mul(count), row.manpower.saturating_mul(count)));
        }
        let max = u32::from(row.max.max(1));
        Some((row.money.saturating_mul(count).div_ceil(max), row.manpower.saturating_mul(count).div_ceil(max)))
    }

    /// How many of a kind can still be paid.
    pub fn most(&self, view: &View, seat: &SeatId, kind: Kind) -> u32 {
        let fits = |count: u32| {
            Self::price(view, seat, kind, count).is_some_and(|(money, men)| money <= self.money && men <= self.men)
        };
        (1..=99).take_while(|count| fits(*count)).last().unwrap_or(0)
    }

    /// Pays as much of a purchase as can be paid, and says how many.
    pub fn pay(&mut self, view: &View, seat: &SeatId, buy: &Buy) -> u32 {
        let count = self.most(view, seat, buy.kind).min(buy.count);
        if let Some((money, men)) = Self::price(view, seat, buy.kind, count) {
            self.money = self.money.saturating_sub(money);
            self.men = self.men.saturating_sub(men);
        }
        count
    }
}

/// Whether a kind can be deployed in a hex [003 Deployment, R-003-63, R-003-64].
///
/// # Errors
/// Why not.
pub(super) fn building_place(view: &View, seat: &SeatId, hex: HexId, kind: Kind) -> Result<(), (String, Cite)> {
    let name = view.campaign.board.name(hex);
    let city = view.campaign.board.city(hex);
    let Some(city) = city.filter(|city| city.home_of.as_ref() == Some(seat)) else {
        return Err((format!("{name} is no home city of yours."), rule("003 Deployment")));
    };
    if kind.is_naval() && !city.port.is_some_and(|port| port.sea) {
        return Err((format!("{name} is no port."), rule("R-003-64")));
    }
    if !kind.is_naval() && !city.is_supply_city() {
        return Err((format!("{name} is no supply city."), rule("003 Deployment")));
    }
    if view.controller(hex) != Some(seat) {
        return Err((format!("{name} is not in your hands."), rule("R-003-63")));
    }
    if view.sieges.contains_key(&hex) {
        return Err((format!("{name} is besieged."), rule("R-003-63")));
    }
    if view.enemies_seen(seat, hex) > 0 {
        return Err((format!("There are enemies at {name}."), rule("R-003-63")));
    }
    Ok(())
}

/// Builds against the pool, purchases against bank and manpower, in written order [003 Reinforcements, R-003-101].
fn purse(view: &View, seat: &SeatId, sheet: &mut Sheet<Order>) {
    let Some(state) = &view.purse else { return };
    let mut pool = state.pool.clone();
    let mut built: BTreeMap<HexId, u32> = BTreeMap::new();
    let buys: BTreeSet<Kind> = sheet
        .orders
        .iter()
        .filter_map(|held| if let Order::Buy(buy) = &held.order { Some(buy.kind) } else { None })
        .collect();
    let mut purse = Purse::of(view);
    let mut bought: BTreeMap<Kind, u32> = BTreeMap::new();
    let mut advice = Vec::new();
    for held in &mut sheet.orders {
        if held.out_of_force.is_some() {
            continue;
        }
        match held.order.clone() {
            Order::Build(build) => {
                weigh_build(view, seat, &build, held, (&mut pool, &mut built), buys.contains(&build.kind))
            }
            Order::Buy(buy) => weigh_buy(view, seat, &buy, held, (&mut purse, &mut bought), &mut advice),
            _ => {}
        }
    }
    sheet.complaints.extend(advice);
}

fn weigh_build(
    view: &View,
    seat: &SeatId,
    build: &Build,
    held: &mut Held<Order>,
    so_far: (&mut BTreeMap<Kind, u32>, &mut BTreeMap<HexId, u32>),
    bought: bool,
) {
    let (pool, built) = so_far;
    if let Err((message, cite)) = building_place(view, seat, build.at, build.kind) {
        return refuse(held, message, "", &[cite]);
    }
    let full = view.campaign.brigade(seat, build.kind).map_or(1, |row| u32::from(row.max));
    let have = pool.get(&build.kind).copied().unwrap_or(0);
    let needed = if build.kind.is_naval() { 1 } else { full };
    if have < needed {
        let message = format!("A full brigade of {} needs {needed} steps; your pool holds {have}.", build.kind);
        let help = if bought {
            "What is bought this turn comes into the pool after the building, and can be built next turn."
        } else {
            "Buy it first; it can be built the turn after."
        };
        return refuse(held, message, help, &[rule("003 Deployment"), rule("R-003-75")]);
    }
    let value = view.campaign.board.city(build.at).map_or(0, |city| u32::from(city.value));
    let here = built.entry(build.at).or_insert(0);
    if view.campaign.house.deploy_cap && *here >= value {
        let message = format!("No more than {value} can be built at {} in a turn.", view.campaign.board.name(build.at));
        return refuse(held, message, "", &[rule("R-003-63")]);
    }
    *here += 1;
    let taken = if build.kind.is_naval() { have.min(full) } else { needed };
    pool.insert(build.kind, have - taken);
}

fn weigh_buy(
    view: &View,
    seat: &SeatId,
    buy: &Buy,
    held: &mut Held<Order>,
    so_far: (&mut Purse, &mut BTreeMap<Kind, u32>),
    advice: &mut Vec<Complaint>,
) {
    let (purse, bought) = so_far;
    let cites = [rule("003 Purchase new Brigades"), rule("R-003-101")];
    let room = room(view, seat, buy.kind, bought.get(&buy.kind).copied().unwrap_or(0));
    if room == Some(0) {
        let message = format!("The limit for {} is reached, pool and map together.", buy.kind);
        return refuse(held, message, "", &cites);
    }
    let left = *purse;
    let allowed = Buy { kind: buy.kind, count: room.map_or(buy.count, |room| buy.count.min(room)) };
    let paid = purse.pay(view, seat, &allowed);
    *bought.entry(buy.kind).or_insert(0) += paid;
    if paid == buy.count {
        return;
    }
    let (money, men) = Purse::price(view, seat, buy.kind, buy.count).unwrap_or((0, 0));
    let message = format!(
        "That costs {money} money and {men} men; there are {} money and {} men left for it.",
        left.money, left.men
    );
    if paid == 0 {
        return refuse(held, message, "", &cites);
    }
    let message = format!("{message} {paid} of {} can be paid.", buy.count);
    advice.push(complaint(
        &held.source,
        ComplaintKind::Advice,
        message,
        "The rest is bought if money comes in by a card.",
        &cites,
    ));
}

/// How many more of a kind the limit allows, pool and map together; `None` = no limit.
fn room(view: &View, seat: &SeatId, kind: Kind, bought: u32) -> Option<u32> {
    let row = view.campaign.brigade(seat, kind)?;
    let limit = row.limit?;
    let on_map = view.own.values().filter(|unit| unit.seat == *seat && unit.kind == kind).count();
    let steps = view.purse.as_ref().and_then(|purse| purse.pool.get(&kind)).copied().unwrap_or(0);
    let pool = steps.div_ceil(u32::from(row.max.max(1)));
    Some(limit.saturating_sub(u32::try_from(on_map).unwrap_or(u32::MAX)).saturating_sub(pool).saturating_sub(bought))
}

/// More brigades over a side than may cross it, counted over all marches of the sheet [003 Side Limits, R-003-13, R-003-92].
fn sides(index: &Index<'_>, sheet: &mut Sheet<Order>) {
    let board = &index.view.campaign.board;
    let figures = &index.view.campaign.figures;
    let mut use_of: BTreeMap<crate::engine::HexSide, u32> = BTreeMap::new();
    let mut advice = Vec::new();
    let elsewhere: BTreeSet<UnitId> = sheet.orders.iter().flat_map(|held| named(&held.order)).collect();
    for held in sheet.orders.iter().filter(|held| held.out_of_force.is_none()) {
        let Order::March(march) = &held.order else { continue };
        let brigade = |id: &UnitId| index.unit(*id).is_some_and(|unit| unit.is_brigade());
        let count = match &march.units {
            Picked::These(units) => units.iter().filter(|id| brigade(id)).count(),
            Picked::All => index
                .forces
                .values()
                .filter(|unit| unit.at == march.from && unit.is_brigade() && !elsewhere.contains(&unit.id))
                .count(),
        };
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let mut at = march.from;
        for next in &march.path {
            if let Some(side) = board.open_side(at, *next) {
                let river = march.pace == crate::rules::season::order::Pace::River && side.river.is_some();
                let limit = figures.limit(side.terrain) + if river { figures.river_limit_bonus } else { 0 };
                let used = use_of.entry(crate::engine::HexSide::between(at, *next)).or_insert(0);
                let before = *used;
                *used = used.saturating_add(count);
                if before > 0 && *used > limit {
                    let message = format!(
                        "With this march {used} brigades would cross from {} to {} this turn, and only {limit} may.",
                        index.place_name(at),
                        index.place_name(*next)
                    );
                    let cites = [rule("003 Side Limits"), rule("R-003-13"), rule("R-003-92")];
                    advice.push(complaint(
                        &held.source,
                        ComplaintKind::Advice,
                        message,
                        "They go as written, else by number; the rest stay.",
                        &cites,
                    ));
                    break;
                }
            }
            at = *next;
        }
    }
    sheet.complaints.extend(advice);
}
