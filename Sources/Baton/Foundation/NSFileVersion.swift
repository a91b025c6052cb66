public import Foundation
import Synchronization

/// A version of a file: the current one, one that was kept, or one that is not decided yet after two devices
/// saved at once (D-6).
///
/// After a conflict set ``isResolved`` **and** remove the versions that are not wanted. Methods that change versions
/// belong in a coordinated write with `contentIndependentMetadataOnly`. All calls wait for the disk or the daemon; any
/// thread may make them.
///
/// Apple: <https://developer.apple.com/documentation/foundation/nsfileversion>
public final class NSFileVersion: NSObject, Sendable {
    /// How a version is put in the place of a file.
    public struct ReplacingOptions: OptionSet, Sendable {
        /// Apple's number.
        public let rawValue: UInt
        /// From Apple's number.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// The version is gone afterwards.
        public static let byMoving = ReplacingOptions(rawValue: 1)
    }

    /// How a version is added.
    public struct AddingOptions: OptionSet, Sendable {
        /// Apple's number.
        public let rawValue: UInt
        /// From Apple's number.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// The content is moved, not copied.
        public static let byMoving = AddingOptions(rawValue: 1)
    }

    private static let currentIdentifier = "current"

    private let state: Mutex<FileVersionRecord>
    private let discardable = Mutex(false)
    private let file: URL

    init(_ record: FileVersionRecord, of file: URL) {
        state = Mutex(record)
        self.file = file
        super.init()
    }

    private var record: FileVersionRecord { state.withLock { $0 } }
    private var isCurrent: Bool { record.identifier == Self.currentIdentifier }
    private static var store: any FileVersionStore { FileVersionStores.shared }

    // MARK: Finding versions

