//! Properties: a good request with any change to what it asks for is never approved.

use k8s_openapi::ByteString;
use k8s_openapi::api::certificates::v1::CertificateSigningRequest;
use proptest::prelude::*;
use x509_cert::der::pem::LineEnding;

use tidegate_delivery::registration::Decision;

use super::builders::{Asked, Hub, KUBE, SIGNER, csr};

fn is_left_alone(csr: &CertificateSigningRequest) -> bool {
    matches!(Hub::default().decide(csr), Decision::Ignore(_))
}

/// A change to one string: another character, one more, or one less.
fn changed(text: &str, at: prop::sample::Index, kind: u8, character: char) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let index = at.index(characters.len());
    match kind % 3 {
        0 => characters[index] = character,
        1 => characters.insert(index, character),
        _ => drop(characters.remove(index)),
    }
    characters.into_iter().collect()
}

proptest! {
    #[test]
    fn a_request_with_another_byte_is_not_approved(at: prop::sample::Index, bit in 0..8u32) {
        let (label, mut der) = x509_cert::der::pem::decode_vec(Asked::default().pem().as_bytes())
            .map(|(label, der)| (label.to_owned(), der))
            .unwrap();
        let index = at.index(der.len());
        der[index] ^= 1 << bit;
        let pem = x509_cert::der::pem::encode_string(&label, LineEnding::LF, &der).unwrap();
        let mut csr = csr(KUBE, &Asked::default());
        csr.spec.request = ByteString(pem.into_bytes());
        prop_assert!(is_left_alone(&csr));
    }

    #[test]
    fn a_request_for_another_subject_is_not_approved(
        part in 0..4usize, at: prop::sample::Index, kind: u8, character in "[a-z:.-]", custom: bool,
    ) {
        let mut asked = Asked::default();
        let text = asked.subject.get_mut(part).map_or(&mut asked.dns[0], |(_, text)| text);
        let before = text.clone();
        *text = changed(text, at, kind, character.chars().next().unwrap());
        prop_assume!(*text != before);
        let signer = if custom { SIGNER } else { KUBE };
        prop_assert!(is_left_alone(&csr(signer, &asked)));
    }

    #[test]
    fn a_request_with_a_part_more_or_less_is_not_approved(part in 0..3usize, other in 0..3usize, text in ".{0,20}", more: bool) {
        let mut asked = Asked::default();
        if more {
            let kind = asked.subject[other].0;
            prop_assume!(!asked.subject.contains(&(kind, text.clone())) && text != "system:authenticated");
            asked.subject.insert(part, (kind, text));
        } else {
            asked.subject.remove(part);
        }
        prop_assert!(is_left_alone(&csr(KUBE, &asked)));
    }

    #[test]
    fn a_request_of_another_requester_is_not_approved(at: prop::sample::Index, kind: u8, character in "[a-z:.-]") {
        let mut csr = csr(KUBE, &Asked::default());
        let cluster = "system:open-cluster-management:east:";
        csr.spec.username = Some(format!("{}agent-1", changed(cluster, at, kind, character.chars().next().unwrap())));
        prop_assume!(!csr.spec.username.as_deref().unwrap().starts_with(cluster));
        prop_assert!(is_left_alone(&csr));
    }

    #[test]
    fn no_request_makes_the_parser_panic(request in proptest::collection::vec(any::<u8>(), 0..300)) {
        let pem = x509_cert::der::pem::encode_string("CERTIFICATE REQUEST", LineEnding::LF, &request).unwrap();
        let mut csr = csr(KUBE, &Asked::default());
        csr.spec.request = ByteString(pem.into_bytes());
        prop_assert!(is_left_alone(&csr));
    }
}
