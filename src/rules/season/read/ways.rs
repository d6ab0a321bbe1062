//! Which way a party goes, who of it can, and what the player should know of the way.

use super::draft::{Fault, MarchDraft};
use super::resolve::{Party, Resolver};
use super::route::{self, Column, NoWay};
use crate::engine::{HexId, SeatId, UnitId};
use crate::rules::season::campaign::rule;
use crate::rules::season::order::{Arrival, Diplomacy, Kept, March, Order, Pace, Picked};

impl Resolver<'_, '_> {
    pub(super) fn party_march(
        &self,
        draft: &MarchDraft,
        party: &Party,
        legs: &[HexId],
        arrival: Arrival,
        notes: &mut Vec<Fault>,
    ) -> Vec<March> {
        let going: Vec<UnitId> = if party.all { self.brigades_at(party.from) } else { party.units.clone() };
        if let Some(naval) = going.iter().find(|id| self.unit(**id).is_some_and(|unit| unit.kind.is_naval())) {
            notes.push(Fault::illegal(
                None,
                format!("{} does not march.", self.index.unit_name(*naval)),
                "",
                &[rule("003 Fleet Movement")],
            ));
            return Vec::new();
        }
        let pace = draft.pace.unwrap_or(Pace::Normal);
        if pace == Pace::Forced && !party.leader_goes {
            let who = going.first().map_or_else(|| "These".to_owned(), |id| self.index.unit_name(*id));
            let message = format!("{who} cannot make a forced march: only an army can, with its leader.");
            notes.push(Fault::illegal(None, message, "", &[rule("003 Forced Marches"), rule("R-003-94")]));
            return Vec::new();
        }
        match self.routed(draft, party, &going, legs, pace) {
            Ok(way) => {
                self.remarks(draft, party, &going, &way, notes);
                vec![self.made(party, None, way.path, pace, arrival)]
            }
            Err((NoWay::Far(far), _)) if pace != Pace::River => {
                self.those_who_can(draft, party, &going, legs, (pace, arrival, far), notes)
            }
            Err((no_way, _)) => {
                notes.push(self.no_way(party, &going, legs, &no_way, pace));
                Vec::new()
            }
        }
    }

    pub(super) fn routed(
        &self,
        draft: &MarchDraft,
        party: &Party,
        going: &[UnitId],
        legs: &[HexId],
        pace: Pace,
    ) -> std::result::Result<route::Way, (NoWay, u32)> {
        let rate = self.rate(party, going);
        let column = Column { rate, led: party.leader_goes };
        let way = route::way(self.index, party.from, legs, pace, column, draft.river.as_ref())
            .map_err(|no_way| (no_way, rate))?;
        Ok(way)
    }

    /// The rate of the slowest.
    pub(super) fn rate(&self, party: &Party, going: &[UnitId]) -> u32 {
        let leader = party.army_of.filter(|_| party.leader_goes);
        let rates =
            going.iter().copied().chain(leader).filter_map(|id| self.unit(id)).map(|unit| u32::from(unit.movement));
        rates.min().unwrap_or(0)
    }

    pub(super) fn made(
        &self,
        party: &Party,
        only: Option<Vec<UnitId>>,
        path: Vec<HexId>,
        pace: Pace,
        arrival: Arrival,
    ) -> March {
        let units = match only {
            Some(units) => Picked::These(units),
            None if party.all => Picked::All,
            None => Picked::These(party.units.clone()),
        };
        March {
            army_of: party.army_of,
            leader_goes: party.leader_goes,
            units,
            from: party.from,
            path,
            pace,
            arrival,
            onward: Vec::new(),
            condition: None,
        }
    }

    /// Some are too slow: one unit is one part, and the others' march stands if their leader and at least one of them can go
    /// [R-003-92].
    pub(super) fn those_who_can(
        &self,
        draft: &MarchDraft,
        party: &Party,
        going: &[UnitId],
        legs: &[HexId],
        how: (Pace, Arrival, u32),
        notes: &mut Vec<Fault>,
    ) -> Vec<March> {
        let (pace, arrival, far) = how;
        if party.all {
            // "All" is one part: an army is not torn apart unasked.
            let slow: Vec<UnitId> = going
                .iter()
                .copied()
                .filter(|id| self.routed(draft, party, std::slice::from_ref(id), legs, pace).is_err())
                .collect();
            notes.push(self.no_way(party, if slow.is_empty() { going } else { &slow }, legs, &NoWay::Far(far), pace));
            return Vec::new();
        }
        let alone = |id: &UnitId| self.routed(draft, party, std::slice::from_ref(id), legs, pace).is_ok();
        let (fast, slow): (Vec<UnitId>, Vec<UnitId>) = going.iter().copied().partition(|id| alone(id));
        if fast.is_empty() {
            notes.push(self.no_way(party, going, legs, &NoWay::Far(far), pace));
            return Vec::new();
        }
        notes.push(self.no_way(party, &slow, legs, &NoWay::Far(far), pace));
        match self.routed(draft, party, &fast, legs, pace) {
            Ok(way) => {
                self.remarks(draft, party, &fast, &way, notes);
                vec![self.made(party, Some(fast), way.path, pace, arrival)]
            }
            Err(_) => Vec::new(),
        }
    }

