import Foundation
import TestSupport

/// A certificate authority of openssl's, and the server that has its certificates.
struct CertificateAuthority {
    /// The authority's own certificate, for `sslrootcert`.
    let certificate: String
    private let directory: String
    private let cluster: PostgresCluster

    /// Makes the authority in the cluster's data directory; the server speaks TLS once it has a certificate.
    init(for cluster: PostgresCluster) async throws {
        self.cluster = cluster
        directory = try await cluster.psql("SHOW data_directory") + "/authority"
        certificate = "\(directory)/ca.crt"
        let settings = """
            [ca]
            default_ca = own
            [own]
            database = \(directory)/index.txt
            new_certs_dir = \(directory)
            certificate = \(certificate)
            private_key = \(directory)/ca.key
            default_md = sha256
            rand_serial = yes
            unique_subject = no
            policy = any
            [any]
            commonName = supplied
            """
        try await run(
            "mkdir -m 700 \(directory); cd \(directory); touch index.txt; cat >ca.cnf <<'END'\n\(settings)\nEND")
        try await run(
            "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj '/CN=Authority' -keyout ca.key -out ca.crt")
    }

    /// Gives the running server a certificate for a name, which replaces the one it has.
    func install(for name: String, from start: String = "20200101000000Z", to end: String = "20490101000000Z")
        async throws
    {
        try await run(
            """
            openssl req -newkey rsa:2048 -nodes -subj '/CN=\(name)' -keyout new.key -out new.csr
            printf 'subjectAltName=DNS:\(name)\\n' >new.ext
            openssl ca -batch -config ca.cnf -notext -in new.csr -out new.crt -extfile new.ext \
                -startdate \(start) -enddate \(end)
            chmod 600 new.key
            mv new.key server.key
            mv new.crt server.crt
            """)
        for (setting, value) in [
            ("ssl_cert_file", "'\(directory)/server.crt'"), ("ssl_key_file", "'\(directory)/server.key'"),
            ("ssl", "on"),
        ] { try await cluster.psql("ALTER SYSTEM SET \(setting) = \(value)") }
        try await cluster.psql("SELECT pg_reload_conf()")
    }

    /// Runs a script as the server's account, in the authority's directory.
    private func run(_ script: String) async throws {
        try await Command.run(
            Command.accountPrefix + ["sh", "-ec", "umask 077; [ ! -d \(directory) ] || cd \(directory)\n\(script)"])
    }
}
