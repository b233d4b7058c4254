//! Plots of growth, shared by the examples that measure it. Both axes are logarithmic: a polynomial is a straight line, with its degree as the slope.

use std::fmt::Write as _;

const COLOURS: [&str; 6] = ["#1b6ca8", "#2a9d4b", "#b5432a", "#7a4fa3", "#b8860b", "#3b3b3b"];

/// A line of the plot: its name, and pairs of size and time.
pub type Line = (String, Vec<(f64, f64)>);

/// The plot as SVG. The axes begin and end at powers of ten.
pub fn plot(across: &str, up: &str, lines: &[Line]) -> String {
    let range = |values: Vec<f64>| {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min).log10().floor();
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max).log10().ceil();
        (least, most.max(least + 1.0))
    };
    let points = || lines.iter().flat_map(|(_, points)| points);
    let ((x0, x1), (y0, y1)) = (range(points().map(|p| p.0).collect()), range(points().map(|p| p.1).collect()));
    let top = 40.0 + 16.0 * f64::from(u32::try_from(lines.len()).unwrap_or(0));
    let x = |size: f64| 70.0 + 440.0 * (size.log10() - x0) / (x1 - x0);
    let y = |time: f64| top + 280.0 * (y1 - time.log10()) / (y1 - y0);
    let (height, bottom) = (top + 350.0, top + 280.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 560 {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"560\" height=\"{height}\" fill=\"white\"/>\n"
    );
    let powers = |from: f64, to: f64| {
        let mut at = from;
        std::iter::from_fn(move || {
            at += 1.0;
            (at - 1.0 <= to).then(|| 10_f64.powf(at - 1.0))
        })
    };
    for size in powers(x0, x1) {
        let at = x(size);
        let _ = writeln!(svg, "<line x1=\"{at:.1}\" y1=\"{top}\" x2=\"{at:.1}\" y2=\"{bottom}\" stroke=\"#ddd\"/>");
        let _ = writeln!(svg, "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{size}</text>", bottom + 18.0);
    }
    for time in powers(y0, y1) {
        let at = y(time);
        let _ = writeln!(svg, "<line x1=\"70\" y1=\"{at:.1}\" x2=\"510\" y2=\"{at:.1}\" stroke=\"#ddd\"/>");
        let label = format!("{time:.5}").trim_end_matches('0').trim_end_matches('.').to_owned();
        let _ = writeln!(svg, "<text x=\"64\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", at + 4.0);
    }
    let _ = writeln!(svg, "<text x=\"290\" y=\"{}\" text-anchor=\"middle\">{across}</text>", bottom + 40.0);
    let _ = writeln!(svg, "<text x=\"70\" y=\"18\" font-weight=\"bold\">{up}</text>");
    for (k, ((name, points), colour)) in lines.iter().zip(COLOURS).enumerate() {
        let at: Vec<String> = points.iter().map(|&(size, time)| format!("{:.1},{:.1}", x(size), y(time))).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            at.join(" ")
        );
        for (size, time) in points {
            let _ = writeln!(svg, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>", x(*size), y(*time));
        }
        let _ = writeln!(svg, "<text x=\"80\" y=\"{}\" fill=\"{colour}\">{name}</text>", 36 + 16 * k);
    }
    svg + "</svg>\n"
}
