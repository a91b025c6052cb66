public import Foundation

/// A file as the value of a record's field. CloudKit's.
///
/// Saving reads the file: up to 2 GiB, a regular file. A fetched file lies in a cache of this process's temporary folder;
/// copy it if it is to stay. It does not change, and is safe to use from any thread.
//
// @unchecked: all properties are constants.
open class CKAsset: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// Where the file is. Nil for an asset whose file is not here.
    public let fileURL: URL?
    /// The daemon's names of an asset that is kept already, so that it is not sent again.
    let stored: StoredAsset?

    /// An asset of a file. A URL of another kind is a mistake of the program: it goes to ``BatonExceptions/handler``.
    public init(fileURL: URL) {
        if !fileURL.isFileURL {
            BatonExceptions.raiseInvalidArgument("CKAsset cannot be made of “\(fileURL)”: it is not the URL of a file.")
        }
        self.fileURL = fileURL
        stored = nil
        super.init()
    }

    init(fileURL: URL?, stored: StoredAsset) {
        self.fileURL = fileURL
        self.stored = stored
        super.init()
    }

    /// Always true.
    public class var supportsSecureCoding: Bool { true }

    /// Writes where the file is, not what is in it.
    open func encode(with coder: NSCoder) {
        if let path = fileURL?.path { coder.encode(path as NSString, forKey: "AssetPath") }
        guard let stored else { return }
        coder.encode(NSData(data: stored.identity), forKey: "AssetIdentity")
        coder.encode(stored.container as NSString, forKey: "AssetContainer")
    }

    /// Reads what ``encode(with:)`` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        let path = coder.decodeObject(of: NSString.self, forKey: "AssetPath").map { String(describing: $0) }
        let identity = coder.decodeObject(of: NSData.self, forKey: "AssetIdentity").map { Data(referencing: $0) }
        let container = coder.decodeObject(of: NSString.self, forKey: "AssetContainer").map { String(describing: $0) }
        guard path != nil || identity != nil else { return nil }
        fileURL = path.map { URL(fileURLWithPath: $0) }
        stored = identity.map { StoredAsset(identity: $0, container: container ?? "") }
        super.init()
    }

    /// Assets do not change: the same one.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Assets are equal if they are of one file, or of one stored content.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKAsset else { return false }
        if let stored, let theirs = other.stored { return stored == theirs }
        return fileURL == other.fileURL && stored == other.stored
    }
    /// Equal assets have it in common.
    open override var hash: Int { 0 }
    /// For logs.
    open override var description: String { "<CKAsset \(fileURL?.lastPathComponent ?? "elsewhere")>" }
}

/// Which content an asset has, as the daemon names it.
struct StoredAsset: Sendable, Hashable {
    var identity: Data
    /// The container that has it, as the app named it.
    var container: String
}
