//! Courts, cards, purses and winter as entries.

use super::super::campaign::Kind;
use super::super::cards::{Card, EventGroup};
use super::super::event::{Event, NewUnit, VoidReason};
use super::march::void;
use super::telling::{Teller, Telling};
use crate::engine::{HexId, SeatId, UnitId};
use serde_json::{Value, json};

const COURTS: &str = "Courts and cards";
const REINFORCEMENTS: &str = "Reinforcements";
const TREASURY: &str = "The treasury";
const WINTER: &str = "Winter";

impl Teller<'_> {
    /// Tells an event of cards or diplomacy; `None` if it is another.
    pub(super) fn court(&self, event: &Event) -> Option<Telling> {
        Some(match event {
            Event::CardPlayed { seat, card, value, serial } => self.card_played(seat, card, *value, *serial),
            Event::Sequence { seats } => Telling::new("sequence", COURTS).put("seats", self.names(seats)),
            Event::EventPlayed { seat, card, units, hexes, seats } => {
                self.event_played(seat, card, units, hexes, seats)
            }
            Event::EventReturned { seat, card, why } => {
                let telling = Telling::new("event_returned", COURTS).put("seat", self.name(seat));
                let telling = telling.put("name", self.card(card)).put("why", void(why));
                match why {
                    VoidReason::Rule(words) => telling.put("because", words.clone()),
                    _ => telling,
                }
            }
            Event::WarDeclared { by, on, now } => {
                Telling::new("war", COURTS).put("by", self.name(by)).put("on", self.name(on)).put("now", *now)
            }
            Event::WarBegan { a, b } => self.between("war_began", a, b),
            Event::PeaceMade { a, b } => self.between("peace", a, b),
            Event::Passage { from, to, given } => Telling::new("passage", COURTS)
                .put("from", self.name(from))
                .put("to", self.name(to))
                .put("given", *given),
            Event::StandingSet { seat, orders } => {
                Telling::new("standing", COURTS).put("seat", self.name(seat)).put("count", orders.len())
            }
            Event::Dealt { seat, cards } => Telling::new("dealt", COURTS)
                .put("seat", self.name(seat))
                .put("count", cards.len())
                .put("cards", cards.iter().map(|card| self.card(card)).collect::<Vec<_>>()),
            Event::TurnEnded { year, season } => {
                Telling::new("turn_ended", "The calendar").put("phase", format!("{season} {year}"))
            }
            Event::GameOver { scores } => self.game_over(scores),
            _ => return None,
        })
    }

    fn between(&self, kind: &'static str, a: &SeatId, b: &SeatId) -> Telling {
        Telling::new(kind, COURTS).put("a", self.name(a)).put("b", self.name(b))
    }

    /// A card's name: "Force Battle", "Action 2, no. 37".
    pub(super) fn card(&self, card: &Card) -> String {
        match card {
            Card::Action { value, serial } => format!("Action {value}, no. {serial}"),
            Card::Event { id, .. } => {
                self.state.campaign.cards.event(id).map_or_else(|| id.clone(), |event| event.name.clone())
            }
        }
    }

    /// An Event card thrown in as an Action is thrown in unread [R-003-09]: only its owner is told which.
    fn card_played(&self, seat: &SeatId, card: &Card, value: u8, serial: u8) -> Telling {
        let telling = Telling::new("card_played", COURTS).put("seat", self.name(seat)).put("value", value);
        let telling = telling.put("serial", serial);
        let unread = matches!(card, Card::Event { .. });
        let name = (unread && self.viewer.may_see_secrets_of(seat)).then(|| self.card(card));
        telling.put("unread", unread).put_if("name", name)
    }

    /// Hexes and seats named on the card are public; units are named to those who know them, and where a Supply card put its
    /// steps is told to nobody, since it says what stands there.
    fn event_played(&self, seat: &SeatId, card: &Card, units: &[UnitId], hexes: &[HexId], seats: &[SeatId]) -> Telling {
        let data = match card {
            Card::Event { id, .. } => self.state.campaign.cards.event(id),
            Card::Action { .. } => None,
        };
        let own = self.viewer.may_see_secrets_of(seat);
        let supply = data.is_some_and(|data| matches!(data.group, EventGroup::Supply(_)));
        let named = units.iter().filter(|unit| own || self.knows(**unit));
        let hexes = if supply && !own { &[] } else { hexes };
        let mut on = self.units(named);
        on.extend(self.places(hexes));
        on.extend(self.names(seats));
        Telling { hex: hexes.first().copied(), ..Telling::new("event_played", COURTS) }
            .put("seat", self.name(seat))
            .put("name", self.card(card))
            .put_if("text", data.map(|data| data.text.clone()))
            .put("on", on)
    }

    fn game_over(&self, scores: &[(SeatId, i32)]) -> Telling {
        let best = scores.iter().map(|(_, score)| *score).max();
        let winners = scores.iter().filter(|(_, score)| Some(*score) == best).map(|(seat, _)| seat);
        let rows: Vec<Value> =
            scores.iter().map(|(seat, score)| json!({"seat": self.name(seat), "score": score})).collect();
        Telling::new("game_over", "The calendar").put("winners", self.names(winners)).put("scores", rows)
    }

    /// Tells an event of the purse and the pool; `None` if it is another.
    pub(super) fn purse(&self, event: &Event) -> Option<Telling> {
        Some(match event {
            Event::Mustered { unit } => self.mustered(unit),
            Event::Reinforced { unit, steps } => {
                let now = self.state.units.get(unit)?;
                Telling::new("reinforced", REINFORCEMENTS)
                    .at(now.at)
                    .put("unit", self.unit(*unit))
                    .put("at", self.place(now.at))
                    .put("steps", *steps)
                    .put("left", now.strength.saturating_add(*steps).min(now.max))
            }
            Event::Income { seat, money, manpower } => {
                self.sums("income", seat).put("money", *money).put("manpower", *manpower)
            }
            Event::Bought { seat, kind, steps, money, manpower } => Telling::new("bought", REINFORCEMENTS)
                .put("seat", self.name(seat))
                .put("kind", kind.to_string())
                .put("steps", *steps)
                .put("money", *money)
                .put("manpower", *manpower),
            Event::PoolUsed { seat, kind, steps } => Telling::new("pool_used", REINFORCEMENTS)
                .put("seat", self.name(seat))
                .put("kind", kind.to_string())
                .put("steps", *steps),
            Event::Money { seat, change, why } => {
                self.sums("money", seat).put("change", *change).put("why", why.clone())
            }
            Event::ManpowerLost { seat, men } => self.sums("manpower_lost", seat).put("manpower", *men),
            Event::TreasuryTaken { from, by, money } => {
                let theirs = self.viewer.may_see_secrets_of(from) || self.viewer.may_see_secrets_of(by);
                Telling::new("treasury", TREASURY)
                    .put("from", self.name(from))
                    .put("by", self.name(by))
                    .put_if("money", theirs.then_some(*money))
            }
            Event::Levels { seat, money, manpower } => Telling::new("levels", WINTER)
                .put("seat", self.name(seat))
                .put("money", *money)
                .put("manpower", *manpower),
            _ => return None,
        })
    }

    fn sums(&self, kind: &'static str, seat: &SeatId) -> Telling {
        Telling::new(kind, TREASURY).put("seat", self.name(seat))
    }

    /// A counter appears on the board: of what kind, where it comes from and what it is called its owner knows.
    fn mustered(&self, unit: &NewUnit) -> Telling {
        let known = self.knows_of(&unit.seat);
        let kind = match unit.kind {
            _ if !known => "mustered",
            kind if kind.is_feudal() => "levy_mustered",
            Kind::Cossacks => "raised",
            _ => "built",
        };
        let telling = Telling::new(kind, REINFORCEMENTS).at(unit.at).put("seat", self.name(&unit.seat));
        let telling = telling.put("adjective", self.adjective(&unit.seat)).put("at", self.place(unit.at));
        match known {
            true => {
                telling.put("unit", unit.name.clone()).put("kind", unit.kind.to_string()).put("strength", unit.strength)
            }
            false => telling.put("count", 1).reduced(&["003 Deployment of Land Forces"]),
        }
    }

    /// Tells an event of the winter; `None` if it is another.
    pub(super) fn winter(&self, event: &Event) -> Option<Telling> {
        Some(match event {
            Event::Conquered { province, from, to } => {
                let capital = self.state.campaign.province(province).map(|province| province.capital);
                Telling { hex: capital, ..Telling::new("conquered", WINTER) }
                    .put("province", self.province(province))
                    .put_if("from", from.as_ref().map(|seat| self.name(seat)))
                    .put_if("to", to.as_ref().map(|seat| self.name(seat)))
            }
            Event::Surrendered { seat, to } => Telling::new("surrendered", WINTER)
                .put("seat", self.name(seat))
                .put_if("to", to.as_ref().map(|seat| self.name(seat))),
            Event::LeaderRecovered { unit, steps } => {
                let now = self.state.units.get(unit);
                let left = now.map(|now| now.strength.saturating_add(*steps).min(now.max));
                Telling { hex: now.map(|now| now.at), ..Telling::new("leader_recovered", WINTER) }
                    .put("leader", self.unit(*unit))
                    .put("steps", *steps)
                    .put_if("left", left)
                    .put("returned", now.is_none())
            }
            Event::LandRecovered => Telling::new("land_recovered", WINTER),
            _ => return None,
        })
    }
}
