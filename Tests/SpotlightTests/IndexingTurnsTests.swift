import BatonCore
import BatonWire
import Foundation
import GRDB
import SwiftProtobuf
import Synchronization
import Testing

@testable import Spotlight

@Suite("Whose changes are indexed next")
struct IndexingTurnsTests {
    private static let flood = ItemOwner(SearchDevice.notes)
    private static let other = ItemOwner(SearchDevice.mail)

    // Issue 28, Figures: from an app's call until what it gave is found, 2 s.
    @Test(
        "An app that indexes without end delays another's changes by one batch, and both together keep the budget",
        arguments: [false, true])
    func flooded(isOnBattery: Bool) {
        var now: UInt64 = 1_000_000
        let start = now
        var turns = IndexingTurns(now: now)
        var (used, batches) = (0.0, 0)
        while now < start + 600_000 {
            // The other app gives something every ten seconds.
            let hasCome = now / 10_000 > UInt64(batches) + start / 10_000
            let waiting = hasCome ? [Self.flood, Self.other] : [Self.flood]
            switch turns.next(of: waiting, now: now, isOnBattery: isOnBattery) {
            case .app(Self.other)?:
                batches += 1
                turns.spend(10, of: Self.other, now: now, isOnBattery: isOnBattery)
                used += 10
                now += 10
            case .app?:
                // Nothing of the other's waits longer than for one batch.
                #expect(!hasCome || turns.next(of: waiting, now: now, isOnBattery: isOnBattery) == .app(Self.other))
                turns.spend(250, of: Self.flood, now: now, isOnBattery: isOnBattery)
                used += 250
                now += 250
            case .wait(let milliseconds)?:
                #expect(!hasCome)
                now += min(milliseconds, 500)
            case nil: Issue.record("Something waits.")
            }
        }
        #expect(batches >= 50)
        let share = isOnBattery ? 1.0 / 50 : 1.0 / 10
        #expect(used <= 660_000 * share + 260)
        #expect(used >= 500_000 * share)
    }

    @Test("Apps of equal right take turns")
    func turns() {
        let third = ItemOwner(SearchDevice.otherNotes)
        let waiting = [Self.flood, Self.other, third]
        var turns = IndexingTurns(now: 0)
        let order = (0..<6).map { _ in turns.next(of: waiting, now: 0, isOnBattery: false) }
        #expect(Set(order[..<3]) == Set(waiting.map { .app($0) }))
        #expect(Array(order[3...]) == Array(order[..<3]))
        #expect(turns.next(of: [], now: 0, isOnBattery: false) == nil)
    }

    @Test("What many apps take in advance has a bound")
    func advances() {
        var turns = IndexingTurns(now: 0)
        var used = 0.0
        for number in 0..<1000 {
            let owner = ItemOwner(
                AppIdentity(bundleID: BundleID(unchecked: "com.example.app\(number)"), team: .development))
            while turns.next(of: [owner], now: 0, isOnBattery: false) == .app(owner) {
                turns.spend(100, of: owner, now: 0, isOnBattery: false)
                used += 100
            }
        }
        #expect((6000...12_200).contains(used))
    }

    @Test("What an app gives is found while another's changes wait for the budget")
    func service() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        service.spend(9000, of: Self.flood)
        try await service.update(.with { $0.steps = [.item("1", "Alpha")] }, of: SearchDevice.notes)
        try await service.update(.with { $0.steps = [.item("1", "Beta")] }, of: SearchDevice.mail)
        var events = device.events.makeAsyncIterator()
        let indexing = Task { try await service.applyJournalWithinBudget() }
        #expect(await events.next() == "throttled")
        #expect(device.state.withLock { $0.throttled.first } == .init(isThrottled: true, apps: [SearchDevice.notes]))
        #expect(try await service.titles("beta") == ["Beta"])
        #expect(try await service.titles("alpha").isEmpty)
        indexing.cancel()
        _ = await indexing.result
        service.close()
    }

    @Test("An app's own query takes in its own changes, and waits for nothing of another's")
    func query() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.update(.with { $0.steps = [.item("1", "Alpha")] }, of: SearchDevice.notes)
        try await service.update(.with { $0.steps = [.item("2", "Beta")] }, of: SearchDevice.mail)
        #expect(try await service.identifiers("title == \"Beta\"", of: SearchDevice.mail) == ["2"])
        #expect(try await service.journal.waitingOwners() == [Self.flood])
        service.close()
    }

    @Test(
        "After a kill between the index and the journal, one app's batch is not applied again, and another's is not lost"
    )
    func crash() async throws {
        let device = try SearchDevice()
        var service = try device.service()
        for (app, title) in [(SearchDevice.notes, "Alpha"), (SearchDevice.mail, "Beta"), (SearchDevice.notes, "Gamma")]
        {
            try await service.update(.with { $0.steps = [.item(title, title)] }, of: app)
        }
        service.close()
        let copy = try Data(contentsOf: URL(fileURLWithPath: device.files.journal))
        service = try device.service()
        try await service.applyJournal(of: Self.other)
        try await service.file.write { db in
            var writer = IndexWriter(db)
            try writer.delete(.item, Self.other, "Beta")
        }
        service.close()
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: device.files.journal + suffix) }
        try copy.write(to: URL(fileURLWithPath: device.files.journal))
        service = try device.service()
        try await service.applyJournal()
        #expect(try await service.titles("alpha") == ["Alpha"])
        #expect(try await service.titles("gamma") == ["Gamma"])
        #expect(try await service.titles("beta").isEmpty)
        #expect(try await service.journal.waiting() == 0)
        service.close()
    }
}
