import BatonCore
import BatonStore
import BatonWire
import Foundation
import GRDB
import SwiftProtobuf
import Synchronization
import Testing

@testable import Spotlight

@Suite("Items of the class complete", .timeLimit(.minutes(1)))
struct ProtectedItemsTests {
    private func add(
        _ steps: [Baton_App_V1_SearchableIndexStep], to service: SpotlightService,
        of app: AppIdentity = SearchDevice.notes
    ) async throws {
        try await service.update(
            .with {
                $0.index.protection = .complete
                $0.steps = steps
            }, of: app)
        try await service.applyJournal()
    }

    private func lock(_ device: SearchDevice, _ service: SpotlightService, _ isLocked: Bool) async throws {
        device.state.withLock { $0.isUnlocked = !isLocked }
        service.protectionChanged(isAvailable: !isLocked)
        try await service.applyJournal()
    }

    // Issue 28, part 2: such items are sealed, and their index is in memory only.
    @Test("They are found while the device is unlocked, and no byte of them is ever in a file")
    func sealed() async throws {
        let device = try SearchDevice()
        var service = try device.service()
        try await add([.item("hidden-key", "Diary of Zanzibar", "quixotic journeys")], to: service)
        #expect(try await service.titles("zanzibar quixotic") == ["Diary of Zanzibar"])
        #expect(try await service.titles("zanz", isTyping: true) == ["Diary of Zanzibar"])
        #expect(try await service.identifiers("title == \"*Zanzibar*\"") == ["hidden-key"])
        for word in ["Zanzibar", "zanzibar", "quixot"] {
            #expect(try device.bytes().range(of: Data(word.utf8)) == nil, "\(word)")
        }
        service.close()
        // After a restart they are read again.
        service = try device.service()
        try await service.applyJournal()
        #expect(try await service.titles("zanzibar") == ["Diary of Zanzibar"])
        #expect(try await service.summary().usage.map(\.items) == [1])
        try await lock(device, service, true)
        #expect(try await service.titles("zanzibar").isEmpty)
        #expect(service.protected.memory == nil)
        try await lock(device, service, false)
        #expect(try await service.titles("zanzibar") == ["Diary of Zanzibar"])
        service.close()
    }

    @Test("What an app indexes and deletes while the device is locked waits sealed, and counts once it is unlocked")
    func locked() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await add([.item("1", "Alpha"), .item("2", "Beta", domain: "a.b")], to: service)
        try await lock(device, service, true)
        try await add([.item("3", "Gamma secret")], to: service)
        try await service.index([.delete("1"), .delete(domain: "a")])
        #expect(try device.bytes().range(of: Data("Gamma".utf8)) == nil)
        #expect(try await service.titles("gamma").isEmpty)
        try await lock(device, service, false)
        #expect(try await service.titles("gamma") == ["Gamma secret"])
        #expect(try await service.titles("alpha").isEmpty)
        #expect(try await service.titles("beta").isEmpty)
        service.close()
    }

    @Test("An item has one class: indexed in another, it is in one place; an app that is gone has none in either")
    func oneClass() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index([.item("1", "Open letter")])
        try await add([.item("1", "Closed letter")], to: service)
        #expect(try await service.titles("letter") == ["Closed letter"])
        try await service.index([.item("1", "Open letter")])
        #expect(try await service.titles("letter") == ["Open letter"])
        #expect(try await service.journal.sealedItems().isEmpty)
        try await add([.item("2", "Mine")], to: service)
        try await add([.item("2", "For others")], to: service, of: SearchDevice.mail)
        try await lock(device, service, true)
        // Also while they cannot be read.
        try await service.appRemoved(SearchDevice.notes)
        try await lock(device, service, false)
        #expect(try await service.titles("mine").isEmpty)
        #expect(try await service.titles("others") == ["For others"])
        #expect(try await service.forget(.everything) > 0)
        #expect(try await service.journal.sealedItems().isEmpty)
        service.close()
    }

    @Test("There is a bound, damaged items go and their app is asked again, and items of an earlier version are sealed")
    func edges() async throws {
        let device = try SearchDevice()
        var limits = SpotlightLimits()
        limits.maximumProtectedItems = 2
        let service = try device.service(limits: limits)
        try await add([.item("1", "One"), .item("2", "Two")], to: service)
        await #expect { try await add([.item("3", "Three")], to: service) } throws: {
            ($0 as? BatonError)?.reason == "quota_exceeded"
        }
        try await add([.item("2", "Second")], to: service)
        #expect(try await service.titles("second") == ["Second"])
        try await service.journal.database.write { db in
            try db.execute(sql: "UPDATE sealed_item SET sealed = x'00' WHERE number = 1")
        }
        try await lock(device, service, true)
        try await lock(device, service, false)
        #expect(try await service.titles("one").isEmpty)
        #expect(try await service.titles("second") == ["Second"])
        #expect(try await service.journal.reindexing() == [ItemOwner(SearchDevice.notes)])
        var old = IndexedItem(
            source: .item, owner: ItemOwner(SearchDevice.notes), key: "old", attributes: ["title": .string("Older")],
            indexed: device.state.withLock { $0.now }, expires: .max >> 1)
        old.protection = .complete
        let item = old
        try await service.file.write { db in
            var writer = IndexWriter(db)
            try writer.put(item, language: service.language)
        }
        try await service.applyJournal()
        #expect(try await service.titles("older") == ["Older"])
        #expect(try await service.file.read { try StoredItem.fetchAll($0, "protection = 2", []) }.isEmpty)
        service.close()
    }
}
