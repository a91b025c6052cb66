public import Foundation

/// A file, a directory with what is in it, or a symbolic link, in memory: how a document of several files is read and
/// written (D-14).
///
/// Everything is read at once. Modes and modification dates are kept, other attributes are not. Not safe to use from
/// two threads at once.
///
/// Apple: <https://developer.apple.com/documentation/foundation/filewrapper>
//
// @unchecked: handed from thread to thread, and used by one at a time, as on Apple's systems.
open class FileWrapper: NSObject, @unchecked Sendable {
    enum Content {
        case file(Data)
        case directory([String: FileWrapper])
        case link(String)
    }

    /// How a wrapper is read.
    public struct ReadingOptions: OptionSet, Sendable {
        /// Apple's number.
        public let rawValue: UInt
        /// From Apple's number.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Everything is read at once. Here that is always so.
        public static let immediate = ReadingOptions(rawValue: 1)
        /// Files are not mapped into memory. Here they never are.
        public static let withoutMapping = ReadingOptions(rawValue: 2)
    }

    /// How a wrapper is written.
    public struct WritingOptions: OptionSet, Sendable {
        /// Apple's number.
        public let rawValue: UInt
        /// From Apple's number.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// An existing item is replaced as a whole, or left as it was.
        public static let atomic = WritingOptions(rawValue: 1)
        /// The wrappers' file names and dates become what was written.
        public static let withNameUpdating = WritingOptions(rawValue: 2)
    }

    var content: Content
    /// The name that the item should have in its directory.
    open var preferredFilename: String?
    /// The name that the item had where it was read or written last.
    open var filename: String?
    /// `posixPermissions` and `modificationDate`.
    open var fileAttributes: [String: Any]

    init(content: Content, attributes: [String: Any] = [:]) {
        self.content = content
        fileAttributes = attributes
        super.init()
    }

    /// A regular file.
    public convenience init(regularFileWithContents contents: Data) { self.init(content: .file(contents)) }

    /// A symbolic link. A relative destination stays relative.
    public convenience init(symbolicLinkWithDestinationURL url: URL) {
        self.init(content: .link(url.relativePath))
    }

    /// A directory. The keys become the names of children that have no preferred name.
    public convenience init(directoryWithFileWrappers childrenByPreferredName: [String: FileWrapper]) {
        self.init(content: .directory([:]))
        for (name, child) in childrenByPreferredName.sorted(by: { $0.key < $1.key }) {
            if child.preferredFilename == nil { child.preferredFilename = name }
            _ = addFileWrapper(child)
        }
    }

    /// Reads what is at a URL. Links are read as links.
    /// - Throws: `NSCocoaErrorDomain`, e.g. `NSFileReadNoSuchFileError`; `NSFileReadUnknownError` for a device or a socket.
    public convenience init(url: URL, options: ReadingOptions = []) throws {
        let read = try FileWrapperReading.read(url.path, depth: 0)
        self.init(content: read.content, attributes: read.fileAttributes)
        filename = url.lastPathComponent
        preferredFilename = url.lastPathComponent
    }

    // MARK: Kind

    /// Whether it is a directory.
    open var isDirectory: Bool { if case .directory = content { true } else { false } }
    /// Whether it is a regular file.
    open var isRegularFile: Bool { if case .file = content { true } else { false } }
    /// Whether it is a symbolic link.
    open var isSymbolicLink: Bool { if case .link = content { true } else { false } }

    /// The contents of a regular file; nil for anything else, where Apple raises.
    open var regularFileContents: Data? { if case .file(let data) = content { data } else { nil } }
    /// Where a link points to; nil for anything else.
    open var symbolicLinkDestinationURL: URL? {
        if case .link(let path) = content { URL(fileURLWithPath: path) } else { nil }
    }
    /// The items of a directory, by name; nil for anything else.
    open var fileWrappers: [String: FileWrapper]? {
        if case .directory(let children) = content { children } else { nil }
    }

    // MARK: Children

    /// Adds an item to a directory, under its preferred name or one made from it.
    /// - Returns: the name. Empty after a mistake (``BatonExceptions``): this is no directory, or the child has no
    ///   preferred name that a file can have.
    @discardableResult
    open func addFileWrapper(_ child: FileWrapper) -> String {
        guard case .directory(var children) = content else {
            BatonExceptions.raiseInconsistency("Items can be added only to a FileWrapper of a directory.")
            return ""
        }
        guard let name = child.preferredFilename, FileWrapperReading.isName(name) else {
            BatonExceptions.raiseInvalidArgument("An item of a directory needs a preferred file name without “/”.")
            return ""
        }
        let key = FileWrapperReading.free(name, children)
        children[key] = child
        content = .directory(children)
        return key
    }

    /// Adds a regular file to a directory.
    /// - Returns: the name, as ``addFileWrapper(_:)`` does.
    @discardableResult
    open func addRegularFile(withContents data: Data, preferredFilename fileName: String) -> String {
        let child = FileWrapper(regularFileWithContents: data)
        child.preferredFilename = fileName
        return addFileWrapper(child)
    }

    /// Takes an item out of a directory. Nothing happens if it is not there.
    open func removeFileWrapper(_ child: FileWrapper) {
        guard case .directory(let children) = content else {
            BatonExceptions.raiseInconsistency("Items can be removed only from a FileWrapper of a directory.")
            return
        }
        content = .directory(children.filter { $0.value !== child })
    }

    /// The name of an item in a directory.
    open func keyForChildFileWrapper(_ child: FileWrapper) -> String? {
        fileWrappers?.first { $0.value === child }?.key
    }

    // MARK: Reading and writing

    /// Whether a file has the kind, names, sizes and dates that this wrapper had when it was read or written last.
    ///
    /// Contents are not compared, as on Apple's systems.
    open func matchesContents(of url: URL) -> Bool { FileWrapperReading.matches(self, url.path, depth: 0) }

    /// Reads again what is at a URL. After an error the wrapper is as it was.
    open func read(from url: URL, options: ReadingOptions = []) throws {
        let read = try FileWrapperReading.read(url.path, depth: 0)
        content = read.content
        fileAttributes = read.fileAttributes
        filename = url.lastPathComponent
        if preferredFilename == nil { preferredFilename = filename }
    }

    /// Writes to a URL. Everything is on the disk when the call returns.
    /// - Parameters:
    ///   - options: without `atomic` there must be nothing yet.
    ///   - originalContentsURL: not used; Apple's may link unchanged files from there.
    open func write(to url: URL, options: WritingOptions = [], originalContentsURL: URL?) throws {
        try FileWrapperWriting.write(self, to: url.path, isAtomic: options.contains(.atomic))
        if options.contains(.withNameUpdating) {
            filename = url.lastPathComponent
            FileWrapperReading.takeOver(self, url.path, depth: 0)
        }
    }
}
