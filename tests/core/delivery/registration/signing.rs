//! The certificates of custom signers, which another library verifies.

use ring::rand::SystemRandom;
use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, UnixTime};
use webpki::{EndEntityCert, KeyUsage, anchor_from_trusted_cert, ring as algorithms};
use x509_cert::Certificate;
use x509_cert::der::{Decode as _, DecodePem as _, Encode as _};

use tidegate_api::ocm::addon_template::SigningCa;
use tidegate_delivery::registration::{
    Authority, Decision, Request, Serial, Unusable, VALIDITY, approved, certificate, issued,
};
use tidegate_model::time::Timestamp;

use super::builders::{ALL, Asked, Hub, ONE, SIGNER, cn, csr, o};

/// The authorities, with each form of their keys.
const AUTHORITIES: &[(&str, &[&str])] = &[
    (include_str!("data/rsa.crt"), &[include_str!("data/rsa.pkcs8.key"), include_str!("data/rsa.pkcs1.key")]),
    (include_str!("data/p256.crt"), &[include_str!("data/p256.pkcs8.key"), include_str!("data/p256.sec1.key")]),
    (include_str!("data/p384.crt"), &[include_str!("data/p384.pkcs8.key"), include_str!("data/p384.sec1.key")]),
];

fn authority(certificate: &str, key: &str) -> Result<Authority, Unusable> {
    Authority::from_pem(certificate.as_bytes(), key.as_bytes(), &SystemRandom::new())
}

fn at(time: &str) -> Timestamp {
    time.parse().unwrap()
}

fn sign(authority: &Authority, now: Timestamp) -> Result<String, Unusable> {
    let request = Request::parse(Asked::default().pem().as_bytes()).unwrap();
    certificate(&request, authority, now, Serial::new([0xff; 16]).unwrap(), &SystemRandom::new())
}

#[test]
fn an_approved_request_is_signed_with_the_authority_of_its_template() {
    let csr = approved(&csr(SIGNER, &Asked::default()));
    let secret = SigningCa { name: "ca".to_owned(), namespace: Some("hub".to_owned()) };
    assert_eq!(Hub::default().decide(&csr), Decision::Sign(secret));
    let signed = issued(&csr, "PEM".to_owned());
    assert_eq!(serde_json::json!(signed)["status"]["certificate"], "UEVN");
}

#[test]
fn a_request_that_was_approved_by_mistake_is_not_signed() {
    let asked = Asked::of(&[o("system:masters"), cn("admin")]);
    assert!(matches!(Hub::default().decide(&approved(&csr(SIGNER, &asked))), Decision::Ignore(_)));
}

#[test]
fn certificates_are_good_for_clients_and_servers() {
    let now = at("2027-03-01T12:00:00.5Z");
    for (certificate, keys) in AUTHORITIES {
        let root = CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap();
        let anchor = anchor_from_trusted_cert(&root).unwrap();
        for key in *keys {
            let pem = sign(&authority(certificate, key).unwrap(), now).unwrap();
            let der = CertificateDer::from_pem_slice(pem.as_bytes()).unwrap();
            let entity = EndEntityCert::try_from(&der).unwrap();
            let supported =
                &[algorithms::RSA_PKCS1_2048_8192_SHA256, algorithms::ECDSA_P256_SHA256, algorithms::ECDSA_P384_SHA384];
            let verify = |usage, seconds: i64| {
                let time = u64::try_from(now.as_second() + seconds).unwrap();
                let time = UnixTime::since_unix_epoch(std::time::Duration::from_secs(time));
                let anchors = std::slice::from_ref(&anchor);
                entity.verify_for_usage(supported, anchors, &[], time, usage, None, None).map(|_| ())
            };
            verify(KeyUsage::client_auth(), 0).unwrap();
            verify(KeyUsage::server_auth(), VALIDITY.as_secs()).unwrap();
            verify(KeyUsage::client_auth(), -1).unwrap_err();
            verify(KeyUsage::client_auth(), VALIDITY.as_secs() + 1).unwrap_err();
            let names: Vec<_> = entity.valid_dns_names().collect();
            assert_eq!(names, ["hello.addon.open-cluster-management.io"]);
        }
    }
}

