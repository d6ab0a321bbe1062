//! Small signs, drawn around a point.

use std::fmt::Write;

/// A conifer, a tuft of reeds or a peak; nothing for other terrain.
pub fn terrain(out: &mut String, kind: &str, x: f32, y: f32) {
    let (class, path) = match kind {
        "forest" => ("tree", "M-3.4 3.4L0-4.8L3.4 3.4Z"),
        "marsh" => ("marsh", "M-4.4 2.2H4.4M-2.6-.6V-3M0-.6V-4.2M2.6-.6V-3"),
        "mountain" => ("hill", "M-5.6 4L-.6-5.4L2-1.4L3.2-3L6.4 4Z"),
        _ => return,
    };
    let _ = write!(out, "<path class=\"{class}\" transform=\"translate({x:.1} {y:.1})\" d=\"{path}\"/>");
}

/// A city's sign: a circle, or the shape of its fortification, as large as its value.
pub fn city(out: &mut String, fort: &str, value: u8, x: f32, y: f32) -> f32 {
    let r = 4.6 + 1.25 * f32::from(value.min(4));
    let _ = match fort {
        "square" => write!(
            out,
            "<rect class=\"city\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
            x - r,
            y - r,
            2.0 * r,
            2.0 * r
        ),
        "hexagon" => {
            let r = r * 1.12;
            let corners: Vec<String> = [0.0_f32, 60.0, 120.0, 180.0, 240.0, 300.0]
                .iter()
                .map(|turn| {
                    let angle = turn.to_radians();
                    format!("{:.1},{:.1}", x + r * angle.cos(), y + r * angle.sin())
                })
                .collect();
            write!(out, "<polygon class=\"city\" points=\"{}\"/>", corners.join(" "))
        }
        _ => write!(out, "<circle class=\"city\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\"/>"),
    };
    if value > 0 {
        let _ = write!(out, "<text class=\"value\" x=\"{x:.1}\" y=\"{:.1}\">{value}</text>", y + 3.1);
    }
    r
}

/// An anchor: a port.
pub fn anchor(out: &mut String, x: f32, y: f32) {
    let _ = write!(
        out,
        "<path class=\"anchor\" transform=\"translate({x:.1} {y:.1})\" \
         d=\"M0-4V6M-3-2H3M-5 2.4C-5 5.4-2.4 6.4 0 6.4S5 5.4 5 2.4M1.6-5.6A1.6 1.6 0 1 1-1.6-5.6A1.6 1.6 0 1 1 1.6-5.6\"/>"
    );
}

/// Crossed swords: a battle.
pub fn swords(out: &mut String, x: f32, y: f32) {
    const PATH: &str = "M-6-7L6 6M6-7L-6 6M-6.6 2.2L-2.2 6.4M6.6 2.2L2.2 6.4";
    let place = format!("transform=\"translate({x:.1} {y:.1})\" d=\"{PATH}\"");
    let _ = write!(out, "<path class=\"swordsback\" {place}/><path class=\"swords\" {place}/>");
}
