//! The ways to name a directory of another repository. The expected values are those of kustomize 5.8.1.

use tidegate_kustomize::vendor::{NotRemote, RemoteDirectory};

#[test]
fn remote_directories_are_parsed_as_kustomize_parses_them() {
    let github = "https://github.com/acme/config";
    let cases = [
        ("https://github.com/acme/config", github, "", ""),
        ("https://github.com/acme/config/", github, "", ""),
        ("https://github.com/acme/config//base?ref=v1", github, "v1", "base"),
        ("https://github.com/acme/config/base/prod?ref=v1", github, "v1", "base/prod"),
        ("https://github.com/acme/config.git/base", "https://github.com/acme/config.git", "", "base"),
        ("https://github.com/acme/config.git//base", "https://github.com/acme/config.git", "", "base"),
        ("http://github.com/acme/config/base", github, "", "base"),
        ("GitHub.com/acme/config/base?ref=a/b", github, "a/b", "base"),
        ("hTTps://github.com/acme/config", github, "", ""),
        ("github.com:acme/config", github, "", ""),
        ("git@github.com:acme/config.git//base?ref=v1", "git@github.com:acme/config.git", "v1", "base"),
        ("git@github.com/acme/config/base", "git@github.com:acme/config", "", "base"),
        ("ssh://git@github.com/acme/config//base", "git@github.com:acme/config", "", "base"),
        ("org-12345@github.com:acme/config", "org-12345@github.com:acme/config", "", ""),
        ("git@gitlab.com:group/sub/project.git//base", "git@gitlab.com:group/sub/project.git", "", "base"),
        ("git@gitlab.com:group/project/base", "git@gitlab.com:group/project", "", "base"),
        ("git@gitlab.com/user:name/project.git/base", "git@gitlab.com/user:name/project.git", "", "base"),
        (
            "ssh://git@git.example.com:7999/org/repo.git//base",
            "ssh://git@git.example.com:7999/org/repo.git",
            "",
            "base",
        ),
        ("git::https://git.example.com/org/repo//base", "https://git.example.com/org/repo", "", "base"),
        ("git::git@github.com:acme/config", "git@github.com:acme/config", "", ""),
        ("https://git.example.com/a/b/c//base", "https://git.example.com/a/b/c", "", "base"),
        ("https://git.example.com/a/b/c", "https://git.example.com/a/b", "", "c"),
        (
            "https://dev.azure.com/org/project/_git/repo/base?version=v1",
            "https://dev.azure.com/org/project/_git/repo",
            "v1",
            "base",
        ),
        ("https://me@dev.azure.com/o/p/_git/repo//base", "https://dev.azure.com/o/p/_git/repo", "", "base"),
        ("https://host/org/repo?ref=a&version=b", "https://host/org/repo", "a", ""),
        ("https://host/org/repo?ref=&version=b", "https://host/org/repo", "b", ""),
        ("https://host/org/repo/?ref=has_git/inside.git/it", "https://host/org/repo", "has_git/inside.git/it", ""),
        ("https://host/org/repo?ref=a%2Fb+c", "https://host/org/repo", "a/b c", ""),
        // One malformed parameter makes all parameters void.
        ("https://host/org/repo?ref=a&x=%zz", "https://host/org/repo", "", ""),
        ("https://host/org/repo?ref=a;b", "https://host/org/repo", "", ""),
        ("https://host/org/repo//a/./b/../c/", "https://host/org/repo", "", "a/c"),
        ("https://gist.github.com/bc7947.git", "https://gist.github.com/bc7947.git", "", ""),
        ("file:///srv/repo", "file:///srv/repo", "", ""),
        ("file:///srv/repo.git/base?ref=v1", "file:///srv/repo.git", "v1", "base"),
        ("file://git@home/repo.git//base", "file://git@home/repo.git", "", "base"),
    ];
    for (source, repository, reference, path) in cases {
        let remote = RemoteDirectory::parse(source).unwrap_or_else(|why| panic!("{source}: {why}"));
        let found = (&*remote.repository, remote.reference.as_deref().unwrap_or_default(), &*remote.path);
        assert_eq!(found, (repository, reference, path), "{source}");
        assert_eq!(remote.source, source);
    }
}

#[test]
fn entries_that_are_not_remote_directories_are_refused() {
    let cases = [
        ("../../base", NotRemote::Path),
        ("base", NotRemote::Path),
        ("/srv/base", NotRemote::Path),
        ("src/github.com/org/repo", NotRemote::Path),
        ("www.github.com/org/repo", NotRemote::Path),
        ("gh:org/repo", NotRemote::Path),
        ("git::repo", NotRemote::Path),
        ("", NotRemote::Path),
        ("é/ü", NotRemote::Path),
        ("ssh://git.example.com", NotRemote::NoRepository),
        ("https://github.com/404.yaml", NotRemote::NoRepository),
        ("https://host?ref=a/b/c", NotRemote::NoRepository),
        ("https://", NotRemote::NoRepository),
        ("file:////srv//base", NotRemote::NoRepository),
        ("git@scp://github.com/org/repo.git//base", NotRemote::NoRepository),
        ("https://github.com/org/repo.git//a/../../b", NotRemote::Outside),
        ("https://me:secret@host/org/repo", NotRemote::Password),
        ("https://host/org/repo?ref=--upload-pack=x", NotRemote::Unsafe),
        ("https://host/org/repo//-x", NotRemote::Unsafe),
        ("https://host/org/repo?ref=a%0Ab", NotRemote::Unsafe),
    ];
    for (source, why) in cases {
        assert_eq!(RemoteDirectory::parse(source), Err(why), "{source}");
    }
}

#[test]
fn submodules_are_allowed_unless_the_source_excludes_them() {
    for (query, allowed) in [
        ("", true),
        ("?submodules=false", false),
        ("?submodules=0", false),
        ("?submodules=maybe", true),
        ("?submodules=", true),
    ] {
        let remote = RemoteDirectory::parse(&format!("https://host/org/repo{query}"));
        assert_eq!(remote.map(|remote| remote.submodules), Ok(allowed), "{query}");
    }
}

proptest::proptest! {
    #[test]
    fn any_string_is_parsed_without_a_panic(source in "(git::)?(https://|ssh://|git@|github.com|file://)?[a-z:/@.?=&%_-]{0,40}") {
        if let Ok(remote) = RemoteDirectory::parse(&source) {
            proptest::prop_assert!(!remote.repository.is_empty());
            proptest::prop_assert!(!remote.path.split('/').any(|part| part == ".."));
        }
    }
}
