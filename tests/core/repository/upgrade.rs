//! Tests of letting an add-on have another version: which line changes, and when that is refused.

use tidegate_model::name::UnitName;
use tidegate_model::tree::Tree;
use tidegate_repository::load;
use tidegate_repository::upgrade::{Newer, NextRequest, Refusal, Request, Upgrade, next, switched, upgrade};

use super::fixture::{edit, good, plain_kinds, tree};

fn hello() -> UnitName {
    "hello".parse().unwrap()
}

/// Returns a repository in which `hello` has a second template.
fn two_versions() -> Tree {
    let mut tree = good();
    let template = String::from_utf8(tree.files["template.yaml"].clone()).unwrap();
    tree.files.insert("template-2.yaml".to_owned(), template.replace("hello-1", "hello-2").into_bytes());
    tree
}

fn upgraded(tip: &Tree, path: &str, version: &str) -> Result<Upgrade, Refusal> {
    upgrade(&Request { tip, path, operator: &plain_kinds(), addon: &hello(), version })
}

/// Returns the lines that differ.
fn difference(before: &Tree, change: &Upgrade) -> Vec<(String, String)> {
    let text = String::from_utf8(before.files[&change.file].clone()).unwrap();
    assert_eq!(text.lines().count(), change.text.lines().count());
    let lines = text.lines().zip(change.text.lines()).filter(|(before, after)| before != after);
    lines.map(|(before, after)| (before.trim().to_owned(), after.trim().to_owned())).collect()
}

#[test]
fn one_line_changes_and_comments_and_quotes_stay() {
    let mut tip = two_versions();
    let changed = |tip: &Tree| {
        let change = upgraded(tip, "", "2").unwrap();
        assert_eq!((change.from.as_str(), change.to.as_str(), change.file.as_str()), ("1", "2", "addon.yaml"));
        difference(tip, &change)
    };
    assert_eq!(changed(&tip), [("name: hello-1".to_owned(), "name: hello-2".to_owned())]);
    edit(&mut tip, "addon.yaml", "name: hello-1", "name: \"hello-1\" # not hello-1.5");
    let line = |version: u32| format!("name: \"hello-{version}\" # not hello-1.5");
    assert_eq!(changed(&tip), [(line(1), line(2))]);
}

#[test]
fn the_name_of_the_template_is_a_version_too() {
    let tip = two_versions();
    assert_eq!(upgraded(&tip, "", "hello-2"), upgraded(&tip, "", "2"));
}

#[test]
fn the_line_of_a_base_changes_for_an_overlay() {
    let mut files: Vec<(String, String)> = Vec::new();
    for (name, bytes) in two_versions().files {
        files.push((format!("base/{name}"), String::from_utf8(bytes).unwrap()));
    }
    let resources: String = files.iter().map(|(name, _)| format!("- {}\n", name.trim_start_matches("base/"))).collect();
    files.push(("base/kustomization.yaml".to_owned(), format!("resources:\n{resources}")));
    files.push(("overlays/a/kustomization.yaml".to_owned(), "resources: [../../base]\n".to_owned()));
    let listed: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let tip = tree(&listed);
    assert!(load(&tip, "overlays/a").complaints.iter().all(|complaint| !complaint.is_error()));
    let change = upgraded(&tip, "overlays/a", "2").unwrap();
    assert_eq!(change.file, "base/addon.yaml");
}

#[test]
fn what_is_not_one_line_is_refused_with_the_reason() {
    let said = |tip: &Tree, version: &str| upgraded(tip, "", version).unwrap_err().to_string();
    let tip = two_versions();
    assert_eq!(said(&tip, "1"), "hello has version 1 already");
    assert_eq!(
        said(&tip, "3"),
        "hello has no AddOnTemplate for version 3; it has: 1, 2; copy one of their files to the new version first"
    );
    let unknown: UnitName = "helo".parse().unwrap();
    let error =
        upgrade(&Request { tip: &tip, path: "", operator: &plain_kinds(), addon: &unknown, version: "2" }).unwrap_err();
    assert!(error.to_string().starts_with("the repository has no add-on helo; it has: hello"), "{error}");

    // Two templates have the version.
    let mut several = two_versions();
    let template = String::from_utf8(several.files["template.yaml"].clone()).unwrap();
    several.files.insert("template-3.yaml".to_owned(), template.replace("hello-1", "hello.2").into_bytes());
    assert_eq!(
        said(&several, "2"),
        "hello has several AddOnTemplates for this version: hello-2, hello.2; give the name of one"
    );
    assert_eq!(upgraded(&several, "", "hello-2").unwrap().to, "2");

    // The name of the template is an anchor that stands for another value, too.
    let mut anchored = two_versions();
    edit(&mut anchored, "addon.yaml", "metadata:\n", "metadata:\n  labels: {first: &t hello-1}\n");
    edit(&mut anchored, "addon.yaml", "name: hello-1", "name: *t");
    assert!(
        matches!(upgraded(&anchored, "", "2"), Err(Refusal::Elsewhere { .. })),
        "{:?}",
        upgraded(&anchored, "", "2")
    );

    // The new template is wrong.
    let mut broken = two_versions();
    edit(&mut broken, "template-2.yaml", "manifests:", "manifest:");
    let error = upgraded(&broken, "", "2").unwrap_err();
    assert!(matches!(error, Refusal::Errors { .. } | Refusal::NoVersion { .. }), "{error}");
}

