//! Hasse diagrams.

use crate::poset::{ElementSet, Poset, Words as _};

use super::drawing::{HEADING, LETTER, LETTERS, text_width};
use super::lattice_map::{BACKGROUND, INK};
use super::{Anchor, Colour, Drawing, Shape};

const PRESENT: Colour = [219, 233, 246];
const EDGE: Colour = [120, 120, 120];
const PALE: Colour = [221, 221, 221];
/// The least distance between two levels, in pixels.
const LEVEL: i64 = 64;

/// Where the elements of a poset stand in its Hasse diagram.
#[derive(Clone, Debug)]
pub struct Levels {
    /// The height of each element: the length of the longest chain below it.
    pub height: Vec<usize>,
    /// Its place from the left, in columns.
    pub place: Vec<f64>,
    /// Columns.
    pub widest: usize,
    /// Heights.
    pub levels: usize,
}

impl Levels {
    /// Every element above what it covers, over the middle of it where there is room.
    ///
    /// ```
    /// use impartial::{poset::Poset, render::Levels};
    /// let levels = Levels::of(&Poset::divisors(12).unwrap()); // 2, 3, 4, 6, 12
    /// assert_eq!(levels.height, [0, 0, 1, 1, 2]);
    /// ```
    pub fn of(poset: &Poset) -> Self {
        let n = poset.len();
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
        let widest = rows.iter().map(Vec::len).max().unwrap_or(0).max(1);
        // Places are kept in columns, as fractions; only the drawing is in whole pixels.
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
        Self { height, place, widest, levels }
    }
}

/// The Hasse diagram of a poset: an element is drawn above everything below it. Elements outside
/// `position` are pale.
///
/// ```
/// use impartial::{poset::Poset, render::hasse};
/// let poset = Poset::divisors(12).unwrap();
/// let svg = hasse("divisors:12", &poset, &poset.all()).svg();
/// assert_eq!(svg.matches("<line").count(), 5);
/// assert!(svg.contains(">12</text>"));
/// ```
pub fn hasse(title: &str, poset: &Poset, position: &ElementSet) -> Drawing {
    let n = poset.len();
    let Levels { height, place, widest, levels } = Levels::of(poset);
    let covers = poset.covers();
    let letters = poset.names().iter().map(|name| name.chars().count()).max().unwrap_or(1);
    let (node, tall) = (whole(letters) * LETTER + 12, 28);
    let column = (node + 16).max(44);
    let (left, top) = (16, 44);
    // Wide diagrams are drawn taller, or their edges would be flat.
    let level = (whole(widest) * column / 6).clamp(LEVEL, 3 * LEVEL);
    let width = (whole(widest) * column).max(text_width(title, [])) + 2 * left;
    let total = top + whole(levels.max(1)) * level;
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)] // a few thousand pixels
    let x_of = |x: usize| left + (place[x] * column as f64) as i64;
    let y_of = |x: usize| total - whole(height[x]) * level - level / 2;
    let mut shapes = vec![
        Shape::Rectangle(0, 0, width, total, BACKGROUND),
        Shape::Text(left, 20, Anchor::Start, HEADING, title.to_owned(), INK),
    ];
    for &(x, y) in &covers {
        let colour = if position.contains(y) { EDGE } else { PALE };
        shapes.push(Shape::Line([x_of(x), y_of(x)], [x_of(y), y_of(y)], 1, colour));
    }
    for x in 0..n {
        let (fill, edge) = if position.contains(x) { (PRESENT, INK) } else { (BACKGROUND, PALE) };
        let (cx, cy) = (x_of(x), y_of(x));
        shapes.push(Shape::Rectangle(cx - node / 2, cy - tall / 2, node, tall, edge));
        shapes.push(Shape::Rectangle(cx - node / 2 + 1, cy - tall / 2 + 1, node - 2, tall - 2, fill));
        shapes.push(Shape::Text(cx, cy, Anchor::Middle, LETTERS, poset.name(x).to_owned(), INK));
    }
    Drawing { title: title.to_owned(), width, height: total, shapes }
}

fn whole(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX / 64)
}

fn float(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_lies_inside_the_picture_and_above_what_it_covers() {
        for poset in [Poset::subsets(4, 4).unwrap(), Poset::nim(&[7, 1]).unwrap(), Poset::chain(0).unwrap()] {
            let drawing = hasse("a title", &poset, &poset.all());
            for shape in &drawing.shapes {
                match shape {
                    Shape::Rectangle(x, y, w, h, _) => {
                        assert!(*x >= 0 && *y >= 0 && x + w <= drawing.width && y + h <= drawing.height, "{shape:?}");
                    }
                    // From the lower element to the upper one.
                    Shape::Line([_, lower], [_, upper], ..) => assert!(upper < lower),
                    Shape::Triangle(..) | Shape::Circle(..) => panic!("no such shape is drawn"),
                    Shape::Text(x, y, ..) => {
                        assert!((0..drawing.width).contains(x) && (0..drawing.height).contains(y));
                    }
                }
            }
        }
    }
}
