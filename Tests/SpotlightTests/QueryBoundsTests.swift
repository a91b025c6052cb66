import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization
import Testing

@testable import Spotlight

@Suite("Bounds of apps' queries", .timeLimit(.minutes(1)))
struct QueryBoundsTests {
    @Test("A query that takes too long ends, in the index and among a person's words, and the person's search goes on")
    func tooSlow() async throws {
        let device = try SearchDevice()
        var limits = SpotlightLimits()
        limits.queryTime = .zero
        let service = try device.service(limits: limits)
        try await service.index([.item("a", "Zebra crossing", String(repeating: "a", count: 10_000))])
        await #expect { try await service.identifiers("textContent == \"*a*b*\"") } throws: {
            ($0 as? BatonError)?.reason == "query_too_slow"
        }
        let filtered = try service.parse(
            .with {
                $0.userQuery.text = "zebra"
                $0.filterQueries = ["textContent == \"*a*b*\""]
            })
        await #expect { try await service.items(filtered, of: SearchDevice.notes) } throws: {
            ($0 as? BatonError)?.reason == "query_too_slow"
        }
        #expect(try await service.titles("zebra") == ["Zebra crossing"])
        service.close()
    }

    @Test("An app's items in memory have a bound: its newest count, and other apps' items are found all the same")
    func bytes() async throws {
        let device = try SearchDevice()
        var limits = SpotlightLimits()
        limits.maximumResultBytes = 10_000
        let service = try device.service(limits: limits)
        let long = String(repeating: "long ", count: 1000)
        try await service.update(.with { $0.steps = [.item("m", "Walrus of mail")] }, of: SearchDevice.mail)
        for number in 1...5 { try await service.index([.item("\(number)", "Walrus \(number)", long)]) }
        let found = try await service.titles("walrus")
        #expect(Set(found) == ["Walrus 5", "Walrus 4", "Walrus of mail"])
        #expect(try await service.identifiers("title == \"Walrus*\"") == ["5", "4"])
        service.close()
    }

    /// Queries that note when they have the index.
    private final class NotedQueries: Sendable {
        let turns = QueryTurns()
        let running = Mutex((now: 0, most: 0))
        let order = Mutex<[String]>([])

        func run(_ app: AppIdentity, _ name: String) async throws {
            try await turns.withTurn(of: app) {
                try await turns.inIndex {
                    running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                    order.withLock { $0.append(name) }
                    for _ in 0..<10 { await Task.yield() }
                    running.withLock { $0.now -= 1 }
                }
            }
        }
    }

    @Test("Queries of apps have one turn at a time, and an app with many keeps another waiting for one of them")
    func turns() async throws {
        let queries = NotedQueries()
        let (begun, begins) = AsyncStream.makeStream(of: Void.self)
        let (go, goes) = AsyncStream.makeStream(of: Void.self)
        let (notes, mail) = (SearchDevice.notes, SearchDevice.mail)
        let first = Task {
            try await queries.turns.withTurn(of: notes) {
                try await queries.turns.inIndex {
                    begins.yield()
                    for await _ in go { break }
                }
            }
        }
        var begin = begun.makeAsyncIterator()
        _ = await begin.next()
        var others: [Task<Void, any Error>] = []
        for number in 0..<5 { others.append(Task { try await queries.run(notes, "notes \(number)") }) }
        others.append(Task { try await queries.run(mail, "mail") })
        // All of them wait by now, those of one app for its own turn.
        while queries.turns.count(of: notes) < 6 || queries.turns.count(of: mail) < 1 { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        goes.yield()
        try await first.value
        for task in others { try await task.value }
        #expect(queries.running.withLock { $0.most } == 1)
        #expect(queries.order.withLock { $0.firstIndex(of: "mail") ?? 9 } <= 1)
        #expect(queries.order.withLock { $0.count } == 6)
    }

    @Test("Searches at different moments are the same statement, which the index keeps once")
    func statements() {
        let (now, later) = (SearchScope(now: 1), SearchScope(now: 2))
        #expect(now.condition == later.condition)
    }

    @Test("An app's question for suggestions waits for its turn in the index, so that a person's search has a reader")
    func suggestions() async throws {
        let service = try SearchDevice().service()
        try await service.index([.item("1", "Golden Gate")])
        let (begun, begins) = AsyncStream.makeStream(of: Void.self)
        let (go, goes) = AsyncStream.makeStream(of: Void.self)
        let other = Task {
            try await service.queryTurns.inIndex {
                begins.yield()
                for await _ in go { break }
            }
        }
        for await _ in begun { break }
        let asking = Task {
            try await service.suggestions(
                .with {
                    $0.text = "gol"
                    $0.maximumSuggestions = 5
                }, of: SearchDevice.notes)
        }
        while service.queryTurns.count(of: SearchDevice.notes) < 1 { await Task.yield() }
        #expect(try await service.titles("golden") == ["Golden Gate"])
        goes.yield()
        try await other.value
        #expect(try await asking.value.map(\.text) == ["Golden Gate"])
        service.close()
    }
}
