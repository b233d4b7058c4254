//! Cuts the engine in parts: what every question needs, and parts that the engine fetches when it first calls into them.
//!
//! All parts share memory, stack and table of functions. A function that one part calls and another has becomes a step by way of the
//! table. Where a function of a part is missing yet, the table has a call for that part: the worker loads it at once, it puts its
//! functions into the table, and the call goes on.

mod rooms;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use anyhow::{Context as _, Result, bail};
use walrus::ir::{Call, ReturnCall, Value, Visitor, dfs_in_order};
use walrus::{
    ConstExpr, ElementItems, ElementKind, ExportItem, FunctionBuilder, FunctionId, FunctionKind, GlobalId, GlobalKind,
    LocalFunction, Module, ModuleConfig, TableId, ValType,
};

use rooms::{LATER, named, shared};

/// Where a later part finds what it shares with the first.
const SHARED: &str = "first";
/// What the engine calls to have a part loaded: `wasm-bindgen` gives the name a number.
const LOAD: &str = "__wbg_impartialLoad_";
/// A function of so many instructions is small: it is where it is called from, whatever room has it.
const SMALL: u64 = 80;
/// The same of a function that is in the table of functions: nobody knows who calls it, so that it is in the first part.
const SMALL_IN_TABLE: u64 = 40;
/// What the parts with long searches have for themselves, because it is called often: the allocator, whose state is in the memory.
const OWN: &[&str] = &["__rustc::", "dlmalloc::", "std::alloc::", "alloc::raw_vec::"];
/// Those parts.
const OWNERS: &[&str] =
    &["points", "sets", "strata", "cones", "sectors", "blocks", "misere", "posets", "chains", "rays"];

/// The parts of an engine.
pub struct Parts {
    pub first: Vec<u8>,
    /// The others with their names.
    pub later: Vec<(&'static str, Vec<u8>)>,
}

/// A place of the table and the number of the function in it: the parts are made from copies, which number their functions alike.
type Place = (usize, usize);

/// Where functions are in the table.
struct Places {
    /// Every place that is filled, by the number of the function, those that the engine had already first.
    of: BTreeMap<usize, Vec<usize>>,
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

/// Which part each function is in; 0 is the first. Those that some parts have for themselves are in the first here.
struct Division {
    part: Vec<usize>,
    own: HashSet<usize>,
}

/// Cuts an engine, whose functions have their names; the parts keep them where they are wanted.
pub fn split(engine: &[u8], names: bool) -> Result<Parts> {
    let whole = Part::read(engine, names)?;
    let division = whole.divided()?;
    let places = whole.places(&division)?;
    let first = {
        let mut first = Part::read(engine, names)?;
        let load = first.load()?;
        let mut filled = places.of_part(&division, 0);
        for k in 1..=LATER.len() {
            for (place, id) in places.of_part(&division, k) {
                filled.push((place, first.call_after_loading(k, place, id, load)?));
            }
        }
        first.fill(filled, places.count)?;
        first.call_by_table(&places, |id| division.part[id] == 0)?;
        let stack = first.stack()?;
        first.module.exports.add("table", first.table);
        first.module.exports.add("stack", stack);
        first.written()
    };
    let mut later = Vec::new();
    for (k, rooms) in (1..).zip(LATER) {
        let mut part = Part::read(engine, names)?;
        part.fill(places.of_part(&division, k), places.count)?;
        part.call_by_table(&places, |id| division.is_in(id, k))?;
        part.leave_to_first()?;
        later.push((rooms.name, part.written()));
    }
    Ok(Parts { first, later })
}

impl Division {
    /// Whether a part has a function.
    fn is_in(&self, id: usize, part: usize) -> bool {
        let owner = part > 0 && OWNERS.contains(&LATER[part - 1].name);
        self.part[id] == part || owner && self.own.contains(&id)
    }
}

impl Places {
    /// The places of the functions of a part.
    fn of_part(&self, division: &Division, k: usize) -> Vec<Place> {
        let of_it = self.of.iter().filter(|(id, _)| division.part[**id] == k);
        of_it.flat_map(|(&id, places)| places.iter().map(move |&place| (place, id))).collect()
    }
}

impl Part {
    fn read(engine: &[u8], names: bool) -> Result<Self> {
        let module =
            ModuleConfig::new().generate_name_section(names).generate_producers_section(false).parse(engine)?;
        let table = module.tables.main_function_table()?.context("the engine has no table of functions")?;
        Ok(Self { functions: module.funcs.iter().map(walrus::Function::id).collect(), table, module })
    }

