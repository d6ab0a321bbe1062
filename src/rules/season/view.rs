//! What one viewer may know of a campaign [R-003-83]. Reading orders, complaints, odds and tables are given this and never
//! the state, so that most leaks do not compile.

use super::campaign::{Campaign, Fog, Season};
use super::state::{SeatState, Siege, State, Unit};
use crate::engine::{HexId, SeatId, TurnNo, UnitId, Viewer};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A pile of another seat's units as this viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pile {
    /// Whose.
    pub seat: SeatId,
    /// How many brigades stand there.
    pub brigades: u32,
    /// The units themselves, where the viewer may know them (`fog = "open"`, or the umpire).
    pub known: Vec<Unit>,
}

/// One viewer's knowledge.
#[derive(Clone, Debug)]
pub struct View {
    /// Who is looking.
    pub viewer: Viewer,
    /// The fixed data, which everybody has.
    pub campaign: Arc<Campaign>,
    /// The turn that stands open.
    pub turn: TurnNo,
    /// Its year.
    pub year: u16,
    /// Its season.
    pub season: Season,
    /// The viewer's own units; for the umpire all units.
    pub own: BTreeMap<UnitId, Unit>,
    /// The viewer's own hand, bank and pool; `None` for the public and the umpire.
    pub purse: Option<SeatState>,
    /// What is seen of others, by hex.
    pub seen: BTreeMap<HexId, Vec<Pile>>,
    /// Who controls each hex (public).
    pub control: BTreeMap<HexId, Option<SeatId>>,
    /// Sieges (public).
    pub sieges: BTreeMap<HexId, Siege>,
    /// Hexes eaten bare (public).
    pub depleted: BTreeSet<HexId>,
    /// Wars (public).
    pub wars: BTreeSet<(SeatId, SeatId)>,
    /// Passage given (public).
    pub passage: BTreeSet<(SeatId, SeatId)>,
    /// Seats out of the game (public).
    pub defeated: BTreeSet<SeatId>,
}

impl View {
    /// Everything that `viewer` may know of `state`.
    pub fn of(state: &State, viewer: &Viewer) -> Self {
        let mine = |unit: &Unit| viewer.may_see_secrets_of(&unit.seat);
        let open = state.campaign.house.fog == Fog::Open;
        let mut seen: BTreeMap<HexId, Vec<Pile>> = BTreeMap::new();
        for unit in state.units.values().filter(|unit| !mine(unit)) {
            if !state.sees_counters(viewer, unit.at) || !(unit.is_brigade() || open) {
                continue;
            }
            let piles = seen.entry(unit.at).or_default();
            let at = match piles.iter().position(|pile| pile.seat == unit.seat) {
                Some(at) => at,
                None => {
                    piles.push(Pile { seat: unit.seat.clone(), brigades: 0, known: Vec::new() });
                    piles.len() - 1
                }
            };
            if let Some(pile) = piles.get_mut(at) {
                pile.brigades += u32::from(unit.is_brigade());
                if open {
                    pile.known.push(unit.clone());
                }
            }
        }
        let purse = match viewer {
            Viewer::Seat(seat) => state.seats.get(seat).cloned(),
            Viewer::Public | Viewer::Umpire => None,
        };
        View {
            viewer: viewer.clone(),
            campaign: Arc::clone(&state.campaign),
            turn: state.turn,
            year: state.year,
            season: state.season,
            own: state.units.iter().filter(|(_, unit)| mine(unit)).map(|(id, unit)| (*id, unit.clone())).collect(),
            purse,
            seen,
            control: state.control.clone(),
            sieges: state.sieges.clone(),
            depleted: state.depleted.clone(),
            wars: state.wars.clone(),
            passage: state.passage.clone(),
            defeated: state.seats.iter().filter(|(_, s)| s.defeated).map(|(id, _)| id.clone()).collect(),
        }
    }

    /// Whether two seats are at war.
    pub fn at_war(&self, a: &SeatId, b: &SeatId) -> bool {
        a != b && self.wars.contains(&super::state::pair(a, b))
    }

    /// Who controls a hex.
    pub fn controller(&self, hex: HexId) -> Option<&SeatId> {
        self.control.get(&hex).and_then(Option::as_ref)
    }

    /// How many brigades of enemies of `seat` are seen in a hex.
    pub fn enemies_seen(&self, seat: &SeatId, hex: HexId) -> u32 {
        let piles = self.seen.get(&hex).into_iter().flatten();
        piles.filter(|pile| self.at_war(seat, &pile.seat)).map(|pile| pile.brigades).sum()
    }
}
