import BatonConcurrency
package import BatonCore
import Dispatch
import Glibc
import Synchronization

/// The daemon's event records: the newest in memory, more of them in a file of JSON lines.
///
/// Recording never blocks and never fails: a record goes into memory and into a queue that a thread of its own writes
/// out. A record may be lost with the daemon's last moments; none is lost silently otherwise.
package final class EventLog: EventRecorder, Sendable {
    /// How many of the newest are kept in memory.
    package static let ringSize = 2000
    /// Waiting to be written. Policy: the oldest is dropped and counted; a record `log`/`records_dropped` has the count.
    package static let queueLimit = 4096
    /// Records that a follower has not read. Policy: the oldest is dropped.
    package static let followerLimit = 1024
    /// The file is renamed at this size; one older file is kept.
    package static let fileLimit = 4 << 20

    private struct State {
        var ring: [EventRecord] = []
        /// Where the next record goes once the ring is full.
        var next = 0
        var pending: [EventRecord] = []
        var dropped = 0
        var isDraining = false
    }

    private let state: Mutex<State>
    private let broadcast = Broadcaster<EventRecord>(.latest(followerLimit))
    private let file: EventLogFile
    private let queue = DispatchQueue(label: "baton.event-log", qos: .utility)
    private let now: @Sendable () -> UInt64
    private let beforeWriting: @Sendable () -> Void

    /// Reads back the newest records of the last run. Blocks.
    /// - Parameters:
    ///   - path: `Locations.eventLog`; its directory must be there.
    ///   - now: microseconds since 1970.
    ///   - beforeWriting: called on the writing thread before each batch, for tests.
    package init(
        path: String, fileLimit: Int = EventLog.fileLimit, now: @escaping @Sendable () -> UInt64 = EventLog.systemTime,
        beforeWriting: @escaping @Sendable () -> Void = {}
    ) {
        self.now = now
        self.beforeWriting = beforeWriting
        file = EventLogFile(path: path, limit: fileLimit)
        state = Mutex(State(ring: file.newest(Self.ringSize)))
    }

    package func record(_ category: String, _ event: String, _ message: String, _ fields: [String: String]) {
        append(EventRecord(time: now(), category: category, event: event, message: message, fields: fields).bounded)
    }

    /// The newest records that match, oldest first.
    /// - Parameters:
    ///   - limit: the largest number; 0 for all that are in memory.
    ///   - acceptanceID: only records of this acceptance.
    package func recent(limit: Int = 0, acceptanceID: String? = nil) -> [EventRecord] {
        let all = state.withLock { Self.ordered($0) }
        let matching = acceptanceID.map { id in all.filter { $0.fields["acceptance_id"] == id } } ?? all
        return limit > 0 ? Array(matching.suffix(limit)) : matching
    }

    /// Each record from now on. Ends when the caller drops the stream.
    package func follow() -> AsyncStream<EventRecord> {
        broadcast.subscribe()
    }

    /// Returns once everything recorded before is in the file.
    package func flush() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.drain()
                continuation.resume()
            }
        }
    }

    @Sendable package static func systemTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(max(0, time.tv_sec)) * 1_000_000 + UInt64(time.tv_nsec) / 1000
    }

    // MARK: Internal

    private func append(_ record: EventRecord) {
        let mustStart = state.withLock { state in
            Self.remember(record, &state)
            if state.pending.count >= Self.queueLimit {
                state.pending.removeFirst(Self.queueLimit / 8)
                state.dropped += Self.queueLimit / 8
            }
            state.pending.append(record)
            defer { state.isDraining = true }
            return !state.isDraining
        }
        broadcast.send(record)
        if mustStart { queue.async { self.drain() } }
    }

    private func drain() {
        while true {
            beforeWriting()
            let batch = state.withLock { state -> [EventRecord] in
                var batch = state.pending
                state.pending = []
                if state.dropped > 0 {
                    let notice = EventRecord(
                        time: now(), category: "log", event: "records_dropped",
                        message: "\(state.dropped) records were not written: they came faster than the disk took them.",
                        fields: ["count": String(state.dropped)])
                    state.dropped = 0
                    Self.remember(notice, &state)
                    batch.insert(notice, at: 0)
                }
                if batch.isEmpty { state.isDraining = false }
                return batch
            }
            if batch.isEmpty { return }
            file.write(batch)
        }
    }

    private static func remember(_ record: EventRecord, _ state: inout State) {
        if state.ring.count < ringSize {
            state.ring.append(record)
        } else {
            state.ring[state.next] = record
            state.next = (state.next + 1) % ringSize
        }
    }

    private static func ordered(_ state: borrowing State) -> [EventRecord] {
        Array(state.ring[state.next...] + state.ring[..<state.next])
    }
}

extension EventRecord {
    /// With texts cut to what a log needs: some of them come from other devices.
    fileprivate var bounded: EventRecord {
        func cut(_ text: String, _ limit: Int) -> String {
            guard text.utf8.count > limit else { return text }
            return String(decoding: text.utf8.prefix(limit), as: UTF8.self) + "…"
        }
        guard message.utf8.count > 1000 || fields.count > 32 || fields.contains(where: { $1.utf8.count > 300 }) else {
            return self
        }
        var record = self
        record.message = cut(message, 1000)
        record.fields = Dictionary(
            uniqueKeysWithValues: fields.sorted { $0.key < $1.key }.prefix(32).map { ($0.key, cut($0.value, 300)) })
        return record
    }
}
