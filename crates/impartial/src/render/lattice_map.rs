//! Maps of two-dimensional games: P and N, or Grundy values, cell by cell.
//!
//! A map is laid out once, in whole pixels, as coloured rectangles and texts; the SVG text is made from that list, and so
//! is any raster picture.

use super::Drawing;

/// What a cell of a map shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// No position: outside the board.
    Outside,
    /// A defeated position.
    Defeated,
    /// A P-position.
    P,
    /// An N-position.
    N,
    /// A position with this Grundy value.
    Value(u64),
}

/// A colour: red, green, blue.
pub type Colour = [u8; 3];

/// A piece of a laid-out map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A filled rectangle: left, top, width, height.
    Rectangle(i64, i64, i64, i64, Colour),
    /// A thin line between two points.
    Line((i64, i64), (i64, i64), Colour),
    /// A text: where its anchor is, which part of the text the anchor is, the size of letters, the text.
    Text(i64, i64, Anchor, i64, String),
}

/// Which part of a text its coordinates mean; vertically always the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The left end.
    Start,
    /// The middle.
    Middle,
    /// The right end.
    End,
}

/// A map of a rectangle of positions.
///
/// ```
/// use impartial::render::{Cell, LatticeMap};
/// let map = LatticeMap {
///     title: "nim".into(),
///     across: ("x1".into(), 0),
///     up: ("x2".into(), 0),
///     width: 2,
///     cells: vec![Cell::P, Cell::N, Cell::N, Cell::P],
/// };
/// assert!(map.svg().starts_with("<svg"));
/// ```
#[derive(Clone, Debug)]
pub struct LatticeMap {
    /// The heading.
    pub title: String,
    /// The horizontal axis: its name, and the coordinate of the first column.
    pub across: (String, i64),
    /// The vertical axis, growing upward: its name, and the coordinate of the lowest row.
    pub up: (String, i64),
    /// Columns.
    pub width: usize,
    /// The cells, row by row from the lowest; as many as columns times rows.
    pub cells: Vec<Cell>,
}

pub(super) const BACKGROUND: Colour = [255, 255, 255];
pub(super) const INK: Colour = [40, 40, 40];
const OUTSIDE: Colour = [244, 244, 244];
const DEFEATED: Colour = [200, 60, 50];
const P: Colour = [22, 66, 120];
const N: Colour = [205, 221, 238];

/// Stops of the heat map from 0 (dark, as P) upward.
const HEAT: [Colour; 6] =
    [[22, 66, 120], [44, 127, 140], [94, 184, 120], [190, 212, 90], [250, 210, 70], [240, 130, 50]];

impl LatticeMap {
    fn height(&self) -> usize {
        self.cells.len().checked_div(self.width).unwrap_or(0)
    }

    fn most(&self) -> Option<u64> {
        self.cells.iter().filter_map(|cell| if let Cell::Value(v) = cell { Some(*v) } else { None }).max()
    }

    /// The colour of a cell.
    fn colour(cell: Cell, most: u64) -> Colour {
        match cell {
            Cell::Outside => OUTSIDE,
            Cell::Defeated => DEFEATED,
            Cell::P => P,
            Cell::N => N,
            Cell::Value(value) => heat(value, most),
        }
    }

    /// Lays the map out: the size of the picture in pixels, and its pieces from back to front.
    pub fn layout(&self) -> (i64, i64, Vec<Shape>) {
        let (columns, rows) = (whole(self.width), whole(self.height()));
        let cell = (840 / columns.max(rows).max(1)).clamp(1, 28);
        let letters = 14;
        let (left, top, bottom) = (72, 44, 58);
        let (width, height) = (columns * cell, rows * cell);
        let most = self.most();
        let legend = 130;
        let total_width = left + width.max(240) + legend;
        let total_height = top + height.max(120) + bottom;
        let mut shapes = vec![Shape::Rectangle(0, 0, total_width, total_height, BACKGROUND)];
        shapes.push(Shape::Text(left, 20, Anchor::Start, 16, self.title.clone()));
        // A thin line between cells that are large enough for one.
        let gap = i64::from(cell >= 6);
        shapes.push(Shape::Rectangle(left - 1, top - 1, width + 2, height + 2, INK));
        for (r, row) in self.cells.chunks(self.width.max(1)).enumerate() {
            let y = top + (rows - 1 - whole(r)) * cell;
            let mut start = 0;
            for c in 0..row.len() {
                // Runs of equal cells are one rectangle where no line separates them.
                let ends = gap > 0 || c + 1 == row.len() || row[c + 1] != row[c];
                if ends {
                    let x = left + whole(start) * cell;
                    let run = whole(c + 1 - start) * cell - gap;
                    shapes.push(Shape::Rectangle(x, y, run, cell - gap, Self::colour(row[c], most.unwrap_or(0))));
                    start = c + 1;
                }
                if let Cell::Value(value) = row[c]
                    && cell >= 20
                {
                    let x = left + whole(c) * cell + cell / 2;
                    shapes.push(Shape::Text(x, y + cell / 2, Anchor::Middle, 10, value.to_string()));
                }
            }
        }
        let step = tick(48, cell);
        for i in (0..columns).filter(|i| (self.across.1 + i) % step == 0) {
            let x = left + i * cell + cell / 2;
            shapes.push(Shape::Rectangle(x, top + height + 1, 1, 5, INK));
            let label = (self.across.1 + i).to_string();
            shapes.push(Shape::Text(x, top + height + 16, Anchor::Middle, letters, label));
        }
        let step = tick(24, cell);
        for i in (0..rows).filter(|i| (self.up.1 + i) % step == 0) {
            let y = top + (rows - 1 - i) * cell + cell / 2;
            shapes.push(Shape::Rectangle(left - 6, y, 5, 1, INK));
            shapes.push(Shape::Text(left - 10, y, Anchor::End, letters, (self.up.1 + i).to_string()));
        }
        shapes.push(Shape::Text(left + width / 2, top + height + 40, Anchor::Middle, letters, self.across.0.clone()));
        shapes.push(Shape::Text(left - 10, top - 14, Anchor::End, letters, self.up.0.clone()));
        let x = left + width.max(240) + 20;
        for (i, (colour, words)) in self.legend(most).into_iter().enumerate() {
            let y = top + whole(i) * 20;
            shapes.push(Shape::Rectangle(x, y, 14, 14, INK));
            shapes.push(Shape::Rectangle(x + 1, y + 1, 12, 12, colour));
            shapes.push(Shape::Text(x + 22, y + 7, Anchor::Start, letters, words));
        }
        (total_width, total_height, shapes)
    }

