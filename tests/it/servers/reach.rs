//! Every kind of connection to the real servers, and what they refuse.

use super::pair::{Pair, now, wait_until};
use crate::counts::Counts;
use crate::desk::bench::{campaign, player};
use crate::desk::numbers;
use jiff::SignedDuration;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;
use umpire::clock::Timer;
use umpire::daemon::{Folder, Pass, pass};
use umpire::desk::NewGame;
use umpire::engine::{GameId, SeatId, Secret};
use umpire::mail::{self, Imap, ImapConfig, ImapFault, Inbox, InboxError};
use umpire::post::{Sealed, SendError, Smtp, SmtpConfig, SmtpError, StoredLetter, Transport};
use umpire::wire::Encryption;

fn letter(name: &str, words: &str) -> String {
    format!(
        "From: Nils North <nils@example.org>\nTo: umpire@example.org\nSubject: [duel] {name}\nMessage-ID: <{name}@example.org>\n\n{words}\n"
    )
}

fn imap(config: ImapConfig) -> Inbox {
    Inbox::Imap(Box::new(Imap::new(config)))
}

fn fault(inbox: &mut Inbox) -> ImapFault {
    match inbox.list(now()) {
        Err(InboxError::Imap(fault)) => fault.fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_connection_reads_and_moves() {
    let Some(pair) = Pair::start() else { return };
    // The last is a server without IDLE, MOVE, UIDPLUS and AUTH=PLAIN.
    let ways = [
        ("localhost", pair.imaps, Encryption::Tls, true),
        ("localhost", pair.imap, Encryption::StartTls, true),
        ("127.0.0.1", pair.imap, Encryption::None, true),
        ("127.0.0.2", pair.imap, Encryption::StartTls, false),
    ];
    for (no, (host, port, encryption, able)) in ways.into_iter().enumerate() {
        let config = ImapConfig { server: pair.server(host, port, encryption), ..pair.imap_config("umpire") };
        let able_to = Imap::new(config.clone()).abilities(now()).unwrap();
        assert_eq!((able_to.idle, able_to.mov, able_to.uidplus), (able, able, able), "{host} {encryption:?}");
        let mut inbox = imap(config);
        assert!(inbox.list(now()).unwrap().is_empty());
        pair.deliver("nils@example.org", "umpire+tag@example.org", &letter(&format!("a{no}"), "number 5\n.\n..dots"));
        let waiting = wait_until("a letter", || inbox.list(now()).unwrap().pop());
        let age = now().duration_since(waiting.received);
        assert!(age < SignedDuration::from_secs(60) && age > SignedDuration::from_secs(-5), "{age}");
        let raw = inbox.read(&waiting, 100_000, now()).unwrap();
        let text = String::from_utf8_lossy(&raw.bytes).into_owned();
        assert!(text.contains("\r\n\r\nnumber 5\r\n.\r\n..dots\r\n") && !raw.oversize, "{text}");
        assert!(
            text.contains("Delivered-To: <umpire+tag@example.org>") || text.contains("Delivered-To: umpire+tag@"),
            "{text}"
        );
        assert!(inbox.read(&waiting, 300, now()).unwrap().oversize);
        inbox.file_away(&waiting, mail::Folder::Processed, now()).unwrap();
        inbox.file_away(&waiting, mail::Folder::Processed, now()).unwrap();
        assert!(inbox.list(now()).unwrap().is_empty());
        assert_eq!(pair.mailbox("umpire", "Processed").len(), no + 1, "{host} {encryption:?}: moved once");
        assert!(inbox.read(&waiting, 100_000, now()).unwrap_err().is_gone());
    }
    large_letters_give_their_header(&pair);
    idle_wakes(&pair);
    logins_are_refused_in_words(&pair);
}

fn large_letters_give_their_header(pair: &Pair) {
    let mut inbox = imap(pair.imap_config("umpire"));
    pair.deliver("nils@example.org", "umpire@example.org", &letter("large", &"number 5\n".repeat(200_000)));
    let waiting = wait_until("the large letter", || inbox.list(now()).unwrap().pop());
    assert!(waiting.size > 1_500_000);
    let raw = inbox.read(&waiting, 1_000_000, now()).unwrap();
    let text = String::from_utf8_lossy(&raw.bytes);
    assert!(raw.oversize && text.contains("Message-ID: <large@example.org>") && !text.contains("number 5"), "{text}");
    assert!(inbox.read(&waiting, 5_000_000, now()).unwrap().bytes.len() > 1_500_000);
    inbox.file_away(&waiting, mail::Folder::Rejected, now()).unwrap();
    assert_eq!(pair.mailbox("umpire", "Rejected").len(), 1);
}

fn idle_wakes(pair: &Pair) {
    let mut inbox = imap(pair.imap_config("umpire"));
    assert!(inbox.list(now()).unwrap().is_empty());
    // The server says every two seconds that it is still there: that must not make the wait any longer.
    let timer = Timer::of(Duration::from_secs(8));
    assert!(!inbox.wait_for_mail(Duration::from_secs(3), now()).unwrap());
    assert!(timer.left().is_some(), "IDLE did not end in time");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(500));
            pair.deliver("nils@example.org", "umpire@example.org", &letter("wake", "number 5"));
        });
        let timer = Timer::of(Duration::from_secs(10));
        assert!(inbox.wait_for_mail(Duration::from_secs(20), now()).unwrap(), "the server did not say that mail came");
        assert!(timer.left().is_some());
    });
    let waiting = inbox.list(now()).unwrap().remove(0);
    // What comes between the list and the wait is not slept through.
    pair.deliver("nils@example.org", "umpire@example.org", &letter("between", "number 5"));
    wait_until("the letter between", || (pair.mailbox("umpire", "INBOX").len() == 2).then_some(()));
    inbox.file_away(&waiting, mail::Folder::Processed, now()).unwrap();
    assert!(inbox.wait_for_mail(Duration::from_secs(20), now()).unwrap());
    assert_eq!(inbox.list(now()).unwrap().len(), 1);
}

