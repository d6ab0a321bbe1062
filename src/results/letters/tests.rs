use super::super::{page, picture, sample};
use super::*;

#[test]
fn peek() {
    let t = Templates::load(None).unwrap();
    for f in sample::check(&t) { println!("FAULT {f}"); }
    let out = std::path::Path::new("/tmp/umpire-shots"); 
    let w = |n: &str, s: &str| { let p = out.join(n); std::fs::create_dir_all(p.parent().unwrap()).unwrap(); std::fs::write(p, s).unwrap() };
    w("ack.txt", &acknowledgement(&t, &sample::acknowledgement()).unwrap().text);
    let r = results(&t, &sample::corrected()).unwrap();
    w("results.txt", &r.text); w("results.html", &r.html.unwrap());
    w("official.txt", &results(&t, &sample::official()).unwrap().text);
    let anon = |mut r: Results| { r.occasion.seat.clear(); r.occasion.player.clear(); r.report.board = Some(crate::results::sample::board()); r };
    for (p, s) in page::game_pages(&t, &sample::front_page(), &[anon(sample::preliminary()), anon(sample::corrected())]).unwrap() { w(&format!("site/{p}"), &s); }
    w("site/index.html", &page::index_page(&t, &[sample::front_page()]).unwrap());
    w("board.svg", &picture::board_svg(&sample::board()));
}
