//! Files of drawings: SVG and PDF by the library, PNG here.

use impartial::Error;
use impartial::render::{Anchor, Drawing, Shape};
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, RasterizedChar, get_raster, get_raster_width};

/// Pictures with more pixels than this are refused.
const MOST_PIXELS: i64 = 64 << 20;

/// The kinds of picture files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Svg,
    Png,
    Pdf,
}

/// The kind of a picture file, by the end of its name; SVG for standard output.
pub fn format(output: &str) -> Result<Format, Error> {
    let end = std::path::Path::new(output).extension().map(|end| end.to_string_lossy().to_lowercase());
    match end.as_deref() {
        Some("png") => Ok(Format::Png),
        Some("svg") => Ok(Format::Svg),
        Some("pdf") => Ok(Format::Pdf),
        _ if output == "-" => Ok(Format::Svg),
        _ => Err(Error::Input(format!("-o {output}: pictures are written as x.svg, x.png or x.pdf"))),
    }
}

/// The file of a drawing, by the end of its name.
pub fn picture(output: &str, picture: &Drawing) -> Result<Vec<u8>, Error> {
    match format(output)? {
        Format::Png => drawing(picture),
        Format::Svg => Ok(picture.svg().into_bytes()),
        Format::Pdf => Ok(picture.pdf()),
    }
}

/// Small pictures are drawn with twice as many pixels, for sharp screens and print.
const SHARP: i64 = 4 << 20;

/// The PNG file of a drawing.
fn drawing(drawing: &Drawing) -> Result<Vec<u8>, Error> {
    let scale = if drawing.width.saturating_mul(drawing.height) <= SHARP { 2 } else { 1 };
    let (width, height) = (drawing.width.saturating_mul(scale), drawing.height.saturating_mul(scale));
    if width.saturating_mul(height) > MOST_PIXELS {
        return Err(Error::input(
            "the picture would have more than 64 million pixels; give a smaller --box, or write SVG",
        ));
    }
    let mut picture =
        Picture { width, height, pixels: vec![255; usize::try_from(width * height * 3).map_err(Error::input)?] };
    let at = |point: &[i64; 2]| point.map(|c| c * scale);
    for shape in &drawing.shapes {
        match shape {
            Shape::Rectangle(x, y, w, h, colour) => picture.fill(x * scale, y * scale, w * scale, h * scale, *colour),
            Shape::Text(x, y, anchor, size, text, colour) => {
                picture.text([x * scale, y * scale], *anchor, size * scale, text, *colour);
            }
            Shape::Line(from, to, line, colour) => picture.line(at(from), at(to), line * scale, *colour),
            Shape::Triangle(corners, colour) => picture.triangle(&corners.map(|corner| at(&corner)), *colour),
            Shape::Circle(middle, radius, colour) => picture.disc(at(middle), radius * scale, *colour),
        }
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(
        &mut bytes,
        u32::try_from(width).map_err(Error::input)?,
        u32::try_from(height).map_err(Error::input)?,
    );
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(Error::input)?;
    writer.write_image_data(&picture.pixels).map_err(Error::input)?;
    writer.finish().map_err(Error::input)?;
    Ok(bytes)
}

struct Picture {
    width: i64,
    height: i64,
    pixels: Vec<u8>,
}

impl Picture {
    fn fill(&mut self, x: i64, y: i64, w: i64, h: i64, colour: [u8; 3]) {
        let (left, right) = (x.clamp(0, self.width), (x + w).clamp(0, self.width));
        for row in y.max(0)..(y + h).min(self.height) {
            for column in left..right {
                // Row and column lie inside the picture, whose size fits memory.
                if let Ok(i) = usize::try_from((row * self.width + column) * 3) {
                    self.pixels[i..i + 3].copy_from_slice(&colour);
                }
            }
        }
    }

    /// A line as overlapping squares.
    fn line(&mut self, from: [i64; 2], to: [i64; 2], width: i64, colour: [u8; 3]) {
        let steps = (to[0] - from[0]).abs().max((to[1] - from[1]).abs()).max(1);
        for i in 0..=steps {
            let at = |c: usize| from[c] + (2 * (to[c] - from[c]) * i + steps).div_euclid(2 * steps);
            self.fill(at(0) - width / 2, at(1) - width / 2, width, width, colour);
        }
    }

    /// Every pixel whose middle lies within the radius.
    fn disc(&mut self, [x, y]: [i64; 2], radius: i64, colour: [u8; 3]) {
        for dy in -radius..=radius {
            let reach = (0..=radius).rev().find(|dx| dx * dx + dy * dy <= radius * radius + radius / 2).unwrap_or(0);
            self.fill(x - reach, y + dy, 2 * reach + 1, 1, colour);
        }
    }

    /// Every pixel on the inner side of all three edges.
    fn triangle(&mut self, corners: &[[i64; 2]; 3], colour: [u8; 3]) {
        let side =
            |a: [i64; 2], b: [i64; 2], p: [i64; 2]| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
        let turn = side(corners[0], corners[1], corners[2]).signum();
        let ends = |c: usize| {
            let entries = corners.iter().map(|corner| corner[c]);
            (entries.clone().min().unwrap_or(0), entries.max().unwrap_or(-1))
        };
        let ((left, right), (top, bottom)) = (ends(0), ends(1));
        for y in top..=bottom {
            for x in left..=right {
                if (0..3).all(|i| side(corners[i], corners[(i + 1) % 3], [x, y]) * turn >= 0) {
                    self.fill(x, y, 1, 1, colour);
                }
            }
        }
    }

    /// A pixel mixed with a colour, `part` of 255 parts.
    fn mix(&mut self, x: i64, y: i64, colour: [u8; 3], part: u8) {
        if (0..self.width).contains(&x)
            && (0..self.height).contains(&y)
            && let Ok(i) = usize::try_from((y * self.width + x) * 3)
        {
            for (pixel, c) in self.pixels[i..i + 3].iter_mut().zip(colour) {
                let mixed = u16::from(*pixel) * u16::from(255 - part) + u16::from(c) * u16::from(part);
                *pixel = u8::try_from(mixed / 255).unwrap_or(255);
            }
        }
    }

    /// Letters of about this height, their middle at y.
    fn text(&mut self, [x, y]: [i64; 2], anchor: Anchor, size: i64, text: &str, colour: [u8; 3]) {
        let height = match size {
            ..20 => RasterHeight::Size16,
            20..24 => RasterHeight::Size20,
            24..32 => RasterHeight::Size24,
            _ => RasterHeight::Size32,
        };
        // Letters that the font lacks are shown as question marks.
        let glyph = |letter: char| -> Option<RasterizedChar> {
            get_raster(letter, FontWeight::Regular, height).or_else(|| get_raster('?', FontWeight::Regular, height))
        };
        let advance = i64::try_from(get_raster_width(FontWeight::Regular, height)).unwrap_or(8);
        let length = i64::try_from(text.chars().count()).unwrap_or(0) * advance;
        let left = match anchor {
            Anchor::Start => x,
            Anchor::Middle => x - length / 2,
            Anchor::End => x - length,
        };
        let top = y - i64::try_from(height.val() / 2).unwrap_or(0);
        for (place, letter) in (0..).zip(text.chars()) {
            for (row, parts) in (0..).zip(glyph(letter).iter().flat_map(RasterizedChar::rows)) {
                for (column, &part) in (0..).zip(parts.iter()) {
                    self.mix(left + place * advance + column, top + row, colour, part);
                }
            }
        }
    }
}
