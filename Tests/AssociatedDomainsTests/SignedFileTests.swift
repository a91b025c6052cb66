import AssociatedDomains
import BatonCore
import BatonTestSupport
import Foundation
import SwiftASN1
import Testing

/// The signed form, against the real openssl in both directions.
struct SignedFileTests {
    private static let json = #"{"activitycontinuation":{"apps":["YWBN8XTPBJ.com.company.FirstApp"]}}"#
    private let folder: TemporaryDirectory
    private let authority: TestAuthority
    private let anchors: TrustAnchors

    init() throws {
        folder = try TemporaryDirectory()
        authority = try TestAuthority()
        anchors = try TrustAnchors(pem: authority.root, name: "test root")
    }

    private func write(_ text: String, _ name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file(name)))
        return folder.file(name)
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: folder.file(name))))
    }

    /// Signs with openssl, as the recipe says.
    private func signed(
        _ leaf: TestAuthority.Leaf, _ options: [String] = ["-noattr"], json: String = json, chain: String? = nil
    ) async throws -> [UInt8] {
        var arguments = [
            "smime", "-sign", "-inkey", try write(leaf.key, "key.pem"), "-signer",
            try write(leaf.certificate, "leaf.pem"), "-in", try write(json, "site.json"), "-binary", "-nodetach",
            "-outform", "DER", "-out", folder.file("signed"),
        ]
        if let chain { arguments += ["-certfile", try write(chain, "chain.pem")] }
        let result = try await OpenSSL.attempt(arguments + options)
        try #require(result.isSuccess, "\(result.errors)")
        return try bytes("signed")
    }

    private func open(
        _ bytes: [UInt8], anchors: TrustAnchors? = nil, time: Date = Date()
    ) async throws -> SiteFile {
        try await SiteFile(
            bytes, contentType: "application/pkcs7-mime", anchors: anchors ?? self.anchors, time: time)
    }

    private func reason(_ bytes: [UInt8], anchors: TrustAnchors? = nil, time: Date = Date()) async -> String? {
        do {
            _ = try await open(bytes, anchors: anchors, time: time)
            return nil
        } catch {
            return (error as? BatonError)?.reason
        }
    }

    // H-89, H-93, H-94: the recipe with the real openssl, with every kind of key, with signed attributes and without.
    @Test(
        "Files that openssl signed are read, with or without signed attributes (H-89, H-93, H-94)",
        arguments: TestAuthority.KeyKind.allCases,
        [["-noattr"], [], ["-md", "sha384"], ["-noattr", "-md", "sha512"]])
    func opensslSigns(kind: TestAuthority.KeyKind, options: [String]) async throws {
        let leaf = try await authority.issue("company.com", key: kind)
        let file = try await open(try await signed(leaf, options))
        #expect(file.association.appIDs(for: .activityContinuation) == [Fixture.app])
        #expect(file.signer?.subject.contains("company.com") == true)
        #expect(file.signer?.issuer.contains("Test Authority") == true)
    }

    @Test("A message of openssl cms, written as a stream, and with a key identifier, is read too")
    func cms() async throws {
        let leaf = try await authority.issue("company.com")
        let (key, certificate) = (try write(leaf.key, "key.pem"), try write(leaf.certificate, "leaf.pem"))
        let input = try write(Self.json, "site.json")
        try await OpenSSL.run(
            "cms", "-sign", "-inkey", key, "-signer", certificate, "-in", input, "-binary", "-nodetach", "-outform",
            "DER", "-stream", "-noattr", "-out", folder.file("signed"))
        #expect(try bytes("signed").starts(with: [0x30, 0x80]))
        #expect(await reason(try bytes("signed")) == nil)
    }

    @Test("Intermediate certificates in the message lead to the root, and without them it is not trusted (H-93, H-94)")
    func intermediates() async throws {
        let middle = try authority.intermediate()
        let leaf = try await middle.issue("company.com", key: .rsa)
        #expect(await reason(try await signed(leaf, chain: middle.root)) == nil)
        #expect(await reason(try await signed(leaf)) == "site_file_signer_untrusted")
    }

    @Test("A signature by an unknown authority, an expired certificate, or one for other uses is refused (H-94)")
    func strangers() async throws {
        let stranger = try TestAuthority("Stranger")
        #expect(await reason(try await signed(try await stranger.issue("company.com"))) == "site_file_signer_untrusted")
        let selfMade = try TrustAnchors(pem: try TestAuthority().root, name: "another root of the same name")
        let leaf = try await authority.issue("company.com")
        #expect(await reason(try await signed(leaf), anchors: selfMade) == "site_file_signer_untrusted")
        #expect(await reason(try await signed(leaf), anchors: .system) == "site_file_signer_untrusted")
        let past = Date().addingTimeInterval(-20 * 86_400)...Date().addingTimeInterval(-10 * 86_400)
        let expired = try await authority.issue("company.com", validity: past)
        #expect(await reason(try await signed(expired)) == "site_file_signer_expired")
        #expect(await reason(try await signed(expired), time: past.lowerBound.addingTimeInterval(86_400)) == nil)
        #expect(
            await reason(try await signed(expired), time: past.lowerBound.addingTimeInterval(-86_400))
                == "site_file_signer_not_yet_valid")
        // The root itself expires after ten years.
        let future = Date().addingTimeInterval(3649.5 * 86_400 + 86_400)
        #expect(await reason(try await signed(leaf), time: future) == "site_file_signer_expired")
        let other = try await authority.issue("company.com", isForServers: false)
        #expect(await reason(try await signed(other)) == "site_file_signer_untrusted")
    }

    @Test("A certificate that is no authority's issues nothing (H-94)")
    func leafIsNoAuthority() async throws {
        // The signer's certificate is issued by a leaf of the trusted authority.
        let leaf = try await authority.issue("company.com")
        let key = try write(leaf.key, "ca.key")
        let certificate = try write(leaf.certificate, "ca.pem")
        try await OpenSSL.run(
            "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", folder.file("k"))
        try await OpenSSL.run(
            "req", "-new", "-key", folder.file("k"), "-subj", "/CN=evil.org", "-out", folder.file("r"))
        try await OpenSSL.run(
            "x509", "-req", "-in", folder.file("r"), "-CA", certificate, "-CAkey", key, "-set_serial", "7", "-days",
            "30",
            "-out", folder.file("c"))
        let evil = TestAuthority.Leaf(
            key: String(decoding: try bytes("k"), as: UTF8.self),
            certificate: String(decoding: try bytes("c"), as: UTF8.self))
        #expect(await reason(try await signed(evil, chain: leaf.certificate)) == "site_file_signer_untrusted")
    }

    // Found by fuzzing: X509's conversion to dates stops a debug build at the leap second 61.
    @Test("A certificate that ends in a leap second is not trusted, and stops nothing (H-94)", arguments: ["60", "61"])
    func leapSeconds(seconds: String) async throws {
        var file = try await signed(try await authority.issue("company.com"))
        let times = file.indices.filter { index in
            // A UTCTime of 13 characters up to “Z”.
            file[index...].starts(with: [0x17, 0x0D]) && file.dropFirst(index + 14).first == UInt8(ascii: "Z")
        }
        try #require(times.count == 2)
        for index in times { file.replaceSubrange(index + 12..<index + 14, with: Array(seconds.utf8)) }
        #expect(await reason(file) == "site_file_signer_untrusted")
    }

    @Test("Any byte that is changed in a signed file makes it invalid, or leaves what it says as it was")
    func changedBytes() async throws {
        let leaf = try await authority.issue("company.com")
        for options in [["-noattr"], []] {
            let original = try await signed(leaf, options)
            for index in original.indices {
                var bytes = original
                bytes[index] ^= 0x21
                guard let file = try? await open(bytes) else { continue }
                // Unsigned parts, as the list of digests, may differ; never the content.
                #expect(file.association.appIDs(for: .activityContinuation) == [Fixture.app], "byte \(index)")
            }
            for index in original.indices.filter({ original[$0...].starts(with: "YWBN8XTPBJ".utf8) }) {
                var bytes = original
                bytes[index] = UInt8(ascii: "Z")
                #expect(await reason(bytes) == "site_file_signature_invalid")
            }
        }
    }

    @Test("A signed file that is cut off anywhere is refused")
    func cutOff() async throws {
        let original = try await signed(try await authority.issue("company.com"))
        for count in stride(from: 1, to: original.count, by: 7) {
            #expect(await reason(Array(original.prefix(count))) != nil)
        }
    }

    @Test("Detached content, SHA-1, two signers and messages of another kind are refused, each by name")
    func unsupported() async throws {
        let leaf = try await authority.issue("company.com", key: .rsa)
        let (key, certificate) = (try write(leaf.key, "key.pem"), try write(leaf.certificate, "leaf.pem"))
        let input = try write(Self.json, "site.json")
        let sign = ["cms", "-sign", "-inkey", key, "-signer", certificate, "-in", input, "-binary", "-outform", "DER"]
        func message(_ arguments: [String]) async throws -> String {
            let result = try await OpenSSL.attempt(arguments + ["-out", folder.file("out")])
            try #require(result.isSuccess, "\(result.errors)")
            do {
                _ = try await open(try bytes("out"))
                return ""
            } catch let error as BatonError {
                #expect(error.reason == "site_file_signature_malformed")
                return error.message
            }
        }
        #expect(try await message(sign).contains("-nodetach"))
        #expect(try await message(sign + ["-nodetach", "-md", "sha1"]).contains("sha256"))
        #expect(try await message(sign + ["-nodetach", "-nocerts"]).contains("certificate"))
        #expect(try await message(sign + ["-nodetach", "-keyopt", "rsa_padding_mode:pss"]).contains("PSS"))
        let other = try await authority.issue("company.com")
        let twice = ["-signer", try write(other.certificate, "l2.pem"), "-inkey", try write(other.key, "k2.pem")]
        #expect(try await message(sign + ["-nodetach"] + twice).contains("2 signers"))
        #expect(
            try await message(["cms", "-encrypt", "-in", input, "-outform", "DER", "-recip", certificate]).contains(
                "not SignedData"))
        #expect(try await message(["cms", "-data_create", "-in", input, "-outform", "DER"]).contains("not SignedData"))
    }

    // H-93: and the other way round.
    @Test("Files that Baton signed are verified and read by openssl (H-93)", arguments: TestAuthority.KeyKind.allCases)
    func opensslVerifies(kind: TestAuthority.KeyKind) async throws {
        let middle = try authority.intermediate()
        let leaf = try await middle.issue("company.com", key: kind)
        let signed = try SiteFileSigning.sign(
            Array(Self.json.utf8), key: leaf.key, certificate: leaf.certificate, chain: middle.root, time: Date())
        #expect(await reason(signed) == nil)
        try Data(signed).write(to: URL(fileURLWithPath: folder.file("signed")))
        let root = try write(authority.root, "root.pem")
        for program in ["smime", "cms"] {
            let result = try await OpenSSL.run(
                program, "-verify", "-inform", "DER", "-in", folder.file("signed"), "-CAfile", root, "-binary")
            #expect(result.output == Self.json)
        }
        // No signed attributes: the recipe's -noattr.
        let dump = try await OpenSSL.run("cms", "-cmsout", "-print", "-inform", "DER", "-in", folder.file("signed"))
        #expect(dump.output.contains("signedAttrs:\n          <ABSENT>"))
    }

    @Test("Baton does not sign what nobody would accept")
    func refusesToSign() async throws {
        let leaf = try await authority.issue("company.com")
        let other = try await authority.issue("company.com")
        func reason(
            _ json: String = Self.json, key: String? = nil, certificate: String? = nil, time: Date = Date()
        ) -> String? {
            do {
                _ = try SiteFileSigning.sign(
                    Array(json.utf8), key: key ?? leaf.key, certificate: certificate ?? leaf.certificate, time: time)
                return nil
            } catch {
                return error.reason
            }
        }
        #expect(reason() == nil)
        #expect(reason("{") == "site_file_not_json")
        #expect(reason(#"{"applinks": 5}"#) == "site_file_wrong_type")
        #expect(reason(key: other.key) == "key_mismatch")
        #expect(reason(key: "nonsense") == "invalid_key")
        #expect(reason(certificate: leaf.key) == "invalid_certificate")
        #expect(reason(certificate: "") == "invalid_certificate")
        #expect(reason(time: Date().addingTimeInterval(4000 * 86_400)) == "certificate_expired")
        let large = #"{"comment":"\#(String(repeating: "a", count: SiteFile.maximumSize - 20))"}"#
        #expect(reason(large) == "site_file_too_large")
        // As it is read: cut off behind the limit, so that it is no JSON any more.
        #expect(reason(String((large + large).prefix(SiteFile.maximumSize + 1))) == "site_file_too_large")
    }

    @Test("A file that is signed already is told from one that is no JSON, in each form that openssl writes")
    func signedAlready() async throws {
        let leaf = try await authority.issue("company.com")
        func reason(_ bytes: [UInt8]) -> String? {
            let error = #expect(throws: BatonError.self) {
                try SiteFileSigning.sign(bytes, key: leaf.key, certificate: leaf.certificate, time: Date())
            }
            return error?.reason
        }
        #expect(reason(try await signed(leaf)) == "site_file_signed_already")
        let stream = try await signed(leaf, ["-stream"])
        #expect(reason(stream) == "site_file_signed_already")
        for form in ["PEM", "SMIME"] {
            #expect(reason(try await signed(leaf, ["-outform", form])) == "site_file_signed_already", "\(form)")
        }
        for other in [[], [0x30, 0x80], Array("0nonsense".utf8), Array(leaf.certificate.utf8)] {
            #expect(reason(other) == "site_file_not_json")
        }
    }

    @Test("A problem with a part is reported with the name that it was given")
    func namesParts() async throws {
        let leaf = try await authority.issue("company.com")
        let other = try await authority.issue("company.com")
        var names = SiteFileSigning.Names()
        (names.key, names.certificate, names.chain) = ("own.key", "own.pem", "above.pem")
        func message(
            key: String? = nil, certificate: String? = nil, chain: String? = nil, time: Date = Date()
        ) throws -> String {
            try #require(throws: BatonError.self) {
                try SiteFileSigning.sign(
                    Array(Self.json.utf8), key: key ?? leaf.key, certificate: certificate ?? leaf.certificate,
                    chain: chain, names: names, time: time)
            }.message
        }
        #expect(try message(key: leaf.certificate).contains("“own.key”"))
        #expect(try message(certificate: leaf.key).contains("“own.pem”"))
        #expect(try message(chain: leaf.key).contains("“above.pem”"))
        #expect(try message(chain: "").contains("“above.pem”"))
        let mismatch = try message(key: other.key)
        #expect(mismatch.contains("“own.key”") && mismatch.contains("“own.pem”"))
        #expect(try message(time: Date().addingTimeInterval(4000 * 86_400)).contains("“own.pem”"))
    }

    @Test("Certificates that TLS does not believe say what is wrong with them, the servers' own first")
    func certificateFaults() async throws {
        func fault(_ pem: String..., time: Date = Date()) throws -> CertificateFault {
            let chain = try pem.map { try PEMDocument(pemString: $0).derBytes }
            return try CertificateFault(chain: chain, time: time)
        }
        let day = 86_400.0
        let past = Date().addingTimeInterval(-20 * day)...Date().addingTimeInterval(-10 * day)
        let middle = try authority.intermediate("Middle")
        let leaf = try await middle.issue("company.com")
        #expect(try fault(leaf.certificate) == .unknownIssuer("CN=Middle"))
        #expect(try fault(leaf.certificate, middle.root) == .unknownIssuer("CN=Test Authority"))
        #expect(try fault(authority.root) == .selfSigned)
        let expired = try await authority.issue("company.com", validity: past)
        guard case .expired("CN=company.com", let date) = try fault(expired.certificate, authority.root) else {
            Issue.record("not expired")
            return
        }
        #expect(abs(date.timeIntervalSince(past.upperBound)) < 2)
        guard case .notYetValid = try fault(expired.certificate, time: past.lowerBound.addingTimeInterval(-day)) else {
            Issue.record("valid already")
            return
        }
        // One that is not on the way up may be of any age.
        let stray = try await authority.issue("stray", validity: past)
        #expect(try fault(leaf.certificate, stray.certificate) == .unknownIssuer("CN=Middle"))
        let other = try await authority.issue("company.com", isForServers: false)
        #expect(try fault(other.certificate) == .notForServers(subject: "CN=company.com"))
        #expect(throws: BatonError.self) { try CertificateFault(chain: [], time: Date()) }
        #expect(throws: BatonError.self) { try CertificateFault(chain: [[0x30, 0]], time: Date()) }
    }
}