    fn legend(&self, most: Option<u64>) -> Vec<(Colour, String)> {
        let mut entries = Vec::new();
        match most {
            None => entries.extend([(P, "P".to_string()), (N, "N".to_string())]),
            Some(most) => {
                let step = most / 8 + 1;
                entries
                    .extend((0..=most).filter(|v| v % step == 0 || *v == most).map(|v| (heat(v, most), v.to_string())));
            }
        }
        if self.cells.contains(&Cell::Defeated) {
            entries.push((DEFEATED, "defeated".into()));
        }
        if self.cells.contains(&Cell::Outside) {
            entries.push((OUTSIDE, "off board".into()));
        }
        entries
    }

    /// The map as a drawing.
    pub fn drawing(&self) -> Drawing {
        let (width, height, shapes) = self.layout();
        Drawing { title: self.title.clone(), width, height, shapes }
    }

    /// The map as SVG text; it scales to any size.
    pub fn svg(&self) -> String {
        self.drawing().svg()
    }
}

fn whole(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX / 64)
}

/// The distance 1, 2, 5, 10, 20, … of labels that are at least so many pixels apart.
fn tick(pixels: i64, cell: i64) -> i64 {
    let mut step = 1;
    loop {
        for factor in [1, 2, 5] {
            if step * factor * cell >= pixels {
                return step * factor;
            }
        }
        step *= 10;
    }
}

/// A colour between the stops of the heat map.
fn heat(value: u64, most: u64) -> Colour {
    let last = (HEAT.len() - 1) as u64;
    let most = most.max(1);
    let scaled = u128::from(value) * u128::from(last) * 256 / u128::from(most);
    let stop = usize::try_from(scaled / 256).unwrap_or(HEAT.len()).min(HEAT.len() - 2);
    let part = i64::try_from(scaled - 256 * stop as u128).unwrap_or(256).min(256);
    let mix = |i: usize| {
        let (a, b) = (i64::from(HEAT[stop][i]), i64::from(HEAT[stop + 1][i]));
        u8::try_from(a + (b - a) * part / 256).unwrap_or(0)
    };
    [mix(0), mix(1), mix(2)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(width: usize, height: usize) -> LatticeMap {
        let cells = (0..width * height).map(|i| Cell::Value((i % 7) as u64)).collect();
        LatticeMap { title: "a < b".into(), across: ("x1".into(), -3), up: ("x2".into(), 0), width, cells }
    }

    #[test]
    fn every_size_has_labels_and_stays_in_the_picture() {
        for (w, h) in [(1, 1), (5, 9), (64, 64), (900, 30), (2000, 2000)] {
            let (width, height, shapes) = map(w, h).layout();
            let mut labels = 0;
            for shape in &shapes {
                match shape {
                    Shape::Rectangle(x, y, rw, rh, _) => {
                        assert!(*x >= 0 && *y >= 0 && *rw > 0 && *rh > 0);
                        assert!(x + rw <= width && y + rh <= height);
                    }
                    Shape::Text(x, y, ..) => {
                        labels += 1;
                        assert!((0..width).contains(x) && (0..height).contains(y));
                    }
                    Shape::Line(..) => panic!("a map has no lines"),
                }
            }
            assert!(labels >= 4, "{w} x {h}");
        }
    }

    #[test]
    fn texts_are_escaped() {
        assert!(map(2, 2).svg().contains("a &lt; b"));
    }

    #[test]
    fn the_lowest_row_is_drawn_lowest() {
        let mut map = map(1, 2);
        map.cells = vec![Cell::P, Cell::N];
        let (_, _, shapes) = map.layout();
        let top_of = |colour: Colour| {
            shapes.iter().find_map(|shape| match shape {
                Shape::Rectangle(72, y, _, _, c) if *c == colour => Some(*y),
                _ => None,
            })
        };
        assert!(top_of(P) > top_of(N));
    }
}
