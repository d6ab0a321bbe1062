//! Names in the umpire's words: units on the board, places, seats, provinces. The umpire knows everything, so all names serve.

use super::super::board::{Ground, ProvinceId};
use super::super::state::Unit;
use super::words::Words;
use crate::engine::{Complaint, HexId, SeatId};
use std::collections::BTreeSet;
use std::ops::Range;

/// Lower case, without accents and signs.
pub(super) fn fold(word: &str) -> String {
    let latin = deunicode::deunicode(word).to_lowercase();
    latin.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '+' || *c == '-').collect()
}

/// The folded words of a name; hyphens part words.
fn folded(name: &str) -> String {
    let words = name.split(|c: char| c.is_whitespace() || c == '-' || c == '_');
    let words: Vec<String> = words.map(fold).filter(|word| !word.is_empty() && word != "the").collect();
    words.join(" ")
}

/// The candidate nearest to `said`, if one is near enough to be meant.
pub(super) fn nearest<'n>(said: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let said = folded(said);
    let allowed = (said.len() / 3).clamp(1, 3);
    let measured = candidates.into_iter().map(|name| (strsim::osa_distance(&said, &folded(name)), name));
    measured.filter(|(distance, _)| *distance <= allowed).min().map(|(_, name)| name)
}

/// What `said` names: in full, else shortened word by word, else nothing. Several if it is not clear.
fn lookup<T: Clone + Ord>(said: &str, names: &[(String, T)]) -> Vec<T> {
    let said = folded(said);
    let begins = |name: &str| {
        let (have, want): (Vec<&str>, Vec<&str>) = (name.split(' ').collect(), said.split(' ').collect());
        want.len() <= have.len() && have.iter().zip(&want).all(|(have, want)| have.starts_with(want))
    };
    let exact: BTreeSet<T> = names.iter().filter(|(name, _)| folded(name) == said).map(|(_, t)| t.clone()).collect();
    if !exact.is_empty() {
        return exact.into_iter().collect();
    }
    let near: BTreeSet<T> =
        names.iter().filter(|(name, _)| said.len() >= 2 && begins(&folded(name))).map(|(_, t)| t.clone()).collect();
    near.into_iter().collect()
}

