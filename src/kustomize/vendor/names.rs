//! The names of kustomization files.

/// The names that a kustomization file may have.
pub(crate) const NAMES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// Returns the possible paths of the kustomization file of a directory. `.` and the empty path mean the root.
pub fn kustomizations(directory: &str) -> [String; 3] {
    NAMES.map(|name| match directory {
        "" | "." => name.to_owned(),
        directory => format!("{directory}/{name}"),
    })
}

/// Returns `true` if a file is a kustomization.
pub fn is_kustomization(file: &str) -> bool {
    NAMES.contains(&file.rsplit('/').next().unwrap_or(file))
}
