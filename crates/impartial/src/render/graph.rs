//! Drawings of graphs: the Cayley graph of a quotient, and automata.

use std::f64::consts::TAU;
use std::fmt::Write as _;

use super::drawing::{HEADING, LETTER, LETTERS, legend, text_width};
use super::lattice_map::{BACKGROUND, INK, arrow_head, module_colour};
use super::{Anchor, BlockAutomaton, Colour, Drawing, Shape};
use crate::error::{Error, Result};

/// Nodes of P-positions and of accepting states.
const INSIDE: Colour = [22, 66, 120];
/// Other nodes.
const OUTSIDE: Colour = [226, 236, 246];
const EDGE: Colour = [120, 120, 120];
/// More nodes than this cannot be told apart in a picture.
const MOST_NODES: usize = 120;

/// The Cayley graph of a finite commutative monoid: an arrow for each element and each generator.
#[derive(Clone, Debug)]
pub struct CayleyGraph {
    /// The heading.
    pub title: String,
    /// The elements as words.
    pub elements: Vec<String>,
    /// Which of them are P-positions.
    pub inside: Vec<bool>,
    /// Every generator with the product of each element by it.
    pub generators: Vec<(String, Vec<usize>)>,
}

impl CayleyGraph {
    /// The graph for Graphviz.
    pub fn dot(&self) -> String {
        let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
        let mut text = format!(
            "digraph quotient {{\n  label=\"{}\"; labelloc=t; fontname=\"sans-serif\";\n  node [shape=ellipse, \
             fontname=\"sans-serif\"]; edge [fontname=\"sans-serif\", fontsize=10];\n",
            quoted(&self.title)
        );
        for (i, (word, inside)) in self.elements.iter().zip(&self.inside).enumerate() {
            let fill = if *inside { ", style=filled, fillcolor=\"#164278\", fontcolor=white" } else { "" };
            let _ = writeln!(text, "  {i} [label=\"{}\"{fill}];", quoted(word));
        }
        for (number, (name, row)) in self.generators.iter().enumerate() {
            let [r, g, b] = module_colour(number);
            for (i, &j) in row.iter().enumerate() {
                // An arrow there and back is one without a head.
                let both = i != j && row.get(j) == Some(&i);
                if both && j < i {
                    continue;
                }
                let head = if both { ", dir=none" } else { "" };
                let _ = writeln!(
                    text,
                    "  {i} -> {j} [label=\"{}\", color=\"#{r:02x}{g:02x}{b:02x}\"{head}];",
                    quoted(name)
                );
            }
        }
        text.push_str("}\n");
        text
    }

    /// The graph drawn on a circle, an arrow colour for each generator, P-positions filled.
    pub fn drawing(&self) -> Result<Drawing> {
        let n = self.elements.len();
        if n > MOST_NODES {
            return Err(Error::Input(format!(
                "a Cayley graph shows at most {MOST_NODES} elements, and this quotient has {n}; bound the heaps with --max-heap"
            )));
        }
        let longest = self.elements.iter().map(|word| word.chars().count()).max().unwrap_or(1);
        let node = Node { width: (whole(longest) * LETTER + 12).max(34), height: 28 };
        let places = circle(n, &node);
        let mut canvas = Canvas::new(&self.title, &places, &node, whole(self.generators.len()));
        for (number, (_, row)) in self.generators.iter().enumerate() {
            for (i, &j) in row.iter().enumerate() {
                let both = i != j && row.get(j) == Some(&i);
                if !(both && j < i) {
                    canvas.edge(places[i], places[j], module_colour(number), !both, whole(number));
                }
            }
        }
        for (i, word) in self.elements.iter().enumerate() {
            canvas.node(places[i], word, self.inside[i]);
        }
        let names: Vec<(Colour, String)> = self
            .generators
            .iter()
            .enumerate()
            .map(|(number, (name, _))| (module_colour(number), format!("times {name}")))
            .chain([(INSIDE, "P-position".to_owned())])
            .collect();
        Ok(canvas.finish(&names))
    }
}

/// Blocks of digits that have a colour of their own; with more of them all arrows are grey.
const MOST_COLOURS: usize = 8;

