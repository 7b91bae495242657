//! Base64 is read and written as Go does it.

use proptest::prelude::*;
use tidegate_go::base64::{decode, encode};

#[test]
fn base64_is_decoded_as_in_go() {
    let cases = [
        ("", ""),
        ("YQ==", "a"),
        ("YWI=", "ab"),
        ("YWJj", "abc"),
        ("YW\nJj\r\n", "abc"),
        ("YQ=\n=\n", "a"),
        // The bits after the last byte are ignored.
        ("YR==", "a"),
    ];
    for (text, expected) in cases {
        assert_eq!(decode(text).as_deref(), Ok(expected.as_bytes()), "{text:?}");
    }
}

#[test]
fn invalid_base64_gets_gos_error_message() {
    let cases = [
        ("not base64!", 3),
        ("YQ=", 3),
        ("YQ", 0),
        ("Y", 0),
        ("YWJjY", 4),
        ("YWJjYQ", 4),
        ("=", 0),
        ("Y===", 1),
        ("YQ=x", 2),
        ("YQ==YQ==", 4),
        ("YWI=x", 4),
        ("YWJj\nY-", 6),
        ("YW\u{e9}=", 2),
    ];
    for (text, at) in cases {
        assert_eq!(
            decode(text).unwrap_err().to_string(),
            format!("illegal base64 data at input byte {at}"),
            "{text:?}"
        );
    }
}

proptest! {
    #[test]
    fn encoded_bytes_decode_back(bytes in prop::collection::vec(any::<u8>(), 0..50)) {
        prop_assert_eq!(decode(&encode(&bytes)), Ok(bytes));
    }

    #[test]
    fn any_string_is_decoded_or_rejected_without_panic(text in ".*") {
        let _ = decode(&text);
    }
}
