package import BatonCore

/// Bounds of an entry. Honest devices stay far below them.
package enum EntryLimits {
    package static let places = 4
    package static let history = 8
    /// Conflict versions of one entry; the oldest beyond become files beside it.
    package static let heads = 16
    /// Contents up to this many bytes are in the entry itself.
    package static let inlineBytes = 4096
    package static let deviceBytes = 64
    package static let attributeBytes = 64 * 1024
    package static let linkBytes = 4095
    /// How long a deletion can be undone, in milliseconds.
    package static let retention: UInt64 = 30 * 24 * 60 * 60 * 1000

    static let receivedHeads = 64
    static let actors = 1024
    static let attributes = 256
    static let counter: UInt64 = 1 << 53
    static let settlements: UInt16 = 10_000
    /// In the year 3084. This device's later writes may exceed it, since a stamp comes after those that it replaces.
    static let milliseconds: UInt64 = 1 << 45
}

/// The maker of an entry that is read.
package enum EntryOrigin: Sendable {
    /// Another device, which need not be honest: what is over a limit is refused.
    case otherDevice
    /// This device, by keeping to the rules with what others wrote. A limit that it passed so is no reason to lose the entry, and
    /// with it the container.
    case thisDevice
}

extension Entry {
    /// Puts together an entry that another device sent.
    ///
    /// - Throws: `invalid_argument` (`bad_entry`) for what no device that keeps to the rules writes. It is refused whole.
    package init(
        validating id: EntryID, kind: EntryKind, places: [Place], name: Register<EntryName>,
        metadata: [MetadataKey: Register<ByteString>], context: DotContext, presence: Set<Dot>,
        heads: [Dot: FileVersion], history: [Dot: FileVersion], historyFloor: Stamp, deletion: Stamp?,
        mergedInto: EntryID?, from origin: EntryOrigin = .otherDevice
    ) throws(BatonError) {
        self.init(
            unpacked: id, kind: kind, places: places, name: name, metadata: metadata, context: context,
            presence: presence,
            heads: heads, history: history, historyFloor: historyFloor, deletion: deletion, mergedInto: mergedInto)
        if let fault = structuralFault ?? (origin == .otherDevice ? excess : nil) {
            throw BatonError(
                .invalidArgument, reason: "bad_entry",
                "An entry of the tree is malformed (\(fault)) and was refused. Update Baton on the device that wrote it."
            )
        }
    }

    /// A fault that no honest device's entry has; nil: nothing is wrong.
    private var structuralFault: String? {
        if id == .root || id == .stash || (id == .recovered && kind != .directory) { return "a reserved identifier" }
        if places.isEmpty { return "number of places" }
        if zip(places, places.dropFirst()).contains(where: { $0 <= $1 }) { return "order of places" }
        if context.counters.values.contains(where: { $0 == 0 || $0 > 2 * EntryLimits.counter }) { return "a counter" }
        if !presence.allSatisfy(Self.isPossible) || !presence.allSatisfy(context.covers) { return "a dot" }
        return contentFault ?? metadataFault
    }

    /// Too much of something; nil: nothing is over a limit.
    private var excess: String? {
        if places.count > EntryLimits.places { return "number of places" }
        if context.counters.count > EntryLimits.actors { return "number of actors" }
        if context.counters.values.contains(where: { $0 > EntryLimits.counter }) { return "a counter" }
        if presence.count > EntryLimits.actors { return "number of dots" }
        if heads.count > EntryLimits.receivedHeads || history.count > EntryLimits.history {
            return "number of versions"
        }
        if metadata.count > EntryLimits.attributes { return "number of attributes" }
        if metadataSize > EntryLimits.attributeBytes { return "size of attributes" }
        return stampFault
    }

    private static func isPossible(_ dot: Dot) -> Bool { dot.counter > 0 }

    private var contentFault: String? {
        if kind == .directory {
            if !heads.isEmpty || !history.isEmpty { return "content of a directory" }
        } else if mergedInto != nil || heads.isEmpty {
            return "no content"
        }
        if let mergedInto, mergedInto >= id || mergedInto == .root { return "merged into a later entry" }
        if !heads.keys.allSatisfy({ Self.isPossible($0) && context.covers($0) }) { return "dot of a version" }
        if !history.keys.allSatisfy({ Self.isPossible($0) && context.covers($0) }) { return "dot of a version" }
        for version in heads.values { if let fault = version.fault(in: kind) { return fault } }
        for version in history.values { if let fault = version.fault(in: kind) { return fault } }
        return nil
    }

    private var metadataFault: String? {
        for (key, register) in metadata {
            switch key {
            case .mode: if register.value.bytes.count != 2 { return "mode" }
            case .modified: if register.value.bytes.count != 8 { return "time" }
            case .attribute(let name):
                guard (6...255).contains(name.bytes.count), name.bytes.starts(with: Array("user.".utf8)),
                    !name.bytes.contains(0)
                else { return "name of an attribute" }
            }
        }
        return nil
    }

    /// Bytes of all attributes.
    private var metadataSize: Int { metadata.reduce(0) { $0 + Self.size(of: $1) } }

    private static func size(of attribute: (key: MetadataKey, value: Register<ByteString>)) -> Int {
        guard case .attribute(let name) = attribute.key else { return 0 }
        return name.bytes.count + attribute.value.value.bytes.count
    }

    /// Drops what is over the limits: first the attributes that were removed, then the oldest. All devices that know the same drop
    /// the same.
    mutating func trimMetadata() {
        guard metadata.count > EntryLimits.attributes || metadataSize > EntryLimits.attributeBytes else { return }
        let isAttribute: (MetadataKey) -> Bool = { if case .attribute = $0 { true } else { false } }
        let sorted = metadata.filter { isAttribute($0.key) }.sorted { left, right in
            let (isLeft, isRight) = (!left.value.value.bytes.isEmpty, !right.value.value.bytes.isEmpty)
            if isLeft != isRight { return isLeft }
            return (left.value.stamp, left.key) > (right.value.stamp, right.key)
        }
        var kept = metadata.filter { !isAttribute($0.key) }
        var size = 0
        for attribute in sorted where kept.count < EntryLimits.attributes {
            size += Self.size(of: attribute)
            if size > EntryLimits.attributeBytes { break }
            kept[attribute.key] = attribute.value
        }
        metadata = kept
    }

    private var stampFault: String? {
        var stamps = places.map(\.stamp) + metadata.values.map(\.stamp) + [name.stamp, historyFloor]
        stamps += heads.values.map(\.stamp) + history.values.map(\.stamp)
        if let deletion { stamps.append(deletion) }
        let isPossible = stamps.allSatisfy {
            $0.time.milliseconds < EntryLimits.milliseconds && $0.settlements <= EntryLimits.settlements
        }
        return isPossible ? nil : "a time"
    }
}

extension FileVersion {
    func fault(in kind: EntryKind) -> String? {
        if device.utf8.count > EntryLimits.deviceBytes { return "name of a device" }
        switch body {
        case .inline(let bytes):
            if kind == .symbolicLink, bytes.bytes.isEmpty || bytes.bytes.contains(0) { return "target of a link" }
            if bytes.bytes.count > EntryLimits.inlineBytes || UInt64(bytes.bytes.count) != size { return "size" }
        case .kept: if size > UInt64(EntryLimits.inlineBytes) { return "size" }
        case .chunks(let list):
            if kind == .symbolicLink { return "target of a link" }
            if list.size != size { return "size" }
        }
        return nil
    }
}
