//! The SQLite file of a census: one table a census, and checkpoints of engines.

use impartial::Error;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, params, params_from_iter};

/// The version that makes a result: results of different versions are not put together.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What every row of a census of independent games has besides its own columns.
const COMMON: &str = "
    certificate TEXT,          -- SHA-256 of the strategy file, kept in FILE.certificates
    version TEXT NOT NULL,     -- of impartial
    budget REAL NOT NULL,      -- processor seconds allowed
    cpu_seconds REAL NOT NULL, -- processor seconds used";
const COMMON_COLUMNS: [&str; 4] = ["certificate", "version", "budget", "cpu_seconds"];

/// The table of a census of independent games.
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// The definitions of its own columns, and the names of them.
    pub definition: &'static str,
    pub columns: &'static [&'static str],
    /// The columns that say which game a row is about.
    pub key: &'static [&'static str],
    /// Expressions that order results by strength; `@` stands before each column.
    pub strength: &'static str,
    /// Holds for rows that need not be tried again.
    pub settled: &'static str,
}

/// What a result has cost and where its certificate is.
pub struct Cost {
    pub certificate: Option<String>,
    pub budget: f64,
    pub cpu_seconds: f64,
}

impl Table {
    /// The SQL that makes the table.
    pub fn create(&self) -> String {
        let Self { name, definition, key, .. } = self;
        let key = key.join(", ");
        // Definitions end in comments: what follows begins a line.
        format!("CREATE TABLE IF NOT EXISTS {name} ({definition}\n    ,{COMMON}\n    PRIMARY KEY ({key})\n) STRICT;")
    }

    /// All its columns.
    pub fn all_columns(&self) -> Vec<&'static str> {
        self.columns.iter().chain(&COMMON_COLUMNS).copied().collect()
    }

    /// Keeps a result, inside a transaction, unless one as strong is there.
    pub fn keep(&self, connection: &Connection, row: &[Value]) -> rusqlite::Result<bool> {
        let columns = self.all_columns();
        let marks = vec!["?"; columns.len()].join(", ");
        let taken: Vec<String> = columns.iter().map(|column| format!("{column} = excluded.{column}")).collect();
        let (new, old) =
            (self.strength.replace('@', "excluded."), self.strength.replace('@', &format!("{}.", self.name)));
        let sql = format!(
            "INSERT INTO {} ({}) VALUES ({marks}) ON CONFLICT ({}) DO UPDATE SET {} WHERE ({new}) > ({old})",
            self.name,
            columns.join(", "),
            self.key.join(", "),
            taken.join(", ")
        );
        Ok(connection.prepare_cached(&sql)?.execute(params_from_iter(row))? > 0)
    }

    /// A row of this version: its own columns, and what it has cost.
    pub fn row(own: Vec<Value>, cost: &Cost) -> Vec<Value> {
        let mut row = own;
        row.push(cost.certificate.clone().into());
        row.extend([VERSION.to_owned().into(), cost.budget.into(), cost.cpu_seconds.into()]);
        row
    }

    /// The condition of rows that a run with this budget leaves alone: all, or, when what is not settled is tried again, those that
    /// are settled or had as much time and reached `as far`.
    pub fn done(&self, budget: f64, retry: bool, as_far: &str) -> String {
        if retry { format!("({} OR budget >= {budget} AND {as_far})", self.settled) } else { "1".to_owned() }
    }
}

/// An opened census file.
pub struct Store {
    path: String,
    connection: Connection,
}

impl Store {
    /// Opens a census file, or makes a new one; `tables` is the SQL that creates the census's tables if they
    /// do not exist.
    pub fn open(path: &str, tables: &str) -> Result<Self, Error> {
        let connection = Connection::open(path).map_err(|error| explained(path, &error))?;
        let store = Self { path: path.to_owned(), connection };
        let checkpoints =
            "CREATE TABLE IF NOT EXISTS checkpoint (name TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT;";
        for sql in ["PRAGMA journal_mode = WAL;", checkpoints, tables] {
            store.connection.execute_batch(sql).map_err(|error| store.failure(&error))?;
        }
        Ok(store)
    }

    /// Opens a census of independent games, and refuses one that another version made.
    pub fn open_table(path: &str, table: &Table) -> Result<Self, Error> {
        let store = Self::open(path, &table.create())?;
        let other = store.versions(table)?.into_iter().find(|version| version != VERSION);
        match other {
            None => Ok(store),
            Some(other) => Err(Error::Input(format!(
                "{path}: results of version {other}, and this is {VERSION}; what is called settled may differ: give a new path"
            ))),
        }
    }

