//! Where files of approvals are.

use tidegate_model::name::UnitName;

/// The directory of approvals, at the root of the repository.
pub const DIRECTORY: &str = "approvals";

/// Number of digits of the digest in the name of a file.
const DIGITS: usize = 12;

/// Returns the path of the file for a digest and a decision group. The name of the group is a part of the path only if it is safe
/// there; the field `group` of the document decides in any case.
pub fn path(addon: &UnitName, digest: &str, group: Option<&str>) -> String {
    let digits = digest.get(..DIGITS).unwrap_or(digest);
    let is_safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let group =
        group.map(|group| group.chars().map(|c| if is_safe(c) { c } else { '_' }).take(100).collect::<String>());
    let suffix = group.map(|group| format!("-{group}")).unwrap_or_default();
    format!("{DIRECTORY}/{}/{digits}{suffix}.yaml", addon.path())
}

/// Returns the unit in a path: `approvals/<add-on>/<file>.yaml`, or `approvals/applications/<namespace>/<name>/<file>.yaml`.
pub(super) fn unit_of(path: &str) -> Option<UnitName> {
    let (unit, file) = path.strip_prefix(DIRECTORY)?.strip_prefix('/')?.rsplit_once('/')?;
    let is_file = file.strip_suffix(".yaml").is_some_and(|name| !name.is_empty());
    UnitName::of_path(unit).ok().filter(|_| is_file)
}
