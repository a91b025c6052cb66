package import BatonCore

/// A document that is in a container now.
package struct ListedDocument: Hashable, Sendable {
    /// Nil for one of the person's own container.
    package var app: AppIdentity?
    /// Names it for as long as it exists, whatever its name.
    package var key: String
    /// Absolute.
    package var path: String
    package var name: String
    /// Milliseconds since 1970.
    package var modified: UInt64
    /// Its content is on this device, in one file.
    package var isReadable: Bool
    /// Names the version of the app whose import extension, or of the reader that says what is in it; empty for none.
    package var importer: String

    package init(
        app: AppIdentity?, key: String, path: String, name: String, modified: UInt64, isReadable: Bool,
        importer: String = ""
    ) {
        self.importer = importer
        self.app = app
        self.key = key
        self.path = path
        self.name = name
        self.modified = modified
        self.isReadable = isReadable
    }

    /// Another one for each content, name, place, app and importer.
    var version: String {
        let importer = importer.isEmpty ? "" : " \(importer)"
        return "\(modified) \(isReadable ? 1 : 0) \(app?.description ?? "") \(path)\(importer)"
    }
}

/// Some documents of containers that are other than search knows them.
package struct ListedChanges: Sendable {
    package var documents: [ListedDocument]
    /// Keys of those that are there no more. Search may know none of them.
    package var gone: [String]

    package init(documents: [ListedDocument], gone: [String] = []) {
        self.documents = documents
        self.gone = gone
    }
}

/// The containers of this device, as search needs them.
package protocol SpotlightDocuments: Sendable {
    /// Documents that are other than when this was asked last. It may name all at any time, and does at first.
    /// - Parameters:
    ///   - all: name all.
    ///   - each: takes them, some at a time, since there may be very many.
    /// - Returns: whether all that there are were named: others are gone.
    /// - Throws: what `each` throws, and `CancellationError` where not all could be named.
    func changes(all: Bool, each: (ListedChanges) async throws -> Void) async throws -> Bool
    /// - Returns: nil for one with more than ``DocumentText/maximumBytes``, or that cannot be read.
    func content(of document: ListedDocument) async -> [UInt8]?
    /// The attributes that its import extension or reader gives a document that has an ``ListedDocument/importer``. Takes up to 20 s.
    /// - Returns: by Apple's names, at most ``ImportedAttributes/maximumBytes`` encoded; nil where it says nothing.
    /// - Throws: where it could not be asked. It is asked again when the document changes, or after the daemon's next start.
    func imported(_ document: ListedDocument) async throws -> [String: PropertyValue]?
}
