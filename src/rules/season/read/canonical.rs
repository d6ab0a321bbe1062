//! An order in words that read back as the same order.

use super::index::Index;
use super::weigh::Purse;
use crate::engine::{HexId, SeatId, UnitId};
use crate::rules::season::cards::{Card, EventGroup};
use crate::rules::season::order::{
    Arrival, Condition, Diplomacy, EventPlay, Intent, March, Order, Pace, Picked, Retreat, RetreatWhen, SiegeAction,
    Who,
};
use crate::rules::season::state::Unit;
use crate::rules::season::view::View;

/// So many units are named by whom they leave out, if that is shorter.
const MANY: usize = 12;

/// An order's words and a remark for the acknowledgement.
pub(in crate::rules::season) fn canonical(view: &View, seat: &SeatId, order: &Order) -> (String, String) {
    let index = Index::new(view, seat);
    let words = Words { index: &index };
    (words.order(order), words.note(order))
}

struct Words<'w, 'a> {
    index: &'w Index<'a>,
}

impl Words<'_, '_> {
    fn order(&self, order: &Order) -> String {
        match order {
            Order::ActionCard(card) => self.action_card(card),
            Order::NoActionCard => "No Action card".to_owned(),
            Order::EventCard(play) => self.event(play),
            Order::March(march) => self.march(march),
            Order::Hold(units) => {
                let (who, one) = self.company(units);
                format!("{who} {}", if one { "stays" } else { "stay" })
            }
            Order::Build(build) => {
                let named = build.name.as_ref().map_or_else(String::new, |name| format!(" named \"{name}\""));
                format!("Build {} at {}{named}", build.kind, self.place(build.at))
            }
            Order::Buy(buy) => format!("Buy {} {}", buy.count, buy.kind),
            Order::Levy { call, places } => self.levy(*call, places),
            Order::Intent(intent) => self.intent(intent),
            Order::Retreat(retreat) => self.retreat(retreat),
            Order::Siege { city, action } => {
                let words = match action {
                    SiegeAction::Besiege => "Besiege",
                    SiegeAction::Storm => "Storm",
                    SiegeAction::Raise => "Raise the siege of",
                    SiegeAction::Sortie => "Sortie from",
                    SiegeAction::JoinRelief => "Join the relief at",
                };
                format!("{words} {}", self.place(*city))
            }
            Order::Diplomacy(diplomacy) => self.diplomacy(diplomacy),
            Order::HitsFirst(units) => format!("Hits first: {}", self.listed(units)),
            Order::FeedFirst(units) => format!("Feed first: {}", self.listed(units)),
            Order::Standing(inner) => format!("Standing: {}", self.order(inner)),
            Order::Kept(kept) => format!("Kept, {}: \"{}\"", kept.about, kept.words),
        }
    }

    fn place(&self, hex: HexId) -> String {
        self.index.place_name(hex)
    }

    fn unit(&self, id: UnitId) -> String {
        self.index.unit_name(id)
    }

    fn listed(&self, units: &[UnitId]) -> String {
        units.iter().map(|id| self.unit(*id)).collect::<Vec<_>>().join(", ")
    }

    /// "A, B and C".
    fn units(&self, units: &[UnitId]) -> String {
        match units {
            [] => "nobody".to_owned(),
            [one] => self.unit(*one),
            [rest @ .., last] => format!("{} and {}", self.listed(rest), self.unit(*last)),
        }
    }

    /// Many units in few words, where these say the same: "All but Peter and Croy". True if it is one that acts.
    fn company(&self, units: &[UnitId]) -> (String, bool) {
        let own = |keep: &dyn Fn(&Unit) -> bool| -> Vec<UnitId> {
            self.index.forces.values().filter(|unit| keep(unit)).map(|unit| unit.id).collect()
        };
        if units.len() >= MANY {
            if units == own(&|unit| unit.name.ends_with("Garrison")) {
                return ("Every garrison".to_owned(), true);
            }
            let land = own(&|unit| !unit.kind.is_naval());
            let spared: Vec<UnitId> = land.iter().copied().filter(|id| !units.contains(id)).collect();
            let rest: Vec<UnitId> = land.into_iter().filter(|id| !spared.contains(id)).collect();
            if units == rest && spared.is_empty() {
                return ("All".to_owned(), false);
            }
            if units == rest && spared.len() * 3 <= units.len() {
                return (format!("All but {}", self.units(&spared)), false);
            }
        }
        (self.units(units), units.len() == 1)
    }

