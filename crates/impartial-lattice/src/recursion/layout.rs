//! Where the bits of a region lie in memory.

use super::axes::Axes;
use super::projection::{Number, Projection, Walk};
use semilinear::run::{Monitor, StopReason};

/// The values of one coordinate below a prefix: `base` is the index of the child for `lo`.
#[derive(Clone, Copy, Debug)]
struct Node {
    lo: i32,
    hi: i32,
    base: u32,
}

impl Node {
    /// The index of the child for a value.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // an index into the node's range
    fn child(self, z: i32) -> Option<usize> {
        let inside = self.lo <= z && z <= self.hi;
        inside.then(|| self.base as usize + (i64::from(z) - i64::from(self.lo)) as usize)
    }
}

/// Rows of words with a common origin and pitch: a rule moves a whole plane by one shift.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    /// The second to last coordinate of the first row (0 when a plane is a single row).
    pub lo: i32,
    /// The number of rows.
    pub rows: u32,
    /// The last coordinate of bit 0 of every row.
    pub origin: i32,
    /// Words a row.
    pub pitch: u32,
    /// The first word.
    pub base: u32,
    /// The first entry of [`Layout::spans`].
    pub first_row: u32,
}

impl Plane {
    /// The number of words.
    pub fn words(&self) -> usize {
        self.rows as usize * self.pitch as usize
    }
}

/// Where every position of a region lies: a tree over the leading coordinates with planes of words at its leaves, in
/// lexicographic order.
#[derive(Debug)]
pub(super) struct Layout {
    /// The number of coordinates that lead to a plane.
    pub depth: usize,
    levels: Vec<Vec<Node>>,
    /// The planes in lexicographic order of their prefixes.
    pub planes: Vec<Plane>,
    /// The prefixes of the planes, `depth` numbers each.
    prefixes: Vec<i32>,
    /// The bits of each row that are points of the region: from, to (exclusive), relative to the plane's origin.
    pub spans: Vec<(u32, u32)>,
    /// For each value of the first coordinate, the index of the first plane; and the number of planes at the end.
    pub layers: Vec<usize>,
    /// Words of all planes.
    pub words: usize,
    /// Points of the region.
    pub points: u64,
}

impl Layout {
    /// Lays out the points of a polytope. Memory for words and tree together stays below `bytes`.
    pub fn new(projection: &Projection, axes: &Axes, bytes: u64, monitor: &dyn Monitor) -> Result<Self, StopReason> {
        let d = axes.forward.len();
        // Short rows are gathered into planes; that needs rules that leave the plane, as in layers.
        let gather = d >= 3 && axes.layered && axes.run < 256.0;
        let depth = if gather { d - 2 } else { d - 1 };
        let mut layout = Self {
            depth,
            levels: vec![Vec::new(); depth],
            planes: Vec::new(),
            prefixes: Vec::new(),
            spans: Vec::new(),
            layers: vec![0],
            words: 0,
            points: 0,
        };
        if projection.is_moderate() {
            Builder::<i64>::new(&mut layout, projection, bytes, monitor, gather).build()?;
        } else {
            Builder::<i128>::new(&mut layout, projection, bytes, monitor, gather).build()?;
        }
        let planes = layout.planes.len();
        if layout.layers.last() != Some(&planes) {
            layout.layers.push(planes);
        }
        Ok(layout)
    }

    /// The prefix of a plane.
    pub fn prefix(&self, plane: usize) -> &[i32] {
        &self.prefixes[plane * self.depth..(plane + 1) * self.depth]
    }

    /// The plane with a prefix, moved by a rule's leading coordinates.
    pub fn plane(&self, prefix: &[i32], rule: &[i32]) -> Option<usize> {
        let mut index = 0usize;
        for (level, (z, step)) in self.levels.iter().zip(prefix.iter().zip(rule)) {
            index = level[index].child(z.checked_sub(*step)?)?;
        }
        Some(index)
    }

    /// Calls `visit` for every row, in order: the coordinates before the last, the last coordinate of bit 0, the row's
    /// words, and its span.
    pub fn for_each_row(
        &self,
        dimension: usize,
        mut visit: impl FnMut(&[i64], i32, std::ops::Range<usize>, (u32, u32)),
    ) {
        for (p, plane) in self.planes.iter().enumerate() {
            let mut z: Vec<i64> = self.prefix(p).iter().map(|&z| i64::from(z)).collect();
            for row in 0..plane.rows {
                z.truncate(self.depth);
                if self.depth + 2 == dimension {
                    z.push(i64::from(plane.lo) + i64::from(row));
                }
                let start = plane.base as usize + row as usize * plane.pitch as usize;
                let span = self.spans[plane.first_row as usize + row as usize];
                visit(&z, plane.origin, start..start + plane.pitch as usize, span);
            }
        }
    }

    /// The word and bit of an inner vector, if it lies in the region.
    pub fn find(&self, axes: &Axes, y: &[i64]) -> Option<(usize, u32)> {
        let (dimension, small) = (axes.dimension(), axes.is_small(y));
        let mut index = 0usize;
        for (i, level) in self.levels.iter().enumerate() {
            index = level[index].child(i32::try_from(axes.coordinate(i, y, small)?).ok()?)?;
        }
        let plane = self.planes.get(index)?;
        let row = if self.depth + 2 == dimension {
            u32::try_from(axes.coordinate(self.depth, y, small)?.checked_sub(i64::from(plane.lo))?).ok()?
        } else {
            0
        };
        let last = axes.coordinate(dimension.checked_sub(1)?, y, small)?;
        let bit = u32::try_from(last.checked_sub(i64::from(plane.origin))?).ok()?;
        if row >= plane.rows {
            return None;
        }
        let (from, to) = self.spans[plane.first_row as usize + row as usize];
        let word = plane.base as usize + row as usize * plane.pitch as usize + (bit / 64) as usize;
        (from <= bit && bit < to).then_some((word, bit % 64))
    }
}

