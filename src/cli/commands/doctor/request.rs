//! One request to the hub that reads, with its timeout.

use std::time::Duration;

use kube::client::Body;
use kube::core::Request;
use kube::core::params::{GetParams, ListParams, PostParams};
use serde_json::Value;
use tokio::time::timeout;

use crate::doctor::Unknown;
use tidegate_model::error_chain::ErrorChain;

/// How long to wait for an answer. A person waits for the command.
const ANSWER: Duration = Duration::from_secs(10);
/// Number of objects in a page.
const PAGE: u32 = 500;

/// Why a request was not answered as expected.
pub(in crate::cli::commands) enum Refusal {
    /// Nothing is served there.
    Absent,
    /// It is not allowed.
    Forbidden,
    /// Anything else.
    Other(String),
}

/// A resource in a version.
#[derive(Clone, Copy)]
pub(in crate::cli::commands) struct Resource {
    /// The path of the group and version, such as `/apis/work.open-cluster-management.io/v1`.
    pub(in crate::cli::commands) root: &'static str,
    /// The namespace; empty for all.
    pub(in crate::cli::commands) namespace: &'static str,
    /// The plural name.
    pub(in crate::cli::commands) plural: &'static str,
}

impl Resource {
    /// Returns a resource in all namespaces.
    pub(in crate::cli::commands) const fn new(root: &'static str, plural: &'static str) -> Self {
        Self { root, namespace: "", plural }
    }

    /// Returns the path of all its objects.
    pub(in crate::cli::commands) fn path(self) -> String {
        let Self { root, namespace, plural } = self;
        if namespace.is_empty() {
            format!("{root}/{plural}")
        } else {
            format!("{root}/namespaces/{namespace}/{plural}")
        }
    }

    /// Returns the name with the group, as `kubectl auth can-i` takes it.
    fn full_name(self) -> String {
        let group = self.root.strip_prefix("/apis/").and_then(|rest| rest.split_once('/')).map(|(group, _)| group);
        group.map_or_else(|| self.plural.to_owned(), |group| format!("{}.{group}", self.plural))
    }

    /// Returns why a read of the resource was refused.
    pub(in crate::cli::commands) fn unknown(self, verb: &'static str, refusal: Refusal) -> Unknown {
        let resource = self.full_name();
        match refusal {
            Refusal::Forbidden => Unknown::Forbidden { verb, resource },
            Refusal::Absent => Unknown::NotServed { resource },
            Refusal::Other(why) => Unknown::NotListed { why: format!("{resource}: {why}") },
        }
    }
}

/// What to do at a path.
pub(in crate::cli::commands) enum Ask<'a> {
    /// Read the object with this name.
    Get(&'a str),
    /// List the objects.
    List(&'a ListParams),
    /// List the metadata of the objects.
    Metadata(&'a ListParams),
    /// Create this object.
    Create(&'a Value),
}

/// Requests to a hub.
#[derive(Clone)]
pub(in crate::cli::commands) struct Requests(pub(in crate::cli::commands) kube::Client);

impl Requests {
    /// Lists a resource.
    pub(in crate::cli::commands) async fn list(&self, resource: Resource) -> Result<Vec<Value>, Unknown> {
        self.list_labeled(resource, None).await
    }

    /// Lists the objects of a resource that a label selector selects. A list of which a page cannot be read is an error.
    pub(in crate::cli::commands) async fn list_labeled(
        &self,
        resource: Resource,
        labels: Option<String>,
    ) -> Result<Vec<Value>, Unknown> {
        let mut params = ListParams { limit: Some(PAGE), label_selector: labels, ..ListParams::default() };
        let mut found = Vec::new();
        loop {
            let answer = self.answer(&resource.path(), Ask::List(&params)).await;
            let (mut page, _) = answer.map_err(|refusal| resource.unknown("list", refusal))?;
            if let Some(items) = page.get_mut("items").and_then(Value::as_array_mut) {
                found.append(items);
            }
            let token = page.pointer("/metadata/continue").and_then(Value::as_str).filter(|token| !token.is_empty());
            match token {
                Some(token) => params.continue_token = Some(token.to_owned()),
                None => return Ok(found),
            }
        }
    }

    /// Lists the metadata of the first objects of a resource with these labels.
    pub(in crate::cli::commands) async fn first_metadata(
        &self,
        resource: Resource,
        labels: &str,
    ) -> Result<Vec<Value>, Unknown> {
        let labels = Some(labels.to_owned());
        let params = ListParams { limit: Some(PAGE), label_selector: labels, ..ListParams::default() };
        let answer = self.answer(&resource.path(), Ask::Metadata(&params)).await;
        let (mut page, _) = answer.map_err(|refusal| resource.unknown("list", refusal))?;
        Ok(page.get_mut("items").and_then(Value::as_array_mut).map(std::mem::take).unwrap_or_default())
    }

    /// Reads one object; `None` if it does not exist.
    pub(in crate::cli::commands) async fn get(&self, resource: Resource, name: &str) -> Result<Option<Value>, Unknown> {
        match self.answer(&resource.path(), Ask::Get(name)).await {
            Ok((object, _)) => Ok(Some(object)),
            Err(Refusal::Absent) => Ok(None),
            Err(refusal) => Err(resource.unknown("get", refusal)),
        }
    }

    /// Sends a request, and returns the body of the answer and its header `Date`.
    pub(in crate::cli::commands) async fn answer(
        &self,
        path: &str,
        ask: Ask<'_>,
    ) -> Result<(Value, Option<String>), Refusal> {
        let other = |error: &dyn std::error::Error| Refusal::Other(ErrorChain(error).to_string());
        let request = Request::new(path);
        let request = match ask {
            Ask::Get(name) => request.get(name, &GetParams::default()),
            Ask::List(params) => request.list(params),
            Ask::Metadata(params) => request.list_metadata(params),
            Ask::Create(object) => request.create(&PostParams::default(), object.to_string().into_bytes()),
        };
        let request = request.map_err(|error| other(&error))?;
        let answer = async {
            let response = self.0.send(request.map(Body::from)).await?;
            let date = response.headers().get("date").and_then(|date| date.to_str().ok()).map(str::to_owned);
            let code = response.status().as_u16();
            Ok::<_, kube::Error>((code, date, response.into_body().collect_bytes().await?))
        };
        let waited = timeout(ANSWER, answer).await;
        let answered = waited.map_err(|_| Refusal::Other(format!("no answer within {} s", ANSWER.as_secs())))?;
        let (code, date, bytes) = answered.map_err(|error| other(&error))?;
        match code {
            404 => Err(Refusal::Absent),
            401 | 403 => Err(Refusal::Forbidden),
            400.. => Err(Refusal::Other(format!("the hub answered with {code}"))),
            _ => serde_json::from_slice(&bytes).map(|value| (value, date)).map_err(|error| other(&error)),
        }
    }
}
