//! Without the feature, OpenPGP is refused with an error that says so.

use super::fixture::*;
use tidegate_signature::{Reason, Store};

#[test]
fn keyrings_and_signatures_are_refused() {
    for keyring in [fixture!("pgp_rsa.asc").as_bytes(), include_bytes!("fixtures/pgp_two.gpg")] {
        let faults = Store::read(keyring).map(|_| ()).unwrap_err();
        assert!(faults[0].to_string().contains("without the feature `openpgp`"), "{faults:?}");
    }
    assert_eq!(reason(judge(&Store::default(), fixture!("pgp_rsa.sig"))), Reason::NoOpenPgp);
}
