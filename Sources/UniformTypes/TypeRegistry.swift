/// Every type that is known: the system's, those that apps declare, and dynamic ones, which are made as they are asked
/// for. A value, so the library, the daemon and the command line answer alike from the same declarations.
///
/// Several declarations of one identifier: the system's wins, then an exported one, then an imported one; among equals the
/// one of the app with the lowest bundle identifier. So the order in which apps were installed does not matter.
package struct TypeRegistry: Sendable {
    private struct Entry: Sendable {
        var declaration: TypeDeclaration
        var origin: TypeOrigin
    }

    /// By folded identifier.
    private var entries: [String: Entry] = [:]
    /// Folded tags to identifiers, best first.
    private var tagged: [TypeTagClass: [String: [String]]] = [:]

    /// A chain of conformance longer than this is no tree of types any more.
    private static let maximumDepth = 32
    /// Types that one type may conform to in all; a hostile bundle declares more.
    private static let maximumSupertypes = 512

    /// The system's types alone.
    package static let system = TypeRegistry(apps: [])

    /// - Parameter apps: the types that installed apps declare, by bundle identifier.
    package init(apps: [(app: String, types: DeclaredTypes)]) {
        for declaration in SystemTypes.declarations { add(declaration, from: .system) }
        let apps = apps.sorted { $0.app < $1.app }
        for (app, types) in apps { for each in types.exported { add(each, from: .exported(by: app)) } }
        for (app, types) in apps { for each in types.imported { add(each, from: .imported(by: app)) } }
    }

    private mutating func add(_ declaration: TypeDeclaration, from origin: TypeOrigin) {
        let key = TypeIdentifier.folded(declaration.identifier)
        guard TypeIdentifier.isValid(declaration.identifier), !key.hasPrefix(DynamicType.prefix), entries[key] == nil
        else { return }
        entries[key] = Entry(declaration: declaration, origin: origin)
        for (tagClass, tags) in declaration.tags {
            for tag in tags {
                guard let tag = TypeIdentifier.folded(tag: tag, of: tagClass) else { continue }
                tagged[tagClass, default: [:]][tag, default: []].append(declaration.identifier)
            }
        }
    }

    /// How many types are declared.
    package var count: Int { entries.count }

    /// All identifiers, sorted.
    package var identifiers: [String] { entries.values.map(\.declaration.identifier).sorted() }

    /// The declaration of `identifier`; for a dynamic one, the one that it stands for. Nil if it is not known.
    package func declaration(of identifier: String) -> TypeDeclaration? {
        if let entry = entries[TypeIdentifier.folded(identifier)] { return entry.declaration }
        guard let dynamic = DynamicType(identifier: identifier) else { return nil }
        return TypeDeclaration(
            identifier: dynamic.identifier, conformsTo: [dynamic.conformsTo],
            tags: [dynamic.tagClass: [dynamic.tag]])
    }

    /// The origin of `identifier`'s declaration; nil for a dynamic or an unknown one.
    package func origin(of identifier: String) -> TypeOrigin? {
        entries[TypeIdentifier.folded(identifier)]?.origin
    }

    /// Everything that `identifier` conforms to, without itself, nearest first. Types without a declaration are left out.
    /// Declarations that go in a circle end at the first type that has been seen.
    package func supertypes(of identifier: String) -> [String] {
        let start = TypeIdentifier.folded(identifier)
        var seen: Set<String> = [start]
        var result: [String] = []
        var level = declaration(of: identifier)?.conformsTo ?? []
        for _ in 0..<Self.maximumDepth where !level.isEmpty && result.count < Self.maximumSupertypes {
            var next: [String] = []
            var named: Set<String> = []
            for parent in level where seen.insert(TypeIdentifier.folded(parent)).inserted {
                guard let declaration = declaration(of: parent) else { continue }
                result.append(declaration.identifier)
                // Each once: hundreds of types that conform to each other would be named hundreds of thousands of times.
                next += declaration.conformsTo.filter {
                    let folded = TypeIdentifier.folded($0)
                    return !seen.contains(folded) && named.insert(folded).inserted
                }
            }
            level = next
        }
        return result
    }

    /// Whether `identifier` is `other` or conforms to it, directly or not.
    package func conforms(_ identifier: String, to other: String) -> Bool {
        let wanted = TypeIdentifier.folded(other)
        if TypeIdentifier.folded(identifier) == wanted { return true }
        return supertypes(of: identifier).contains { TypeIdentifier.folded($0) == wanted }
    }

    /// The declared types with this tag that conform to `supertype`, the best first.
    package func declaredTypes(
        tag: String, of tagClass: TypeTagClass, conformingTo supertype: String? = nil
    ) -> [String] {
        guard let folded = TypeIdentifier.folded(tag: tag, of: tagClass) else { return [] }
        let candidates = tagged[tagClass]?[folded] ?? []
        guard let supertype else { return candidates }
        return candidates.filter { conforms($0, to: supertype) }
    }

    /// The best type with this tag: a declared one, else a dynamic one. Nil only for what is no tag, or no type.
    package func type(tag: String, of tagClass: TypeTagClass, conformingTo supertype: String? = nil) -> String? {
        if let declared = declaredTypes(tag: tag, of: tagClass, conformingTo: supertype).first { return declared }
        let parent = supertype ?? Self.parent(ofUnknown: tag, tagClass)
        return DynamicType(tagClass: tagClass, tag: tag, conformsTo: parent)?.identifier
    }

    /// The type of a file by its name alone, from its last extension.
    package func type(ofFileName name: String, isDirectory: Bool) -> String {
        let parent = isDirectory ? "public.directory" : "public.data"
        // A leading dot hides a file; it begins no extension.
        let parts = name.drop { $0 == "." }.split(separator: ".", omittingEmptySubsequences: false).dropFirst()
        guard let last = parts.last, !last.isEmpty else { return isDirectory ? "public.folder" : "public.data" }
        if let declared = declaredTypes(tag: String(last), of: .filenameExtension, conformingTo: parent).first {
            return declared
        }
        // A directory with an unknown extension is a folder with a point in its name.
        if isDirectory { return "public.folder" }
        return DynamicType(tagClass: .filenameExtension, tag: String(last), conformsTo: parent)?.identifier ?? parent
    }

    package func preferredTag(_ tagClass: TypeTagClass, of identifier: String) -> String? {
        declaration(of: identifier)?.tags[tagClass]?.first
    }

    /// A MIME type without a declaration says at least which kind it is.
    private static func parent(ofUnknown tag: String, _ tagClass: TypeTagClass) -> String {
        guard tagClass == .mimeType else { return "public.data" }
        let tag = tag.lowercased()
        if tag.hasPrefix("text/") { return "public.text" }
        if tag.hasPrefix("image/") { return "public.image" }
        if tag.hasPrefix("audio/") { return "public.audio" }
        if tag.hasPrefix("video/") { return "public.movie" }
        if tag.hasPrefix("font/") { return "public.font" }
        if tag.hasSuffix("+xml") { return "public.xml" }
        if tag.hasSuffix("+json") { return "public.json" }
        if tag.hasSuffix("+zip") { return "com.pkware.zip-archive" }
        return "public.data"
    }
}

/// The origin of a type's declaration.
package enum TypeOrigin: Sendable, Hashable {
    case system
    case exported(by: String)
    case imported(by: String)
}
