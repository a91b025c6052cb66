import BatonClient
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf
import Testing

@testable import BatonCloud

/// The configuration file: what it says, and what is wrong with it.
@Suite("The cloud's configuration", .serialized) struct ConfigurationTests {
    @Test("The file that comes with it has every setting, each with its default")
    func example() throws {
        let path = Products.package + "/Packaging/baton-cloud.yaml"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(ConfigurationFile.parse(text).problems == [], "as it is")
        // Without the sign of a comment before a setting.
        let lines = text.split(separator: "\n").map { line in
            line.firstMatch(of: /^# ( *[a-z0-9-]+:(?: .*)?)$/).map { String($0.1) } ?? String(line)
        }
        let (configuration, problems) = ConfigurationFile.parse(lines.joined(separator: "\n"))
        #expect(problems == [])
        for name in CloudSetting.all.map({ $0.name.split(separator: ".").last ?? "" }) {
            #expect(lines.contains { $0.hasPrefix("\(name):") || $0.hasPrefix("  \(name):") }, "\(name) is not in it")
        }
        let standard = CloudConfiguration()
        #expect("\(configuration.limits)" == "\(standard.limits)")
        #expect(configuration.listen == standard.listen && configuration.isPlain == standard.isPlain)
        #expect(configuration.metrics == standard.metrics)
        #expect(configuration.registration == standard.registration && configuration.logLevel == standard.logLevel)
        #expect(configuration.callsPerSecond == standard.callsPerSecond)
        let (rules, standardRules) = (configuration.rules, standard.rules)
        #expect(rules.quota == standardRules.quota && rules.retention == standardRules.retention)
        #expect(rules.grace == standardRules.grace && rules.repetition == standardRules.repetition)
        #expect(configuration.databases.count == 2 && configuration.problems == [])
    }

    @Test("The documentation names the default of each limit, and every setting")
    func documentation() throws {
        let text = try ["cloud", "running-a-cloud"].map {
            try String(contentsOfFile: Products.package + "/docs/\($0).md", encoding: .utf8)
        }.joined()
        for row in ["| item | 2 MiB sealed |", "| batch | 500 items, 4 MiB |", "| page | 500 items, 4 MiB |"] {
            #expect(text.contains(row), "\(row)")
        }
        let limits = CloudLimits()
        #expect(limits.itemBytes == 2 << 20 && limits.batchBytes == 4 << 20 && limits.pageBytes == 4 << 20)
        for setting in CloudSetting.all.map({ $0.name.split(separator: ".").last ?? "" }) {
            #expect(text.contains("`\(setting)`"), "\(setting) is in neither page")
        }
    }

    @Test("Values are read with their units")
    func values() {
        let (configuration, problems) = ConfigurationFile.parse(
            """
            listen: 127.0.0.1:9000
            authorities: cloud.example.com:443
            registration: invitation
            log-format: json
            quotas: {account: 0}
            limits:
              item: 512 KiB
              batch: 3145728
              connections: 12
            retention:
              deletions: 2 days
              unused-blobs: 90 minutes
            """)
        #expect(problems == [] && configuration.problems == [])
        #expect(configuration.authorities == ["cloud.example.com:443"] && configuration.registration == .invitation)
        #expect(configuration.limits.itemBytes == 512 << 10 && configuration.limits.batchBytes == 3 << 20)
        #expect(configuration.rules.retention == 172_800_000 && configuration.rules.grace == 5_400_000)
        #expect(configuration.rules.quota == 0 && configuration.connections == 12)
        for (text, quota) in [("5 B", 5), ("1048576", 1 << 20), ("3 GiB", 3 << 30)] as [(String, UInt64)] {
            let (configuration, problems) = ConfigurationFile.parse("quotas: {account: \(text)}")
            #expect(problems == [] && configuration.rules.quota == quota, "\(text)")
        }
        #expect(ConfigurationFile.parse("# nothing\n").problems == [] && ConfigurationFile.parse("").problems == [])
    }

    @Test(
        "A problem is reported with its line",
        arguments: [
            ("listen: :1\nquotaa: 5", "line 2: There is no setting “quotaa”. There are: data, listen,"),
            ("limits:\n  itm: 5", "line 2: There is no setting “limits.itm”. There are: limits.item,"),
            ("limits: 5", "line 1: “limits” must hold settings"),
            ("- a", "line 1: The file must hold settings"),
            ("\nlimits:\n  item: 2 MB", "line 3: “limits.item” must be a size between 64 KiB and 6 MiB"),
            ("limits:\n  item: 1 TiB", "line 2: “limits.item” must be a size"),
            ("limits:\n  item: 99999999999999999999 TiB", "line 2: “limits.item” must be a size"),
            ("quotas: {account: 5}", "line 1: “quotas.account” must have a unit, as in “10 GiB”"),
            ("quotas: {account: 1048575}", "“quotas.account” must have a unit"),
            ("retention:\n  deletions: 90", "“retention.deletions” must be a time between 24 hours and 3650 days"),
            ("retention: {answers: 1 hour}", "“retention.answers” must be a time"),
            ("registration: maybe", "“registration” must be one of: first, open, invitation, closed."),
            ("plain-http: perhaps", "“plain-http” must be true or false."),
            ("data: here", "“data” must be a whole path"),
            ("metrics: nobody", "“metrics” must be one of: local, all."),
            ("limits: {connections-per-address: 0}", "must be a number between 1 and"),
            ("limits: {connections: -1}", "must be a number between 1 and"),
            ("listen: [1, 2]", "“listen” must be a text."),
            ("listen: a\nlisten: b", "“listen” is there twice."),
            ("listen: \"a", "This is not YAML"),
            ("storage: {postgres: [[a]]}", "“storage.postgres” must be a text."),
            ("storage: {postgres: []}", "“storage.postgres” names none."),
        ])
    func problems(text: String, problem: String) {
        let problems = ConfigurationFile.parse(text).problems
        #expect(problems.count == 1 && problems.first?.contains(problem) == true, "\(problems)")
    }

    @Test(
        "Contradicting settings are reported",
        arguments: [
            ("listen: nowhere", "“listen” must be HOST:PORT"),
            ("plain-http: true", "“plain-http” needs “authorities”"),
            ("certificate: /a", "“certificate” and “key” belong together"),
            ("storage: {postgres: \"postgresql:///x\"}", "“storage.postgres” needs “storage.s3”"),
            ("storage: {s3: nonsense}", "An S3 store is named as in"),
            (
                "authorities: \"https://cloud.example.com\"",
                "“https://cloud.example.com” is not a valid authority. It must be"
            ),
            ("authorities: cloud.example.com:70000", "must be HOST or HOST:PORT"),
            ("storage: {s3: \"https://h/b\", postgres: \"mysql://h/x\"}", "must be a URL, as in postgresql://"),
            ("storage: {s3: \"https://h/b\", postgres: \"postgres://u:secret@h/x\"}", "must hold no password"),
            ("limits: {item: 4 MiB, batch: 2 MiB}", "“limits.item” is more than “limits.batch”"),
        ])
    func contradictions(text: String, problem: String) {
        let (configuration, problems) = ConfigurationFile.parse(text)
        #expect(problems == [])
        #expect(configuration.problems.count == 1 && configuration.problems[0].contains(problem))
        #expect(throws: BatonError.self) {
            try configuration.options(data: "/nowhere", environment: [:], descriptors: 1024)
        }
    }

