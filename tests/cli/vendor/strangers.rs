//! What a vendored file names: it reaches no private network, and gets no credentials.

use super::world::World;

/// Returns an address of the web server whose host the repository does not name.
fn private(world: &World, path: &str) -> String {
    world.url(path).replace("127.0.0.1", "localhost")
}

#[test]
fn a_vendored_base_does_not_make_the_command_read_an_internal_service() {
    let world = World::new();
    world.page("/secret.yaml", b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: secret}\n");
    let (file, git) = (private(&world, "secret.yaml"), world.base("v1").replace("127.0.0.1", "localhost"));
    let charts = private(&world, "charts");
    for (tag, kustomization) in [
        ("v2", format!("resources: [web.yaml, {file}]\n")),
        ("v3", format!("resources: [web.yaml, '{git}']\n")),
        ("v4", format!("resources: [web.yaml]\nhelmCharts: [{{name: web, repo: {charts}, version: ^1.0}}]\n")),
        ("v5", "resources: [web.yaml, 'http://169.254.169.254/latest/user-data.yaml']\n".to_owned()),
        ("v6", "resources: [web.yaml, 'git@git.internal:a/b//c?ref=v1']\n".to_owned()),
        (
            "v7",
            "resources: [web.yaml]\nhelmCharts: [{name: web, repo: 'oci://localhost:1/charts', version: 1.0.0}]\n"
                .to_owned(),
        ),
    ] {
        world.write_remote("base/kustomization.yaml", &kustomization);
        world.commit(tag);
        world.write("kustomization.yaml", &format!("resources: ['{}']\n", world.base(tag)));
        let before = world.requests().len();
        let shown = world.session(&["vendor"]);
        assert!(shown.contains("only something that was fetched names it"), "{tag}: {shown}");
        assert!(shown.contains("nothing was changed"), "{tag}: {shown}");
        assert_eq!(world.requests().len(), before, "{tag}: nothing was requested of it");
    }
}

#[test]
fn a_vendored_base_may_name_a_host_that_the_repository_names_itself() {
    let world = World::new();
    world.page("/more.yaml", b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: more}\n");
    let kustomization = format!("resources: [web.yaml, {}]\n", private(&world, "more.yaml"));
    world.write_remote("base/kustomization.yaml", &kustomization);
    world.commit("v2");
    let own = private(&world, "crd.yaml");
    world.write("kustomization.yaml", &format!("resources: ['{}', {own}]\n", world.base("v2")));
    let shown = world.session(&["vendor"]);
    assert!(shown.contains("vendor/") && !shown.contains("error"), "{shown}");
    assert!(world.read("vendor.lock").contains("more.yaml"));
}
