//! Drawings as PDF: one page, filled shapes and Helvetica, which every reader has.

use std::fmt::Write as _;

use super::{Anchor, Colour, Drawing, Shape};

/// The widths of Helvetica's letters from the blank to the tilde, in thousandths of the size.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];

/// The width of a text in thousandths of the size.
fn width(text: &[u8]) -> i64 {
    let letter = |byte: &u8| i64::from(WIDTHS.get(usize::from(*byte).wrapping_sub(32)).copied().unwrap_or(556));
    text.iter().map(letter).sum()
}

/// The letters in the encoding of the font (Latin-1); what it lacks becomes what comes nearest.
fn encoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for letter in text.chars() {
        match letter {
            '−' | '–' => bytes.push(b'-'),
            '…' => bytes.extend(b"..."),
            '⊕' => bytes.push(b'+'),
            'φ' => bytes.extend(b"phi"),
            '≥' => bytes.extend(b">="),
            c => bytes.push(u8::try_from(u32::from(c)).unwrap_or(b'?')),
        }
    }
    bytes
}

fn colour([r, g, b]: Colour, stroke: bool) -> String {
    let part = |c: u8| f64::from(c) / 255.0;
    format!("{:.3} {:.3} {:.3} {}", part(r), part(g), part(b), if stroke { "RG" } else { "rg" })
}

impl Drawing {
    /// The picture as a PDF file of one page, as large as the picture.
    ///
    /// ```
    /// use impartial::prelude::*;
    /// let game: Game = "exotic".parse()?;
    /// let picture = game.plot(&impartial::PlotAsk::default(), &Ask::new())?;
    /// assert!(picture.drawing.pdf().starts_with(b"%PDF-1.4"));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn pdf(&self) -> Vec<u8> {
        let content = self.content();
        let (w, h) = (self.width, self.height);
        let mut title = String::new();
        for byte in encoded(&self.title) {
            let _ = write!(title, "{byte:02x}");
        }
        let objects: [Vec<u8>; 6] = [
            b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
            format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {w} {h}] /Contents 5 0 R /Resources << /Font << /F 4 0 R >> >> >>"
            )
            .into_bytes(),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_vec(),
            [format!("<< /Length {} >>\nstream\n", content.len()).as_bytes(), &content, b"\nendstream"].concat(),
            format!("<< /Title <{title}> /Producer (impartial) >>").into_bytes(),
        ];
        let mut file = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n".to_vec();
        let mut places = Vec::new();
        for (number, object) in (1..).zip(&objects) {
            places.push(file.len());
            file.extend(format!("{number} 0 obj\n").bytes());
            file.extend(object);
            file.extend(b"\nendobj\n");
        }
        let table = file.len();
        file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
        for place in places {
            file.extend(format!("{place:010} 00000 n \n").bytes());
        }
        let size = objects.len() + 1;
        file.extend(
            format!("trailer\n<< /Size {size} /Root 1 0 R /Info 6 0 R >>\nstartxref\n{table}\n%%EOF\n").bytes(),
        );
        file
    }

    /// The operators of the page. PDF counts upward from the lower edge.
    fn content(&self) -> Vec<u8> {
        let h = self.height;
        let mut out = Vec::new();
        for shape in &self.shapes {
            match shape {
                Shape::Rectangle(x, y, rw, rh, fill) => {
                    out.extend(format!("{} {x} {} {rw} {rh} re f\n", colour(*fill, false), h - y - rh).bytes());
                }
                Shape::Line([x1, y1], [x2, y2], line, stroke) => {
                    let stroke = colour(*stroke, true);
                    out.extend(format!("{stroke} {line} w {x1} {} m {x2} {} l S\n", h - y1, h - y2).bytes());
                }
                Shape::Triangle([[x1, y1], [x2, y2], [x3, y3]], fill) => {
                    let fill = colour(*fill, false);
                    out.extend(format!("{fill} {x1} {} m {x2} {} l {x3} {} l f\n", h - y1, h - y2, h - y3).bytes());
                }
                Shape::Circle([x, y], r, fill) => {
                    // A line of no length with round ends is a disc.
                    let stroke = colour(*fill, true);
                    let at = h - y;
                    out.extend(format!("{stroke} 1 J {} w {x} {at} m {x} {at} l S 0 J\n", 2 * r).bytes());
                }
                Shape::Text(x, y, anchor, size, text, fill) => {
                    let bytes = encoded(text);
                    let long = width(&bytes) * size / 1000;
                    let left = match anchor {
                        Anchor::Start => *x,
                        Anchor::Middle => x - long / 2,
                        Anchor::End => x - long,
                    };
                    let base = h - (y + size * 35 / 100);
                    out.extend(format!("BT {} /F {size} Tf {left} {base} Td <", colour(*fill, false)).bytes());
                    for byte in bytes {
                        out.extend(format!("{byte:02x}").bytes());
                    }
                    out.extend(b"> Tj ET\n");
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_objects_points_at_them() {
        let drawing = Drawing {
            title: "misère (a)".into(),
            width: 100,
            height: 50,
            shapes: vec![
                Shape::Rectangle(0, 0, 100, 50, [255; 3]),
                Shape::Circle([20, 20], 5, [0; 3]),
                Shape::Text(50, 20, Anchor::Middle, 14, "è(1)".into(), [0; 3]),
            ],
        };
        let file = drawing.pdf();
        let text = String::from_utf8_lossy(&file);
        let place: usize = text.rsplit("startxref\n").next().unwrap().lines().next().unwrap().parse().unwrap();
        assert!(file[place..].starts_with(b"xref\n0 7\n"));
        let lines = String::from_utf8_lossy(&file[place..]).into_owned();
        for (number, line) in lines.lines().skip(3).take(6).enumerate() {
            let at: usize = line[..10].parse().unwrap();
            assert!(file[at..].starts_with(format!("{} 0 obj", number + 1).as_bytes()), "{line}");
        }
        assert!(text.contains("<e8283129> Tj"));
    }
}
