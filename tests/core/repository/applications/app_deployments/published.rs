//! Publishing revisions.

use tidegate_model::name::{ApplicationName, NamespacedName};
use tidegate_model::tree::Tree;
use tidegate_repository::load;
use tidegate_repository::revisions::{Publication, Refusal, Side, listing, publish, rendered};

use super::{published, tree};
use crate::fixture::{edit, shown};

fn application() -> ApplicationName {
    "application/default/cluster-test-app-cloneset".to_owned().try_into().unwrap()
}

fn add(tree: &mut Tree, publication: Publication) {
    tree.files.insert(publication.file, publication.text.unwrap().into_bytes());
}

#[test]
fn c8_a_revision_is_a_file_that_renders_by_itself() {
    let tree = published();
    insta::assert_snapshot!(
        "a_revision_is_a_file_that_renders_by_itself",
        String::from_utf8(tree.files["apps/cluster-test-app-v1.yaml"].clone()).unwrap()
    );
    let side = |name: &str| Side::Named(NamespacedName::new("default", name));
    let before = rendered(&tree, "", &side("cluster-test-app-v1")).unwrap();
    let mut alone = tree.clone();
    alone.files.remove("apps/app.yaml");
    assert_eq!(shown(&load(&alone, "")), [""; 0]);
    assert_eq!(rendered(&alone, "", &side("cluster-test-app-v1")).unwrap(), before);
    assert_ne!(rendered(&tree, "", &side("cluster-test-app-v2")).unwrap(), before);
    // The application as it is has the content of v2, without the label of a revision.
    let current = rendered(&tree, "", &Side::Application(application())).unwrap();
    assert_eq!(rendered(&tree, "", &side("cluster-test-app-cloneset")).unwrap(), current);
    insta::assert_snapshot!(
        rendered(&tree, "", &side("cluster-test-app-v3")).unwrap_err().to_string(),
        @r#"revision "cluster-test-app-v3" does not exist in namespace default; did you mean "cluster-test-app-v1"?"#
    );
}

#[test]
fn c8_the_same_content_is_published_once_and_another_one_gets_the_next_number() {
    let mut tree = published();
    // Its content is that of v2.
    let same = publish(&tree, "", &application(), None).unwrap();
    assert_eq!((same.name.as_str(), same.text), ("cluster-test-app-v2", None));
    for (image, name) in [("v3", "cluster-test-app-cloneset-v1"), ("v4", "cluster-test-app-cloneset-v2")] {
        let before = if image == "v3" { "v2" } else { "v3" };
        edit(&mut tree, "apps/app.yaml", &format!("python:{before}"), &format!("python:{image}"));
        let next = publish(&tree, "", &application(), None).unwrap();
        assert_eq!((next.name.as_str(), next.file.clone()), (name, format!("apps/{name}.yaml")));
        assert!(next.text.is_some());
        add(&mut tree, next);
    }
    let again = publish(&tree, "", &application(), Some("cluster-test-app-cloneset-v2")).unwrap();
    assert_eq!(again.text, None);
    let names = listing(&tree, "", &application()).unwrap().into_iter().map(|listed| listed.name);
    assert_eq!(
        names.collect::<Vec<_>>(),
        ["cluster-test-app-cloneset-v1", "cluster-test-app-v1", "cluster-test-app-cloneset-v2", "cluster-test-app-v2"]
    );
}

#[test]
fn comments_and_the_order_of_keys_do_not_change_the_digest() {
    let mut tree = published();
    edit(&mut tree, "apps/app.yaml", "      type: webservice\n", "      # What it is.\n      type: webservice\n");
    edit(
        &mut tree,
        "apps/app.yaml",
        "  annotations:\n    app.oam.dev/revision-only: \"true\"\n",
        "  annotations:\n    app.oam.dev/revision-only: \"true\"\n    note: a\n",
    );
    assert_eq!(publish(&tree, "", &application(), None).unwrap().text, None);
}

#[test]
fn what_is_not_published() {
    let refused = |tree: &Tree, name: Option<&str>| publish(tree, "", &application(), name).unwrap_err();
    let mut changed = published();
    edit(&mut changed, "apps/app.yaml", "python:v2", "python:v5");
    assert!(matches!(refused(&changed, Some("cluster-test-app-v1")), Refusal::Taken { .. }));
    for name in ["Web", "a.b", "-a", "../a", "", &"a".repeat(64)] {
        assert!(matches!(refused(&changed, Some(name)), Refusal::Name { .. }), "{name}");
    }
    changed.files.insert("apps/web.yaml".to_owned(), Vec::new());
    assert_eq!(refused(&changed, Some("web")), Refusal::File { file: "apps/web.yaml".to_owned() });
    edit(&mut changed, "apps/app.yaml", "type: webservice", "type: webservise");
    insta::assert_snapshot!(refused(&changed, None).to_string(),
        @r#"application/default/cluster-test-app-cloneset has errors, so what it renders to is not known: apps/app.yaml:11:13: no component type "webservise"; did you mean "webservice"? (definitions are looked for in namespaces default and vela-system)"#);
    let other: ApplicationName = "application/default/cluster-test-app".to_owned().try_into().unwrap();
    insta::assert_snapshot!(publish(&changed, "", &other, None).unwrap_err().to_string(),
        @r#"the repository has no application/default/cluster-test-app; write "application/default/cluster-test-app-cloneset""#);
    changed.files.remove("tidegate.toml");
    assert_eq!(refused(&changed, None), Refusal::Off);
}

#[test]
fn the_list_of_revisions() {
    let text = format!("{:#?}", listing(&tree(), "", &application()).unwrap());
    insta::assert_snapshot!("the_list_of_revisions", text);
}

#[test]
fn c9_the_tutorial_of_the_documentation_works_as_it_is() {
    let page = std::fs::read_to_string(crate::root::path("docs/applications/revisions.md")).unwrap();
    let blocks: Vec<&str> = page.split("```yaml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    let block = |text: &str| (*blocks.iter().find(|block| block.contains(text)).unwrap()).to_owned();
    let mut tree = crate::fixture::with("apps/app.yaml", &block("revision-only: \"true\""));
    tree.files.insert("tidegate.toml".to_owned(), super::SETTINGS.as_bytes().to_vec());
    let name: ApplicationName = "application/default/cluster-test-app".to_owned().try_into().unwrap();
    let first = publish(&tree, "", &name, None).unwrap();
    let digest = format!("tidegate.io/digest: {}\n", first.digest.as_str());
    assert!(block("kind: ApplicationRevision").contains(&digest), "{digest}");
    add(&mut tree, first);
    edit(&mut tree, "apps/app.yaml", "helloworld-python:v1", "helloworld-python:v2");
    let second = publish(&tree, "", &name, None).unwrap();
    add(&mut tree, second);
    let deployment = block("kind: AppDeployment");
    assert_eq!(deployment, super::DEPLOYMENT);
    tree.files.insert("deployment.yaml".to_owned(), deployment.into_bytes());
    assert_eq!(shown(&load(&tree, "")), [""; 0]);
}
