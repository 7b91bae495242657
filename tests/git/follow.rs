//! Tests of following branches, tags and version ranges.

use tidegate_git::{Credentials, Error, Mirror, Reference, Remote, Tip};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

use super::fixture::{File, Scratch, git};
use super::http_backend::{Answer, HttpBackend};

const IDENTITY: [&str; 4] = ["-c", "user.name=Tom", "-c", "user.email=tom@example.org"];

fn tag(scratch: &Scratch, name: &str, target: &str) {
    let arguments = [&IDENTITY[..], &["tag", "-f", "-a", "-m", "the tag\n\nwith words", name, target]].concat();
    scratch.git_remote(&arguments);
}

fn follow(mirror: &Mirror, text: &str) -> Option<Tip> {
    mirror.follow(&text.parse::<Reference>().unwrap()).unwrap()
}

fn place(tip: Option<Tip>) -> Option<(String, CommitId)> {
    tip.map(|tip| (tip.name, tip.commit))
}

fn at(name: &str, commit: &CommitId) -> Option<(String, CommitId)> {
    Some((name.to_owned(), commit.clone()))
}

#[test]
fn plain_name_is_a_branch_or_else_a_tag() {
    let scratch = Scratch::new();
    let main = scratch.import("main", &[File("a", b"1")]);
    let both = scratch.import("both", &[File("a", b"2")]);
    scratch.git_remote(&["update-ref", "refs/tags/both", main.as_str()]);
    scratch.git_remote(&["update-ref", "refs/tags/v1", main.as_str()]);
    let mirror = scratch.mirror("state");
    assert_eq!(place(follow(&mirror, "main")), at("refs/heads/main", &main));
    assert_eq!(place(follow(&mirror, "both")), at("refs/heads/both", &both));
    assert_eq!(place(follow(&mirror, "refs/tags/both")), at("refs/tags/both", &main));
    assert_eq!(place(follow(&mirror, "v1")), at("refs/tags/v1", &main));
    for absent in ["absent", "refs/heads/v1", "refs/tags/main", "^1", "mai"] {
        assert_eq!(follow(&mirror, absent), None, "{absent}");
    }
    assert_eq!(follow(&Scratch::with_mirror().1, "main"), None, "an empty remote has nothing");
}

#[test]
fn unchanged_ref_costs_one_conversation() {
    let scratch = Scratch::new();
    let main = scratch.import("main", &[File("a", b"1")]);
    tag(&scratch, "v1.0.0", "main");
    let server = HttpBackend::serve(scratch.path(), Answer::Open);
    let remote = Remote::new(&server.url("remote.git"), Credentials::None).unwrap();
    let mirror = Mirror::open(scratch.path().join("state"), remote).unwrap();
    for text in ["main", "refs/heads/main", "refs/tags/v1.0.0", "1.x"] {
        follow(&mirror, text);
        let before = server.authorizations().len();
        assert_eq!(follow(&mirror, text).unwrap().commit, main);
        assert_eq!(server.authorizations().len() - before, 2, "{text}: the handshake and the list of refs");
    }
}

#[test]
fn range_follows_the_highest_version_and_fetches_nothing_else() {
    let scratch = Scratch::new();
    let many = scratch.import_many(None, "main", 300);
    for (at, name) in [(100, "v1.2.0"), (150, "v1.10.0"), (200, "v2.0.0"), (250, "v1.11.0-rc.1")] {
        tag(&scratch, name, many[at].as_str());
    }
    let mirror = scratch.mirror("state");
    let tip = follow(&mirror, ">=1.2 <2").unwrap();
    assert_eq!((tip.name.as_str(), &tip.commit), ("refs/tags/v1.10.0", &many[150]));
    assert!(!mirror.has(&many[100]).unwrap() && !mirror.has(&many[200]).unwrap());
    tag(&scratch, "v1.10.1", many[160].as_str());
    assert_eq!(place(follow(&mirror, ">=1.2 <2")), at("refs/tags/v1.10.1", &many[160]));
    assert!(mirror.is_ancestor(&many[150], &many[160]).is_ok());
    scratch.git_remote(&["tag", "-d", "v1.10.1"]);
    assert_eq!(place(follow(&mirror, ">=1.2 <2")), at("refs/tags/v1.10.0", &many[150]));
    scratch.assert_mirror_sound("state");
}