impl Words<'_> {
    /// The one thing that a stretch names.
    fn one<T: Clone + Ord>(
        &self,
        range: &Range<usize>,
        what: &str,
        names: &[(String, T)],
        show: impl Fn(&T) -> String,
    ) -> Result<T, Complaint> {
        let said = self.typed(range);
        if said.is_empty() {
            return Err(self.unclear(format!("{what} is missing.")));
        }
        match lookup(&said, names).as_slice() {
            [one] => Ok(one.clone()),
            [] => {
                let near = nearest(&said, names.iter().map(|(name, _)| name.as_str()));
                let help = near.map(|name| format!("Did you mean \"{name}\"?")).unwrap_or_default();
                Err(self.complaint(range.clone(), format!("There is no {} \"{said}\".", what.to_lowercase()), help))
            }
            several => {
                let list: Vec<String> = several.iter().map(show).collect();
                let message = format!("\"{said}\" can be {}.", list.join(" or "));
                Err(self.complaint(range.clone(), message, "Write more of the name, or its number."))
            }
        }
    }

    /// The unit on the board that a stretch names: by full or short name, by another name of a leader, or as `u124`.
    pub(super) fn unit(&self, range: &Range<usize>) -> Result<&Unit, Complaint> {
        let units = self.state.units.values();
        let mut names: Vec<_> = units
            .flat_map(|unit| {
                [unit.name.to_string(), unit.short.to_string(), format!("u{}", unit.id)].map(|n| (n, unit.id))
            })
            .collect();
        for setup in &self.state.campaign.units {
            if self.state.units.contains_key(&setup.id) {
                names.extend(setup.aliases.iter().map(|alias| (alias.clone(), setup.id)));
            }
        }
        let show = |id: &_| format!("{} (u{id})", self.state.short(*id));
        let found = self.one(range, "Unit on the board", &names, show)?;
        self.state.units.get(&found).ok_or_else(|| self.unclear("The unit is gone."))
    }

    /// The units of a list, all of one seat; `army of LEADER` and `LEADER with all` are all of his seat where he stands.
    pub(super) fn units(&self, range: &Range<usize>) -> Result<Vec<&Unit>, Complaint> {
        let army = match (self.word(range.start), self.word(range.start + 1)) {
            ("army", "of") => Some(range.start + 2..range.end),
            ("army", _) => Some(range.start + 1..range.end),
            _ => {
                self.split(range, &["with"]).filter(|(_, all)| self.word(all.start) == "all").map(|(leader, _)| leader)
            }
        };
        let mut found = Vec::new();
        if let Some(leader) = army {
            let leader = self.unit(&leader)?;
            found.extend(self.state.in_hex(leader.at).filter(|unit| unit.seat == leader.seat));
        } else {
            for part in self.list(range) {
                found.push(self.unit(&part)?);
            }
        }
        let seats: BTreeSet<&SeatId> = found.iter().map(|unit| &unit.seat).collect();
        match (found.is_empty(), seats.len()) {
            (true, _) => Err(self.unclear("No unit is named.")),
            (false, 1) => Ok(found),
            _ => Err(self.complaint(
                range.clone(),
                "These are units of several seats.",
                "Impose one event for each seat.",
            )),
        }
    }

    /// The land hex that a stretch names, by number or by any name of a place in it.
    pub(super) fn place(&self, range: &Range<usize>) -> Result<HexId, Complaint> {
        let board = &self.state.campaign.board;
        let mut names: Vec<(String, HexId)> = board.hexes.keys().map(|hex| (hex.to_string(), *hex)).collect();
        names.extend(board.places.iter().map(|place| (place.name.clone(), place.hex)));
        names.extend(board.hexes.iter().map(|(id, hex)| (hex.name.clone(), *id)).filter(|(name, _)| !name.is_empty()));
        names.extend(board.hexes.iter().filter_map(|(id, hex)| Some((hex.city.as_ref()?.name.clone(), *id))));
        let hex = self.one(range, "Place", &names, |hex| format!("{} {hex}", board.name(*hex)))?;
        match board.hexes.get(&hex).map(|hex| hex.ground) {
            Some(Ground::Land) => Ok(hex),
            _ => Err(self.complaint(range.clone(), format!("{hex} is water."), "Units stand in land hexes and ports.")),
        }
    }

    /// The city hex that a stretch names.
    pub(super) fn city(&self, range: &Range<usize>) -> Result<HexId, Complaint> {
        let hex = self.place(range)?;
        match self.state.campaign.board.city(hex) {
            Some(_) => Ok(hex),
            None => {
                Err(self.complaint(range.clone(), format!("There is no city at {hex}."), "Name a city or its hex."))
            }
        }
    }

    /// The seat that a stretch names, by name, slug or adjective.
    pub(super) fn seat(&self, range: &Range<usize>) -> Result<SeatId, Complaint> {
        let seats = &self.state.campaign.seats;
        let names: Vec<(String, SeatId)> = seats
            .iter()
            .flat_map(|seat| {
                [seat.name.clone(), seat.id.to_string(), seat.adjective.clone()].map(|name| (name, seat.id.clone()))
            })
            .collect();
        self.one(range, "Seat", &names, |seat| self.state.campaign.seat_name(seat).to_owned())
    }

    /// The province that a stretch names.
    pub(super) fn province(&self, range: &Range<usize>) -> Result<ProvinceId, Complaint> {
        let provinces = &self.state.campaign.board.provinces;
        let names: Vec<(String, ProvinceId)> = provinces
            .iter()
            .flat_map(|province| {
                [province.name.clone(), province.id.to_string()].map(|name| (name, province.id.clone()))
            })
            .collect();
        self.one(range, "Province", &names, ToString::to_string)
    }

    /// A name and behind it a seat, or "neutral": parted where both are understood.
    pub(super) fn with_seat<T>(
        &self,
        range: &Range<usize>,
        read: impl Fn(&Range<usize>) -> Result<T, Complaint>,
    ) -> Result<(T, Option<SeatId>), Complaint> {
        if range.len() >= 2 && matches!(self.word(range.end - 1), "neutral" | "nobody") {
            return Ok((read(&(range.start..range.end - 1))?, None));
        }
        let mut first = None;
        for cut in (range.start + 1..range.end).rev() {
            let behind = match self.word(cut) {
                "to" | "by" | "for" | "of" => cut + 1..range.end,
                _ => cut..range.end,
            };
            match (read(&(range.start..cut)), self.seat(&behind)) {
                (Ok(what), Ok(seat)) => return Ok((what, Some(seat))),
                (Ok(_), Err(fault)) | (Err(fault), Ok(_)) => first = Some(first.unwrap_or(fault)),
                (Err(_), Err(_)) => {}
            }
        }
        Err(first.unwrap_or_else(|| self.unclear("I find no name with a seat behind it.")))
    }
}
