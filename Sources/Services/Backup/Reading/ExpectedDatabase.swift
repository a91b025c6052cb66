/// The files of a database that SQLite is to open, below a directory that is held open.
///
/// SQLite opens paths, the log by one of its own and later than the database. An app might exchange a directory on the way in the
/// meantime, so that the log of another database counts as that of its own.
struct ExpectedDatabase {
    private struct File: Equatable {
        var device: UInt64
        var inode: UInt64

        init(_ status: NodeStatus) { (device, inode) = (status.device, status.inode) }

        /// How many descriptors of this process are of it.
        var descriptors: Int { OpenDescriptors.count(device: device, inode: inode) }
    }

    private let parent: FileNode
    /// Open for as long as descriptors are counted, since it is one of them.
    private let node: FileNode
    private let logName: [UInt8]
    private let own: (file: File, descriptors: Int)
    private let log: (file: File, descriptors: Int)?

    /// Before SQLite opens it.
    init(_ node: FileNode, _ logName: [UInt8], in parent: FileNode) throws {
        (self.parent, self.node, self.logName) = (parent, node, logName)
        let file = File(try node.status())
        own = (file, file.descriptors)
        log = try parent.status(of: logName).map(File.init).map { ($0, $0.descriptors) }
    }

    /// Whether this process has the files open once more than before.
    /// - Parameter withLog: SQLite reads a log, too.
    func isOpened(withLog: Bool) -> Bool {
        defer { withExtendedLifetime(node) {} }
        guard own.file.descriptors > own.descriptors else { return false }
        guard withLog else { return true }
        guard let status = try? parent.status(of: logName), status.kind == .file else { return false }
        let file = File(status)
        return file.descriptors > (file == log?.file ? log?.descriptors ?? 0 : 0)
    }
}
