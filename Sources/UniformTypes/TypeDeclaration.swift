/// A kind of tag that names types outside of the type system.
package enum TypeTagClass: String, Sendable, Hashable, Codable, CodingKeyRepresentable, CaseIterable {
    /// An extension without its leading dot; case does not matter.
    case filenameExtension = "public.filename-extension"
    /// A MIME type without parameters; case does not matter.
    case mimeType = "public.mime-type"
}

/// The declaration of one type by the system or an app.
package struct TypeDeclaration: Sendable, Hashable, Codable {
    package var identifier: String
    /// The types that it conforms to itself, not those that they conform to.
    package var conformsTo: [String]
    /// In the order of the declaration: the first of a class is the preferred one.
    package var tags: [TypeTagClass: [String]]
    /// `UTTypeDescription`: what a person calls it.
    package var description: String?
    /// `UTTypeReferenceURL`.
    package var referenceURL: String?
    /// `UTTypeVersion`.
    package var version: String?

    package init(
        identifier: String, conformsTo: [String], tags: [TypeTagClass: [String]] = [:], description: String? = nil,
        referenceURL: String? = nil, version: String? = nil
    ) {
        self.identifier = identifier
        self.conformsTo = conformsTo
        self.tags = tags
        self.description = description
        self.referenceURL = referenceURL
        self.version = version
    }
}

/// The types of an app's `Info.plist`.
package struct DeclaredTypes: Sendable, Hashable {
    /// `UTExportedTypeDeclarations`: types that the app owns.
    package var exported: [TypeDeclaration]
    /// `UTImportedTypeDeclarations`: types that another app owns and the app uses. They count only where no app
    /// exports them.
    package var imported: [TypeDeclaration]

    package init(exported: [TypeDeclaration] = [], imported: [TypeDeclaration] = []) {
        self.exported = exported
        self.imported = imported
    }
}
