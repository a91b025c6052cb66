import BackupFormat
import BatonCore
import BatonTrust
import FileSync
import Files
import Glibc

/// The work that a restore has done.
package struct RestoreResult: Hashable, Sendable {
    package var files: UInt64 = 0
    package var bytes: UInt64 = 0
    /// They were there as they are in the snapshot: of a restore that was cut, or never lost.
    package var unchanged: UInt64 = 0
    /// Something else was there, and stayed.
    package var kept: UInt64 = 0
    /// They could not be restored; at most 100 names.
    package var failed: UInt64 = 0
    package var failures: [String] = []
    /// Modes, times and attributes that the file system did not take.
    package var refusedMetadata: UInt64 = 0

    package init() {}

    mutating func fail(_ path: String, _ error: any Error) {
        failed += 1
        if failures.count < 100 { failures.append("\(path): \((error as? BatonError)?.message ?? "\(error)")") }
    }
}

/// Writes a tree of a snapshot into a directory. A restore that was cut goes on when it is asked for again: what is whole is not
/// written twice.
final class TreeRestorer {
    private let repository: BackupRepository
    private let replaces: Bool
    private let keepsSince: Int64?
    private(set) var result = RestoreResult()
    /// Where the first file of each group of links is.
    private var linked: [UInt64: RestoredLink] = [:]
    /// Bound: some 20 MB. Beyond it further names of a group are files of their own.
    private static let maximumLinked = 1 << 17
    private let list: (FileNode) throws -> [[UInt8]]
    private let progress: (RestoreResult) throws -> Void
    private let checkDatabase: () throws -> Void
    /// A directory of each file system that was written to. Bound: the mounts below what is restored into.
    private var written: [UInt64: FileNode] = [:]
    private let ahead: ChunksAhead
    /// The files after the one that is being written, in its directory.
    private var coming = Coming()

    /// The files of a directory up to its next subdirectory, whose chunks are opened ahead.
    private struct Coming {
        var directory: FileNode?
        var entries: ArraySlice<BackupEntry> = []
        /// Chunks of the first of them that were begun, or are no longer needed.
        var begun = 0

        mutating func begin(at index: Int, _ all: [BackupEntry], _ directory: FileNode) {
            guard self.directory !== directory || entries.startIndex < index else { return }
            self.directory = directory
            entries = all[index...]
            begun = 0
        }

        mutating func next() {
            entries.removeFirst()
            begun = 0
        }

        /// A chunk of a file was written.
        mutating func pass(_ chunk: Int, of name: [UInt8]) {
            if begun <= chunk, entries.first?.name == name { begun = chunk + 1 }
        }
    }

    /// - Parameters:
    ///   - keepsSince: in nanoseconds since 1970: what was changed after that is not replaced.
    ///   - list: the names in a directory.
    ///   - checkDatabase: is called before each database gets its name, and throws while an app may write to it.
    init(
        _ repository: BackupRepository, replaces: Bool, keepsSince: Int64? = nil,
        list: @escaping (FileNode) throws -> [[UInt8]] = { try $0.names() },
        checkDatabase: @escaping () throws -> Void = {},
        progress: @escaping (RestoreResult) throws -> Void = { _ in }
    ) {
        self.repository = repository
        self.replaces = replaces
        self.keepsSince = keepsSince
        self.list = list
        self.checkDatabase = checkDatabase
        self.progress = progress
        ahead = ChunksAhead(repository)
    }

    /// - Parameter name: in the directory; the entry's own is not used.
    func restore(_ entry: BackupEntry, as name: [UInt8], in parent: FileNode) throws {
        try noteWriting(in: parent)
        try restore(entry, as: name, in: RestoreTarget(node: parent, list: list), 0)
    }

    private func restore(_ entry: BackupEntry, as name: [UInt8], in target: RestoreTarget, _ depth: Int) throws {
        guard BackupTree.isName(name), depth <= BackupTree.maximumDepth else { return }
        do {
            switch entry.kind {
            case .directory(let references):
                guard let directory = try target.directory(name) else {
                    throw BatonError(
                        .alreadyExists, reason: "not_a_directory",
                        "A file that is not a directory has this name, so its contents are not restored. Move it away."
                    )
                }
                let way = RestorePlace(name, in: target.way)
                try fill(directory, way, references, entry, depth)
            case .link(let to): try link(to, entry, name, target)
            case .file(let contents): try file(contents, entry, name, target)
            }
        } catch let error as BatonError where Self.isOfOneFile(error) {
            result.fail(target.node.joined(name), error)
        }
        try progress(result)
    }

