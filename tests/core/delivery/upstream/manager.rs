//! Tests of the question whether OCM's add-on manager runs, and who delivers.

use serde_json::json;
use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_api::lease::Lease;
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOn;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_delivery::upstream::Delivery;
use tidegate_delivery::upstream::manager::{Sign, away_since, chosen, last_write, shown, sign};
use tidegate_model::time::{SignedDuration, Timestamp};

const HOLDER: &str = "cluster-manager-addon-manager-controller-6c9d_0b1e";

fn now() -> Timestamp {
    "2027-01-01T12:00:00Z".parse().unwrap()
}

fn lease(holder: &str, minutes_ago: i64) -> Lease {
    let renewed = now().checked_sub(SignedDuration::from_mins(minutes_ago)).ok();
    Lease { name: "manager-lock".to_owned(), holder: holder.to_owned(), renewed }
}

fn sign_of(leases: &[Lease]) -> Sign {
    sign(Ok(leases), None, now())
}

fn last(fleet: &Fleet) -> Option<Timestamp> {
    last_write(fleet.cluster_addons.values().flat_map(|clusters| clusters.values()))
}

#[test]
fn a_lease_shows_whether_the_manager_runs() {
    assert_eq!(sign_of(&[lease(HOLDER, 1)]), Sign::Runs);
    assert_eq!(sign_of(&[lease(HOLDER, 6)]), Sign::Pauses);
    assert_eq!(sign_of(&[lease(HOLDER, 16)]), Sign::Gone);
    assert_eq!(sign_of(&[lease("", 1)]), Sign::Pauses, "it has just released the lease");
    assert_eq!(sign_of(&[lease("", 6)]), Sign::Gone);
    assert_eq!(sign_of(&[lease("cluster-manager-registration-controller_1", 1)]), Sign::NoLease);
    assert_eq!(sign_of(&[]), Sign::NoLease);
    assert_eq!(sign_of(&[lease(HOLDER, 90), lease(HOLDER, 1)]), Sign::Runs, "the newest lease counts");
}

#[test]
fn a_manager_is_away_from_the_last_renewal_of_its_lease() {
    let away = |leases: &[Lease], fleet: &Fleet| {
        away_since(leases, last(fleet), now()).map(|since| since.duration_until(now()).as_mins())
    };
    let (none, busy) = (Fleet::default(), addon("addon", "2027-01-01T11:58:00Z"));
    assert_eq!(away(&[lease(HOLDER, 1)], &none), None);
    assert_eq!(away(&[lease(HOLDER, 2)], &none), Some(2));
    assert_eq!(away(&[lease("", 0)], &none), Some(0), "it released the lease");
    assert_eq!(away(&[lease("", 3)], &busy), None, "it has written since");
    assert_eq!(away(&[lease("", 1)], &busy), Some(1));
    assert_eq!(away(&[], &none), None, "it may run without leader election");
}

fn addon(manager: &str, at: &str) -> Fleet {
    let addon: ManagedClusterAddOn = serde_json::from_value(json!({
        "apiVersion": key::ADDON_V1BETA1, "kind": "ManagedClusterAddOn", "spec": {},
        "metadata": {
            "name": "hello", "namespace": "c1",
            "managedFields": [{ "manager": manager, "operation": "Update", "time": at }],
        },
    }))
    .unwrap();
    let mut fleet = Fleet::default();
    let clusters = fleet.cluster_addons.entry("hello".parse().unwrap()).or_default();
    clusters.insert("c1".parse().unwrap(), addon.into());
    fleet
}

#[test]
fn a_manager_without_leader_election_is_noticed_by_its_writes() {
    let sign = |fleet: &Fleet| sign(Ok(&[]), last(fleet), now());
    assert_eq!(sign(&addon("addon", "2027-01-01T11:58:00Z")), Sign::Runs);
    assert_eq!(sign(&addon("addon", "2027-01-01T11:00:00Z")), Sign::NoLease);
    assert_eq!(sign(&addon("kubectl", "2027-01-01T11:58:00Z")), Sign::NoLease);
}

#[test]
fn a_manager_that_pauses_changes_nothing() {
    for before in [Delivery::Native, Delivery::Upstream] {
        assert_eq!(chosen(Sign::Pauses, Some(before)), Ok(before));
        assert_eq!(chosen(Sign::NoLease, Some(before)), Ok(before));
        assert_eq!(chosen(Sign::Unknown("forbidden".to_owned()), Some(before)), Ok(before));
        assert_eq!(chosen(Sign::Runs, Some(before)), Ok(Delivery::Upstream));
        assert_eq!(chosen(Sign::Gone, Some(before)), Ok(Delivery::Native));
    }
    assert_eq!(chosen(Sign::NoLease, None), Ok(Delivery::Native));
}

#[test]
fn nothing_is_decided_on_a_new_hub_whose_leases_cannot_be_read() {
    insta::assert_snapshot!(chosen(Sign::Unknown("listing Leases: forbidden".to_owned()), None).unwrap_err());
}

#[test]
fn the_hub_shows_who_delivered() {
    let instance = crate::instance::instance();
    let addon = |annotations: serde_json::Value| {
        let addon: ClusterManagementAddOn = serde_json::from_value(json!({
            "apiVersion": key::ADDON_V1BETA1, "kind": "ClusterManagementAddOn", "spec": {},
            "metadata": {
                "name": "hello", "labels": { key::INSTANCE_LABEL: instance.id.as_str() }, "annotations": annotations,
            },
        }))
        .unwrap();
        let mut fleet = Fleet::default();
        fleet.addons.insert("hello".parse().unwrap(), addon.into());
        fleet
    };
    assert_eq!(shown(&Fleet::default(), &instance), None);
    assert_eq!(shown(&addon(json!({})), &instance), Some(Delivery::Native));
    assert_eq!(shown(&addon(json!({ key::INSTALL_STRATEGY: "{}" })), &instance), Some(Delivery::Upstream));
}
