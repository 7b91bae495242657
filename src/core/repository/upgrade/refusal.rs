//! Why an add-on cannot have another version by a change of one line.

use tidegate_model::name::UnitName;

/// Why an add-on cannot have another version by a change of one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The repository has no such add-on.
    #[error("the repository has no add-on {addon}; it has: {}", .known.join(", "))]
    NoAddon {
        /// The add-on.
        addon: UnitName,
        /// Those that it has.
        known: Vec<String>,
    },
    /// The default configurations of the add-on name no template, or several.
    #[error("the default configurations of {addon} name {count} AddOnTemplates, and not one; change them by hand")]
    NotOneTemplate {
        /// The add-on.
        addon: UnitName,
        /// How many they name.
        count: usize,
    },
    /// There is no template for the version.
    #[error(
        "{addon} has no AddOnTemplate for version {version}; it has: {}; copy one of their files to the new version first", .known.join(", ")
    )]
    NoVersion {
        /// The add-on.
        addon: UnitName,
        /// The version.
        version: String,
        /// The versions that it has templates for.
        known: Vec<String>,
    },
    /// Several templates have the version.
    #[error("{addon} has several AddOnTemplates for this version: {}; give the name of one", .templates.join(", "))]
    SeveralTemplates {
        /// The add-on.
        addon: UnitName,
        /// Their names.
        templates: Vec<String>,
    },
    /// It has the version already.
    #[error("{addon} has version {version} already")]
    Same {
        /// The add-on.
        addon: UnitName,
        /// The version.
        version: String,
    },
    /// The line that names the template is not in the file that declares the add-on.
    #[error("{file} declares {addon}, and does not name {template} as its template itself; change it by hand")]
    Elsewhere {
        /// The add-on.
        addon: UnitName,
        /// The file.
        file: String,
        /// The template.
        template: String,
    },
    /// More would change than the add-on.
    #[error("others would change, too: {}; change {file} by hand", .others.join(", "))]
    Shared {
        /// What else would change.
        others: Vec<String>,
        /// The file.
        file: String,
    },
    /// The add-on would not change: something else decides about its template.
    #[error("{addon} would stay as it is: an overlay or a placement decides about its template; change that by hand")]
    NoEffect {
        /// The add-on.
        addon: UnitName,
    },
    /// The template in use cannot be copied with newer versions.
    #[error(
        "{file} does not itself contain every version of {template} that has to change, or uses YAML aliases or version ranges; copy the \
         template by hand"
    )]
    Uncopied {
        /// The template.
        template: String,
        /// The file that declares it.
        file: String,
    },
    /// Something else than the file of the template decides about it.
    #[error("{by} changes {template} and would not change its copy; copy the template by hand")]
    Patched {
        /// The template.
        template: String,
        /// The file with the patch, or that it is an overlay.
        by: String,
    },
    /// The chart of the copy would have another release name, so that all of its objects would be replaced.
    #[error(
        "{template} does not name the release of its chart, so its copy would replace every object of it; add the annotation \
         tidegate.io/chart-release: {template} in {file}"
    )]
    NoRelease {
        /// The template.
        template: String,
        /// The file that declares it.
        file: String,
    },
    /// A kustomization lists the template in a way that cannot be extended.
    #[error("{kustomization} does not list {file} on a line of its own; copy the template to the next version by hand")]
    Unlisted {
        /// The kustomization.
        kustomization: String,
        /// The file with the template.
        file: String,
    },
    /// The next version exists already.
    #[error("{what} exists already, but the add-on does not use it; use it or remove it")]
    Taken {
        /// The object or the file.
        what: String,
    },
    /// The result would have errors.
    #[error("the result would have errors: {}", .complaints.join("; "))]
    Errors {
        /// The first errors.
        complaints: Vec<String>,
    },
}