impl BlockAutomaton {
    /// The states on a circle, beginning with the initial one at the left; arrows have the colour of their digit block.
    pub fn drawing(&self, title: &str) -> Result<Drawing> {
        let n = self.labels.len();
        if n > MOST_NODES {
            return Err(Error::Input(format!(
                "a picture shows at most {MOST_NODES} states, and this automaton has {n}; `impartial show FILE --as dot` gives the graph"
            )));
        }
        let node = Node { width: 40, height: 30 };
        let blocks = 1_usize << self.dimension;
        let coloured = blocks <= MOST_COLOURS;
        let places = circle(n, &Node { width: 72, height: 30 });
        let mut canvas = Canvas::new(title, &places, &node, if coloured { whole(blocks) } else { 1 });
        for (i, targets) in self.arrows().into_iter().enumerate() {
            for (j, blocks) in targets {
                if coloured {
                    for block in blocks {
                        canvas.edge(places[i], places[j], module_colour(block), true, whole(block));
                    }
                } else {
                    canvas.edge(places[i], places[j], EDGE, true, 0);
                }
            }
        }
        for (i, &label) in self.labels.iter().enumerate() {
            let word = if label > 1 { format!("{i}:{label}") } else { i.to_string() };
            canvas.node(places[i], &word, label > 0);
        }
        let mut legend: Vec<(Colour, String)> = Vec::new();
        if coloured {
            legend.extend(
                (0..blocks).map(|block| (module_colour(block), format!("digits {}", self.blocks_text(&[block])))),
            );
        }
        legend.push((INSIDE, "accepts".to_owned()));
        legend.push((OUTSIDE, "does not; state 0 is initial".to_owned()));
        Ok(canvas.finish(&legend))
    }
}

/// The size of nodes.
struct Node {
    width: i64,
    height: i64,
}

/// Places of n nodes on a circle, the first at the left.
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)] // pixels
fn circle(n: usize, node: &Node) -> Vec<[i64; 2]> {
    let around = (n as f64 * (node.width.max(node.height) as f64 + 18.0) / TAU).max(130.0);
    let (across, down) = (around + node.width as f64 / 2.0, around);
    (0..n)
        .map(|i| {
            let angle = std::f64::consts::PI + TAU * i as f64 / n.max(1) as f64;
            [(across * angle.cos()).round() as i64, (down * angle.sin()).round() as i64]
        })
        .collect()
}

struct Canvas<'a> {
    title: &'a str,
    node: &'a Node,
    origin: [i64; 2],
    size: [i64; 2],
    shapes: Vec<Shape>,
    /// Nodes, which lie over the arrows.
    nodes: Vec<Shape>,
    spread: i64,
}

impl<'a> Canvas<'a> {
    fn new(title: &'a str, places: &[[i64; 2]], node: &'a Node, spread: i64) -> Self {
        let end = |c: usize| places.iter().map(|place| place[c].abs()).max().unwrap_or(0);
        let (half_width, half_height) = (end(0) + node.width + 40, end(1) + node.height + 40);
        Self {
            title,
            node,
            origin: [half_width, half_height + 36],
            size: [2 * half_width, 2 * half_height + 36],
            shapes: Vec::new(),
            nodes: Vec::new(),
            spread,
        }
    }

    fn at(&self, [x, y]: [i64; 2]) -> [i64; 2] {
        [self.origin[0] + x, self.origin[1] + y]
    }