    /// How far it is, and what would reach [003 Army Movement].
    pub(super) fn no_way(&self, party: &Party, slow: &[UnitId], legs: &[HexId], no_way: &NoWay, pace: Pace) -> Fault {
        let goal = legs.last().map_or_else(String::new, |hex| self.index.place_name(*hex));
        let from = self.index.place_name(party.from);
        let mut names: Vec<String> = slow.iter().map(|id| self.index.unit_name(*id)).collect();
        if names.is_empty() {
            names.extend(party.army_of.map(|id| self.index.unit_name(id)));
        }
        let who = names.join(", ");
        let goes = if names.len() > 1 { "go" } else { "goes" };
        match no_way {
            NoWay::Far(far) if pace == Pace::River => {
                let most = self.index.view.campaign.figures.river_move_max;
                Fault::illegal(
                    None,
                    format!("{goal} is {far} hexes from {from} by river; a river move goes {most}."),
                    "",
                    &[rule("003 River Movement")],
                )
            }
            NoWay::Far(far) => {
                let rate = self.rate(party, slow);
                let reach = if pace == Pace::Forced { rate.saturating_mul(2) } else { rate };
                let message = format!(
                    "{goal} is {far} hex{} from {from}; {who} {goes} {reach}{}.",
                    if *far == 1 { "" } else { "es" },
                    if pace == Pace::Forced { " in a forced march" } else { "" }
                );
                let help = if pace == Pace::Normal && *far <= rate.saturating_mul(2) && party.leader_goes {
                    "A forced march would reach it: add \"forced march\".".to_owned()
                } else if pace == Pace::Normal && *far <= rate.saturating_mul(2) {
                    "A forced march would reach it, but only with a leader who goes along.".to_owned()
                } else {
                    String::new()
                };
                Fault::illegal(None, message, help, &[rule("003 Army Movement"), rule("003 Forced Marches")])
            }
            NoWay::None => Fault::illegal(
                None,
                format!("There is no way by land from {from} to {goal}."),
                "By sea, perhaps: \"by sea to ...\".",
                &[rule("003 Army Movement")],
            ),
            NoWay::River => Fault::illegal(
                None,
                format!("{from} and {goal} do not lie on the same river."),
                "",
                &[rule("003 River Movement"), rule("R-003-66")],
            ),
        }
    }

    /// What the player should know of the way: halts, hexside limits, other people's land.
    pub(super) fn remarks(
        &self,
        draft: &MarchDraft,
        party: &Party,
        going: &[UnitId],
        way: &route::Way,
        notes: &mut Vec<Fault>,
    ) {
        if let Some(halt) = way.halts_at {
            let message = format!("The march will come to a halt at {}.", self.index.place_name(halt));
            let help = "Behind forest, marsh and mountains brigades must stop; they stop where enemies are; and rivers without a city need a leader.";
            notes.push(Fault::advice(
                None,
                message,
                help,
                &[rule("003 Side Limits"), rule("003 Rivers"), rule("R-003-92")],
            ));
        }
        let board = &self.index.view.campaign.board;
        let figures = &self.index.view.campaign.figures;
        let count = u32::try_from(going.iter().filter(|id| self.unit(**id).is_some_and(Self::counts)).count())
            .unwrap_or(u32::MAX);
        let mut at = party.from;
        for next in &way.path {
            if let Some(side) = board.open_side(at, *next) {
                let bonus =
                    if draft.pace == Some(Pace::River) && side.river.is_some() { figures.river_limit_bonus } else { 0 };
                let limit = figures.limit(side.terrain).saturating_add(bonus);
                if count > limit {
                    let message = format!(
                        "{count} brigades are to go from {} to {}, and only {limit} may cross that side in a turn.",
                        self.index.place_name(at),
                        self.index.place_name(*next)
                    );
                    notes.push(Fault::advice(
                        None,
                        message,
                        "They go as written, else by number; the rest stay.",
                        &[rule("003 Side Limits"), rule("R-003-92")],
                    ));
                    break;
                }
            }
            at = *next;
        }
        self.foreign(way, draft.arrival == Some(Arrival::Stand), notes);
    }

    pub(super) fn counts(unit: &crate::rules::season::state::Unit) -> bool {
        unit.is_brigade()
    }

    /// Land of a power that is neither enemy nor friend [R-003-03, R-003-82], and of one that nobody plays [R-003-P45].
    pub(super) fn foreign(&self, way: &route::Way, outside: bool, notes: &mut Vec<Fault>) {
        let view = self.index.view;
        // Who says that he stays outside knows that no city takes him in.
        if let Some(goal) = way.path.last().filter(|goal| !outside && view.campaign.board.is_neutral(**goal)) {
            let message = format!("{} is a neutral's, whom nobody plays.", self.index.place_name(*goal));
            let help = "You may stand there; it is not captured, and its city takes nobody in.";
            notes.push(Fault::advice(None, message, help, &[rule("R-003-P45")]));
        }
        let stranger = way.path.iter().find_map(|hex| Some((*hex, route::stranger(self.index, *hex)?)));
        // Whoever declares war in the same letter knows what he does.
        let declared = |owner: &SeatId| {
            let war = Order::Diplomacy(Diplomacy::War(owner.clone()));
            self.told.orders.contains(&war)
        };
        if let Some((hex, owner)) = stranger.filter(|(_, owner)| !declared(owner)) {
            let owner = view.campaign.seat_name(owner);
            let message = format!(
                "{} is {owner}'s, with whom you are not at war and who has given no passage.",
                self.index.place_name(hex)
            );
            notes.push(Fault::advice(
                None,
                message,
                "The march stops outside, or makes war.",
                &[rule("R-003-03"), rule("R-003-82")],
            ));
        }
    }

    /// A thing understood and kept for a later version.
    pub fn kept(about: &str, words: &str) -> Order {
        let tidy: Vec<&str> = words.split_whitespace().collect();
        Order::Kept(Kept {
            about: about.to_owned(),
            words: tidy.join(" ").replace(['"', '“', '”', '„', '«', '»', '‟'], "'"),
        })
    }
}