    /// The contents of a directory of a snapshot, into the one at a path, which is made where there is none.
    func fill(_ path: String, _ references: [ChunkReference], _ entry: BackupEntry) throws {
        try fill(try RestoreTarget.directory(at: path), nil, references, entry, 0)
    }

    private func fill(
        _ directory: RestoreTarget.Directory, _ way: RestorePlace?, _ references: [ChunkReference],
        _ entry: BackupEntry, _ depth: Int
    ) throws {
        let target = RestoreTarget(node: directory.node, way: way, list: list)
        target.clean()
        try noteWriting(in: directory.node)
        let tree = try repository.tree(references)
        for (index, child) in tree.entries.enumerated() {
            if case .directory = child.kind {
                try restore(child, as: child.name, in: target, depth + 1)
            } else {
                coming.begin(at: index, tree.entries, directory.node)
                try lookAhead()
                // Chunks that were begun for nothing, since the file is not written, go.
                defer { for reference in child.chunks { ahead.drop(reference) } }
                try restore(child, as: child.name, in: target, depth + 1)
            }
        }
        result.refusedMetadata += UInt64(RestoreTarget.finish(directory, as: entry, replaces: replaces))
    }

    private func noteWriting(in directory: FileNode) throws {
        let system = try directory.status().device
        if written[system] == nil { written[system] = directory }
    }

    /// All that was restored survives a loss of power when this returns: one call for each file system, since one for each file is slow.
    /// - Parameter synchronize: makes all of the file system durable that a descriptor is on; false: it failed, and `errno` says why.
    func makeDurable(_ synchronize: (Int32) -> Bool) throws(BatonError) {
        for node in written.values where !synchronize(node.descriptor) { throw FileFailure.error("write", node.path) }
        written = [:]
    }

    /// Begins with the chunks that are needed next.
    private func lookAhead() throws {
        guard let directory = coming.directory else { return }
        while let next = coming.entries.first {
            switch next.kind {
            case .directory: return
            case .link: coming.next()
            case .file(let contents):
                // One that is there is mostly left as it is.
                guard coming.begun < contents.chunks.count,
                    coming.begun > 0 || (try? directory.status(of: next.name)) == nil
                else {
                    coming.next()
                    continue
                }
                guard try ahead.begin(contents.chunks[coming.begun]) else { return }
                coming.begun += 1
            }
        }
    }

    /// Others, as a full disk or a target that is gone, end it.
    static func isOfOneFile(_ error: BatonError) -> Bool {
        [.dataLoss, .permissionDenied, .invalidArgument, .failedPrecondition, .alreadyExists].contains(error.code)
            || error.reason == "file_not_found"
    }

    private func mayReplace(_ there: NodeStatus) -> Bool {
        replaces && there.kind != .directory && there.changed <= keepsSince ?? .max
    }

    private func link(
        _ to: [UInt8], _ entry: BackupEntry, _ name: [UInt8], _ target: RestoreTarget
    ) throws {
        if let there = try target.found(name) {
            if there.kind == .link, try target.node.target(of: name) == to {
                result.unchanged += 1
                return
            }
            guard mayReplace(there) else {
                result.kept += 1
                return
            }
        }
        let temporary = target.temporaryName()
        try target.makeLink(temporary, to: to)
        utimensat(
            target.node.descriptor, FileNode.terminated(temporary), FileNode.times(entry.modified), AT_SYMLINK_NOFOLLOW)
        if try target.place(temporary, as: name, replaces: replaces) {
            result.files += 1
        } else {
            result.kept += 1
        }
    }