    /// The versions that made the results of a table.
    pub fn versions(&self, table: &Table) -> Result<Vec<String>, Error> {
        self.column(&format!("SELECT DISTINCT version FROM {} ORDER BY 1", table.name))
    }

    /// Whether the file has a table.
    pub fn has(&self, table: &str) -> Result<bool, Error> {
        let found: Vec<String> =
            self.column(&format!("SELECT name FROM sqlite_master WHERE type = 'table' AND name = '{table}'"))?;
        Ok(!found.is_empty())
    }

    /// The first column of a query.
    pub fn column(&self, query: &str) -> Result<Vec<String>, Error> {
        let read = || -> rusqlite::Result<Vec<String>> {
            let mut statement = self.connection.prepare(query)?;
            let column = statement.query_map([], |row| row.get(0))?;
            column.collect()
        };
        read().map_err(|error| self.failure(&error))
    }

    /// Rows of a table, all its columns.
    pub fn rows(&self, table: &Table) -> Result<Vec<Vec<Value>>, Error> {
        let columns = table.all_columns();
        let query = format!("SELECT {} FROM {} ORDER BY {}", columns.join(", "), table.name, table.key.join(", "));
        let read = || -> rusqlite::Result<Vec<Vec<Value>>> {
            let mut statement = self.connection.prepare(&query)?;
            let rows = statement.query_map([], |row| (0..columns.len()).map(|i| row.get(i)).collect())?;
            rows.collect()
        };
        read().map_err(|error| self.failure(&error))
    }

    /// The connection, for the census's own queries.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// A SQLite error as bad input that names the file.
    pub fn failure(&self, error: &rusqlite::Error) -> Error {
        explained(&self.path, error)
    }

    /// Runs `write` in one transaction: all of it is kept, or nothing.
    pub fn transaction<T>(&self, write: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Error> {
        let transaction = self.connection.unchecked_transaction().map_err(|error| self.failure(&error))?;
        let written = write(&transaction).and_then(|written| transaction.commit().map(|()| written));
        written.map_err(|error| self.failure(&error))
    }

    /// The checkpoint of an engine, when there is one.
    pub fn checkpoint(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        self.connection
            .query_row("SELECT content FROM checkpoint WHERE name = ?1", [name], |row| row.get(0))
            .optional()
            .map_err(|error| self.failure(&error))
    }

    /// Keeps the checkpoint of an engine, inside a transaction.
    pub fn keep_checkpoint(connection: &Connection, name: &str, content: &[u8]) -> rusqlite::Result<()> {
        connection
            .execute("INSERT OR REPLACE INTO checkpoint (name, content) VALUES (?1, ?2)", params![name, content])
            .map(|_| ())
    }
}

fn explained(path: &str, error: &rusqlite::Error) -> Error {
    Error::input(format!("{path}: {error}; give a SQLite file of a census, or a new path"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_are_kept_and_other_files_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("census.sqlite");
        let path = path.to_str().unwrap();
        let store = Store::open(path, "").unwrap();
        assert_eq!(store.checkpoint("x").unwrap(), None);
        store.transaction(|connection| Store::keep_checkpoint(connection, "x", &[1, 2])).unwrap();
        drop(store);
        assert_eq!(Store::open(path, "").unwrap().checkpoint("x").unwrap(), Some(vec![1, 2]));
        let other = folder.path().join("other");
        std::fs::write(&other, "not a database, but long enough to look like a file of some kind").unwrap();
        assert!(Store::open(other.to_str().unwrap(), "").is_err());
    }

    #[test]
    fn the_stronger_result_is_kept() {
        let table = Table {
            name: "t",
            definition: "game TEXT NOT NULL, proved INTEGER NOT NULL, heaps INTEGER NOT NULL",
            columns: &["game", "proved", "heaps"],
            key: &["game"],
            strength: "@proved, @heaps, @budget",
            settled: "proved",
        };
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_table(folder.path().join("t.sqlite").to_str().unwrap(), &table).unwrap();
        let keep = |proved: i64, heaps: i64, budget: f64| {
            let cost = Cost { certificate: None, budget, cpu_seconds: 0.0 };
            let row = Table::row(vec!["g".to_owned().into(), proved.into(), heaps.into()], &cost);
            store.transaction(|connection| table.keep(connection, &row)).unwrap()
        };
        assert!(keep(0, 5, 1.0));
        assert!(!keep(0, 5, 1.0), "the same");
        assert!(keep(0, 5, 2.0), "more time, for the same");
        assert!(!keep(0, 4, 9.0), "fewer heaps");
        assert!(keep(1, 1, 0.5), "a proof");
        assert!(!keep(0, 9, 9.0), "no proof");
        assert_eq!(store.rows(&table).unwrap().len(), 1);
    }
}
