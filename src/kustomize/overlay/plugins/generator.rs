//! Generators as plugins.

use crate::overlay::generate::Kind;
use crate::overlay::input::{Generator, Reader, Text, config_map, secret};
use crate::overlay::model::Resource;
use crate::overlay::model::values::Cause;
use crate::yaml::{Error, Key, Mapping, Node, Origin, Provenance, Scalar};

/// A generator with its configuration.
#[derive(Debug)]
pub(crate) enum PluginGenerator {
    /// Generates a ConfigMap or a Secret.
    Data(Kind, Box<Generator>),
    /// Generates a ServiceAccount that acts as an account of Google Cloud.
    Iam(Box<Iam>),
}

/// An IAMPolicyGenerator.
#[derive(Debug)]
pub(crate) struct Iam {
    origin: Origin,
    name: Option<Text>,
    namespace: Option<Text>,
    account: Option<Text>,
    project: Option<Text>,
}

impl PluginGenerator {
    /// Reads the configuration of a generator.
    pub(crate) fn read(kind: &'static str, config: &Resource, reader: &mut Reader) -> Self {
        let data = |kind, read: fn(&Node, &mut Reader) -> Generator, reader: &mut Reader| {
            let mut node = config.node.clone();
            let metadata = node.as_mapping_mut().and_then(|mapping| {
                mapping.remove("apiVersion");
                mapping.remove("kind");
                if let Some(env) = mapping.remove("env") {
                    reader.warn(env.value.origin, "env has no effect in a plugin; write envs");
                }
                mapping.remove("metadata")
            });
            let mut generator = read(&node, reader);
            let metadata = metadata.map(|entry| entry.value);
            let mut own = |field: &str| {
                metadata.as_ref()?.get(field).map(|node| reader.text_of(node, field)).filter(|text| !text.is_empty())
            };
            generator.name = generator.name.or_else(|| own("name"));
            generator.namespace = generator.namespace.or_else(|| own("namespace"));
            Self::Data(kind, Box::new(generator))
        };
        match kind {
            "ConfigMapGenerator" => data(Kind::ConfigMap, config_map, reader),
            "SecretGenerator" => data(Kind::Secret, secret, reader),
            _ => Self::Iam(Box::new(iam(&config.node, reader))),
        }
    }
}

fn iam(node: &Node, reader: &mut Reader) -> Iam {
    let known = ["apiVersion", "kind", "metadata", "cloud", "kubernetesService", "serviceAccount"];
    let fields = reader.fields(node, "an IAMPolicyGenerator", &known);
    match reader.text(&fields, "cloud") {
        Some(cloud) if &*cloud.text == "gke" => {}
        Some(cloud) => reader.error(cloud.origin, format!("the cloud {:?} is not known; write gke", cloud.text)),
        None => reader.error(node.origin, "the cloud is missing; write `cloud: gke`"),
    }
    let nothing = Node::mapping(Mapping::new(), node.origin);
    let service =
        reader.fields(fields.get("kubernetesService").unwrap_or(&nothing), "kubernetesService", &["name", "namespace"]);
    let account =
        reader.fields(fields.get("serviceAccount").unwrap_or(&nothing), "serviceAccount", &["name", "projectId"]);
    // Numbers are not accepted as strings here.
    let mut strict = Reader::default();
    let iam = Iam {
        origin: node.origin,
        name: strict.text(&service, "name"),
        namespace: strict.text(&service, "namespace"),
        account: strict.text(&account, "name"),
        project: strict.text(&account, "projectId"),
    };
    reader.errors.append(&mut strict.errors);
    iam
}

/// Makes the object of an IAMPolicyGenerator.
///
/// # Errors
/// [`Error`] if it has no name.
///
/// # Source
/// kustomize `iampolicygenerator.Filter`.
pub(crate) fn service_account(iam: &Iam, provenance: &mut Provenance) -> Result<Resource, Error> {
    let Some(name) = &iam.name else {
        return Err(iam.origin.error("the ServiceAccount has no name; write kubernetesService.name"));
    };
    let origin = Cause::new("IAMPolicyGenerator", iam.origin).origin(iam.origin, None, provenance);
    let key = |key: &str| Key::new(key, origin);
    let plain = |text: &str| Node::scalar(Scalar::plain(text), origin);
    let text = |text: &Option<Text>| text.as_ref().map(|text| text.text.to_string()).unwrap_or_default();
    let address = format!("{}@{}.iam.gserviceaccount.com", text(&iam.account), text(&iam.project));
    let annotations = [(key("iam.gke.io/gcp-service-account"), plain(&address))].into_iter().collect();
    let mut metadata: Mapping =
        [(key("annotations"), Node::mapping(annotations, origin)), (key("name"), plain(&name.text))]
            .into_iter()
            .collect();
    if let Some(namespace) = &iam.namespace {
        metadata.insert(key("namespace"), plain(&namespace.text));
    }
    let object = [
        (key("apiVersion"), plain("v1")),
        (key("kind"), plain("ServiceAccount")),
        (key("metadata"), Node::mapping(metadata, origin)),
    ];
    Ok(Resource::new(Node::mapping(object.into_iter().collect(), origin)))
}