/// Returns a repository whose template has an image, here written as `image`. Another document is in the same file.
fn with_image(image: &str) -> Tree {
    let mut tip = good();
    let pod = format!(
        "        - apiVersion: v1
          kind: Pod
          metadata: {{name: hello, namespace: default}}
          spec:
            containers:
              - name: a
                image: {image}
---
apiVersion: v1
kind: Namespace
metadata: {{name: fleet}}
"
    );
    let template = String::from_utf8(tip.files.remove("template.yaml").unwrap()).unwrap();
    tip.files.insert(
        "hello-1.yaml".to_owned(),
        format!("# hello 1 is here\n---\n# hello 1, not 10\n{template}{pod}").into(),
    );
    tip
}

/// Returns the changed files of the next version, and of the switch to it.
fn proposed(tip: &Tree, newer: &[Newer]) -> Result<Vec<(String, String)>, Refusal> {
    let (operator, addon) = (plain_kinds(), hello());
    let request = NextRequest { tip, path: "", operator: &operator, addon: &addon, newer };
    let next = next(&request)?;
    let mut tree = tip.clone();
    tree.files.extend(next.files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes())));
    let change = switched(&request, &tree, &next)?;
    Ok(next.files.into_iter().chain([(change.file, change.text)]).collect())
}

fn image(from: &str, to: &str) -> Newer {
    Newer::Image { name: "r.io/hello".to_owned(), from: from.to_owned(), to: to.to_owned() }
}

#[test]
fn the_next_version_is_a_copy_of_one_document_with_the_newer_image() {
    let tip = with_image("'r.io/hello:1' # pinned");
    let files = proposed(&tip, &[image("1", "2")]).unwrap();
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["hello-2.yaml", "addon.yaml"]);
    let text = &files[0].1;
    assert!(text.starts_with("# hello 2, not 10\napiVersion:") && text.contains("  name: hello-2\n"), "{text}");
    assert!(text.contains("image: 'r.io/hello:2' # pinned") && text.contains("            name: hello\n"), "{text}");
    assert!(!text.contains("Namespace") && !text.contains("---") && text.ends_with("# pinned\n"), "{text}");
    assert!(files[1].1.contains("name: hello-2\n"));
}

#[test]
fn what_the_template_does_not_contain_itself_is_refused() {
    // An alias, another image, and a chart that the template does not name.
    let mut aliased = with_image("*image");
    edit(
        &mut aliased,
        "hello-1.yaml",
        "containers:\n",
        "containers:\n              - {name: b, image: &image r.io/hello:1}\n",
    );
    for (tip, newer) in
        [(&aliased, image("1", "2")), (&aliased, image("1", "10")), (&with_image("r.io/hello:1.0"), image("1", "2"))]
    {
        let refusal = proposed(tip, &[newer]).unwrap_err();
        assert!(matches!(refusal, Refusal::Uncopied { .. }), "{refusal}");
        assert!(
            refusal.to_string().starts_with("hello-1.yaml does not itself contain every version of hello-1"),
            "{refusal}"
        );
    }
    let chart = Newer::Chart { from: "1".to_owned(), to: "2".to_owned() };
    let refusal = proposed(&with_image("r.io/hello:1"), &[chart]).unwrap_err();
    assert!(matches!(refusal, Refusal::NoRelease { .. }), "{refusal}");
    // A patch by name, in a file of another overlay.
    let mut elsewhere = with_image("r.io/hello:1");
    let patch =
        "patches:\n- target: {kind: AddOnTemplate, name: hello-1}\n  patch: '[{op: remove, path: /metadata/labels}]'\n";
    elsewhere.files.insert("other/kustomization.yaml".to_owned(), patch.into());
    let refusal = proposed(&elsewhere, &[image("1", "2")]).unwrap_err();
    assert!(matches!(&refusal, Refusal::Patched { by, .. } if by == "other/kustomization.yaml"), "{refusal}");
    let mut taken = with_image("r.io/hello:1");
    taken.files.insert("hello-2.yaml".to_owned(), b"# for later\n".to_vec());
    let refusal = proposed(&taken, &[image("1", "2")]).unwrap_err();
    assert_eq!(refusal, Refusal::Taken { what: "hello-2.yaml".to_owned() });
    // A revision that exists is skipped: after a rollback, it is not the one in use.
    let mut rolled_back = with_image("r.io/hello:7");
    let template = String::from_utf8(rolled_back.files["hello-1.yaml"].clone()).unwrap();
    rolled_back.files.insert(
        "hello-1-r2.yaml".to_owned(),
        template.split("\n---\n").nth(1).unwrap().replace("hello-1", "hello-1-r2").into(),
    );
    let files = proposed(&rolled_back, &[image("7", "8")]).unwrap();
    assert_eq!(files[0].0, "hello-1-r3.yaml");
}
