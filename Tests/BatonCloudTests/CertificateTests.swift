import BatonClient
import BatonCloud
import BatonCore
import BatonTestSupport
import BatonWire
import Crypto
import Foundation
import Glibc
import SwiftProtobuf
import Synchronization
import Testing

/// Certificates that are replaced while the server runs.
@Suite("The cloud's certificate", .serialized) struct CertificateTests {
    /// A certificate and its key in a folder, and others to take their place.
    private struct Files {
        let folder: TemporaryDirectory
        var certificate: String { folder.file("shown/certificate.pem") }
        var key: String { folder.file("shown/key.pem") }

        init(_ names: [String]) throws {
            folder = try TemporaryDirectory()
            for name in names + ["shown"] {
                try FileManager.default.createDirectory(
                    atPath: folder.file(name), withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
                _ = try ServerIdentity.own(in: folder.file(name), now: Date())
            }
            try show(names[0])
        }

        /// As tools do that renew certificates: each file is replaced at once, one after the other.
        func show(_ name: String, onlyCertificate: Bool = false) throws {
            for file in onlyCertificate ? ["certificate.pem"] : ["key.pem", "certificate.pem"] {
                try FileManager.default.copyItem(
                    atPath: folder.file("\(name)/\(file)"), toPath: folder.file("shown/new"))
                guard rename(folder.file("shown/new"), folder.file("shown/\(file)")) == 0 else {
                    throw IntegrationFailure("a file cannot be replaced")
                }
            }
        }

        func fingerprint(_ name: String) throws -> Data {
            try ServerIdentity.fingerprint(certificatePath: folder.file("\(name)/certificate.pem"))
        }
    }

    @Test("Files that changed are taken, broken ones are refused once, and the one before counts for an hour")
    func refreshing() throws {
        let files = try Files(["a", "b", "c"])
        let time = Mutex(ContinuousClock.now)
        let shown = try ServerCertificate(path: files.certificate, keyPath: files.key) { time.withLock { $0 } }
        let (a, b) = (try files.fingerprint("a"), try files.fingerprint("b"))
        guard case .none = shown.refresh() else { throw IntegrationFailure("nothing had changed") }
        #expect(shown.fingerprint == a && shown.expiry > Int(Date().timeIntervalSince1970))

        let before = try #require(shown.context)
        try files.show("b", onlyCertificate: true)
        guard case .refused(let error) = shown.refresh() else { throw IntegrationFailure("taken with another key") }
        #expect(error.reason == "unusable_certificate" && error.message.contains(files.certificate))
        guard case .none = shown.refresh() else { throw IntegrationFailure("told twice") }
        #expect(shown.context === before && shown.fingerprint == a && shown.isShown(a) && !shown.isShown(b))

        try files.show("b")
        guard case .replaced(b) = shown.refresh() else { throw IntegrationFailure("not taken") }
        #expect(shown.context !== before && shown.isShown(a) && shown.isShown(b))
        time.withLock { $0 = $0.advanced(by: .seconds(3599)) }
        #expect(shown.isShown(a))
        time.withLock { $0 = $0.advanced(by: .seconds(2)) }
        let c = try files.fingerprint("c")
        #expect(!shown.isShown(a) && shown.isShown(b) && !shown.isShown(c))

        try FileManager.default.removeItem(atPath: files.key)
        guard case .refused = shown.refresh() else { throw IntegrationFailure("taken without a key") }
        #expect(shown.fingerprint == b)
    }

