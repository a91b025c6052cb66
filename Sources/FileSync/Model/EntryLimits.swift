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
    /// In the year 4199: what comes later could not be replaced one day.
    static let milliseconds: UInt64 = 1 << 46
}

extension Entry {
    /// Puts together an entry that another device told of.
    ///
    /// - Throws: `invalid_argument` (`bad_entry`) for what no device that keeps to the rules writes. It is refused whole.
    package init(
        validating id: EntryID, kind: EntryKind, places: [Place], name: Register<EntryName>,
        metadata: [MetadataKey: Register<ByteString>], context: DotContext, presence: Set<Dot>,
        heads: [Dot: FileVersion], history: [Dot: FileVersion], historyFloor: Stamp, deletion: Stamp?,
        mergedInto: EntryID?
    ) throws(BatonError) {
        self.id = id
        self.kind = kind
        self.places = places
        self.name = name
        self.metadata = metadata
        self.context = context
        self.presence = presence
        self.heads = heads
        self.history = history
        self.historyFloor = historyFloor
        self.deletion = deletion
        self.mergedInto = mergedInto
        if let fault {
            throw BatonError(
                .invalidArgument, reason: "bad_entry",
                "An entry of the tree is malformed (\(fault)) and was refused. Update Baton on the device that wrote it."
            )
        }
    }

    /// Why no honest device writes this; nil: nothing is wrong.
    private var fault: String? {
        if id == .root || id == .stash || (id == .recovered && kind != .directory) { return "a reserved identifier" }
        if places.isEmpty || places.count > EntryLimits.places { return "number of places" }
        if zip(places, places.dropFirst()).contains(where: { $0 <= $1 }) { return "order of places" }
        if context.counters.count > EntryLimits.actors { return "number of actors" }
        if context.counters.values.contains(where: { $0 == 0 || $0 > EntryLimits.counter }) { return "a counter" }
        if !presence.allSatisfy(Self.isPossible) || !presence.allSatisfy(context.covers) { return "a dot" }
        if presence.count > EntryLimits.actors { return "number of dots" }
        return contentFault ?? metadataFault ?? stampFault
    }

    private static func isPossible(_ dot: Dot) -> Bool { dot.counter > 0 }

    private var contentFault: String? {
        if kind == .directory {
            if !heads.isEmpty || !history.isEmpty { return "content of a directory" }
        } else if mergedInto != nil || heads.isEmpty {
            return "no content"
        }
        if let mergedInto, mergedInto >= id || mergedInto == .root { return "merged into a later entry" }
        if heads.count > EntryLimits.receivedHeads || history.count > EntryLimits.history {
            return "number of versions"
        }
        if !heads.keys.allSatisfy({ Self.isPossible($0) && context.covers($0) }) { return "dot of a version" }
        if !history.keys.allSatisfy({ Self.isPossible($0) && context.covers($0) }) { return "dot of a version" }
        for version in heads.values { if let fault = version.fault(in: kind) { return fault } }
        for version in history.values { if let fault = version.fault(in: kind) { return fault } }
        return nil
    }

    private var metadataFault: String? {
        if metadata.count > EntryLimits.attributes { return "number of attributes" }
        var size = 0
        for (key, register) in metadata {
            switch key {
            case .mode: if register.value.bytes.count != 2 { return "mode" }
            case .modified: if register.value.bytes.count != 8 { return "time" }
            case .attribute(let name):
                guard (6...255).contains(name.bytes.count), name.bytes.starts(with: Array("user.".utf8)),
                    !name.bytes.contains(0)
                else { return "name of an attribute" }
                size += name.bytes.count + register.value.bytes.count
            }
        }
        return size > EntryLimits.attributeBytes ? "size of attributes" : nil
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
        case .chunks(let list):
            if kind == .symbolicLink { return "target of a link" }
            if list.size != size { return "size" }
        }
        return nil
    }
}
