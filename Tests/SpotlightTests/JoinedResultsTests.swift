import BatonCore
import Synchronization
import Testing

@testable import Spotlight

/// Apple's `relatedUniqueIdentifier` and `weakRelatedUniqueIdentifier`: one thing is not shown twice.
@Suite("An item and activities about it")
struct JoinedResultsTests {
    private static func activity(_ id: String, _ title: String, about item: String) -> SearchableActivity {
        SearchableActivity(
            id: id, app: SearchDevice.notes,
            attributes: ["title": .string(title), "weakRelatedUniqueIdentifier": .string(item)], domain: "",
            relatedItem: nil, saved: 1_800_000_000_000, expires: 1_900_000_000_000, size: 100)
    }

    private static func shown(_ service: SpotlightService, _ query: String) async throws -> [String] {
        try await service.search(query).hits.map { "\($0.item.source) \($0.item.title)" }
    }

    @Test("They are one result, the item; each is found by itself where the other has not the words")
    func together() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        device.state.withLock { state in
            state.activities = [
                "A": Self.activity("A", "Yank Sing", about: "1"), "B": Self.activity("B", "Yank Sing", about: "1"),
                "C": Self.activity("C", "Yank Sing menu", about: "2"),
            ]
        }
        try await service.followActivities()
        #expect(try await service.search("yank sing").hits.count == 3)
        try await service.index([.item("1", "Yank Sing", "dumplings"), .item("3", "Other")])
        #expect(try await Self.shown(service, "yank sing") == ["item Yank Sing", "activity Yank Sing menu"])
        #expect(try await service.search("yank sing").findings.joined == 2)
        #expect(try await Self.shown(service, "dumplings").first == "item Yank Sing")
        // Another app's item of that name is another thing.
        try await service.index([.delete("1")])
        try await service.index([.item("1", "Yank Sing")], of: SearchDevice.mail)
        #expect(try await service.search("yank sing").hits.count == 4)
        service.close()
    }

    @Test("An activity with all words stays, and an item that is only about the same goes")
    func better() throws {
        func found(_ id: Int64, _ source: SearchSource, _ key: String, isRelated: Bool) -> FoundItem {
            FoundItem(
                stored: StoredItem(
                    id: id,
                    item: IndexedItem(
                        source: source, owner: ItemOwner(SearchDevice.notes), key: key,
                        attributes: source == .activity ? ["relatedUniqueIdentifier": .string("1")] : [:], indexed: 0,
                        expires: 1, size: 1), language: "en", uses: 0, lastUsed: 0),
                parts: [], score: 1, isRelated: isRelated, isExactTitle: false)
        }
        var findings = SearchFindings()
        findings.found = [
            found(1, .activity, "A", isRelated: false), found(2, .item, "1", isRelated: true),
            found(3, .activity, "B", isRelated: true),
        ]
        #expect(findings.joiningActivities().found.map(\.stored.id) == [1, 3])
        findings.found[0].isRelated = true
        #expect(findings.joiningActivities().found.map(\.stored.id) == [2])
        findings.found.remove(at: 1)
        #expect(findings.joiningActivities().found.map(\.stored.id) == [1, 3])
    }
}
