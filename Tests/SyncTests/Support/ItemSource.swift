import Foundation
import Sync
import Synchronization

/// A source of named contents, of which the one with the greater stamp wins. Groups, blobs and deletions as its policy says.
final class ItemSource: ZoneSource {
    static let kind: ZoneName.Kind = ZoneName.Kind("test-items")
    static let zone = ZoneName(kind: kind, name: "all")
    static let grouped = ZonePolicy(deletions: .kept, hasGroups: true)

    struct Entry: Hashable, Sendable {
        var stamp: UInt64
        /// Nil: deleted.
        var content: Data?
        var blobs: [BlobID] = []
        /// The version in the cloud; 0: none.
        var version: UInt64 = 0
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var index = ItemIndex()
        /// The oldest first.
        var pending: [(name: String, group: Int?)] = []
        /// The names that each call brought.
        var received: [[String]] = []
        var events: [String] = []
        /// The names that each device near has brought at once.
        var exchanged: [[String]] = []
        /// The ranges that each call asked about.
        var asked: [[ItemRange]] = []
        var groups = 0
    }

    let kind: ZoneName.Kind = ItemSource.kind
    let policy: ZonePolicy
    private let state = Mutex(State())
    /// The items with which one has to come from a near device, by its name.
    let together = Mutex<[String: Set<String>]>([:])
    /// Called after each change that other devices are to have.
    let changed = Mutex<(@Sendable () -> Void)?>(nil)
    /// Comes before each answer to a device that is near.
    let beforeAnswers = Mutex<(@Sendable () async -> Void)?>(nil)

    init(_ policy: ZonePolicy = ItemSource.grouped) { self.policy = policy }

    /// With the items of another one, as if they had been exchanged.
    init(copy other: ItemSource) {
        policy = other.policy
        let copied = other.state.withLock { ($0.entries, $0.index) }
        state.withLock { ($0.entries, $0.index) = copied }
    }

    // MARK: The app

    /// - Parameter isGroup: all or nothing.
    func set(_ items: [String: Data?], stamp: UInt64, blobs: [String: [BlobID]] = [:], isGroup: Bool = false) {
        state.withLock { state in
            state.groups += 1
            for (name, content) in items.sorted(by: { $0.key < $1.key }) {
                let version = state.entries[name]?.version ?? 0
                let entry = Entry(stamp: stamp, content: content, blobs: blobs[name] ?? [], version: version)
                Self.put(entry, name, &state)
                // Not twice: the newest state goes, in the newest group.
                state.pending.removeAll { $0.name == name }
                state.pending.append((name, isGroup ? state.groups : nil))
            }
        }
        changed.withLock { $0 }?()
    }

    /// Many, none of which was there.
    func fill(_ names: some Sequence<String>, stamp: UInt64, isPending: Bool, content: (String) -> (Data, [BlobID])) {
        state.withLock { state in
            for name in names {
                let (content, blobs) = content(name)
                Self.put(Entry(stamp: stamp, content: content, blobs: blobs), name, &state)
                if isPending { state.pending.append((name, nil)) }
            }
        }
        changed.withLock { $0 }?()
    }

    var contents: [String: Data] { state.withLock { $0.entries.compactMapValues(\.content) } }
    var count: Int { state.withLock { $0.entries.count } }
    var exchangedNames: [[String]] { state.withLock { $0.exchanged } }
    var received: [[String]] { state.withLock { $0.received } }
    var events: [String] { state.withLock { $0.events } }
    var asked: [[ItemRange]] { state.withLock { $0.asked } }
    func entry(_ name: String) -> Entry? { state.withLock { $0.entries[name] } }
    var hasPending: Bool { state.withLock { !$0.pending.isEmpty } }

    private static func put(_ entry: Entry, _ name: String, _ state: inout State) {
        state.entries[name] = entry
        state.index.set(stamp(entry.stamp), for: name)
    }

    private static func stamp(_ stamp: UInt64) -> Data { withUnsafeBytes(of: stamp.bigEndian) { Data($0) } }

    /// The stamp, and a byte that is 1 where there is a content.
    private static func bytes(_ entry: Entry) -> Data {
        stamp(entry.stamp) + [entry.content == nil ? 0 : 1] + (entry.content ?? Data())
    }

    private static func entry(_ bytes: Data, _ version: UInt64, _ blobs: [BlobID] = []) -> Entry? {
        let bytes = Data(bytes)
        guard bytes.count >= 9 else { return nil }
        let stamp = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        return Entry(
            stamp: stamp, content: bytes[8] == 1 ? Data(bytes.dropFirst(9)) : nil, blobs: blobs, version: version)
    }

    // MARK: The engine

    func zones() async throws -> [ZoneName] { [Self.zone] }

    func pending(in zone: ZoneName, limit: Int) async throws -> [OutgoingItem] {
        state.withLock { state in
            var items: [OutgoingItem] = []
            for (name, group) in state.pending {
                if items.count >= limit, group == nil || items.last?.group != group { break }
                guard let entry = state.entries[name] else { continue }
                let bytes = Self.bytes(entry)
                items.append(
                    OutgoingItem(
                        name: name, state: entry.content == nil ? .deleted(tombstone: bytes) : .content(bytes),
                        replaces: entry.version, blobs: entry.blobs, group: group))
            }
            return items
        }
    }

