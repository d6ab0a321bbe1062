//! From the bytes of one MIME part to its text: transfer encoding (RFC 2045 6), then character set.
//!
//! The mail-parser crate does both as well, but it gives up on the first broken byte, trusts every label, and
//! hides which bytes it could not read. Letters of real players need more patience.

use mail_parser::decoders::charsets::map::charset_decoder;

/// Bytes after the transfer encoding is undone.
pub(super) struct Unwrapped {
    pub bytes: Vec<u8>,
    /// Plain text that some list server hung on behind base64 data (case 21 of the thirty).
    pub footer: Vec<u8>,
}

/// Undoes the `Content-Transfer-Encoding` named by `encoding`; an unknown one is taken as none.
pub(super) fn unwrap_transfer(raw: &[u8], encoding: &str) -> Unwrapped {
    match encoding.trim().to_ascii_lowercase().as_str() {
        "base64" => base64(raw),
        "quoted-printable" => Unwrapped { bytes: quoted_printable(raw), footer: Vec::new() },
        _ => Unwrapped { bytes: raw.to_vec(), footer: Vec::new() },
    }
}

/// Reads base64 line by line up to its padding or the first line that cannot be base64.
fn base64(raw: &[u8]) -> Unwrapped {
    let mut sextets = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while !rest.is_empty() {
        let end = rest.iter().position(|&b| b == b'\n').map_or(rest.len(), |at| at + 1);
        let (line, after) = rest.split_at(end);
        let data = line.trim_ascii();
        let unpadded = data.strip_suffix(b"==").or_else(|| data.strip_suffix(b"=")).unwrap_or(data);
        if !unpadded.iter().all(|&b| sextet(b).is_some()) {
            break;
        }
        sextets.extend(unpadded.iter().copied().filter_map(sextet));
        rest = after;
        if unpadded.len() < data.len() {
            break;
        }
    }
    Unwrapped { bytes: join_sextets(&sextets), footer: rest.to_vec() }
}

