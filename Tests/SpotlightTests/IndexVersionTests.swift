import BatonCore
import BatonWire
import Foundation
import GRDB
import SwiftProtobuf
import Synchronization
import Testing

@testable import Spotlight

@Suite("An index of another version")
struct IndexVersionTests {
    /// Everything that can be asked for.
    private struct Content: Hashable {
        var items: [StoredItem]
        var usage: [String]
        var found: [[String]]
        var documents: [String]
        var words: [String]
        var suggestions: [String]

        init(_ service: SpotlightService) async throws {
            items = try await service.file.read { try StoredItem.fetchAll($0, "1 ORDER BY id", []) }
            usage = try await service.summary().usage.map { "\($0)" }
            found = []
            for query in ["meeting", "zanzibar", "quokka numbat", "dim sum", "meetign"] {
                found.append(try await service.search(query).hits.map { "\($0.id) \($0.item.owner) \($0.item.key)" })
            }
            for query in ["textContent == \"*quokka*\"", "title == \"*\""] {
                found.append(try await service.identifiers(query))
            }
            documents = try await service.knownDocuments { "\($0) \($1) \($2)" }
            words = try await service.file.read { db in
                try Row.fetchAll(db, sql: "SELECT term, documents FROM word ORDER BY term").map { "\($0)" }
            }
            suggestions = try await service.suggestions(
                .with {
                    $0.text = "meet"
                    $0.maximumSuggestions = 5
                }, of: SearchDevice.notes
            ).map(\.text)
        }
    }

    /// Items of three apps with the same keys and domains, and one item of each other source.
    private static func fill(_ service: SpotlightService, _ device: SearchDevice) async throws {
        for app in [SearchDevice.notes, SearchDevice.otherNotes, SearchDevice.mail] {
            try await service.index(
                [
                    .item("1", "Meeting of \(app.team)", "quokka and numbat", domain: "box.in"),
                    .item("2", "Meeting two", domain: "box.in.new", ["custom:room": .string("Zanzibar")]),
                    .item("3", "Meeting three", domain: "boxes"), .item("4", "Meeting four", "réunion à Zanzibar"),
                ], of: app)
        }
        let url = try #require(URL(string: "https://www.example.com/dim"))
        try await service.index(
            page: VisitedPage(url: url, title: "The best dim sum", browser: "Chromium", visited: 1_800_000_000_000))
        try await service.documentsChanged(
            [
                FoundDocument(
                    app: SearchDevice.notes, key: "d1", path: "/tmp/Menu.md", name: "Menu.md", text: "# Dim sum",
                    modified: 1_800_000_000_000, version: "version 7")
            ], gone: [])
        device.state.withLock { state in
            state.activities["A"] = SearchableActivity(
                id: "A", app: SearchDevice.notes, attributes: ["title": .string("Reading about Zanzibar")],
                domain: "box.in", relatedItem: nil, saved: 1_800_000_000_000, expires: 1_900_000_000_000, size: 100)
        }
        try await service.followActivities()
        try await service.engaged(.with { $0.item = "2" }, of: SearchDevice.notes)
        try await service.engaged(.with { $0.suggestion = "meetings" }, of: SearchDevice.notes)
        // The greatest identifier is one that is gone.
        try await service.index([.item("last", "Meeting last")])
        try await service.index([.delete("last")])
    }

    @Test(
        "An index of an earlier version is brought to this one: the same is found, and nothing is asked for again",
        arguments: [3, 4])
    func migration(version: Int) async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await Self.fill(service, device)
        let content = try await Content(service)
        #expect(content.items.count == 15 && content.documents.count == 1 && content.suggestions.first == "meetings")
        let greatest = try #require(content.items.last?.id)
        service.close()
        try OlderIndex.write(device.files.index, version: version)

        let later = try device.service()
        #expect(!FileManager.default.fileExists(atPath: device.files.index + ".damaged"))
        #expect(try await later.summary().reindexing.isEmpty)
        #expect(try await Content(later) == content)
        try await later.index([.item("5", "Meeting five", domain: "box.in")])
        let new = try await later.file.read { db in
            try IndexWriter(db).find(.item, ItemOwner(SearchDevice.notes), "5")?.id
        }
        #expect(try #require(new) > greatest + 1)
        try await later.index([.delete(domain: "box.in")])
        let left = try await Content(later)
        let owners = Dictionary(grouping: left.items, by: \.item.owner)
        #expect(owners[ItemOwner(SearchDevice.notes)]?.map(\.item.key) == ["3", "4", "d1"])
        #expect(owners[ItemOwner(SearchDevice.otherNotes)]?.count == 4)
        try await later.file.write { db in
            for table in ["text_index", "name_index"] {
                try db.execute(sql: "INSERT INTO \(table) (\(table)) VALUES ('integrity-check')")
            }
            #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
        }
        #expect(try await later.forget(.everything) == left.items.count)
        let rows = try await later.file.read { db in
            try ["item", "item_attributes", "owner", "domain", "usage", "text_words", "word"].map {
                try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)")
            }
        }
        #expect(rows == [0, 0, 0, 0, 0, 0, 0])
        later.close()
    }

    @Test("An index of a version that this one does not know is set aside whole", arguments: [2, 6])
    func unknownVersion(version: Int) async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index([.item("1", "Quokka")], name: "n", state: "s")
        service.close()
        try OlderIndex.setVersion(version, device.files.index)
        let later = try device.service()
        #expect(try await later.titles("quokka").isEmpty)
        #expect(try await later.summary().reindexing == [ItemOwner(SearchDevice.notes)])
        later.close()
        let aside = try DatabaseQueue(path: device.files.index + ".damaged")
        #expect(try await aside.read { try String.fetchAll($0, sql: "SELECT key FROM item") } == ["1"])
    }

    @Test("A damaged index of the version before is set aside, and made anew", arguments: [100, 5000, 20_000])
    func damaged(offset: Int) async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index((0..<200).map { .item("\($0)", "Item \($0)", "text of number \($0)") })
        service.close()
        let path = device.files.index
        try OlderIndex.write(path, version: 3)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for index in stride(from: offset, to: bytes.count, by: 7) { bytes[index] ^= 0x5A }
        try bytes.write(to: URL(fileURLWithPath: path))
        let later = try device.service()
        #expect(FileManager.default.fileExists(atPath: path + ".damaged"))
        #expect(try await later.titles("item").isEmpty)
        try await later.index([.item("1", "Item again")])
        #expect(try await later.titles("item") == ["Item again"])
        later.close()
    }

    @Test("A full disk says nothing of the index, and does not set it aside")
    func passingErrors() {
        for code in [ResultCode.SQLITE_FULL, .SQLITE_BUSY, .SQLITE_NOMEM, .SQLITE_IOERR_SHMSIZE] {
            #expect(IndexFile.isPassing(DatabaseError(resultCode: code)))
        }
        for code in [ResultCode.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_IOERR_READ, .SQLITE_ERROR] {
            #expect(!IndexFile.isPassing(DatabaseError(resultCode: code)))
        }
    }
}
