//! Each turn is one thread, in every mail program: the letters of a turn to a seat name the same parent and bear the same subject,
//! whatever the player answered to.

use super::bench::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// Two turns' letters as Nils gets them, with his own among them: he answers the results of the first turn with the orders of the
/// second.
fn correspondence() -> (Bench, Vec<Vec<u8>>) {
    let mut bench = Bench::new();
    let game = bench.game.clone();
    bench.pass(opened());
    bench.drop("n1", NORTH, "[duel]", "number 5", opened() + later(1));
    bench.pass(opened() + later(1));
    bench.folder.desk.extend(&game, deadline() + later(24), "a storm", opened() + later(2)).unwrap();
    bench.pass(opened() + later(2));
    let closing = deadline() + later(24) + minute();
    bench.pass(closing);
    let results = bench.sent().into_iter().filter(|l| l.text.contains("PRELIMINARY")).collect::<Vec<_>>();
    let results = to(&results, "nils@example.org")[0].clone();
    bench.drop("n2", NORTH, "[duel]", "CHALLENGE 1: no", closing + later(1));
    let answer = format!(
        "From: {NORTH}\r\nTo: umpire@example.org\r\nSubject: Re: {}\r\nMessage-ID: <n3@example.org>\r\n\
         In-Reply-To: <{}>\r\nReferences: <{}>\r\n\r\nnumber 7\r\n",
        results.subject, results.message_id, results.message_id
    );
    bench.drop_raw("n3", answer.as_bytes(), closing + later(2));
    bench.pass(closing + later(2));
    bench
        .folder
        .desk
        .answer_challenge(&game, umpire::engine::ChallengeNo(1), "It stands.", false, closing + later(3))
        .unwrap();
    bench.pass(closing + later(25));
    bench.pass(closing + later(24 * 8));
    let sent = bench.sent();
    let mut letters: Vec<Vec<u8>> = to(&sent, "nils@example.org").iter().map(|letter| letter.raw.clone()).collect();
    letters.push(answer.into_bytes());
    (bench, letters)
}

fn header<'m>(message: &'m mail_parser::Message<'_>, name: &'m str) -> Option<&'m str> {
    message.header_raw(name).map(str::trim)
}

#[test]
fn a_turns_letters_name_one_parent_and_bear_one_subject() {
    let (_bench, letters) = correspondence();
    let parser = mail_parser::MessageParser::default();
    let mut threads: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for raw in &letters {
        let message = parser.parse(raw).unwrap();
        let Some(references) = header(&message, "References").filter(|_| header(&message, "X-Umpire-Loop").is_some())
        else {
            continue;
        };
        let answers = header(&message, "In-Reply-To").unwrap();
        assert!(answers.ends_with(references), "{answers} does not end with {references}");
        assert_eq!(header(&message, "List-Id"), Some("<duel.example.org>"));
        assert_eq!(header(&message, "List-Unsubscribe"), None, "a player leaves by telling the umpire");
        let automatic = if answers == references { "auto-generated" } else { "auto-replied" };
        assert_eq!(header(&message, "Auto-Submitted"), Some(automatic));
        threads.entry(references.to_owned()).or_default().insert(message.subject().unwrap().to_owned());
    }
    let subjects: BTreeSet<Vec<String>> =
        threads.into_values().map(|subjects| subjects.into_iter().collect()).collect();
    assert_eq!(subjects.into_iter().collect::<Vec<_>>(), [["[duel] Round 1"], ["[duel] Round 2"]]);
}

fn maildir(dir: &Path, letters: &[Vec<u8>]) {
    for folder in ["cur", "new", "tmp"] {
        std::fs::create_dir_all(dir.join(folder)).unwrap();
    }
    for (raw, no) in letters.iter().zip(0..) {
        std::fs::write(dir.join(format!("cur/{no}.x:2,S")), raw).unwrap();
    }
}

/// mutt itself, at a terminal. `tests/run` installs it; where it is missing, there is nothing to look at.
#[test]
fn mutt_shows_each_turn_as_one_thread() {
    let there = |program: &str| Command::new(program).arg("-V").output().is_ok();
    if !there("mutt") || !there("tmux") {
        eprintln!("not tried: mutt and tmux are needed");
        return;
    }
    let (bench, letters) = correspondence();
    let dir = bench.dir.join("nils");
    maildir(&dir, &letters);
    let rc = bench.dir.join("muttrc");
    // Collapsed threads: a line is a thread. `%M` is how many letters it hides.
    std::fs::write(
        &rc,
        format!(
            "set sort=threads\nset strict_threads=yes\nset index_format=\"LINE %M %s\"\nset help=no\nset collapse_unread=yes\n\
             set folder={}\n",
            bench.dir.display()
        ),
    )
    .unwrap();
    let socket = bench.dir.join("tmux");
    let tmux = |args: &[&str]| Command::new("tmux").arg("-S").arg(&socket).args(args).output().unwrap();
    let mutt = format!(
        "HOME={0} TERM=xterm LC_ALL=C mutt -n -F {1} -R -f {2}",
        bench.dir.display(),
        rc.display(),
        dir.display()
    );
    tmux(&["-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "40", &mutt]);
    let lines = |wanted: usize| {
        let mut shown: Vec<String> = Vec::new();
        for _ in 0..100 {
            std::thread::sleep(std::time::Duration::from_millis(100));
            let screen = String::from_utf8_lossy(&tmux(&["capture-pane", "-p"]).stdout).into_owned();
            shown = screen.lines().filter_map(|line| line.trim().strip_prefix("LINE ").map(str::to_owned)).collect();
            if shown.len() == wanted {
                break;
            }
        }
        shown
    };
    assert_eq!(lines(letters.len()).len(), letters.len());
    tmux(&["send-keys", "Escape", "V"]);
    let shown = lines(2);
    tmux(&["kill-server"]);
    assert_eq!(shown.len(), 2, "not two threads: {shown:#?}");
    // His own answer to the results of the first turn stands with them, and not the orders that it held.
    assert_eq!(shown, ["8 [duel] Round 1", "2 [duel] Round 2"]);
}
