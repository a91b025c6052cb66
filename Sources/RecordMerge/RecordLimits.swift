package import BatonCore
package import FileSync

/// Bounds of a record. Honest devices stay below them.
package enum RecordLimits {
    /// Bytes of a record without its assets.
    package static let recordBytes = 1 << 20
    package static let fields = 1000
    package static let actors = 1024
    /// Authors whose sums were folded.
    package static let folded = 4096
    /// Bytes of a field's or a type's name.
    package static let nameBytes = 255
    /// A text or bytes over this many bytes goes into blobs.
    package static let inlineBytes = 32 * 1024
    /// Bytes of a blob.
    package static let blobBytes: UInt64 = 8 << 20
    package static let assetBytes: UInt64 = 2 << 30
    package static let callRecords = 400
    package static let callBytes = 2 << 20
    package static let tables = 256

    /// Keys that follow from keys.
    static let depth = 64
    /// Lists within lists.
    static let nesting = 4
    static let counter: UInt64 = 1 << 53
    /// In the year 3084. This device's later writes may exceed it, since a stamp comes after those that it replaces.
    static let milliseconds: UInt64 = 1 << 45
}

extension Record {
    /// Puts together a record that another device sent.
    ///
    /// - Parameter origin: limits bind other devices' records only. Records kept here stay readable.
    /// - Throws: `invalid_argument` (`bad_record`) for what no device that keeps to the rules writes. It is refused whole.
    package init(
        validating name: RecordName, type: String, fields: [RecordField: Register<RecordValue>],
        counters: [String: RecordCounter], context: DotContext, presence: Set<Dot>, mergedInto: RecordName?,
        deletion: Stamp?, folded: Set<ActorID> = [], from origin: EntryOrigin = .otherDevice
    ) throws(BatonError) {
        self.name = name
        self.type = type
        self.fields = fields
        self.counters = counters
        self.folded = folded
        self.context = context
        self.presence = presence
        self.mergedInto = mergedInto
        self.deletion = deletion
        if let fault = fault ?? (origin == .otherDevice ? excess ?? timeFault : nil) {
            throw BatonError(
                .invalidArgument, reason: "bad_record",
                "A record is malformed (\(fault)) and was refused. Update Baton on the device that wrote it.")
        }
    }

    /// About how many bytes it has without its assets.
    package var size: Int {
        var size = name.text.utf8.count + type.utf8.count + 64 + context.counters.count * 16 + presence.count * 16
        size += 8 * folded.count
        for (field, register) in fields { size += field.name.utf8.count + 24 + register.value.size }
        for (column, counter) in counters { size += column.utf8.count + 32 * counter.sums.count }
        return size
    }

    /// A fault that no honest device's record has; nil: nothing is wrong.
    private var fault: String? {
        if !type.isFieldName { return "name of the type" }
        if context.counters.values.contains(where: { $0 == 0 || $0 > 2 * RecordLimits.counter }) { return "a counter" }
        if !presence.allSatisfy({ $0.counter > 0 && context.covers($0) }) { return "a dot" }
        if context[.settlement] > 1 || context != context.withoutNeedlessAdoption { return "an adoption" }
        if let mergedInto, mergedInto >= name { return "merged into a later record" }
        for (field, register) in fields {
            if !field.name.isFieldName { return "name of a field" }
            if !register.value.isPossible(in: field) { return "value of a field" }
        }
        if folded.contains(.settlement) { return "a sum" }
        for counter in counters.values where !folded.isDisjoint(with: counter.sums.keys) { return "a sum" }
        return counters.keys.allSatisfy(\.isFieldName) ? nil : "name of a field"
    }

    /// Too much of something, which no other device takes; nil: nothing is over a limit. Two records within the limits may be joined
    /// to one that is not.
    package var excess: String? {
        if context.counters.count > RecordLimits.actors { return "number of actors" }
        if context.counters.values.contains(where: { $0 > RecordLimits.counter }) { return "a counter" }
        if presence.count > RecordLimits.actors { return "number of dots" }
        if fields.count + counters.count > RecordLimits.fields { return "number of fields" }
        if folded.count > RecordLimits.folded { return "number of actors" }
        for counter in counters.values {
            if counter.sums.count > RecordLimits.actors { return "number of actors" }
            if counter.sums.values.contains(where: { $0.changes > RecordLimits.counter }) { return "a counter" }
        }
        return size > RecordLimits.recordBytes ? "size" : nil
    }

    private var timeFault: String? {
        let stamps = fields.values.map(\.stamp) + [deletion].compactMap(\.self)
        let sums = counters.values.flatMap(\.sums.values).map(\.time)
        let isPossible =
            stamps.allSatisfy { $0.time.milliseconds < RecordLimits.milliseconds && $0.settlements == 0 }
            && sums.allSatisfy { $0.milliseconds < RecordLimits.milliseconds }
        return isPossible ? nil : "a time"
    }
}

extension RecordField {
    /// The name within its kind.
    var name: String {
        switch self {
        case .parent: "parent"
        case .created: "created"
        case .creator: "creator"
        case .modified: "modified"
        case .modifier: "modifier"
        case .value(let name), .encrypted(let name): name
        }
    }
}

extension RecordValue {
    /// About how many bytes it has. Contents of assets do not count.
    package var size: Int {
        switch self {
        case .nothing: 1
        case .integer, .real, .date: 9
        case .text(let text): text.utf8.count + 2
        case .bytes(let bytes), .location(let bytes), .unknown(let bytes): bytes.count + 2
        case .reference(let reference): reference.name.text.utf8.count + (reference.zone?.utf8.count ?? 0) + 4
        case .asset(let asset): asset.parts.reduce(48) { $0 + $1.blob.count + $1.key.count + 8 }
        case .list(let values): values.reduce(2) { $0 + $1.size }
        }
    }

    fileprivate func isPossible(in field: RecordField) -> Bool {
        switch (field, self) {
        case (_, .nothing), (_, .unknown): true
        case (.parent, .reference): true
        case (.created, .date), (.modified, .date), (.creator, .text), (.modifier, .text): isPossible(nested: 0)
        case (.value, _), (.encrypted, _): isPossible(nested: 0)
        default: false
        }
    }

    private func isPossible(nested: Int) -> Bool {
        switch self {
        case .asset(let asset): asset.isPossible
        case .list(let values):
            nested < RecordLimits.nesting && values.allSatisfy { $0.isPossible(nested: nested + 1) }
        case .reference(let reference): (reference.zone?.utf8.count ?? 0) <= RecordLimits.nameBytes
        default: true
        }
    }
}

extension RecordAsset {
    fileprivate var isPossible: Bool {
        guard digest.count == 32, size <= RecordLimits.assetBytes else { return false }
        var sum: UInt64 = 0
        for part in parts {
            guard part.size > 0, part.size <= RecordLimits.blobBytes, (1...64).contains(part.blob.count),
                part.key.count <= 64
            else { return false }
            sum += part.size
            if sum > size { return false }
        }
        return parts.isEmpty || sum == size
    }
}
