//! The SQLite file of a census: one table a census, and checkpoints of engines.

use impartial::Error;
use rusqlite::{Connection, OptionalExtension as _, params};

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

    /// The connection, for the census's own queries.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// A SQLite error as bad input that names the file.
    pub fn failure(&self, error: &rusqlite::Error) -> Error {
        explained(&self.path, error)
    }

    /// Runs `write` in one transaction: all of it is kept, or nothing.
    pub fn transaction(&self, write: impl FnOnce(&Connection) -> rusqlite::Result<()>) -> Result<(), Error> {
        let transaction = self.connection.unchecked_transaction().map_err(|error| self.failure(&error))?;
        write(&transaction).and_then(|()| transaction.commit()).map_err(|error| self.failure(&error))
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
}
