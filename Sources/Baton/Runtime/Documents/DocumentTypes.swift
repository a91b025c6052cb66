import Foundation

/// `CFBundleDocumentTypes` of a program (H-55, H-60).
package struct DocumentTypes: Sendable {
    package struct Entry: Sendable, Hashable {
        package var name: String
        package var contentTypes: [String]
        package var extensions: [String]
        /// `NSUbiquitousDocumentUserActivityType`. Several types may share one (H-57).
        package var activityType: String?
        /// `NSDocumentClass`.
        package var documentClass: String?
    }

    package var entries: [Entry]

    package init(infoDictionary: [String: Any]) {
        let list = infoDictionary["CFBundleDocumentTypes"] as? [[String: Any]] ?? []
        entries = list.prefix(500).map { entry in
            Entry(
                name: entry["CFBundleTypeName"] as? String ?? "",
                contentTypes: entry["LSItemContentTypes"] as? [String] ?? [],
                extensions: (entry["CFBundleTypeExtensions"] as? [String] ?? []).map { $0.lowercased() },
                activityType: entry["NSUbiquitousDocumentUserActivityType"] as? String,
                documentClass: entry["NSDocumentClass"] as? String)
        }
    }

    package static var main: DocumentTypes {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    private static let current = UncheckedMutex(DocumentTypes(infoDictionary: Bundle.main.infoDictionary ?? [:]))

    /// The entry of a type, by its identifier or its name.
    package func entry(for type: String) -> Entry? {
        entries.first { entry in
            entry.contentTypes.contains { $0.lowercased() == type.lowercased() } || entry.name == type
        }
    }

    func type(of url: URL) -> String? {
        let name = url.pathExtension.lowercased()
        guard !name.isEmpty, let entry = entries.first(where: { $0.extensions.contains(name) }) else {
            return "public.data"
        }
        return entry.contentTypes.first ?? entry.name
    }

    func filenameExtension(of type: String) -> String? { entry(for: type)?.extensions.first }

    package var activityTypes: Set<String> { Set(entries.compactMap(\.activityType)) }
}
