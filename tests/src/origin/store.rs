//! The objects on disk. One version is two files: `v7.body` and, written last, `v7.json`.
//!
//! The rename of `v7.json` is the moment at which version 7 is there: before it the body is a
//! stray that the next start sweeps away, after it the older version's files are. A deleted object
//! leaves a version without a body, so that no number is ever used twice and an entity tag always
//! names one version. The store knows nothing of HTTP, tokens or fences; its caller holds one lock.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// What is known of one version of one object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Version {
    /// The object's path, without query.
    pub(super) path: String,
    /// The store's count of writes when this one was applied, from 1.
    pub(super) version: u64,
    /// Whether this version is the object's end.
    pub(super) deleted: bool,
    /// The kept headers of the request that wrote it, as the journal spells them.
    pub(super) headers: Vec<(String, String)>,
}

pub(super) struct Store {
    folder: PathBuf,
    newest: BTreeMap<String, Version>,
    versions: u64,
}

impl Store {
    /// Opens or creates the store in `folder` and sweeps away what a crash left half done.
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let mut store = Self {
            folder: folder.to_owned(),
            newest: BTreeMap::new(),
            versions: 0,
        };
        for file in fs::read_dir(folder)? {
            let path = file?.path();
            if path
                .extension()
                .is_some_and(|extension| extension == "json")
            {
                store.load(serde_json::from_slice(&fs::read(&path)?)?);
            }
        }
        store.sweep()?;
        Ok(store)
    }

    /// The newest version of the object at `path`, if it exists.
    pub(super) fn find(&self, path: &str) -> Option<&Version> {
        self.newest.get(path).filter(|version| !version.deleted)
    }

    /// The bytes of a version that [`Self::find`] gave.
    pub(super) fn body(&self, version: &Version) -> io::Result<Vec<u8>> {
        fs::read(self.file(version.version, "body"))
    }

    /// Writes the object whole: after this it is there, also after a crash.
    pub(super) fn put(
        &mut self,
        path: &str,
        headers: Vec<(String, String)>,
        body: &[u8],
    ) -> io::Result<u64> {
        self.write_file(&self.file(self.versions + 1, "body"), body)?;
        self.commit(Version {
            path: path.to_owned(),
            version: self.versions + 1,
            deleted: false,
            headers,
        })
    }

    /// Ends the object; the version number counts on.
    pub(super) fn delete(&mut self, path: &str, headers: Vec<(String, String)>) -> io::Result<u64> {
        self.commit(Version {
            path: path.to_owned(),
            version: self.versions + 1,
            deleted: true,
            headers,
        })
    }

    fn commit(&mut self, version: Version) -> io::Result<u64> {
        let number = version.version;
        self.write_file(&self.file(number, "json"), &serde_json::to_vec(&version)?)?;
        self.versions = number;
        if let Some(older) = self.newest.insert(version.path.clone(), version) {
            self.remove(older.version)?;
        }
        Ok(number)
    }

    /// A file that is there whole or not at all: temporary name, fsync, rename, fsync of the folder.
    fn write_file(&self, target: &Path, bytes: &[u8]) -> io::Result<()> {
        let temporary = self.folder.join("temporary");
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, target)?;
        File::open(&self.folder)?.sync_all()
    }

    fn load(&mut self, version: Version) {
        self.versions = self.versions.max(version.version);
        let newest = self
            .newest
            .entry(version.path.clone())
            .or_insert_with(|| version.clone());
        if newest.version < version.version {
            *newest = version;
        }
    }

    fn sweep(&self) -> io::Result<()> {
        let kept = |name: &str| {
            self.newest.values().any(|version| {
                let number = version.version;
                name == format!("v{number}.json")
                    || (!version.deleted && name == format!("v{number}.body"))
            })
        };
        for file in fs::read_dir(&self.folder)? {
            let file = file?;
            if !file.file_name().to_str().is_some_and(kept) {
                fs::remove_file(file.path())?;
            }
        }
        Ok(())
    }

    fn remove(&self, version: u64) -> io::Result<()> {
        fs::remove_file(self.file(version, "json"))?;
        match fs::remove_file(self.file(version, "body")) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            done => done,
        }
    }

    fn file(&self, version: u64, kind: &str) -> PathBuf {
        self.folder.join(format!("v{version}.{kind}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_and_version_numbers_survive_a_restart() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = Store::open(folder.path()).expect("an empty store");
        store
            .put("/a", vec![("fencing-token".into(), "42".into())], b"one")
            .expect("written");
        store.put("/a", vec![], b"two").expect("written");
        store.put("/b", vec![], b"gone").expect("written");
        store.delete("/b", vec![]).expect("deleted");
        fs::write(folder.path().join("v9.body"), b"a crash before the rename").expect("written");

        let mut store = Store::open(folder.path()).expect("the same store");
        let found = store.find("/a").expect("there").clone();
        assert_eq!(
            (found.version, store.body(&found).expect("readable")),
            (2, b"two".to_vec())
        );
        assert_eq!(store.find("/b"), None);
        assert_eq!(
            store.put("/b", vec![], b"new").expect("written"),
            5,
            "no number is used twice"
        );
        let files = fs::read_dir(folder.path()).expect("readable").count();
        assert_eq!(files, 4, "two versions, nothing else");
    }
}
