//! Charts as kustomizations declare them. The merged values are those of kustomize 5.8.1.

use serde_json::json;
use tidegate_kustomize::vendor::{ChartDeclaration, ChartValues, Needs, ValuesMerge, Wanted, needs};

use super::tree;

fn found(kustomization: &str) -> Needs {
    let files = tree(&[
        ("kustomization.yaml", kustomization),
        ("values.yaml", "a: 1\n"),
        ("more.yaml", "b: 2\n"),
        ("charts/web/Chart.yaml", ""),
        ("../outside.yaml", ""),
    ]);
    needs(&files, &[".".to_owned()])
}

fn declared(entry: &str) -> ChartDeclaration {
    let found = found(&format!("helmCharts: [{entry}]\n"));
    assert_eq!(found.problems, []);
    match &found.needs.first().unwrap().wanted {
        Wanted::Chart(chart) => (**chart).clone(),
        wanted => panic!("{wanted:?}"),
    }
}

#[test]
fn helm_gets_the_arguments_that_kustomize_passes() {
    let all = "{name: web, releaseName: rel, namespace: ns, valuesFile: values.yaml, additionalValuesFiles: [more.yaml], includeCRDs: true, \
               skipHooks: true, skipTests: true, apiVersions: [v1, a/v2], kubeVersion: 1.30.0, debug: true, devel: true}";
    let arguments = declared(all).arguments("CHART", &["1.yaml".to_owned(), "2.yaml".to_owned()]);
    let expected = "template rel CHART --namespace ns -f 1.yaml -f 2.yaml --api-versions v1 --api-versions a/v2 --kube-version 1.30.0 \
                    --include-crds --skip-tests --no-hooks";
    assert_eq!(arguments.join(" "), expected);
    assert_eq!(declared("{name: web}").arguments("CHART", &[]).join(" "), "template release-name CHART");
    let template = declared("{name: web, nameTemplate: 'a{{ 1 }}'}").arguments("CHART", &[]);
    assert_eq!(template.join(" "), "template --generate-name --name-template a{{ 1 }} CHART");
}

#[test]
fn everything_that_decides_the_output_changes_the_hash() {
    let base = "name: web, releaseName: x";
    let options = [
        "",
        ", valuesFile: values.yaml",
        ", additionalValuesFiles: [values.yaml]",
        ", additionalValuesFiles: [values.yaml, more.yaml]",
        ", additionalValuesFiles: [more.yaml, values.yaml]",
        ", valuesInline: {a: 1}",
        ", valuesInline: {a: \"1\"}",
        ", valuesInline: {a: 1}, valuesMerge: merge",
        ", valuesInline: {a: 1}, valuesMerge: replace",
        ", includeCRDs: true",
        ", skipHooks: true",
        ", skipTests: true",
        ", apiVersions: [a]",
        ", kubeVersion: a",
        ", devel: true",
    ];
    let mut hashes: Vec<_> =
        options.iter().map(|option| declared(&format!("{{{base}{option}}}")).values_digest()).collect();
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), options.len());
    // The layout of the values does not matter.
    let (a, b) =
        (declared("{name: web, valuesInline: {a: 1, b: 2}}"), declared("{name: web, valuesInline: {b: 2, \"a\": 1}}"));
    assert_eq!(a.values_digest(), b.values_digest());
}

#[test]
fn hostile_and_malformed_charts_are_refused() {
    let entries = [
        "{}",
        "{name: --post-renderer=x}",
        "{name: ../../etc}",
        "{name: web, releaseName: --post-renderer}",
        "{name: web, releaseName: Web}",
        "{name: web, namespace: a b}",
        "{name: web, version: --devel}",
        "{name: web, kubeVersion: --x}",
        "{name: web, apiVersions: ['-x']}",
        "{name: web, nameTemplate: '{{ env \"TOKEN\" }}'}",
        "{name: web, nameTemplate: a, releaseName: b}",
        "{name: web, valuesFile: ../outside.yaml}",
        "{name: web, valuesFile: missing.yaml}",
        "{name: web, valuesMerge: deep}",
        "{name: none}",
        "{name: none, repo: file:///etc}",
        "{name: none, repo: --x}",
        "{name: none, repo: 'https://me:secret@example.com'}",
        "{name: none, repo: 'oci://host/../x'}",
        "{name: web, valuesInline: {a: .inf}}",
    ];
    let reported = entries.map(|entry| {
        let found = found(&format!("helmCharts:\n- {entry}\n"));
        assert_eq!(found.needs, [], "{entry}");
        format!("{entry}\n  {}", found.problems.first().map(ToString::to_string).unwrap_or_default())
    });
    insta::assert_snapshot!(reported.join("\n"));
}

fn merged(merge: ValuesMerge, file: Option<&str>, inline: serde_json::Value) -> String {
    let values = ChartValues { file: None, files: vec![b"last".to_vec()], inline: Some(inline), merge };
    match values.merged(file.map(str::as_bytes)) {
        Ok(files) => {
            assert_eq!(files.last().map(Vec::as_slice), Some(&b"last"[..]));
            String::from_utf8_lossy(&files[0]).into_owned()
        }
        Err(error) => error.to_string(),
    }
}

#[test]
fn inline_values_are_merged_as_in_kustomize() {
    let file = "m: {a: 2, b: 3, d: {x: 1}}\nnn: 5\nl: [1, 2]\nnul: null\ns: 5\n";
    let inline = json!({"nn": null, "nul": {"a": null}, "e": {}, "f": {"g": null}, "m": {"d": {"x": null}}, "s": "x"});
    insta::assert_snapshot!("override", merged(ValuesMerge::Override, Some(file), inline.clone()));
    insta::assert_snapshot!("merge", merged(ValuesMerge::Merge, Some(file), inline.clone()));
    insta::assert_snapshot!("replace", merged(ValuesMerge::Replace, Some(file), inline));
}

#[test]
fn values_that_cannot_be_merged_are_refused() {
    let reported = [
        merged(ValuesMerge::Override, Some("m: {a: 1}"), json!({"m": 5})),
        merged(ValuesMerge::Override, Some("l: [1]"), json!({"l": {"a": 1}})),
        merged(ValuesMerge::Override, Some("n: 1"), json!({"n": [1]})),
        merged(ValuesMerge::Override, Some("- a"), json!({"n": 1})),
        merged(ValuesMerge::Override, Some("a: ["), json!({"n": 1})),
        merged(ValuesMerge::Override, None, json!({"n": 1})),
        merged(ValuesMerge::Override, Some(""), json!({"n": 1})),
    ];
    insta::assert_snapshot!(reported.join("\n"));
}

#[test]
fn values_files_are_passed_on_as_they_are() {
    let values = ChartValues { file: Some(b"a: 1 # x".to_vec()), ..ChartValues::default() };
    assert_eq!(values.merged(Some(b"b: 1")), Ok(vec![b"a: 1 # x".to_vec()]));
    assert_eq!(ChartValues::default().merged(Some(b"b: 1")), Ok(Vec::new()));
}
