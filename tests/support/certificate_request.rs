//! PKCS#10 requests for certificates, as agents and others create them.

use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use rustls_pki_types::PrivatePkcs8KeyDer;
use rustls_pki_types::pem::PemObject;
use x509_cert::attr::{Attribute, AttributeTypeAndValue};
use x509_cert::der::asn1::{Any, BitString, Ia5String, ObjectIdentifier, OctetString, SetOfVec, Utf8StringRef};
use x509_cert::der::oid::AssociatedOid as _;
use x509_cert::der::oid::db::rfc4519::{COMMON_NAME, ORGANIZATION_NAME};
use x509_cert::der::oid::db::rfc5912::{ECDSA_WITH_SHA_256, ID_EC_PUBLIC_KEY, SECP_256_R_1};
use x509_cert::der::pem::LineEnding;
use x509_cert::der::{Decode as _, Encode as _, EncodePem as _};
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::SubjectAltName;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::name::{RdnSequence, RelativeDistinguishedName};
use x509_cert::request::{CertReq, CertReqInfo, ExtensionReq, Version};
use x509_cert::spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};

const KEY: &str = include_str!("../core/delivery/registration/data/p256.pkcs8.key");

/// The subject and the alternative names of a PKCS#10 request.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) subject: Vec<(ObjectIdentifier, String)>,
    pub(crate) dns: Vec<String>,
}

pub(crate) fn cn(value: &str) -> (ObjectIdentifier, String) {
    (COMMON_NAME, value.to_owned())
}

pub(crate) fn o(value: &str) -> (ObjectIdentifier, String) {
    (ORGANIZATION_NAME, value.to_owned())
}

impl Default for Asked {
    fn default() -> Self {
        Self::by("east", "hello")
    }
}

impl Asked {
    /// Returns the request of an agent of an add-on on a cluster.
    pub(crate) fn by(cluster: &str, addon: &str) -> Self {
        let one = format!("system:open-cluster-management:cluster:{cluster}:addon:{addon}");
        let all = format!("system:open-cluster-management:addon:{addon}");
        let subject = vec![o(&one), o(&all), cn(&format!("{one}:agent:{addon}-agent"))];
        Self { subject, dns: vec![format!("{addon}.addon.open-cluster-management.io")] }
    }

    /// Returns the request of the agent of cluster east for add-on hello, with another subject.
    pub(crate) fn of(subject: &[(ObjectIdentifier, String)]) -> Self {
        Self { subject: subject.to_vec(), ..Self::default() }
    }

    /// Returns the request as PEM, signed with the key of an agent.
    pub(crate) fn pem(&self) -> String {
        let key: PrivatePkcs8KeyDer<'static> = PemObject::from_pem_slice(KEY.as_bytes()).unwrap();
        let random = SystemRandom::new();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, key.secret_pkcs8_der(), &random).unwrap();
        let part = |(oid, value): &(ObjectIdentifier, String)| {
            let value = Any::from(Utf8StringRef::new(value).unwrap());
            RelativeDistinguishedName::try_from(vec![AttributeTypeAndValue { oid: *oid, value }]).unwrap()
        };
        let name = |name: &String| GeneralName::DnsName(Ia5String::new(name).unwrap());
        let names = SubjectAltName(self.dns.iter().map(name).collect()).to_der().unwrap();
        let extension =
            Extension { extn_id: SubjectAltName::OID, critical: false, extn_value: OctetString::new(names).unwrap() };
        let attribute = Attribute::try_from(ExtensionReq(vec![extension])).unwrap();
        let info = CertReqInfo {
            version: Version::V1,
            subject: RdnSequence(self.subject.iter().map(part).collect()),
            public_key: SubjectPublicKeyInfoOwned {
                algorithm: AlgorithmIdentifierOwned {
                    oid: ID_EC_PUBLIC_KEY,
                    parameters: Some(Any::from(SECP_256_R_1)),
                },
                subject_public_key: BitString::from_bytes(pair.public_key().as_ref()).unwrap(),
            },
            attributes: SetOfVec::try_from(vec![attribute]).unwrap(),
        };
        let signature = pair.sign(&random, &info.to_der().unwrap()).unwrap();
        let algorithm = AlgorithmIdentifierOwned { oid: ECDSA_WITH_SHA_256, parameters: None };
        let request = CertReq { info, algorithm, signature: BitString::from_bytes(signature.as_ref()).unwrap() };
        assert_eq!(CertReq::from_der(&request.to_der().unwrap()).unwrap(), request);
        request.to_pem(LineEnding::LF).unwrap()
    }
}
