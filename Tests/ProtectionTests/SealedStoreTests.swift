import BatonCore
import BatonTestSupport
import Foundation
import Glibc
import Synchronization
import Testing

@testable import Protection

/// Inboxes on a real disk.
struct Inboxes {
    let directory: TemporaryDirectory
    static let app = "com.example.app"
    static let cost = ProtectionKey.Cost(rounds: 2, blockSize: 1, parallelism: 1)
    static let passphrase = "correct horse"

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: path(""), withIntermediateDirectories: true)
    }

    func path(_ name: String) -> String { directory.file("inboxes/\(Self.app)/\(name)") }

    func store(_ step: @escaping @Sendable (String) throws -> Void = { _ in }) throws -> SealedStore {
        try SealedStore(folder: directory.file("protected"), inboxes: directory.file("inboxes"), step: step)
    }

    func add(_ name: String, _ content: Data) throws {
        try content.write(to: URL(fileURLWithPath: path(name)))
        chmod(path(name), 0o444)
    }

    func mode(_ name: String) throws -> Int {
        let mode = try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? NSNumber
        return mode?.intValue ?? -1
    }

    func content(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }

    /// All that an app sees, without what is hidden.
    var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: path("")).filter { !$0.hasPrefix(".") }.sorted()
        }
    }

    /// Every byte that lies on the disk anywhere below.
    func holds(_ bytes: Data) throws -> Bool {
        let root = directory.file("")
        return try FileManager.default.subpathsOfDirectory(atPath: root).contains { name in
            let content = FileManager.default.contents(atPath: root + "/" + name)
            return content?.range(of: bytes) != nil
        }
    }
}

