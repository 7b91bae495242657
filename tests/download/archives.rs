//! Tests of archives of charts, from honest to hostile.

use tidegate_download::unpack;

use crate::chart_archive::{Item, archive, compressed, file};

#[test]
fn files_are_relative_to_the_chart() {
    let items = [
        Item { name: "web/", kind: b'5', content: b"" },
        file("./web/Chart.yaml", b"name: web"),
        file("web//templates/./a.yaml", b"kind: x"),
    ];
    let files = unpack(&archive(&items)).unwrap();
    assert_eq!(files.keys().collect::<Vec<_>>(), ["Chart.yaml", "templates/a.yaml"]);
    assert_eq!(files["Chart.yaml"], b"name: web");
}

#[test]
fn hostile_archives_are_refused() {
    let top = || file("web/Chart.yaml", b"name: web");
    let with = |item: Item<'_>| archive(&[top(), item]);
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("above", with(file("web/../../x", b""))),
        ("absolute", with(file("/etc/passwd", b""))),
        ("drive", with(file("C:/x", b""))),
        ("backslash", with(file("web\\..\\x", b""))),
        ("link", with(Item { name: "web/x", kind: b'2', content: b"" })),
        ("hard link", with(Item { name: "web/x", kind: b'1', content: b"" })),
        ("device", with(Item { name: "web/x", kind: b'3', content: b"" })),
        ("pipe", with(Item { name: "web/x", kind: b'6', content: b"" })),
        ("twice", with(file("web/./Chart.yaml", b"name: other"))),
        ("below a file", with(file("web/Chart.yaml/x", b""))),
        ("two charts", with(file("other/Chart.yaml", b""))),
        ("no directory", archive(&[file("Chart.yaml", b"")])),
        ("no chart", archive(&[file("web/values.yaml", b"")])),
        ("empty", archive(&[])),
        ("escape", with(file("web/\u{1b}[2J", b""))),
        ("not an archive", b"<!DOCTYPE html>".to_vec()),
        ("not a tar", compressed(&[b'x'; 2048])),
        ("cut", archive(&[top()])[..60].to_vec()),
        ("too short", compressed(&[0; 1])),
    ];
    let reported =
        cases.iter().map(|(what, bytes)| format!("{what}: {}", unpack(bytes).unwrap_err())).collect::<Vec<_>>();
    insta::assert_snapshot!(reported.join("\n"));
}

#[test]
fn bombs_are_refused_before_they_fill_the_memory() {
    let large = vec![0; 65 << 20];
    let refusal = unpack(&archive(&[file("web/Chart.yaml", &large)])).unwrap_err().to_string();
    assert_eq!(refusal, "its files have more than 64 MiB");
    let names: Vec<String> = (0..10_001).map(|at| format!("web/{at}")).collect();
    let items: Vec<Item<'_>> = names.iter().map(|name| file(name, b"")).collect();
    assert_eq!(unpack(&archive(&items)).unwrap_err().to_string(), "it has more than 10000 files");
}

proptest::proptest! {
    #[test]
    fn any_archive_is_unpacked_or_refused(
        names in proptest::collection::vec("(web/)?[a-z./]{0,12}", 0..6),
        kind in proptest::sample::select(&b"0125LKxg\0"[..]),
        damage in 0_usize..2000,
    ) {
        let items: Vec<Item<'_>> = names.iter().map(|name| Item { name, kind, content: b"30 path=x\n" }).collect();
        let mut bytes = archive(&items);
        if let Some(byte) = bytes.get_mut(damage) {
            *byte ^= 0x55;
        }
        if let Ok(files) = unpack(&bytes) {
            proptest::prop_assert!(files.keys().all(|path| !path.starts_with('/') && !path.split('/').any(|part| part == "..")));
        }
    }
}