    private func file(
        _ contents: BackupEntry.Contents, _ entry: BackupEntry, _ name: [UInt8], _ target: RestoreTarget
    ) throws {
        // SQLite would replay a log that a killed app left there over the restored database.
        let suffixes = contents.isDatabase ? DatabaseCopy.companions : []
        let companions = suffixes.map { name + Array($0.utf8) }.filter { BackupTree.isName($0) }
        let beside = try companions.compactMap { try target.node.status(of: $0) }
        guard beside.allSatisfy(mayReplace) else {
            result.kept += 1
            return
        }
        if let there = try target.found(name) {
            // Another file may have the same size and time, a database with a log differs all the same, and a file system may know
            // times to the second.
            let hasTime = there.modified == entry.modified
            if there.kind == .file, there.size == contents.size, beside.isEmpty,
                try isWhole(contents, name, target, isBelieved: hasTime)
            {
                result.unchanged += 1
                if there.mode != entry.mode || !hasTime, mayReplace(there) {
                    _ = try target.node.child(name, isDirectory: false).setMetadata(entry)
                }
                if linked[contents.linkGroup] == nil, let now = try target.node.status(of: name) {
                    remember(contents, name, target, now)
                }
                return
            }
            guard mayReplace(there) else {
                result.kept += 1
                return
            }
        }
        let temporary = target.temporaryName()
        if contents.linkGroup != 0, let first = linked[contents.linkGroup]?.opened(),
            linkat(
                AT_FDCWD, "/proc/self/fd/\(first.descriptor)", target.node.descriptor, FileNode.terminated(temporary),
                AT_SYMLINK_FOLLOW) == 0
        {
            // A rename onto another name of the same file does nothing, and leaves both.
            defer { target.remove(temporary) }
            count(try place(temporary, as: name, without: companions, target), 0)
            return
        }
        let file = try target.createFile(temporary)
        do {
            try write(contents, of: name, to: file)
            result.refusedMetadata += UInt64(file.setMetadata(entry))
            count(try place(temporary, as: name, without: companions, target), contents.size)
        } catch {
            target.remove(temporary)
            throw error
        }
        remember(contents, name, target, try file.status())
    }

    /// - Parameter isBelieved: whether one that may not be read counts as whole.
    private func isWhole(
        _ contents: BackupEntry.Contents, _ name: [UInt8], _ target: RestoreTarget, isBelieved: Bool
    ) throws -> Bool {
        do {
            return try target.node.child(name, isDirectory: false).has(contents) { try progress(result) }
        } catch let error as BatonError where error.code == .permissionDenied {
            // A restore that was cut made it, or its owner may not read it either.
            return isBelieved
        }
    }

    /// - Parameter companions: names of files that belong to the database that is replaced; empty for other files.
    private func place(
        _ temporary: [UInt8], as name: [UInt8], without companions: [[UInt8]], _ target: RestoreTarget
    ) throws -> Bool {
        if !companions.isEmpty {
            try checkDatabase()
            if replaces { for companion in companions { try target.removeFile(companion) } }
        }
        return try target.place(temporary, as: name, replaces: replaces)
    }

    private func count(_ isPlaced: Bool, _ bytes: UInt64) {
        if isPlaced {
            result.files += 1
            result.bytes = result.bytes.addingSaturated(bytes)
        } else {
            result.kept += 1
        }
    }

    /// - Parameter status: of the file that has the name; a younger one takes the place of what is known.
    private func remember(
        _ contents: BackupEntry.Contents, _ name: [UInt8], _ target: RestoreTarget, _ status: NodeStatus
    ) {
        guard contents.linkGroup != 0, linked[contents.linkGroup] != nil || linked.count < Self.maximumLinked else {
            return
        }
        linked[contents.linkGroup] = RestoredLink(name, in: target.way, status)
    }

    private func write(_ contents: BackupEntry.Contents, of name: [UInt8], to file: FileNode) throws {
        var places = ContentPlaces(contents)
        for (number, reference) in contents.chunks.enumerated() {
            try progress(result)
            var rest = try ahead.chunk(reference)[...]
            coming.pass(number, of: name)
            try lookAhead()
            while !rest.isEmpty {
                guard let place = places.next(rest.count) else { throw damaged(file.path) }
                try file.write(rest.prefix(place.count), at: place.offset)
                rest = rest.dropFirst(place.count)
            }
        }
        try file.setSize(contents.size)
    }

    private func damaged(_ path: String) -> BatonError {
        BatonError(.dataLoss, reason: "bad_backup_object", "“\(path)” does not fit its description in the backup.")
    }
}