    /// The point of a node's ellipse toward a direction.
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)] // pixels
    fn rim(&self, centre: [i64; 2], toward: [i64; 2]) -> [i64; 2] {
        let (dx, dy) = ((toward[0] - centre[0]) as f64, (toward[1] - centre[1]) as f64);
        let (a, b) = (self.node.width as f64 / 2.0 + 2.0, self.node.height as f64 / 2.0 + 2.0);
        let scale = ((dx / a).powi(2) + (dy / b).powi(2)).sqrt().max(1e-9);
        [centre[0] + (dx / scale).round() as i64, centre[1] + (dy / scale).round() as i64]
    }

    /// An arrow between two nodes, moved aside a little so that arrows of different kinds are told apart; a loop is drawn outward.
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)] // pixels
    fn edge(&mut self, from: [i64; 2], to: [i64; 2], colour: Colour, head: bool, lane: i64) {
        if from == to {
            let length = ((from[0] * from[0] + from[1] * from[1]) as f64).sqrt().max(1.0);
            let out = |r: f64, turn: f64| {
                let (x, y) = (from[0] as f64 / length, from[1] as f64 / length);
                let (u, v) = (x * turn.cos() - y * turn.sin(), x * turn.sin() + y * turn.cos());
                [from[0] + (u * r).round() as i64, from[1] + (v * r).round() as i64]
            };
            let reach = self.node.width.min(44) as f64 / 2.0 + 16.0 + 7.0 * lane as f64;
            let (a, b, c) = (self.rim(from, out(10.0, 0.5)), out(reach, 0.25), out(reach, -0.25));
            let d = self.rim(from, out(10.0, -0.5));
            let points = [a, b, c, d].map(|point| self.at(point));
            for pair in points.windows(2) {
                self.shapes.push(Shape::Line(pair[0], pair[1], 2, colour));
            }
            self.shapes.push(Shape::Triangle(arrow_head(points[2], points[3], 9), colour));
            return;
        }
        let (dx, dy) = ((to[0] - from[0]) as f64, (to[1] - from[1]) as f64);
        let length = dx.hypot(dy).max(1.0);
        let aside = if self.spread > 1 { (2 * lane - self.spread + 1) as f64 * 1.6 } else { 0.0 }
            + if head { 3.0 } else { 0.0 };
        let shift = [(-dy / length * aside).round() as i64, (dx / length * aside).round() as i64];
        let moved = |point: [i64; 2]| [point[0] + shift[0], point[1] + shift[1]];
        let (start, end) = (self.at(moved(self.rim(from, to))), self.at(moved(self.rim(to, from))));
        self.shapes.push(Shape::Line(start, end, 2, colour));
        if head {
            self.shapes.push(Shape::Triangle(arrow_head(start, end, 10), colour));
        }
    }

    fn node(&mut self, place: [i64; 2], word: &str, inside: bool) {
        let [x, y] = self.at(place);
        let (fill, ink) = if inside { (INSIDE, BACKGROUND) } else { (OUTSIDE, INK) };
        let (w, h) = (self.node.width, self.node.height);
        self.nodes.push(Shape::Rectangle(x - w / 2, y - h / 2, w, h, INK));
        self.nodes.push(Shape::Rectangle(x - w / 2 + 1, y - h / 2 + 1, w - 2, h - 2, fill));
        self.nodes.push(Shape::Text(x, y, Anchor::Middle, LETTERS, word.to_owned(), ink));
    }

    fn finish(self, names: &[(Colour, String)]) -> Drawing {
        let words = text_width(self.title, names.iter().map(|(_, words)| words.as_str()));
        let width = self.size[0].max(words + 40);
        let (explained, height) = legend(names, [20, self.size[1]], width - 20);
        let mut shapes = vec![
            Shape::Rectangle(0, 0, width, height, BACKGROUND),
            Shape::Text(20, 20, Anchor::Start, HEADING, self.title.to_owned(), INK),
        ];
        shapes.extend(self.shapes);
        shapes.extend(self.nodes);
        shapes.extend(explained);
        Drawing { title: self.title.to_owned(), width, height, shapes }
    }
}

fn whole(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX / 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(n: usize) -> CayleyGraph {
        CayleyGraph {
            title: format!("Z/{n}"),
            elements: (0..n).map(|i| format!("a^{i}")).collect(),
            inside: (0..n).map(|i| i == 1).collect(),
            generators: vec![("a".into(), (0..n).map(|i| (i + 1) % n).collect())],
        }
    }

    #[test]
    fn graphs_lie_inside_their_pictures() {
        for n in [1, 2, 5, 60, 120] {
            let drawing = group(n).drawing().unwrap();
            for shape in &drawing.shapes {
                let points: Vec<[i64; 2]> = match shape {
                    Shape::Rectangle(x, y, w, h, _) => vec![[*x, *y], [x + w, y + h]],
                    Shape::Line(a, b, ..) => vec![*a, *b],
                    Shape::Triangle(corners, _) => corners.to_vec(),
                    Shape::Circle(at, ..) => vec![*at],
                    Shape::Text(x, y, ..) => vec![[*x, *y]],
                };
                for [x, y] in points {
                    assert!((0..=drawing.width).contains(&x) && (0..=drawing.height).contains(&y), "{n}: {shape:?}");
                }
            }
        }
        assert!(group(121).drawing().is_err());
    }

    #[test]
    fn an_arrow_there_and_back_is_one_line() {
        let dot = group(2).dot();
        assert_eq!(dot.matches("->").count(), 1, "{dot}");
        assert!(dot.contains("dir=none") && dot.contains("fillcolor"), "{dot}");
    }
}
