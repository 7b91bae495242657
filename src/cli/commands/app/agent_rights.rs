//! Asks a cluster which rights its work agent has.

use futures::StreamExt as _;
use serde_json::{Value, json};

use crate::cli::args::AppPermissionsArgs;
use crate::cli::commands::doctor::request::{Ask, Requests, Resource};
use crate::cli::compose;
use crate::cli::failure::Failure;
use crate::doctor::Unknown;
use tidegate_delivery::Access;
use tidegate_model::name::NamespacedName;
use tidegate_repository::Lacking;

const REVIEWS: Resource = Resource::new("/apis/authorization.k8s.io/v1", "subjectaccessreviews");
/// Number of reviews under way.
const CONCURRENT: usize = 8;

/// Returns what of the needed rights the work agent of a cluster does not have.
///
/// # Errors
/// [`Failure::Unreachable`] if an answer is missing: then it is not known what the agent lacks.
pub(super) async fn denied(args: &AppPermissionsArgs, mut needed: Lacking) -> Result<Lacking, Failure> {
    let requests = Requests(compose::client(&args.hub).await?);
    let all = needed.requests();
    let answers = futures::stream::iter(&all).map(|access| is_allowed(&requests, &args.agent, access));
    let answers: Vec<Result<bool, Unknown>> = answers.buffered(CONCURRENT).collect().await;
    let mut denied = Vec::new();
    for (access, answer) in all.iter().zip(answers) {
        if !answer.map_err(|unknown| incomplete(&unknown))? {
            denied.push(access);
        }
    }
    for accesses in needed.components.values_mut() {
        accesses.retain(|access| denied.contains(&access));
    }
    needed.components.retain(|_, accesses| !accesses.is_empty());
    let is_denied = |resource: &String| denied.iter().any(|access| access.resource == *resource);
    needed.guessed.retain(|_, resource| is_denied(resource));
    Ok(needed)
}

fn incomplete(unknown: &Unknown) -> Failure {
    Failure::Unreachable {
        message: format!("the rights of the work agent are not known: {unknown}"),
        hint: "check that --kubeconfig and --context name the cluster, and that the account may create SubjectAccessReviews there".to_owned(),
    }
}

async fn is_allowed(requests: &Requests, agent: &NamespacedName, access: &Access) -> Result<bool, Unknown> {
    let answer = requests.answer(&REVIEWS.path(), Ask::Create(&review(agent, access))).await;
    let (answer, _) = answer.map_err(|refusal| REVIEWS.unknown("create", refusal))?;
    let allowed = answer.pointer("/status/allowed").and_then(Value::as_bool);
    allowed.ok_or_else(|| Unknown::NotListed { why: format!("the answer about `{access}` has no status") })
}

/// Returns the review of a request of an agent, which is a service account.
///
/// # Source
/// Kubernetes `authorization.k8s.io/v1`, and the user and groups of a service account in `k8s.io/apiserver/pkg/authentication/serviceaccount`.
fn review(agent: &NamespacedName, access: &Access) -> Value {
    let NamespacedName { namespace, name } = agent;
    let (resource, subresource) = access.resource.split_once('/').unwrap_or((&access.resource, ""));
    // A new object has no name when the request is authorized.
    let of_object = if access.verb == "create" { "" } else { &access.name };
    json!({
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SubjectAccessReview",
        "spec": {
            "user": format!("system:serviceaccount:{namespace}:{name}"),
            "groups": [
                "system:serviceaccounts", format!("system:serviceaccounts:{namespace}"), "system:authenticated",
            ],
            "resourceAttributes": {
                "group": access.group, "resource": resource, "subresource": subresource, "namespace": access.namespace,
                "name": of_object, "verb": access.verb,
            },
        },
    })
}
