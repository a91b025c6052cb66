import Foundation
import MetadataQuery

/// The scopes that an app names in constants, URLs and paths.
enum SearchScopes {
    private static let constants: [String: MetadataScope] = [
        NSMetadataQueryUbiquitousDocumentsScope: .ubiquitousDocuments,
        NSMetadataQueryUbiquitousDataScope: .ubiquitousData,
        NSMetadataQueryAccessibleUbiquitousExternalDocumentsScope: .accessibleUbiquitousExternalDocuments,
    ]

    /// Nil if one is no scope, or if constants and directories are mixed.
    static func scopes(_ values: [Any]) -> [MetadataScope]? {
        var scopes: [MetadataScope] = []
        for value in values {
            guard let scope = scope(value) else { return nil }
            scopes.append(scope)
        }
        let directories = scopes.count { if case .directory = $0 { true } else { false } }
        return directories == 0 || directories == scopes.count ? scopes : nil
    }

    private static func scope(_ value: Any) -> MetadataScope? {
        switch value {
        case let url as URL where url.isFileURL: .directory(url.path)
        case let url as NSURL where url.isFileURL: url.path.map(MetadataScope.directory)
        case let text as String: constants[text] ?? (text.hasPrefix("/") ? .directory(text) : nil)
        default: nil
        }
    }
}
