import FileSync
import Testing

@testable import Documents

/// The notifications of presenters about versions and about items' states in iCloud.
@Suite struct PresentedStateTests {
    private let id = EntryID(high: 1, low: 2)

    private func state(_ entry: Entry?, isUnsent: Bool = false) throws -> FileSyncState {
        var kept = FileSyncState.Kept()
        kept.entries = entry.map { [$0] } ?? []
        kept.isComplete = true
        kept.unsent = isUnsent ? [id] : []
        var state = FileSyncState(
            actor: ActorID(rawValue: 9), policy: .versions, traits: FileSystemTraits(), rootHandle: LocalHandle([1]),
            stagingHandle: LocalHandle([2]), device: "Desk", keepsHistory: true)
        state.restore(kept)
        return state
    }

    @Test("a version that comes into conflict is gained, one that is settled is resolved, one that goes is lost")
    func versions() throws {
        var presented = PresentedState()
        var entry = try EntryCodecTests.entry()
        presented.begin(try state(entry))
        #expect(presented.update([id], try state(entry)).isEmpty)

        // Another device saved without having seen what is here.
        var unseen = Sighting()
        entry.edit(EntryCodecTests.version("elsewhere"), over: &unseen, by: ActorID(rawValue: 8), keepsHistory: true)
        let conflict = try #require(entry.conflicts.first?.dot)
        var news = presented.update([id], try state(entry))
        #expect(news == [id: .init(versions: [conflict: .gained], attributes: [.hasConflicts])])
        #expect(presented.update([id], try state(entry)).isEmpty)

        var settled = entry
        settled.resolve(conflict, by: ActorID(rawValue: 9))
        var other = presented
        news = other.update([id], try state(settled))
        #expect(news == [id: .init(versions: [conflict: .resolved], attributes: [.hasConflicts])])

        // The entry is gone altogether.
        news = presented.update([id], try state(nil))
        #expect(news == [id: .init(versions: [conflict: .lost], attributes: [.hasConflicts])])
    }

    @Test("that an item was sent, or waits for that, is told once")
    func sent() throws {
        var presented = PresentedState()
        let entry = try EntryCodecTests.entry()
        presented.begin(try state(entry, isUnsent: true))
        #expect(presented.update([id], try state(entry, isUnsent: true)).isEmpty)
        let news = presented.update([id], try state(entry))
        #expect(news == [id: .init(attributes: [.isUploaded])])
        #expect(presented.update([id], try state(entry)).isEmpty)
    }
}