struct Builder<'a, T> {
    layout: &'a mut Layout,
    walk: Walk<'a, T>,
    bytes: u64,
    monitor: &'a dyn Monitor,
    used: u64,
    gather: bool,
    /// The coordinates chosen so far.
    prefix: Vec<i32>,
    /// The ranges of the rows of one plane.
    ranges: Vec<(i32, i32)>,
}

impl<'a, T: Number> Builder<'a, T> {
    fn new(
        layout: &'a mut Layout,
        projection: &'a Projection,
        bytes: u64,
        monitor: &'a dyn Monitor,
        gather: bool,
    ) -> Self {
        let walk = Walk::new(projection);
        Self { layout, walk, bytes, monitor, used: 0, gather, prefix: Vec::new(), ranges: Vec::new() }
    }

    fn build(&mut self) -> Result<(), StopReason> {
        if self.layout.depth == 0 {
            return self.plane();
        }
        self.layout.levels[0].push(Node { lo: 0, hi: -1, base: 0 });
        self.node(0, 0)
    }

    fn too_large(&self) -> StopReason {
        StopReason::Size { what: "bytes for the positions of the region", limit: self.bytes }
    }

    /// Counts memory before it is allocated.
    fn take(&mut self, bytes: u64) -> Result<(), StopReason> {
        self.used = self.used.saturating_add(bytes);
        if self.used > self.bytes { Err(self.too_large()) } else { Ok(()) }
    }

    fn range(&self, k: usize) -> Result<(i32, i32), StopReason> {
        let (lo, hi) = self.walk.range(k).ok_or_else(|| self.too_large())?;
        if lo > hi {
            return Ok((0, -1));
        }
        match (i32::try_from(lo), i32::try_from(hi)) {
            (Ok(lo), Ok(hi)) if hi < i32::MAX => Ok((lo, hi)),
            _ => Err(self.too_large()),
        }
    }

    /// Fills node `index` of level `k` and everything below it.
    fn node(&mut self, k: usize, index: usize) -> Result<(), StopReason> {
        let (lo, hi) = self.range(k)?;
        let last = k + 1 == self.layout.depth;
        let count = u64::try_from(i64::from(hi) - i64::from(lo) + 1).unwrap_or(0);
        self.take(count * size_of::<Node>() as u64)?;
        let count = usize::try_from(count).map_err(|_| self.too_large())?;
        let base = if last { self.layout.planes.len() } else { self.layout.levels[k + 1].len() };
        let base = u32::try_from(base).map_err(|_| self.too_large())?;
        self.layout.levels[k][index] = Node { lo, hi, base };
        if !last {
            let length = base as usize + count;
            self.layout.levels[k + 1].resize(length, Node { lo: 0, hi: -1, base: 0 });
        }
        for (i, z) in (lo..=hi).enumerate() {
            self.walk.choose(k, z);
            self.prefix.push(z);
            if last {
                self.plane()?;
            } else {
                self.node(k + 1, base as usize + i)?;
            }
            self.prefix.pop();
            if k == 0 {
                self.layout.layers.push(self.layout.planes.len());
            }
        }
        Ok(())
    }

    /// Adds the plane below the prefix.
    fn plane(&mut self) -> Result<(), StopReason> {
        self.monitor.check(self.layout.points, None)?;
        self.layout.prefixes.extend_from_slice(&self.prefix);
        let k = self.prefix.len();
        let (lo, hi) = if self.gather { self.range(k)? } else { (0, 0) };
        let rows = u64::try_from(i64::from(hi) - i64::from(lo) + 1).unwrap_or(0);
        self.take(size_of::<Plane>() as u64 + 4 * k as u64 + rows * 16)?;
        let first_row = u32::try_from(self.layout.spans.len()).map_err(|_| self.too_large())?;
        let mut ranges = std::mem::take(&mut self.ranges);
        ranges.clear();
        if self.gather {
            for z in lo..=hi {
                self.walk.choose(k, z);
                ranges.push(self.range(k + 1)?);
            }
        } else {
            ranges.push(self.range(k)?);
        }
        let filled = ranges.iter().filter(|(from, to)| from <= to);
        let origin = filled.clone().map(|r| r.0).min().unwrap_or(0);
        let end = filled.map(|r| i64::from(r.1)).max().unwrap_or(i64::from(origin) - 1);
        let bits = u64::try_from(end - i64::from(origin) + 1).unwrap_or(0);
        let pitch = bits.div_ceil(64);
        self.take(8 * pitch * rows)?;
        for &(from, to) in &ranges {
            let span = |z: i64| u32::try_from(z - i64::from(origin)).expect("inside the plane");
            let (from, to) = if from <= to { (span(i64::from(from)), span(i64::from(to) + 1)) } else { (0, 0) };
            self.layout.points += u64::from(to - from);
            self.layout.spans.push((from, to));
        }
        self.ranges = ranges;
        let plane = Plane {
            lo,
            rows: u32::try_from(rows).map_err(|_| self.too_large())?,
            origin,
            pitch: u32::try_from(pitch).map_err(|_| self.too_large())?,
            base: u32::try_from(self.layout.words).map_err(|_| self.too_large())?,
            first_row,
        };
        self.layout.words += plane.words();
        self.layout.planes.push(plane);
        Ok(())
    }
}
