import Foundation

/// One version of a file, as a store knows it.
package struct FileVersionRecord: Sendable, Hashable {
    /// Names the version for good, also in another process.
    package var identifier: String
    /// Where its content is; nil if it has to be fetched.
    package var content: URL?
    package var modificationDate: Date?
    /// The device that saved it, for people.
    package var computerName: String?
    /// The person who saved it, if it is known.
    package var originatorName: String?
    package var isConflict: Bool
    package var isResolved: Bool
    /// Whether its content is on this device, even if it was not fetched yet.
    package var isLocal: Bool

    package init(
        identifier: String, content: URL?, modificationDate: Date?, computerName: String? = nil,
        originatorName: String? = nil, isConflict: Bool = false, isResolved: Bool = true,
        isLocal: Bool? = nil
    ) {
        self.identifier = identifier
        self.content = content
        self.modificationDate = modificationDate
        self.computerName = computerName
        self.originatorName = originatorName
        self.isConflict = isConflict
        self.isResolved = isResolved
        self.isLocal = isLocal ?? (content != nil)
    }
}

/// Keeps the versions of files that are not the current ones. Calls wait and may come on any thread.
///
/// Errors are those that apps get.
package protocol FileVersionStore: Sendable {
    /// All versions of a file but the current one, the newest first. Empty if there is no file.
    func versions(of url: URL) throws -> [FileVersionRecord]

    /// The current version, if the store knows who saved it.
    func current(of url: URL) throws -> FileVersionRecord?

    /// Keeps a copy of what is at a URL now.
    /// - Parameters:
    ///   - content: what to keep: the file itself, or what stands for it.
    ///   - isConflict: Whether a person must decide between this and the current version.
    func add(_ content: URL, as url: URL, isConflict: Bool) throws -> FileVersionRecord

    /// Brings the content of a version to this device.
    func fetch(_ identifier: String, of url: URL) throws -> FileVersionRecord

    func setResolved(_ identifier: String, of url: URL) throws

    func remove(_ identifier: String, of url: URL) throws

    func removeAll(of url: URL) throws
}

/// The store of this process.
package enum FileVersionStores {
    /// The daemon has those of files in iCloud.
    package static var shared: any FileVersionStore {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    private static let current = UncheckedMutex<any FileVersionStore>(
        UbiquityVersionStore(local: DirectoryVersionStore.standard))
}

extension FileVersionStore {
    package func current(of url: URL) throws -> FileVersionRecord? { nil }
}
