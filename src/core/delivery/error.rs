//! The reasons why nothing can be delivered to a cluster.

use serde_json::Value;

use crate::condition::ready_when::Unjudged;

/// The reason why a template cannot be rendered or packed into works. The author of the template or of its configuration
/// can fix all of them except [`Error::ImageRegistries`], which is about an annotation of the cluster.
///
/// Manifests are numbered from 0, in the order of the template.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A `{{` is not followed by a `}}`.
    #[error("manifest {manifest} of the template has a \"{{{{\" without a \"}}}}\" after it")]
    UnclosedTag {
        /// Position of the manifest.
        manifest: usize,
    },
    /// A variable of the template has no value. Refused only in strict semantics.
    #[error(
        "{object} of AddOnTemplate {template} uses the variable {{{{{variable}}}}}, which is not set; set it in \
         customizedVariables of an AddOnDeploymentConfig of the cluster, to \"\" for an empty string"
    )]
    UnsetVariable {
        /// Name of the variable, with its spaces.
        variable: String,
        /// Name of the template.
        template: String,
        /// Kind and name of the object that uses it.
        object: String,
    },
    /// A manifest is not JSON once its variables are replaced, for example because a value contains a quote.
    #[error("manifest {manifest} of the template is not JSON once its variables are replaced")]
    Syntax {
        /// Position of the manifest.
        manifest: usize,
        /// The parse error.
        #[source]
        source: serde_json::Error,
    },
    /// A manifest is not an object with a `kind`.
    #[error("object 'kind' is missing in manifest {manifest} of the template")]
    NoKind {
        /// Position of the manifest.
        manifest: usize,
    },
    /// The `manifestConfigs` of the template are invalid.
    #[error("the manifestConfigs of the template cannot be read")]
    ManifestConfigs {
        /// The parse error.
        #[source]
        source: serde_json::Error,
    },
    /// The conditions of an object of an application cannot be judged.
    #[error("{object} {unjudged}; correct its annotation tidegate.io/ready-when")]
    ReadyWhen {
        /// Kind and name of the object.
        object: String,
        /// What is wrong with them.
        unjudged: Unjudged,
    },
    /// The annotation of the cluster that names image registries is not of the form `{"registries":[{"source","mirror"}]}`.
    #[error("annotation open-cluster-management.io/image-registries of cluster {cluster} cannot be read")]
    ImageRegistries {
        /// Name of the cluster.
        cluster: String,
    },
    /// A containerID does not have three parts.
    #[error("invalid ContainerID: {0}")]
    ContainerId(String),
    /// A customized variable uses the reserved name of a setting, which then has no usable value.
    #[error("{0} value is invalid")]
    ReservedVariable(&'static str),
    /// A registration of type CustomSigner does not describe the signer.
    #[error("custom signer is nil")]
    NoCustomSigner,
    /// An object lacks the field in which its namespace should be set.
    #[error("failed to find field {0}")]
    NoField(&'static str),
    /// An object of an add-on that could be hosted names an unknown location.
    #[error("not supported manifest location: {0}")]
    Location(String),
    /// An existing work holds an object without kind or version.
    #[error("ManifestWork {work} holds an object without kind or version")]
    OddWork {
        /// Name of the work.
        work: String,
        /// The object.
        object: Box<Value>,
    },
    /// An object to be delivered has no kind or no version.
    #[error("object {name:?} has no kind or no version")]
    NoIdentity {
        /// Name of the object.
        name: String,
        /// The object.
        object: Box<Value>,
    },
}
