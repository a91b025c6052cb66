import BatonConcurrency
package import BatonCore
import Files
import Foundation
import Synchronization

/// The newest transfers, kept in a file. Safe to use from any thread.
package final class AirDropHistory: Sendable {
    /// Policy: older ones are forgotten.
    package static let maximumRecords = 200
    private static let maximumSize = 4 << 20

    package struct Record: Hashable, Sendable {
        /// Milliseconds since 1970.
        package var time: UInt64
        package var isSent: Bool
        package var peer: String
        package var names: [String]
        package var outcome: AirDropOutcome
    }

    fileprivate struct Stored: Codable {
        var time: UInt64
        var isSent: Bool
        var peer: String
        var names: [String]
        var result: String
        var reason: String
        var message: String
        var items: Int
        var bytes: UInt64
        var paths: [String]
        var app: String
    }

    private let path: String
    private let records: Mutex<[Record]>
    private let queue = BlockingQueue("baton.airdrop.history")
    private let recorder: any EventRecorder

    /// - Parameter folder: where the daemon keeps what it has for AirDrop. A damaged file is begun anew.
    package init(folder: String, recorder: any EventRecorder) {
        path = folder + "/history.json"
        self.recorder = recorder
        let bytes = (try? AtomicFile.read(path, limit: Self.maximumSize)) ?? nil
        let stored = bytes.flatMap { try? JSONDecoder().decode([Stored].self, from: Data($0)) } ?? []
        records = Mutex(stored.suffix(Self.maximumRecords).compactMap(Record.init))
    }

    /// The newest first.
    package func newest(_ limit: Int) -> [Record] { Array(records.withLock { $0.reversed() }.prefix(limit)) }

    func add(_ record: Record) {
        var record = record
        // A transfer may have thousands of items.
        record.names = Array(record.names.prefix(20))
        record.outcome.paths = Array(record.outcome.paths.prefix(20))
        let kept = record
        let all = records.withLock { records in
            records.append(kept)
            if records.count > Self.maximumRecords { records.removeFirst(records.count - Self.maximumRecords) }
            return records
        }
        queue.queue.async { [path, recorder] in
            do {
                let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
                try ReceivedItems.prepare(folder)
                try AtomicFile.write(Array(try JSONEncoder().encode(all.map(Stored.init))), to: path)
            } catch {
                recorder.record("airdrop", "not_kept", "The history could not be kept: \(error)", [:])
            }
        }
    }
}

extension AirDropHistory.Record {
    fileprivate init?(_ stored: AirDropHistory.Stored) {
        guard let result = AirDropOutcome.Result(rawValue: stored.result) else { return nil }
        var outcome = AirDropOutcome(result)
        outcome.reason = stored.reason
        outcome.message = stored.message
        outcome.items = stored.items
        outcome.bytes = stored.bytes
        outcome.paths = stored.paths
        outcome.app = try? BundleID(validating: stored.app)
        self.init(time: stored.time, isSent: stored.isSent, peer: stored.peer, names: stored.names, outcome: outcome)
    }
}

extension AirDropHistory.Stored {
    fileprivate init(_ record: AirDropHistory.Record) {
        self.init(
            time: record.time, isSent: record.isSent, peer: record.peer, names: record.names,
            result: record.outcome.result.rawValue, reason: record.outcome.reason, message: record.outcome.message,
            items: record.outcome.items, bytes: record.outcome.bytes, paths: record.outcome.paths,
            app: record.outcome.app?.rawValue ?? "")
    }
}