fn sextet(b: u8) -> Option<u8> {
    match b {
        b'A'..=b'Z' => Some(b - b'A'),
        b'a'..=b'z' => Some(b - b'a' + 26),
        b'0'..=b'9' => Some(b - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

fn join_sextets(sextets: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(sextets.len() * 3 / 4);
    for group in sextets.chunks(4) {
        let bits = group.iter().fold(0u32, |bits, &s| (bits << 6) | u32::from(s)) << (6 * (4 - group.len()));
        let [_, a, b, c] = bits.to_be_bytes();
        bytes.extend([a, b, c].iter().take(group.len() * 3 / 4));
    }
    bytes
}

/// RFC 2045 6.7, but an `=` that starts nothing valid stays an `=`.
fn quoted_printable(raw: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'=' {
            bytes.push(first);
        } else if let Some((byte, after)) = hex_pair(after) {
            bytes.push(byte);
            rest = after;
        } else if let Some(after) = soft_break(after) {
            rest = after;
        } else {
            bytes.push(first);
        }
    }
    bytes
}

fn hex_pair(bytes: &[u8]) -> Option<(u8, &[u8])> {
    let [high, low, rest @ ..] = bytes else { return None };
    let digit = |b: u8| (b as char).to_digit(16).and_then(|d| u8::try_from(d).ok());
    Some((digit(*high)? << 4 | digit(*low)?, rest))
}

fn soft_break(bytes: &[u8]) -> Option<&[u8]> {
    let padding = bytes.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    match bytes.get(padding..)? {
        [b'\r', b'\n', rest @ ..] | [b'\n', rest @ ..] | [b'\r', rest @ ..] => Some(rest),
        [] => Some(&[]),
        _ => None,
    }
}

/// Text of a part, and whether its letters had to be guessed or could not all be read.
pub(super) struct Text {
    pub text: String,
    pub doubt: bool,
}

/// Reads `bytes` by the label, then as UTF-8, then by the game's guess (case 20 of the thirty).
///
/// A label of one-byte letters gives way where the bytes are sound UTF-8 with letters beyond ASCII: by accident
/// that does not happen, by a lying label every day.
pub(super) fn to_text(bytes: &[u8], label: Option<&str>, guess: Option<&str>) -> Text {
    let utf8 = std::str::from_utf8(bytes).ok();
    let label = label.map(|l| l.trim().trim_matches(['"', '\'']).to_ascii_lowercase());
    let decoder = label.as_deref().filter(|l| !l.is_empty()).and_then(|l| charset_decoder(l.as_bytes()));
    match (decoder, utf8) {
        (Some(_), Some(text)) if !text.is_ascii() && !needs_label(label.as_deref()) => sure(text.to_owned()),
        (Some(decode), _) => {
            let text = decode(bytes);
            Text { doubt: text.contains('\u{FFFD}'), text }
        }
        (None, Some(text)) => Text { text: text.to_owned(), doubt: text.contains('\u{FFFD}') },
        (None, None) => guessed(bytes, guess),
    }
}

fn sure(text: String) -> Text {
    Text { text, doubt: false }
}

/// Character sets whose bytes may pass for UTF-8 and yet mean something else.
fn needs_label(label: Option<&str>) -> bool {
    label.is_some_and(|l| {
        ["utf-7", "utf7", "utf-16", "utf16", "iso-2022", "hz", "gb", "big5", "euc", "shift", "sjis"]
            .iter()
            .any(|p| l.starts_with(p))
    })
}

/// A letter in UTF-8 with a few broken bytes is still that; all else goes by the game's guess, or Windows-1252,
/// the commonest unlabelled set of the West.
fn guessed(bytes: &[u8], guess: Option<&str>) -> Text {
    let lossy = String::from_utf8_lossy(bytes);
    let broken = lossy.chars().filter(|&c| c == '\u{FFFD}').count();
    let foreign = lossy.chars().filter(|c| !c.is_ascii()).count();
    if broken * 4 <= foreign {
        return Text { text: lossy.into_owned(), doubt: true };
    }
    let decoder = guess.and_then(|g| charset_decoder(g.as_bytes())).or_else(|| charset_decoder(b"windows-1252"));
    let text = decoder.map_or_else(|| lossy.into_owned(), |decode| decode(bytes));
    Text { text, doubt: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(raw: &[u8], encoding: &str) -> String {
        String::from_utf8(unwrap_transfer(raw, encoding).bytes).unwrap()
    }

    #[test]
    fn quoted_printable_with_faults() {
        assert_eq!(plain(b"=C3=85bo =\r\nand Riga=20\r\n", "Quoted-Printable"), "Åbo and Riga \r\n");
        assert_eq!(plain(b"2+2=4 and =ZZ and =", "quoted-printable"), "2+2=4 and =ZZ and ");
        assert_eq!(plain(b"soft = \t\nbreak", "quoted-printable"), "soft break");
    }

    #[test]
    fn base64_stops_at_a_footer() {
        let read = unwrap_transfer(b"UmlnYSB0\r\nbyBNaXRhdQ==\r\n____\r\nlist\r\n", "base64");
        assert_eq!(read.bytes, b"Riga to Mitau");
        assert_eq!(read.footer, b"____\r\nlist\r\n");
        let unpadded = unwrap_transfer(b"UmlnYSB0byBNaXRhdQ\r\n_______\r\n", "base64");
        assert_eq!(unpadded.bytes, b"Riga to Mitau");
        assert_eq!(unpadded.footer, b"_______\r\n");
    }

    #[test]
    fn the_label_then_utf8_then_the_guess() {
        let koi = b"\xf2\xc9\xc7\xc1";
        assert_eq!(to_text(koi, Some("KOI8-R"), None).text, "Рига");
        assert_eq!(to_text("Рига".as_bytes(), Some("iso-8859-1"), None).text, "Рига");
        assert_eq!(to_text("Рига".as_bytes(), Some("us-ascii"), None).text, "Рига");
        assert_eq!(to_text("Рига".as_bytes(), None, None).text, "Рига");
        let guess = to_text(koi, None, Some("koi8-r"));
        assert_eq!((guess.text.as_str(), guess.doubt), ("Рига", true));
        let west = to_text(b"\xc5bo", Some("x-unknown"), None);
        assert_eq!((west.text.as_str(), west.doubt), ("Åbo", true));
        assert_eq!(to_text(b"\xc5bo", Some("iso-8859-1"), None).text, "Åbo");
        assert_eq!(to_text(b"\xd0\xe8\xe3\xe0", Some("windows-1251"), None).text, "Рига");
        assert_eq!(to_text(b"+BCAEOAQzBDA-", Some("utf-7"), None).text, "Рига");
        assert!(!to_text("Рига".as_bytes(), Some("utf-8"), None).doubt);
    }

    #[test]
    fn a_broken_byte_in_utf8_stays_utf8_and_is_said() {
        let text =
            to_text("Åbo till Mitau över Düna – å ä ö\u{e9}".as_bytes().split_last().unwrap().1, Some("utf-8"), None);
        assert!(text.text.starts_with("Åbo till Mitau över"), "{}", text.text);
        assert!(text.doubt);
    }
}
