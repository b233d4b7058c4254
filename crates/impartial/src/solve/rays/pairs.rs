//! Values on long strips: games in the plane with both rook moves have at most one position of each value in a row, and one in a column.

use rustc_hash::FxHashSet;
use semilinear::run::{Monitor, StopReason};

use crate::lattice::RayGame;

/// No element.
const NONE: u32 = u32::MAX;

/// For the values 0, …, k of a game in the plane whose rays have (1,0) and (0,1) among them: the only y with value g in each row x, and the
/// only x in each column y.
///
/// Positions are taken in the order of min(x, y): row m to the right of the diagonal, then column m above it. Every move from there leads along
/// this row or column or to a smaller minimum, so that the first place without a reason against it has the value.
///
/// ```
/// use impartial::lattice::RayGame;
/// use impartial::run::Unlimited;
/// use impartial::solve::rays::Pairs;
/// let pairs = Pairs::new(&RayGame::wythoff(None), 20, 1, &Unlimited).unwrap().unwrap();
/// assert_eq!(pairs.column_of(0, 9), Some(15));
/// assert_eq!(pairs.column_of(1, 9), Some(14));
/// ```
#[derive(Clone, Debug)]
pub struct Pairs {
    rows: usize,
    column_of: Vec<Vec<u32>>,
    row_of: Vec<Vec<u32>>,
}

impl Pairs {
    /// The first `rows` rows and columns; `None` for other games. A row whose element is not found near is a stop.
    pub fn new(game: &RayGame, rows: usize, top: usize, monitor: &dyn Monitor) -> Result<Option<Self>, StopReason> {
        let rook = |v: &[i64; 2]| game.rays().iter().any(|ray| ray == v);
        // Terminal positions may lie in a row with another one of their value.
        if game.dimension() != 2 || !rook(&[1, 0]) || !rook(&[0, 1]) || !game.terminal().is_empty() {
            return Ok(None);
        }
        // Regions make steep pairs.
        let width = if game.regions().is_empty() { 4 } else { 10 } * rows + 4096;
        let mut strips = Strips::new(game, width, top);
        for m in 0..rows {
            // With regions a row is compared with all that came before it.
            if m % 4096 == 0 || !game.regions().is_empty() {
                monitor.check(m as u64, Some(rows as u64))?;
            }
            for g in 0..=top {
                strips.place(g, m, false)?;
                strips.place(g, m, true)?;
            }
        }
        let Strips { column_of, row_of, .. } = strips;
        Ok(Some(Self { rows, column_of, row_of }))
    }

    /// How many rows and columns are known.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The y with value g in row x.
    pub fn column_of(&self, g: usize, x: usize) -> Option<usize> {
        (x < self.rows).then(|| self.column_of[g][x] as usize)
    }

    /// The x with value g in column y.
    pub fn row_of(&self, g: usize, y: usize) -> Option<usize> {
        (y < self.rows).then(|| self.row_of[g][y] as usize)
    }
}

/// The strips while they are made.
struct Strips<'a> {
    game: &'a RayGame,
    width: usize,
    column_of: Vec<Vec<u32>>,
    row_of: Vec<Vec<u32>>,
    /// The elements of each value in the order in which they were found.
    elements: Vec<Vec<(usize, usize)>>,
    /// Diagonals x + c of each value that are taken, at c + width; and the first free ones above and below.
    diagonals: Vec<Vec<bool>>,
    free: Vec<[usize; 2]>,
    has_diagonal: bool,
    /// Lines of other rays that are taken, by value.
    lines: FxHashSet<(usize, usize, i64, i64)>,
    other_rays: Vec<[i64; 2]>,
}

impl<'a> Strips<'a> {
    fn new(game: &'a RayGame, width: usize, top: usize) -> Self {
        let other = |ray: &&Vec<i64>| ![vec![1, 0], vec![0, 1], vec![1, 1]].contains(ray);
        let has_diagonal = game.rays().contains(&vec![1, 1]);
        Self {
            game,
            width,
            column_of: vec![vec![NONE; width]; top + 1],
            row_of: vec![vec![NONE; width]; top + 1],
            elements: vec![Vec::new(); top + 1],
            diagonals: vec![vec![false; if has_diagonal { 2 * width } else { 0 }]; top + 1],
            free: vec![[0, 0]; top + 1],
            has_diagonal,
            lines: FxHashSet::default(),
            other_rays: game.rays().iter().filter(other).map(|ray| [ray[0], ray[1]]).collect(),
        }
    }

