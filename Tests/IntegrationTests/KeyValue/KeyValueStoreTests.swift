import BatonCore
import BatonTestSupport
import Foundation
import Glibc
import Testing

extension Integration {
    /// Key-value stores of real processes, with a real daemon.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct KeyValueStoreTests {
        @Test(
            "two processes of the example see each other's values at once, and a restarted daemon has them (S-27, S-28, K-8, K-9, K-13, K-19)"
        )
        func example() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let (one, other) = (
                    try KeyValueExample(device, name: "One"), try KeyValueExample(device, name: "Other")
                )
                try await one.event("ready")
                try await other.event("ready")
                try await one.saved("device from one")
                try await other.event("notification") { $0["keys"] == "One" && $0["reason"] == "ServerChange" }
                try await one.saved("shared for both")
                try await other.event("fields") { $0["shared"] == "for both" }
                // The list of notifications has the newest first.
                other.say("show")
                #expect(try await other.event("list")["notifications"] == "ServerChange: Shared\nServerChange: One")
                // A process does not hear of its own changes.
                #expect(!one.process.output.all.contains { $0.contains("notification") })
                let start = one.process.output.count
                one.say("test")
                #expect(try await one.event("snippet", from: start)["value"] == "VALUE IN THE CLOUD")
                try await one.event("snippet", from: start) { $0["value"] == "" }
                let app = "development.iCloudKeyValue"
                #expect(
                    try await KeyValueExample.items(of: device, app: app) == ["One": "from one", "Shared": "for both"])

                try await device.kill()
                // No call waits for a daemon that is not there.
                let mark = one.process.output.count
                one.say("shared written meanwhile")
                #expect(try await one.event("saved", from: mark)["saved"] == "false")
                #expect(try await one.event("fields", from: mark)["shared"] == "written meanwhile")
                try await device.start()
                try await other.event("fields") { $0["shared"] == "written meanwhile" }
                #expect(try await KeyValueExample.items(of: device, app: app)["Shared"] == "written meanwhile")
                for example in [one, other] {
                    example.say("quit")
                    #expect(try await example.process.status() == 0)
                }
                let third = try KeyValueExample(device, name: "One")
                #expect(try await third.event("fields")["deviceValue"] == "from one")
                await third.process.end()
            }
        }

        @Test(
            "a set for which there is no room is told to the process as a quota violation and the value of before stays; when the app has removed a key there is room (K-5, K-16, K-17)"
        )
        func quota() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let app = try KeyValueExample(device, name: "One")
                let other = try KeyValueExample(device, name: "Other")
                try await app.event("ready")
                try await other.event("ready")
                try await app.saved("device small")
                try await app.saved("shared " + String(repeating: "s", count: 50 << 10))
                let large = String(repeating: "d", count: 20 << 10)
                let start = app.process.output.count
                app.say("device \(large)")
                try await app.event("notification", from: start) {
                    $0["reason"] == "QuotaViolationChange" && $0["keys"] == "One"
                }
                #expect(try await app.event("fields", from: start)["deviceValue"] == "small")
                let key = "development.iCloudKeyValue"
                #expect(try await KeyValueExample.items(of: device, app: key)["One"] == "small")
                try await app.saved("remove Shared")
                try await app.saved("device \(large)")
                try await app.event("fields", from: start) { $0["deviceValue"] == large }
                #expect(try await KeyValueExample.items(of: device, app: key) == ["One": large])
                // Nothing was refused to the other process, which heard of what was set and removed.
                try await other.event("notification") { $0["reason"] == "ServerChange" && $0["keys"] == "Shared" }
                #expect(!other.process.output.all.contains { $0.contains("QuotaViolationChange") })
                for example in [app, other] { await example.process.end() }
            }
        }

        @Test(
            "an installed app has the store of its entitlement, shared within its team; without it there is none, and the log says why (K-20)"
        )
        func entitlements() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let team = try await household.makeTeam()
                try await household.install(.iCloudKeyValue, team: team)
                func executable(_ identifier: String) async throws -> String {
                    struct App: Decodable { var bundleId: String }
                    let applications = device.locations.applications
                    let files = FileManager.default.enumerator(atPath: applications)?.compactMap { $0 as? String } ?? []
                    for file in files where file.hasSuffix("/Info.plist") {
                        let data = try Data(contentsOf: URL(fileURLWithPath: applications + "/" + file))
                        let plist =
                            try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
                        guard plist?["CFBundleIdentifier"] as? String == identifier else { continue }
                        let folder = (applications + "/" + file).dropLast("Info.plist".count)
                        return "\(folder)\(plist?["CFBundleExecutable"] as? String ?? "")"
                    }
                    throw IntegrationFailure("\(identifier) is not installed.")
                }
                let identifier = TestBundle.iCloudKeyValue.identifier
                let app = try KeyValueExample(device, name: "One", executable: try await executable(identifier))
                try await app.event("ready")
                try await app.saved("shared installed")
                #expect(try await KeyValueExample.items(of: device, app: identifier) == ["Shared": "installed"])
                // The same program that is not installed is another app.
                let development = try KeyValueExample(device, name: "One")
                #expect(try await development.event("fields")["shared"] == "")

                // Another app of the team that names the same identifier.
                var sibling = TestBundle.probe("com.example.sibling", types: [])
                sibling.executable = "iCloudKeyValue"
                sibling.keyValueStore = "\(team).\(identifier)"
                try await household.install(sibling, team: team)
                let second = try KeyValueExample(
                    device, name: "One", executable: try await executable("com.example.sibling"))
                #expect(try await second.event("fields")["shared"] == "installed")
                try await second.saved("shared by the sibling")
                try await app.event("fields") { $0["shared"] == "by the sibling" }

                var none = TestBundle.probe("com.example.none", types: [])
                none.executable = "iCloudKeyValue"
                try await household.install(none, team: team)
                let third = try KeyValueExample(
                    device, name: "One", executable: try await executable("com.example.none"))
                try await third.event("ready")
                let start = third.process.output.count
                third.say("shared x")
                #expect(try await third.event("saved", from: start)["saved"] == "false")
                #expect(try await third.event("fields", from: start)["shared"] == "")
                let warning = try await within(.seconds(20), "the warning") {
                    try await third.process.errors.first { $0.contains("no key-value store") ? $0 : nil }
                }
                #expect(warning?.found.contains("com.apple.developer.ubiquity-kvstore-identifier") == true)
                let refusals = try await device.baton("log").lines.filter { $0.contains("store_refused") }
                #expect(refusals.count == 1)
                #expect(refusals.first?.contains("com.example.none") == true)
                for example in [app, development, second, third] { await example.process.end() }
            }
        }

        @Test("the example goes on when nobody reads its output any more")
        func closedPipe() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                // The reading end is closed when “closed” is printed.
                let process = try ChildProcess(
                    [
                        "/bin/sh", "-c", #""$0" --device One | { head -n 1; exec 0</dev/null; echo closed; }"#,
                        try Products.path("iCloudKeyValue"),
                    ], environment: ["BATON_HOME": device.home])
                _ = try await within(.seconds(20), "the end of the pipe") {
                    try await process.output.expect { $0 == "closed" ? true : nil }
                }
                for value in ["first", "second"] {
                    process.write("shared \(value)")
                    try await device.until("the store to have “\(value)”") {
                        try await KeyValueExample.items(of: device, app: "development.iCloudKeyValue")["Shared"]
                            == value
                    }
                }
                process.write("quit")
                #expect(try await process.status() == 0)
            }
        }

        @Test("the command line acts as an app of one's own team: get, set, list, watch, remove, and what it may not")
        func commands() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let app = "com.example.tool"
                let watch = try device.startBaton(["kv", "watch", "--create", "--app", app])
                _ = try await within(.seconds(20), "the list") { try await watch.output.expect { $0 } }
                try await device.baton("kv", "set", "text", "VALUE IN THE CLOUD", "--app", app)
                try await device.baton("kv", "set", "number", "5", "--type", "integer", "--app", app)
                try await device.baton("kv", "set", "list", #"[1,"two",true]"#, "--type", "json", "--app", app)
                #expect(
                    try await device.baton("kv", "get", "text", "--app", app).decode(KeyValueExample.Item.self).value
                        == "VALUE IN THE CLOUD")
                #expect(
                    try await device.baton("kv", "get", "list", "--app", app).lines.last?.contains(#"[1,"two",true]"#)
                        == true)
                try await device.baton("kv", "remove", "number", "--app", app)
                _ = try await within(.seconds(20), "the removal") {
                    try await watch.output.expect { $0.contains(#""key":"number","value":null"#) ? $0 : nil }
                }
                await watch.end()
                let missing = try await device.baton("kv", "get", "number", "--app", app, expecting: 4)
                #expect(try missing.failure().reason == "no_such_key")
                try await device.baton("kv", "set", "number", "x", "--type", "integer", "--app", app, expecting: 2)
                let long = String(repeating: "k", count: 65)
                let failure = try await device.baton("kv", "set", long, "x", "--app", app, expecting: 2)
                #expect(try failure.failure().reason == "key_too_long")
                let large = String(repeating: "x", count: (64 << 10) + 1)
                let full = try await device.baton("kv", "set", "text", large, "--app", app, expecting: 9)
                #expect(try full.failure().message.contains("64 KiB"))
                #expect(
                    try await device.baton("kv", "get", "text", "--app", app).decode(KeyValueExample.Item.self).value
                        == "VALUE IN THE CLOUD")

                let typo = try await device.baton("kv", "list", "--app", "com.example.tol", expecting: 4)
                #expect(try typo.failure().reason == "app_not_found")
                for verb in [
                    ["list"], ["get", "key"], ["watch"], ["set", "key", "x"], ["remove", "key"],
                    ["delete-store", "--yes"],
                ] {
                    let typo = try await device.baton(
                        ["kv"] + verb + ["--app", "development.TYPO"], expecting: 4)
                    #expect(try typo.failure().reason == "app_not_found")
                }
                let zones = try await device.baton("explain", "sync", expecting: nil)
                #expect(!zones.lines.contains { $0.contains("TYPO") }, "a name that was typed wrong made a zone")
                try await device.baton("kv", "set", "key", "x", "--create", "--app", "development.TYPO")
                try await device.baton("kv", "delete-store", "--yes", "--app", "development.TYPO")
                try await device.baton("kv", "list", "--app", "development.TYPO", expecting: 4)

                // An app whose team's key is not here any more.
                try await household.install(.iCloudKeyValue)
                try await device.baton("kv", "list", "--app", "iCloudKeyValue")
                let installed = try await device.baton(
                    "kv", "delete-store", "--yes", "--app", "iCloudKeyValue", expecting: nil)
                #expect(try installed.failure().reason == "store_of_installed_app")
                try FileManager.default.removeItem(atPath: device.locations.teams)
                // It is the person's all the same, and may be looked at.
                try await device.baton("kv", "list", "--app", "iCloudKeyValue")
                let foreign = try await device.baton("kv", "set", "key", "x", "--app", "iCloudKeyValue", expecting: 5)
                #expect(try foreign.failure().reason == "not_your_team")
            }
        }

        @Test(
            "the first use on every thread of the pool at once, on a main thread whose queue nobody runs, and at the end of a process (K-11)"
        )
        func threads() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                func run(_ arguments: [String]) async throws -> [String] {
                    let process = try ChildProcess(
                        [try Products.path("KeyValueProbe")] + arguments, environment: ["BATON_HOME": device.home])
                    return try await within(.seconds(30), "KeyValueProbe \(arguments)") {
                        _ = try await process.status()
                        try await process.output.waitForEnd()
                        return process.output.all
                    }
                }
                let crowd = try await run(["crowd"])
                #expect(crowd.last == "end")
                #expect(
                    crowd.dropLast().allSatisfy { line in
                        let parts = line.split(separator: " ")
                        return parts.count == 3 && parts[1] == "true" && parts[0] == parts[2]
                    })
                #expect(try await run(["main"]) == ["true main"])
                _ = try await run(["exit", "kept"])
                #expect(try await run(["read", "exit"]) == ["kept"])
            }
        }

        @Test(
            "whatever a property list holds is the same in another process, after a restart of the daemon (K-6, X-11)")
        func propertyLists() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                for (command, answer) in [("set-values", "kept"), ("compare-values", "same")] {
                    let process = try ChildProcess(
                        [try Products.path("KeyValueProbe"), command], environment: ["BATON_HOME": device.home])
                    _ = try await within(.seconds(30), "KeyValueProbe \(command)") { try await process.status() }
                    try await process.output.waitForEnd()
                    #expect(process.output.all == [answer])
                    try await device.restart()
                }
            }
        }

        @Test("what was synchronised is there after the daemon is killed at any moment (K-9)")
        func killed() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let probe = try ChildProcess(
                    [try Products.path("KeyValueProbe"), "fill"], environment: ["BATON_HOME": device.home])
                for round in 1...5 {
                    let start = probe.output.count
                    _ = try await within(.seconds(20), "writes") {
                        try await probe.output.expect(from: start + 20 * round) { $0 }
                    }
                    try await device.kill()
                    // Later notifications would come from the new daemon; these came from the one that died.
                    let told = probe.output.all.last.flatMap { Int($0) } ?? 0
                    try await device.start()
                    let item = try await device.baton("kv", "get", "fill", "--app", "development.KeyValueProbe").lines
                        .last
                    let value = item?.split(separator: ",").first { $0.hasPrefix(#""value":"#) }?.dropFirst(8)
                    #expect(try #require(value.flatMap { Int($0) }) >= told)
                }
                await probe.kill()
            }
        }
    }
}
