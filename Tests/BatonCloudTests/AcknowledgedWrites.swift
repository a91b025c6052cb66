import BatonCloud
import BatonTestSupport
import BatonWire
import Foundation
import Synchronization
import Testing

/// The answers that writers got, and the writes whose outcome they do not know.
final class AcknowledgedWrites: Sendable {
    private struct Item {
        var version: UInt64 = 0
        var text = ""
        var batch: Baton_Cloud_V1_WriteItemsRequest?
        /// Sent, with no answer.
        var open: Baton_Cloud_V1_WriteItemsRequest?
    }

    private let items = Mutex<[Int: Item]>([:])
    private let acknowledged = Mutex(0)
    private let reached = AsyncStream.makeStream(of: Int.self)

    var count: Int { acknowledged.withLock { $0 } }

    /// One waiter.
    func waitForAcknowledgements(_ count: Int) async {
        for await number in reached.stream where number >= count { return }
    }

    /// - Returns: false when the server did not answer.
    func write(_ writer: Int, by client: CloudClient) async -> Bool {
        let item = items.withLock { $0[writer] ?? Item() }
        let text = "\(writer)-\(item.version + 1)"
        let batch = CloudClient.batch([(writer, text, item.version)])
        items.withLock { $0[writer, default: Item()].open = batch }
        do {
            let response = try await client.call(ZoneMethods.writeItems, batch)
            guard let version = response.versions.first else {
                Issue.record("writer \(writer) met a conflict")
                return false
            }
            let number = items.withLock { items in
                items[writer] = Item(version: version, text: text, batch: batch)
                return acknowledged.withLock { count in
                    count += 1
                    return count
                }
            }
            reached.continuation.yield(number)
            return true
        } catch {
            return false
        }
    }

    /// Every acknowledged write is there; a repetition is answered as the first time; what was open is settled.
    func check(against client: CloudClient) async throws {
        let before = items.withLock { $0 }
        guard !before.isEmpty else { return }
        let found = try await client.pull()
        for (writer, item) in before {
            let stored = found[CloudClient.name(writer)]
            if let batch = item.batch {
                let answer = try await client.call(ZoneMethods.writeItems, batch)
                #expect(answer.versions == [item.version], "writer \(writer): a repetition is answered otherwise")
                let version = try #require(stored?.version, "writer \(writer): the item is gone")
                #expect(version >= item.version, "writer \(writer): an acknowledged write is gone")
                if version == item.version { #expect(stored?.content.sealed == Data(item.text.utf8)) }
            }
            guard let open = item.open else { continue }
            let answer = try await client.call(ZoneMethods.writeItems, open)
            let version = try #require(answer.versions.first, "writer \(writer): what was open conflicts")
            if let stored, stored.version > item.version { #expect(stored.version == version) }
            items.withLock {
                $0[writer] = Item(
                    version: version, text: String(decoding: open.writes[0].put.sealed, as: UTF8.self), batch: open)
            }
        }
    }
}
