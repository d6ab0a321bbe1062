use super::board::*;
use super::table::read_as;
#[test]
fn show() {
    let Ok(text) = std::fs::read_to_string(std::env::var("SHOW").unwrap_or_default()) else { return };
    let spring = spring();
    for line in text.lines() {
        let Some((head, words)) = line.split_once(" | ") else { continue };
        println!("{head} | {words}");
        for l in read_as(&spring, &head[..1], words) {
            println!("    {l}");
        }
    }
}
#[test]
fn speed() {
    let spring = spring();
    let v = view(&spring, "P");
    let text = "card 2\nFlemming and everybody with him march from Mitau to Riga and lay siege\nKurprinz to Mitau\nbuy 2 inf + 1 transport; build infantry at Mitau\nFlemming retreats if he loses half\n".repeat(4);
    let l = lines(&text);
    let n: u32 = std::env::var("LOOPS").ok().and_then(|s| s.parse().ok()).unwrap_or(0);
    for _ in 0..n {
        crate::rules::season::read::letter(&v, &seat("P"), crate::engine::LetterNo(1), &l);
    }
}
