use super::board::*;
use crate::rules::season::campaign::Season;
use crate::rules::season::read;

#[test]
fn show() {
    let path = std::env::var("SHOW").unwrap_or_default();
    let Ok(text) = std::fs::read_to_string(path) else { return };
    let spring = spring();
    let summer = later(1700, Season::Summer);
    let fall = later(1700, Season::Fall);
    for line in text.lines() {
        let Some((head, words)) = line.split_once('|') else { println!("{line}"); continue };
        let head = head.trim();
        let state = match &head[1..] { "2" => &summer, "3" => &fall, _ => &spring };
        let of = &head[..1];
        let words = words.trim().replace("\\n", "\n");
        println!("{head} | {words}");
        let r = reading(state, of, &words);
        let v = view(state, of);
        for o in &r.orders { println!("      = {}", read::canonical(&v, &seat(of), &o.order).0); }
        for q in &r.questions { println!("      ? {}", q.message); for x in &q.readings { println!("          - {}", x.iter().map(|o| read::canonical(&v, &seat(of), o).0).collect::<Vec<_>>().join("; ")); } }
        for c in &r.complaints { println!("      ! {:?} {} | {} {:?} {:?}", c.kind, c.message, c.help, c.span.as_ref().map(|s| (s.start, s.end)), c.cites.iter().map(|c| c.to_string()).collect::<Vec<_>>()); }
        for a in &r.answers { println!("      answer {}{}", a.0, a.1); }
        for a in &r.withdrawn { println!("      withdraw {}", a.0); }
        for p in &r.passed_over { println!("      ~ {}", p.text); }
    }
}
