//! What the scene has for the rules of policies: policies, control files, approvals, a second add-on, and clusters that come and go.

use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_api::key;
use tidegate_api::rollout_policy::PolicySet;
use tidegate_consent::{
    Addition, Approvals, Authors, Basis, Change, Fact, People, RulesVoucher, Signature, Signer, Vouched, Written,
};
use tidegate_model::object::ObjectKey;
use tidegate_repository::basis;

use super::scene::{Scene, addon};

const ADDONS: &str = "addon.open-cluster-management.io";

impl Scene {
    /// Declares the policy `p`.
    pub(super) fn policy(&mut self, spec: Value) {
        let kind = json!({ "apiVersion": "tidegate.io/v1alpha1", "kind": "RolloutPolicy", "metadata": { "name": "p" }, "spec": spec });
        self.revision.files.insert("policy.yaml", kind);
        self.commit();
        assert_eq!(self.repository.policies.len(), 1, "the policy has an error");
    }

    /// Writes a control file.
    pub(super) fn control(&mut self, file: &'static str, fields: Value) {
        let mut control = json!({ "apiVersion": "tidegate.io/v1alpha1", "kind": "Control" });
        control.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        self.revision.files.insert(file, control);
        self.commit();
        assert!(self.repository.controls.unreadable.is_empty(), "{:?}", self.repository.controls.unreadable);
    }

    /// Returns the digest of the add-on.
    pub(super) fn digest(&self) -> String {
        self.repository.addons["hello"].digest.as_str().to_owned()
    }

    pub(super) fn label(&mut self, cluster: &str, labels: Value) {
        self.hub.patch(&cluster_key(cluster), &json!({ "metadata": { "labels": labels } }));
    }

    /// Lets the hub hear from a cluster, or not any longer.
    pub(super) fn reach(&mut self, cluster: &str, is_reached: bool) {
        let status = if is_reached { "True" } else { "Unknown" };
        let condition = self.condition(key::CLUSTER_AVAILABLE, status, "R");
        self.hub.patch(&cluster_key(cluster), &json!({ "status": { "conditions": [condition] } }));
    }

    /// Removes a cluster from the hub, with its add-on.
    pub(super) fn leave(&mut self, cluster: &str) {
        self.hub.delete(&addon(cluster));
        self.hub.delete(&cluster_key(cluster));
    }

    /// Adds a cluster to the hub, with its add-on.
    pub(super) fn join(&mut self, cluster: &str) {
        self.hub.apply(json!({
            "apiVersion": "cluster.open-cluster-management.io/v1", "kind": "ManagedCluster", "metadata": { "name": cluster },
            "spec": {},
        }));
        self.hub.apply(json!({
            "apiVersion": format!("{ADDONS}/v1beta1"), "kind": "ManagedClusterAddOn",
            "metadata": { "name": "hello", "namespace": cluster }, "spec": {},
        }));
    }

    /// Reports that an add-on failed on a cluster.
    pub(super) fn fail(&mut self, cluster: &str) {
        let conditions = [
            self.condition("Configured", "True", "ConfigurationsConfigured"),
            self.condition("Progressing", "False", "Failed"),
        ];
        self.status(cluster, json!({ "conditions": conditions }));
    }

    /// Declares the add-on `second`, which all clusters get, too.
    pub(super) fn second(&mut self) {
        let base =
            json!({ "group": ADDONS, "resource": "addondeploymentconfigs", "namespace": "fleet", "name": "base" });
        let placement = json!({ "namespace": "fleet", "name": "everywhere", "rolloutStrategy": { "type": "All" } });
        let spec = json!({
            "defaultConfigs": [base], "installStrategy": { "type": "Placements", "placements": [placement] },
        });
        let mut object = json!({
            "apiVersion": format!("{ADDONS}/v1beta1"), "kind": "ClusterManagementAddOn", "metadata": { "name": "second" },
            "spec": spec,
        });
        self.revision.files.insert("second.yaml", object.clone());
        self.commit();
        assert!(self.repository.addons.contains_key("second"), "{:?}", self.repository.blocked);
        object["metadata"]["annotations"] = json!({ key::LIFECYCLE: "self" });
        self.hub.apply(object);
        for cluster in ["c1", "c2", "c3", "c4", "c9"] {
            self.hub.apply(json!({
                "apiVersion": format!("{ADDONS}/v1beta1"), "kind": "ManagedClusterAddOn",
                "metadata": { "name": "second", "namespace": cluster }, "spec": {},
            }));
        }
    }

