import BatonCore
import Foundation
import Testing

@testable import KeyValue

@Suite("Key-value replica")
struct KeyValueReplicaTests {
    private let here = DeviceID(unchecked: String(repeating: "B", count: 26))
    private let there = DeviceID(unchecked: String(repeating: "C", count: 26))
    private let account = AccountID(unchecked: String(repeating: "A", count: 26))
    private let wall: UInt64 = 1_700_000_000_000

    private func synced(_ limits: KeyValueLimits = .classic) -> KeyValueReplica {
        KeyValueReplica(device: here, limits: limits, phase: .synced(account))
    }

    private func entry(_ value: PropertyValue?, at time: UInt64) -> KeyValueEntry {
        KeyValueEntry(
            value: value, stamp: .init(time: HybridTimestamp(milliseconds: time, counter: 0), device: there))
    }

    private func item(_ key: String, _ value: PropertyValue?, at time: UInt64, version: UInt64) -> KeyValueItem {
        KeyValueItem(key: key, version: version, entry: entry(value, at: time))
    }

    @Test(
        "A key that was removed is stamped anew when it is removed again, so that a set elsewhere in between gives way (K-18)"
    )
    func removedAgain() throws {
        var replica = synced()
        _ = try replica.set(.integer(1), forKey: "key", wall: wall)
        _ = try replica.set(nil, forKey: "key", wall: wall + 10)
        _ = try replica.set(nil, forKey: "key", wall: wall + 1000)
        _ = replica.received([item("key", .integer(2), at: wall + 500, version: 1)])
        #expect(replica.value(forKey: "key") == nil)
        _ = replica.received([item("key", .integer(3), at: wall + 1500, version: 2)])
        #expect(replica.value(forKey: "key") == .integer(3))
    }

    @Test("Values are read at once, with nobody signed in too; each type is kept as it is")
    func readsLocally() throws {
        var replica = KeyValueReplica(device: KeyValueReplica.nobody)
        let values: [PropertyValue] = [
            .string("VALUE IN THE CLOUD"), .integer(1), .real(0.5), .boolean(true), .data(Data([1])),
            .array([.integer(1)]), .dictionary([.string("a"): .null]),
        ]
        for (index, value) in values.enumerated() {
            _ = try replica.set(value, forKey: "testkey\(index)", wall: wall)
            #expect(replica.value(forKey: "testkey\(index)") == value)
        }
        #expect(replica.values.count == values.count)
        #expect(replica.pending(limit: 100, wall: wall).isEmpty)
    }

