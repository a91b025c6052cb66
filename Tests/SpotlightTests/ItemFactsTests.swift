import BatonWire
import GRDB
import Testing

@testable import Spotlight

@Suite("What is in memory of each item")
struct ItemFactsTests {
    @Test("It is what the index has after any change, and is found from the greatest identifier down")
    func following() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        for round in 0..<6 {
            try await service.index((round..<round + 9).map { .item("\($0)", "Item \(round)", "some words") })
            if round % 2 == 1 { try await service.index([.delete("\(round + 3)"), .delete("\(round + 8)")]) }
            let items = try await service.file.read { [facts = service.file.facts] db in
                let rows = try Row.fetchAll(
                    db, sql: "SELECT id, time, expires, name_words, content_words FROM item ORDER BY id DESC")
                var known = SearchEngine.DescendingFacts(try facts.all(db))
                let found = rows.map { known.fact($0[0]) }
                for (row, fact) in zip(rows, found) {
                    let fact = try #require(fact)
                    #expect(fact.time == row[1] && fact.expires == row[2])
                    #expect(fact.nameWords == row[3] && fact.contentWords == row[4])
                }
                var others = SearchEngine.DescendingFacts(try facts.all(db))
                #expect(others.fact(.max) == nil && others.fact(0) == nil)
                return rows.count
            }
            #expect(try await service.search("item", limit: 50).hits.count == items)
        }
        service.close()
    }
}
