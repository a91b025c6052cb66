import AssociatedDomains
import BatonCore
import BatonTestSupport
import Foundation
import NIOCore
import SiteAssociationClient
import Testing

/// The fetcher against a real nginx over TLS, with an authority of the test.
@Suite(.serialized)
struct FetcherTests {
    private static let json = Array(#"{"activitycontinuation":{"apps":["YWBN8XTPBJ.com.company.FirstApp"]}}"#.utf8)
    private let folder: TemporaryDirectory
    private let authority: TestAuthority

    init() throws {
        folder = try TemporaryDirectory()
        authority = try TestAuthority()
    }

    private func fetcher(
        _ port: Int, _ domains: [String], roots: String? = nil, deadline: Duration = .seconds(10)
    ) throws -> SiteAssociationFetcher {
        let servers = try domains.map { (try DomainName(validating: $0), ServerAddress(host: "127.0.0.1", port: port)) }
        return try SiteAssociationFetcher(
            settings: .init(
                roots: Array((roots ?? authority.root).utf8), servers: Dictionary(uniqueKeysWithValues: servers),
                deadline: deadline))
    }

    private func describe(_ outcome: SiteFetch.Outcome) -> String {
        switch outcome {
        case .file(let file): "file \(file.contentType) \(String(decoding: file.bytes.prefix(200), as: UTF8.self))"
        case .unchanged: "unchanged"
        case .absent(let error): "absent \(error.reason)"
        case .refused(let error): "refused \(error.reason)"
        case .unreachable(let error): "unreachable \(error.reason)"
        }
    }

    // H-88, H-89: where the file is looked for, and that nothing but the file itself counts.
    @Test(
        "The file is fetched over HTTPS, from /.well-known/ first, then from the root, and never through a redirect (H-88, H-89)"
    )
    func places() async throws {
        let text = String(decoding: Self.json, as: UTF8.self)
        let wellKnown = ".well-known/apple-app-site-association"
        let root = "apple-app-site-association"
        let type = "default_type application/json;"
        let elsewhere = "return 301 https://good.test/.well-known/apple-app-site-association;"
        let sites: [(domain: String, directives: String, files: [String: [UInt8]], expected: String)] = [
            ("good.test", type, [wellKnown: Self.json, root: Array("{}".utf8)], "file application/json \(text)"),
            ("root.test", type, [root: Self.json], "file application/json \(text)"),
            ("missing.test", type, [:], "absent site_file_absent"),
            ("forbidden.test", "location / { return 403; }", [:], "absent site_file_absent"),
            ("gone.test", "location / { return 410; }", [:], "absent site_file_absent"),
            ("redirect.test", "location / { \(elsewhere) }", [:], "refused site_redirects"),
            (
                "moved.test", "\(type) location /.well-known/ { \(elsewhere) }", [root: Self.json],
                "file application/json \(text)"
            ),
            ("temporary.test", "location / { return 302 /other; }", [:], "refused site_redirects"),
            ("broken.test", "location / { return 500; }", [:], "unreachable site_out_of_order"),
            ("busy.test", "location / { return 429; }", [:], "unreachable site_out_of_order"),
            (
                "half-broken.test", "location /.well-known/ { return 503; } location / { return 404; }", [:],
                "unreachable site_out_of_order"
            ),
            ("empty.test", "location / { return 204; }", [:], "refused site_status"),
            (
                "large.test", type, [wellKnown: [UInt8](repeating: 0x20, count: 1 << 20), root: Self.json],
                "refused site_file_too_large"
            ),
            (
                "zipped.test", "location / { add_header Content-Encoding gzip; \(type) }", [wellKnown: Self.json],
                "refused site_file_encoded"
            ),
            ("typed.test", "default_type text/html;", [wellKnown: Self.json], "file text/html \(text)"),
        ]
        var hosts: [NginxSite.Host] = []
        for site in sites {
            hosts.append(.init(site.domain, try await authority.issue(site.domain), site.directives, files: site.files))
        }
        let nginx = try await NginxSite(hosts, in: folder.path, port: try NginxSite.freePort())
        let fetcher = try fetcher(nginx.port, sites.map(\.domain))
        for site in sites {
            let result = await fetcher.fetch(try DomainName(validating: site.domain))
            #expect(describe(result.outcome) == site.expected, "\(site.domain)")
            #expect(result.attempts.first?.url == "https://\(site.domain)/.well-known/apple-app-site-association")
            if site.expected.hasPrefix("file") {
                #expect(result.attempts.count == (site.files[wellKnown] != nil ? 1 : 2), "\(site.domain)")
            }
        }
        // It writes down its last requests when it ends.
        await nginx.end()
        // The redirect's target was asked for its own sake once, and not for redirect.test's or moved.test's.
        #expect(nginx.requests.count { $0.contains("well-known") && $0.contains(" 200 ") } == 4)
    }

    @Test("A file that has not changed is not sent again")
    func revalidates() async throws {
        let domain = try DomainName(validating: "company.test")
        let host = NginxSite.Host.serving(Self.json, at: "company.test", try await authority.issue("company.test"))
        let nginx = try await NginxSite([host], in: folder.path, port: try NginxSite.freePort())
        let fetcher = try fetcher(nginx.port, ["company.test"])
        guard case .file(let file) = await fetcher.fetch(domain).outcome else {
            Issue.record("no file")
            return
        }
        #expect(file.validators.entityTag != nil)
        #expect(describe(await fetcher.fetch(domain, validators: file.validators).outcome) == "unchanged")
        try nginx.replace(".well-known/apple-app-site-association", of: "company.test", with: Array("{ }  ".utf8))
        #expect(
            describe(await fetcher.fetch(domain, validators: file.validators).outcome) == "file application/json { }  ")
        await nginx.end()
    }