    /// Which part has which function: a later part those of its rooms, those that only they call, and those that it and parts after it call.
    fn divided(&self) -> Result<Division> {
        let count = self.functions.len();
        let name = |id: usize| self.module.funcs.get(self.functions[id]).name.as_deref().unwrap_or_default();
        let in_table: HashSet<usize> = self.table_places()?.into_iter().map(|(_, id)| id).collect();
        // A small function is no reason to load a part. Also the compiler makes one of equal ones: those of another part may be meant.
        let is_small = |id: usize| self.size(id) <= if in_table.contains(&id) { SMALL_IN_TABLE } else { SMALL };
        let room = |id: usize| if is_small(id) { None } else { named(name(id)) };
        let room: Vec<Option<usize>> = (0..count).map(room).collect();
        let exported = self.module.exports.iter().filter_map(|export| match export.item {
            ExportItem::Function(id) => Some(id.index()),
            _ => None,
        });
        let roots = exported.chain(in_table.iter().copied()).filter(|&id| room[id].is_none());
        // Bit k says that part k calls the function, itself or by way of functions of no room.
        let mut callers = vec![0_u32; count];
        let mut waiting: Vec<(usize, u32)> = roots.map(|id| (id, 1)).collect();
        waiting.extend((0..count).filter_map(|id| Some((id, 1 << room[id]?))));
        while let Some((id, bits)) = waiting.pop() {
            let new = bits & !callers[id];
            if new != 0 {
                callers[id] |= new;
                let of_no_room = self.called(id).into_iter().filter(|&called| room[called].is_none());
                waiting.extend(of_no_room.map(|called| (called, new)));
            }
        }
        let imported = |id: usize| matches!(self.module.funcs.get(self.functions[id]).kind, FunctionKind::Import(_));
        let part = (0..count).map(|id| match room[id] {
            Some(k) => k,
            None if imported(id) => 0,
            None => shared(callers[id]),
        });
        let own = (0..count).filter(|&id| !imported(id) && OWN.iter().any(|path| name(id).starts_with(path)));
        Ok(Division { part: part.collect(), own: own.collect() })
    }

    /// The number of instructions of a function.
    fn size(&self, id: usize) -> u64 {
        match &self.module.funcs.get(self.functions[id]).kind {
            FunctionKind::Local(local) => local.size(),
            _ => 0,
        }
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

    /// The table: as it was, and then every function that another part calls.
    fn places(&self, division: &Division) -> Result<Places> {
        let mut beyond = BTreeSet::new();
        for caller in 0..self.functions.len() {
            let from = division.part[caller];
            let is_beyond = |id: &usize| !division.is_in(*id, from);
            beyond.extend(self.called(caller).into_iter().filter(is_beyond));
        }
        // Functions that parts have for themselves call others from there.
        for &id in &division.own {
            beyond.extend(self.called(id).into_iter().filter(|called| !division.own.contains(called)));
        }
        let mut of: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (place, id) in self.table_places()? {
            of.entry(id).or_default().push(place);
        }
        let mut count = usize::try_from(self.module.tables.get(self.table).initial)?;
        for id in beyond {
            of.entry(id).or_insert_with(|| {
                count += 1;
                vec![count - 1]
            });
        }
        Ok(Places { of, count })
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

    /// Has every function that is not here call whatever is at its place of the table.
    fn call_by_table(&mut self, places: &Places, here: impl Fn(usize) -> bool) -> Result<()> {
        for (&id, of_it) in places.of.iter().filter(|(id, _)| !here(**id)) {
            let id = self.functions[id];
            let step = self.step(None, of_it[0], id)?;
            let kind = std::mem::replace(&mut self.module.funcs.get_mut(id).kind, FunctionKind::Local(step));
            if let FunctionKind::Import(import) = kind {
                self.module.imports.delete(import.import);
            }
        }
        Ok(())
    }

    /// What the engine calls to have a part loaded.
    fn load(&self) -> Result<FunctionId> {
        let mut found = self.module.imports.iter().filter(|import| import.name.starts_with(LOAD));
        match (found.next().map(|import| &import.kind), found.next()) {
            (Some(walrus::ImportKind::Function(id)), None) => Ok(*id),
            _ => bail!("the engine has no way to have its parts loaded"),
        }
    }

    /// A new function, by its number, that has part k loaded and then calls what is at a place of the table.
    fn call_after_loading(&mut self, k: usize, place: usize, id: usize, load: FunctionId) -> Result<usize> {
        let step = self.step(Some((k, load)), place, self.functions[id])?;
        let new = self.module.funcs.add_local(step);
        let name = self.module.funcs.get(self.functions[id]).name.clone();
        self.module.funcs.get_mut(new).name = name;
        self.functions.push(new);
        Ok(self.functions.len() - 1)
    }

    /// The body of a function that calls what is at a place of the table, after a part was loaded where one is named.
    fn step(&mut self, part: Option<(usize, FunctionId)>, place: usize, id: FunctionId) -> Result<LocalFunction> {
        let Self { module, table, .. } = self;
        let ty = module.funcs.get(id).ty();
        let (params, results) = (module.types.params(ty).to_vec(), module.types.results(ty).to_vec());
        let arguments: Vec<_> = params.iter().map(|&param| module.locals.add(param)).collect();
        let mut builder = FunctionBuilder::new(&mut module.types, &params, &results);
        let mut body = builder.func_body();
        if let Some((k, load)) = part {
            body.i32_const(i32::try_from(k)?).call(load);
        }
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
