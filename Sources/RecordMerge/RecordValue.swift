package import Foundation

/// The value of a field: what a column of SQLite and a key of a `CKRecord` can hold.
///
/// Two values are equal when their bytes are: texts in two forms of Unicode differ, as they do for SQLite.
package enum RecordValue: Sendable {
    /// `NULL`, or a key that was removed.
    case nothing
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes(Data)
    /// Seconds since the start of 2001.
    case date(Double)
    case reference(RecordReference)
    case asset(RecordAsset)
    case list([RecordValue])
    /// Degrees, metres, seconds since 2001, as the writer encoded it.
    case location(Data)
    /// A kind of a later version: its encoding is carried as it came.
    case unknown(Data)

    package var isNothing: Bool { if case .nothing = self { true } else { false } }
}

/// The reference of a record to another one.
package struct RecordReference: Hashable, Comparable, Sendable {
    package enum Action: UInt8, Sendable {
        case none = 0
        /// The record goes with its target.
        case deleteSelf = 1
    }

    package var name: RecordName
    /// Nil: the zone of the record itself.
    package var zone: String?
    package var action: Action

    package init(name: RecordName, zone: String? = nil, action: Action = .none) {
        self.name = name
        self.zone = zone
        self.action = action
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.name, left.zone ?? "", left.action.rawValue) < (right.name, right.zone ?? "", right.action.rawValue)
    }
}

/// A content outside its record, in blobs of at most 8 MiB.
package struct RecordAsset: Hashable, Sendable {
    package enum Kind: UInt8, Sendable {
        /// A file: `CKAsset`.
        case file = 0
        /// A text or bytes over ``RecordLimits/inlineBytes``, which readers see as the text or the bytes.
        case text = 1
        case bytes = 2
    }

    package struct Part: Hashable, Sendable {
        package var blob: Data
        package var key: Data
        package var size: UInt64

        package init(blob: Data, key: Data, size: UInt64) {
            self.blob = blob
            self.key = key
            self.size = size
        }
    }

    package var kind: Kind
    package var size: UInt64
    /// SHA-256 of the content.
    package var digest: Data
    /// Empty while nothing is uploaded: then only the writer can be asked for it.
    package var parts: [Part]

    package init(kind: Kind, size: UInt64, digest: Data, parts: [Part]) {
        self.kind = kind
        self.size = size
        self.digest = digest
        self.parts = parts
    }

    /// Whether it is the same content, wherever it lies.
    package func isSameContent(as other: RecordAsset) -> Bool {
        kind == other.kind && size == other.size && digest == other.digest
    }
}

/// A field of a record.
package enum RecordField: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
    /// A ``RecordReference``.
    case parent
    /// Dates, and the name of the user.
    case created, creator, modified, modifier
    /// A column, or a key of the record.
    case value(String)
    /// A key of `encryptedValues`. Apps read a key where they wrote it.
    case encrypted(String)

    package init(stringLiteral value: String) { self = .value(value) }
}
