//! Cuts the engine in two parts: what most questions need, and the rest, which the page fetches when it is first called.
//!
//! Both parts share memory, stack and table of functions. A function that one part calls and the other has becomes a step by way of
//! the table: the first part fills the places of its own functions when it starts, the second part its own when it is added. A call
//! to a place that is empty yet is a trap, and the page then starts the engine anew with both parts.

use std::collections::{BTreeSet, HashSet};

use anyhow::{Context as _, Result, bail};
use walrus::ir::{Call, ReturnCall, Value, Visitor, dfs_in_order};
use walrus::{
    ConstExpr, ElementItems, ElementKind, ExportItem, FunctionBuilder, FunctionId, FunctionKind, GlobalId, GlobalKind,
    LocalFunction, Module, ModuleConfig, TableId, ValType,
};

/// What the second part has: the independent checker, strategies read from files, pictures, sums and graphs, lattice games and
/// games with rays, and what solves them. A room that is missing here costs bytes, not answers.
const SECOND: &[&str] = &[
    "impartial_check::",
    "semilinear::integer::lp::",
    "semilinear::numeration::",
    "semilinear::polyhedron::",
    "semilinear::semigroup::",
    "semilinear::series::",
    "semilinear::vectorset::",
    "impartial::game::claim::",
    "impartial::game::convert::",
    "impartial::game::draw::",
    "impartial::game::form::numeration::",
    "impartial::game::form::points::",
    "impartial::game::graph::",
    "impartial::game::lattice::",
    "impartial::game::plot::",
    "impartial::game::rays::",
    "impartial::game::set::",
    "impartial::game::strategy::Strategy::load",
    "impartial::game::strategy::verified",
    "impartial::game::sum::",
    "impartial::game::walnut::",
    "impartial::graph::",
    "impartial::lattice::",
    "impartial::render::automaton::",
    "impartial::render::chart::",
    "impartial::render::digits::",
    "impartial::render::drawing::",
    "impartial::render::graph::",
    "impartial::render::lattice_map::",
    "impartial::render::series::",
    "impartial::render::stratification::",
    "impartial::solve::blocks::",
    "impartial::solve::learn::",
    "impartial::solve::presentation::",
    "impartial::solve::rays::",
    "impartial::solve::sector::",
    "impartial::strategy::automaton::",
    "impartial::strategy::blocks::",
    "impartial::strategy::chains::from_envelope",
    "impartial::strategy::characters::",
    "impartial::strategy::fibres::",
    "impartial::strategy::grundy_automaton::",
    "impartial::strategy::numeration::",
    "impartial::strategy::pairs::",
    "impartial::strategy::presentation::",
    "impartial::strategy::sectors::",
    "impartial::strategy::series::",
    "impartial::strategy::standing::",
    "impartial::strategy::stratification::",
    "impartial_lattice::chart::",
    "impartial_lattice::game::",
    "impartial_lattice::learn::",
    "impartial_lattice::recursion::",
    "impartial_lattice::unimodular::",
];

/// Where the second part finds what it shares with the first.
const SHARED: &str = "first";

/// The two parts of an engine.
pub struct Parts {
    pub first: Vec<u8>,
    pub second: Vec<u8>,
}

/// A place of the table and the number of the function in it: the parts are made from copies, which number their functions alike.
type Place = (usize, usize);

/// Where functions are in the table.
struct Places {
    /// Those that the engine had in the table already.
    old: Vec<Place>,
    /// Functions of the second part that the first calls.
    to_second: Vec<Place>,
    /// Functions of the first part that the second calls.
    to_first: Vec<Place>,
    /// The number of places.
    count: usize,
}

/// One copy of the engine.
struct Part {
    module: Module,
    /// Its functions by their numbers.
    functions: Vec<FunctionId>,
    table: TableId,
}