fn logins_are_refused_in_words(pair: &Pair) {
    let right = pair.imap_config("umpire");
    let mut wrong = right.clone();
    wrong.login = pair.login("astrid");
    wrong.login.user = "umpire@example.org".to_owned();
    let refused = fault(&mut imap(wrong));
    assert!(matches!(refused, ImapFault::Refused(_)), "{refused}");
    assert!(!refused.to_string().contains("astrid-password"));
    let mut unknown = right.clone();
    unknown.server.authority = None;
    let said = fault(&mut imap(unknown)).to_string();
    assert!(said.contains("nobody whom this machine trusts") || said.contains("no trusted certificates"), "{said}");
    let mut other_name = right.clone();
    other_name.server.host = "localhost.localdomain".to_owned();
    if let ImapFault::Wire(fault) = fault(&mut imap(other_name)) {
        let said = fault.to_string();
        assert!(said.contains("another name") || said.contains("no connection"), "{said}");
    }
    let mut no_folder = right;
    no_folder.folder = "Nowhere".to_owned();
    assert!(matches!(fault(&mut imap(no_folder)), ImapFault::Said(_)));
}

fn send(way: &mut Transport, to: &str, bytes: &[u8]) -> Result<(), SmtpError> {
    let letter = StoredLetter { message_id: "umpire.x@example.org", bytes };
    match way.send(&Sealed { letter, from: "umpire@example.org", to }, now()) {
        Ok(_) => Ok(()),
        Err(SendError::Smtp(fault)) => Err(fault),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn every_connection_sends_what_was_stored() {
    let Some(pair) = Pair::start() else { return };
    let stored = b"From: umpire@example.org\r\nTo: astrid@example.org\r\nSubject: x\r\nMessage-ID: <umpire.x@example.org>\r\n\r\n\
                   .\r\n..\r\n.a line that begins with a dot\r\n\r\nthe last line\r\n";
    let with = |host: &str, port, encryption, login| {
        Transport::Smtp(Box::new(Smtp::new(SmtpConfig { server: pair.server(host, port, encryption), login })))
    };
    let own = Some(pair.login("umpire"));
    let ways = [
        with("localhost", pair.submissions, Encryption::Tls, own.clone()),
        with("localhost", pair.submission, Encryption::StartTls, own.clone()),
        with("127.0.0.1", pair.smtp, Encryption::None, None),
    ];
    for (no, mut way) in ways.into_iter().enumerate() {
        send(&mut way, "astrid@example.org", stored).unwrap();
        pair.wait_for("astrid", "INBOX", no + 1);
    }
    for raw in pair.mailbox("astrid", "INBOX") {
        assert!(raw.ends_with(stored), "{}", String::from_utf8_lossy(&raw));
    }
    let mut relay = with("127.0.0.1", pair.smtp, Encryption::None, None);
    let nobody = send(&mut relay, "nobody@example.org", stored).unwrap_err();
    assert!(nobody.is_permanent() && nobody.to_string().contains("550 5.1.1"), "{nobody}");
    assert!(!nobody.concerns_all());
    let large = [stored.as_slice(), &b"0123456789\r\n".repeat(1_000_000)].concat();
    let large = send(&mut relay, "astrid@example.org", &large).unwrap_err();
    assert!(large.is_permanent() && large.to_string().contains("552"), "{large}");
    let mut wrong = pair.login("astrid");
    wrong.user = "umpire@example.org".to_owned();
    let mut stranger = with("localhost", pair.submission, Encryption::StartTls, Some(wrong));
    let refused = send(&mut stranger, "astrid@example.org", stored).unwrap_err();
    assert!(!refused.is_permanent() && !refused.is_retryable() && refused.concerns_all(), "{refused}");
    assert!(refused.to_string().contains("535") && !refused.to_string().contains("astrid-password"), "{refused}");
    let mut open = with("localhost", pair.submission, Encryption::StartTls, None);
    let refused = send(&mut open, "astrid@example.org", stored).unwrap_err();
    assert!(!refused.is_permanent() && !refused.is_retryable(), "no login is no fault of the letter: {refused}");
    let mut nowhere = with("127.0.0.1", 9, Encryption::None, None);
    assert!(send(&mut nowhere, "astrid@example.org", stored).unwrap_err().is_retryable());
}

/// A folder of the tests' game, played over the real servers at this very hour.
pub(super) fn duel(pair: &Pair) -> Folder {
    let dir = pair.dir().join("duel");
    let config = format!("[umpire]\naddress = \"umpire@example.org\"\n{}", pair.toml());
    Folder::create_with(&dir, &config, &Secret::from_bytes([1; 32])).unwrap();
    let mut folder = Folder::open_with(&dir, numbers::start).unwrap();
    let new = NewGame {
        game: GameId::new("duel"),
        campaign: campaign(""),
        players: BTreeMap::from([
            (SeatId::new("north"), player("Nils North", "nils@example.org")),
            (SeatId::new("south"), player("Sofia South", "sofia@example.org")),
        ]),
        zone: None,
        secret: Some(Secret::from_bytes([2; 32])),
    };
    folder.desk.open_game(&new, now() - SignedDuration::from_hours(1)).unwrap();
    folder
}

pub(super) fn sound_pass(folder: &mut Folder) -> Pass {
    let pass = pass(folder, now());
    assert!(pass.failures.is_empty(), "{:#?}", pass.failures);
    pass
}

fn move_all(from: &Path, to: &Path) {
    for entry in fs::read_dir(from.join("cur")).unwrap() {
        let path = entry.unwrap().path();
        fs::rename(&path, to.join("cur").join(path.file_name().unwrap())).unwrap();
    }
}

/// The umpire's mailbox is put back from a copy: the server numbers its letters anew, and letters dealt with lie in the inbox again,
/// one of them twice.
#[test]
fn a_mailbox_that_counts_anew_makes_nothing_count_twice() {
    let Some(pair) = Pair::start() else { return };
    let mut folder = duel(&pair);
    pair.deliver("nils@example.org", "umpire@example.org", &letter("n1", "number 5"));
    let nameless = letter("s1", "number 3").replace("Nils North <nils", "Sofia South <sofia");
    let nameless = nameless.lines().filter(|line| !line.starts_with("Message-ID")).collect::<Vec<_>>().join("\n");
    pair.deliver("sofia@example.org", "umpire@example.org", &nameless);
    pair.wait_for("umpire", "INBOX", 2);
    assert_eq!(sound_pass(&mut folder).letters.len(), 2);
    let answered = |user: &str| pair.subjects(user, "INBOX").len();
    wait_until("the answers", || (answered("nils") >= 2 && answered("sofia") >= 2).then_some(()));

    let maildir = pair.dir().join("dovecot/mail/umpire/Maildir");
    move_all(&maildir.join(".Processed"), &maildir);
    for entry in fs::read_dir(&maildir).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().unwrap().to_str().unwrap().starts_with("dovecot") {
            fs::remove_file(path).unwrap();
        }
    }
    pair.deliver("nils@example.org", "umpire@example.org", &letter("n1", "number 5"));
    pair.wait_for("umpire", "INBOX", 3);
    // The session that was open over all this is of no more use, and the server says so; the next pass opens another.
    let first = pass(&mut folder, now());
    assert!(first.failures.iter().all(umpire::daemon::Failure::is_retryable), "{first:#?}");
    assert!(first.letters.is_empty() && first.sent == 0, "{first:#?}");
    let again = sound_pass(&mut folder);
    assert!(again.letters.is_empty() && again.sent == 0, "{again:#?}");
    assert!(pair.mailbox("umpire", "INBOX").is_empty());
    assert_eq!(pair.mailbox("umpire", "Processed").len(), 3);
    assert_eq!((answered("nils"), answered("sofia")), (2, 2));
    let dir = folder.dir.clone();
    drop(folder);
    Counts::of_folder(&dir, 1, 2).row("UIDVALIDITY changed; a letter in two folders, and twice");
}
