import BatonCore

/// How the person sees an app's iCloud container: an entry of `NSUbiquitousContainers` in its `Info.plist` (D-32).
package struct UbiquitousContainerTraits: Sendable, Hashable, Codable {
    /// `NSUbiquitousContainerSupportedFolderLevels`.
    package enum FolderLevels: String, Sendable, Hashable, Codable, CaseIterable {
        /// Documents only.
        case none = "None"
        case one = "One"
        case any = "Any"
    }

    /// `NSUbiquitousContainerIsDocumentScopePublic`: whether its folder `Documents` is an ordinary folder of the person.
    package var isDocumentScopePublic = false
    /// `NSUbiquitousContainerName`: the name of that folder. Empty for the app's.
    package var name = ""
    package var folderLevels = FolderLevels.none

    package init() {}

    static let key = "NSUbiquitousContainers"

    /// By the container's identifier.
    /// - Parameter containers: the app's own; what is said of others does not count.
    static func all(_ plist: PropertyListReader, of containers: [String]) throws(BatonError) -> [String: Self] {
        guard !containers.isEmpty, let entries = try plist.dictionary(key, maximumCount: 100) else { return [:] }
        var result: [String: Self] = [:]
        for identifier in containers {
            guard let entry = try entries.dictionary(identifier) else { continue }
            var traits = Self()
            traits.isDocumentScopePublic = try entry.boolean("NSUbiquitousContainerIsDocumentScopePublic") ?? false
            traits.name = try entry.string("NSUbiquitousContainerName") ?? ""
            traits.folderLevels = try entry.choice("NSUbiquitousContainerSupportedFolderLevels") ?? .none
            result[identifier] = traits
        }
        return result
    }
}