    /// Finds the element of value g in row m (or in column m) if it lies at or beyond the diagonal.
    fn place(&mut self, g: usize, m: usize, column: bool) -> Result<(), StopReason> {
        let known = if column { &self.row_of[g] } else { &self.column_of[g] };
        if known[m] != NONE {
            return Ok(());
        }
        let mut n = m;
        if self.has_diagonal {
            let free = &mut self.free[g][usize::from(column)];
            while self.diagonals[g][if column { self.width - *free } else { self.width + *free }] {
                *free += 1;
            }
            n += *free;
        }
        while n < self.width {
            let (x, y) = if column { (n, m) } else { (m, n) };
            let ruled_out = if self.is_free(g, x, y) { self.in_regions(g, x, y, column) } else { 1 };
            if ruled_out == 0 {
                self.take(g, x, y);
                return Ok(());
            }
            n = n.saturating_add(ruled_out);
        }
        Err(StopReason::Size { what: "columns of the strips", limit: self.width as u64 })
    }

    /// Whether (x, y) is on the board, has no smaller value, and no move by a ray or a rule to a position of value g.
    fn is_free(&self, g: usize, x: usize, y: usize) -> bool {
        let id = |n: usize| u32::try_from(n).unwrap_or(NONE);
        if self.column_of[g][x] != NONE || self.row_of[g][y] != NONE {
            return false;
        }
        if self.has_diagonal && self.diagonals[g][self.width + y - x] {
            return false;
        }
        if (0..g).any(|i| self.column_of[i][x] == id(y)) {
            return false;
        }
        let signed = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        let (sx, sy) = (signed(x), signed(y));
        !self.game.defeated().iter().any(|p| p[0] == sx && p[1] == sy)
            && !self.other_rays.iter().enumerate().any(|(i, ray)| self.lines.contains(&line(g, i, ray, sx, sy)))
            && !self.game.rules().iter().any(|rule| {
                let (Ok(a), Ok(b)) = (usize::try_from(rule[0]), usize::try_from(rule[1])) else { return false };
                a <= x && b <= y && self.column_of[g][x - a] == id(y - b)
            })
    }

    /// How many places from (x, y) on, along its column or its row, have a move of a region to one and the same position of value g; 0 when it
    /// has none itself. Those of the nearest rows come first: most often one of them is reached.
    fn in_regions(&self, g: usize, x: usize, y: usize, column: bool) -> usize {
        let signed = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        for region in self.game.regions() {
            for &(a, b) in self.elements[g].iter().rev().filter(|&&(a, b)| a <= x && b <= y) {
                let by = [signed(x - a), signed(y - b)];
                if region.contains(&by) {
                    let room = region.room(&by, usize::from(!column));
                    return room
                        .map_or(self.width, |room| usize::try_from(room).unwrap_or(self.width).saturating_add(1));
                }
            }
        }
        0
    }

    fn take(&mut self, g: usize, x: usize, y: usize) {
        self.column_of[g][x] = u32::try_from(y).unwrap_or(NONE);
        self.row_of[g][y] = u32::try_from(x).unwrap_or(NONE);
        self.elements[g].push((x, y));
        if self.has_diagonal {
            self.diagonals[g][self.width + y - x] = true;
        }
        let signed = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        for (i, ray) in self.other_rays.iter().enumerate() {
            self.lines.insert(line(g, i, ray, signed(x), signed(y)));
        }
    }
}

/// The line of a ray through a point: what all points p + tγ have in common.
fn line(g: usize, ray_number: usize, ray: &[i64; 2], x: i64, y: i64) -> (usize, usize, i64, i64) {
    let t = if ray[0] > 0 { x / ray[0] } else { y / ray[1] };
    (g, ray_number, x - t * ray[0], y - t * ray[1])
}