    // H-88: only the domain's own server is believed.
    @Test("A certificate that has expired, names another host, or leads to another root is not believed (H-88)")
    func certificates() async throws {
        let past = Date().addingTimeInterval(-9 * 86_400)...Date().addingTimeInterval(-86_400)
        let stranger = try TestAuthority("Stranger")
        let future = Date().addingTimeInterval(86_400)...Date().addingTimeInterval(9 * 86_400)
        let (wrongName, untrusted) = ("site_certificate_wrong_name", "site_certificate_untrusted")
        let leaves: [(String, TestAuthority.Leaf, String)] = [
            (
                "expired.test", try await authority.issue("expired.test", validity: past),
                "site_certificate_expired"
            ),
            (
                "early.test", try await authority.issue("early.test", validity: future),
                "site_certificate_not_yet_valid"
            ),
            ("other.test", try await authority.issue("another.test"), wrongName),
            ("sub.other.test", try await authority.issue("other.test"), wrongName),
            ("stranger.test", try await stranger.issue("stranger.test"), untrusted),
            ("client.test", try await authority.issue("client.test", isForServers: false), untrusted),
        ]
        let nginx = try await NginxSite(
            leaves.map { .serving(Self.json, at: $0.0, $0.1) }, in: folder.path, port: try NginxSite.freePort())
        let fetcher = try fetcher(nginx.port, leaves.map(\.0))
        for (domain, _, reason) in leaves {
            let outcome = await fetcher.fetch(try DomainName(validating: domain)).outcome
            #expect(describe(outcome) == "unreachable \(reason)", "\(domain)")
        }
        // Without pinned roots, the system's know none of them.
        let system = try SiteAssociationFetcher(
            settings: .init(servers: [
                try DomainName(validating: "stranger.test"): ServerAddress(host: "127.0.0.1", port: nginx.port)
            ]))
        #expect(
            describe(await system.fetch(try DomainName(validating: "stranger.test")).outcome)
                == "unreachable site_certificate_untrusted")
        // The stranger's own root is believed when it is the one that is configured.
        let pinned = try self.fetcher(nginx.port, ["stranger.test"], roots: stranger.root)
        #expect(describe(await pinned.fetch(try DomainName(validating: "stranger.test")).outcome).hasPrefix("file"))
        await nginx.end()
    }

    @Test("An endless body, a slow server, nonsense and a cut answer each end in time with a verdict")
    func hostileServers() async throws {
        let leaf = try await authority.issue("company.test")
        let domain = try DomainName(validating: "company.test")
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
        let cases: [(String, HostileSite.Behaviour, String)] = [
            ("endless", .endless(head + "\r\n"), "refused site_file_too_large"),
            (
                "endless chunks", .endless(head + "Transfer-Encoding: chunked\r\n\r\n", chunked: true),
                "refused site_file_too_large"
            ),
            (
                "announced", .once(head + "Content-Length: 999999999999\r\n\r\n", closes: false),
                "refused site_file_too_large"
            ),
            (
                "negative length", .once(head + "Content-Length: -5\r\n\r\n{}", closes: true),
                "unreachable site_answer_malformed"
            ),
            ("silent", .once("", closes: false), "unreachable site_too_slow"),
            ("slow body", .once(head + "Content-Length: 100\r\n\r\n{", closes: false), "unreachable site_too_slow"),
            ("endless head", .endless("HTTP/1.1 200 OK\r\nX: "), "unreachable site_answer_malformed"),
            ("nonsense", .once("SSH-2.0-OpenSSH\r\n\r\n\r\n", closes: true), "unreachable site_answer_malformed"),
            ("cut", .once(head + "Content-Length: 100\r\n\r\n{", closes: true), "unreachable site_answer_malformed"),
            ("nothing", .once("", closes: true), "unreachable site_answer_cut"),
            ("endless error page", .endless("HTTP/1.1 404 No\r\n\r\n"), "absent site_file_absent"),
        ]
        for (name, behaviour, expected) in cases {
            let site = try await HostileSite(leaf, behaviour)
            // The others are judged by what they send, however long that takes on a busy machine.
            let isSlow = expected.hasSuffix("site_too_slow")
            let fetcher = try fetcher(site.port, ["company.test"], deadline: .seconds(isSlow ? 2 : 30))
            let result = await fetcher.fetch(domain)
            #expect(describe(result.outcome) == expected, "\(name)")
            await site.end()
        }
    }

    @Test("A port that nobody listens on, and one that does not speak TLS, are named for what they are")
    func noServer() async throws {
        let domain = try DomainName(validating: "company.test")
        // Not a free port of those that are handed out: TCP can connect such a one to itself.
        let free = 1
        #expect(
            describe(await (try fetcher(free, ["company.test"])).fetch(domain).outcome)
                == "unreachable site_unreachable")
        let site = try await HostileSite(nil, .once("HTTP/1.1 400 Bad Request\r\n\r\n", closes: true))
        #expect(
            describe(await (try fetcher(site.port, ["company.test"])).fetch(domain).outcome)
                == "unreachable site_no_tls")
        await site.end()
        // It closes as soon as it is spoken to.
        let silent = try await HostileSite(nil, .once("", closes: true))
        let outcome = await (try fetcher(silent.port, ["company.test"])).fetch(domain).outcome
        #expect(describe(outcome) == "unreachable site_tls_failed")
        await silent.end()
    }

    @Test("Where one address of a name does not answer, the next one does")
    func severalAddresses() async throws {
        let domain = try DomainName(validating: "company.test")
        let host = NginxSite.Host.serving(Self.json, at: "company.test", try await authority.issue("company.test"))
        // On 127.0.0.1 only; where “localhost” is ::1 too, that one is tried first.
        let nginx = try await NginxSite([host], in: folder.path, port: try NginxSite.freePort())
        let settings = SiteAssociationFetcher.Settings(
            roots: Array(authority.root.utf8), servers: [domain: ServerAddress(host: "localhost", port: nginx.port)])
        for _ in 0..<20 {
            let outcome = await (try SiteAssociationFetcher(settings: settings)).fetch(domain).outcome
            #expect(describe(outcome).hasPrefix("file"))
        }
        await nginx.end()
    }

    @Test("The error names a server that speaks only old versions of TLS")
    func oldVersions() async throws {
        let domain = try DomainName(validating: "company.test")
        let host = NginxSite.Host(
            "company.test", try await authority.issue("company.test"),
            "ssl_protocols TLSv1.1; ssl_ciphers ALL:@SECLEVEL=0;")
        let nginx = try await NginxSite([host], in: folder.path, port: try NginxSite.freePort())
        guard case .unreachable(let error) = await (try fetcher(nginx.port, ["company.test"])).fetch(domain).outcome
        else {
            Issue.record("it was reached")
            return
        }
        #expect(error.reason == "site_tls_failed")
        #expect(error.message.contains("too old"), "\(error.message)")
        await nginx.end()
    }

    @Test(
        "A server on a private network is not spoken to unless it is allowed",
        arguments: [("192.168.1.1", false, true), ("192.168.1.1", true, false), ("198.41.0.4", false, false)])
    func privateNetwork(address: String, isAllowed: Bool, isRefused: Bool) throws {
        let address = try SocketAddress(ipAddress: address, port: 443)
        if isRefused {
            let error = #expect(throws: BatonError.self) {
                try AddressPolicy.check(address, allowsPrivateNetwork: isAllowed)
            }
            #expect(error?.reason == "site_on_private_network")
        } else {
            try AddressPolicy.check(address, allowsPrivateNetwork: isAllowed)
        }
    }

    @Test("A server of this machine is not spoken to, though the domain leads there")
    func loopback() async throws {
        // “.localhost” is the loopback where it is known at all; nothing is sent before the address was judged.
        let fetcher = try SiteAssociationFetcher(settings: .init(deadline: .seconds(2)))
        let result = await fetcher.fetch(try DomainName(validating: "company.localhost"))
        guard case .unreachable = result.outcome else {
            Issue.record("\(result.outcome)")
            return
        }
    }

    @Test(
        "Addresses of private networks are told from those of the internet",
        arguments: [
            ("10.1.2.3", false), ("127.0.0.1", false), ("192.168.0.1", false), ("172.16.0.1", false),
            ("172.32.0.1", true),
            ("169.254.169.254", false), ("100.64.0.1", false), ("100.128.0.1", true), ("0.0.0.0", false),
            ("224.0.0.251", false), ("255.255.255.255", false), ("17.253.144.10", true), ("::1", false), ("::", false),
            ("fe80::1", false), ("fd77::1", false), ("ff02::fb", false), ("2606:4700::1111", true),
            ("::ffff:10.0.0.1", false), ("::ffff:17.253.144.10", true), ("64:ff9b::a00:1", false),
            ("2002:a00:1::", false),
            ("2001:db8::1", false), ("nonsense", false), ("", false), ("::a00:1", false),
        ])
    func addresses(text: String, isPublic: Bool) {
        #expect(PublicAddress.contains(text) == isPublic)
    }

    @Test("An address of a server is a host, with a port or without")
    func serverAddresses() throws {
        #expect(try ServerAddress("10.0.0.1") == ServerAddress(host: "10.0.0.1", port: 443))
        #expect(try ServerAddress("web:8443") == ServerAddress(host: "web", port: 8443))
        #expect(try ServerAddress("[fd77::1]") == ServerAddress(host: "fd77::1", port: 443))
        #expect(try ServerAddress("[fd77::1]:8443").description == "[fd77::1]:8443")
        for text in ["", ":1", "web:", "web:0", "web:65536", "web:x", "[fd77::1", "[fd77::1]x", "fd77::1"] {
            #expect(throws: BatonError.self, "\(text)") { try ServerAddress(text) }
        }
    }
}
