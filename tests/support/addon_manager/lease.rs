//! The lease of the leader, which shows that OCM's add-on manager runs on a hub.
//!
//! # Source
//! OCM `pkg/cmd/hub/addon.go`, whose component is named `manager`; openshift/library-go, which appends `-lock`, takes the namespace
//! of the pod, and releases the lease when the process ends.

use std::time::Duration;

use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{MicroTime, ObjectMeta};
use serde_json::{Value, json};
use tidegate_model::time::Timestamp;

use crate::upstream::hub::kind::LEASE;
use crate::upstream::hub::write::FIELD_MANAGER;
use crate::upstream::hub::write::Writer;

/// The namespace of the lease.
pub(crate) const LEASE_NAMESPACE: &str = "open-cluster-management-hub";
/// The name of the lease.
pub(crate) const LEASE_NAME: &str = "manager-lock";
/// Time after which another process may take over a lease that is not renewed.
pub(crate) const LEASE_DURATION: Duration = Duration::from_secs(137);
/// Time between renewals.
pub(crate) const RENEWAL: Duration = Duration::from_secs(26);

/// The lease, held by one process.
pub(in crate::upstream) struct Leadership {
    writer: Writer,
    now: fn() -> Timestamp,
    holder: String,
}

impl Leadership {
    pub(in crate::upstream) fn new(writer: Writer, now: fn() -> Timestamp, holder: String) -> Self {
        Self { writer, now, holder }
    }

    /// Waits until the lease is free, and takes it.
    pub(in crate::upstream) async fn acquire(&self) {
        let namespace = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": LEASE_NAMESPACE } });
        let _exists_already = self.writer.send("POST", "/api/v1/namespaces", &namespace).await;
        while !self.try_acquire().await {
            tokio::time::sleep(RENEWAL).await;
        }
    }

    /// Renews the lease forever.
    pub(in crate::upstream) async fn keep(&self) {
        loop {
            tokio::time::sleep(RENEWAL).await;
            self.renew(&self.holder, LEASE_DURATION).await;
        }
    }

    /// Gives the lease up.
    pub(in crate::upstream) async fn release(&self) {
        self.renew("", Duration::from_secs(1)).await;
    }

    async fn try_acquire(&self) -> bool {
        let Some(lease) = self.read().await else {
            let lease = Lease {
                metadata: ObjectMeta { name: Some(LEASE_NAME.to_owned()), ..ObjectMeta::default() },
                spec: Some(self.spec(&self.holder, LEASE_DURATION, 0)),
            };
            return self.send("POST", LEASE.path(LEASE_NAMESPACE), &json!(lease)).await;
        };
        let spec = lease.spec.unwrap_or_default();
        let age = spec.renew_time.map(|renewed| (self.now)().duration_since(renewed.0));
        let allowed = i64::from(spec.lease_duration_seconds.unwrap_or_default());
        let is_free = spec.holder_identity.is_none_or(|holder| holder.is_empty());
        if !is_free && age.is_some_and(|age| age.as_secs() < allowed) {
            return false;
        }
        let spec = self.spec(&self.holder, LEASE_DURATION, spec.lease_transitions.unwrap_or_default() + 1);
        self.send("PATCH", self.path(), &json!({ "spec": spec })).await
    }

    async fn renew(&self, holder: &str, duration: Duration) {
        let spec = self.spec(holder, duration, 0);
        let renewed = json!({ "holderIdentity": holder, "leaseDurationSeconds": spec.lease_duration_seconds, "renewTime": spec.renew_time });
        self.send("PATCH", self.path(), &json!({ "spec": renewed })).await;
    }

    fn spec(&self, holder: &str, duration: Duration, transitions: i32) -> LeaseSpec {
        let now = (self.now)();
        LeaseSpec {
            holder_identity: Some(holder.to_owned()),
            lease_duration_seconds: i32::try_from(duration.as_secs()).ok(),
            lease_transitions: Some(transitions),
            acquire_time: Some(MicroTime(now)),
            renew_time: Some(MicroTime(now)),
            ..LeaseSpec::default()
        }
    }

    fn path(&self) -> String {
        format!("{}/{LEASE_NAME}", LEASE.path(LEASE_NAMESPACE))
    }

    async fn read(&self) -> Option<Lease> {
        let answer = self.writer.send("GET", &self.path(), &Value::Null).await.ok()?;
        serde_json::from_value(answer).ok()
    }

    async fn send(&self, verb: &str, path: String, body: &Value) -> bool {
        let sent = self.writer.send(verb, &format!("{path}?fieldManager={FIELD_MANAGER}"), body).await;
        if sent.is_ok() {
            self.writer.count(LEASE.kind);
        }
        sent.is_ok()
    }
}
