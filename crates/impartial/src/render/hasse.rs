//! Hasse diagrams and pictures of Chomp as SVG.

use std::fmt::Write as _;

use crate::poset::{ElementSet, Poset, Words as _};

/// The Hasse diagram of a poset as SVG: an element is drawn above everything below it. Elements
/// outside `position` are pale.
///
/// ```
/// use impartial::{poset::Poset, render::hasse_svg};
/// let poset = Poset::divisors(12).unwrap();
/// let svg = hasse_svg(&poset, &poset.all());
/// assert_eq!(svg.matches("<circle").count(), 5);
/// assert_eq!(svg.matches("<line").count(), 5);
/// ```
pub fn hasse_svg(poset: &Poset, position: &ElementSet) -> String {
    let n = poset.len();
    // The height of an element is the length of the longest chain below it.
    let mut height = vec![0_usize; n];
    for x in poset.linear_extension() {
        for y in poset.up(x).members().filter(|&y| y != x) {
            height[y] = height[y].max(height[x] + 1);
        }
    }
    let levels = height.iter().max().map_or(0, |top| top + 1);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); levels];
    for x in 0..n {
        rows[height[x]].push(x);
    }
    let covers = poset.covers();
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut place = vec![0.0_f64; n];
    for (level, row) in rows.iter_mut().enumerate() {
        if level > 0 {
            // Each element over the middle of what it covers: fewer crossings.
            let middle = |x: usize| {
                let below: Vec<f64> = covers.iter().filter(|&&(_, y)| y == x).map(|&(z, _)| place[z]).collect();
                below.iter().sum::<f64>() / float(below.len().max(1))
            };
            row.sort_by(|&x, &y| middle(x).total_cmp(&middle(y)).then(x.cmp(&y)));
        }
        for (i, &x) in row.iter().enumerate() {
            place[x] = (float(i) + 0.5) * float(widest) / float(row.len());
        }
    }
    let (width, tall) = (60.0 * float(widest.max(1)), 60.0 * float(levels.max(1)));
    let x_of = |x: usize| 60.0 * place[x];
    let y_of = |x: usize| tall - 60.0 * (float(height[x]) + 0.5);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {tall:.0}\" font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\">\n<rect width=\"{width:.0}\" height=\"{tall:.0}\" fill=\"#fff\"/>\n"
    );
    for (x, y) in &covers {
        let pale = !position.contains(*y);
        let _ = writeln!(
            svg,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{}\"/>",
            x_of(*x),
            y_of(*x),
            x_of(*y),
            y_of(*y),
            if pale { "#ddd" } else { "#666" }
        );
    }
    for x in 0..n {
        let (fill, ink) = if position.contains(x) { ("#dbe9f6", "#000") } else { ("#f5f5f5", "#bbb") };
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"18\" fill=\"{fill}\" stroke=\"{ink}\"/><text x=\"{:.1}\" y=\"{:.1}\" fill=\"{ink}\">{}</text>",
            x_of(x),
            y_of(x),
            x_of(x),
            y_of(x) + 4.0,
            escaped(poset.name(x))
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// Points (x, y) with a colour number each, as SVG: x to the right, y upward, one unit a point.
pub fn points_svg(width: u64, height: u64, points: &[(u64, u64, u64)], colours: u64, title: &str) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" shape-rendering=\"crispEdges\">\n<title>{}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n",
        escaped(title)
    );
    for &(x, y, colour) in points {
        let hue = 360 * colour / colours.max(1);
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{}\" width=\"1\" height=\"1\" fill=\"hsl({hue},80%,40%)\"/>",
            height.saturating_sub(y + 1)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn float(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