#[test]
fn certificates_have_the_fields_of_upstreams() {
    let (root, keys) = AUTHORITIES[0];
    let pem = sign(&authority(root, keys[0]).unwrap(), at("2027-03-01T12:00:00Z")).unwrap();
    let issued = Certificate::from_pem(pem).unwrap().tbs_certificate;
    let root = Certificate::from_pem(root).unwrap().tbs_certificate;
    let request = x509_cert::request::CertReq::from_pem(Asked::default().pem()).unwrap().info;
    assert_eq!(issued.version, x509_cert::Version::V3);
    // A positive number, so a zero comes first.
    assert_eq!(issued.serial_number.as_bytes().strip_prefix(&[0]), Some(&[0xff; 16][..]));
    assert_eq!(issued.issuer, root.subject);
    assert_eq!(issued.subject, request.subject);
    assert_eq!(issued.subject_public_key_info, request.public_key);
    let validity = [issued.validity.not_before, issued.validity.not_after].map(|time| time.to_string());
    assert_eq!(validity, ["2027-03-01T12:00:00Z", "2027-03-02T12:00:00Z"]);
    let extensions: Vec<_> =
        issued.extensions.unwrap().into_iter().map(|e| (e.extn_id.to_string(), e.critical)).collect();
    // Key usage, extended key usage, authority key identifier, alternative names.
    let expected = [("2.5.29.15", true), ("2.5.29.37", false), ("2.5.29.35", false), ("2.5.29.17", false)];
    assert_eq!(extensions, expected.map(|(id, critical)| (id.to_owned(), critical)));
}

#[test]
fn a_certificate_expires_with_its_authority_at_the_latest() {
    let (root, keys) = AUTHORITIES[1];
    let until = Certificate::from_pem(root).unwrap().tbs_certificate.validity.not_after;
    let expiry = Timestamp::from_second(i64::try_from(until.to_unix_duration().as_secs()).unwrap()).unwrap();
    let authority = authority(root, keys[0]).unwrap();
    let pem = sign(&authority, expiry - VALIDITY / 2).unwrap();
    assert_eq!(Certificate::from_pem(pem).unwrap().tbs_certificate.validity.not_after, until);
    let expired = sign(&authority, expiry).unwrap_err();
    assert_eq!(expired.to_string(), format!("signer has expired, expired time: {expiry}"));
}

#[test]
fn a_secret_with_a_chain_or_other_blocks_is_read() {
    let [(rsa, rsa_keys), (p256, p256_keys), _] = AUTHORITIES else { panic!("three authorities") };
    let chain = format!("# the authority\n{p256}{rsa}");
    assert!(authority(&chain, p256_keys[1]).is_ok());
    assert_eq!(authority(&chain, rsa_keys[0]).unwrap_err(), Unusable::Mismatch);
}

#[test]
fn an_unusable_secret_is_reported() {
    let [(rsa, rsa_keys), (p256, _), _] = AUTHORITIES else { panic!("three authorities") };
    let message = |certificate: &str, key: &str| authority(certificate, key).unwrap_err().to_string();
    assert_eq!(message("", rsa_keys[0]), "failed to decode ca cert");
    assert_eq!(message(rsa, ""), "failed to decode ca key");
    assert_eq!(message(rsa, rsa), "failed to decode ca key");
    let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    assert!(message(broken, rsa_keys[0]).starts_with("failed to parse ca certificate: "));
    for kind in ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"] {
        let broken = format!("-----BEGIN {kind}-----\nAAAA\n-----END {kind}-----\n");
        assert!(message(rsa, &broken).starts_with("failed to parse ca key: "), "{kind}");
    }
    assert_eq!(message(p256, rsa_keys[0]), "the ca key does not belong to the ca certificate");
}

#[test]
fn an_authority_never_displays_its_key() {
    let (root, keys) = AUTHORITIES[0];
    assert_eq!(format!("{:?}", authority(root, keys[0]).unwrap()), "Authority(CN=rsa authority,O=Example)");
}

#[test]
fn a_serial_number_is_not_zero() {
    assert_eq!(Serial::new([0; 16]), None);
    let request = Request::parse(Asked::of(&[o(ONE), o(ALL), cn("x")]).pem().as_bytes()).unwrap();
    let (root, keys) = AUTHORITIES[1];
    let authority = authority(root, keys[0]).unwrap();
    let mut bytes = [0; 16];
    bytes[15] = 1;
    let random = SystemRandom::new();
    let pem =
        certificate(&request, &authority, at("2027-01-01T00:00:00Z"), Serial::new(bytes).unwrap(), &random).unwrap();
    let issued = Certificate::from_pem(pem).unwrap();
    assert_eq!(issued.tbs_certificate.serial_number.as_bytes(), [1]);
    assert_eq!(Certificate::from_der(&issued.to_der().unwrap()).unwrap(), issued);
}
