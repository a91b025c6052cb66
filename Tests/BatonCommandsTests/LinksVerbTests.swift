import AssociatedDomains
import BatonCommands
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

/// `baton links`: what a site's owner uses, without a daemon, and what speaks to one.
struct LinksVerbTests {
    private static let app = "YWBN8XTPBJ.com.company.FirstApp"
    private static let json =
        #"{"activitycontinuation":{"apps":["\#(app)"]},"applinks":{"details":[{"appIDs":["\#(app)"],"components":"#
        + #"[{"/":"/private/*","exclude":true,"comment":"for us"},{"/":"/mail/*"}]}]}}"#
    private let folder: TemporaryDirectory
    private var fixture: CommandLineFixture

    init() throws {
        folder = try TemporaryDirectory()
        fixture = CommandLineFixture()
        fixture.workingDirectory = folder.path
        fixture.isDaemonRunning = false
        try write(Self.json, "site")
    }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file(name)))
    }

    private func check(_ arguments: String...) async throws -> (status: CommandStatus, json: [String: Any]) {
        try await check(arguments)
    }

    private func check(_ arguments: [String]) async throws -> (status: CommandStatus, json: [String: Any]) {
        var fixture = CommandLineFixture()
        fixture.workingDirectory = folder.path
        fixture.isDaemonRunning = false
        let status = await fixture.run(["links", "check", "--json"] + arguments)
        return (status, fixture.output.text.isEmpty ? [:] : try fixture.json(fixture.output))
    }

    @Test("links check says match, no match or invalid, in text, in JSON and in its exit status (H-90)")
    func verdicts() async throws {
        let mail = try await check("--file", "site", "--url", "https://company.com/mail/1", "--service", "applinks")
        #expect(mail.status == .success)
        #expect(mail.json["verdict"] as? String == "match")
        let results = try #require(mail.json["results"] as? [[String: Any]])
        #expect(results.map { $0["outcome"] as? String } == ["matched"])
        let rules = try #require(results.first?["rules"] as? [[String: Any]])
        #expect(rules.map { $0["location"] as? String } == (0...1).map { "applinks.details[0].components[\($0)]" })
        #expect(rules.map { $0["matched"] as? Bool } == [false, true])
        #expect(rules[0]["pattern"] as? String == "/private/*")
        #expect(rules[0]["text"] as? String == "/mail/1")
        #expect(rules[0]["comment"] as? String == "for us")

        let blocked = try await check(
            "--file", "site", "--url", "https://company.com/private/1", "--service", "applinks")
        #expect(blocked.status == .failure)
        #expect(blocked.json["verdict"] as? String == "no_match")
        // Handoff asks only who is named.
        let handoff = try await check("--file", "site", "--url", "https://company.com/private/1")
        #expect(handoff.status == .success)
        let stranger = try await check(
            "--file", "site", "--url", "https://company.com/mail/1", "--app", "AAAAAAAAAA.com.company.FirstApp")
        #expect(stranger.status == .failure)
        let other = try await check("--file", "site", "--domain", "company.org", "--url", "https://company.com/mail/1")
        #expect(other.status == .failure)
        #expect((other.json["remark"] as? String)?.contains("company.org") == true)
        let below = try await check(
            "--file", "site", "--domain", "*.company.com", "--url", "https://www.company.com/mail/1")
        #expect(below.status == .success)
        #expect((below.json["remark"] as? String)?.contains("*.company.com") == true)
        #expect(try await check("--file", "site", "--domain", "company.com").status == .success)
    }

    @Test(
        "A file that is not valid is exit status 2, with the reason",
        arguments: [
            ("{", "site_file_not_json"), ("[]", "site_file_wrong_type"), (#"{"a":1,"a":2}"#, "site_file_duplicate_key"),
            (String(repeating: "[", count: 1000), "site_file_too_deep"), ("", "site_file_empty"),
            (String(repeating: " ", count: 200_000), "site_file_too_large"), ("<html>", "site_file_form"),
            ("0nonsense", "site_file_signature_malformed"),
        ])
    func invalid(text: String, reason: String) async throws {
        try write(text, "bad")
        let result = try await check("--file", "bad", "--url", "https://company.com/")
        #expect(result.status == .usage)
        #expect(result.json["verdict"] as? String == "invalid")
        #expect((result.json["problem"] as? [String: Any])?["reason"] as? String == reason)
    }

    @Test("The file may come from standard input, and what the command line lacks is said")
    func input() async throws {
        let fixture = fixture
        fixture.bytes.set(Array(Self.json.utf8))
        #expect(await fixture.run("links", "check", "--file", "-", "--url", "https://company.com/mail/1") == .success)
        #expect(fixture.output.text.contains("applinks.details[0].components[1]: matches"))
        #expect(await fixture.run("links", "check", "--url", "https://company.com/") == .usage)
        #expect(await fixture.run("links", "check", "--file", "site") == .usage)
        #expect(await fixture.run("links", "check", "--file", "site", "--fetch", "--domain", "a.b") == .usage)
        #expect(await fixture.run("links", "check", "--file", "site", "--url", "ftp://company.com") == .usage)
        for missing in ["missing", "."] {
            let result = try await check("--file", missing, "--url", "https://company.com/")
            #expect(result.status == .usage)
            #expect(result.json["verdict"] as? String == "invalid")
            #expect((result.json["problem"] as? [String: Any])?["reason"] as? String == "file_not_read")
        }
        #expect(try await check("--file", "site", "--domain", "a.b", "--roots", "missing").status == .usage)
        #expect(await fixture.run("links", "check", "--file", "site", "--domain", "nonsense") == .usage)
    }

    @Test("Without a page, a match is a file that names the app in question, for the service in question")
    func membership() async throws {
        let link = "AAAAAAAAAA.com.company.Links"
        try write(
            #"{"activitycontinuation":{"apps":["\#(Self.app)"]},"applinks":{"details":[{"appIDs":["\#(link)"],"#
                + #""components":[{"/":"/a"}]}]}}"#, "two")
        let expected: [([String], CommandStatus, [String?])] = [
            ([], .success, ["matched", "matched"]),
            (["--app", Self.app], .success, ["matched", "not_matched", "not_matched", "not_matched"]),
            (["--app", link, "--service", "applinks"], .success, ["matched"]),
            (["--app", link, "--service", "activitycontinuation"], .failure, ["not_matched"]),
            (
                ["--app", "BBBBBBBBBB.com.company.FirstApp"], .failure,
                ["not_matched", "not_matched", "not_matched", "not_matched"]
            ),
            (["--service", "applinks"], .success, ["matched"]), (["--service", "webcredentials"], .failure, []),
        ]
        for (arguments, status, outcomes) in expected {
            let result = try await check(["--file", "two", "--domain", "company.com"] + arguments)
            #expect(result.status == status, "\(arguments)")
            #expect(result.json["verdict"] as? String == (status == .success ? "match" : "no_match"), "\(arguments)")
            let results = try #require(result.json["results"] as? [[String: Any]])
            #expect(results.map { $0["outcome"] as? String } == outcomes, "\(arguments)")
        }
    }

    @Test("A misspelt key is warned of, a path with dot segments is compared as it is asked for, and both are said")
    func remarks() async throws {
        try write(
            #"{"applinks":{"details":[{"appIDs":["\#(Self.app)"],"components":[{"/":"/own/*","exlude":true}]}]}}"#,
            "misspelt")
        let url = "https://company.com/open/%2e%2e/own/1"
        let result = try await check("--file", "misspelt", "--url", url)
        #expect(result.status == .success)
        #expect((result.json["warnings"] as? [String])?.first?.contains("“exlude”") == true)
        #expect((result.json["remark"] as? String)?.contains("/own/1") == true)
        #expect(result.json["url"] as? String == url)
        #expect(await fixture.run("links", "check", "--file", "misspelt", "--url", url) == .success)
        #expect(fixture.output.text.contains("warning: applinks.details[0].components[0] has the key “exlude”"))
        #expect(fixture.output.text.contains("/own/1"))
    }

    @Test("Wrong arguments are refused with the right ones")
    func commandLine() async throws {
        let wrong: [([String], String)] = [
            (["--file", "site", "--fetch"], "exclude each other"), ([], "Name a file with --file"),
            (["--file", "site", "--app", "nonsense"], "TEAM.BUNDLE"),
            (["--file", "site", "--app", "com.company.FirstApp"], "TEAM.BUNDLE"),
            (["--file", "site", "--service", "bogus"], "'webcredentials' or 'appclips'"),
            (["--file", "site", "--service", "authsrv"], "'webcredentials' or 'appclips'"),
            (["--file", "site", "--connect", "a.b"], "--connect goes with --fetch"),
        ]
        for (arguments, text) in wrong {
            var fixture = CommandLineFixture()
            fixture.workingDirectory = folder.path
            let status = await fixture.run(["links", "check", "--domain", "company.com"] + arguments)
            #expect(status == .usage, "\(arguments)")
            #expect(fixture.errors.text.contains(text), "\(arguments)")
            let offered = fixture.errors.text.split(separator: "\n").first { $0.hasPrefix("Error") } ?? ""
            #expect(!offered.contains("or 'authsrv'"), "\(arguments)")
        }
    }

    @Test("The reason why a site cannot be fetched is said once, on standard error")
    func unreachable() async throws {
        // There is no listener on port 1.
        let check = ["links", "check", "--fetch", "--url", "https://company.com/", "--connect", "127.0.0.1:1"]
        #expect(await fixture.run(check) == .unreachable)
        #expect(fixture.output.text.isEmpty)
        #expect(fixture.errors.text.components(separatedBy: "No connection to company.com").count == 2)
    }

    @Test("links sign names the file that is at fault, and ends with 2 whatever is wrong with it")
    func signFaults() async throws {
        let leaf = try await TestAuthority().issue("company.com")
        try write(leaf.key, "key.pem")
        try write(leaf.certificate, "leaf.pem")
        try write(#"{"comment":"\#(String(repeating: "a", count: SiteFile.maximumSize))"}"#, "large")
        let sign = ["links", "sign", "--key", "key.pem", "--certificate", "leaf.pem"]
        #expect(await fixture.run(sign + ["-o", "signed", "site"]) == .success)
        let wrong: [([String], String)] = [
            (sign + ["large"], "too large: it has more than 128 KB"), (sign + ["signed"], "signed already"),
            (sign + ["missing"], "missing” could not be read"), (sign + ["."], "could not be read"),
            (sign + ["--chain", "key.pem", "site"], "“key.pem” is no PEM file of certificates"),
            (
                ["links", "sign", "--key", "leaf.pem", "--certificate", "leaf.pem", "site"],
                "“leaf.pem” is no private key"
            ),
        ]
        for (arguments, text) in wrong {
            let fixture = CommandLineFixture(workingDirectory: folder.path)
            #expect(await fixture.run(arguments + ["-o", "out"]) == .usage, "\(arguments)")
            #expect(fixture.errors.text.contains(text), "\(fixture.errors.text)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("out")))
    }

    // H-93: sign with Baton, verify with openssl; then the file that was signed is checked.
    @Test("links sign makes what openssl verifies and links check accepts with the right roots (H-89, H-93, H-94)")
    func signs() async throws {
        let authority = try TestAuthority()
        let middle = try authority.intermediate()
        let leaf = try await middle.issue("company.com", key: .rsa)
        try write(leaf.key, "key.pem")
        try write(leaf.certificate, "leaf.pem")
        try write(middle.root, "chain.pem")
        try write(authority.root, "root.pem")
        let fixture = fixture
        let sign = ["links", "sign", "--key", "key.pem", "--certificate", "leaf.pem", "--chain", "chain.pem"]
        #expect(await fixture.run(sign + ["-o", "signed", "site", "--json"]) == .success)
        let verified = try await OpenSSL.run(
            "smime", "-verify", "-inform", "DER", "-in", folder.file("signed"), "-CAfile", folder.file("root.pem"),
            "-binary")
        #expect(verified.output == Self.json)
        let url = "https://company.com/mail/1"
        let good = try await check("--file", "signed", "--url", url, "--roots", "root.pem")
        #expect(good.status == .success)
        #expect(((good.json["signer"] as? [String: Any])?["subject"] as? String)?.contains("company.com") == true)
        let untrusted = try await check("--file", "signed", "--url", url)
        #expect(untrusted.status == .usage)
        #expect((untrusted.json["problem"] as? [String: Any])?["reason"] as? String == "site_file_signer_untrusted")

        // To standard output, from standard input.
        fixture.bytes.set(Array(Self.json.utf8))
        #expect(await fixture.run(sign + ["-"]) == .success)
        #expect(fixture.bytes.written == Array(try Data(contentsOf: URL(fileURLWithPath: folder.file("signed")))))
        #expect(await fixture.run(sign + ["site", "--json"]) == .usage)
        try write("{", "bad")
        #expect(await fixture.run(sign + ["-o", "bad.signed", "bad"]) == .usage)
        #expect(!FileManager.default.fileExists(atPath: folder.file("bad.signed")))
    }

    @Test("links list and links refresh show what each site says of each claim")
    func lists() async throws {
        let site = Baton_Control_V1_Site.with {
            $0.domain = "company.com"
            $0.hasFile_p = true
            $0.claims = [
                .with {
                    $0.appName = "First"
                    $0.entry = "applinks:company.com"
                    $0.approved = true
                },
                .with {
                    $0.appName = "Second"
                    $0.entry = "activitycontinuation:company.com"
                    $0.reason = "The site's file does not name it."
                },
            ]
        }
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.listSites) { _ in .with { $0.sites = [site] } }
        fixture.daemon.on(ControlMethods.refreshSites) { request in
            .with { $0.sites = request.domain == "company.com" ? [site] : [] }
        }
        #expect(await fixture.run("links", "list") == .success)
        #expect(fixture.output.text.contains("approved"))
        #expect(fixture.output.text.contains("does not name"))
        #expect(await fixture.run("links", "refresh", "company.com", "--json") == .success)
        let sites = try #require(try fixture.json(fixture.output)["sites"] as? [[String: Any]])
        #expect((sites.first?["claims"] as? [[String: Any]])?.count == 2)
    }

    @Test("links list and links refresh say of each site that fails since when, why, and what counts meanwhile")
    func failures() async throws {
        let fixture = CommandLineFixture()
        let now = UInt64(1_800_000_000_000)
        let sites: [Baton_Control_V1_Site] = ["good.com", "down.com", "moved.com"].map { domain in
            .with {
                $0.domain = domain
                $0.nextFetch = now + 120_000
                $0.claims = [
                    .with {
                        $0.appName = "App"
                        $0.entry = "applinks:\(domain)"
                        $0.approved = domain != "moved.com"
                        $0.reason = domain == "moved.com" ? "No valid file of the site is held." : ""
                    }
                ]
                $0.hasFile_p = domain != "moved.com"
                guard domain != "good.com" else { return }
                $0.failure = "site_reason"
                $0.finding = "This went wrong with \(domain)."
                $0.failingSince = now - 7_200_000
                guard domain == "down.com" else { return }
                $0.verified = now - 10_800_000
                $0.fileExpires = now + 6 * 86_400_000
            }
        }
        fixture.daemon.on(ControlMethods.listSites) { _ in .with { $0.sites = sites } }
        fixture.daemon.on(ControlMethods.refreshSites) { request in
            .with { $0.sites = sites.filter { request.domain.isEmpty || $0.domain == request.domain } }
        }
        #expect(await fixture.run("links", "list") == .success)
        let lines = fixture.output.text.split(separator: "\n")
        #expect(lines.contains { $0.contains("applinks:down.com") && $0.contains("approved") })
        #expect(
            lines.contains(
                "down.com: failing for 2 h. This went wrong with down.com. Its file, which it confirmed 3 h ago, counts "
                    + "until the site withdraws it, for 6 d at most. It is asked again in 2 min."))
        #expect(
            lines.contains(
                "moved.com: failing for 2 h. This went wrong with moved.com. No file of it counts. It is asked again in "
                    + "2 min."))
        #expect(!lines.contains { $0.hasPrefix("good.com") })

        #expect(await fixture.run("links", "refresh", "good.com") == .success)
        #expect(await fixture.run("links", "refresh", "down.com") == .failure)
        #expect(await fixture.run("links", "refresh") == .failure)
        let other = CommandLineFixture()
        other.daemon.on(ControlMethods.refreshSites) { _ in .with { $0.sites = sites } }
        #expect(await other.run("links", "refresh", "--json") == .failure)
        let answer = try #require(try other.json(other.output)["sites"] as? [[String: Any]])
        #expect(
            answer.map { ($0["failing_since_ms"] as? NSNumber)?.uint64Value } == [
                nil, now - 7_200_000, now - 7_200_000,
            ])
        #expect(answer.map { ($0["file_expires_ms"] as? NSNumber)?.uint64Value } == [nil, now + 518_400_000, nil])
    }
}
