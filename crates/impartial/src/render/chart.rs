//! Charts of functions n ↦ f(n): dots and steps over axes with names, with bands behind them.

use super::drawing::{HEADING, LETTERS, legend, text_width};
use super::lattice_map::{BACKGROUND, INK};
use super::{Anchor, Colour, Drawing, Shape};

/// Lines of the grid.
const GRID: Colour = [228, 228, 228];
/// The plot's inner size in pixels.
const WIDTH: i64 = 640;
const HEIGHT: i64 = 360;
const LEFT: i64 = 76;
const TOP: i64 = 64;

/// How points are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A dot at each point.
    Dots,
    /// A line that keeps each value until the next point.
    Steps,
}

/// Points with a name and a colour.
#[derive(Clone, Debug)]
pub struct Plotted {
    /// What the legend says.
    pub label: String,
    /// The colour.
    pub colour: Colour,
    /// How they are drawn.
    pub mark: Mark,
    /// The points.
    pub points: Vec<[i64; 2]>,
}

/// A part of an axis with a background of its own.
#[derive(Clone, Debug)]
pub struct Band {
    /// From this coordinate …
    pub from: i64,
    /// … to this one.
    pub to: i64,
    /// What the legend says; an empty text has no line there.
    pub label: String,
    /// The colour.
    pub colour: Colour,
}

/// A chart.
///
/// ```
/// use impartial::render::{Chart, Mark, Plotted};
/// let chart = Chart {
///     title: "nim".into(),
///     across: "heap n".into(),
///     up: "g(n)".into(),
///     plotted: vec![Plotted {
///         label: "g(n)".into(),
///         colour: [0, 0, 0],
///         mark: Mark::Dots,
///         points: (0..10).map(|n| [n, n]).collect(),
///     }],
///     bands: vec![],
///     strips: vec![],
/// };
/// assert!(chart.drawing().svg().contains("heap n"));
/// ```
#[derive(Clone, Debug)]
pub struct Chart {
    /// The heading.
    pub title: String,
    /// The name of the horizontal axis.
    pub across: String,
    /// The name of the vertical axis.
    pub up: String,
    /// What is plotted, from back to front.
    pub plotted: Vec<Plotted>,
    /// Parts of the horizontal axis, behind it.
    pub bands: Vec<Band>,
    /// Parts of the vertical axis, behind it, from back to front.
    pub strips: Vec<Band>,
}

/// The distance 1, 2, 5, 10, … of at most so many ticks on a range.
fn step(range: i64, most: i64) -> i64 {
    let mut step = 1_i64;
    loop {
        for factor in [1, 2, 5] {
            if range / step.saturating_mul(factor).max(1) <= most {
                return step.saturating_mul(factor).max(1);
            }
        }
        step = step.saturating_mul(10);
    }
}

impl Chart {
    /// The least and the greatest coordinates; the origin is inside unless it lies far away.
    fn range(&self, c: usize) -> (i64, i64) {
        let all = || self.plotted.iter().flat_map(|plotted| plotted.points.iter().map(move |point| point[c]));
        let strips = || self.strips.iter().filter(|_| c == 1).flat_map(|strip| [strip.from, strip.to]);
        let all = || all().chain(strips());
        let (least, most) = (all().min().unwrap_or(0), all().max().unwrap_or(1));
        let least = if least > most / 2 { least } else { least.min(0) };
        (least, most.max(least + 1))
    }