    func written(_ items: [(item: OutgoingItem, version: UInt64)], in zone: ZoneName) async throws {
        state.withLock { state in
            var done: Set<String> = []
            for (item, version) in items {
                let bytes: Data? =
                    switch item.state {
                    case .content(let bytes): bytes
                    case .deleted(let tombstone): tombstone
                    }
                state.entries[item.name]?.version = version
                if let written = bytes.flatMap({ Self.entry($0, version) }),
                    written.stamp == state.entries[item.name]?.stamp
                {
                    done.insert(item.name)
                }
            }
            // They are among the first, for the most part: a search from there on ends soon.
            var isDone = done
            var kept: [(name: String, group: Int?)] = []
            var rest = state.pending[...]
            while !isDone.isEmpty, let next = rest.popFirst() {
                if isDone.remove(next.name) == nil { kept.append(next) }
            }
            state.pending = kept + rest
        }
        changed.withLock { $0 }?()
    }

    func received(_ items: [IncomingItem], in zone: ZoneName) async throws {
        state.withLock { state in
            state.received.append(items.map(\.name))
            for item in items { Self.take(item, &state) }
        }
        changed.withLock { $0 }?()
    }

    private static func take(_ item: IncomingItem, _ state: inout State) {
        let known = state.entries[item.name]
        let told: Data? =
            switch item.state {
            case .content(let bytes): bytes
            case .deleted(let tombstone): tombstone
            }
        guard let entry = told.flatMap({ Self.entry($0, item.version, item.blobs) }) else {
            // Deleted without a word: it is written again.
            guard known != nil else { return }
            state.entries[item.name]?.version = item.version
            if !state.pending.contains(where: { $0.name == item.name }) { state.pending.append((item.name, nil)) }
            return
        }
        guard entry.stamp > known?.stamp ?? 0 else {
            state.entries[item.name]?.version = max(known?.version ?? 0, item.version)
            if entry.stamp == known?.stamp { state.pending.removeAll { $0.name == item.name } }
            return
        }
        put(entry, item.name, &state)
        state.pending.removeAll { $0.name == item.name }
    }

    func startedOver(_ zone: ZoneName, holding names: Set<String>) async throws {
        state.withLock { state in
            state.events.append("startedOver")
            for name in state.entries.keys.sorted() where !names.contains(name) {
                state.entries[name]?.version = 0
                if !state.pending.contains(where: { $0.name == name }) { state.pending.append((name, nil)) }
            }
        }
    }

    func zoneReset(of zone: ZoneName) async throws {
        state.withLock { state in
            for name in state.entries.keys where state.entries[name]?.version != 0 {
                state.entries[name]?.version = 0
                if !state.pending.contains(where: { $0.name == name }) { state.pending.append((name, nil)) }
            }
        }
    }

    func didFinishInitialFetch(_ zone: ZoneName, by origin: SyncOrigin) async throws {
        state.withLock { $0.events.append("didFinishInitialFetch") }
    }

    func neededBlobs(among blobs: Set<BlobID>) async throws -> Set<BlobID> {
        state.withLock { state in
            Set(state.pending.flatMap { state.entries[$0.name]?.blobs ?? [] }).intersection(blobs)
        }
    }

    // MARK: Devices that are near

    private func beforeAnswer() async { await beforeAnswers.withLock { $0 }?() }

    func digest(of zone: ZoneName) async throws -> Data? {
        await beforeAnswer()
        return state.withLock { $0.index.digest(of: .all).bytes }
    }

    func digests(of ranges: [ItemRange], in zone: ZoneName) async throws -> [RangeDigest] {
        await beforeAnswer()
        return state.withLock { state in ranges.map(state.index.digest) }
    }

    func changes(in zone: ZoneName, after position: ItemPosition?) async throws -> ZoneChanges? {
        state.withLock { $0.index.changes(after: position) }
    }

    func stamps(
        in ranges: [ItemRange], of zone: ZoneName, meeting names: Set<String>
    ) async throws -> [String: Data] {
        await beforeAnswer()
        return state.withLock { state in
            state.asked.append(ranges)
            return state.index.stamps(in: ranges)
        }
    }

    func stamps(of contents: [String: Data]) -> [String: Data] { contents.mapValues { Data($0.prefix(8)) } }

    func contents(of names: [String], in zone: ZoneName) async throws -> [String: Data] {
        state.withLock { state in
            names.reduce(into: [:]) { contents, name in contents[name] = state.entries[name].map(Self.bytes) }
        }
    }

    func exchanged(_ contents: [String: Data], in zone: ZoneName) async throws {
        state.withLock { state in
            for (name, bytes) in contents {
                guard let entry = Self.entry(bytes, state.entries[name]?.version ?? 0),
                    entry.stamp > state.entries[name]?.stamp ?? 0
                else { continue }
                Self.put(entry, name, &state)
                state.pending.append((name, nil))
            }
        }
        changed.withLock { $0 }?()
    }

    func exchanged(
        _ contents: [String: Data], in zone: ZoneName, asked: Set<String>?
    ) async throws -> Set<String> {
        await beforeAnswer()
        if let asked {
            let others = together.withLock { together in Set(contents.keys.flatMap { together[$0] ?? [] }) }
                .subtracting(asked)
            guard others.isEmpty else { return others }
        }
        state.withLock { $0.exchanged.append(contents.keys.sorted()) }
        try await exchanged(contents, in: zone)
        return []
    }
}
