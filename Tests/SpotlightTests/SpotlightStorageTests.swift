import BatonCore
import BatonStore
import BatonWire
import Foundation
import GRDB
import SearchText
import SwiftProtobuf
import Synchronization
import Testing

@testable import Spotlight

@Suite("The files of search")
struct SpotlightStorageTests {
    @Test("A client state is kept with the steps, compared before them, and gone with everything")
    func clientState() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        func state() async throws -> String? {
            try await service.clientState(.with { $0.name = "mail" }, of: SearchDevice.notes)
                .map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(try await state() == nil)
        try await service.index([.item("1", "One")], name: "mail", state: "s1", expected: "")
        #expect(try await state() == "s1")
        await #expect {
            try await service.index([.item("2", "Two")], name: "mail", state: "s2", expected: "s0")
        } throws: { ($0 as? BatonError)?.reason == "mismatched_client_state" }
        #expect(try await service.titles("two").isEmpty)
        for steps in [String(repeating: "x", count: 251)] {
            await #expect {
                try await service.index([], name: "mail", state: steps)
            } throws: { ($0 as? BatonError)?.reason == "invalid_client_state" }
        }
        await #expect { try await service.index([], state: "s") } throws: {
            ($0 as? BatonError)?.reason == "invalid_client_state"
        }
        try await service.index([.deleteEverything])
        #expect(try await state() == nil)
        #expect(try await service.titles("one").isEmpty)
        service.close()
    }

    @Test("What is journaled and not indexed when the daemon is killed is indexed at the next start, once")
    func crash() async throws {
        let device = try SearchDevice()
        do {
            let service = try device.service()
            try await service.update(
                .with { $0.steps = [.item("1", "Alpha"), .item("2", "Beta")] }, of: SearchDevice.notes)
            #expect(try await service.titles("alpha").isEmpty)
            service.close()
        }
        // As after a kill between the index's transaction and the end of the journal's entry.
        let copy = try Data(contentsOf: URL(fileURLWithPath: device.files.journal))
        do {
            let service = try device.service()
            try await service.applyJournal()
            #expect(try await service.titles("alpha") == ["Alpha"])
            // An entry that is applied again would bring it back.
            try await service.file.write { db in
                var writer = IndexWriter(db)
                try writer.delete(.item, ItemOwner(SearchDevice.notes), "2")
            }
            service.close()
        }
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: device.files.journal + suffix) }
        try copy.write(to: URL(fileURLWithPath: device.files.journal))
        let service = try device.service()
        try await service.applyJournal()
        #expect(try await service.titles("alpha") == ["Alpha"])
        #expect(try await service.titles("beta").isEmpty)
        service.close()
    }

    @Test(
        "A damaged index is set aside and made anew, and apps with a client state are asked until they acknowledge it",
        arguments: [0, 100, 5000])
    func damage(offset: Int) async throws {
        let device = try SearchDevice()
        do {
            let service = try device.service()
            try await service.index(
                (0..<200).map { .item("\($0)", "Item \($0)", "text of number \($0)") }, name: "n", state: "s")
            service.close()
        }
        let path = device.files.index
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        if offset == 0 {
            bytes = bytes.prefix(3000)
        } else {
            for index in stride(from: offset, to: bytes.count, by: 7) { bytes[index] ^= 0x5A }
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        let service = try device.service()
        #expect(try await service.titles("item").isEmpty)
        #expect(FileManager.default.fileExists(atPath: path + ".damaged"))
        device.state.withLock { $0.acknowledges = false }
        await service.appAttached(SearchDevice.notes)
        device.state.withLock { $0.acknowledges = true }
        await service.appAttached(SearchDevice.notes)
        await service.appAttached(SearchDevice.notes)
        #expect(device.state.withLock { $0.reindexed } == [SearchDevice.notes, SearchDevice.notes])
        try await service.index([.item("1", "Item again")])
        #expect(try await service.titles("item") == ["Item again"])
        service.close()
    }

    @Test(
        "What was forgotten is in no file",
        arguments: [SpotlightService.Forgotten.app(SearchDevice.notes.bundleID), .everything, .last(1000)])
    func forgetting(what: SpotlightService.Forgotten) async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index([.item("1", "Zyzzyva meeting", "quokkas and numbats", domain: "okapi.box")])
        try await service.engaged(.with { $0.suggestion = "Xerus" }, of: SearchDevice.notes)
        try await service.update(.with { $0.steps = [.item("2", "Wombat")] }, of: SearchDevice.notes)
        // They are there before, in one of the files.
        let names = ["okapi.box", "Xerus", SearchDevice.notes.bundleID.rawValue]
        for word in ["zyzzyva", "quokka", "Wombat"] + names {
            #expect(try device.bytes().range(of: Data(word.utf8)) != nil)
        }
        #expect(try await service.forget(what) == 1)
        try await service.applyJournal()
        for word in ["zyzzyva", "Zyzzyva", "quokka", "numbat", "Wombat", "wombat"] + names {
            #expect(try device.bytes().range(of: Data(word.utf8)) == nil, "\(word)")
        }
        #expect(try await service.search("zyzyva").corrections.isEmpty)
        service.close()
    }

    @Test("The two indexes agree with the items after many changes")
    func consistency() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20 {
            let steps: [Baton_App_V1_SearchableIndexStep] = (0..<30).map { _ in
                let id = "\(Int.random(in: 0..<40, using: &random))"
                return switch Int.random(in: 0..<6, using: &random) {
                case 0: .delete(id)
                case 1: .delete(domain: "d\(Int.random(in: 0..<4, using: &random))")
                case 2: .item(id, "", isUpdate: true, ["comment": .string("comment word\(id) MyWindow 東京")])
                default:
                    .item(
                        id, "Title word\(id) l'été", "text \(Int.random(in: 0..<9, using: &random))",
                        domain: "d\(Int.random(in: 0..<4, using: &random)).x",
                        [
                            "languages": .array([
                                .string(["en", "fr", "de", "ja"].randomElement(using: &random) ?? "en")
                            ])
                        ])
                }
            }
            try await service.index(steps)
        }
        try await service.file.write { db in
            for table in ["text_index", "name_index"] {
                try db.execute(sql: "INSERT INTO \(table) (\(table)) VALUES ('integrity-check')")
            }
            var tokenizer = WordTokenizer()
            var counts: [String: Int] = [:]
            for stored in try StoredItem.fetchAll(db, "1", []) {
                let fields = SearchedFields(stored.item)
                let words = tokenizer.words(of: fields.names) + tokenizer.words(of: fields.content)
                for word in Set(words.map(\.text)) { counts[word, default: 0] += 1 }
            }
            let rows = try Row.fetchAll(db, sql: "SELECT term, documents FROM word")
            #expect(Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as String, $0[1] as Int) }) == counts)
            let items = try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? -1
            #expect(try Int.fetchOne(db, sql: "SELECT sum(items) FROM usage") == items)
            #expect(try Int.fetchOne(db, sql: "SELECT sum(items) FROM language") == items)
        }
        try await service.index([.deleteEverything])
        let words = try await service.file.read { db in
            try ["text_words", "word"].map { try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") }
        }
        #expect(words == [0, 0])
        service.close()
    }

    @Test("Bad input is refused whole, with its reason")
    func refusals() async throws {
        let device = try SearchDevice()
        var limits = SpotlightLimits()
        limits.maximumItems = 3
        let service = try device.service(limits: limits)
        func reason(_ steps: [Baton_App_V1_SearchableIndexStep]) async -> String {
            do {
                try await service.index(steps)
                return ""
            } catch {
                return (error as? BatonError)?.reason ?? "\(error)"
            }
        }
        #expect(await reason([.item("1", "fine"), .item("", "none")]) == "invalid_item")
        #expect(await reason([.item(String(repeating: "x", count: 1025), "long")]) == "invalid_item")
        #expect(await reason([.item("1", "big", String(repeating: "x", count: 300_000))]) == "invalid_item")
        #expect(await reason([.init()]) == "invalid_step")
        #expect(await reason(Array(repeating: .delete("1"), count: 2001)) == "too_many_items")
        #expect(try await service.titles("fine").isEmpty)
        #expect(await reason((1...3).map { .item("\($0)", "fine") }) == "")
        #expect(service.appsWithoutRoom.isEmpty)
        #expect(await reason([.item("4", "more")]) == "quota_exceeded")
        #expect(service.appsWithoutRoom == [SearchDevice.notes.bundleID.rawValue])
        // What replaces others is taken.
        #expect(await reason([.item("3", "replaced")]) == "")
        #expect(service.appsWithoutRoom.isEmpty)
        #expect(try await service.summary().usage.first?.error == "quota_exceeded")
        service.close()
    }

    @Test(
        "What an app gives before the rest of it is indexed has the same bounds, and so has an item that grows by updates"
    )
    func growing() async throws {
        let device = try SearchDevice()
        var limits = SpotlightLimits()
        limits.maximumItems = 3
        let service = try device.service(limits: limits)
        func update(_ steps: [Baton_App_V1_SearchableIndexStep]) async throws {
            try await service.update(.with { $0.steps = steps }, of: SearchDevice.notes)
        }
        for group in 0..<3 { try await update((0..<2).map { .item("\(group) \($0)", "walrus \(group)") }) }
        #expect(service.appsWithoutRoom.isEmpty)
        try await service.applyJournal()
        #expect(try await service.titles("walrus").sorted() == ["walrus 0", "walrus 0", "walrus 1"])
        #expect(service.appsWithoutRoom == [SearchDevice.notes.bundleID.rawValue])
        #expect(try await service.summary().usage.first?.error == "quota_exceeded")
        // What replaces others is taken.
        try await service.index([.item("0 0", "puffin")])
        #expect(try await service.titles("puffin") == ["puffin"])
        for number in 0..<4 {
            let text = PropertyValue.string(String(repeating: "x", count: 100_000))
            try await service.index([.item("0 0", "puffin \(number)", isUpdate: true, ["custom:\(number)": text])])
        }
        #expect(try await service.titles("puffin") == ["puffin 1"])
        let usage = try #require(try await service.summary().usage.first)
        #expect(usage.items == 3 && usage.bytes > 200_000 && usage.bytes < 300_000)
        service.close()
    }

    @Test("Bytes of changes that wait have a bound, and more are taken once those are indexed")
    func waitingBytes() async throws {
        let device = try SearchDevice()
        var limits = SpotlightLimits()
        limits.maximumWaitingBytes = 1
        let service = try device.service(limits: limits)
        func update() async throws {
            try await service.update(.with { $0.steps = [.item("1", "fine")] }, of: SearchDevice.notes)
        }
        try await update()
        await #expect { try await update() } throws: { ($0 as? BatonError)?.reason == "too_many_changes" }
        try await service.applyJournal()
        try await update()
        service.close()
    }

    @Test(
        "A title is shown up to a bound, however few characters it has, and a text that an item has twice is searched once"
    )
    func longTitles() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index([.item("1", "Ibex " + String(repeating: "\u{301}", count: 5000))])
        let title = try #require(try await service.search("ibex").hits.first?.shownTitle)
        #expect(title.hasPrefix("Ibex") && title.utf8.count <= DeviceResult.maximumTitle)
        let item = IndexedItem(
            source: .item, owner: ItemOwner(nil), key: "1",
            attributes: [
                "title": .string("one"), "keywords": .array(["two", "one", "two"].map(PropertyValue.string)),
            ],
            indexed: 0, expires: 0)
        #expect(SearchedFields(item).names == "one\ntwo")
        service.close()
    }

    @Test("A full disk loses nothing: what is journaled is indexed once there is room, and an app hears of what is not")
    func fullDisk() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        let text = String(repeating: "quokka numbat ", count: 4000)
        func setRoom(_ pages: Int) async throws {
            try await service.file.pool.writeWithoutTransaction { db in
                let used = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
                try db.execute(sql: "PRAGMA max_page_count = \(used + pages)")
            }
        }
        try await setRoom(0)
        try await service.update(.with { $0.steps = [.item("1", "Alpha", text)] }, of: SearchDevice.notes)
        await #expect(throws: DatabaseError.self) { try await service.applyJournal() }
        #expect(try await service.summary().waiting == 1)
        #expect(try await service.titles("alpha").isEmpty)
        try await setRoom(10_000)
        try await service.applyJournal()
        #expect(try await service.titles("alpha") == ["Alpha"])
        #expect(try await service.summary().waiting == 0)

        // The journal's own file.
        try await service.journal.database.write { db in
            let used = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(used)")
        }
        await #expect {
            try await service.update(
                .with { $0.steps = [.item("2", "Beta", text), .item("3", "Gamma", text)] }, of: SearchDevice.notes)
        } throws: { ($0 as? BatonError)?.reason == "index_unavailable" }
        service.close()
    }

    @Test(
        "Queries that are no words, or too many, find nothing or what they can",
        arguments: ["\"", "*", "NEAR(a b)", "a AND", "-x", "title:x", "\u{0}", "((((", "’", "--", "😀", "%", "^a"])
    func hostileQueries(query: String) async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index([.item("1", "Plain title x")])
        _ = try await service.search(query, isTyping: true)
        _ = try await service.identifiers(query, user: true)
        _ = try await service.search(String(repeating: query + " word ", count: 3000))
        service.close()
    }

    @Test("Deleting what has expired, and a domain, goes through no other items")
    func plans() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        let plans = try await service.file.write { db in
            var statements: [String] = []
            db.trace { event in statements.append("\(event)") }
            var writer = IndexWriter(db)
            try writer.delete("expires <= ?", [0])
            _ = try writer.deleteDomain("box", ItemOwner(SearchDevice.notes))
            db.trace(nil)
            return try statements.map { sql in
                try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql.replacing("?", with: "1")).map { row in
                    row["detail"] as String
                }.joined(separator: "; ")
            }
        }
        #expect(plans.count == 2)
        #expect(plans.first?.contains("item USING INDEX item_by_expiry") == true)
        #expect(plans.last?.contains("item USING INDEX item_by_domain (domain=? AND owner=?)") == true)
        service.close()
    }

    @Test("Attributes are read as they were written, whatever their names, and as earlier versions wrote them")
    func attributeNames() throws {
        let names = [
            "title", "textContent", "rankingHint", "custom:x", "", "\u{1}", "\u{1F}", "\u{1F}\u{1}", "\u{2}x", "é",
        ]
        let attributes = Dictionary(uniqueKeysWithValues: names.map { ($0, PropertyValue.string("value of \($0)")) })
        let short = AttributeCoding.encode(attributes)
        #expect(AttributeCoding.decode(short) == attributes)
        let plain = attributes.filter { !$0.key.unicodeScalars.contains { $0.value < 0x20 } }
        let older = try Baton_Value_V1_PropertyDictionary(attributes: plain).serializedBytes() as [UInt8]
        #expect(AttributeCoding.decode(Data(older)) == plain)
        #expect(AttributeCoding.encode(plain).count < older.count)
    }

    @Test("A daemon that ends before apps are to be asked has made no index, so the next one has them asked")
    func askedBeforeMade() async throws {
        struct Killed: Error {}
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index([.item("1", "Quokka")], name: "n", state: "s")
        service.close()
        let path = device.files.index
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: BatonError.self) {
            try IndexFile.open(path) {
                #expect(!FileManager.default.fileExists(atPath: path))
                throw Killed()
            }
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        let later = try device.service()
        #expect(try await later.summary().reindexing == [ItemOwner(SearchDevice.notes)])
        later.close()
    }

    @Test("The first row of each query says how large the index is, and no other")
    func totals() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index((0..<5).map { .item("\($0)", "Quokka \($0)", "three more words") })
        let sizes = try await service.file.read { db in
            let statement = try db.cachedStatement(
                sql: "SELECT baton_hits(text_index) FROM text_index WHERE text_index MATCH 'quokka'")
            return try (0..<2).map { _ in
                try Data.fetchAll(statement).compactMap { data in
                    var hits: [TermHit] = []
                    let row = data.withUnsafeBytes { RowHits($0, terms: [0], adding: &hits) }
                    return row.map { [$0.rows] + $0.totals + [hits.count] }
                }
            }
        }
        let expected = [[5, 10, 15, 1]] + Array(repeating: [0, 1], count: 4)
        #expect(sizes == [expected, expected])
        service.close()
    }
}
