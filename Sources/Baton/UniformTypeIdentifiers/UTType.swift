public import Foundation
import Logging
import UniformTypes

/// A type of data, as in `public.png`.
///
/// The types are the system's, and those that this app declares in its `Info.plist` under `UTExportedTypeDeclarations` and
/// `UTImportedTypeDeclarations`. A tag without a declaration gets a *dynamic* type, whose identifier begins with `dyn.`.
/// Identifiers and tags ignore case. May be used from any thread.
///
/// Apple: <https://developer.apple.com/documentation/uniformtypeidentifiers/uttype-swift.struct>
public struct UTType: Hashable, Sendable, Codable, CustomStringConvertible {
    /// As it was declared, as in `public.png`.
    public let identifier: String

    init(known identifier: String) { self.identifier = identifier }

    /// The type with an identifier.
    /// - Returns: nil if it is neither declared nor dynamic.
    public init?(_ identifier: String) {
        guard let declaration = AppTypes.registry.declaration(of: identifier) else { return nil }
        self.identifier = declaration.identifier
    }

    /// The best type for an extension.
    /// - Parameters:
    ///   - filenameExtension: without its leading dot.
    ///   - supertype: what the type must conform to.
    /// - Returns: a dynamic type if no app declares the extension; nil only if it can be no extension.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        self.init(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype)
    }

    /// The best type for a MIME type.
    /// - Parameters:
    ///   - mimeType: without parameters, as in `text/plain`.
    ///   - supertype: what the type must conform to.
    /// - Returns: a dynamic type if no app declares the MIME type; nil only if it is malformed.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        self.init(tag: mimeType, tagClass: .mimeType, conformingTo: supertype)
    }

    /// The best type for a tag.
    /// - Parameters:
    ///   - tag: in the form of its class.
    ///   - tagClass: ``UTTagClass/filenameExtension`` or ``UTTagClass/mimeType``; any other class gives nil.
    ///   - supertype: what the type must conform to; nil for anything.
    public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
        guard let tagClass = tagClass.known else { return nil }
        let identifier = AppTypes.registry.type(tag: tag, of: tagClass, conformingTo: supertype?.identifier)
        guard let identifier else { return nil }
        self.identifier = identifier
    }

    /// Every declared type with a tag, the best first; a dynamic one if there is none.
    public static func types(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) -> [UTType] {
        guard let known = tagClass.known else { return [] }
        let declared = AppTypes.registry.declaredTypes(tag: tag, of: known, conformingTo: supertype?.identifier)
        if !declared.isEmpty { return declared.map(UTType.init(known:)) }
        return UTType(tag: tag, tagClass: tagClass, conformingTo: supertype).map { [$0] } ?? []
    }

    /// A type that this app owns and declares under `UTExportedTypeDeclarations`.
    ///
    /// A type that is not declared is written to the log and conforms to nothing.
    /// - Parameter parentType: ignored, since the declaration says what the type conforms to.
    public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.init(declaredAs: identifier, in: "UTExportedTypeDeclarations")
    }

    /// A type that another app owns and this one declares under `UTImportedTypeDeclarations`.
    ///
    /// A type that is not declared is written to the log and conforms to nothing.
    /// - Parameter parentType: ignored, since the declaration says what the type conforms to.
    public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.init(declaredAs: identifier, in: "UTImportedTypeDeclarations")
    }

    private init(declaredAs identifier: String, in key: String) {
        let declaration = AppTypes.registry.declaration(of: identifier)
        if declaration == nil {
            Logger(label: "baton.types").error(
                "The type \(identifier) is not declared in Info.plist. Declare it under \(key).")
        }
        self.identifier = declaration?.identifier ?? identifier
    }

    // MARK: Declaration

    /// The extension that files of this type have by preference, without a leading dot.
    public var preferredFilenameExtension: String? {
        AppTypes.registry.preferredTag(.filenameExtension, of: identifier)
    }

    /// The MIME type that it has by preference.
    public var preferredMIMEType: String? { AppTypes.registry.preferredTag(.mimeType, of: identifier) }

    /// The name that a person reads, in English or as the app declares it. Nil for a dynamic type.
    public var localizedDescription: String? { declaration?.description }

    /// `UTTypeVersion` of the declaration; nil for the system's types and dynamic ones.
    public var version: Int? { declaration?.version.flatMap { Int($0) } }

    /// `UTTypeReferenceURL` of the declaration.
    public var referenceURL: URL? { declaration?.referenceURL.flatMap { URL(string: $0) } }

    /// Whether the type stands for a tag without a declaration.
    public var isDynamic: Bool { DynamicType(identifier: identifier) != nil }

    /// Whether the system or this app declares the type.
    public var isDeclared: Bool { AppTypes.registry.origin(of: identifier) != nil }

    /// Whether it is in the public domain: its identifier begins with `public.`.
    public var isPublic: Bool { identifier.lowercased().hasPrefix("public.") }

    /// Its tags by class, each class with the preferred tag first.
    public var tags: [UTTagClass: [String]] {
        Dictionary(
            uniqueKeysWithValues: (declaration?.tags ?? [:]).map { (UTTagClass(rawValue: $0.key.rawValue), $0.value) })
    }

    // MARK: Conformance

    /// Everything that it conforms to, directly or not, without itself.
    public var supertypes: Set<UTType> {
        Set(AppTypes.registry.supertypes(of: identifier).map(UTType.init(known:)))
    }

    /// Whether it is `type`, or conforms to it.
    public func conforms(to type: UTType) -> Bool { AppTypes.registry.conforms(identifier, to: type.identifier) }

    /// Whether it conforms to `type` and is another type.
    public func isSubtype(of type: UTType) -> Bool { self != type && conforms(to: type) }

    /// Whether `type` conforms to it and is another type.
    public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }

    // MARK: Comparing

    /// Types are equal if their identifiers are, ignoring case.
    public static func == (left: UTType, right: UTType) -> Bool {
        left.identifier == right.identifier || left.identifier.lowercased() == right.identifier.lowercased()
    }

    /// Types that are equal hash alike.
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier.lowercased()) }

    /// The identifier.
    public var description: String { identifier }

    /// Reads the identifier. It need not be known here: another device's app may declare it.
    public init(from decoder: any Decoder) throws {
        identifier = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes the identifier.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(identifier)
    }

    private var declaration: TypeDeclaration? { AppTypes.registry.declaration(of: identifier) }
}

