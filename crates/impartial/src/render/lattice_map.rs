//! Maps of two-dimensional games: P and N, or Grundy values, cell by cell.
//!
//! A map is laid out once, in whole pixels, as coloured rectangles and texts; the SVG text is made from that list, and so
//! is any raster picture.

use super::Drawing;
use super::drawing::{HEADING, LETTERS, legend, text_width};

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
    /// A P-position of the module with this number.
    Module(usize),
}

/// A colour: red, green, blue.
pub type Colour = [u8; 3];

/// A piece of a laid-out map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A filled rectangle: left, top, width, height.
    Rectangle(i64, i64, i64, i64, Colour),
    /// A text: where its anchor is, which part of the text the anchor is, the size of letters, the text, its colour.
    Text(i64, i64, Anchor, i64, String, Colour),
    /// A line between two points, so many pixels wide.
    Line([i64; 2], [i64; 2], i64, Colour),
    /// A filled triangle.
    Triangle([[i64; 2]; 3], Colour),
    /// A filled disc: its middle and its radius.
    Circle([i64; 2], i64, Colour),
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

/// A module F + ℕV of a stratification on a map, in the coordinates of the axes.
#[derive(Clone, Debug, Default)]
pub struct MapModule {
    /// What the legend says.
    pub label: String,
    /// The bases f ∈ F that lie on the map.
    pub bases: Vec<[i64; 2]>,
    /// The generators, each drawn as an arrow between two points.
    pub arrows: Vec<[[i64; 2]; 2]>,
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
///     modules: vec![],
///     lines: vec![],
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
    /// The modules that [`Cell::Module`] speaks of.
    pub modules: Vec<MapModule>,
    /// Lines over the map, between two positions, with what the legend says of them.
    pub lines: Vec<(String, [[i64; 2]; 2])>,
}

/// The colour of lines over a map.
const LINE: Colour = [205, 60, 40];

pub(super) const BACKGROUND: Colour = [255, 255, 255];
pub(super) const INK: Colour = [40, 40, 40];
/// Lines between cells.
const GRID: Colour = [150, 150, 150];
const OUTSIDE: Colour = [244, 244, 244];
const DEFEATED: Colour = [200, 60, 50];
const P: Colour = [22, 66, 120];
const N: Colour = [205, 221, 238];

/// Stops of the heat map from 0 (dark, as P) upward.
const HEAT: [Colour; 6] =
    [[22, 66, 120], [44, 127, 140], [94, 184, 120], [190, 212, 90], [250, 210, 70], [240, 130, 50]];

/// Colours of modules; more modules than colours begin again, paler.
const MODULES: [Colour; 10] = [
    [31, 119, 180],
    [230, 120, 20],
    [44, 150, 60],
    [200, 50, 50],
    [140, 100, 185],
    [130, 85, 70],
    [220, 110, 180],
    [110, 110, 110],
    [170, 170, 40],
    [30, 175, 190],
];
/// Cells that belong to no module, beside coloured ones.
const PALE: Colour = [236, 236, 236];

/// The colour of a module.
pub(super) fn module_colour(number: usize) -> Colour {
    let round = u16::try_from(number / MODULES.len()).unwrap_or(4).min(4);
    MODULES[number % MODULES.len()].map(|c| u8::try_from((u16::from(c) * (6 - round) + 255 * round) / 6).unwrap_or(255))
}

