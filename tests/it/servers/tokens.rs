//! Access tokens instead of passwords, tried on Dovecot's own OAuth2 (Postfix asks it too) with an authorisation server of the tests'.

use super::pair::{Pair, wait_until};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use umpire::daemon::Folder;

/// A request to the authorisation server, as the umpire in his browser makes it: the answer, headers and all.
fn ask(pair: &Pair, method: &str, path: &str, form: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", pair.tokens)).unwrap();
    write!(
        stream,
        "{method} {path} HTTP/1.0\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
        form.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn asked_for_refreshing(pair: &Pair) -> u64 {
    let answer = ask(pair, "GET", "/asked", "");
    let json: serde_json::Value = serde_json::from_str(answer.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    json["refresh_token"].as_u64().unwrap_or(0)
}

/// A folder that logs in by token; `endpoint` is the line that says how leave is given.
fn folder(pair: &Pair, name: &str, endpoint: &str) -> PathBuf {
    let dir = pair.dir().join(name);
    let authority = pair.authority();
    let authority = authority.display();
    let config = format!(
        "[umpire]\naddress = \"umpire@example.org\"\n\
         [mail.imap]\nhost = \"localhost\"\nport = {}\ntls_ca = \"{authority}\"\noauth2 = true\n\
         [mail.smtp]\nhost = \"localhost\"\nport = {}\ntls = \"starttls\"\ntls_ca = \"{authority}\"\noauth2 = true\n\
         [mail.oauth2]\nprovider = \"custom\"\nclient_id = \"umpire-tests\"\ntoken_url = \"http://127.0.0.1:{2}/token\"\n\
         {endpoint} = \"http://127.0.0.1:{2}/{3}\"\nscope = \"mail\"\n",
        pair.imaps,
        pair.submission,
        pair.tokens,
        if endpoint == "device_url" { "device" } else { "authorize" },
    );
    Folder::create(&dir, &config).unwrap();
    dir
}

fn umpire(dir: &Path, args: &[&str]) -> (bool, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_umpire")).arg("-C").arg(dir).args(args).output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    (done.status.success(), said)
}

fn sound(dir: &Path) {
    let (sound, said) = umpire(dir, &["mail", "check"]);
    assert!(
        sound && said.contains("XOAUTH2") && said.matches("logged in as umpire@example.org").count() == 2,
        "{said}"
    );
}

#[test]
fn leave_is_given_kept_renewed_and_withdrawn() {
    let Some(pair) = Pair::start() else { return };
    let dir = folder(&pair, "device", "device_url");
    let (fine, said) = umpire(&dir, &["mail", "check"]);
    assert!(!fine && said.contains("give it with `umpire mail login`"), "{said}");
    by_device_code(&pair, &dir);
    sound(&dir);
    sound(&dir);
    assert_eq!(asked_for_refreshing(&pair), 2, "each check asks once, for IMAP and SMTP together");

    renewed_when_refused(&pair, &dir);
    ask(&pair, "POST", "/revoke", "everything=1");
    let (fine, said) = umpire(&dir, &["mail", "check"]);
    assert!(!fine && said.contains("has run out or was withdrawn (Token has been revoked.)"), "{said}");

    let other = folder(&pair, "browser", "authorize_url");
    by_browser(&pair, &other);
    sound(&other);
}

fn by_device_code(pair: &Pair, dir: &Path) {
    let login = Command::new(env!("CARGO_BIN_EXE_umpire"))
        .arg("-C")
        .arg(dir)
        .args(["mail", "login"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let token = dir.join("mail/oauth2.json");
    // It asks once a second; the first answers are that nobody has typed the code in.
    wait_until("two questions", || ask(pair, "GET", "/asked", "").contains("device_code\": 2").then_some(()));
    assert!(!token.exists());
    ask(pair, "POST", "/approve", "");
    let done = login.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && said.contains("NARV-1700") && said.contains("login.example.org/device"), "{said}");
    assert_eq!(std::fs::metadata(&token).unwrap().permissions().mode() & 0o777, 0o600);
    let kept = std::fs::read_to_string(&token).unwrap();
    assert!(kept.contains("refresh-") && !kept.contains("access-") && !said.contains("refresh-"), "{kept}");
}

/// An access token that the server takes no more before its time: refused once, then renewed.
fn renewed_when_refused(pair: &Pair, dir: &Path) {
    let mut folder = Folder::open(dir).unwrap();
    let now = super::pair::now();
    folder.inbox.list(now).unwrap();
    let before = asked_for_refreshing(pair);
    folder.inbox.list(now).unwrap();
    assert_eq!(asked_for_refreshing(pair), before, "a token that holds is not asked for again");
    ask(pair, "POST", "/revoke", "");
    let mut second = umpire::mail::Imap::new(folder.config.imap.clone().unwrap());
    let refused = second.list(now).unwrap_err().to_string();
    assert!(refused.contains("does not let us in"), "{refused}");
    second.list(now).unwrap();
    assert_eq!(asked_for_refreshing(pair), before + 1);
}

fn by_browser(pair: &Pair, dir: &Path) {
    let mut login = Command::new(env!("CARGO_BIN_EXE_umpire"))
        .arg("-C")
        .arg(dir)
        .args(["mail", "login"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(login.stdout.take().unwrap());
    let page = loop {
        let mut line = String::new();
        assert!(said.read_line(&mut line).unwrap() > 0, "no page was named");
        if let Some(path) = line.trim().strip_prefix(&format!("http://127.0.0.1:{}", pair.tokens)) {
            break path.to_owned();
        }
    };
    let sent_back = ask(pair, "GET", &page, "");
    let address = sent_back.lines().find_map(|line| line.strip_prefix("Location: ")).unwrap();
    writeln!(login.stdin.take().unwrap(), "{address}").unwrap();
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    assert!(login.wait().unwrap().success(), "{rest}");
}