    @Test("A key of 64 bytes is taken, one of 65 is refused; 64 bytes are fewer letters where they are not ASCII")
    func keyLength() throws {
        var replica = synced()
        _ = try replica.set(.integer(1), forKey: String(repeating: "k", count: 64), wall: wall)
        _ = try replica.set(.integer(1), forKey: String(repeating: "ü", count: 32), wall: wall)
        for key in [String(repeating: "k", count: 65), String(repeating: "ü", count: 33)] {
            #expect { try replica.set(.integer(1), forKey: key, wall: wall) } throws: {
                ($0 as? BatonError)?.reason == "key_too_long"
            }
        }
        #expect(replica.count == 2)
        var present = synced(.present)
        _ = try present.set(.integer(1), forKey: String(repeating: "ü", count: 128), wall: wall)
        #expect(throws: BatonError.self) {
            try present.set(.integer(1), forKey: String(repeating: "ü", count: 129), wall: wall)
        }
    }

    @Test("A value over the limit leaves the previous one, and the app is told")
    func valueTooLarge() throws {
        var replica = synced()
        _ = try replica.set(.string("old"), forKey: "key", wall: wall)
        let before = replica.slots
        let actions = try replica.set(.string(String(repeating: "x", count: (64 << 10) + 1)), forKey: "key", wall: wall)
        #expect(actions == [.announce(.quotaViolation, keys: ["key"])])
        #expect(replica.slots == before)
        for value in [
            PropertyValue.string(String(repeating: "x", count: 64 << 10)), .data(Data(count: 64 << 10)),
            .string(String(repeating: "\u{e9}", count: 32 << 10)),
        ] {
            _ = try replica.set(value, forKey: "key", wall: wall)
            #expect(replica.value(forKey: "key") == value)
            #expect(replica.totalBytes == 64 << 10)
        }
        var present = synced(.present)
        _ = try present.set(.data(Data(count: 1 << 20)), forKey: "key", wall: wall)
        #expect(present.totalBytes == 1 << 20)
        _ = try present.set(.data(Data(count: (1 << 20) + 1)), forKey: "key", wall: wall)
        #expect(present.totalBytes == 1 << 20)
    }

    @Test("All values together have a limit; a full store takes smaller values and removals")
    func storeFull() throws {
        var replica = synced()
        let half = PropertyValue.data(Data(count: 32 << 10))
        _ = try replica.set(half, forKey: "a", wall: wall)
        _ = try replica.set(half, forKey: "b", wall: wall)
        #expect(
            try replica.set(.boolean(true), forKey: "c", wall: wall) == [.announce(.quotaViolation, keys: ["c"])])
        _ = try replica.set(.boolean(true), forKey: "a", wall: wall)
        _ = try replica.set(.boolean(true), forKey: "c", wall: wall)
        _ = try replica.set(nil, forKey: "b", wall: wall)
        #expect(replica.totalBytes == 2)
        #expect(replica.values == ["a": .boolean(true), "c": .boolean(true)])
    }

    @Test("Empty values count too, so that a store has an end")
    func emptyValues() throws {
        var replica = synced()
        for value in [PropertyValue.string(""), .data(Data()), .boolean(false)] {
            _ = try replica.set(value, forKey: "key", wall: wall)
            #expect(replica.totalBytes == 1)
        }
    }

    @Test("Another spelling of one text is another value: it is counted as it is, and the app is told (K-4, K-14)")
    func spellings() throws {
        var replica = synced()
        let (composed, decomposed) = (PropertyValue.string("\u{e9}"), PropertyValue.string("e\u{301}"))
        _ = try replica.set(decomposed, forKey: "key", wall: wall)
        #expect(replica.totalBytes == 3)
        let actions = replica.received([item("key", composed, at: wall + 1, version: 1)])
        #expect(actions.contains(.announce(.server, keys: ["key"])))
        #expect(replica.totalBytes == 2)
    }

    @Test("The present profile takes 1024 keys")
    func keyCount() throws {
        var replica = synced(.present)
        for index in 0..<1024 { _ = try replica.set(.integer(1), forKey: "\(index)", wall: wall) }
        #expect(
            try replica.set(.integer(1), forKey: "more", wall: wall) == [.announce(.quotaViolation, keys: ["more"])])
        _ = try replica.set(.integer(2), forKey: "0", wall: wall)
        _ = try replica.set(nil, forKey: "1", wall: wall)
        _ = try replica.set(.integer(1), forKey: "more", wall: wall)
        #expect(replica.count == 1024)
    }

    @Test("Values of others beyond the limit stay, and may shrink")
    func overfull() throws {
        var replica = synced()
        let half = PropertyValue.data(Data(count: 40 << 10))
        _ = try replica.set(half, forKey: "a", wall: wall)
        _ = replica.received([item("b", half, at: wall, version: 1)])
        #expect(replica.count == 2)
        _ = try replica.set(.data(Data(count: 30 << 10)), forKey: "a", wall: wall)
        #expect(replica.totalBytes < 71 << 10)
        #expect(try replica.set(half, forKey: "a", wall: wall) == [.announce(.quotaViolation, keys: ["a"])])
    }

    @Test("The later of two devices' values wins, whichever comes first", arguments: [true, false])
    func newestWins(remoteIsLater: Bool) throws {
        var replica = synced()
        _ = try replica.set(.string("mine"), forKey: "key", wall: wall)
        let time = remoteIsLater ? wall + 1000 : wall - 1000
        let actions = replica.received([item("key", .string("theirs"), at: time, version: 7)])
        if remoteIsLater {
            #expect(replica.value(forKey: "key") == .string("theirs"))
            #expect(actions.contains(.announce(.server, keys: ["key"])))
            #expect(!replica.hasPending)
        } else {
            #expect(replica.value(forKey: "key") == .string("mine"))
            #expect(actions.contains(.push))
            #expect(replica.pending(limit: 1, wall: wall).first?.replaces == 7)
        }
    }

    @Test("A clock years ahead does not win for ever: who saw its value replaces it")
    func farFuture() throws {
        var replica = synced()
        _ = replica.received([item("key", .string("future"), at: wall * 2, version: 1)])
        _ = try replica.set(.string("now"), forKey: "key", wall: wall)
        #expect(replica.value(forKey: "key") == .string("now"))
        let entry = try #require(replica.slots["key"]?.entry)
        var other = KeyValueReplica(device: there, phase: .synced(account))
        _ = other.received([item("key", .string("future"), at: wall * 2, version: 1)])
        _ = other.received([KeyValueItem(key: "key", version: 2, entry: entry)])
        #expect(other.value(forKey: "key") == .string("now"))
        // And it does not take the other keys' clock along.
        _ = try replica.set(.string("now"), forKey: "other", wall: wall)
        #expect(try #require(replica.slots["other"]).entry.stamp.time.milliseconds == wall)
    }

    @Test("The app is told of others' changes only, and only of values that differ now")
    func announcements() throws {
        var replica = synced()
        let own = try replica.set(.integer(1), forKey: "key", wall: wall)
        #expect(!own.contains { if case .announce = $0 { true } else { false } })
        let entry = try #require(replica.slots["key"]?.entry)
        let back = replica.received([KeyValueItem(key: "key", version: 1, entry: entry)])
        #expect(!back.contains { if case .announce = $0 { true } else { false } })
        let same = replica.received([item("key", .integer(1), at: wall + 5, version: 2)])
        #expect(!same.contains { if case .announce = $0 { true } else { false } })
        let both = replica.received(
            [item("key", nil, at: wall + 6, version: 3), item("b", .integer(2), at: wall + 6, version: 4)])
        #expect(both.contains(.announce(.server, keys: ["key", "b"])))
    }

    @Test("Early writes give way to what the account has, whatever the clocks say, and the app is told why")
    func initialSync() throws {
        var replica = KeyValueReplica(device: KeyValueReplica.nobody)
        _ = try replica.set(.string("early"), forKey: "key", wall: wall * 2)
        _ = try replica.set(.string("only here"), forKey: "other", wall: wall)
        // Values without an author become this device's.
        guard case .save(let signed)? = replica.signedIn(account, as: here).first else { throw CancellationError() }
        #expect(signed.count == 2)
        #expect(replica.slots.values.allSatisfy { $0.entry.stamp.device == here })
        #expect(replica.pending(limit: 10, wall: wall).isEmpty)
        let actions = replica.received([item("key", .string("account's"), at: wall, version: 1)])
        #expect(actions.contains(.announce(.initialSync, keys: ["key"])))
        #expect(replica.value(forKey: "key") == .string("account's"))
        #expect(replica.initialDownloadEnded() == [.push])
        #expect(replica.pending(limit: 10, wall: wall).map(\.key) == ["other"])
    }

    @Test("Another account's content replaces the one before; without an account nothing of it stays")
    func accountChange() throws {
        var replica = synced()
        _ = try replica.set(.integer(1), forKey: "key", wall: wall)
        let other = AccountID(unchecked: String(repeating: "D", count: 26))
        #expect(replica.signedIn(other, as: here).contains(.announce(.account, keys: ["key"])))
        #expect(replica.values.isEmpty)
        #expect(replica.phase == .initial(other))
        _ = replica.received([item("key", .integer(2), at: wall, version: 1)])
        #expect(replica.signedOut().contains(.announce(.account, keys: ["key"])))
        #expect(replica.values.isEmpty)
        #expect(replica.totalBytes == 0)
    }

    // Two devices may leave at once, each taking the other for the one that stays: what went could be nowhere else.
    @Test("A store keeps its values when a person leaves the account, and takes them into the next one")
    func leftAccount() throws {
        var replica = synced()
        _ = try replica.set(.integer(1), forKey: "key", wall: wall)
        _ = try replica.set(.integer(1), forKey: "gone", wall: wall)
        _ = try replica.set(nil, forKey: "gone", wall: wall + 1)
        _ = replica.received([item("account's", .integer(2), at: wall, version: 7)])
        let era = replica.era
        let left = Set([account])
        var next = replica
        let actions = replica.signedOut(left: left)
        #expect(!actions.contains { if case .announce = $0 { true } else { false } })
        #expect(replica.phase == .local)
        #expect(replica.values == ["key": .integer(1), "account's": .integer(2)])
        #expect(replica.slots["gone"] == nil)
        // A process's writes meanwhile belong to the same store.
        #expect(replica.era == era)
        #expect(replica.slots.values.allSatisfy { $0.entry.stamp.device == KeyValueReplica.nobody && $0.cloud == nil })
        guard case .save(let saved)? = actions.first else { throw CancellationError() }
        #expect(Set(saved.keys) == ["key", "account's", "gone"])

        let other = AccountID(unchecked: String(repeating: "D", count: 26))
        _ = replica.signedIn(other, as: here, left: left)
        // The same for a store that is opened when the next account is there already.
        _ = next.signedIn(other, as: here, left: left)
        for var replica in [replica, next] {
            #expect(replica.phase == .initial(other))
            _ = replica.received([item("key", .integer(9), at: 1, version: 1)])
            _ = replica.initialDownloadEnded()
            // The next account's values win, whatever clocks say.
            #expect(replica.values == ["key": .integer(9), "account's": .integer(2)])
            #expect(replica.pending(limit: 10, wall: wall).map(\.key) == ["account's"])
        }
    }

    @Test("A removal wins over older values, and is deleted everywhere after 90 days")
    func removals() throws {
        var replica = synced()
        _ = try replica.set(.integer(1), forKey: "key", wall: wall)
        _ = try replica.set(nil, forKey: "key", wall: wall + 1)
        _ = replica.received([item("key", .integer(2), at: wall, version: 1)])
        #expect(replica.value(forKey: "key") == nil)
        let entry = try #require(replica.slots["key"]?.entry)
        let later = wall + KeyValueReplica.removalLifetime
        // Not while the cloud does not have it: it is to be written first.
        #expect(replica.pending(limit: 9, wall: later * 2) == [.init(key: "key", entry: entry, replaces: 1)])
        _ = replica.written([KeyValueItem(key: "key", version: 2, entry: entry)])
        #expect(replica.pending(limit: 9, wall: later).isEmpty)
        #expect(replica.exchangeable(wall: later)["key"] == entry)
        #expect(replica.exchangeable(wall: later + 5).isEmpty)
        let deletion = replica.pending(limit: 9, wall: later + 5)
        #expect(deletion == [.init(key: "key", entry: entry, isDeletion: true, replaces: 2)])
        var other = replica
        let deleted = KeyValueItem(key: "key", version: 3, entry: entry, isDeleted: true)
        _ = replica.written([deleted])
        #expect(replica.slots["key"]?.isPurgedTombstone == true)
        // Another device hears of the deletion, and no device brings the removal back.
        _ = other.received([deleted])
        for replica in [replica, other] {
            #expect(replica.slots["key"]?.isPurgedTombstone == true)
            #expect(replica.pending(limit: 9, wall: later + 5).isEmpty)
            #expect(replica.exchangeable(wall: later + 5).isEmpty)
        }
        #expect(replica.exchanged(["key": entry], wall: later + 5).isEmpty)
    }

    // MARK: A member that floods

    @Test("Values that no app can write are passed over, and other devices bring so many bytes and keys and no more")
    func flood() throws {
        var replica = synced()
        let large = PropertyValue.data(Data(count: 1 << 20))
        _ = replica.exchanged(["key": entry(.data(Data(count: (1 << 20) + 1)), at: wall)], wall: wall)
        #expect(replica.value(forKey: "key") == nil)
        for number in 0..<80 { _ = replica.exchanged(["\(number)": entry(large, at: wall)], wall: wall) }
        #expect(replica.totalBytes == KeyValueReplica.maximumTotalBytes)
        _ = replica.received([item("cloud", large, at: wall, version: 1)], wall: wall)
        #expect(replica.value(forKey: "cloud") == nil)
        // A change that takes no more room goes on.
        let later = ["0": entry(.data(Data([1])), at: wall + 1), "1": entry(nil, at: wall + 1)]
        _ = replica.exchanged(later, wall: wall)
        #expect(replica.value(forKey: "0") == .data(Data([1])))
        #expect(replica.value(forKey: "1") == nil)
        _ = replica.received([item("cloud", large, at: wall, version: 1)], wall: wall)
        #expect(replica.value(forKey: "cloud") == large)

        var full = KeyValueReplica(
            device: here, phase: .synced(account),
            slots: Dictionary(
                uniqueKeysWithValues: (0..<KeyValueReplica.maximumSlots).map {
                    ("\($0)", KeyValueReplica.Slot(entry: entry(.boolean(true), at: wall)))
                }))
        _ = full.exchanged(["one more": entry(nil, at: wall), "7": entry(.boolean(false), at: wall + 1)], wall: wall)
        #expect(full.slots["one more"] == nil)
        #expect(full.value(forKey: "7") == .boolean(false))
    }

    // MARK: A cloud that lies, or loses what it was given

    @Test("A key that a cloud deletes without a device's word is written again, and no app hears of it")
    func forgedDeletion() throws {
        var replica = synced()
        _ = replica.received([item("key", .integer(1), at: wall, version: 1)])
        let actions = replica.received([KeyValueItem(key: "key", version: 2, entry: nil, isDeleted: true)])
        #expect(replica.value(forKey: "key") == .integer(1))
        #expect(actions.contains(.push))
        #expect(!actions.contains { if case .announce = $0 { true } else { false } })
        #expect(replica.pending(limit: 9, wall: wall).map(\.replaces) == [2])
        // The tombstone holds a value, and no removal.
        let lie = KeyValueItem(key: "key", version: 3, entry: entry(.integer(1), at: wall), isDeleted: true)
        _ = replica.received([lie])
        #expect(replica.value(forKey: "key") == .integer(1))
        #expect(replica.pending(limit: 9, wall: wall).map(\.replaces) == [3])
    }

    @Test("A deletion takes what is older than the removal that it tells, and nothing that is newer")
    func provenDeletion() throws {
        var replica = synced()
        _ = replica.received([item("old", .integer(1), at: wall, version: 1)])
        _ = replica.received([item("new", .integer(1), at: wall + 9, version: 2)])
        let actions = replica.received(
            ["old", "new", "unknown"].enumerated().map { index, key in
                KeyValueItem(key: key, version: UInt64(index) + 3, entry: entry(nil, at: wall + 5), isDeleted: true)
            })
        #expect(actions.contains(.announce(.server, keys: ["old"])))
        #expect(replica.values == ["new": .integer(1)])
        // The newer value goes over the deletion.
        #expect(replica.pending(limit: 9, wall: wall).map(\.replaces) == [4])
    }

    @Test("A removed key does not come back, from a cloud that kept it or from a device that was away")
    func replayedValue() throws {
        var replica = synced()
        _ = replica.received([item("key", .integer(1), at: wall, version: 1)])
        let removal = entry(nil, at: wall + 1)
        _ = replica.received([KeyValueItem(key: "key", version: 2, entry: removal, isDeleted: true)])
        #expect(replica.slots["key"]?.isPurgedTombstone == true)
        let actions = replica.received([item("key", .integer(1), at: wall, version: 3)])
        #expect(replica.value(forKey: "key") == nil)
        #expect(actions.contains(.push))
        #expect(replica.pending(limit: 9, wall: wall) == [.init(key: "key", entry: removal, replaces: 3)])
        _ = replica.written([KeyValueItem(key: "key", version: 4, entry: removal)])
        _ = replica.written([KeyValueItem(key: "key", version: 5, entry: removal, isDeleted: true)])
        // A device that was away hears of the removal only if it asks for the key.
        _ = replica.exchanged(["key": entry(.integer(1), at: wall)], wall: wall)
        #expect(replica.value(forKey: "key") == nil)
        #expect(replica.exchangeable(wall: wall).isEmpty)
        #expect(replica.exchangeable(forKey: "key") == removal)
        // Nor does another order of the cloud bring it back, and it is not written there.
        _ = replica.zoneReset()
        #expect(!replica.hasPending)
        _ = replica.received([item("key", .integer(1), at: wall, version: 1)])
        #expect(replica.value(forKey: "key") == nil)
        #expect(replica.pending(limit: 9, wall: wall).map(\.replaces) == [1])
        // Setting it is something else.
        _ = try replica.set(.integer(2), forKey: "key", wall: wall)
        #expect(replica.value(forKey: "key") == .integer(2))
    }

    @Test("The newest removals that the cloud has deleted are kept")
    func tooManyBuried() {
        var replica = synced()
        let count = KeyValueReplica.maximumRemovals * 2
        for number in 0..<count {
            let time = wall + UInt64(number)
            _ = replica.received([
                KeyValueItem(key: "\(number)", version: time, entry: entry(nil, at: time), isDeleted: true)
            ])
        }
        #expect(replica.slots.count <= KeyValueReplica.maximumRemovals * 9 / 8)
        #expect(replica.slots["0"] == nil)
        #expect(replica.slots["\(count - 1)"]?.isPurgedTombstone == true)
        #expect(replica.expiredRemovals(wall: .max).isEmpty)
    }

    @Test("A value that was set before the first download stays where the account has deleted the key")
    func earlyValueAndDeletion() throws {
        var replica = KeyValueReplica(device: KeyValueReplica.nobody)
        _ = try replica.set(.integer(1), forKey: "key", wall: wall)
        _ = replica.signedIn(account, as: here)
        let deleted = KeyValueItem(key: "key", version: 7, entry: entry(nil, at: wall * 2), isDeleted: true)
        _ = replica.received([deleted])
        _ = replica.initialDownloadEnded()
        #expect(replica.value(forKey: "key") == .integer(1))
        let change = try #require(replica.pending(limit: 9, wall: wall).first)
        #expect(change.replaces == 7)
        #expect(change.entry.stamp > entry(nil, at: wall * 2).stamp, "or it would lose on every other device")
    }

    @Test("With too many removals the oldest go first, before their time")
    func tooManyRemovals() {
        var replica = synced()
        let count = KeyValueReplica.maximumRemovals + 2
        _ = replica.received(
            (0..<count).map { item("\($0)", nil, at: wall + UInt64($0), version: UInt64($0) + 1) })
        #expect(replica.expiredRemovals(wall: wall) == ["0", "1"])
        #expect(replica.pending(limit: 9, wall: wall).map(\.key) == ["0", "1"])
    }

    @Test("A key that is set again while its deletion is on the way is written over the deletion")
    func setDuringDeletion() throws {
        var replica = synced()
        _ = replica.received([item("key", nil, at: wall, version: 1)])
        let later = wall + KeyValueReplica.removalLifetime + 5
        let deletion = try #require(replica.pending(limit: 9, wall: later).first)
        #expect(deletion.isDeletion)
        _ = try replica.set(.integer(1), forKey: "key", wall: later)
        _ = replica.written([KeyValueItem(key: "key", version: 2, entry: deletion.entry, isDeleted: true)])
        #expect(replica.pending(limit: 9, wall: later).map(\.replaces) == [2])
        #expect(replica.value(forKey: "key") == .integer(1))
    }

    @Test("An unreadable item changes nothing here, and does not stand in the way of a write")
    func unreadable() throws {
        var replica = synced()
        _ = replica.received([item("key", .integer(1), at: wall, version: 1)])
        _ = replica.received([KeyValueItem(key: "key", version: 2, entry: nil, isReadable: false)])
        #expect(replica.value(forKey: "key") == .integer(1))
        #expect(!replica.hasPending)
        _ = try replica.set(.integer(2), forKey: "key", wall: wall)
        #expect(replica.pending(limit: 9, wall: wall).map(\.replaces) == [2])
        _ = replica.received([KeyValueItem(key: "key", version: 3, entry: nil, isReadable: false)])
        #expect(replica.pending(limit: 9, wall: wall).map(\.replaces) == [3])
        // So is one that nothing could come after.
        _ = replica.received([item("key", .integer(3), at: .max, version: 4)])
        #expect(replica.value(forKey: "key") == .integer(2))
        #expect(replica.pending(limit: 9, wall: wall).map(\.replaces) == [4])
    }

    @Test("An item of which the cloud knows nothing any more is written anew; one that is not to be written stays")
    func unknownToCloud() throws {
        var replica = synced()
        _ = replica.received(
            [item("a", .integer(1), at: wall, version: 1), item("b", .integer(1), at: wall, version: 2)])
        _ = try replica.set(.integer(2), forKey: "a", wall: wall)
        _ = replica.received(["a", "b"].map { KeyValueItem(key: $0, version: 0, entry: nil) })
        #expect(replica.pending(limit: 9, wall: wall).map(\.replaces) == [0])
        #expect(replica.values == ["a": .integer(2), "b": .integer(1)])
    }

    @Test("With two processes that did not know of each other's writes, the later one wins, in any order")
    func processes() throws {
        for isReversed in [false, true] {
            var replica = synced()
            // Far ahead: stamps alone would not show which process was later.
            _ = replica.received([item("key", .integer(0), at: wall * 2, version: 1)])
            var writes = [
                KeyValueWrite(key: "key", value: .integer(1), time: wall, isInformed: true),
                KeyValueWrite(key: "key", value: .integer(2), time: wall + 1, isInformed: false),
            ]
            if isReversed {
                writes.reverse()
                (writes[0].isInformed, writes[1].isInformed) = (true, false)
            }
            for write in writes { _ = try replica.write(write, wall: wall + 10) }
            #expect(replica.value(forKey: "key") == .integer(2))
            // Sent twice, since the answer was lost.
            let again = KeyValueWrite(key: "key", value: .integer(1), time: wall, isInformed: false)
            #expect(try replica.write(again, wall: wall + 10).outcome == .superseded)
        }
    }

    @Test("A write from the future is one of now")
    func futureWrite() throws {
        var replica = synced()
        let write = KeyValueWrite(key: "key", value: .integer(1), time: .max, isInformed: true)
        _ = try replica.write(write, wall: wall)
        #expect(replica.slots["key"]?.entry.stamp.time.milliseconds == wall)
    }

    @Test("Starting over loses nothing: what the account has no more is written again, old removals are not")
    func startingOver() throws {
        var replica = synced()
        _ = replica.received(
            [item("gone", .integer(1), at: wall, version: 1), item("kept", .integer(2), at: wall, version: 2)])
        _ = replica.received([item("changed", .integer(3), at: wall, version: 3)])
        _ = try replica.set(.integer(4), forKey: "changed", wall: wall + 1)
        _ = try replica.set(.integer(5), forKey: "new", wall: wall)
        _ = replica.received([item("removed", nil, at: wall, version: 4)])
        let values = replica.values
        for (later, count) in [(wall, 4), (wall + KeyValueReplica.removalLifetime + 1, 3)] {
            var read = replica
            let actions = read.startedOver(holding: ["kept"], wall: later)
            #expect(!actions.contains { if case .announce = $0 { true } else { false } })
            #expect(read.values == values)
            let pending = read.pending(limit: 10, wall: later)
            #expect(pending.map(\.replaces) == Array(repeating: 0, count: count))
            #expect(read.slots["removed"]?.isPurgedTombstone == (count == 3))
        }
    }

    @Test("A removal that no cloud has is kept here when it is old, and told to nobody any more")
    func removalsWithoutCloud() throws {
        var replica = synced()
        _ = try replica.set(.integer(1), forKey: "key", wall: wall)
        _ = try replica.set(nil, forKey: "key", wall: wall + 1)
        let later = wall + KeyValueReplica.removalLifetime
        #expect(replica.forgetRemovals(wall: later).isEmpty)
        _ = replica.forgetRemovals(wall: later + 2)
        #expect(replica.slots["key"]?.isPurgedTombstone == true)
        #expect(replica.exchangeable(wall: wall).isEmpty)
        _ = replica.exchanged(["key": entry(.integer(7), at: wall)], wall: later)
        #expect(replica.value(forKey: "key") == nil)
    }

    @Test("An item that a newer Baton wrote over a removal is not deleted by it")
    func unreadableOverRemoval() {
        var replica = synced()
        _ = replica.received([item("key", nil, at: wall, version: 1)])
        _ = replica.received([KeyValueItem(key: "key", version: 2, entry: nil, isReadable: false)])
        #expect(replica.pending(limit: 9, wall: wall + KeyValueReplica.removalLifetime * 2).isEmpty)
    }
}

extension KeyValueReplica {
    fileprivate mutating func received(_ items: [KeyValueItem]) -> [KeyValueAction] {
        received(items, wall: 1_700_000_000_000)
    }
}