#[test]
fn annotated_tag_is_read() {
    let scratch = Scratch::new();
    let main = scratch.import("main", &[File("a", b"1")]);
    tag(&scratch, "v1", main.as_str());
    tag(&scratch, "again", "v1");
    scratch.git_remote(&["update-ref", "refs/tags/light", main.as_str()]);
    let mirror = scratch.mirror("state");
    let tip = follow(&mirror, "v1").unwrap();
    let told = tip.tag.unwrap();
    assert_eq!((told.name.as_str(), told.message.as_str()), ("v1", "the tag\n\nwith words\n"));
    assert_eq!(told.tagger.unwrap().email, "tom@example.org");
    assert_eq!(told.signature, None);
    let twice = follow(&mirror, "again").unwrap();
    assert_eq!((twice.commit, twice.tag.unwrap().name.as_str()), (main.clone(), "again"));
    assert_eq!(follow(&mirror, "light").unwrap().tag, None);
}

#[test]
fn signature_of_a_tag_is_returned_with_the_signed_payload() {
    let scratch = Scratch::new();
    let main = scratch.import("main", &[File("a", b"1")]);
    let payload = format!("object {main}\ntype commit\ntag v1\ntagger Tom <t@example.org> 1700000000 +0000\n\nwords\n");
    let signature = "-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n";
    let tag = format!("{payload}{signature}");
    let id = git(&scratch.remote_path(), &["hash-object", "-t", "tag", "-w", "--stdin"], tag.as_bytes());
    scratch.git_remote(&["update-ref", "refs/tags/v1", &id]);
    let told = follow(&scratch.mirror("state"), "v1").unwrap().tag.unwrap();
    let signed = told.signature.unwrap();
    assert_eq!(String::from_utf8(signed.payload).unwrap(), payload);
    assert_eq!(signed.signature, signature);
    assert_eq!(told.message, "words");
    assert_eq!(told.tagger.unwrap().time, Timestamp::from_second(1_700_000_000).unwrap());
}

#[test]
fn moved_tag_is_followed() {
    let scratch = Scratch::new();
    let many = scratch.import_many(None, "main", 20);
    let mirror = scratch.mirror("state");
    for at in [5, 10, 2] {
        tag(&scratch, "stable", many[at].as_str());
        assert_eq!(follow(&mirror, "refs/tags/stable").unwrap().commit, many[at]);
    }
    scratch.assert_mirror_sound("state");
}

#[test]
fn tag_that_is_not_of_a_commit_is_an_error() {
    let scratch = Scratch::new();
    scratch.import("main", &[File("a", b"1")]);
    let mirror = scratch.mirror("state");
    let mut told = Vec::new();
    for (name, target) in [("blob", "main:a"), ("tree", "main^{tree}")] {
        let target = scratch.git_remote(&["rev-parse", target]);
        tag(&scratch, name, &target);
        scratch.git_remote(&["update-ref", &format!("refs/tags/light-{name}"), &target]);
        for name in [name.to_owned(), format!("light-{name}")] {
            let error = mirror.follow(&name.parse().unwrap()).unwrap_err();
            assert!(matches!(error, Error::NoCommit { .. }), "{error:?}");
            told.push(error.to_string());
        }
    }
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn the_head_of_the_remote_is_its_default_branch() {
    let (scratch, mirror) = Scratch::with_mirror();
    assert_eq!(mirror.head().unwrap(), None, "the remote is empty");
    scratch.import("other", &[File("a", b"1")]);
    assert_eq!(mirror.head().unwrap(), None, "its default branch does not exist");
    let main = scratch.import("main", &[File("a", b"2")]);
    assert_eq!(mirror.head().unwrap().map(|tip| tip.commit), Some(main));
    scratch.git_remote(&["symbolic-ref", "HEAD", "refs/heads/other"]);
    assert_eq!(mirror.head().unwrap().map(|tip| tip.commit), Some(scratch.tip("other")));
}
