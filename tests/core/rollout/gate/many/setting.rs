//! Random add-ons, policies and clusters. Everything follows from the seed and the sizes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::rollout_strategy::RolloutStrategy;
use tidegate_api::rollout_policy::{PolicySet, RolloutPolicySpec};
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::time::{SignedDuration, Timestamp};

/// What a simulation is made from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setting {
    pub(super) seed: u64,
    pub(super) addons: usize,
    pub(super) clusters: usize,
    /// How long clusters come, go, change and fail: 5 % of them in each minute.
    pub(super) minutes: i64,
}

/// Numbers that follow from a seed (SplitMix64).
#[derive(Debug)]
pub(super) struct Dice(pub(super) u64);

impl Dice {
    /// Returns a number below `most`.
    pub(super) fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % u64::try_from(most.max(1)).unwrap()).unwrap()
    }

    /// Returns `true` in one of `n` cases.
    pub(super) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(super) fn of<'v, T>(&mut self, values: &'v [T]) -> &'v T {
        &values[self.below(values.len())]
    }
}

/// A cluster.
#[derive(Debug, Clone)]
pub(super) struct Machine {
    pub(super) region: &'static str,
    /// Its decision group.
    pub(super) group: i32,
    pub(super) is_reachable: bool,
    pub(super) since: Timestamp,
    /// Seconds until it is done with an add-on.
    pub(super) delay: i64,
    pub(super) fails: bool,
}

impl Machine {
    pub(super) fn random(dice: &mut Dice, now: Timestamp) -> Self {
        Self {
            region: dice.of::<&'static str>(&["eu", "us", "ap", "af", "sa"]),
            group: i32::try_from(dice.below(3)).unwrap(),
            is_reachable: true,
            since: now,
            // Few different moments, so that there are few ticks.
            delay: 10 + 10 * i64::try_from(dice.below(4)).unwrap(),
            fails: dice.one_in(20),
        }
    }

    /// Returns the cluster as the hub has it.
    pub(super) fn object(&self, name: &ClusterName) -> Arc<ManagedCluster> {
        let status = if self.is_reachable { "True" } else { "Unknown" };
        let condition = json!({
            "type": "ManagedClusterConditionAvailable", "status": status, "reason": "R", "message": "",
            "lastTransitionTime": self.since,
        });
        let object = json!({
            "metadata": { "name": name, "labels": { "region": self.region } }, "spec": {},
            "status": { "conditions": [condition] },
        });
        Arc::new(serde_json::from_value(object).unwrap())
    }
}

/// An add-on that is rolled out.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) name: UnitName,
    pub(super) strategy: RolloutStrategy,
    pub(super) soak: SignedDuration,
    pub(super) deadline: Option<SignedDuration>,
    /// One of so many clusters gets it.
    pub(super) share: usize,
    /// The add-ons that a cluster must have first. All clusters get these.
    pub(super) requires: BTreeSet<UnitName>,
}

pub(super) fn begin() -> Timestamp {
    static BEGIN: LazyLock<Timestamp> = LazyLock::new(|| "2026-03-01T12:00:00Z".parse().unwrap());
    *BEGIN
}

pub(super) fn plans(setting: &Setting, dice: &mut Dice) -> Vec<Plan> {
    let mut plans = Vec::new();
    for number in 0..setting.addons {
        let soak = *dice.of(&[0, 0, 10, 30]);
        let deadline = *dice.of(&[None, Some(60), Some(120)]);
        let mut settings = json!({ "minSuccessTime": format!("{soak}s"), "maxFailures": "100%" });
        if let Some(deadline) = deadline {
            settings["progressDeadline"] = json!(format!("{deadline}s"));
        }
        let strategy = match dice.below(4) {
            0 => json!({ "type": "All", "all": settings }),
            1 => json!({ "type": "ProgressivePerGroup", "progressivePerGroup": settings }),
            _ => {
                settings["maxConcurrency"] = json!(*dice.of(&["10%", "25%", "50%"]));
                json!({ "type": "Progressive", "progressive": settings })
            }
        };
        plans.push(Plan {
            name: format!("addon-{number}").parse().unwrap(),
            strategy: serde_json::from_value(strategy).unwrap(),
            soak: SignedDuration::from_secs(soak),
            deadline: deadline.map(SignedDuration::from_secs),
            requires: BTreeSet::new(),
            share: if setting.clusters > 100 { 30 + dice.below(30) } else { 1 + dice.below(2) },
        });
    }
    for number in 1..plans.len() {
        let required = &plans[dice.below(number)];
        if required.share == 1 {
            plans[number].requires = [required.name.clone()].into();
        }
    }
    plans
}

/// Returns random policies. Add-ons only wait for ones with lower numbers, so there is no circle.
pub(super) fn policies(setting: &Setting, dice: &mut Dice) -> PolicySet {
    let mut specs: Vec<Value> = Vec::new();
    let scale = 1 + setting.clusters / 40;
    specs.push(json!({ "limits": [{ "name": "all", "label": "region", "maxClusters": 2 * scale }] }));
    specs.push(json!({ "limits": [{ "name": "pace", "label": "region", "startsPerMinute": 4 * scale }] }));
    specs.push(json!({ "limits": [{ "name": "pairs", "maxAddOnsPerCluster": 1 + dice.below(2) }] }));
    let some = |dice: &mut Dice| format!("addon-*{}", dice.below(10));
    for _ in 0..1 + setting.addons / 8 {
        let park =
            json!({ "action": "Park", "maxShare": *dice.of(&["5%", "10%", "20%"]), "soak": *dice.of(&["10s", "20s"]) });
        specs.push(json!({ "selector": { "addOns": [some(dice)] }, "unreachable": park }));
        let from = 1 + dice.below(4);
        let window = json!({ "name": "w", "from": format!("12:0{from}"), "to": format!("12:{}", 10 + dice.below(20)) });
        let other = json!({ "name": "v", "from": "14:00", "to": "20:00" });
        specs.push(json!({ "selector": { "addOns": [some(dice)] }, "windows": [window, other] }));
        specs.push(json!({ "selector": { "addOns": [some(dice)] }, "locks": [format!("lock-{}", dice.below(2))] }));
        specs.push(json!({ "selector": { "addOns": [some(dice)] }, "limits": [{ "name": "one", "label": "region", "maxValues": 2 }] }));
        let joining = *dice.of(&["Tail", "Hold", "JoinGroup"]);
        specs.push(json!({ "selector": { "addOns": [some(dice)] }, "membership": { "joining": joining } }));
        if setting.addons > 1 {
            let later = 1 + dice.below(setting.addons - 1);
            let order = json!({ "after": format!("addon-{}", dice.below(later)), "scope": "Cluster" });
            specs.push(json!({ "selector": { "addOns": [format!("addon-{later}")] }, "order": [order] }));
        }
    }
    let named = specs.into_iter().enumerate().map(|(number, spec)| {
        let spec: RolloutPolicySpec = serde_json::from_value(spec).unwrap();
        let name = format!("p{number}");
        (name.clone(), Arc::new(tidegate_api::rollout_policy::RolloutPolicy::new(&name, spec)))
    });
    named.collect::<BTreeMap<_, _>>()
}
