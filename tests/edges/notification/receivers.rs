//! Which receiver wants what, and its secrets.

use super::{notice, receiver};
use tidegate_daemon::reconciler::news::Kind;
use tidegate_daemon::reconciler::notification::{Event, Protocol, parse_address};

#[test]
fn a_receiver_gets_the_events_and_add_ons_that_it_wants() {
    let mut wanted = receiver(Protocol::Slack, "nowhere".as_ref());
    assert!(wanted.wants(&notice(Kind::RolloutStopped, "istio")));
    wanted.events = vec![Event::Gate];
    assert!(!wanted.wants(&notice(Kind::RolloutStopped, "istio")));
    assert!(wanted.wants(&notice(Kind::ApprovalAwaited, "istio")));
    wanted.addons = vec!["otel*".to_owned()];
    assert!(!wanted.wants(&notice(Kind::ApprovalAwaited, "istio")));
    assert!(wanted.wants(&notice(Kind::ApprovalAwaited, "otel-collector")));
    let mut of_none = notice(Kind::BrakeHeld, "istio");
    of_none.addon = None;
    wanted.events = Event::ALL.to_vec();
    assert!(!wanted.wants(&of_none), "it concerns no add-on that was chosen");
    wanted.addons.clear();
    assert!(wanted.wants(&of_none));
}

#[test]
fn an_unusable_secret_is_an_error_that_does_not_contain_it() {
    let files = [(); 2].map(|()| tempfile::NamedTempFile::new().unwrap());
    let mut receiver = receiver(Protocol::Webhook, files[0].path());
    receiver.secret_file = Some(files[1].path().to_owned());
    let secrets = |address: &str, secret: &str| {
        std::fs::write(&files[0], address).unwrap();
        std::fs::write(&files[1], secret).unwrap();
        receiver.secrets().map(|secrets| secrets.key).map_err(|why| why.to_string())
    };
    assert_eq!(secrets("https://h/x", "plain\n"), Ok(Some(b"plain".to_vec())));
    assert_eq!(secrets("https://h/x", "whsec_AQID"), Ok(Some(vec![1, 2, 3])));
    for (address, secret) in [
        ("https//sesame", "k"),
        ("ftp://sesame", "k"),
        ("https://sesame@host", "k"),
        ("", "k"),
        ("https://h/x", ""),
        ("https://h/x", "whsec_sesame!"),
    ] {
        let why = secrets(address, secret).unwrap_err();
        assert!(why.contains("_file") && !why.contains("sesame"), "{why}");
    }
    receiver.token_file = Some("nowhere".into());
    let why = receiver.secrets().err().unwrap().to_string();
    assert!(why.contains("whsec_"), "{why}");
    assert!(format!("{receiver:?}{receiver}").contains("[[notify]] 1 (webhook)"));
    assert!(parse_address("http://chat.svc:8080/hook").is_ok());
}