    /// The current version at a URL; nil if there is no file.
    public class func currentVersionOfItem(at url: URL) -> NSFileVersion? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path) else { return nil }
        // The daemon knows which device saved a file in iCloud.
        let known = try? store.current(of: url)
        let record = FileVersionRecord(
            identifier: currentIdentifier, content: url, modificationDate: attributes[.modificationDate] as? Date,
            computerName: known?.computerName ?? ProcessInfo.processInfo.hostName)
        return NSFileVersion(record, of: url)
    }

    /// All versions but the current one, the newest first; nil if there is no file, or the versions cannot be read.
    /// A program asks for its container before (`url(forUbiquityContainerIdentifier:)`): until then a file in iCloud counts as any other.
    public class func otherVersionsOfItem(at url: URL) -> [NSFileVersion]? {
        guard (try? FileManager.default.attributesOfItem(atPath: url.path)) != nil else { return nil }
        return try? store.versions(of: url).map { NSFileVersion($0, of: url) }
    }

    /// The versions that a person must decide about, without the current one; nil if there is no file.
    public class func unresolvedConflictVersionsOfItem(at url: URL) -> [NSFileVersion]? {
        otherVersionsOfItem(at: url)?.filter { $0.isConflict && !$0.isResolved }
    }

    /// Versions that are not on this device.
    /// - Parameter completionHandler: called on a queue of its own.
    public class func getNonlocalVersionsOfItem(
        at url: URL, completionHandler: @escaping @Sendable ([NSFileVersion]?, (any Error)?) -> Void
    ) {
        DispatchQueue.global().async {
            do {
                let versions = try store.versions(of: url).filter { !$0.isLocal }
                completionHandler(versions.map { NSFileVersion($0, of: url) }, nil)
            } catch {
                completionHandler(nil, error)
            }
        }
    }

    /// The version that ``persistentIdentifier`` named; nil if it is gone.
    public class func version(itemAt url: URL, forPersistentIdentifier identifier: Any) -> NSFileVersion? {
        guard let identifier = identifier as? String else { return nil }
        if identifier == currentIdentifier { return currentVersionOfItem(at: url) }
        return otherVersionsOfItem(at: url)?.first { $0.record.identifier == identifier }
    }

    /// Keeps a copy of what is at a URL, as a version of a file.
    /// - Parameter options: with `.byMoving` what is there is removed afterwards.
    public class func addOfItem(
        at url: URL, withContentsOf contentsURL: URL, options: AddingOptions = []
    ) throws -> NSFileVersion {
        let version = NSFileVersion(try store.add(contentsURL, as: url, isConflict: false), of: url)
        if options.contains(.byMoving) { try FileManager.default.removeItem(at: contentsURL) }
        return version
    }

    /// A new folder, in which the content of a version of a file can be made before it is added. The app removes it.
    public class func temporaryDirectoryURLForNewVersionOfItem(at url: URL) -> URL {
        let folder = TemporaryFiles.directory.appendingPathComponent("version-\(UUID().uuidString)", isDirectory: true)
        try? FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return folder
    }

    // MARK: Properties

    /// Where its content can be read. A version of a file in iCloud is fetched, at the first use: the call waits. If it
    /// cannot be fetched, this is a place where nothing is.
    public var url: URL {
        let record = record
        if let content = record.content { return content }
        guard let content = try? Self.store.fetch(record.identifier, of: file).content else {
            return file.deletingLastPathComponent().appendingPathComponent(
                ".\(file.lastPathComponent).\(UUID().uuidString).missing")
        }
        state.withLock { $0.content = content }
        return content
    }
    /// The file's name, for people.
    public var localizedName: String? { file.lastPathComponent }
    /// The device that saved it. Known of conflict versions.
    public var localizedNameOfSavingComputer: String? { record.computerName }
    /// The person who saved it, if it is known.
    public var originatorNameComponents: PersonNameComponents? {
        guard let name = record.originatorName else { return nil }
        // Foundation's formatter cannot do this on Linux.
        var components = PersonNameComponents()
        let names = name.split(separator: " ").map(String.init)
        components.givenName = names.dropLast().isEmpty ? names.first : names.dropLast().joined(separator: " ")
        components.familyName = names.count > 1 ? names.last : nil
        return components
    }
    /// When it was saved.
    public var modificationDate: Date? { record.modificationDate }
    /// A string that finds the version again, in any process.
    public var persistentIdentifier: any Sendable { record.identifier }
    /// Whether it came of two devices that saved at once.
    public var isConflict: Bool { record.isConflict }
    /// Whether its content is on this device.
    public var hasLocalContents: Bool { record.isLocal }
    /// Never.
    public var hasThumbnail: Bool { false }
    /// Whether the version may go when room is needed. Only this object remembers it: what is kept, and for how long, does not depend on it.
    public var isDiscardable: Bool {
        get { discardable.withLock { $0 } }
        set { discardable.withLock { $0 = newValue } }
    }

    /// Whether no decision is needed. True for all but conflict versions. Setting it to false is a mistake
    /// (``BatonExceptions``); if it cannot be stored, it stays false.
    public var isResolved: Bool {
        get { record.isResolved }
        set {
            guard newValue else {
                BatonExceptions.raiseInvalidArgument("A resolved version cannot be made unresolved again.")
                return
            }
            let record = record
            guard !record.isResolved else { return }
            guard (try? Self.store.setResolved(record.identifier, of: file)) != nil else { return }
            state.withLock { $0.isResolved = true }
        }
    }

    // MARK: Changing versions

    /// Puts this version in the place of a file, as a whole.
    /// - Returns: where it is: the URL given.
    @discardableResult
    public func replaceItem(at url: URL, options: ReplacingOptions = []) throws -> URL {
        guard !isCurrent else {
            throw DocumentErrors.cocoa(
                .fileWriteUnknown, "The current version of “\(file.lastPathComponent)” replaces nothing.", file)
        }
        let fetched = try Self.store.fetch(record.identifier, of: file)
        guard let content = fetched.content else { throw DocumentErrors.missing(file) }
        try FileWrapper(url: content, options: .immediate).write(
            to: url, options: .atomic, originalContentsURL: nil)
        if options.contains(.byMoving) { try Self.store.remove(fetched.identifier, of: file) }
        return url
    }

    /// Forgets this version. A conflict of a file in iCloud is resolved, and goes to the history. The current one cannot be
    /// removed (``BatonExceptions``).
    public func remove() throws {
        guard !isCurrent else {
            BatonExceptions.raiseInvalidArgument("The current version of a file cannot be removed. Delete the file.")
            throw DocumentErrors.cocoa(.fileWriteUnknown, "The current version cannot be removed.", file)
        }
        try Self.store.remove(record.identifier, of: file)
    }

    /// Forgets all versions of a file but the current one.
    public class func removeOtherVersionsOfItem(at url: URL) throws { try store.removeAll(of: url) }
}
