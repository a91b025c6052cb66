import BatonCore
import BatonWire
import Foundation
import Synchronization
import Testing

@testable import Baton

/// The store of a process in memory, and its daemon.
@Suite("NSUbiquitousKeyValueStore", .timeLimit(.minutes(1)), .serialized) struct KeyValueStoreTests {
    private func withStore(
        limits: String? = nil,
        _ body: (NSUbiquitousKeyValueStore, KeyValueDaemon, KeyValueNotifications) async throws -> Void,
        before: (KeyValueDaemon) -> Void = { _ in }
    ) async throws {
        let daemon = KeyValueDaemon()
        before(daemon)
        var bundle = AppBundle()
        bundle.keyValueLimits = limits
        let profile = AppProfile(
            configuration: BatonConfiguration(bundleIdentifier: "com.example.App"), bundle: bundle,
            executable: "/opt/tool", environment: ["BATON_SOCKET": "/run/baton.sock"])
        let runtime = AppRuntime(
            environment: .init(
                profile: { profile }, makeClient: { _ in daemon }, jitter: { 0 }, exit: { _ in }))
        let store = AppRuntime.$calling.withValue(runtime) { NSUbiquitousKeyValueStore.default }
        do {
            try await body(store, daemon, KeyValueNotifications(store))
        } catch {
            daemon.letGo()
            await runtime.stop()
            throw error
        }
        daemon.letGo()
        await runtime.stop()
    }

    @Test("Each setter and getter keeps its type, and the daemon gets it (K-6, K-7, K-8, K-13)")
    func types() async throws {
        try await withStore { store, daemon, _ in
            let date = Date(timeIntervalSinceReferenceDate: 5)
            store.set("VALUE IN THE CLOUD", forKey: "testkey")
            store.set(Data([1, 2]), forKey: "data")
            store.set(["a", 1, true] as [Any], forKey: "array")
            store.set(["k": ["n": 0.5]] as [String: Any], forKey: "dictionary")
            store.set(Int64(-7), forKey: "longLong")
            store.set(0.5, forKey: "double")
            store.set(true, forKey: "bool")
            store.set(date as Any?, forKey: "date")
            store.set(5 as Any?, forKey: "int")
            #expect(store.string(forKey: "testkey") == "VALUE IN THE CLOUD")
            #expect(store.data(forKey: "data") == Data([1, 2]))
            #expect(store.array(forKey: "array")?.count == 3)
            #expect(store.array(forKey: "array")?.first as? String == "a")
            #expect((store.dictionary(forKey: "dictionary")?["k"] as? [String: Any])?["n"] as? Double == 0.5)
            #expect(store.longLong(forKey: "longLong") == -7)
            #expect(store.double(forKey: "double") == 0.5)
            #expect(store.bool(forKey: "bool"))
            #expect(store.object(forKey: "date") as? Date == date)
            #expect(store.object(forKey: "int") as? Int == 5)
            // Numbers are each other's, as with NSNumber; anything else is no number, and nothing is nothing.
            #expect(store.longLong(forKey: "bool") == 1)
            #expect(store.double(forKey: "longLong") == -7)
            #expect(store.bool(forKey: "double"))
            #expect(store.longLong(forKey: "double") == 0)
            #expect(store.string(forKey: "bool") == nil && store.data(forKey: "testkey") == nil)
            #expect(store.longLong(forKey: "testkey") == 0 && store.double(forKey: "none") == 0)
            #expect(!store.bool(forKey: "testkey") && store.object(forKey: "none") == nil)
            #expect(store.array(forKey: "dictionary") == nil && store.dictionary(forKey: "array") == nil)
            store.set(1e300, forKey: "huge")
            #expect(store.longLong(forKey: "huge") == .max)
            #expect(store.synchronize())
            #expect(daemon.values["testkey"] == .string("VALUE IN THE CLOUD"))
            #expect(daemon.values["dictionary"] == .dictionary([.string("k"): .dictionary([.string("n"): .real(0.5)])]))
            #expect(Set(store.dictionaryRepresentation.keys) == Set(daemon.values.keys))
            for key in store.dictionaryRepresentation.keys.sorted() {
                if key < "e" { store.removeObject(forKey: key) } else { store.set(nil as String?, forKey: key) }
            }
            #expect(store.dictionaryRepresentation.isEmpty)
            #expect(store.synchronize())
            #expect(daemon.values.isEmpty)
            #expect(daemon.opened.count == 1 && daemon.claims == [AppClaim(bundleID: "com.example.App")])
        }
    }

    @Test("Reading asks nobody, and a set is read at once while the daemon does not answer (K-11)")
    func readsLocally() async throws {
        try await withStore { store, daemon, _ in
            store.set("before", forKey: "key")
            #expect(store.synchronize())
            daemon.hold()
            let calls = daemon.calls
            store.set("after", forKey: "key")
            for _ in 0..<1000 { #expect(store.string(forKey: "key") == "after") }
            #expect(daemon.calls == calls)
            daemon.letGo()
            #expect(store.synchronize())
        }
    }

    @Test(
        "A change from elsewhere is announced with its reason and keys, its value readable; own sets are not (K-14, K-15, K-16)"
    )
    func notifications() async throws {
        try await withStore { store, daemon, notifications in
            store.set("mine", forKey: "own")
            #expect(store.synchronize())
            daemon.change(["key": .string("theirs"), "other": .string("x")], .server)
            let theirs = try await notifications.next()
            #expect(
                theirs
                    == .init(
                        reason: 0, keys: ["key", "other"], isOnMain: false, values: ["key": "theirs", "other": "x"]))
            daemon.change(["key": .string("first")], .initialSync)
            let first = try await notifications.next()
            #expect(first.reason == NSUbiquitousKeyValueStoreInitialSyncChange)
            daemon.change(["key": nil], .unspecified)
            let removed = try await notifications.next()
            #expect(removed == .init(reason: 0, keys: ["key"], isOnMain: false, values: [:]))
            daemon.change(["new": .string("n")], .account, era: 2)
            let another = try await notifications.next()
            #expect(another == .init(reason: 3, keys: ["new", "other", "own"], isOnMain: false, values: ["new": "n"]))
            #expect(store.dictionaryRepresentation.keys.sorted() == ["new"])
            #expect(notifications.all.pending.isEmpty)
        }
    }

    @Test("A value over the limit is announced as such, and the one of before stays (K-2, K-5, K-16, K-17, X-8)")
    func quota() async throws {
        try await withStore { store, daemon, notifications in
            store.set("old", forKey: "key")
            store.set(String(repeating: "x", count: (64 << 10) + 1), forKey: "key")
            #expect(store.string(forKey: "key") == "old")
            let refused = try await notifications.next()
            #expect(refused == .init(reason: 2, keys: ["key"], isOnMain: false, values: ["key": "old"]))
            #expect(store.synchronize())
            #expect(daemon.values == ["key": .string("old")])
            // “At most 64 KB”: that much is taken.
            store.set(String(repeating: "x", count: 64 << 10), forKey: "key")
            #expect(store.synchronize())
            #expect(daemon.values == ["key": .string(String(repeating: "x", count: 64 << 10))])
        }
        try await withStore(limits: "present") { store, daemon, _ in
            store.set(String(repeating: "x", count: 1 << 20), forKey: String(repeating: "k", count: 128))
            #expect(store.synchronize())
            #expect(daemon.values.count == 1)
            #expect(daemon.opened.map(\.profile) == [.present])
        } before: {
            $0.setProfile(.present)
        }
        try await withStore(limits: "intermediate") { store, daemon, _ in
            store.set(String(repeating: "x", count: 1 << 20), forKey: String(repeating: "k", count: 64))
            #expect(store.synchronize())
            #expect(daemon.values.count == 1)
            #expect(daemon.opened.map(\.profile) == [.intermediate])
        } before: {
            $0.setProfile(.intermediate)
        }
    }

    @Test("Synchronize waits for what other processes had put there before")
    func synchronizes() async throws {
        try await withStore { store, daemon, _ in
            #expect(store.synchronize())
            for number in 0..<100 {
                daemon.change(["key": .integer(Int64(number))], .unspecified)
                #expect(store.synchronize())
                #expect(store.longLong(forKey: "key") == Int64(number))
            }
        }
    }

    @Test("Without a daemon values stay in the process, and reach it when there is one (K-9)")
    func noDaemon() async throws {
        try await withStore { store, daemon, notifications in
            store.set("early", forKey: "key")
            #expect(store.string(forKey: "key") == "early")
            #expect(!store.synchronize())
            daemon.change(["other": .string("theirs")], .server)
            daemon.start()
            // It hurries, since a caller waits.
            while !store.synchronize() {}
            #expect(daemon.values == ["key": .string("early"), "other": .string("theirs")])
            let others = try await notifications.next()
            #expect(others.keys == ["other"])
        } before: {
            $0.crash()
        }
    }

    @Test("A daemon that ends while it writes is told again, and what it had taken is not written twice")
    func daemonEnds() async throws {
        try await withStore { store, daemon, _ in
            #expect(store.synchronize())
            daemon.loseNextAnswer()
            store.set("once", forKey: "key")
            _ = try await daemon.writes.next()
            while !store.synchronize() {}
            // Taken the first time; sent again, it is there already.
            #expect(store.string(forKey: "key") == "once")
            daemon.hold()
            store.set("lost", forKey: "key")
            _ = try await daemon.writes.next()
            daemon.crash()
            #expect(!store.synchronize())
            daemon.start()
            while !store.synchronize() {}
            #expect(daemon.values == ["key": .string("lost")])
        }
    }

    @Test("Without the entitlement nothing is kept, nothing is read, and synchronize is false (K-20)")
    func noEntitlement() async throws {
        try await withStore { store, daemon, _ in
            store.set("x", forKey: "key")
            #expect(store.object(forKey: "key") == nil)
            #expect(!store.synchronize())
            #expect(store.dictionaryRepresentation.isEmpty)
            #expect(daemon.writes.pending.isEmpty)
            // A daemon that is away gives it no store either.
            daemon.crash()
            let calls = daemon.calls
            while daemon.calls < calls + 2 { await Task.yield() }
            store.set("y", forKey: "key")
            #expect(store.object(forKey: "key") == nil)
            #expect(!store.synchronize())
        } before: {
            $0.refuse(BatonError(.permissionDenied, reason: "no_key_value_store", "None."))
        }
    }

    @Test("A value that the daemon does not take is announced, and the others are taken")
    func refusedByDaemon() async throws {
        try await withStore { store, daemon, notifications in
            #expect(store.synchronize())
            daemon.refuseWrites(BatonError(.invalidArgument, reason: "invalid", "No."))
            store.set("x", forKey: "key")
            let untaken = try await notifications.next()
            #expect(untaken.reason == NSUbiquitousKeyValueStoreQuotaViolationChange)
            #expect(store.object(forKey: "key") == nil)
            daemon.refuseWrites(nil)
            store.set("y", forKey: "key")
            #expect(store.synchronize())
            #expect(daemon.values == ["key": .string("y")])
        }
    }

    @Test("Two spellings of one text are one key")
    func spellings() async throws {
        try await withStore { store, daemon, _ in
            store.set("x", forKey: "e\u{301}")
            #expect(store.string(forKey: "\u{e9}") == "x")
            #expect(store.synchronize())
            #expect(daemon.values.keys.first.map { Array($0.utf8) } == Array("\u{e9}".utf8))
        }
    }
}