    /// Starts the second add-on on clusters.
    pub(super) fn start_second(&mut self, clusters: &str) {
        let reference = json!({
            "group": ADDONS, "resource": "addondeploymentconfigs",
            "desiredConfig": { "namespace": "fleet", "name": "base", "specHash": self.hash("base") },
        });
        for cluster in clusters.split_whitespace() {
            let conditions = [
                self.condition("Configured", "True", "ConfigurationsConfigured"),
                self.condition("Progressing", "True", "Progressing"),
            ];
            let status = json!({ "configReferences": [reference], "conditions": conditions });
            let key = ObjectKey::new(ADDONS, "ManagedClusterAddOn", cluster, "second");
            self.hub.patch(&key, &json!({ "status": status }));
        }
    }

    /// Commits an approval of the digest by a person.
    pub(super) fn approve(&mut self, name: &str, break_glass: bool) {
        let signer = Signer { principal: format!("{name}@example.com"), key: format!("SHA256:{name}") };
        let addition = Addition {
            commit: "0123456789012345678901234567890123456789".parse().unwrap(),
            committed: self.now,
            seen: None,
            signature: Signature::Good(signer),
            written: Written { by: format!("{name}@example.com"), is_again: false, has_only_approvals: true },
        };
        let fact = Fact {
            file: "approvals/hello/all.yaml".to_owned(),
            addon: "hello".parse().unwrap(),
            digest: self.digest(),
            group: None,
            instance: crate::instance::instance().id,
            by: name.to_owned(),
            at: self.now,
            reason: "reviewed".to_owned(),
            break_glass,
            added: vec![addition],
            withdrawn: None,
        };
        let mut approvals = Approvals::clone(&self.approvals);
        approvals.facts.push(fact);
        approvals.changes.insert("hello".parse().unwrap(), vec![self.change()]);
        self.approvals = Arc::new(approvals);
    }

    /// Lets the change to the digest be judged by the policy `p` of the revision before.
    pub(super) fn policies_before(&mut self, spec: Value) {
        let policy = json!({ "metadata": { "name": "p" }, "spec": spec });
        let policies = [("p".to_owned(), Arc::new(serde_json::from_value(policy).unwrap()))].into();
        let change = self.change();
        let before = Arc::new(Basis { policies, ..Basis::clone(&change.before) });
        let change = Change { rules: vec![Vouched::new(before.clone(), RulesVoucher::Base)], before, ..change };
        let changes = [("hello".parse().unwrap(), vec![change])].into();
        self.approvals = Arc::new(Approvals { changes, ..Approvals::default() });
    }

    fn change(&self) -> Change {
        let people = ["ada", "bob"].map(|name| (name.to_owned(), vec![format!("{name}@example.com")]));
        let people = Arc::new(People::new(people.into()));
        let basis = Arc::new(Basis { people, policies: PolicySet::default(), ..basis(&self.repository) });
        Change {
            digest: self.digest().parse().unwrap(),
            commit: "0".repeat(40).parse().unwrap(),
            from: None,
            authors: Authors::Known(Vec::new()),
            rules: vec![Vouched::new(basis.clone(), RulesVoucher::Base)],
            before: basis.clone(),
            after: basis,
        }
    }
}

fn cluster_key(cluster: &str) -> ObjectKey {
    ObjectKey::new("cluster.open-cluster-management.io", "ManagedCluster", "", cluster)
}