    fn action_card(&self, card: &Card) -> String {
        match card {
            Card::Action { value, serial } => format!("Action card {value} (no. {serial})"),
            Card::Event { .. } => format!("Play {} as an Action card", self.card(card)),
        }
    }

    fn card(&self, card: &Card) -> String {
        let Card::Event { id, copy } = card else { return String::new() };
        let data = self.index.view.campaign.cards.event(id);
        let name = match data.map(|data| &data.group) {
            Some(EventGroup::Supply(steps)) => format!("Supply card of {steps} steps"),
            _ => super::index::card_name(&self.index.view.campaign, id),
        };
        if data.is_some_and(|data| data.count > 1) { format!("{name} (no. {copy})") } else { name }
    }

    fn event(&self, play: &EventPlay) -> String {
        let mut targets: Vec<String> = play.units.iter().map(|id| self.unit(*id)).collect();
        targets.extend(play.hexes.iter().map(|hex| self.place(*hex)));
        targets.extend(play.seats.iter().map(|seat| self.index.view.campaign.seat_name(seat).to_owned()));
        let on = if targets.is_empty() { String::new() } else { format!(" on {}", targets.join(", ")) };
        format!("Play {}{on}{}", self.card(&play.card), self.condition(play.condition.as_ref()))
    }

    fn condition(&self, condition: Option<&Condition>) -> String {
        match condition {
            None => String::new(),
            Some(Condition::EnemyAvoids(hex)) => format!(", if the enemy avoids battle at {}", self.place(*hex)),
            Some(Condition::EnemyAt(hex)) => format!(", if the enemy is at {}", self.place(*hex)),
            Some(Condition::NoEnemyAt(hex)) => format!(", if nobody is at {}", self.place(*hex)),
            Some(Condition::WeWin(hex)) => format!(", if we win at {}", self.place(*hex)),
            Some(Condition::WeHold(hex)) => format!(", if we hold {}", self.place(*hex)),
        }
    }

    fn march(&self, march: &March) -> String {
        let mut words = format!("{}: {}", self.movers(march), self.place(march.from));
        for hex in &march.path {
            words.push_str(&format!(" -> {}", self.place(*hex)));
        }
        match march.pace {
            Pace::Normal => {}
            Pace::Forced => words.push_str(", forced march"),
            Pace::River => words.push_str(", by river"),
        }
        let goal = march.path.last().copied().unwrap_or(march.from);
        match march.arrival {
            Arrival::Besiege => words.push_str(", besiege it"),
            Arrival::Enter => words.push_str(", enter it"),
            Arrival::Stand if self.enemy_city(goal) => words.push_str(", stay in the field"),
            Arrival::Stand => {}
        }
        words.push_str(&self.condition(march.condition.as_ref()));
        if let Some((first, rest)) = march.onward.split_first() {
            words.push_str(&format!("; if we win, go on to {}", self.place(*first)));
            for hex in rest {
                words.push_str(&format!(" -> {}", self.place(*hex)));
            }
        }
        words
    }

    fn enemy_city(&self, hex: HexId) -> bool {
        let view = self.index.view;
        view.campaign.board.city(hex).is_some()
            && view.controller(hex).is_some_and(|owner| view.at_war(self.index.seat, owner))
    }

    fn movers(&self, march: &March) -> String {
        let leader = march.army_of.map(|id| self.unit(id));
        match (&leader, march.leader_goes, &march.units) {
            (Some(leader), true, Picked::All) => format!("{leader} and all his brigades"),
            (Some(leader), true, Picked::These(units)) if units.is_empty() => format!("{leader} alone"),
            (Some(leader), true, Picked::These(units)) => format!("{leader} with {}", self.units(units)),
            (Some(leader), false, Picked::All) => format!("All brigades under {leader}, who stays"),
            (Some(leader), false, Picked::These(units)) => format!("{} under {leader}, who stays", self.units(units)),
            (None, _, Picked::All) => format!("All brigades at {} on their own", self.place(march.from)),
            (None, _, Picked::These(units)) => {
                let led = self.index.forces.values().any(|unit| unit.is_leader() && unit.at == march.from);
                format!("{}{}", self.units(units), if led { " on its own" } else { "" })
            }
        }
    }

    fn levy(&self, call: bool, places: &[HexId]) -> String {
        let names: Vec<String> = places.iter().map(|hex| self.place(*hex)).collect();
        let at = if names.is_empty() { String::new() } else { format!(" at {}", names.join(", ")) };
        if call { format!("Call up the levies{at}") } else { format!("Levies: none{at}") }
    }

