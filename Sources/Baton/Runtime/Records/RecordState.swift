import Foundation

/// The state of a record, as a value.
struct RecordState: Sendable {
    /// The values of the server, besides the fields.
    struct System: Sendable, Hashable {
        var recordType: String
        var recordID: CKRecord.ID
        var changeTag: String?
        var created: Date?
        var creator: CKRecord.ID?
        var modified: Date?
        var modifier: CKRecord.ID?
        var device: String?
    }

    struct Fields: Sendable, Hashable {
        var values: [String: RecordValue] = [:]
    }

    /// The values that the app sets. Subscripts: true for the encrypted fields.
    struct Content: Sendable, Hashable {
        private var plain = Fields()
        private var encrypted = Fields()
        var parent: CKRecord.Reference?

        init() {}

        subscript(isEncrypted: Bool) -> Fields {
            get { isEncrypted ? encrypted : plain }
            set { if isEncrypted { encrypted = newValue } else { plain = newValue } }
        }

        var byteCount: Int {
            [plain, encrypted].reduce(0) { sum, fields in
                fields.values.reduce(sum) { $0 + $1.key.utf8.count + $1.value.byteCount }
            }
        }
    }

    struct Keys: Sendable, Hashable {
        private var plain: Set<String> = []
        private var encrypted: Set<String> = []

        init() {}

        subscript(isEncrypted: Bool) -> Set<String> {
            get { isEncrypted ? encrypted : plain }
            set { if isEncrypted { encrypted = newValue } else { plain = newValue } }
        }

        var isEmpty: Bool { plain.isEmpty && encrypted.isEmpty }
    }

    var system: System
    var content = Content()
    /// As it was fetched or saved: the ancestor, should the server have another version.
    var base: Content?
    var changed = Keys()
    var isParentChanged = false

    init(recordType: String, recordID: CKRecord.ID) {
        system = System(recordType: recordType, recordID: recordID)
    }

    /// As the server has it.
    init(fetched system: System, content: Content) {
        self.system = system
        self.content = content
        base = content
    }

    /// The record that the app began with; nil for one that was never saved.
    var ancestor: RecordState? {
        guard system.changeTag != nil else { return nil }
        return RecordState(fetched: system, content: base ?? Content())
    }
}
