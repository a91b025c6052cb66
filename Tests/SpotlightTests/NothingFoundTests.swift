import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization
import Testing

@testable import Spotlight

@Suite("Why nothing is found")
struct NothingFoundTests {
    private static let places: [Baton_App_V1_SearchableIndexStep] = [
        .item("1", "Yank Sing", "Dim sum restaurant in San Francisco"),
        .item("2", "Tadich Grill", "Seafood of old San Francisco"),
    ]

    /// The reason of a search that finds nothing.
    private func why(
        _ text: String, _ service: SpotlightService, in app: AppIdentity? = nil
    ) async throws -> NothingFound? {
        let search = try await service.search(text, bundleID: app?.bundleID)
        #expect(search.hits.isEmpty)
        return try await service.whyNothing(text, bundleID: app?.bundleID, search)
    }

    @Test("Nothing is indexed: not at all, not of the app, not yet, or an app is to fill a new index")
    func empty() async throws {
        let device = try SearchDevice()
        var service = try device.service()
        #expect(try await why("seafood", service)?.reason == "nothing_indexed")
        try await service.update(
            .with {
                $0.index.name = "places"
                $0.steps = Self.places
                $0.newClientState = Data("1".utf8)
            }, of: SearchDevice.notes)
        var found = try await why("seafood", service)
        #expect(found?.reason == "not_indexed_yet" && found?.message.contains("1 change waits") == true)
        try await service.applyJournal()
        #expect(try await service.titles("seafood") == ["Tadich Grill"])
        found = try await why("seafood", service, in: SearchDevice.mail)
        #expect(found?.reason == "nothing_indexed" && found?.message.hasPrefix("com.example.mail has") == true)
        service.close()
        try FileManager.default.removeItem(atPath: device.files.index)
        service = try device.service()
        found = try await why("seafood", service)
        #expect(found?.reason == "not_indexed_yet" && found?.message.contains("Start com.example.notes") == true)
        service.close()
    }

    @Test("An app for which iCloud is off is said to be so where it is searched alone")
    func switchedOff() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index(Self.places)
        _ = device.state.withLock { $0.off.insert(SearchDevice.mail) }
        let found = try await why("seafood", service, in: SearchDevice.mail)
        #expect(found?.reason == "switched_off" && found?.message.contains("off for com.example.mail") == true)
        #expect(try await why("zzzz", service)?.reason == "unknown_word")
        service.close()
    }

    @Test("Another app has it, its app is gone, or quotes or a minus leave it out")
    func leftOut() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index(Self.places)
        try await service.index([.item("3", "Greetings")], of: SearchDevice.mail)
        #expect(try await why("seafood", service, in: SearchDevice.mail)?.reason == "not_in_app")
        var found = try await why("francisco -san", service)
        #expect(found?.reason == "left_out" && found?.message.contains("a minus. Search without that.") == true)
        found = try await why("“sum dim”", service)
        #expect(found?.reason == "left_out" && found?.message.contains("Search without quotes.") == true)
        #expect(try await why("?!", service)?.reason == "no_word")
        _ = device.state.withLock { $0.gone.insert(SearchDevice.notes) }
        found = try await why("seafood", service)
        #expect(found?.reason == "app_gone" && found?.message.hasPrefix("com.example.notes has it") == true)
        service.close()
    }

    @Test("A word is in no item: those that are nearest are offered, and none for a short word")
    func unknownWord() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index(Self.places)
        // Three letters are others: more than in a mistyped word of this length.
        var found = try await why("fransizko", service)
        #expect(found?.reason == "unknown_word" && found?.words == ["francisco"])
        #expect(found?.message == "Nothing has the word “fransizko”. Did you mean “francisco”?")
        found = try await why("zzzz", service)
        #expect(found?.reason == "unknown_word" && found?.words == [])
        #expect(found?.message == "Nothing has the word “zzzz”. Search for another word.")
        service.close()
    }

    @Test("Something waits to be indexed, or is sealed while the device is locked: that comes before unknown words")
    func waiting() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index(Self.places)
        try await service.update(.with { $0.steps = [.item("4", "Zanzibar")] }, of: SearchDevice.notes)
        #expect(try await why("zanzibar", service)?.reason == "not_indexed_yet")
        try await service.applyJournal()
        device.state.withLock { $0.isUnlocked = false }
        service.protectionChanged(isAvailable: false)
        #expect(try await why("quixotic", service)?.reason == "unknown_word")
        try await service.update(
            .with {
                $0.index.protection = .complete
                $0.steps = [.item("5", "Quixotic journeys")]
            }, of: SearchDevice.notes)
        try await service.applyJournal()
        #expect(try await why("quixotic", service)?.reason == "locked")
        service.close()
    }
}
