import Foundation
import Synchronization

/// `CFBundleDocumentTypes` of a program (H-55, H-60).
package struct DocumentTypes: Sendable, Hashable {
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

    private static let current = Mutex(AppBundle.main.documentTypes)

    /// The entry of a type, by its identifier or its name.
    package func entry(for type: String) -> Entry? {
        entries.first { entry in
            entry.contentTypes.contains { $0.lowercased() == type.lowercased() } || entry.name == type
        }
    }

    /// The type of a document of the app: by the extensions of its document types, or of the uniform types that these name.
    /// Nil for a file that is not one of its documents.
    func type(of url: URL) -> String? {
        let name = url.pathExtension.lowercased()
        guard !name.isEmpty else { return nil }
        if let entry = entries.first(where: { $0.extensions.contains(name) }) {
            return entry.contentTypes.first ?? entry.name
        }
        return entries.lazy.flatMap(\.contentTypes).first { type in
            UTType(type)?.tags[.filenameExtension]?.contains { $0.lowercased() == name } ?? false
        }
    }

    func filenameExtension(of type: String) -> String? { entry(for: type)?.extensions.first }

    package var activityTypes: Set<String> { Set(entries.compactMap(\.activityType)) }
}
