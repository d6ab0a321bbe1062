//! `umpire map` as a user types it.

use resvg::tiny_skia::Pixmap;
use std::path::Path;
use std::process::{Command, Output};

fn umpire(at: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_umpire")).current_dir(at).args(args).output().unwrap()
}

fn succeeds(at: &Path, args: &[&str]) -> String {
    let output = umpire(at, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn refused(at: &Path, args: &[&str]) -> String {
    let output = umpire(at, args);
    assert_eq!(output.status.code(), Some(1), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_campaign_is_drawn_without_a_folder() {
    let temp = tempfile::tempdir().unwrap();
    let at = temp.path();
    assert_eq!(succeeds(at, &["map", "livonia-1700"]), "livonia-1700.svg: 60 hexes\n");
    let svg = std::fs::read_to_string(at.join("livonia-1700.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("Spring 1700") && svg.contains(">Riga<"));
    succeeds(at, &["map", "livonia-1700", "-o", "wall.PNG", "--width", "500"]);
    assert_eq!(Pixmap::load_png(at.join("wall.PNG")).unwrap().width(), 500);
    // Narva and the six hexes about it, Lake Peipus and the bay among them.
    let around = succeeds(at, &["map", "livonia-1700", "--around", "нарва", "--radius", "1", "-o", "narva.svg"]);
    assert_eq!(around, "narva.svg: 7 hexes\n");
    let part = std::fs::read_to_string(at.join("narva.svg")).unwrap();
    assert!(part.contains(">Narva<") && !part.contains(">Riga<"));
}

#[test]
fn what_cannot_be_drawn_says_what_could() {
    let temp = tempfile::tempdir().unwrap();
    let at = temp.path();
    let place = refused(at, &["map", "livonia-1700", "--around", "Narvo"]);
    assert!(place.contains("no place \"Narvo\"") && place.contains("did you mean Narva"), "{place}");
    let region = refused(at, &["map", "livonia-1700", "--region", "Livonai"]);
    assert!(region.contains("did you mean Livonia?"), "{region}");
    let seat = refused(at, &["map", "livonia-1700", "--seat", "france"]);
    assert!(seat.contains("its seats: sweden, russia, saxony_poland; or public, or umpire"), "{seat}");
    let ending = refused(at, &["map", "livonia-1700", "-o", "board.gif"]);
    assert!(ending.contains("neither .svg nor .png"), "{ending}");
    let nothing = refused(at, &["map"]);
    assert!(nothing.contains("name a campaign: ") && nothing.contains("livonia-1700"), "{nothing}");
    assert_eq!(std::fs::read_dir(at).unwrap().count(), 0, "nothing was written");
}

/// After a turn of the demo: the public sees that a brigade stands at Riga, its owner how strong it is [R-003-83].
#[test]
fn a_game_is_drawn_through_the_eyes_asked_for() {
    let temp = tempfile::tempdir().unwrap();
    let at = temp.path();
    succeeds(at, &["demo", "--dir", "play"]);
    let draw = |extra: &[&str]| {
        let mut args = vec!["-C", "play", "map"];
        args.extend(extra);
        let line = succeeds(at, &args);
        std::fs::read_to_string(at.join(line.split(':').next().unwrap())).unwrap()
    };
    let public = draw(&[]);
    let sweden = draw(&["--seat", "sweden", "--turn", "1"]);
    let umpire = draw(&["--seat", "umpire", "--game", "livonia"]);
    assert!(public.contains("class=\"way over\""), "the moves of Spring are on it");
    assert!(!public.contains("Riga Garrison") && sweden.contains("Riga Garrison"));
    assert!(!sweden.contains("Flemming 2") && umpire.contains("Flemming 2"));
    assert!(sweden.contains("Spring 1700, as Sweden sees it"));
    for name in ["livonia.svg", "livonia-sweden.svg", "livonia-umpire.svg"] {
        assert!(at.join(name).is_file(), "{name}");
    }
    let later = refused(at, &["-C", "play", "map", "--turn", "2"]);
    assert!(later.contains("turn 2 of livonia has no results"), "{later}");
}