/// Cuts an engine, whose functions have their names.
pub fn split(engine: &[u8]) -> Result<Parts> {
    let (mut first, mut second) = (Part::read(engine)?, Part::read(engine)?);
    let apart = first.second_part()?;
    let places = first.places(&apart)?;
    let (old_second, old_first): (Vec<Place>, Vec<Place>) = places.old.iter().partition(|(_, id)| apart.contains(id));

    first.fill([&old_first[..], &places.to_first].concat(), places.count)?;
    first.call_by_table(&places.to_second)?;
    let stack = first.stack()?;
    first.module.exports.add("table", first.table);
    first.module.exports.add("stack", stack);

    second.fill([&old_second[..], &places.to_second].concat(), places.count)?;
    second.call_by_table(&places.to_first)?;
    second.leave_to_first()?;
    Ok(Parts { first: first.written(), second: second.written() })
}

/// Whether a function is in a room of the second part, by its path: `<impartial_lattice::learn::table::Table as …>::fmt` is.
fn is_of_second(name: &str) -> bool {
    let path = name.trim_start_matches(['<', '&']);
    SECOND.iter().any(|room| path.starts_with(room))
}

impl Part {
    fn read(engine: &[u8]) -> Result<Self> {
        let module =
            ModuleConfig::new().generate_name_section(false).generate_producers_section(false).parse(engine)?;
        let table = module.tables.main_function_table()?.context("the engine has no table of functions")?;
        Ok(Self { functions: module.funcs.iter().map(walrus::Function::id).collect(), table, module })
    }

    /// The functions of the second part: those of [`SECOND`], and those that only they call.
    fn second_part(&self) -> Result<HashSet<usize>> {
        let name = |id: usize| self.module.funcs.get(self.functions[id]).name.as_deref();
        let is_named = |id: usize| name(id).is_some_and(is_of_second);
        let exported = self.module.exports.iter().filter_map(|export| match export.item {
            ExportItem::Function(id) => Some(id.index()),
            _ => None,
        });
        let mut waiting: Vec<usize> = exported.chain(self.table_places()?.into_iter().map(|(_, id)| id)).collect();
        let mut first = HashSet::new();
        while let Some(id) = waiting.pop() {
            if !is_named(id) && first.insert(id) {
                waiting.extend(self.called(id));
            }
        }
        Ok(self.module.funcs.iter_local().map(|(id, _)| id.index()).filter(|id| !first.contains(id)).collect())
    }

