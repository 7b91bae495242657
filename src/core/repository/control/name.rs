//! What a control file is about, according to its name.

use crate::reserved::CONTROL;
use tidegate_model::name::UnitName;

/// The name of the file about all add-ons, without its ending.
pub const FLEET: &str = "_fleet";

/// What a control file is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum About {
    /// All add-ons.
    Fleet,
    /// One add-on.
    Addon(UnitName),
    /// Unknown: the name is not that of an add-on.
    Unknown,
}

/// Returns the path of the control file of a unit, or of all units.
pub fn path_of(unit: Option<&UnitName>) -> String {
    match unit {
        None => format!("{CONTROL}/{FLEET}.yaml"),
        Some(unit) => format!("{CONTROL}/{}.yaml", unit.path()),
    }
}

/// The folder of the control files of applications.
const APPLICATIONS: &str = "applications/";

/// Returns the application that a path below `control/` is about; `None` if it is about something else.
fn application_of(inside: &str) -> Option<UnitName> {
    let stem = inside.rsplit_once('.').map_or(inside, |(stem, _)| stem).to_lowercase();
    UnitName::of_path(&stem).ok().filter(|unit| unit.addon().is_none())
}

/// Returns what a file below `control/` is about, and what is wrong with its name. A name that is nearly right counts as the right
/// one, so that the file pauses what it was meant for.
pub(super) fn about(file: &str) -> (About, Option<String>) {
    let inside = file.strip_prefix(CONTROL).and_then(|rest| rest.strip_prefix('/')).unwrap_or(file);
    let name = inside.rsplit('/').next().unwrap_or(inside);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if inside.starts_with(APPLICATIONS) && application_of(inside).is_none() {
        let why = format!(
            "{inside:?} does not name an application; name the file {CONTROL}/{APPLICATIONS}NAMESPACE/NAME.yaml"
        );
        return (About::Unknown, Some(why));
    }
    let about = match stem.to_lowercase() {
        _ if application_of(inside).is_some() => application_of(inside).map_or(About::Unknown, About::Addon),
        stem if stem.starts_with('_') => About::Fleet,
        stem => stem.parse().map_or(About::Unknown, About::Addon),
    };
    let right = match &about {
        About::Fleet => path_of(None),
        About::Addon(addon) => path_of(Some(addon)),
        About::Unknown => {
            let why = format!("{stem:?} is not the name of an add-on; name the file {CONTROL}/<add-on>.yaml");
            return (about, Some(why));
        }
    };
    let wrong = (file != right).then(|| format!("a control file has another name; name it {right}"));
    (about, wrong)
}
