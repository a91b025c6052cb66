import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization
import Testing

@testable import Sync

/// A cloud that sends impossible answers, and one that has lost what it had.
@Suite("A cloud that lies or forgets")
struct LyingCloudTests {
    private let directory: TemporaryDirectory
    private let cloud: TestCloud
    private let zone: TestZone

    init() throws {
        directory = try TemporaryDirectory()
        cloud = try TestCloud()
        zone = try TestZone(cloud: cloud, in: directory)
    }

    private func lie(_ lie: @escaping @Sendable (inout SimulatedCloud.Answer) -> Void) {
        cloud.lie.withLock { $0 = lie }
    }

    private func beHonest() { cloud.lie.withLock { $0 = nil } }

    private func expectRefusal(_ reason: String, _ body: () async throws -> Void) async {
        do {
            try await body()
            Issue.record("it was taken")
        } catch {
            #expect((error as? BatonError)?.reason == reason)
        }
    }

    @Test("An item that was damaged on its way is asked for again, and keeps its name from nothing (K-18)")
    func damagedOnItsWay() async throws {
        try await cloud.put("a", [1, 1])
        lie { answer in
            switch answer {
            case .changes(var page):
                for index in page.items.indices { page.items[index].content.sealed = Data([99]) }
                answer = .changes(page)
            case .items(var items):
                for index in items.items.indices { items.items[index].content.sealed = Data([99]) }
                answer = .items(items)
            default: break
            }
        }
        try await zone.pullAll()
        try await zone.pullAll()
        #expect(zone.take().isEmpty)
        beHonest()
        try await zone.pullAll()
        #expect(zone.take().map(\.name) == ["a"])
        #expect(try await zone.records.parked(in: .data, limit: 9).isEmpty)

        // Items that stay damaged are written over.
        lie { answer in
            guard case .changes(var page) = answer else { return }
            for index in page.items.indices { page.items[index].content.sealed = Data([99]) }
            answer = .changes(page)
        }
        try await cloud.put("b", [1, 2])
        try await zone.pullAll()
        beHonest()
        let damaged = try await zone.records.parked(in: .data, limit: 9)
        #expect(damaged == [Data("b".utf8)])
        zone.told.withLock { $0.pending = [OutgoingItem(name: "b", content: Data([3]), replaces: 2)] }
        #expect(try await zone.push() == .written(newest: 3, count: 1))
    }

    @Test("A page with a version beyond the head is refused whole, and does not keep the rest from coming (K-18)")
    func version() async throws {
        try await cloud.put("a", [1, 1])
        lie { answer in
            guard case .changes(var page) = answer, !page.items.isEmpty else { return }
            page.items[page.items.count - 1].version = .max
            answer = .changes(page)
        }
        await expectRefusal("versions_beyond_head") { _ = try await zone.pull() }
        #expect(zone.take().isEmpty)
        beHonest()
        try await cloud.put("b", [1, 2])
        try await zone.pullAll()
        #expect(zone.take().map(\.name) == ["a", "b"])
    }

    @Test(
        "The same holds for what stands in the way of a write, for answers to writes, and for what could not be opened before"
    )
    func otherVersions() async throws {
        try await cloud.put("b", [2, 7])
        try await zone.pullAll()
        zone.codec.keys.withLock { _ = $0.insert(2) }
        lie { answer in
            switch answer {
            case .items(var items):
                for index in items.items.indices { items.items[index].version = .max }
                answer = .items(items)
            case .write(var written):
                for index in written.conflicts.indices { written.conflicts[index].version = .max }
                written.versions = written.versions.map { _ in .max }
                answer = .write(written)
            default: break
            }
        }
        await expectRefusal("versions_beyond_head") { _ = try await zone.pull() }
        let pending = [OutgoingItem(name: "b", content: Data([0]), replaces: 0)]
        zone.told.withLock { $0.pending = [OutgoingItem(name: "a", content: Data([0]), replaces: 0)] }
        await expectRefusal("versions_beyond_head") { _ = try await zone.push() }
        beHonest()
        try await zone.pullAll()
        zone.told.withLock { $0.pending = pending }
        lie { answer in
            guard case .write(var written) = answer else { return }
            for index in written.conflicts.indices { written.conflicts[index].version = .max }
            answer = .write(written)
        }
        _ = zone.take()
        await expectRefusal("versions_beyond_head") { _ = try await zone.push() }
        #expect(zone.take().isEmpty)
        beHonest()
        #expect(try await zone.push() == .conflict)
        #expect(try await zone.push() == .written(newest: 3, count: 1))
    }