    fn intent(&self, intent: &Intent) -> String {
        let (one, many) = if intent.give { ("gives battle", "give battle") } else { ("avoids battle", "avoid battle") };
        let words = match &intent.who {
            Who::All => format!("All {many}"),
            Who::At(hex) => {
                format!("{} at {}", if intent.give { "Give battle" } else { "Avoid battle" }, self.place(*hex))
            }
            Who::Units(units) => {
                let (who, single) = self.company(units);
                format!("{who} {}", if single { one } else { many })
            }
        };
        words + &self.condition(intent.condition.as_ref())
    }

    fn retreat(&self, retreat: &Retreat) -> String {
        let (who, one) = match &retreat.who {
            Who::All => ("All".to_owned(), false),
            Who::At(hex) => (format!("All at {}", self.place(*hex)), false),
            Who::Units(units) => self.company(units),
        };
        let verb = if one { "retreats" } else { "retreat" };
        let to = retreat.to.map_or_else(String::new, |hex| format!(" to {}", self.place(hex)));
        match retreat.when {
            RetreatWhen::Never => format!("{who} {}{to}", if one { "holds to the last" } else { "hold to the last" }),
            RetreatWhen::AtOnce => format!("{who} {verb}{to} if attacked"),
            RetreatWhen::AfterRound(1) => format!("{who} {verb}{to} after 1 round"),
            RetreatWhen::AfterRound(n) => format!("{who} {verb}{to} after {n} rounds"),
            RetreatWhen::LossPercent(percent) => format!("{who} {verb}{to} at {percent} % losses"),
            RetreatWhen::OddsPercent(101) => format!("{who} {verb}{to} if outnumbered"),
            RetreatWhen::OddsPercent(n) if n % 100 == 0 => format!("{who} {verb}{to} if outnumbered {} to 1", n / 100),
            RetreatWhen::OddsPercent(n) => format!("{who} {verb}{to} if outnumbered {n} %"),
        }
    }

    fn diplomacy(&self, diplomacy: &Diplomacy) -> String {
        let name = |seat: &SeatId| self.index.view.campaign.seat_name(seat).to_owned();
        match diplomacy {
            Diplomacy::War(seat) => format!("Declare war on {}", name(seat)),
            Diplomacy::Peace(seat) => format!("Offer peace to {}", name(seat)),
            Diplomacy::Passage(seat) => format!("Grant passage to {}", name(seat)),
            Diplomacy::NoPassage(seat) => format!("No passage for {}", name(seat)),
            Diplomacy::Cede { hex, to } => format!("Cede {} to {}", self.place(*hex), name(to)),
        }
    }

    // --- remarks

    fn note(&self, order: &Order) -> String {
        match order {
            Order::March(march) => self.march_note(march).join("; "),
            Order::Build(_) => "1 Action".to_owned(),
            Order::Buy(buy) => Purse::price(self.index.view, self.index.seat, buy.kind, buy.count)
                .map_or_else(String::new, |(money, men)| format!("{money} money, {men} men")),
            Order::Kept(_) => "kept, not adjudicated yet".to_owned(),
            _ => String::new(),
        }
    }

    fn march_note(&self, march: &March) -> Vec<String> {
        let mut notes = vec!["1 Action".to_owned()];
        if march.army_of.is_some() && march.units != Picked::These(Vec::new()) {
            notes = vec!["1 Action with all marches of this army".to_owned()];
        }
        let board = &self.index.view.campaign.board;
        let leader =
            march.army_of.filter(|_| march.leader_goes).and_then(|id| self.index.unit(id)).and_then(|unit| unit.leader);
        let mut at = march.from;
        for next in &march.path {
            if board.needs_crossing(at, *next) && march.pace != Pace::River {
                let odds = leader.map_or_else(|| "needs a leader".to_owned(), |leader| under(leader.strategic));
                notes.push(format!("river crossing {} - {}: {odds}", self.place(at), self.place(*next)));
            }
            at = *next;
        }
        if march.pace == Pace::Forced
            && let Some(leader) = leader
        {
            notes.push(format!("forced march: without loss {}", under(leader.strategic)));
        }
        notes
    }
}

/// A Strategic Roll succeeds on a die under the rating [R-003-18].
fn under(strategic: u8) -> String {
    match strategic {
        0 | 1 => "never".to_owned(),
        2 => "on a 1".to_owned(),
        n if n > 6 => "always".to_owned(),
        n => format!("on 1-{}", n - 1),
    }
}
