//! Pictures in whole pixels: pieces that become SVG here, PDF beside, or a raster picture elsewhere.

use std::fmt::Write as _;

use super::lattice_map::INK;
use super::{Anchor, Colour, Shape};

/// The size of letters at axes and in legends: that of a page's text where the picture is as wide as the page, and still legible on
/// a phone.
pub(super) const LETTERS: i64 = 18;
/// The size of a heading's letters.
pub(super) const HEADING: i64 = 20;
/// Room for one letter of a label; most are narrower.
pub(super) const LETTER: i64 = 10;
/// The height of a line of a legend.
const ENTRY: i64 = 26;

/// The width that a heading or a legend's longest entry needs.
pub(super) fn text_width<'a>(heading: &str, entries: impl IntoIterator<Item = &'a str>) -> i64 {
    let letters = |text: &str| i64::try_from(text.chars().count()).unwrap_or(0);
    let longest = entries.into_iter().map(letters).max().unwrap_or(0);
    (letters(heading) * HEADING * 3 / 5).max(ENTRY + longest * LETTER)
}

/// A legend from left to right, in as many lines as it needs up to `right`; also where it ends below.
pub(super) fn legend(entries: &[(Colour, String)], [left, top]: [i64; 2], right: i64) -> (Vec<Shape>, i64) {
    let (mut x, mut y) = (left, top);
    let mut shapes = Vec::new();
    for (colour, words) in entries {
        let length = text_width("", [words.as_str()]);
        if x > left && x + length > right {
            (x, y) = (left, y + ENTRY);
        }
        shapes.push(Shape::Rectangle(x, y, 16, 16, INK));
        shapes.push(Shape::Rectangle(x + 1, y + 1, 14, 14, *colour));
        shapes.push(Shape::Text(x + ENTRY, y + 8, Anchor::Start, LETTERS, words.clone(), INK));
        x += length + 2 * LETTER;
    }
    (shapes, y + ENTRY)
}

/// A picture: its pieces from back to front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// What it shows.
    pub title: String,
    /// Pixels across.
    pub width: i64,
    /// Pixels down.
    pub height: i64,
    /// The pieces.
    pub shapes: Vec<Shape>,
}

impl Drawing {
    /// The picture as SVG text; it scales to any size.
    pub fn svg(&self) -> String {
        let (width, height) = (self.width, self.height);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             font-family=\"sans-serif\">\n<title>{}</title>\n",
            escaped(&self.title)
        );
        for shape in &self.shapes {
            let _ = match shape {
                Shape::Rectangle(x, y, w, h, [r, g, b]) => {
                    writeln!(
                        svg,
                        "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"#{r:02x}{g:02x}{b:02x}\"/>"
                    )
                }
                Shape::Line([x1, y1], [x2, y2], width, [r, g, b]) => writeln!(
                    svg,
                    "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke-width=\"{width}\" \
                     stroke=\"#{r:02x}{g:02x}{b:02x}\"/>"
                ),
                Shape::Triangle([[x1, y1], [x2, y2], [x3, y3]], [r, g, b]) => {
                    writeln!(svg, "<polygon points=\"{x1},{y1} {x2},{y2} {x3},{y3}\" fill=\"#{r:02x}{g:02x}{b:02x}\"/>")
                }
                Shape::Circle([x, y], radius, [r, g, b]) => {
                    writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"#{r:02x}{g:02x}{b:02x}\"/>")
                }
                Shape::Text(x, y, anchor, size, text, [r, g, b]) => {
                    let anchor = match anchor {
                        Anchor::Start => "start",
                        Anchor::Middle => "middle",
                        Anchor::End => "end",
                    };
                    // The middle of lower-case letters lies about a third of their size above the base line.
                    let base = y + size * 35 / 100;
                    writeln!(
                        svg,
                        "<text x=\"{x}\" y=\"{base}\" font-size=\"{size}\" text-anchor=\"{anchor}\" \
                         fill=\"#{r:02x}{g:02x}{b:02x}\">{}</text>",
                        escaped(text)
                    )
                }
            };
        }
        svg.push_str("</svg>\n");
        svg
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