    /// The chart laid out in pixels.
    pub fn drawing(&self) -> Drawing {
        let ((x0, x1), (y0, y1)) = (self.range(0), self.range(1));
        let entries: Vec<(Colour, String)> = self
            .plotted
            .iter()
            .map(|plotted| (plotted.colour, plotted.label.clone()))
            .chain(self.bands.iter().chain(&self.strips).map(|band| (band.colour, band.label.clone())))
            .filter(|(_, label)| !label.is_empty())
            .collect();
        let words = text_width(&self.title, entries.iter().map(|(_, words)| words.as_str()));
        let width = LEFT + WIDTH.max(words) + 24;
        let (explained, height) = legend(&entries, [LEFT, TOP + HEIGHT + 72], LEFT + WIDTH);
        let scaled = |value: i64, low: i64, high: i64, pixels: i64| {
            let part = i128::from(value - low) * i128::from(pixels) / i128::from((high - low).max(1));
            i64::try_from(part).unwrap_or(0)
        };
        // Half a unit of room on both sides, so that no dot lies on the frame.
        let inner = (WIDTH - 16, HEIGHT - 16);
        let at_x = |x: i64| LEFT + 8 + scaled(x, x0, x1, inner.0);
        let at_y = |y: i64| TOP + HEIGHT - 8 - scaled(y, y0, y1, inner.1);
        let mut shapes = vec![
            Shape::Rectangle(0, 0, width, height, BACKGROUND),
            Shape::Text(LEFT, 20, Anchor::Start, HEADING, self.title.clone(), INK),
        ];
        for band in &self.bands {
            let (from, to) = (band.from.clamp(x0, x1), band.to.clamp(x0, x1));
            let half = scaled(1, 0, (x1 - x0).max(1), inner.0) / 2;
            let (left, right) = ((at_x(from) - half).max(LEFT), (at_x(to) + half).min(LEFT + WIDTH));
            if right > left {
                shapes.push(Shape::Rectangle(left, TOP, right - left, HEIGHT, band.colour));
            }
        }
        for strip in &self.strips {
            let half = scaled(1, 0, (y1 - y0).max(1), inner.1) / 2;
            let top = (at_y(strip.to) - half).max(TOP);
            let bottom = (at_y(strip.from) + half).min(TOP + HEIGHT);
            shapes.push(Shape::Rectangle(LEFT, top, WIDTH, (bottom - top).max(1), strip.colour));
        }
        let (dx, dy) = (step(x1 - x0, 12), step(y1 - y0, 10));
        for y in (y0..=y1).filter(|y| y % dy == 0) {
            shapes.push(Shape::Line([LEFT, at_y(y)], [LEFT + WIDTH, at_y(y)], 1, GRID));
            shapes.push(Shape::Text(LEFT - 10, at_y(y), Anchor::End, LETTERS, y.to_string(), INK));
        }
        let first = x0.div_euclid(dx) * dx;
        let mut x = if first < x0 { first + dx } else { first };
        while x <= x1 {
            shapes.push(Shape::Line([at_x(x), TOP + HEIGHT], [at_x(x), TOP + HEIGHT + 6], 1, INK));
            shapes.push(Shape::Text(at_x(x), TOP + HEIGHT + 20, Anchor::Middle, LETTERS, x.to_string(), INK));
            x += dx;
        }
        for plotted in &self.plotted {
            self.marks(plotted, &at_x, &at_y, &mut shapes);
        }
        for (a, b) in [
            ([LEFT, TOP], [LEFT + WIDTH, TOP]),
            ([LEFT, TOP + HEIGHT], [LEFT + WIDTH, TOP + HEIGHT]),
            ([LEFT, TOP], [LEFT, TOP + HEIGHT]),
            ([LEFT + WIDTH, TOP], [LEFT + WIDTH, TOP + HEIGHT]),
        ] {
            shapes.push(Shape::Line(a, b, 1, INK));
        }
        shapes.push(Shape::Text(
            LEFT + WIDTH / 2,
            TOP + HEIGHT + 48,
            Anchor::Middle,
            LETTERS,
            self.across.clone(),
            INK,
        ));
        shapes.push(Shape::Text(LEFT - 10, TOP - 18, Anchor::Middle, LETTERS, self.up.clone(), INK));
        shapes.extend(explained);
        Drawing { title: self.title.clone(), width, height, shapes }
    }

    fn marks(&self, plotted: &Plotted, at_x: &dyn Fn(i64) -> i64, at_y: &dyn Fn(i64) -> i64, shapes: &mut Vec<Shape>) {
        match plotted.mark {
            Mark::Dots => {
                let most = self.plotted.iter().map(|plotted| plotted.points.len()).max().unwrap_or(0);
                let radius = match most {
                    0..=120 => 4,
                    121..=400 => 3,
                    _ => 2,
                };
                shapes.extend(
                    plotted.points.iter().map(|&[x, y]| Shape::Circle([at_x(x), at_y(y)], radius, plotted.colour)),
                );
            }
            Mark::Steps => {
                for pair in plotted.points.windows(2) {
                    let ([a, b], [c, d]) = (pair[0], pair[1]);
                    shapes.push(Shape::Line([at_x(a), at_y(b)], [at_x(c), at_y(b)], 2, plotted.colour));
                    shapes.push(Shape::Line([at_x(c), at_y(b)], [at_x(c), at_y(d)], 2, plotted.colour));
                }
                shapes
                    .extend(plotted.points.iter().map(|&[x, y]| Shape::Circle([at_x(x), at_y(y)], 3, plotted.colour)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_range_stays_in_the_picture_with_few_ticks() {
        for most in [1_i64, 7, 100, 5_000, 3_000_000_000] {
            let plotted = |mark| Plotted {
                label: "f".into(),
                colour: [0, 0, 0],
                mark,
                points: vec![[0, 0], [most / 2, most], [most, -most / 3]],
            };
            let chart = Chart {
                title: "t".into(),
                across: "n".into(),
                up: "f(n)".into(),
                plotted: vec![plotted(Mark::Dots), plotted(Mark::Steps)],
                bands: vec![Band { from: 0, to: most / 2, label: "b".into(), colour: [1, 2, 3] }],
                strips: vec![Band { from: -most, to: most / 2, label: "s".into(), colour: [1, 2, 3] }],
            };
            let drawing = chart.drawing();
            let inside = |[x, y]: [i64; 2]| (0..=drawing.width).contains(&x) && (0..=drawing.height).contains(&y);
            let mut texts = 0;
            for shape in &drawing.shapes {
                assert!(match shape {
                    Shape::Rectangle(x, y, w, h, _) => inside([*x, *y]) && inside([x + w, y + h]),
                    Shape::Circle(at, ..) => inside(*at),
                    Shape::Line(a, b, ..) => inside(*a) && inside(*b),
                    Shape::Text(x, y, ..) => {
                        texts += 1;
                        inside([*x, *y])
                    }
                    Shape::Triangle(corners, _) => corners.iter().all(|corner| inside(*corner)),
                });
            }
            assert!((5..60).contains(&texts), "{most}: {texts}");
        }
    }
}