    @Test("A cloud whose tokens are over at once, or never, is asked for one every 30 seconds, or once a day")
    func lifetimes() {
        #expect(CloudConnection.pause(until: .zero) == .seconds(30))
        #expect(CloudConnection.pause(until: .seconds(3600)) == .seconds(2880))
        #expect(CloudConnection.pause(until: .milliseconds(Int64.max)) == .seconds(86_400))
    }

    @Test("Pages that tell nothing, or tell the same again, and say that there is more, are refused")
    func endless() async throws {
        for name in ["a", "b", "c", "d"] { try await cloud.put(name, [1]) }
        lie { answer in
            guard case .changes(var page) = answer else { return }
            page.items = []
            page.more = true
            answer = .changes(page)
        }
        await expectRefusal("malformed_answer") { _ = try await zone.pull() }
        beHonest()
        #expect(try await zone.pull() == .page(newest: 3, more: true))
        lie { answer in
            guard case .changes(var page) = answer else { return }
            page.items = page.items.map { item in
                var item = item
                item.version = 3
                return item
            }
            page.more = true
            answer = .changes(page)
        }
        await expectRefusal("malformed_answer") { _ = try await zone.pull() }
        beHonest()
        #expect(try await zone.pull() == .page(newest: 4, more: false))
    }

    @Test("A writer notices that the cloud has lost an item that it took, also in a later process (K-18)")
    func lost() async throws {
        try await cloud.put("a", [1])
        try await zone.pullAll()
        let copy = cloud.copy
        zone.told.withLock { $0.pending = [OutgoingItem(name: "b", content: Data([0]), replaces: 0)] }
        #expect(try await zone.push() == .written(newest: 2, count: 1))
        cloud.putBack(copy)
        #expect(try await zone.pull() == .resync(.replaced))
        // Others write: versions are greater than all that was known, and still it is noticed.
        try await cloud.put("c", [1])
        #expect(try await zone.pull() == .resync(.replaced))
        try await zone.pullAll(.replaced)
        #expect(zone.take().map(\.name).suffix(2) == ["a", "c"])
        // Nothing is lost any more.
        guard case .page(newest: nil, more: false, isDamaged: false) = try await zone.pull() else {
            Issue.record("it is read again for ever")
            return
        }
    }

    @Test("A server that was only restarted has its zones read on")
    func restarted() async throws {
        try await cloud.put("a", [1])
        try await zone.pullAll()
        zone.told.withLock { $0.pending = [OutgoingItem(name: "b", content: Data([0]), replaces: 0)] }
        _ = try await zone.push()
        _ = zone.take()
        for name in ["c", "d"] {
            cloud.putBack(cloud.copy)
            try await cloud.put(name, [1])
            try await zone.pullAll()
        }
        #expect(zone.take().map(\.name) == ["b", "c", "d"])
    }

    @Test("Damage is reported with the page that brings it")
    func damaged() async throws {
        try await cloud.put("a", [0xFF])
        #expect(try await zone.pull() == .page(newest: 1, more: false, isDamaged: true))
        try await cloud.put("b", [1])
        #expect(try await zone.pull() == .page(newest: 2, more: false))
    }

    @Test(
        "A recovery from a cloud that tells the same content keys for ever, or nothing, ends; what is no envelope is not taken",
        .timeLimit(.minutes(1)))
    func endlessRecovery() async throws {
        func item(_ bytes: Int) -> Baton_Cloud_V1_Item { .with { $0.content.sealed = Data(count: bytes) } }
        for items in [[], [item(100)]] {
            await expectRefusal("malformed_answer") {
                _ = try await CloudRecovery.contentKeys { _ in
                    .with {
                        $0.items = items
                        $0.more = true
                    }
                }
            }
        }
        // Always another cursor.
        await expectRefusal("malformed_answer") {
            let page = Array(repeating: item(100), count: 10_000)
            _ = try await CloudRecovery.contentKeys { request in
                .with {
                    $0.items = page
                    $0.more = true
                    $0.cursor = request.cursor + [1]
                }
            }
        }
        let keys = try await CloudRecovery.contentKeys { request in
            .with {
                $0.items = [item(1 << 20), item(request.cursor.count)]
                $0.more = request.cursor.isEmpty
                $0.cursor = Data([1])
            }
        }
        #expect(keys.map(\.count) == [0, 1])
    }
}
