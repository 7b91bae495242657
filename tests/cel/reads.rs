//! What an expression reads of a variable, found without running it.

use tidegate_cel::reads;

/// Returns the fields that an expression reads of `object`, or why they are not known.
fn read(text: &str) -> String {
    match reads(text, "object") {
        Ok(paths) => paths.iter().map(|path| path.join("/")).collect::<Vec<_>>().join(" "),
        Err(refused) => format!("{} {:?}", refused.summary, refused.place.unwrap_or_default()),
    }
}

#[test]
fn fields_are_found_by_their_names() {
    let cases = [
        ("object.status.phase == 'Running'", "status/phase"),
        ("object.status.ready == object.spec.replicas && true", "spec/replicas status/ready"),
        ("has(object.status.error) ? false : object.status['ok']", "status/error status/ok"),
        ("object.?status.?count.orValue(0) > 1", "status/count"),
        ("object[?'status'].?count.optMap(n, n > 1).orValue(false)", "status/count"),
        ("object.metadata.annotations['example.com/a'] == 'b'", "metadata/annotations/example.com/a"),
        ("['a', 'b'].exists(phase, phase == object.status.phase)", "status/phase"),
        ("[object.status.a, object.status.b].all(n, n > 0)", "status/a status/b"),
        ("size(object.status.addresses) > 0", "status/addresses"),
        ("[1].all(object, object > 0) && object.spec.on", "spec/on"),
        ("[1].all(object, .object.spec.on)", "spec/on"),
        ("{'a': object.spec.a}['a'] == 1", "spec/a"),
        ("-object.spec.a < 0 || !object.spec.b", "spec/a spec/b"),
    ];
    for (text, fields) in cases {
        assert_eq!(read(text), fields, "{text}");
    }
}

#[test]
fn what_is_known_only_when_an_expression_runs_is_refused_with_its_place() {
    let cases = [
        ("object.status.conditions[0].status == 'True'", "it reads an item of a list (1, 28)"),
        ("object.status[object.spec.key] == 1", "it reads a field or an item that is known only when it runs (1, 14)"),
        (
            "object.status.conditions.exists(c, c.type == 'Ready')",
            "it goes through the items of a list or a map (1, 14)",
        ),
        ("object.status.?conditions.orValue([]).all(c, c.ok)", "it goes through the items of a list or a map (1, 14)"),
        ("object.status.a.filter(x, x > 1).size() == 2", "it goes through the items of a list or a map (1, 14)"),
        ("object == null", "it reads object as a whole, and not a field of it (1, 1)"),
        ("size(object) > 1", "it reads object as a whole, and not a field of it (1, 6)"),
        ("1 < 2", "it reads no field of object (0, 0)"),
        ("[1].all(object, object > 0)", "it reads no field of object (0, 0)"),
        ("object.status.scores('a').size() > 0", "an object has no scores (1, 21)"),
    ];
    for (text, why) in cases {
        assert_eq!(read(text), why, "{text}");
    }
}

#[test]
fn a_deep_expression_is_read_or_refused_in_a_moment() {
    let deep = format!("object{}", ".a".repeat(240));
    assert_eq!(reads(&deep, "object").unwrap().first().unwrap().len(), 240);
    assert!(reads(&format!("{}object.a{}", "(".repeat(5_000), ")".repeat(5_000)), "object").is_err());
}