/// The types that this process knows: the system's, and those of its own bundle.
enum AppTypes {
    static let registry = TypeRegistry(apps: [(AppBundle.main.bundleIdentifier ?? "", AppBundle.main.declaredTypes)])
}

extension DeclaredTypes {
    /// The types that an app's own `Info.plist` declares. A malformed declaration is left out: ``UTType`` has no errors,
    /// and `baton install` refuses the bundle.
    init(infoDictionary: [String: Any]) {
        self.init(
            exported: Self.declarations(infoDictionary["UTExportedTypeDeclarations"]),
            imported: Self.declarations(infoDictionary["UTImportedTypeDeclarations"]))
    }

    private static func declarations(_ value: Any?) -> [TypeDeclaration] {
        (value as? [[String: Any]] ?? []).compactMap { entry in
            guard let identifier = entry["UTTypeIdentifier"] as? String else { return nil }
            var tags: [TypeTagClass: [String]] = [:]
            let specification = entry["UTTypeTagSpecification"] as? [String: Any] ?? [:]
            for tagClass in TypeTagClass.allCases {
                let values = strings(specification[tagClass.rawValue])
                if !values.isEmpty { tags[tagClass] = values }
            }
            return TypeDeclaration(
                identifier: identifier, conformsTo: strings(entry["UTTypeConformsTo"]), tags: tags,
                description: entry["UTTypeDescription"] as? String,
                referenceURL: entry["UTTypeReferenceURL"] as? String,
                version: version(entry["UTTypeVersion"]))
        }
    }

    /// Apple's examples have a string; a number is as common. Nothing else is described: some values stop the process then.
    private static func version(_ value: Any?) -> String? {
        value as? String ?? (value as? Int).map { "\($0)" } ?? (value as? Double).map { "\($0)" }
    }

    /// Both forms of these keys: one string, or an array of them.
    private static func strings(_ value: Any?) -> [String] {
        (value as? [String]) ?? (value as? String).map { [$0] } ?? []
    }
}
