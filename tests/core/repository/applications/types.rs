//! The types of components: what they render, and the mistakes in their properties.

use tidegate_repository::load;

use super::{WEB, objects, tree, unit};
use crate::fixture::shown;

/// Returns an application with these components, each the lines of an item of a list without their indentation.
pub(super) fn application(components: &[&str]) -> String {
    let (head, rest) = WEB.split_once("    - name: server").unwrap();
    let (_, policies) = rest.split_once("  policies:").unwrap();
    let item = |component: &&str| {
        let lines = component.lines().enumerate();
        lines.map(|(index, line)| format!("    {} {line}\n", if index == 0 { "-" } else { " " })).collect::<String>()
    };
    let items: String = components.iter().map(item).collect();
    format!("{head}{items}  policies:{policies}")
}

/// Returns the objects of an application with these components, as JSON.
pub(super) fn rendered(components: &[&str]) -> String {
    serde_json::to_string_pretty(&objects(&unit(&tree(&application(components))))).unwrap()
}

/// Returns the complaints about each of these components, below its first line that differs from the ones before.
pub(super) fn mistakes(components: &[(&str, String)]) -> String {
    let found = components.iter().map(|(what, component)| {
        let loaded = load(&tree(&application(&[component])), "");
        assert!(!loaded.repository.addons.contains_key(&super::web()), "{what}: {component}");
        format!("{what}\n    {}\n", shown(&loaded).join("\n    "))
    });
    found.collect()
}

const DAEMON: &str = "\
name: agent
type: daemon
properties:
  image: example.com/agent:1
  ports: [{port: 9100, expose: true}]
  memory: 64Mi
  limit: {cpu: 100m}
  hostAliases: [{ip: 10.0.0.1, hostnames: [db, cache]}]
  volumeMounts:
    hostPath: [{name: proc, mountPath: /host/proc, path: /proc}]
    configMap:
      - {name: settings, mountPath: /etc/agent, cmName: agent, items: [{key: a, path: b}]}
      - {name: settings, mountPath: /etc/other, subPath: b, cmName: agent, items: [{key: a, path: b}]}
    secret: [{name: token, mountPath: /token, secretName: agent, defaultMode: 256}]
    pvc: [{name: data, mountPath: /data, claimName: agent}]
    emptyDir: [{name: scratch, mountPath: /tmp, medium: Memory}]
";

#[test]
fn a_daemon_runs_on_each_node_and_mounts_volumes() {
    insta::assert_snapshot!("a_daemon", rendered(&[DAEMON]));
}

#[test]
fn mistakes_in_volumes() {
    let edited = |from: &'static str, to: &str| (from, DAEMON.replacen(from, to, 1));
    let found = mistakes(&[
        edited("volumeMounts:", "volumeMount:"),
        edited("volumeMounts:", "volumes:"),
        edited("hostPath:", "hostpath:"),
        edited(", path: /proc", ""),
        edited("name: scratch", "name: data"),
        edited("mountPath: /tmp", "mountPath: /data"),
        edited("medium: Memory", "medium: Disk"),
        edited("defaultMode: 256", "defaultMode: 1000"),
        edited("cmName: agent", "configMap: agent"),
        edited("hostnames: [db, cache]", "hostnames: []"),
        edited("name: token", "name: Token"),
    ]);
    insta::assert_snapshot!("mistakes_in_volumes", found);
}

const TASK: &str = "\
name: migrate
type: task
properties:
  image: example.com/migrate:1
  cmd: [migrate, --all]
  count: 2
  restart: OnFailure
  cpu: 1
  volumes:
    - {name: scratch, mountPath: /tmp}
    - {name: settings, mountPath: /etc/web, type: configMap, cmName: web}
";

const CRON_TASK: &str = "\
name: clean
type: cron-task
properties:
  image: example.com/clean:1
  schedule: 0 3 * * *
  timeZone: Europe/Berlin
  concurrencyPolicy: Forbid
  startingDeadlineSeconds: 60
  ttlSecondsAfterFinished: 600
  labels: {team: shop}
";

const STATEFUL_SET: &str = "\
name: store
type: statefulset
properties:
  image: example.com/store:1
  ports: [{port: 80, containerPort: 8080, expose: true}, {port: 9090}]
traits:
  - {type: scaler, properties: {replicas: 3}}
  - type: k8s-update-strategy
    properties: {targetKind: StatefulSet, strategy: {rollingStrategy: {partition: 1}}}
  - {type: storage, properties: {pvc: [{name: data, mountPath: /data, mountOnly: true}]}}
";

#[test]
fn tasks_and_stateful_sets() {
    insta::assert_snapshot!("tasks_and_stateful_sets", rendered(&[TASK, CRON_TASK, STATEFUL_SET]));
}

#[test]
fn the_name_of_a_job_changes_with_what_it_runs() {
    let name = |task: &str| {
        let objects = objects(&unit(&tree(&application(&[task]))));
        objects[0]["metadata"]["name"].as_str().unwrap().to_owned()
    };
    let first = name(TASK);
    assert!(first.starts_with("migrate-") && first.len() == "migrate-".len() + 8, "{first}");
    assert_ne!(name(&TASK.replace("migrate:1", "migrate:2")), first);
    let of_trait = "traits: [{type: env, properties: {env: {A: b}}}]\n";
    assert_ne!(name(&format!("{TASK}{of_trait}")), first);
    // Labels of the Job itself can change.
    let annotated = "traits: [{type: json-merge-patch, properties: {metadata: {annotations: {a: b}}}}]\n";
    assert_eq!(name(&format!("{TASK}{annotated}")), first);
}

#[test]
fn mistakes_in_tasks_and_stateful_sets() {
    let of = |component: &'static str| move |from: &'static str, to: &str| (from, component.replacen(from, to, 1));
    let (task, cron, set) = (of(TASK), of(CRON_TASK), of(STATEFUL_SET));
    let long = "a".repeat(53);
    let found = mistakes(&[
        task("restart: OnFailure", "restart: Always"),
        task("count: 2", "count: 0"),
        task("cmd:", "args:"),
        task(", cmName: web", ""),
        task("mountPath: /tmp", "mountPath: /tmp, claimName: a"),
        task("type: configMap", "type: hostPath"),
        task("name: migrate", &format!("name: {long}")),
        (
            "a trait",
            format!(
                "{TASK}traits: [{{type: scaler}}, {{type: k8s-update-strategy, properties: {{strategy: {{}}}}}}]\n"
            ),
        ),
        cron("schedule: 0 3 * * *", "schedule: nightly"),
        cron("schedule: 0 3 * * *", "schedule: TZ=UTC 0 3 * * *"),
        cron("concurrencyPolicy: Forbid", "concurrencyPolicy: Deny"),
        cron("  schedule: 0 3 * * *\n", ""),
        cron("labels: {team: shop}", "volumes: []\n  volumeMounts: {}"),
        ("another trait", format!("{CRON_TASK}traits: [{{type: sidecar, properties: {{name: a, image: b}}}}]\n")),
        set("partition: 1", "maxSurge: 1"),
        set("rollingStrategy: {partition: 1}", "type: Recreate"),
        set("name: store", &format!("name: {long}")),
    ]);
    insta::assert_snapshot!("mistakes_in_tasks_and_stateful_sets", found);
}
