//! Tests of addresses: what is accepted, and what is never printed.

use tidegate_git::{Credentials, Error, Remote};

fn token() -> Credentials {
    Credentials::TokenFile("/run/secrets/token".into())
}

#[test]
fn paths_and_four_schemes_are_accepted() {
    for (address, local) in [
        ("/srv/config.git", Some("/srv/config.git")),
        ("./config.git", Some("./config.git")),
        ("file:///srv/config.git", Some("/srv/config.git")),
        ("https://git.example.org/config.git", None),
        ("http://git.example.org/config.git", None),
        ("ssh://git@git.example.org/config.git", None),
        ("git@git.example.org:config.git", None),
    ] {
        let remote = Remote::new(address, Credentials::None).unwrap();
        assert_eq!(remote.address(), address);
        assert_eq!(remote.local_path(), local.map(Into::into), "{address}");
    }
}

#[test]
fn other_addresses_are_refused() {
    for address in ["", "git://git.example.org/x", "ext::sh -c touch", "ftp://git.example.org/x", "file://host/x"] {
        let error = Remote::new(address, Credentials::None).unwrap_err();
        assert!(matches!(error, Error::Address { .. }), "{address:?}: {error:?}");
    }
}

#[test]
fn password_in_an_address_is_refused_and_not_repeated() {
    for address in ["https://ann:hunter2@git.example.org/x", "ssh://ann:hunter2@git.example.org/x"] {
        let error = Remote::new(address, Credentials::None).unwrap_err();
        assert!(matches!(error, Error::Address { .. }));
        assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
    }
}

#[test]
fn credentials_over_plain_http_are_allowed_only_on_this_machine() {
    for address in ["http://git.example.org/x", "http://127.0.0.1.example.org/x", "http://10.0.0.1/x"] {
        assert!(matches!(Remote::new(address, token()), Err(Error::PlainHttp { .. })), "{address}");
        assert!(Remote::new(address, Credentials::None).is_ok(), "{address}");
    }
    for address in ["http://127.0.0.1:8080/x", "http://localhost/x", "http://[::1]:8080/x", "https://git.example.org/x"]
    {
        assert!(Remote::new(address, token()).is_ok(), "{address}");
    }
}

#[test]
fn user_name_is_removed_from_an_http_address() {
    let remote = Remote::new("https://ann@git.example.org/x", Credentials::None).unwrap();
    assert_eq!(remote.address(), "https://git.example.org/x");
}
