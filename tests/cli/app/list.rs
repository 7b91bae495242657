//! `tidegate app list`.

use super::Directory;

#[test]
fn applications_are_listed_with_their_components() {
    let directory = Directory::new();
    let other = "apiVersion: core.oam.dev/v1beta1\nkind: Application\nmetadata: {name: other, namespace: shop}\nspec:\n  components:\n  \
                 - {name: worker, type: workr, properties: {image: a}}\n";
    directory.write("other.yaml", other);
    insta::assert_snapshot!(directory.app(&["list"]), @r#"
    $ tidegate app list --path [DIR]
    APPLICATION  VERSION  COMPONENTS      CLUSTERS  STATE
    shop/other   -        worker          -         has errors
    shop/web     1.4.0    server, extras  -         -
    --- stderr
    other.yaml:5:3: the application selects no clusters; add a policy of type topology or placement, or the annotation app.oam.dev/revision-only: "true"
    other.yaml:6:26: no component type "workr"; did you mean "worker"? (definitions are looked for in namespaces shop and vela-system)
    clusters and states are not shown: [DIR] cannot be read as a Git repository: there is no Git repository in [DIR] or above it; give a clone or a URL with --source
    --- exit code 1
    "#);
    let document = directory.json(&["list"]);
    assert_eq!(document["applications"][1]["components"][0]["traits"], serde_json::json!(["scaler"]), "{document:#}");
}

#[test]
fn a_candidate_is_listed_and_shown_as_one() {
    let directory = Directory::new();
    let web = super::WEB.replace("publishVersion: 1.4.0", "revision-only: 'true'");
    directory.write("web.yaml", &web);
    insta::assert_snapshot!([directory.app(&["list"]), directory.app(&["show", "shop/web"])].join("\n"), @r"
    $ tidegate app list --path [DIR]
    APPLICATION  VERSION  COMPONENTS      CLUSTERS  STATE
    shop/web     -        server, extras  -         candidate
    --- stderr
    clusters and states are not shown: [DIR] cannot be read as a Git repository: there is no Git repository in [DIR] or above it; give a clone or a URL with --source

    $ tidegate app show shop/web --path [DIR]
    Application shop/web  web.yaml:1:1
      components, with their traits
        server (webservice): scaler
        extras (k8s-objects)
      policies
        first (topology)
        everywhere (placement)
        large (override)
      a candidate, which no cluster gets; publish it with `tidegate app publish shop/web`, and assign the revision to clusters with an AppDeployment
      objects
        ConfigMap shop/texts
        Deployment shop/server
        Service shop/server
    ");
    assert_eq!(directory.json(&["list"])["applications"][0]["isCandidate"], true);
    let shown = directory.json(&["show", "shop/web"]);
    assert_eq!((&shown["revisionOnly"], shown["objects"].as_array().unwrap().len()), (&serde_json::json!(true), 3));
}

#[test]
fn a_repository_without_applications_says_how_to_switch_them_on() {
    let directory = Directory::new();
    directory.write("tidegate.toml", "[applications]\nenabled = false\n");
    insta::assert_snapshot!(directory.app(&["list"]), @r"
    $ tidegate app list --path [DIR]
    --- stderr
    error: [DIR] does not read applications; write `[applications]` with `enabled = true` to tidegate.toml
    --- exit code 2
    ");
}