    @Test("When files cannot be used, the one that is the cause is named")
    func causes() throws {
        let files = try Files(["a", "b"])
        let (certificate, key) = (files.folder.file("a/certificate.pem"), files.folder.file("a/key.pem"))
        let none = files.folder.file("none.pem")
        for (certificatePath, keyPath, text) in [
            (none, key, "The certificate “\(none)” cannot be read: No such file or directory."),
            (certificate, none, "The key “\(none)” cannot be read: No such file or directory."),
            (key, key, "“\(key)” is not a certificate in PEM."),
            (certificate, certificate, "“\(certificate)” is not a key in PEM"),
            (certificate, files.folder.file("b/key.pem"), "“\(files.folder.file("b/key.pem"))” does not fit"),
        ] {
            let error = #expect(throws: BatonError.self) {
                _ = try ServerIdentity(certificatePath: certificatePath, keyPath: keyPath)
            }
            #expect(error?.reason == "unusable_certificate" && error?.message.contains(text) == true, "\(text)")
        }
        let error = #expect(throws: BatonError.self) { _ = try ServerIdentity.fingerprint(certificatePath: none) }
        #expect(error?.message.contains("The certificate “\(none)” cannot be read") == true)
    }

    @Test("The next connection sees a new certificate; those that are open go on, and a broken one changes nothing")
    func serving() async throws {
        let files = try Files(["a", "b", "c"])
        let arguments = ["--certificate", files.certificate, "--key", files.key]
        try await CloudProcess.with(data: files.folder.file("data"), arguments) { server in
            let b = try files.fingerprint("b")
            #expect(try files.fingerprint("a") == server.fingerprint)
            let account = try TestAccount()
            let old = try CloudClient(server, account)
            try await old.register()
            try await old.put(1, "one")
            var events = try await old.subscribe().makeAsyncIterator()
            #expect(try await events.next()?.head.head == 1)
            // The stream has the first connection for itself.
            _ = try await old.pull()

            try files.show("b", onlyCertificate: true)
            server.process.send(SIGHUP)
            try await waitForLog(server, "cannot be used; the old one stays in use")
            try await CloudClient(server, account).authenticate()

            try files.show("b")
            server.process.send(SIGHUP)
            try await waitForLog(server, "The certificate was replaced")
            let new = try CloudClient(server, account, fingerprint: b)
            try await new.authenticate()
            let version = try await new.put(1, "two", replaces: 1)
            #expect(try await events.next()?.head.head == version, "the stream from before goes on")
            // On its connection from before, by the certificate that it sees there.
            try await old.authenticate()
            _ = try await old.pull()
            await #expect(throws: (any Error).self, "a new connection that wants the old certificate") {
                try await CloudClient(server, account).authenticate()
            }

            // Without a signal, within its ten seconds.
            try files.show("c")
            try await waitForLog(server, "sha256=\(try files.fingerprint("c").hexadecimal)")
            try await CloudClient(server, account, fingerprint: try files.fingerprint("c")).authenticate()
            let metrics = String(decoding: try await new.curl("/metrics").body, as: UTF8.self)
            #expect(metrics.contains("baton_cloud_certificate_expiry_seconds 2"))
        }
    }

    @Test("Behind a proxy, the proxy's certificate may be replaced too")
    func proxy() async throws {
        let files = try Files(["a", "b"])
        let arguments = [
            "--plain-http", "--authority", "cloud.example:443", "--certificate", files.certificate,
        ]
        try await CloudProcess.with(data: files.folder.file("data"), arguments) { server in
            let client = try CloudClient(server, try TestAccount(), isPlain: true)
            func register(_ certificate: Data) async throws {
                let authentication = try client.authentication(challenge: try await client.challenge()) {
                    $0.authority = "cloud.example:443"
                    $0.serverCertificate = certificate
                }
                _ = try await client.call(
                    AccountMethods.register,
                    .with {
                        $0.authentication = authentication
                        $0.rootPublicKey = client.account.rootKey.publicKey.x963Representation
                        $0.membership = client.account.statements
                    })
            }
            try await register(try files.fingerprint("a"))
            await expectRefusal("other_certificate", .permissionDenied) { try await register(files.fingerprint("b")) }
            try files.show("b")
            server.process.send(SIGHUP)
            try await waitForLog(server, "The certificate was replaced")
            try await register(try files.fingerprint("b"))
        }
    }

    private func waitForLog(_ server: CloudProcess, _ text: String) async throws {
        _ = try await within(.seconds(30), "“\(text)” in the log") {
            try await server.process.errors.expect { $0.contains(text) ? true : nil }
        }
    }
}
