package import BatonCore
package import Foundation

/// This process's copy of its app's key-value store: a pure value.
///
/// The app's writes lie over the daemon's values until the daemon has taken them and has said so: a value that was set
/// is read at once, and nothing is lost when the daemon is away. Bounds: a write waits once for each key; the store's
/// limits hold here as in the daemon.
package struct KeyValueCopy: Sendable {
    /// The daemon's values.
    package struct Entry: Sendable, Equatable {
        /// Nil: the key was removed.
        package var value: PropertyValue?
        package var version: Data
    }

    /// Not taken yet.
    package struct Write: Sendable {
        package var value: PropertyValue?
        /// Milliseconds since 1970.
        package var time: UInt64
        /// The values that the app had read.
        package var replaces: Data
        /// Grows with each write.
        package var number: UInt64
    }

    /// Taken, and not yet in an update.
    private struct Settled {
        var value: PropertyValue?
        var version: Data
        /// The update that will have it.
        var revision: UInt64
    }

    package enum Reason: Int, Sendable, CaseIterable {
        case server = 0
        case initialSync = 1
        case quotaViolation = 2
        case account = 3
    }

    /// A change to announce to the app: for each reason the keys, sorted.
    package typealias Announcements = [Reason: [String]]

    package enum Outcome: Sendable { case taken, superseded, refused }

    /// The most writes of one request.
    package static let maximumWrites = 1024
    package static let maximumBytes = 1 << 20

    package private(set) var limits: KeyValueLimits
    /// Nil before the first update.
    package private(set) var era: UInt64?
    /// The revision of the newest update.
    package private(set) var revision: UInt64 = 0
    private var confirmed: [String: Entry] = [:]
    private var settled: [String: Settled] = [:]
    private var sending: [String: Write] = [:]
    private var queued: [String: Write] = [:]
    package private(set) var lastNumber: UInt64 = 0
    /// The daemon takes something of what is queued not at all: writes are sent one by one.
    private var isCareful = false
    /// The size of the values that the app sees.
    package private(set) var totalBytes = 0
    package private(set) var count = 0

    package init(limits: KeyValueLimits) { self.limits = limits }

    // MARK: The app

    package func value(forKey key: String) -> PropertyValue? {
        if let write = queued[key] { return write.value }
        if let write = sending[key] { return write.value }
        if let write = settled[key] { return write.value }
        return confirmed[key]?.value
    }

    package var values: [String: PropertyValue] {
        var values = confirmed.compactMapValues(\.value)
        for (key, write) in settled { values[key] = write.value }
        for (key, write) in sending { values[key] = write.value }
        for (key, write) in queued { values[key] = write.value }
        return values
    }

    /// - Parameter value: nil removes the key.
    /// - Returns: false when there is no room: the previous value stays.
    package mutating func write(_ value: PropertyValue?, forKey key: String, time: UInt64) -> Bool {
        let old = self.value(forKey: key)
        // One that is known as removed is removed again, since another device may have set it meanwhile.
        if value == nil, old == nil, era != nil, confirmed[key] == nil, settled[key] == nil { return true }
        if let value, !limits.hasRoom(for: value, insteadOf: old, total: totalBytes, count: count) { return false }
        // With a write of this key on its way, what this one replaces is known when that is answered.
        let replaces = queued[key]?.replaces ?? settled[key]?.version ?? confirmed[key]?.version ?? Data()
        lastNumber += 1
        let write = Write(value: value, time: time, replaces: replaces, number: lastNumber)
        _ = changing([key]) { $0.queued[key] = write }
        return true
    }

    // MARK: Sending

    package var hasQueued: Bool { !queued.isEmpty }

    /// Whether everything up to this number was taken, or refused.
    package func isAnswered(_ number: UInt64) -> Bool {
        !queued.values.contains { $0.number <= number } && !sending.values.contains { $0.number <= number }
    }

    /// The next writes to send, the oldest first; on their way from now on.
    package mutating func takeBatch() -> [(key: String, write: Write)] {
        var bytes = 0
        var batch: [(key: String, write: Write)] = []
        if queued.isEmpty { isCareful = false }
        let limit = isCareful ? 1 : Self.maximumWrites
        for (key, write) in queued.sorted(by: { $0.value.number < $1.value.number }).prefix(limit) {
            bytes += key.utf8.count + (write.value.map(KeyValueLimits.size) ?? 0)
            guard batch.isEmpty || bytes <= Self.maximumBytes else { break }
            batch.append((key, write))
            sending[key] = write
            queued[key] = nil
        }
        return batch
    }

    /// - Parameter revision: of the update that has the batch, or of a later one.
    package mutating func answered(
        _ batch: [(key: String, outcome: Outcome, version: Data)], revision: UInt64
    ) -> Announcements {
        var refused: Set<String> = []
        let changed = changing(Set(batch.map(\.key))) { copy in
            for (key, outcome, version) in batch {
                guard let write = copy.sending.removeValue(forKey: key) else { continue }
                if outcome == .refused {
                    refused.insert(key)
                    continue
                }
                if outcome == .taken { copy.queued[key]?.replaces = version }
                guard revision > copy.revision else { continue }
                copy.settled[key] = Settled(value: write.value, version: version, revision: revision)
            }
        }
        var announcements: Announcements = [:]
        if !refused.isEmpty { announcements[.quotaViolation] = refused.sorted() }
        let others = changed.filter { !refused.contains($0) }
        if !others.isEmpty { announcements[.server] = others.sorted() }
        return announcements
    }

    /// The daemon refuses what is on its way as a whole.
    package mutating func batchRefused() {
        isCareful = true
        connectionLost()
    }

    /// Whether the writes on their way were taken is not known: they are sent again, which does no harm.
    package mutating func connectionLost() {
        for (key, write) in sending {
            if queued[key] == nil { queued[key] = write } else { queued[key]?.replaces = write.replaces }
        }
        sending = [:]
    }

    // MARK: Updates

    /// - Parameters:
    ///   - entries: with why each is as it is; nil for a write of this device.
    ///   - isSnapshot: they are all that there is.
    package mutating func told(
        _ entries: [(key: String, entry: Entry, reason: Reason?)], isSnapshot: Bool, era newEra: UInt64,
        revision newRevision: UInt64, limits newLimits: KeyValueLimits
    ) -> Announcements {
        let isOtherAccount = era.map { $0 != newEra } ?? false
        var affected = Set(entries.map(\.key))
        if isSnapshot { affected.formUnion(confirmed.keys) }
        if isSnapshot || isOtherAccount { affected.formUnion(settled.keys) }
        if isOtherAccount { affected.formUnion(queued.keys) }
        affected.formUnion(settled.filter { $0.value.revision <= newRevision }.keys)
        let changed = changing(affected) { copy in
            if isSnapshot { copy.confirmed = [:] }
            for (key, entry, _) in entries { copy.confirmed[key] = entry.version.isEmpty ? nil : entry }
            copy.settled = isSnapshot ? [:] : copy.settled.filter { $0.value.revision > newRevision }
            // Writes for an account go with it.
            if isOtherAccount { (copy.settled, copy.queued) = ([:], [:]) }
            (copy.era, copy.revision, copy.limits) = (newEra, newRevision, newLimits)
        }
        if isOtherAccount { return changed.isEmpty ? [:] : [.account: changed.sorted()] }
        let reasons = Dictionary(entries.map { ($0.key, $0.reason) }, uniquingKeysWith: { $1 })
        return Dictionary(grouping: changed.sorted()) { (reasons[$0] ?? nil) ?? .server }
    }

    /// The app has no store: nothing of it is kept.
    package mutating func refuse() { self = KeyValueCopy(limits: limits) }

    // MARK: The app's view

    /// - Returns: the keys whose value is another now.
    private mutating func changing(_ keys: Set<String>, _ body: (inout Self) -> Void) -> [String] {
        let before = keys.reduce(into: [String: PropertyValue]()) { $0[$1] = value(forKey: $1) }
        body(&self)
        return keys.filter { key in
            let (old, new) = (before[key], value(forKey: key))
            guard old != new else { return false }
            totalBytes += (new.map(KeyValueLimits.size) ?? 0) - (old.map(KeyValueLimits.size) ?? 0)
            count += (new == nil ? 0 : 1) - (old == nil ? 0 : 1)
            return true
        }
    }
}