    /// The functions that a function calls.
    fn called(&self, id: usize) -> Vec<usize> {
        #[derive(Default)]
        struct Called(Vec<usize>);
        impl Visitor<'_> for Called {
            fn visit_call(&mut self, call: &Call) {
                self.0.push(call.func.index());
            }
            fn visit_return_call(&mut self, call: &ReturnCall) {
                self.0.push(call.func.index());
            }
        }
        let FunctionKind::Local(local) = &self.module.funcs.get(self.functions[id]).kind else { return Vec::new() };
        let mut found = Called::default();
        dfs_in_order(&mut found, local, local.entry_block());
        found.0
    }

    /// The pointer to the stack: the one number that functions change.
    fn stack(&self) -> Result<GlobalId> {
        let mut changed = self.module.globals.iter().filter(|global| global.mutable && global.ty == ValType::I32);
        match (changed.next(), changed.next()) {
            (Some(stack), None) => Ok(stack.id()),
            _ => bail!("the engine has no stack, or more than one"),
        }
    }

    /// What is in the table when the engine starts.
    fn table_places(&self) -> Result<Vec<Place>> {
        let mut places = Vec::new();
        for segment in self.module.elements.iter() {
            let ElementKind::Active { table, offset: ConstExpr::Value(Value::I32(start)) } = segment.kind else {
                continue;
            };
            if let ElementItems::Functions(functions) = &segment.items
                && table == self.table
            {
                places.extend((usize::try_from(start)?..).zip(functions.iter().map(FunctionId::index)));
            }
        }
        Ok(places)
    }

    fn places(&self, apart: &HashSet<usize>) -> Result<Places> {
        let mut between = [BTreeSet::new(), BTreeSet::new()];
        for caller in 0..self.functions.len() {
            let from_second = apart.contains(&caller);
            let beyond = self.called(caller).into_iter().filter(|id| apart.contains(id) != from_second);
            between[usize::from(from_second)].extend(beyond);
        }
        let [to_second, to_first] = between;
        let start = usize::try_from(self.module.tables.get(self.table).initial)?;
        let middle = start + to_second.len();
        let count = middle + to_first.len();
        Ok(Places {
            old: self.table_places()?,
            to_second: (start..).zip(to_second).collect(),
            to_first: (middle..).zip(to_first).collect(),
            count,
        })
    }

    /// Has the table filled with these functions and no others, a segment a run of places.
    fn fill(&mut self, mut places: Vec<Place>, count: usize) -> Result<()> {
        let old: Vec<_> = self.module.tables.get(self.table).elem_segments.iter().copied().collect();
        for id in old {
            self.module.elements.delete(id);
        }
        let table = self.table;
        self.module.tables.get_mut(table).elem_segments.clear();
        places.sort_unstable();
        for run in places.chunk_by(|a, b| a.0 + 1 == b.0) {
            let offset = ConstExpr::Value(Value::I32(i32::try_from(run[0].0)?));
            let functions = ElementItems::Functions(run.iter().map(|&(_, id)| self.functions[id]).collect());
            let segment = self.module.elements.add(ElementKind::Active { table, offset }, functions);
            self.module.tables.get_mut(table).elem_segments.insert(segment);
        }
        let table = self.module.tables.get_mut(table);
        table.initial = count as u64;
        table.maximum = Some(count as u64);
        Ok(())
    }

    /// Has functions call whatever is at their places of the table.
    fn call_by_table(&mut self, places: &[Place]) -> Result<()> {
        for &(place, id) in places {
            let id = self.functions[id];
            let step = self.step(place, id)?;
            let kind = std::mem::replace(&mut self.module.funcs.get_mut(id).kind, FunctionKind::Local(step));
            if let FunctionKind::Import(import) = kind {
                self.module.imports.delete(import.import);
            }
        }
        Ok(())
    }

    fn step(&mut self, place: usize, id: FunctionId) -> Result<LocalFunction> {
        let Self { module, table, .. } = self;
        let ty = module.funcs.get(id).ty();
        let (params, results) = (module.types.params(ty).to_vec(), module.types.results(ty).to_vec());
        let arguments: Vec<_> = params.iter().map(|&param| module.locals.add(param)).collect();
        let mut builder = FunctionBuilder::new(&mut module.types, &params, &results);
        let mut body = builder.func_body();
        for &argument in &arguments {
            body.local_get(argument);
        }
        body.i32_const(i32::try_from(place)?).call_indirect(ty, *table);
        Ok(builder.local_func(arguments))
    }

    /// Takes memory, stack and table from the first part, and leaves it to that to start the engine.
    fn leave_to_first(&mut self) -> Result<()> {
        let stack = self.stack()?;
        let Self { module, table, .. } = self;
        let exports: Vec<_> = module.exports.iter().map(walrus::Export::id).collect();
        for id in exports {
            module.exports.delete(id);
        }
        let data: Vec<_> = module.data.iter().map(walrus::Data::id).collect();
        for id in data {
            module.data.delete(id);
        }
        module.start = None;
        let memory = module.get_memory_id()?;
        let import = module.imports.add(SHARED, "memory", memory);
        module.memories.get_mut(memory).import = Some(import);
        module.memories.get_mut(memory).data_segments.clear();
        let import = module.imports.add(SHARED, "table", *table);
        module.tables.get_mut(*table).import = Some(import);
        let import = module.imports.add(SHARED, "stack", stack);
        module.globals.get_mut(stack).kind = GlobalKind::Import(import);
        Ok(())
    }

    fn written(mut self) -> Vec<u8> {
        walrus::passes::gc::run(&mut self.module);
        self.module.emit_wasm()
    }
}
