//! Pictures in whole pixels: pieces that become SVG here, PDF beside, or a raster picture elsewhere.

use std::fmt::Write as _;

use super::{Anchor, Shape};

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
             font-family=\"sans-serif\" shape-rendering=\"crispEdges\">\n<title>{}</title>\n",
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
                     stroke=\"#{r:02x}{g:02x}{b:02x}\" shape-rendering=\"auto\"/>"
                ),
                Shape::Triangle([[x1, y1], [x2, y2], [x3, y3]], [r, g, b]) => writeln!(
                    svg,
                    "<polygon points=\"{x1},{y1} {x2},{y2} {x3},{y3}\" fill=\"#{r:02x}{g:02x}{b:02x}\" \
                     shape-rendering=\"auto\"/>"
                ),
                Shape::Circle([x, y], radius, [r, g, b]) => writeln!(
                    svg,
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"#{r:02x}{g:02x}{b:02x}\" shape-rendering=\"auto\"/>"
                ),
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
