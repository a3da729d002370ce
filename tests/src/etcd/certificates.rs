//! Certificates for TLS: an authority, a server, a client.

use std::fs;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};

use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, IsCa, Issuer, KeyPair, SanType,
};

/// Where they lie, as PEM.
#[derive(Clone, Debug)]
pub struct Certificates {
    /// The authority's, whom both sides trust.
    pub authority: PathBuf,
    /// A client's. It has no common name: etcd refuses all JSON calls over a connection whose client
    /// has one, once users are on.
    pub client: PathBuf,
    /// Its key.
    pub client_key: PathBuf,
}

impl Certificates {
    /// Makes them, with `server.pem` and `server.key`, in `folder`.
    ///
    /// # Errors
    /// When they cannot be made or written.
    pub fn write(folder: &Path) -> io::Result<Self> {
        let mut authority = named("etcd's authority")?;
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().map_err(io::Error::other)?;
        let signed = authority.self_signed(&key).map_err(io::Error::other)?;
        fs::write(folder.join("authority.pem"), signed.pem())?;
        let issuer = Issuer::new(authority, key);
        let mut server = named("etcd")?;
        let loopback = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let name = "etcd.example".try_into().map_err(io::Error::other)?;
        server.subject_alt_names = vec![SanType::IpAddress(loopback), SanType::DnsName(name)];
        write(folder, "server", server, &issuer)?;
        let mut client = CertificateParams::new(vec![]).map_err(io::Error::other)?;
        client.distinguished_name = DistinguishedName::new();
        let organisation = DnType::OrganizationName;
        client.distinguished_name.push(organisation, "proxies");
        write(folder, "client", client, &issuer)?;
        Ok(Self {
            authority: folder.join("authority.pem"),
            client: folder.join("client.pem"),
            client_key: folder.join("client.key"),
        })
    }
}

fn named(name: &str) -> io::Result<CertificateParams> {
    let mut params = CertificateParams::new(vec![]).map_err(io::Error::other)?;
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, name);
    Ok(params)
}

fn write(
    folder: &Path,
    file: &str,
    params: CertificateParams,
    issuer: &Issuer<'_, KeyPair>,
) -> io::Result<()> {
    let key = KeyPair::generate().map_err(io::Error::other)?;
    let signed = params.signed_by(&key, issuer).map_err(io::Error::other)?;
    fs::write(folder.join(format!("{file}.pem")), signed.pem())?;
    fs::write(folder.join(format!("{file}.key")), key.serialize_pem())
}