/// The relative luminance of a colour (WCAG 2, with a plain power for its curve).
fn luminance([r, g, b]: Colour) -> f64 {
    let linear = |c: u8| (f64::from(c) / 255.0).powf(2.2);
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

/// White or black, whichever stands out more on a colour.
fn ink_on(colour: Colour) -> Colour {
    // Both contrasts, (1 + 0.05)/(l + 0.05) and (l + 0.05)/0.05, are equal here.
    const EVEN: f64 = 0.179;
    if luminance(colour) < EVEN { [255; 3] } else { [0; 3] }
}

impl LatticeMap {
    fn height(&self) -> usize {
        self.cells.len().checked_div(self.width).unwrap_or(0)
    }

    fn most(&self) -> Option<u64> {
        self.cells.iter().filter_map(|cell| if let Cell::Value(v) = cell { Some(*v) } else { None }).max()
    }

    /// The colour of a cell.
    fn colour(&self, cell: Cell, most: u64) -> Colour {
        match cell {
            Cell::N if !self.modules.is_empty() => PALE,
            Cell::Outside => OUTSIDE,
            Cell::Defeated => DEFEATED,
            Cell::P => P,
            Cell::N => N,
            Cell::Value(value) => heat(value, most),
            Cell::Module(number) => module_colour(number),
        }
    }

    /// Lays the map out: the size of the picture in pixels, and its pieces from back to front.
    pub fn layout(&self) -> (i64, i64, Vec<Shape>) {
        let (columns, rows) = (whole(self.width), whole(self.height()));
        let cell = (620 / columns.max(rows).max(1)).clamp(1, 28);
        let (left, top, bottom) = (72, 64, 66);
        let (width, height) = (columns * cell, rows * cell);
        let most = self.most();
        let entries = self.legend(most);
        let words = text_width(&self.title, entries.iter().map(|(_, words)| words.as_str()));
        let right = left + width.max(words).max(320);
        let (explained, total_height) = legend(&entries, [left, top + height + bottom], right);
        let total_width = right + 24;
        let mut shapes = vec![Shape::Rectangle(0, 0, total_width, total_height, BACKGROUND)];
        shapes.push(Shape::Text(left, 20, Anchor::Start, HEADING, self.title.clone(), INK));
        // A thin line between cells that are large enough for one.
        let gap = i64::from(cell >= 6);
        shapes.push(Shape::Rectangle(left - 1, top - 1, width + 2, height + 2, INK));
        shapes.push(Shape::Rectangle(left, top, width, height, GRID));
        for (r, row) in self.cells.chunks(self.width.max(1)).enumerate() {
            let y = top + (rows - 1 - whole(r)) * cell;
            let mut start = 0;
            for c in 0..row.len() {
                // Runs of equal cells are one rectangle where no line separates them.
                let ends = gap > 0 || c + 1 == row.len() || row[c + 1] != row[c];
                if ends {
                    let x = left + whole(start) * cell;
                    // Without a gap a cell reaches below its neighbours, which are drawn later: no seams when it is scaled.
                    let run = (whole(c + 1 - start) * cell + 1 - 2 * gap).min(left + width - x);
                    let up = (1 - gap).min(y - top);
                    let colour = self.colour(row[c], most.unwrap_or(0));
                    shapes.push(Shape::Rectangle(x, y - up, run, cell - gap + up, colour));
                    start = c + 1;
                }
                if let Cell::Value(value) = row[c]
                    && cell >= 20
                {
                    let x = left + whole(c) * cell + cell / 2;
                    let ink = ink_on(heat(value, most.unwrap_or(0)));
                    shapes.push(Shape::Text(x, y + cell / 2, Anchor::Middle, cell / 2, value.to_string(), ink));
                }
            }
        }
        self.draw_modules(&mut shapes, cell, [left, top]);
        for (_, [from, to]) in &self.lines {
            let at = |[x, y]: [i64; 2]| {
                [left + (x - self.across.1) * cell + cell / 2, top + (rows - 1 - (y - self.up.1)) * cell + cell / 2]
            };
            let end = clipped(at(*from), at(*to), [left, top], [left + width - 1, top + height - 1]);
            shapes.push(Shape::Line(at(*from), end, 2, LINE));
        }
        let step = tick(52, cell);
        for i in (0..columns).filter(|i| (self.across.1 + i) % step == 0) {
            let x = left + i * cell + cell / 2;
            shapes.push(Shape::Rectangle(x, top + height + 1, 1, 5, INK));
            let label = (self.across.1 + i).to_string();
            shapes.push(Shape::Text(x, top + height + 20, Anchor::Middle, LETTERS, label, INK));
        }
        let step = tick(28, cell);
        for i in (0..rows).filter(|i| (self.up.1 + i) % step == 0) {
            let y = top + (rows - 1 - i) * cell + cell / 2;
            shapes.push(Shape::Rectangle(left - 6, y, 5, 1, INK));
            shapes.push(Shape::Text(left - 10, y, Anchor::End, LETTERS, (self.up.1 + i).to_string(), INK));
        }
        shapes.push(Shape::Text(
            left + width / 2,
            top + height + 46,
            Anchor::Middle,
            LETTERS,
            self.across.0.clone(),
            INK,
        ));
        shapes.push(Shape::Text(left - 10, top - 18, Anchor::Middle, LETTERS, self.up.0.clone(), INK));
        shapes.extend(explained);
        (total_width, total_height, shapes)
    }

    /// Marks the bases of modules and draws their generators as arrows.
    fn draw_modules(&self, shapes: &mut Vec<Shape>, cell: i64, [left, top]: [i64; 2]) {
        let (columns, rows) = (whole(self.width), whole(self.height()));
        // The middle of a cell.
        let at = |[x, y]: [i64; 2]| {
            let (column, row) = (x - self.across.1, y - self.up.1);
            [left + column * cell + cell / 2, top + (rows - 1 - row) * cell + cell / 2]
        };
        let inside =
            |[x, y]: [i64; 2]| (0..columns).contains(&(x - self.across.1)) && (0..rows).contains(&(y - self.up.1));
        for module in &self.modules {
            let dot = (cell / 3).max(2);
            for base in module.bases.iter().filter(|base| cell >= 5 && inside(**base)) {
                let [x, y] = at(*base);
                shapes.push(Shape::Rectangle(x - dot / 2, y - dot / 2, dot, dot, BACKGROUND));
            }
        }
        for (number, module) in self.modules.iter().enumerate() {
            // Arrows are darker than the cells, on a white rim.
            let colour = module_colour(number).map(|c| c / 2);
            for &[from, to] in module.arrows.iter().filter(|arrow| inside(arrow[0])) {
                let (start, end) = (at(from), at(to));
                let (right, bottom) = (left + columns * cell - 1, top + rows * cell - 1);
                let end = clipped(start, end, [left, top], [right, bottom]);
                let width = (cell / 6).clamp(2, 4);
                let head = inside(to).then(|| arrow_head(start, end, 4 * width));
                shapes.push(Shape::Line(start, end, width + 2, BACKGROUND));
                shapes.push(Shape::Line(start, end, width, colour));
                shapes.extend(head.map(|corners| Shape::Triangle(corners, colour)));
            }
        }
    }

    fn legend(&self, most: Option<u64>) -> Vec<(Colour, String)> {
        let mut entries = Vec::new();
        if !self.modules.is_empty() {
            let labels = self.modules.iter().enumerate().take(40);
            entries.extend(labels.map(|(i, module)| (module_colour(i), module.label.clone())));
            entries.push((PALE, "N".into()));
        }
        match most {
            None if !self.modules.is_empty() => {}
            None => entries.extend([(P, "P".to_string()), (N, "N".to_string())]),
            Some(most) => {
                let step = most / 8 + 1;
                entries
                    .extend((0..=most).filter(|v| v % step == 0 || *v == most).map(|v| (heat(v, most), v.to_string())));
            }
        }
        let mut named: Vec<&String> = self.lines.iter().map(|(label, _)| label).collect();
        named.dedup();
        entries.extend(named.into_iter().map(|label| (LINE, label.clone())));
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

/// The end of a line from a point of a rectangle, cut off where it leaves the rectangle.
fn clipped(start: [i64; 2], end: [i64; 2], low: [i64; 2], high: [i64; 2]) -> [i64; 2] {
    let mut end = end;
    for c in 0..2 {
        let bound = end[c].clamp(low[c], high[c]);
        if bound != end[c] && end[c] != start[c] {
            let other = 1 - c;
            let part = |x: i64| i128::from(x) * i128::from(bound - start[c]) / i128::from(end[c] - start[c]);
            end[other] = start[other] + i64::try_from(part(end[other] - start[other])).unwrap_or(0);
            end[c] = bound;
        }
    }
    end
}

/// The corners of an arrow's head at the end of a line.
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)] // pixels
pub(super) fn arrow_head(start: [i64; 2], end: [i64; 2], size: i64) -> [[i64; 2]; 3] {
    let (dx, dy) = ((end[0] - start[0]) as f64, (end[1] - start[1]) as f64);
    let length = dx.hypot(dy).max(1.0);
    let size = (size as f64).min(0.6 * length);
    let (ux, uy) = (dx / length * size, dy / length * size);
    let corner = |side: f64| {
        let x = end[0] as f64 - ux - side * uy * 0.5;
        let y = end[1] as f64 - uy + side * ux * 0.5;
        [x.round() as i64, y.round() as i64]
    };
    [end, corner(1.0), corner(-1.0)]
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
        LatticeMap {
            title: "a < b".into(),
            across: ("x1".into(), -3),
            up: ("x2".into(), 0),
            width,
            cells,
            modules: vec![],
            lines: vec![],
        }
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
                    Shape::Line(..) | Shape::Triangle(..) | Shape::Circle(..) => unreachable!("no modules"),
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

    #[test]
    fn digits_can_be_read_on_every_colour() {
        for most in 1..40 {
            for value in 0..=most {
                let colour = heat(value, most);
                let (a, b) = (luminance(colour), luminance(ink_on(colour)));
                let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
                assert!(contrast >= 4.5, "{value} of {most}: {contrast}");
            }
        }
    }

    #[test]
    fn modules_are_drawn_inside_the_map() {
        let module = |label: &str, to: [i64; 2]| MapModule {
            label: label.into(),
            bases: vec![[-3, 0], [100, 100]],
            arrows: vec![[[-3, 0], to], [[100, 100], [101, 101]]],
        };
        let mut map = map(30, 20);
        map.cells = (0..600).map(|i| if i % 3 == 0 { Cell::Module(i % 2) } else { Cell::N }).collect();
        map.modules = vec![module("N{(2,0)}", [-1, 0]), module("N{(173,145)}", [170, 145])];
        let (width, height, shapes) = map.layout();
        let (mut lines, mut heads) = (0, 0);
        for shape in &shapes {
            let points: &[[i64; 2]] = match shape {
                Shape::Line(a, b, ..) => {
                    lines += 1;
                    &[*a, *b]
                }
                Shape::Triangle(corners, _) => {
                    heads += 1;
                    corners
                }
                _ => continue,
            };
            assert!(points.iter().all(|p| (0..width).contains(&p[0]) && (0..height).contains(&p[1])), "{points:?}");
        }
        // Two arrows begin inside, each with its rim; the long one is cut off and has no head.
        assert_eq!((lines, heads), (4, 1));
        assert!(map.svg().contains("N{(173,145)}"));
    }
}
