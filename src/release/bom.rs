//! The bill of materials: every package that is compiled into the program.
//!
//! Source: the specification of CycloneDX, version 1.6, in JSON.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::Error;

/// What `cargo metadata --format-version 1` prints, as far as it is needed.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    source: Option<String>,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
    root: Option<String>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    kind: Option<String>,
}

/// What `Cargo.lock` contains, as far as it is needed.
#[derive(Deserialize)]
struct Lock {
    package: Vec<Locked>,
}

#[derive(Deserialize)]
struct Locked {
    name: String,
    version: String,
    checksum: Option<String>,
}

/// Returns the bill of materials of the root package, in CycloneDX.
///
/// `metadata` is the output of `cargo metadata --format-version 1` for one platform, and `lock` is `Cargo.lock`. Packages that only tests,
/// build scripts or the compiler need are left out. `seconds` is the time that the document names, in seconds after 1970.
///
/// # Errors
///
/// [`Error::Packages`] if one of the texts cannot be read or has no root package, and [`Error::Time`] for a time that is not a date.
pub fn bill_of_materials(metadata: &str, lock: &str, seconds: i64) -> Result<Value, Error> {
    let created = Timestamp::from_second(seconds).map_err(|_| Error::Time { seconds })?;
    let metadata: Metadata = serde_json::from_str(metadata).map_err(unusable)?;
    let lock: Lock = toml::from_str(lock).map_err(unusable)?;
    let root = metadata.resolve.root.as_deref().ok_or_else(|| unusable("there is no root package"))?;
    let macros: BTreeSet<&str> =
        metadata.packages.iter().filter(|package| package.is_macro()).map(|package| package.id.as_str()).collect();
    let dependencies: BTreeMap<&str, Vec<&str>> =
        metadata.resolve.nodes.iter().map(|node| (node.id.as_str(), node.compiled_in(&macros))).collect();
    let used = reached(root, &dependencies);
    let mut packages: Vec<&Package> =
        metadata.packages.iter().filter(|package| used.contains(package.id.as_str())).collect();
    packages.sort_by_key(|package| (&package.name, &package.version));
    let purls: BTreeMap<&str, String> = packages.iter().map(|package| (package.id.as_str(), package.purl())).collect();
    let sums: BTreeMap<(&str, &str), &str> = lock
        .package
        .iter()
        .filter_map(|locked| Some(((locked.name.as_str(), locked.version.as_str()), locked.checksum.as_deref()?)))
        .collect();
    let component =
        |package: &&Package| package.component(sums.get(&(package.name.as_str(), package.version.as_str())));
    let (roots, others): (Vec<&Package>, Vec<&Package>) = packages.iter().partition(|package| package.id == root);
    let of = |package: &&Package| {
        let on: BTreeSet<&String> = dependencies[package.id.as_str()].iter().filter_map(|id| purls.get(id)).collect();
        json!({ "ref": package.purl(), "dependsOn": on })
    };
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": created.to_string(),
            "component": roots.first().map(|package| package.component(None)),
        },
        "components": others.iter().map(component).collect::<Vec<_>>(),
        "dependencies": packages.iter().map(of).collect::<Vec<_>>(),
    }))
}

fn unusable(why: impl ToString) -> Error {
    Error::Packages { why: why.to_string() }
}

/// Returns the package and everything that is compiled in because of it.
fn reached<'a>(root: &'a str, dependencies: &BTreeMap<&'a str, Vec<&'a str>>) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut open = vec![root];
    while let Some(package) = open.pop() {
        if found.insert(package) {
            open.extend(dependencies.get(package).into_iter().flatten());
        }
    }
    found
}

impl Node {
    /// Returns the packages that are compiled into this one. The dependencies of tests and build scripts have a kind; macros run inside of the
    /// compiler.
    fn compiled_in(&self, macros: &BTreeSet<&str>) -> Vec<&str> {
        let is_compiled_in = |on: &&Dependency| on.dep_kinds.iter().any(|kind| kind.kind.is_none());
        let names = self.deps.iter().filter(is_compiled_in).map(|on| on.pkg.as_str());
        names.filter(|name| !macros.contains(name)).collect()
    }
}

impl Package {
    /// Returns `true` if the package contains macros for the compiler, and nothing that programs link.
    fn is_macro(&self) -> bool {
        self.targets.iter().any(|target| target.kind.iter().any(|kind| kind == "proc-macro"))
    }

    fn purl(&self) -> String {
        format!("pkg:cargo/{}@{}", self.name, self.version)
    }

    fn component(&self, checksum: Option<&&str>) -> Value {
        let is_program = self.source.is_none() && self.name == "tidegate";
        let mut component = json!({
            "type": if is_program { "application" } else { "library" },
            "bom-ref": self.purl(),
            "name": self.name,
            "version": self.version,
            "purl": self.purl(),
        });
        if let Some(license) = &self.license {
            // Old packages separate alternatives with a slash.
            component["licenses"] = json!([{ "expression": license.replace('/', " OR ") }]);
        }
        if let Some(checksum) = checksum {
            component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
        }
        component
    }
}
