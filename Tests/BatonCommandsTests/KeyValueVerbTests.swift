import BatonCommands
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

struct KeyValueVerbTests {
    private static func item(_ key: String, _ value: PropertyValue?) -> Baton_Control_V1_KeyValueItem {
        .with {
            $0.key = key
            if let value { $0.value = .init(value) }
            $0.changed = 1_800_000_000_000
            $0.deviceID = "B"
            $0.deviceName = "Laptop"
            $0.waiting = key == "waits"
        }
    }

    private func fixture() -> CommandLineFixture {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.listApps) { _ in
            .with {
                $0.apps = [
                    .with {
                        $0.name = "Reader"
                        $0.identity.bundleID = "com.example.reader"
                    }
                ]
            }
        }
        fixture.daemon.onStream(ControlMethods.readKeyValues) { request in
            AsyncThrowingStream { continuation in
                continuation.yield(
                    .with {
                        $0.store = "development/x"
                        $0.items = [
                            Self.item("page", .integer(7)), Self.item("waits", .string("a \u{1B}[2J text")),
                        ]
                        $0.more = true
                    })
                continuation.yield(
                    .with {
                        $0.store = "development/x"
                        $0.items = [
                            Self.item("list", .array([.real(0.5), .boolean(true), .data(Data([1]))])),
                            Self.item("date", .date(Date(timeIntervalSince1970: 0))),
                        ]
                        $0.synced = true
                    })
                if request.watch {
                    continuation.yield(.with { $0.items = [Self.item("page", nil)] })
                }
                continuation.finish()
            }
        }
        fixture.daemon.on(ControlMethods.writeKeyValue) { request in
            .with { $0.item = Self.item(request.key, request.hasValue ? try? PropertyValue(request.value) : nil) }
        }
        return fixture
    }

    @Test("keys are listed, for people and as JSON, in however many parts they come")
    func lists() async throws {
        let fixture = fixture()
        #expect(await fixture.run("kv", "list", "--app", "Reader") == .success)
        #expect(fixture.output.text.contains("Laptop") && fixture.output.text.contains("waiting"))
        #expect(!fixture.output.text.contains("\u{1B}[2J"))
        #expect(await fixture.run("kv", "list", "--app", "com.example.not.running", "--json") == .success)
        let json = try fixture.json(fixture.output)
        let items = try #require(json["items"] as? [[String: Any]])
        #expect(items.map { $0["key"] as? String } == ["page", "waits", "list", "date"])
        #expect(items[0]["value"] as? Int == 7 && items[0]["type"] as? String == "integer")
        #expect((items[2]["value"] as? [Any])?.last as? String == "AQ==")
        #expect(items[3]["value"] as? String == "1970-01-01T00:00:00Z")
        #expect(json["synced"] as? Bool == true)
        let requests = fixture.daemon.requests(of: Baton_Control_V1_ReadKeyValuesRequest.self)
        #expect(requests.map(\.bundleID) == ["com.example.reader", "com.example.not.running"])
        #expect(await fixture.run("kv", "list", "--app", "No app") == .notFound)
        #expect(await fixture.run("kv", "list") == .usage)
    }

    @Test("a program in development is found by its name alone, running or not, unless a store has just that name")
    func developmentNames() async throws {
        let fixture = fixture()
        fixture.daemon.on(ControlMethods.listApps) { _ in
            .with {
                $0.apps = [
                    .with {
                        $0.name = "My Notes"
                        $0.identity.bundleID = "development.Notes"
                    }
                ]
            }
        }
        fixture.daemon.onStream(ControlMethods.readKeyValues) { request in
            guard ["development.Notes", "development.sketch", "plain"].contains(request.bundleID) else {
                throw BatonError(.notFound, reason: "app_not_found", "No app “\(request.bundleID)” is installed here.")
            }
            return stream(.with { $0.synced = true })
        }
        for (name, bundleID) in [
            ("notes", "development.Notes"), ("sketch", "development.sketch"), ("plain", "plain"),
            ("development.sketch", "development.sketch"),
        ] {
            #expect(await fixture.run("kv", "list", "--app", name) == .success)
            let requests = fixture.daemon.requests(of: Baton_Control_V1_ReadKeyValuesRequest.self)
            #expect(requests.last?.bundleID == bundleID)
        }
        #expect(await fixture.run("kv", "list", "--app", "other") == .notFound)
        #expect(fixture.errors.text.contains("“other”"))
    }

    @Test("a value is printed as it is; a key that is not there is exit status 4")
    func gets() async throws {
        let fixture = fixture()
        #expect(await fixture.run("kv", "get", "page", "--app", "Reader") == .success)
        #expect(fixture.output.text == "7\n")
        #expect(await fixture.run("kv", "get", "none", "--app", "Reader", "--json") == .notFound)
    }

    @Test("a value that may give way is said to, until everything of the account was read", arguments: [true, false])
    func early(isSynced: Bool) async throws {
        let fixture = fixture()
        fixture.daemon.onStream(ControlMethods.readKeyValues) { _ in
            AsyncThrowingStream { continuation in
                continuation.yield(.with { $0.synced = isSynced })
                continuation.finish()
            }
        }
        // Without an account nothing goes before what is set.
        fixture.daemon.on(ControlMethods.getStatus) { _ in .init() }
        #expect(await fixture.run("kv", "set", "key", "x", "--create", "--app", "com.example.tool") == .success)
        #expect(fixture.errors.text.isEmpty)
        fixture.daemon.on(ControlMethods.getStatus) { _ in .with { $0.accountID = "ACCOUNT" } }
        #expect(await fixture.run("kv", "set", "key", "x", "--create", "--app", "com.example.tool") == .success)
        #expect(fixture.output.text.hasSuffix("“key” was set.\n"))
        #expect(fixture.errors.text.contains("It gives way to an older value of another device") == !isSynced)
    }

    @Test("a day or time that there is not is told apart from what has no form of one")
    func noSuchDay() async throws {
        for text in ["2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-32T00:00:00Z", "2026-01-01T25:00:00Z"] {
            let fixture = fixture()
            #expect(await fixture.run("kv", "set", "key", text, "--type", "date", "--app", "Reader") == .usage)
            #expect(fixture.errors.text.contains("there is no such day or time"), "\(text)")
        }
    }

    @Test("values of each type are written as what they are, and what is none is refused before it is sent")
    func writes() async throws {
        let fixture = fixture()
        for (type, text) in [
            ("string", "5"), ("integer", "-5"), ("real", "0.5"), ("boolean", "true"), ("data", "AQ=="),
            ("date", "1970-01-01T00:00:00Z"), ("json", #"{"a":[1,true,0.5]}"#),
        ] {
            #expect(await fixture.run("kv", "set", "key", "--type", type, "--app", "Reader", "--", text) == .success)
        }
        let values = try fixture.daemon.requests(of: Baton_Control_V1_WriteKeyValueRequest.self).map {
            try PropertyValue($0.value)
        }
        #expect(
            values == [
                .string("5"), .integer(-5), .real(0.5), .boolean(true), .data(Data([1])),
                .date(Date(timeIntervalSince1970: 0)),
                .dictionary([.string("a"): .array([.integer(1), .boolean(true), .real(0.5)])]),
            ])
        for (type, text) in [
            ("integer", "1.5"), ("real", "x"), ("boolean", "maybe"), ("data", "%"), ("date", "today"),
            ("json", "[null]"),
            ("json", "{"),
        ] {
            #expect(await fixture.run("kv", "set", "key", text, "--type", type, "--app", "Reader") == .usage)
        }
        #expect(await fixture.run("kv", "remove", "key", "--app", "Reader", "--json") == .success)
        #expect(try fixture.json(fixture.output)["value"] is NSNull)
        let last = try #require(fixture.daemon.requests(of: Baton_Control_V1_WriteKeyValueRequest.self).last)
        #expect(!last.hasValue && last.bundleID == "com.example.reader")
    }

    @Test("a store is made where --create says so, and deleted where the person agrees")
    func stores() async throws {
        var fixture = fixture()
        fixture.daemon.on(ControlMethods.deleteKeyValueStore) { _ in .init() }
        #expect(await fixture.run("kv", "set", "key", "x", "--app", "com.example.tool") == .success)
        #expect(await fixture.run("kv", "set", "key", "x", "--create", "--app", "com.example.tool") == .success)
        let writes = fixture.daemon.requests(of: Baton_Control_V1_WriteKeyValueRequest.self)
        #expect(writes.map(\.create) == [false, true])
        await fixture.run("kv", "watch", "--app", "Reader")
        await fixture.run("kv", "watch", "--create", "--app", "Reader")
        let reads = fixture.daemon.requests(of: Baton_Control_V1_ReadKeyValuesRequest.self)
        #expect(reads.map(\.create) == [false, true])

        func deleted() -> [String] {
            fixture.daemon.requests(of: Baton_Control_V1_DeleteKeyValueStoreRequest.self).map(\.bundleID)
        }
        #expect(await fixture.run("kv", "delete-store", "--app", "Reader") == .usage)
        fixture.terminal = Terminal(isOutputInteractive: true, isInputInteractive: true, width: 400, isColoured: false)
        fixture.input = ["n"]
        #expect(await fixture.run("kv", "delete-store", "--app", "Reader") != .success)
        #expect(fixture.errors.text.contains("1 key may be on this device only"))
        #expect(fixture.errors.text.contains("com.example.reader with 4 keys?"))
        #expect(deleted().isEmpty)
        fixture.input = ["y"]
        #expect(await fixture.run("kv", "delete-store", "--app", "Reader") == .success)
        #expect(await fixture.run("kv", "delete-store", "--app", "Reader", "--yes", "--json") == .success)
        #expect(try fixture.json(fixture.output)["deleted_keys"] as? Int == 4)
        #expect(deleted() == ["com.example.reader", "com.example.reader"])
    }

    @Test("a negative number that is taken for an option is answered with where to put it")
    func negativeNumber() async throws {
        let fixture = fixture()
        #expect(await fixture.run("kv", "set", "n", "-5", "--type", "integer", "--app", "Reader") == .usage)
        #expect(fixture.errors.text.contains("after everything else: … -- -5"))
        #expect(await fixture.run("kv", "set", "n", "x", "--typo", "--app", "Reader") == .usage)
        #expect(fixture.errors.text.components(separatedBy: "after everything else").count == 2)
    }

    @Test("a word to leave out of a search that is taken for an option is answered with how to write it")
    func leftOutWord() async throws {
        let fixture = fixture()
        #expect(await fixture.run("search", "mach", "-tunnel") == .usage)
        #expect(fixture.errors.text.contains("in quotes: baton search 'dim sum -tunnel'"))
    }

    @Test("watching prints everything, then each change, as lines")
    func watches() async throws {
        let fixture = fixture()
        // The stream's end is an error: the daemon has ended.
        #expect(await fixture.run("kv", "watch", "--app", "Reader") != .success)
        let lines = fixture.output.text.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.last?.contains(#""key":"page","value":null"#) == true)
    }
}
