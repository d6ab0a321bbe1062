use super::*;
use crate::engine::{Dice, SeatId, Secret, TurnNo, TurnSecret, UnitId, Working};
use crate::rules::season::cards::Card;
use crate::rules::season::event::Event;

fn shipped() -> BTreeMap<String, String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/campaigns/livonia-1700");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read_to_string(&path).unwrap()))
        .collect()
}

/// The faults of the shipped campaign after one change of one file.
fn faults(file: &str, from: &str, to: &str) -> Vec<String> {
    let mut files = shipped();
    let text = files.get_mut(file).unwrap();
    assert!(text.contains(from), "{file} does not hold {from:?}");
    *text = text.replacen(from, to, 1);
    load(&files).err().unwrap_or_default().iter().map(ToString::to_string).collect()
}

fn line_of(file: &str, words: &str) -> usize {
    shipped()[file].lines().position(|line| line.contains(words)).unwrap() + 1
}

#[test]
fn the_shipped_campaign_has_no_fault() {
    let campaign = load(&shipped())
        .unwrap_or_else(|faults| panic!("{}", faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")));
    assert_eq!((campaign.start_year, campaign.end_year), (1700, 1701));
    assert_eq!(campaign.cards.deck().len(), 87);
    assert_eq!(campaign.board.hexes.len(), 60);
    assert_eq!(campaign.board.sides.len(), 107);
    assert_eq!(campaign.board.rivers.values().filter(|name| *name == "Courland Aa").count(), 1);
}

/// Each line: what is changed in which file, and what is said about it. The sentence must name file and line.
#[test]
fn every_fault_is_told_with_its_line() {
    let cases: &[(&str, &str, &str, &str)] = &[
        ("units.csv", "sweden,infantry,Riga", "sweeden,infantry,Riga", "did you mean \"sweden\"?"),
        ("units.csv", "infantry,Riga", "infantri,Riga", "did you mean \"infantry\"?"),
        ("units.csv", "4,riga,", "4,rigga,", "did you mean \"riga\"?"),
        ("units.csv", "4,riga,", "4,treiden,", "Treiden lies in 0205, where the city is riga"),
        ("units.csv", "4,riga,", "4,wenden,", "Wenden lies in 0305, where no city is"),
        ("units.csv", "Riga Garrison,4", "Riga Garrison,5", "has strength 5, infantry at most 4"),
        ("units.csv", "Riga Garrison,4", "Riga Garrison,none", "strength is \"none\""),
        ("units.csv", "112,sweden", "111,sweden", "the number 111 stands twice"),
        ("units.csv", "Regiment,Dal,", "Regiment,Åbo,", "the name \"Åbo\" stands for two things"),
        ("units.csv", "Regiment,Dal,", "Regiment,Wolmar,", "the unit Dal Regiment and the place Wolmar"),
        ("units.csv", "summer 1700", "summer 1702", "a season and a year from 1700 to 1701"),
        ("units.csv", "Squadron,2,reval", "Squadron,2,wolmar", "which is no port"),
        ("leaders.csv", "101,", "111,", "the number 111 stands twice"),
        ("leaders.csv", "cavalry,2,6,3,A3", "cavalry,2,6,3,D3", "rating is \"D3\""),
        ("leaders.csv", "Charles,cavalry,2", "Charles,foot,2", "a leader of foot moves 1"),
        (
            "campaign.toml",
            "sovereign = \"Peter\"",
            "sovereign = \"Petr\"",
            "\"Petr\" is no leader of russia marked sovereign",
        ),
        ("leaders.csv", "B2,4,,wolmar", "B2,4,yes,wolmar", "Loewenhaupt is marked sovereign"),
        ("leaders.csv", "|Vellingk|", "|Dal|", "stands for two things"),
        ("levies.csv", "novgorod,3", "novgorod,2", "a levy comes at full strength"),
        ("levies.csv", "Horse,novgorod", "Horse,ladoga", "no province's capital"),
        ("levies.csv", "feudal_horse,Nov", "cavalry,Nov", "known are: feudal_foot, feudal_horse"),
        ("brigade_types.csv", "sweden,guards", "sweden,infantry", "stands twice for sweden"),
        ("brigade_types.csv", "C2,2,2,0,0,,reconstructed; raised", "C7,2,2,0,0,,reconstructed; raised", "\"C7\""),
        ("hexes.csv", "0201,land,sweden,estonia", "0201,land,sweden,estland", "is no province"),
        ("hexes.csv", "0201,land,sweden,estonia", "0201,land,russia,estonia", "hex 0201 belongs to russia"),
        ("hexes.csv", "0201,land", "201,land", "\"201\" is not a hex number"),
        ("hexes.csv", "0201,land", "0301,land", "hex 0301 stands twice"),
        ("hexes.csv", "0200,sea,,", "0200,sea,sweden,", "is water and has an owner"),
        ("hexes.csv", "0200,sea", "0200,see", "did you mean \"sea\"?"),
        ("hexsides.csv", "0700,0701,marsh", "0700,0701,march", "did you mean \"marsh\"?"),
        ("hexsides.csv", "0700,0701", "0700,0802", "0700 and 0802 are no neighbours"),
        ("hexsides.csv", "0700,0701", "0700,0600", "0600 is water"),
        ("hexsides.csv", "0700,0701", "0700,0900", "0900 is water"),
        ("hexsides.csv", "0700,0800,clear", "0700,0701,clear", "the side 0700/0701 stands twice"),
        ("hexsides.csv", "neva,major", "neva,", "has no class"),
        ("hexsides.csv", "0205,0206,clear,dvina,major", "0205,0206,clear,,", "the river dvina has a gap"),
        ("hexsides.csv", "0306,0406,clear,,", "0306,0406,clear,dvina,major", "the river dvina forks"),
        ("hexsides.csv", "impassable", "barred", "barrier is \"barred\""),
        ("cities.csv", "riga,Riga,0205", "riga,Riga,0204", "which is water"),
        ("cities.csv", "riga,Riga,0205", "riga,Riga,0105", "is already"),
        ("cities.csv", "riga,Riga,0205", "riga,Riga,2205", "not in hexes.csv"),
        ("cities.csv", "0405,1,square,none,,", "0405,1,square,sea,1,", "no sea hex or strait is beside 0405"),
        ("cities.csv", "0304,1,none,none,,", "0304,5,none,none,,", "value is \"5\""),
        ("cities.csv", "4,hexagon,sea,2", "4,hexagon,sea,", "without a port_factor"),
        ("cities.csv", "0203,2,square", "0203,2,squared", "did you mean \"square\"?"),
        ("cities.csv", ",livonia,sweden", ",estonia,sweden", "provinces.csv makes riga the capital of livonia"),
        ("cities.csv", "reval,Reval", "riga,Reval", "the city \"riga\" stands twice"),
        (
            "cities.csv",
            "reval,Reval,0201,3,hexagon,sea,2,estonia,sweden,,Tallinn",
            "reval,Reval,0201,3,hexagon,sea,2,estonia,sweden,,Riga",
            "the name \"Riga\" stands for two",
        ),
        ("cities.csv", "riga,Riga,0205", "riga,Riga,0505", "lies in another province"),
        ("rivers.csv", "neva,Neva", "nova,Neva", "the river \"nova\" is on no side of hexsides.csv"),
        ("rivers.csv", "neva,Neva", "nova,Neva", "the river \"neva\" is not in rivers.csv (did you mean \"nova\"?)"),
        ("rivers.csv", "neva,Neva", "dvina,Neva", "the river \"dvina\" stands twice"),
        ("rivers.csv", "neva,Neva", "neva,Gauja", "the name \"Gauja\" stands for two rivers"),
        ("rivers.csv", "neva,Neva", "neva,", "name is empty"),
        (
            "hexsides.csv",
            "0802,0803,clear,,,impassable",
            "0802,0803,clear,,,strait",
            "the strait 0802/0803 joins nothing",
        ),
        ("hexsides.csv", "0105,0205,clear,dvina,major,", "0105,0205,clear,dvina,major,strait", "a strait and a river"),
        ("hexes.csv", "0803,land", "0803,box", "0803 is a box and 0703 of the board lies beside it"),
        ("hexes.csv", "0803,land", "0803,box", "no link leads to the box 0803"),
        ("hexes.csv", "0803,land", "0803,box", "0803 is a box and has no sides"),
        ("hexes.csv", "0501,land,sweden,ingria", "0501,land,,", "lies in 0501, which is of no province"),
        (
            "provinces.csv",
            "Courland,saxony_poland,vassal",
            "Courland,saxony_poland,neutral",
            "is neutral and has the owner",
        ),
        ("provinces.csv", "Courland,saxony_poland,vassal", "Courland,,vassal", "courland is vassal and has no owner"),
        ("provinces.csv", "Courland,saxony_poland,vassal", "Courland,saxony_poland,free", "standing is \"free\""),
        ("campaign.toml", "scale_km = 70", "scale_km = 0", "a whole number from 1"),
        ("campaign.toml", "scale_km = 70", "scale = 70", "\"map.scale\" is not known here"),
        ("campaign.toml", "scale_km = 70", "scale_km = 70\nseas = 12", "a whole number from 0 to 9"),
        ("places.csv", "Wenden,0305", "Wenden,0204", "no land hex"),
        ("places.csv", "Wenden,0305", "Walk,0305", "the name \"Walk\" stands for two things"),
        ("provinces.csv", "sweden,home,riga", "sweden,home,wenden", "capital_city \"wenden\" is no city"),
        ("provinces.csv", "sweden,home,riga", "sweden,home,reval", "lies in another province"),
        ("provinces.csv", "estonia,Estonia", "livonia,Estonia", "the province \"livonia\" stands twice"),
        (
            "campaign.toml",
            "letter_order = \"simultaneous\"",
            "letter_order = \"defender\"",
            "allowed: \"simultaneous\", \"defender_first\"",
        ),
        ("campaign.toml", "fog = \"blocks\"", "fog = true", "a text in quotes is needed"),
        ("campaign.toml", "open_challenge_holds", "open_challenge_hold", "did you mean \"open_challenge_holds\"?"),
        ("campaign.toml", "\"saxony_poland\", \"sweden\"]", "\"saxony\", \"sweden\"]", "\"saxony\" is no seat"),
        ("campaign.toml", "\"saxony_poland\", \"sweden\"]", "\"sweden\", \"sweden\"]", "against itself"),
        ("campaign.toml", "[\"riga\", \"reval\"]", "[\"riga\", \"revel\"]", "capital \"revel\" is no city"),
        ("campaign.toml", "[\"riga\", \"reval\"]", "[\"riga\", \"mitau\"]", "does not belong to sweden"),
        ("campaign.toml", "\"forest\", \"marsh\"", "\"wood\", \"marsh\"", "there is no terrain \"wood\""),
        ("campaign.toml", "id = \"russia\"", "id = \"sweden\"", "the seat \"sweden\" stands twice"),
        ("campaign.toml", "#F0E442", "yellow", "write it as #rrggbb"),
        ("campaign.toml", "years = 2", "years = two", "this is not TOML"),
        ("campaign.toml", "system = \"season\"", "system = \"poltava\"", "allowed: \"season\""),
        ("campaign.toml", "hand_size = 5", "hand_size = -5", "a whole number from 1 to 29 is needed"),
        ("cards.toml", "last = 60", "last = 61", "there are 61 Action cards (the rulebook prints 60)"),
        ("cards.toml", "count = 2", "count = 3", "there are 28 Event cards (the rulebook prints 27)"),
        ("cards.toml", "first = 22", "first = 23", "they count on from 22"),
        ("cards.toml", "country = \"russia\"", "country = \"rusia\"", "did you mean \"russia\"?"),
        ("cards.toml", "id = \"pillage\"", "id = \"rapid_march\"", "the card \"rapid_march\" stands twice"),
        ("cards.toml", "when = \"with_movement\"", "when = \"whenever\"", "allowed: \"events\""),
    ];
    for (file, from, to, said) in cases {
        let found = faults(file, from, to);
        assert!(found.iter().any(|fault| fault.contains(said)), "{file}: {from} -> {to}\n{}", found.join("\n"));
        assert!(found.iter().any(|fault| fault.contains(file)), "no fault names {file}\n{}", found.join("\n"));
    }
    let line = line_of("units.csv", "Riga Garrison,4");
    let expected = "Riga Garrison has strength 5, infantry at most 4 (lower it, or split the brigade)";
    assert_eq!(faults("units.csv", "Riga Garrison,4", "Riga Garrison,5"), [format!("units.csv:{line}: {expected}")]);
}

/// The shipped campaign with a box: Moscow, drawn far off, with a link from Novgorod; and with a road and a march to it.
fn with_a_box() -> BTreeMap<String, String> {
    let mut files = shipped();
    let mut add = |file: &str, line: &str| files.entry(file.to_owned()).or_default().push_str(&format!("{line}\n"));
    add("hexes.csv", "1502,box,russia,moscow,before Moscow,,");
    add("provinces.csv", "moscow,Moscow,russia,home,moscow,4,4,a test");
    add("cities.csv", "moscow,Moscow,1502,4,square,sea,1,moscow,russia,,Москва");
    add("links.csv", "hex_a,hex_b,by,terrain\n0802,1502,land,forest\n0200,1502,sea,");
    add("roads.csv", "id,name,hexes\nmoscow_road,the Moscow road,0604|0704|0703|0802|1502");
    add("marches.csv", "name,through,seasons,rating,source\nPeter to Narva,moscow|narva,9,4,a test");
    files
}

#[test]
fn a_box_is_next_to_what_it_is_linked_to() {
    let charted = chart(&with_a_box()).unwrap_or_else(|faults| panic!("{faults:#?}"));
    let board = &charted.campaign.board;
    let (novgorod, moscow): (HexId, HexId) = ("0802".parse().unwrap(), "1502".parse().unwrap());
    let ways = |hex| board.ways_from(hex).map(|(next, _)| next.to_string()).collect::<Vec<_>>();
    assert_eq!(ways(moscow), ["0802"]);
    // 0803 lies beyond Lake Ilmen.
    assert_eq!(ways(novgorod), ["0701", "0702", "0703", "0801", "1502"]);
    let terrain = board.open_side(moscow, novgorod).map(|side| side.terrain);
    assert_eq!(terrain, Some(crate::rules::season::board::Terrain::Forest));
    assert_eq!((board.links.count(), board.roads.len(), charted.marches.len()), ((1, 1), 1, 1));
}

/// As above, for the files that this campaign does not have.
#[test]
fn faults_of_links_roads_and_marches_are_told() {
    let cases: &[(&str, &str, &str, &str)] = &[
        ("links.csv", "0802,1502", "0802,1602", "1602 is not in hexes.csv"),
        ("links.csv", "0802,1502", "1502,1502", "1502 is linked to itself"),
        ("links.csv", "0802,1502", "0802,0702", "neither 0802 nor 0702 is a box"),
        ("links.csv", "0802,1502,land", "0200,1502,land", "0200 is water"),
        ("links.csv", "0802,1502,land", "0802,1502,sea", "0802 is no sea hex"),
        ("links.csv", "0802,1502,land", "0802,1502,air", "known are: land, sea"),
        ("links.csv", "0802,1502,land,forest", "0802,1502,land,", "terrain is \"\""),
        ("links.csv", "0200,1502,sea,", "0200,1502,sea,clear", "a sea link has a terrain"),
        ("links.csv", "0200,1502,sea,", "0802,1502,land,clear", "the link 0802/1502 by land stands twice"),
        ("links.csv", "0200,1502,sea,\n", "", "Moscow is a sea port and no sea link leads to its box"),
        ("cities.csv", "4,square,sea,1,moscow", "4,square,none,,moscow", "the box 1502 has no sea port"),
        ("roads.csv", "0604|0704", "0604|0802", "cannot go from 0604 to 0802: they are no neighbouring land hexes"),
        ("roads.csv", "0604|0704", "0403|0503", "cannot go from 0403 to 0503: their side is impassable"),
        ("roads.csv", "0604|0704", "604|0704", "\"604\" is not a hex number"),
        ("roads.csv", "0604|0704|0703|0802|1502", "0604", "has no two hexes"),
        ("roads.csv", "moscow_road", "Moscow road", "\"Moscow road\" is no id"),
        ("marches.csv", "moscow|narva", "moscow|narwa", "\"narwa\" is no city of cities.csv (did you mean \"narva\"?)"),
        ("marches.csv", "moscow|narva", "moscow", "names no two cities"),
        ("marches.csv", "narva,9,4", "narva,9,8", "a number from 1 to 7"),
        ("marches.csv", "narva,9,4", "narva,,4", "seasons is empty"),
    ];
    for (file, from, to, said) in cases {
        let mut files = with_a_box();
        let text = files.get_mut(*file).unwrap();
        assert!(text.contains(from), "{file} does not hold {from:?}");
        *text = text.replacen(from, to, 1);
        let found: Vec<String> = load(&files).err().unwrap_or_default().iter().map(ToString::to_string).collect();
        assert!(found.iter().any(|fault| fault.contains(said)), "{file}: {from} -> {to}\n{}", found.join("\n"));
    }
}

/// Two things that share several names are one fault, which names both and the line of the other.
#[test]
fn names_shared_by_two_things_are_one_fault() {
    let other = line_of("cities.csv", "riga,Riga");
    let line = line_of("places.csv", "Treiden");
    let found = faults("places.csv", "Treiden,0205,Turaida", "Treiden,0305,Рига|Riga|Turaida");
    let said = "the names \"Рига\", \"Riga\" stand for two things, the place Treiden and the place Riga";
    let help = format!("the other is in cities.csv line {other}; rename one of them");
    assert_eq!(found, [format!("places.csv:{line}: {said} ({help})")]);
}

#[test]
fn all_faults_come_at_once() {
    let mut files = shipped();
    for (file, from, to) in [
        ("units.csv", "4,riga,", "4,rigga,"),
        ("hexsides.csv", "0700,0701,marsh", "0700,0701,march"),
        ("campaign.toml", "fog = \"blocks\"", "fog = \"thick\""),
        ("cards.toml", "count = 2", "count = 3"),
        ("leaders.csv", "sr,strength", "sr,strenght"),
    ] {
        let text = files.get_mut(file).unwrap();
        *text = text.replacen(from, to, 1);
    }
    files.remove("levies.csv");
    let found = load(&files).unwrap_err();
    let named: Vec<&str> = found.iter().map(|fault| fault.file.as_str()).collect();
    for file in ["units.csv", "hexsides.csv", "campaign.toml", "cards.toml", "leaders.csv", "levies.csv"] {
        assert!(named.contains(&file), "{file} is not among {named:?}");
    }
    assert!(found.iter().any(|f| f.help.contains("did you mean \"strength\"?")), "{found:?}");
    assert!(found.iter().any(|f| f.file == "levies.csv" && f.message == "the campaign has no such file"));
}

#[test]
fn the_missing_side_is_named() {
    let found = faults("hexsides.csv", "0700,0701,marsh,,,\n", "");
    assert_eq!(found, ["hexsides.csv: the side 0700/0701 is missing (every two neighbouring land hexes have a line)"]);
}

/// Spring 1700 as `campaigns/livonia-1700` has it: rules.md gives the levels, README.md the counts.
#[test]
fn the_board_stands_as_the_campaign_says() {
    let state = open(load(&shipped()).unwrap());
    let purse = |seat: &str| &state.seats[seat];
    let levels = |seat: &str| (purse(seat).money_level, purse(seat).manpower_level);
    assert_eq!([levels("sweden"), levels("russia"), levels("saxony_poland")], [(6, 5), (5, 6), (5, 4)]);
    assert_eq!((purse("sweden").bank, purse("sweden").manpower), (12 + 6, 5));
    let brigades = |seat: &str| {
        let own = state.units.values().filter(|unit| unit.seat.as_str() == seat && unit.is_brigade());
        own.filter(|unit| !unit.kind.is_feudal()).count()
    };
    assert_eq!([brigades("sweden"), brigades("russia"), brigades("saxony_poland")], [10, 5, 6]);
    assert_eq!(state.units.values().filter(|unit| unit.kind.is_feudal()).count(), 5);
    assert!(state.awaited.contains(&UnitId(101)) && !state.units.contains_key(&UnitId(101)));
    assert!(state.units.values().all(|unit| unit.in_city && unit.entered == 0));
    assert!(state.at_war(&SeatId::new("sweden"), &SeatId::new("russia")));
    assert!(!state.at_war(&SeatId::new("saxony_poland"), &SeatId::new("russia")));
    for (mover, host) in [("russia", "saxony_poland"), ("saxony_poland", "russia")] {
        assert!(state.may_pass(&SeatId::new(mover), &SeatId::new(host)));
    }
    // Riga 4, Reval 3, Narva, Dorpat and Pernau 2 each, nine towns of 1.
    assert_eq!(state.start_values["sweden"], 4 + 3 + 3 * 2 + 9);
    assert_eq!(state.next_unit, 1000);
}

/// Five cards each in seat order, none twice; the same dice deal the same hands.
#[test]
fn the_first_deal() {
    let dealt = || {
        let mut state = open(load(&shipped()).unwrap());
        let dice = Dice::new(TurnNo(0), TurnSecret::of(&Secret::from_bytes([5; 32]), TurnNo(0)));
        let mut working = Working::new(&mut state);
        deal(&mut working, &dice);
        let events: Vec<Event> = working.events().iter().map(|recorded| recorded.event.clone()).collect();
        (events, state)
    };
    let (events, state) = dealt();
    let seats: Vec<&str> = events
        .iter()
        .map(|e| match e {
            Event::Dealt { seat, .. } => seat.as_str(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(seats, ["sweden", "russia", "saxony_poland"]);
    let mut all: Vec<&Card> = state.seats.values().flat_map(|seat| &seat.hand).collect();
    assert_eq!(all.len(), 15);
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 15);
    assert!(state.seats.values().all(|seat| seat.hand.is_sorted()));
    assert_eq!(dealt().0, events);
}