@Suite("Sealed files", .timeLimit(.minutes(1))) struct SealedStoreTests {
    private let inboxes: Inboxes

    init() throws { inboxes = try Inboxes() }

    private func key() throws -> ProtectionKey {
        try ProtectionKey(passphrase: Inboxes.passphrase, cost: Inboxes.cost)
    }

    @Test(
        "Locked files have their name, size and time, but no content and no permissions; unlocked they are as before (A-15)"
    )
    func lockAndUnlock() throws {
        let content = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let secret = Data("a very secret sentence".utf8)
        try inboxes.add("large.bin", content)
        try inboxes.add("text.txt", secret)
        try inboxes.add("empty", Data())
        let before = try FileManager.default.attributesOfItem(atPath: inboxes.path("large.bin"))
        let store = try inboxes.store()
        let key = try key()
        try store.set(key)
        try store.markLocked()
        #expect(try store.closeAll(key).failures == 0)
        #expect(try store.isLocked() && store.sealedCount() == 3)
        for name in try inboxes.names { #expect(try inboxes.mode(name) == 0) }
        #expect(try !inboxes.holds(secret))
        let closed = try FileManager.default.attributesOfItem(atPath: inboxes.path("large.bin"))
        #expect(closed[.size] as? NSNumber == before[.size] as? NSNumber)
        #expect(closed[.modificationDate] as? Date == before[.modificationDate] as? Date)

        #expect(throws: BatonError.self) { try store.openAll(key, passphrase: "another one") }
        #expect(try store.isLocked() && store.sealedCount() == 3)
        #expect(try store.openAll(try store.key(), passphrase: Inboxes.passphrase) == 0)
        #expect(try !store.isLocked() && inboxes.names == ["empty", "large.bin", "text.txt"])
        #expect(try inboxes.content("large.bin") == content && inboxes.content("text.txt") == secret)
        #expect(try inboxes.mode("text.txt") == 0o444)
        let after = try FileManager.default.attributesOfItem(atPath: inboxes.path("large.bin"))
        #expect(after[.modificationDate] as? Date == before[.modificationDate] as? Date)
    }

    @Test("Without a passphrase files are hidden from apps, and shown again")
    func withoutPassphrase() throws {
        try inboxes.add("a.txt", Data("a".utf8))
        let store = try inboxes.store()
        try store.markLocked()
        #expect(try store.closeAll(nil).failures == 0)
        #expect(try inboxes.mode("a.txt") == 0 && store.sealedCount() == 0)
        #expect(try store.openAll(nil, passphrase: "") == 0)
        #expect(try inboxes.mode("a.txt") == 0o444 && inboxes.content("a.txt") == Data("a".utf8))
    }

    /// Ends the process, as far as the store knows, at one of its steps.
    private func interrupted(at count: Int, _ body: (SealedStore) throws -> Void) throws -> Bool {
        final class Steps: Sendable { let count = Atomic(0) }
        let steps = Steps()
        let store = try inboxes.store { _ in
            if steps.count.add(1, ordering: .relaxed).newValue == count { throw Interruption() }
        }
        do {
            try body(store)
            return false
        } catch is Interruption {
            return true
        }
    }

    @Test("Wherever locking or unlocking is interrupted, nothing is lost and nothing doubled (A-15)")
    func interruptions() throws {
        let contents = ["a.txt": Data("one".utf8), "b.txt": Data("two".utf8)]
        let key = try key()
        var points = 0
        for isUnlocking in [false, true] {
            for point in 1... {
                for (name, content) in contents { try inboxes.add(name, content) }
                let store = try inboxes.store()
                try store.set(key)
                if isUnlocking {
                    try store.markLocked()
                    #expect(try store.closeAll(key).failures == 0)
                }
                let isInterrupted = try interrupted(at: point) { store in
                    if isUnlocking {
                        _ = try store.openAll(key, passphrase: Inboxes.passphrase)
                    } else {
                        try store.markLocked()
                        _ = try store.closeAll(key)
                    }
                }
                // As the daemon starts.
                let next = try inboxes.store()
                try next.recover()
                if try next.isLocked() {
                    #expect(try next.closeAll(key).failures == 0)
                    for name in try inboxes.names { #expect(try inboxes.mode(name) == 0, "\(point)") }
                    #expect(try next.sealedCount() == contents.count, "\(point)")
                    #expect(try next.openAll(key, passphrase: Inboxes.passphrase) == 0)
                }
                #expect(try inboxes.names == contents.keys.sorted(), "\(point) \(isUnlocking)")
                for (name, content) in contents { #expect(try inboxes.content(name) == content, "\(point)") }
                let sealed = inboxes.directory.file("protected/sealed")
                #expect(try FileManager.default.contentsOfDirectory(atPath: sealed).isEmpty)
                #expect(try FileManager.default.contentsOfDirectory(atPath: inboxes.path("")).count == contents.count)
                for name in contents.keys { try FileManager.default.removeItem(atPath: inboxes.path(name)) }
                points += 1
                if !isInterrupted { break }
            }
        }
        #expect(points > 20)
    }

    @Test("What an app does to closed files costs nothing: a deleted one comes back, another of its name stays")
    func apps() throws {
        let key = try key()
        let store = try inboxes.store()
        try inboxes.add("a.txt", Data("first".utf8))
        try inboxes.add("b.txt", Data("b".utf8))
        try store.set(key)
        try store.markLocked()
        _ = try store.closeAll(key)
        try FileManager.default.removeItem(atPath: inboxes.path("a.txt"))
        try FileManager.default.removeItem(atPath: inboxes.path("b.txt"))
        try inboxes.add("a.txt", Data("second".utf8))
        try store.close("a.txt", of: Inboxes.app, key)
        #expect(try store.openAll(key, passphrase: Inboxes.passphrase) == 0)
        #expect(try inboxes.names == ["a-1.txt", "a.txt", "b.txt"])
        let contents = try Set([inboxes.content("a.txt"), inboxes.content("a-1.txt")])
        #expect(contents == [Data("first".utf8), Data("second".utf8)])
    }

    @Test("A sealed file that was changed, cut or exchanged is not opened; the others are")
    func damage() throws {
        let key = try key()
        let store = try inboxes.store()
        for name in ["a", "b", "c", "d"] { try inboxes.add(name, Data(repeating: 7, count: 2_500_000)) }
        try store.set(key)
        try store.markLocked()
        _ = try store.closeAll(key)
        let folder = inboxes.directory.file("protected/sealed")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { folder + "/" + $0 }
        var flipped = try Data(contentsOf: URL(fileURLWithPath: names[0]))
        flipped[flipped.count / 2] ^= 1
        try flipped.write(to: URL(fileURLWithPath: names[0]))
        // After its first piece, which is whole.
        let cut = try Data(contentsOf: URL(fileURLWithPath: names[1]))
        try cut.prefix(cut.count - 402_872).write(to: URL(fileURLWithPath: names[1]))
        try Data("BATONSEALED1".utf8).write(to: URL(fileURLWithPath: names[2]))
        #expect(try store.openAll(key, passphrase: Inboxes.passphrase) == 3)
        let opened = try inboxes.names.filter { try inboxes.mode($0) == 0o444 }
        #expect(opened.count == 1)
        #expect(try inboxes.content(#require(opened.first)).count == 2_500_000)
        #expect(try !store.isLocked())
    }

    @Test("What lies in the folder of sealed files leads nowhere else")
    func hostile() throws {
        let store = try inboxes.store()
        let folder = inboxes.directory.file("protected/sealed")
        for (index, bytes) in [Data(), Data("BATONSEALED1\u{ff}".utf8), Data(repeating: 0xff, count: 5000)].enumerated()
        {
            try bytes.write(to: URL(fileURLWithPath: "\(folder)/x\(index).sealing"))
        }
        try store.recover()
        #expect(try store.sealedCount() == 0)
    }

    @Test("The passphrase can be changed, and what was sealed before stays readable")
    func passphrase() throws {
        let key = try key()
        let changed = try key.changing(Inboxes.passphrase, to: "another one", cost: Inboxes.cost)
        #expect(changed.publicKey == key.publicKey)
        #expect(throws: BatonError.self) { try changed.privateKey(Inboxes.passphrase) }
        _ = try changed.privateKey("another one")
        #expect(throws: BatonError.self) { try key.changing("wrong one", to: "x", cost: Inboxes.cost) }
        #expect(throws: BatonError.self) { try ProtectionKey(passphrase: "short", cost: Inboxes.cost) }
    }

    @Test("A public key that was replaced is damage, and no wrong passphrase")
    func replacedKey() throws {
        let key = try key()
        var values = try #require(
            JSONSerialization.jsonObject(with: JSONEncoder().encode(key)) as? [String: Any])
        values["publicKey"] = try self.key().publicKey.base64EncodedString()
        let changed = try JSONDecoder().decode(
            ProtectionKey.self, from: JSONSerialization.data(withJSONObject: values))
        let damage = #expect(throws: BatonError.self) { try changed.privateKey(Inboxes.passphrase) }
        #expect(damage?.reason == "protection_key_damaged" && damage?.message.contains("public key") == true)
        let wrong = #expect(throws: BatonError.self) { try changed.privateKey("another one") }
        #expect(wrong?.reason == "wrong_passphrase")
    }
}
