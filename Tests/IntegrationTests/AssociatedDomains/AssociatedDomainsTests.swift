import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// A real daemon, an installed app that claims sites, and a real nginx that serves them, on a machine of their own.
    struct AssociatedDomainsTests {
        private static let (app, secondApp) = ("com.company.FirstApp", "com.company.SecondApp")
        private static let type = "com.company.page"

        private struct Sites: Decodable {
            struct Site: Decodable {
                struct Claim: Decodable {
                    var bundleId: String
                    var entry: String
                    var approved: Bool
                    var reason: String?
                }
                var domain: String
                var hasFile: Bool
                var failure: String?
                var failingSinceMs: UInt64?
                var fileExpiresMs: UInt64?
                var signer: String?
                var claims: [Claim]
            }
            var sites: [Site]
        }

        // H-87 to H-94 with a real web server: claimed by the entitlement, fetched from the site, plain and signed.
        @Test(
            "The sites of an installed app are fetched over TLS, plain or signed, and confirm its claims or do not (H-87, H-88, H-89, H-90, H-91, H-92, H-93, H-94, S-14, X-1)"
        )
        func sitesOfAnApp() async throws {
            let folder = try TemporaryDirectory()
            let authority = try TestAuthority()
            try Data(authority.root.utf8).write(to: URL(fileURLWithPath: folder.file("root.pem")))
            let domains = [
                "company.com", "signed.company.com", "stranger.company.com", "moved.company.com", "other.company.com",
                "intra.company.com",
            ]
            let hosts = domains.flatMap { ["--site-host", "\($0)=127.0.0.1"] }
            try await TestHousehold.with(
                1, paired: false, arguments: ["--site-roots", folder.file("root.pem")] + hosts
            ) { household in
                let device = household[0]
                let team = try await household.makeTeam()
                let second = try await household.makeTeam("Second")
                let apps = #""\#(team).\#(Self.app)","\#(second).\#(Self.secondApp)""#
                let json = Array(#"{"activitycontinuation":{"apps":[\#(apps)]}}"#.utf8)
                let nginx = try await serve(json, authority, household, folder.path)
                var bundle = TestBundle.probe(Self.app, types: [Self.type])
                bundle.associatedDomains = [
                    "activitycontinuation:company.com", "activitycontinuation:*.company.com",
                    "activitycontinuation:signed.company.com", "activitycontinuation:stranger.company.com",
                    "activitycontinuation:moved.company.com", "activitycontinuation:other.company.com",
                    "activitycontinuation:intra.company.com?mode=managed",
                    "activitycontinuation:dev.company.com?mode=developer", "not an entry",
                ]
                try await household.install(bundle, team: team)
                // Both apps of the file, and one of the second's team that the file does not name.
                let (other, third) = (TestBundle.probe(Self.secondApp, types: []), "com.company.ThirdApp")
                for var another in [other, TestBundle.probe(third, types: [])] {
                    another.associatedDomains = ["activitycontinuation:signed.company.com"]
                    try await household.install(another, team: second)
                }
                let sites = try await device.baton("links", "refresh", expecting: 1).decode(Sites.self).sites
                let all = sites.flatMap(\.claims)
                #expect(all.filter { $0.bundleId == Self.secondApp }.map(\.approved) == [true])
                #expect(all.filter { $0.bundleId == third }.map(\.approved) == [false])
                for another in [Self.secondApp, third] { try await device.baton("uninstall", another, "--yes") }
                let claims = Dictionary(
                    all.filter { $0.bundleId == Self.app }.map { ($0.entry, $0.approved) },
                    uniquingKeysWith: { first, _ in first })
                #expect(
                    claims == [
                        "activitycontinuation:company.com": true, "activitycontinuation:*.company.com": true,
                        "activitycontinuation:signed.company.com": true,
                        "activitycontinuation:stranger.company.com": false,
                        "activitycontinuation:moved.company.com": false,
                        "activitycontinuation:other.company.com": false,
                        "activitycontinuation:intra.company.com?mode=managed": true,
                    ])
                let failures = Dictionary(
                    sites.map { ($0.domain, $0.failure ?? "") }, uniquingKeysWith: { first, _ in first })
                #expect(failures["stranger.company.com"] == "site_file_signer_untrusted")
                #expect(failures["moved.company.com"] == "site_redirects")
                #expect(failures["other.company.com"] == "site_certificate_wrong_name")
                #expect(
                    sites.first { $0.domain == "signed.company.com" }?.signer?.contains("signed.company.com") == true)

                try await device.baton("explain", "links", "https://company.com/page", expecting: 0)
                try await device.baton("explain", "links", "https://www.company.com/page", expecting: 0)
                for domain in ["stranger.company.com", "moved.company.com", "dev.company.com", "example.org"] {
                    try await device.baton("explain", "links", domain, expecting: 1)
                }
                try await restarts(device, nginx)
                try await device.baton("uninstall", Self.app, "--yes")
                #expect(try await device.baton("links", "list").decode(Sites.self).sites.isEmpty)
            }
        }

        /// The site is down, the daemon starts anew: what was confirmed counts on.
        private func restarts(_ device: TestDevice, _ nginx: NginxSite) async throws {
            await nginx.end()
            try await device.restart()
            let sites = try await device.baton("links", "refresh", expecting: 1).decode(Sites.self).sites
            let company = try #require(sites.first { $0.domain == "company.com" })
            #expect(company.failure == "site_unreachable")
            #expect(company.hasFile)
            let since = try #require(company.failingSinceMs)
            // For a week from when it was confirmed.
            #expect(try #require(company.fileExpiresMs) <= since + 7 * 86_400_000)
            #expect(!company.claims.contains { !$0.approved })
        }

        private func serve(
            _ json: [UInt8], _ authority: TestAuthority, _ household: TestHousehold, _ folder: String
        ) async throws -> NginxSite {
            // By an authority that is known only from the file, as `-certfile` puts it in.
            func signed(_ root: TestAuthority) async throws -> [UInt8] {
                let authority = try root.intermediate()
                let leaf = try await authority.issue("signed.company.com", key: .rsa)
                for (text, name) in [(leaf.key, "k"), (leaf.certificate, "c")] {
                    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
                }
                try Data(authority.root.utf8).write(to: URL(fileURLWithPath: "\(folder)/chain"))
                try Data(json).write(to: URL(fileURLWithPath: "\(folder)/json"))
                try await OpenSSL.run(
                    "smime", "-sign", "-inkey", "\(folder)/k", "-signer", "\(folder)/c", "-certfile",
                    "\(folder)/chain", "-noattr", "-nodetach", "-binary", "-outform", "DER", "-in", "\(folder)/json",
                    "-out", "\(folder)/signed")
                return Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/signed")))
            }
            let pkcs7 = "application/pkcs7-mime"
            return try await NginxSite(
                [
                    // The form and place of today, and those of iOS 8.
                    .serving(json, at: "company.com", try await authority.issue("company.com")),
                    .init(
                        "signed.company.com", try await authority.issue("signed.company.com"),
                        "default_type \(pkcs7);", files: ["apple-app-site-association": try await signed(authority)]),
                    .serving(
                        try await signed(try TestAuthority("Stranger")), at: "stranger.company.com",
                        try await authority.issue("stranger.company.com"), contentType: pkcs7),
                    .init(
                        "moved.company.com", try await authority.issue("moved.company.com"),
                        "location / { return 301 https://company.com$request_uri; }"),
                    .serving(json, at: "other.company.com", try await authority.issue("nothing.company.com")),
                    .serving(json, at: "intra.company.com", try await authority.issue("intra.company.com")),
                ], in: folder, prefix: household.namespaces.command(on: 0, []), port: 443)
        }

        @Test("baton links check fetches a site's file itself, without a daemon, and tells of each place (H-88, H-89)")
        func checkFetches() async throws {
            let folder = try TemporaryDirectory()
            let authority = try TestAuthority()
            let root = folder.file("root.pem")
            try Data(authority.root.utf8).write(to: URL(fileURLWithPath: root))
            let json = Array(
                #"{"applinks":{"details":[{"appIDs":["AAAAAAAAAA.com.company.App"],"components":[{"/":"/mail/*"}]}]}}"#
                    .utf8)
            let nginx = try await NginxSite(
                [
                    .init(
                        "company.com", try await authority.issue("company.com"), "default_type application/json;",
                        files: ["apple-app-site-association": json]),
                    .serving(json, at: "typed.com", try await authority.issue("typed.com"), contentType: "text/plain"),
                ], in: folder.path, port: try NginxSite.freePort())
            func check(_ url: String, _ more: String..., roots: String? = nil) async throws -> (Int32, String) {
                let process = try ChildProcess(
                    [
                        try Products.path("baton"), "links", "check", "--fetch", "--url", url, "--roots", roots ?? root,
                        "--connect", "127.0.0.1:\(nginx.port)", "--json",
                    ] + more, environment: ["BATON_HOME": folder.file("home")])
                process.closeInput()
                let status = try await process.status()
                try await process.output.waitForEnd()
                return (status, process.output.all.joined())
            }
            let good = try await check("https://company.com/mail/1")
            #expect(good.0 == 0)
            #expect(good.1.contains(#""url":"https://company.com/.well-known/apple-app-site-association""#))
            #expect(good.1.contains(#""source":"https://company.com/apple-app-site-association""#))
            #expect(try await check("https://company.com/news").0 == 1)
            let typed = try await check("https://typed.com/mail/1")
            #expect(typed.0 == 2)
            #expect(typed.1.contains("site_file_content_type"))
            // No other app is named, with a page or without.
            let app = ["--app", "AAAAAAAAAA.com.company.App"]
            #expect(try await check("https://company.com/mail/1", "--app", "BBBBBBBBBB.com.company.App").0 == 1)
            #expect(try await check("https://company.com/open/../mail/1", app[0], app[1]).0 == 0)
            let stranger = folder.file("stranger.pem")
            try Data(try TestAuthority().root.utf8).write(to: URL(fileURLWithPath: stranger))
            let untrusted = try await check("https://company.com/mail/1", roots: stranger)
            #expect(untrusted.0 == 7)
            #expect(untrusted.1.contains("site_certificate_untrusted"))
            await nginx.end()
        }
    }
}