    @Test("A whole file is checked at once, and the check ends with 78 when the file cannot be used")
    func check() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("cloud.yaml")
        func check(_ text: String) async throws -> (status: Int32, lines: [String]) {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            let process = try ChildProcess([try Products.path("baton-cloud"), "check-config", path])
            let status = try await process.status()
            try await process.errors.waitForEnd()
            try await process.output.waitForEnd()
            return (status, process.errors.all + process.output.all)
        }
        let good = try await check("registration: closed\n")
        #expect(good.status == 0 && good.lines == ["“\(path)” can be used."])
        let bad = try await check("registration: x\nlimits:\n  page: 1\n")
        #expect(
            bad.status == 78 && bad.lines.count == 2
                && bad.lines.allSatisfy { $0.hasPrefix("baton-cloud: \(path), line") })
        // Unreadable lines, contradictions, and faults of the named files, together and in the order of the lines.
        let all = try await check(
            "certificate: /nowhere/a.pem\nregistration: x\nkey: /nowhere/b.pem\nlimits: {item: 4 MiB, batch: 2 MiB}\n")
        #expect(all.status == 78 && all.lines.count == 3)
        #expect(all.lines.first?.hasPrefix("baton-cloud: \(path), line 1: The certificate “/nowhere/a.pem”") == true)
        #expect(all.lines.dropFirst().first?.hasPrefix("baton-cloud: \(path), line 2: “registration” must be") == true)
        #expect(all.lines.last?.hasPrefix("baton-cloud: \(path), line 4: “limits.item” is more than") == true)
        let missing = try await check("certificate: /nowhere/a.pem\nkey: /nowhere/b.pem\n")
        #expect(missing.status == 78 && missing.lines.contains { $0.contains("“/nowhere/a.pem” cannot be read") })
        let serving = try ChildProcess([try Products.path("baton-cloud"), "serve", "--config", folder.file("none")])
        #expect(try await serving.status() == 78)
        try "quotaa: 1".write(toFile: path, atomically: true, encoding: .utf8)
        let other = try ChildProcess([
            try Products.path("baton-cloud"), "serve", "--config", path, "--data", folder.file("data"),
        ])
        #expect(try await other.status() == 78)
        #expect(!FileManager.default.fileExists(atPath: folder.file("data")), "nothing was begun")
    }

    @Test("A file that is not there, a folder, and one that is too large are told as that, and end with 78")
    func noFile() async throws {
        let folder = try TemporaryDirectory()
        let (none, large) = (folder.file("none.yaml"), folder.file("large.yaml"))
        try Data(repeating: UInt8(ascii: "#"), count: (1 << 20) + 1).write(to: URL(fileURLWithPath: large))
        for (path, text) in [
            (none, "There is no configuration file “\(none)”."),
            (folder.path, "“\(folder.path)” is not a regular file"),
            (large, "“\(large)” has more than 1 MiB"),
        ] {
            let process = try ChildProcess([try Products.path("baton-cloud"), "check-config", path])
            #expect(try await process.status() == 78, "\(path)")
            try await process.errors.waitForEnd()
            let lines = process.errors.all
            #expect(lines.contains { $0.contains(text) } && !lines.contains { $0.contains("Remove") }, "\(lines)")
        }
    }

    @Test("A server's name is HOST:PORT, or HOST for port 443")
    func authorities() {
        for (text, name) in [
            ("cloud.example.com:443", "cloud.example.com:443"), ("cloud.example.com", "cloud.example.com:443"),
            ("192.0.2.1:08443", "192.0.2.1:8443"), ("[fd77::1]:8443", "[fd77::1]:8443"), ("[::1]", "[::1]:443"),
        ] {
            #expect(ServerAuthority.complete(text) == name, "\(text)")
        }
        for text in [
            "", ":443", "host:", "host:0", "host:65536", "host:+1", "host:a", "https://host", "host/", "a b", "fd77::1",
            "[::1", "[]", "[host]:1", "[::1]x", "user@host", "a,b",
        ] {
            #expect(ServerAuthority.complete(text) == nil, "\(text)")
        }
    }

    @Test("Passwords in the URL of a database are found wherever libpq would, and never repeated")
    func databases() {
        for url in [
            "postgresql://u:secret@h/x", "postgres://u:@h", "postgresql://u:secret@/x?host=/run",
            "postgresql://u:s/e@h/x", "postgresql:///x?password=secret", "postgresql://h/x?host=/run&pass%77ord=secret",
            "postgresql://:s?e@h/x",
        ] {
            let problem = DatabaseLocation.problem(url)
            #expect(problem?.contains("must hold no password") == true, "\(url)")
        }
        for url in ["", "host=h password=secret", "http://h/x", "postgresql:x"] {
            let problem = DatabaseLocation.problem(url)
            #expect(problem?.contains("must be a URL") == true && problem?.contains("secret") == false, "\(url)")
        }
        for url in [
            "postgresql://baton@db1.example.com:5432/baton", "postgres:///x",
            "postgresql://u@[::1]:5432,h:1/x?sslmode=require",
            "postgresql://baton@/postgres?host=/tmp/a&options=-csearch_path%3Da", "postgresql://h/x?passfile=/a",
        ] {
            #expect(DatabaseLocation.problem(url) == nil, "\(url)")
        }
    }

    @Test("Flags that cannot be used are refused in a sentence, before anything is begun")
    func flags() async throws {
        let folder = try TemporaryDirectory()
        let cases: [(arguments: [String], status: Int32, text: String)] = [
            (["--connections-per-address", "0"], 64, "--connections-per-address must be above 0."),
            (["--connections-per-address=-1"], 64, "--connections-per-address must be above 0."),
            (["--authority", ""], 78, "must be HOST or HOST:PORT"),
            (["--postgres", "postgresql://u:secret@h/x", "--s3", "https://h/b"], 78, "must hold no password"),
        ]
        for (arguments, status, text) in cases {
            let process = try ChildProcess(
                [try Products.path("baton-cloud"), "serve", "--data", folder.file("data"), "--listen", "127.0.0.1:0"]
                    + arguments)
            #expect(try await process.status() == status, "\(arguments)")
            try await process.errors.waitForEnd()
            let lines = process.errors.all
            #expect(lines.contains { $0.contains(text) } && !lines.contains { $0.contains("secret") }, "\(lines)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("data")))
    }

    @Test("A server keeps to its file, and the command line goes before it")
    func serving() async throws {
        let folder = try TemporaryDirectory()
        try """
        registration: closed
        quotas: {account: 1 MiB}
        limits:
          item: 64 KiB
          items-per-batch: 7
          zones-per-account: 2
          subscriptions-per-device: 1
        """.write(toFile: folder.file("cloud.yaml"), atomically: true, encoding: .utf8)
        let arguments = ["--config", folder.file("cloud.yaml"), "--registration", "open"]
        try await CloudProcess.with(data: folder.file("data"), arguments) { server in
            let client = try CloudClient(server, try TestAccount())
            try await client.register()
            let told = try await client.call(AccountMethods.getServer, .init())
            #expect(told.registration == .open && told.limits.itemBytes == 64 << 10)
            #expect(told.limits.itemsPerBatch == 7 && told.limits.zonesPerAccount == 2)
            #expect(try await client.call(AccountMethods.getUsage, .init()).quotaBytes == 1 << 20)
            let text = String(repeating: "x", count: 64 << 10)
            await expectRefusal("item_too_large", .resourceExhausted) { try await client.put(1, text + "x") }
            await expectRefusal("quota_exceeded", .resourceExhausted) {
                for number in 1...20 { try await client.put(number, text) }
            }
            try await client.put(1, "a", zone: 2)
            await expectRefusal("too_many_zones", .resourceExhausted) { try await client.put(1, "a", zone: 3) }
            var stream = try await client.subscribe().makeAsyncIterator()
            _ = try await stream.next()
            await expectRefusal("too_many_subscriptions", .resourceExhausted) {
                for try await _ in try await client.subscribe() {}
            }
        }
    }

    @Test("As its unit starts it, it keeps everything in the folder that systemd gives it, and outlives a reload")
    func unit() async throws {
        let unit = try String(contentsOfFile: Products.package + "/Packaging/baton-cloud.service", encoding: .utf8)
        let start = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=/usr/bin/baton-cloud ") })
        let folder = try TemporaryDirectory()
        let file = folder.file("cloud.yaml")
        try "listen: 127.0.0.1:0\n".write(toFile: file, atomically: true, encoding: .utf8)
        let arguments = start.split(separator: " ").dropFirst().map {
            $0 == "/etc/baton-cloud.yaml" ? file : String($0)
        }
        #expect(arguments.contains(file))
        let process = try ChildProcess(
            [try Products.path("baton-cloud")] + arguments, environment: ["STATE_DIRECTORY": folder.file("state")])
        _ = try await within(.seconds(30), "the server to answer") {
            try await process.output.expect { $0.contains(" answers at ") ? true : nil }
        }
        process.send(SIGHUP)
        process.send(SIGTERM)
        #expect(try await within(.seconds(20), "the server to stop") { try await process.status() } == 0)
        #expect(folder.permissions("state/cloud.sqlite") == 0o600)
    }

    @Test("Items of 2 MiB are written, paged and told in conflicts, and one byte more is refused")
    func largeItems() async throws {
        let folder = try TemporaryDirectory()
        try await CloudProcess.with(data: folder.file("data")) { server in
            let client = try CloudClient(server, try TestAccount())
            try await client.register()
            let text = String(repeating: "x", count: 2 << 20)
            await expectRefusal("item_too_large", .resourceExhausted) { try await client.put(1, text + "x") }
            let batch = CloudClient.batch([(1, text, 0), (2, text, 0)])
            #expect(try await client.call(ZoneMethods.writeItems, batch).versions == [1, 2])
            await expectRefusal("batch_too_large", .resourceExhausted) {
                try await client.call(
                    ZoneMethods.writeItems, CloudClient.batch([(3, text, 0), (4, text, 0), (5, "x", 0)]))
            }
            try await client.put(3, text)
            #expect(try await client.pull().values.allSatisfy { $0.content.sealed.count == 2 << 20 })
            let conflict = try await client.call(
                ZoneMethods.writeItems, CloudClient.batch([(1, "y", 0), (2, "y", 0), (3, "y", 0)]))
            #expect(!conflict.conflicts.isEmpty && conflict.versions.isEmpty)
            let found = try await client.call(
                ZoneMethods.fetchItems,
                .with {
                    $0.zoneID = CloudClient.name(1)
                    $0.itemIds = [CloudClient.name(1), CloudClient.name(2)]
                })
            #expect(found.items.count == 2)
            await expectRefusal("answer_too_large", .resourceExhausted) {
                try await client.call(
                    ZoneMethods.fetchItems,
                    .with {
                        $0.zoneID = CloudClient.name(1)
                        $0.itemIds = (1...3).map { CloudClient.name($0) }
                    })
            }
        }
    }
}
