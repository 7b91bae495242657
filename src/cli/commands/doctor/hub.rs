//! What the hub answers. Each request is sent on its own, so that a refused request does not hide the other answers.

use k8s_openapi::api::rbac::v1::PolicyRule;

use super::objects;
use super::request::{Ask, Refusal, Requests};
use super::reviews;
use super::trouble::trouble;
use crate::cli::args::HubArgs;
use crate::cli::certificates;
use crate::cli::compose;
use crate::doctor::facts::{
    Addon, Certificate, Cluster, Definition, Foreign, Gate, Grant, KubeVela, Lease, Placement, Review, Server, Trouble,
    Writer,
};
use crate::doctor::{Known, Unknown};
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::instance::InstanceId;
use tidegate_model::time::{Timestamp, http_date};

/// What is known of a hub.
pub(super) struct HubFacts {
    pub(super) server: Result<Server, Trouble>,
    pub(super) skew: Known<i64>,
    pub(super) definitions: Known<Vec<Definition>>,
    pub(super) leases: Known<Vec<Lease>>,
    pub(super) gates: Known<Option<Vec<Gate>>>,
    pub(super) addons: Known<Vec<Addon>>,
    pub(super) placements: Known<Vec<Placement>>,
    pub(super) reviews: Known<Vec<Review>>,
    pub(super) grants: Known<Vec<Grant>>,
    pub(super) foreign: Known<Vec<Foreign>>,
    pub(super) writers: Known<Vec<Writer>>,
    pub(super) kubevela: Known<KubeVela>,
    pub(super) clusters: Known<Vec<Cluster>>,
    pub(super) certificates: Known<Vec<Certificate>>,
}

impl HubFacts {
    fn nothing(trouble: Trouble, certificates: Known<Vec<Certificate>>) -> Self {
        Self {
            server: Err(trouble),
            skew: Err(Unknown::NoHub),
            definitions: Err(Unknown::NoHub),
            leases: Err(Unknown::NoHub),
            gates: Err(Unknown::NoHub),
            addons: Err(Unknown::NoHub),
            placements: Err(Unknown::NoHub),
            reviews: Err(Unknown::NoHub),
            grants: Err(Unknown::NoHub),
            foreign: Err(Unknown::NoHub),
            writers: Err(Unknown::NoHub),
            kubevela: Err(Unknown::NoHub),
            clusters: Err(Unknown::NoHub),
            certificates,
        }
    }
}

/// Asks the hub that the flags or the environment name.
pub(super) async fn facts(args: &HubArgs, instance: Option<&InstanceId>, rules: Known<Vec<PolicyRule>>) -> HubFacts {
    const ADVICE: &str = "check --kubeconfig and --context";
    let config = match compose::access(args).await {
        Ok(config) => config,
        Err(failure) => return HubFacts::nothing(trouble(&failure, ADVICE), Err(Unknown::NoHub)),
    };
    let address = config.cluster_url.to_string();
    let mut certificates = certificates::of_access(&config);
    let client = match kube::Client::try_from(config) {
        Ok(client) => client,
        Err(error) => {
            let why = format!("{address} cannot be used: {}", ErrorChain(&error));
            return HubFacts::nothing(Trouble { why, fix: ADVICE.to_owned() }, Ok(certificates));
        }
    };
    let requests = Requests(client);
    let (server, skew) = match reach(&requests, &address).await {
        Ok(reached) => reached,
        Err(trouble) => return HubFacts::nothing(trouble, Ok(certificates)),
    };
    let definitions = objects::definitions(&requests).await;
    if let Ok(crds) = &definitions {
        certificates.extend(crds.iter().filter_map(certificates::of_webhook));
    }
    let owners = objects::owners(&requests, definitions.as_deref().unwrap_or_default(), instance).await;
    let (foreign, writers) = match owners {
        Ok(owners) => (Ok(owners.foreign), Ok(owners.writers)),
        Err(unknown) => (Err(unknown.clone()), Err(unknown)),
    };
    HubFacts {
        server: Ok(server),
        skew,
        leases: objects::leases(&requests).await,
        gates: objects::gates(&requests).await,
        addons: objects::addons(&requests, definitions.as_deref().unwrap_or_default()).await,
        placements: objects::placements(&requests).await,
        reviews: reviews::reviews(&requests).await,
        grants: match rules {
            Ok(rules) => reviews::grants(&requests, &rules).await,
            Err(unknown) => Err(unknown),
        },
        foreign,
        writers,
        kubevela: objects::kubevela(&requests).await,
        clusters: objects::clusters(&requests).await,
        definitions: definitions.map(|crds| crds.iter().filter_map(Definition::read).collect()),
        certificates: Ok(certificates),
    }
}

/// Reads the version of the hub, and compares its clock with that of this machine.
async fn reach(requests: &Requests, address: &str) -> Result<(Server, Known<i64>), Trouble> {
    let before = Timestamp::now();
    // The root of the API has an object of this name.
    let answer = requests.answer("", Ask::Get("version")).await;
    let after = Timestamp::now();
    let (version, date) = answer.map_err(|refusal| match refusal {
        Refusal::Absent => Trouble {
            why: format!("{address} answers, but is not an API server of Kubernetes"),
            fix: "check the address in the kubeconfig".to_owned(),
        },
        Refusal::Forbidden => Trouble {
            why: format!("{address} does not accept the credentials"),
            fix: "check the user in the kubeconfig; `kubectl auth whoami` shows what the hub sees".to_owned(),
        },
        Refusal::Other(why) => Trouble {
            why: format!("{address} does not answer: {why}"),
            fix: "check the address in the kubeconfig, and the network".to_owned(),
        },
    })?;
    let version = version.get("gitVersion").and_then(serde_json::Value::as_str).unwrap_or("of unknown version");
    let server = Server { address: address.trim_end_matches('/').to_owned(), version: version.to_owned() };
    let date = date.as_deref().and_then(http_date).ok_or(Unknown::NoDate);
    Ok((server, date.map(|date| skew(date, before, after))))
}

/// Returns by how many seconds the hub is ahead, given when the request was sent and answered. The header has whole seconds.
fn skew(date: Timestamp, before: Timestamp, after: Timestamp) -> i64 {
    let (date, before, after) = (date.as_second(), before.as_second(), after.as_second());
    if date > after { date - after } else { (date - before).min(0) }
}
