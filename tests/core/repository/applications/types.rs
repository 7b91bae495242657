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
