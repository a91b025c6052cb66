/// The rules of what is in a backup. The first that counts, from the top of a tree downwards, decides for all below.
package struct BackupRules: Hashable, Sendable {
    /// Bytes that a valid `CACHEDIR.TAG` begins with.
    package static let cacheTagName = "CACHEDIR.TAG"
    package static let cacheTag = Array("Signature: 8a477f597d28d172789f06886806bc55".utf8)
    /// The attribute of a file or directory that is left out, and the value that says so: the freedesktop convention (B-4).
    package static let attribute = "user.xdg.robots.backup"
    package static let excluding = Array("false".utf8)

    package enum Reason: Hashable, Sendable {
        case included(root: String)
        case notIncluded
        case caches
        case temporary
        case attribute
        case cacheDirectory
        case placeholder
        case inbox
        case inCloud
        case excludedByPerson(String)
        case special
        case otherFileSystem
        case privatePlace

        package var isIncluded: Bool { if case .included = self { true } else { false } }

        package var sentence: String {
            switch self {
            case .included(let root): "It is backed up, as part of “\(root)”."
            case .notIncluded:
                "It is in nothing that is backed up. “baton backup include DIR” adds a folder."
            case .caches:
                "It is left out: “Library/Caches” of an app holds what the app can make again."
            case .temporary: "It is left out: “tmp” of an app is for temporary files."
            case .attribute:
                "It is left out: it, or a directory above it, has the attribute “\(BackupRules.attribute)” with “false”."
            case .cacheDirectory:
                "It is left out: a directory above it has a valid “\(BackupRules.cacheTagName)”."
            case .placeholder:
                "It is left out: it stands for a document whose contents are not on this device. “baton download” fetches them."
            case .inbox: "It is left out: the link to an app's Inbox is made where the app is installed."
            case .inCloud: "It is left out: it comes back from the account's cloud, where the backups go, too."
            case .excludedByPerson(let path): "It is left out by “baton backup exclude \(path)”."
            case .special: "It is left out: it is neither a file, a directory nor a symbolic link."
            case .otherFileSystem: "It is left out: it is the root of another file system. Include it by its own name."
            case .privatePlace:
                "It is left out: it holds keys of this device, Baton's own state, or the backup itself. A restored device is a new "
                    + "device."
            }
        }
    }

    package enum Root: Hashable, Sendable { case app, folder }

    /// All that is known of one item without reading it.
    package struct Facts: Hashable, Sendable {
        /// The attribute's value; nil for none.
        package var attribute: [UInt8]?
        /// A directory with a valid tag in it.
        package var hasCacheTag: Bool
        package var isSpecial: Bool
        package var isLink: Bool
        package var isOtherFileSystem: Bool
        /// A file that stands for a document whose contents are not on this device.
        package var isPlaceholder: Bool

        package init(
            attribute: [UInt8]? = nil, hasCacheTag: Bool = false, isSpecial: Bool = false, isLink: Bool = false,
            isOtherFileSystem: Bool = false, isPlaceholder: Bool = false
        ) {
            self.attribute = attribute
            self.hasCacheTag = hasCacheTag
            self.isSpecial = isSpecial
            self.isLink = isLink
            self.isOtherFileSystem = isOtherFileSystem
            self.isPlaceholder = isPlaceholder
        }
    }

    /// Where a folder that is kept equal on several devices has its mark, and the files that come and go.
    static let folderState = ".baton-folder"

    /// Paths that the person excluded.
    private let excluded: Set<[UInt8]>
    /// Paths that are never backed up.
    private let privatePlaces: Set<[UInt8]>

    package init(excluded: [String] = [], privatePlaces: Set<String> = []) {
        self.excluded = Set(excluded.map { Array($0.utf8) })
        self.privatePlaces = Set(privatePlaces.map { Array($0.utf8) })
    }

    /// The rule that leaves an item out of what its directory is in; nil for none.
    /// - Parameters:
    ///   - relative: its path below the root, without a slash at the beginning; empty for the root itself.
    ///   - path: its whole path.
    package func exclusion(_ relative: String, of root: Root, path: String, _ facts: Facts) -> Reason? {
        let bytes = Array(path.utf8)
        if privatePlaces.contains(bytes) { return .privatePlace }
        // A restored folder's state of it belongs to another device, or to a folder that is no longer kept equal.
        if root == .folder, relative == Self.folderState || relative.hasSuffix("/" + Self.folderState) {
            return .privatePlace
        }
        if excluded.contains(bytes) { return .excludedByPerson(path) }
        if root == .app, relative == "Library/Caches" { return .caches }
        if root == .app, relative == "tmp" { return .temporary }
        // It leads to a place of this device, and an installation makes it.
        if root == .app, relative == "Documents/Inbox", facts.isLink { return .inbox }
        if facts.isSpecial { return .special }
        if facts.attribute == Self.excluding { return .attribute }
        if facts.hasCacheTag { return .cacheDirectory }
        // Restored, it would be a document of its own.
        if facts.isPlaceholder { return .placeholder }
        if facts.isOtherFileSystem, !relative.isEmpty { return .otherFileSystem }
        return nil
    }
}
