package import BatonCore
import Files
package import UniformTypes

/// The URLs and types that an app offers to open, and the types that it declares: keys of its `Info.plist`, checked.
package struct AppClaims: Sendable, Hashable, Codable {
    /// `CFBundleTypeRole`.
    package enum Role: String, Sendable, Codable, CaseIterable {
        case editor = "Editor"
        case viewer = "Viewer"
        case shell = "Shell"
        case quickLookGenerator = "QLGenerator"
        /// The app only says something about the type, and opens nothing of it.
        case none = "None"
    }

    /// `LSHandlerRank`.
    package enum Rank: String, Sendable, Codable, CaseIterable {
        case owner = "Owner"
        case `default` = "Default"
        case alternate = "Alternate"
        /// The app is never chosen for the type.
        case none = "None"
    }

    /// One of `CFBundleURLTypes` (U-5).
    package struct URLType: Sendable, Hashable, Codable {
        /// `CFBundleURLName`: what the schemes are for; the key of its localised name (U-6). Empty when missing.
        package var name: String
        /// `CFBundleURLSchemes`, in lower case (U-7).
        package var schemes: [String]
        package var role: Role

        package init(name: String, schemes: [String], role: Role) {
            self.name = name
            self.schemes = schemes
            self.role = role
        }
    }

    /// One of `CFBundleDocumentTypes`.
    package struct DocumentType: Sendable, Hashable, Codable {
        /// `CFBundleTypeName`; empty when missing.
        package var name: String
        /// `LSItemContentTypes`.
        package var contentTypes: [String]
        package var role: Role
        package var rank: Rank
        /// `NSUbiquitousDocumentUserActivityType`: with it, documents of this type have activities (H-55). Several
        /// document types may share one (H-57).
        package var activityType: ActivityType?

        package init(name: String, contentTypes: [String], role: Role, rank: Rank, activityType: ActivityType?) {
            self.name = name
            self.contentTypes = contentTypes
            self.role = role
            self.rank = rank
            self.activityType = activityType
        }
    }

    /// `LSApplicationQueriesSchemes` has at most this many that count.
    package static let maximumQueriedSchemes = 50

    package var urlTypes: [URLType] = []
    package var documentTypes: [DocumentType] = []
    package var exportedTypes: [TypeDeclaration] = []
    package var importedTypes: [TypeDeclaration] = []
    /// Schemes that `canOpenURL` may be asked about, in lower case.
    package var queriedSchemes: [String] = []
    /// `LSSupportsOpeningDocumentsInPlace`.
    package var opensInPlace = false

    package init() {}

    package var declaredTypes: DeclaredTypes { DeclaredTypes(exported: exportedTypes, imported: importedTypes) }
}

extension AppClaims {
    init(_ plist: PropertyListReader) throws(BatonError) {
        for entry in try plist.dictionaries("CFBundleURLTypes", maximumCount: 100) {
            urlTypes.append(
                URLType(
                    name: try entry.string("CFBundleURLName") ?? "",
                    schemes: try Self.schemes(entry, "CFBundleURLSchemes", maximumCount: 100),
                    role: try entry.choice("CFBundleTypeRole") ?? .viewer))
        }
        for entry in try plist.dictionaries("CFBundleDocumentTypes", maximumCount: 500) {
            let key = "NSUbiquitousDocumentUserActivityType"
            let type = try entry.string(key)
            documentTypes.append(
                DocumentType(
                    name: try entry.string("CFBundleTypeName") ?? "",
                    contentTypes: try Self.types(entry, "LSItemContentTypes"),
                    role: try entry.choice("CFBundleTypeRole") ?? .viewer,
                    rank: try entry.choice("LSHandlerRank") ?? .default,
                    activityType: try type.map { text throws(BatonError) in
                        try BundleInfo.activityTypes([text], entry, key)[0]
                    }))
        }
        exportedTypes = try Self.declarations(plist, "UTExportedTypeDeclarations")
        importedTypes = try Self.declarations(plist, "UTImportedTypeDeclarations")
        queriedSchemes = Array(
            try Self.schemes(plist, "LSApplicationQueriesSchemes", maximumCount: 1_000)
                .prefix(Self.maximumQueriedSchemes))
        opensInPlace = try plist.boolean("LSSupportsOpeningDocumentsInPlace") ?? false
    }

    private static func schemes(
        _ plist: PropertyListReader, _ key: String, maximumCount: Int
    ) throws(BatonError) -> [String] {
        var result: [String] = []
        for text in try plist.strings(key, maximumCount: maximumCount) {
            guard let scheme = URLScheme(text) else {
                throw plist.wrong(
                    key,
                    "holds “\(PrintableName.escaped(text))”; a scheme is a letter, then letters, digits, “+”, “-” or “.”"
                )
            }
            result.append(scheme.rawValue)
        }
        return result
    }

    private static func types(_ plist: PropertyListReader, _ key: String) throws(BatonError) -> [String] {
        try check(types: try plist.strings(key), plist, key)
    }

    private static func check(
        types: [String], _ plist: PropertyListReader, _ key: String
    ) throws(BatonError) -> [String] {
        for type in types where !TypeIdentifier.isValid(type) {
            throw plist.wrong(
                key, "holds “\(PrintableName.escaped(type))”, which is no type identifier, as in com.example.note")
        }
        return types
    }

    private static func declarations(
        _ plist: PropertyListReader, _ key: String
    ) throws(BatonError) -> [TypeDeclaration] {
        var result: [TypeDeclaration] = []
        for entry in try plist.dictionaries(key, maximumCount: 500) {
            let identifier = try entry.requiredString("UTTypeIdentifier")
            guard TypeIdentifier.isValid(identifier) else {
                throw entry.wrong("UTTypeIdentifier", "is no type identifier, as in com.example.note")
            }
            var tags: [TypeTagClass: [String]] = [:]
            if let specification = try entry.dictionary("UTTypeTagSpecification") {
                for tagClass in TypeTagClass.allCases {
                    let values = try specification.oneOrMore(tagClass.rawValue)
                    for value in values where !TypeIdentifier.isTag(value, of: tagClass) {
                        throw specification.wrong(
                            tagClass.rawValue, "holds “\(PrintableName.escaped(value))”, which is no such tag")
                    }
                    if !values.isEmpty { tags[tagClass] = values }
                }
            }
            result.append(
                TypeDeclaration(
                    identifier: identifier,
                    conformsTo: try check(types: try entry.oneOrMore("UTTypeConformsTo"), entry, "UTTypeConformsTo"),
                    tags: tags,
                    description: try entry.string("UTTypeDescription"),
                    referenceURL: try entry.string("UTTypeReferenceURL", maximumLength: 2_000),
                    version: version(entry.values["UTTypeVersion"])))
        }
        return result
    }

    /// Apple's examples have a string; a number is as common.
    private static func version(_ value: Any?) -> String? {
        let number = (value as? Int).map { "\($0)" } ?? (value as? Double).map { "\($0)" }
        let text = value as? String ?? number
        return text.map { String($0.prefix(32)) }
    }
}
