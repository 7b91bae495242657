//! Tests of fetching single commits, and of how two commits relate.

use tidegate_git::{Ancestry, Credentials, Error, Mirror, Remote};

use super::fixture::{File, Scratch};
use super::http_backend::{Answer, HttpBackend};

use crate::scratch::tempdir;

#[test]
fn commit_is_fetched_by_its_id_alone() {
    let scratch = Scratch::new();
    let many = scratch.import_many(None, "main", 200);
    let server = HttpBackend::serve(scratch.path(), Answer::Open);
    for address in [scratch.remote_path().display().to_string(), server.url("remote.git")] {
        let state = tempdir();
        let mirror = Mirror::open(state.path(), Remote::new(&address, Credentials::None).unwrap()).unwrap();
        assert!(!mirror.has(&many[100]).unwrap());
        assert!(mirror.obtain(&many[100]).unwrap());
        assert!(mirror.has(&many[100]).unwrap());
        assert!(!mirror.has(&many[99]).unwrap());
        assert_eq!(mirror.tree(&many[100], "").unwrap().files.len(), 20);
        for absent in ["1".repeat(40), "2".repeat(64)] {
            assert!(!mirror.obtain(&absent.parse().unwrap()).unwrap());
        }
        let tree = scratch.git_remote(&["rev-parse", "main^{tree}"]);
        assert!(!mirror.obtain(&tree.parse().unwrap()).unwrap(), "it is not a commit");
        let packs = std::fs::read_dir(state.path().join("mirror.git/objects/pack")).unwrap();
        let kept = packs.filter(|file| file.as_ref().unwrap().path().extension().is_some_and(|ext| ext == "keep"));
        assert_eq!(kept.count(), 0, "no `.keep` file remains");
    }
}

#[test]
fn unreachable_remote_is_not_treated_as_a_refusal() {
    let scratch = Scratch::new();
    let mirror = scratch.mirror("state");
    std::fs::remove_dir_all(scratch.remote_path()).unwrap();
    assert!(mirror.obtain(&"1".repeat(40).parse().unwrap()).is_err());
}

#[test]
fn ancestry_is_found_however_far_back_it_is() {
    let scratch = Scratch::new();
    let many = scratch.import_many(None, "main", 1_200);
    let side = scratch.import_many(Some(&many[1_195]), "side", 3);
    let stranger = scratch.import_on(None, "stranger", &[File("a", b"1")]);
    for (old, new, expected) in [
        (&many[1_199], &many[1_199], Ancestry::Same),
        (&many[1_190], &many[1_199], Ancestry::Ahead),
        (&many[400], &many[1_199], Ancestry::Ahead),
        (&many[1_199], &many[1_000], Ancestry::Behind),
        (&many[1_199], &side[2], Ancestry::Diverged),
        (&stranger, &many[1_199], Ancestry::Diverged),
        (&"3".repeat(40).parse().unwrap(), &many[1_199], Ancestry::Diverged),
    ] {
        let state = tempfile::tempdir_in(scratch.path()).unwrap();
        let mirror = Mirror::open(state.path(), scratch.remote()).unwrap();
        assert_eq!(mirror.ancestry(old, new).unwrap(), expected, "{old:?} {new:?}");
    }
}

#[test]
fn nearby_ancestry_fetches_few_objects() {
    let scratch = Scratch::new();
    let many = scratch.import_many(None, "main", 3_000);
    let side = scratch.import_many(Some(&many[2_995]), "side", 3);
    let mirror = scratch.mirror("state");
    assert_eq!(mirror.ancestry(&many[2_990], &many[2_999]).unwrap(), Ancestry::Ahead);
    assert_eq!(mirror.ancestry(&many[2_999], &side[2]).unwrap(), Ancestry::Diverged);
    let objects = scratch.assert_mirror_sound("state");
    assert!(objects < 110 * 6, "{objects} objects");
}

#[test]
fn commit_that_the_remote_lacks_is_an_error() {
    let scratch = Scratch::new();
    let main = scratch.import("main", &[File("a", b"1")]);
    let mirror = scratch.mirror("state");
    let absent = "4".repeat(40).parse().unwrap();
    let told = mirror.ancestry(&main, &absent);
    assert!(matches!(told, Err(Error::UnknownCommit { .. })), "{told:?}");
}

#[test]
fn ancestry_on_a_shallow_remote_may_be_unknown() {
    let scratch = Scratch::new();
    let many = scratch.import_many(None, "main", 100);
    let side = scratch.import_many(Some(&many[10]), "side", 100);
    let source = format!("file://{}", scratch.remote_path().display());
    scratch.git(&["clone", "--quiet", "--bare", "--no-single-branch", "--depth=5", &source, "cut.git"]);
    let remote = Remote::new(scratch.path().join("cut.git").to_str().unwrap(), Credentials::None).unwrap();
    let mirror = Mirror::open(scratch.path().join("state"), remote).unwrap();
    mirror.fetch(&["main", "side"]).unwrap();
    assert_eq!(mirror.ancestry(&many[99], &side[99]).unwrap(), Ancestry::Unknown);
    assert_eq!(mirror.ancestry(&many[97], &many[99]).unwrap(), Ancestry::Ahead);
}
