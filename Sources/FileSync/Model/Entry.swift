/// The kind of an entry. It never changes: another kind is another entry.
package enum EntryKind: UInt8, Hashable, Comparable, Sendable, CaseIterable {
    case file = 1
    case directory = 2
    case symbolicLink = 3
    /// A directory that is one document: it is replaced and conflicts as a whole.
    case package = 4

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Metadata of an entry besides its content.
package enum MetadataKey: Hashable, Comparable, Sendable {
    /// The nine bits of permission, two bytes, big-endian.
    case mode
    /// Nanoseconds since 1970, eight bytes, big-endian. It counts where it is newer than the shown version.
    case modified
    /// A `user.*` attribute by its whole name.
    case attribute(ByteString)

    package static func < (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.mode, .mode), (.modified, .modified): false
        case (.mode, _): true
        case (_, .mode): false
        case (.modified, _): true
        case (_, .modified): false
        case (.attribute(let left), .attribute(let right)): left < right
        }
    }
}

extension ByteString {
    /// A value of ``MetadataKey/modified``.
    package static func time(_ nanoseconds: Int64) -> ByteString {
        ByteString(withUnsafeBytes(of: nanoseconds.bigEndian) { Array($0) })
    }
}

/// One item of a tree: a file, a directory, a link or a package, as all devices know it.
///
/// Its state has a join that is commutative, associative and idempotent, so devices that have heard of the same changes
/// have the same entry, whatever order the changes came in.
package struct Entry: Hashable, Sendable, Identifiable {
    package let id: EntryID
    package let kind: EntryKind
    /// The newest ``EntryLimits/places`` that it was put to, the newest first. Never empty.
    package internal(set) var places: [Place]
    package internal(set) var name: Register<EntryName>
    /// An empty value of an attribute's register is an attribute that was removed; a value begins with a byte 1.
    package internal(set) var metadata: [MetadataKey: Register<ByteString>]
    package internal(set) var context: DotContext
    /// The changes that keep the entry alive. Empty: it is deleted.
    package internal(set) var presence: Set<Dot>
    /// Contents that no other content replaces: one, or several in a conflict. Those of a deleted entry stay, for the undo.
    package internal(set) var heads: [Dot: FileVersion]
    /// Contents that were replaced or set aside; the newest ``EntryLimits/history``.
    package internal(set) var history: [Dot: FileVersion]
    /// Versions of the history up to here are dropped.
    package internal(set) var historyFloor: Stamp
    /// The last deletion: its author and time.
    package internal(set) var deletion: Stamp?
    /// A directory that has become one with a directory of a lesser identifier. For good.
    package internal(set) var mergedInto: EntryID?

    /// The newest place.
    package var place: Place { places.first ?? Place(stamp: .zero, parent: .root) }
    package var isPresent: Bool { !presence.isEmpty }

    /// The contents that a person should see: those that were not deleted, or all where something else keeps the entry alive.
    package var shownDots: [Dot] {
        let present = heads.keys.filter(presence.contains)
        return present.isEmpty ? Array(heads.keys) : present
    }

    /// The content at the entry's path.
    package var winner: (dot: Dot, version: FileVersion)? {
        var best: (dot: Dot, version: FileVersion)?
        for dot in shownDots {
            guard let version = heads[dot] else { continue }
            if let current = best, (current.version.stamp, current.dot) > (version.stamp, dot) { continue }
            best = (dot, version)
        }
        return best
    }

    /// Shown contents that differ from the winner's: unresolved conflicts, the newest first.
    package var conflicts: [(dot: Dot, version: FileVersion)] {
        guard heads.count > 1, let winner else { return [] }
        return shownDots.compactMap { dot in heads[dot].map { (dot, $0) } }
            .filter { $0.version.hash != winner.version.hash }
            .sorted { ($0.version.stamp, $0.dot) > ($1.version.stamp, $1.dot) }
    }

    /// Contents, also of the history, that are too large to be in the entry.
    var chunkedContents: Set<ContentHash> {
        var result: Set<ContentHash> = []
        for version in heads.values { if case .chunks = version.body { result.insert(version.hash) } }
        for version in history.values { if case .chunks = version.body { result.insert(version.hash) } }
        return result
    }

    /// Since when it has its name in its directory.
    var placed: Stamp { max(place.stamp, name.stamp) }

    /// The newest stamp of what is in it, for stamps that must come after it.
    package var newestStamp: Stamp {
        var newest = max(placed, deletion ?? .zero)
        for version in heads.values { newest = max(newest, version.stamp) }
        for register in metadata.values { newest = max(newest, register.stamp) }
        return newest
    }

    // MARK: The join

    /// The combined knowledge of both. If the kinds differ, which no honest device writes, the lesser one stands.
    package func joined(_ other: Entry) -> Entry {
        if kind != other.kind { return kind < other.kind ? self : other }
        var result = self
        if places != other.places {
            result.places = Array(Set(places).union(other.places).sorted(by: >).prefix(EntryLimits.places))
        }
        result.name = name.joined(other.name)
        if metadata != other.metadata {
            result.metadata.merge(other.metadata) { $0.joined($1) }
            result.trimMetadata()
        }
        result.presence = context.join(presence, other.presence, knownThere: other.context)
        joinHeads(other, into: &result)
        result.context = context.joined(other.context)
        result.historyFloor = max(historyFloor, other.historyFloor)
        if !history.isEmpty || !other.history.isEmpty {
            result.history.merge(other.history) { own, _ in own }
            for dot in result.heads.keys { result.history[dot] = nil }
            result.trimHistory()
        }
        result.deletion = [deletion, other.deletion].compactMap(\.self).max()
        result.mergedInto = [mergedInto, other.mergedInto].compactMap(\.self).min()
        return result
    }

    private func joinHeads(_ other: Entry, into result: inout Entry) {
        guard heads != other.heads else { return }
        result.heads = heads.filter { other.heads[$0.key] != nil || !other.context.covers($0.key) }
        for (dot, version) in other.heads where heads[dot] == nil && !context.covers(dot) {
            result.heads[dot] = version
        }
        guard result.heads.isEmpty, kind != .directory else { return }
        // Each side has set aside the other's. One content stays, by which the entry can be shown, or undeleted.
        let newest = heads.merging(other.heads) { own, _ in own }.max {
            ($0.value.stamp, $0.key) < ($1.value.stamp, $1.key)
        }
        if let newest { result.heads[newest.key] = newest.value }
    }

    mutating func trimHistory() {
        for (dot, version) in history where version.stamp <= historyFloor { history[dot] = nil }
        guard history.count > EntryLimits.history else { return }
        let kept = history.sorted { ($0.value.stamp, $0.key) > ($1.value.stamp, $1.key) }.prefix(EntryLimits.history)
        history = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }
}
