import BackupFormat
import BatonCore
import FileSync
import Glibc

/// Reads a tree into a repository, and reports the files that it left out.
final class TreeReader {
    private let repository: BackupRepository
    private let writer: BackupWriter
    private let content: ContentReader
    private let rules: BackupRules
    private let root: BackupRules.Root
    private let staging: String
    /// Seconds since 1970 by the file system's clock: what changed in the last two may change again unseen.
    private let now: () -> Int64
    private var rootDevice: UInt64 = 0
    private var patience = DatabaseCopy.patience
    /// Files with several names. Kept by the caller, so that names in several roots are one file.
    private var linkGroups: [LinkID: UInt64]
    /// Changes that wait for the index. Bound: ``maximumChanges``.
    private var changes: [KnownFiles.Change] = []
    private static let maximumChanges = 1000
    private(set) var findings = Findings()
    private let needed: NeededChunks
    /// The log or journal that was read together with the last database. It may be gone, or not in the list of the directory.
    private var beside: [BackupEntry] = []
    private let progress: (Findings) throws -> Void

    /// The chunks that the snapshot names, of all its roots.
    final class NeededChunks {
        fileprivate(set) var hashes: Set<ContentHash> = []
    }

    struct LinkID: Hashable {
        var device: UInt64
        var inode: UInt64
    }

    /// A file that changed while it was read is read so often.
    private static let attempts = 3

    init(
        _ repository: BackupRepository, writer: BackupWriter, gear: GearTable, rules: BackupRules,
        root: BackupRules.Root,
        staging: String, linkGroups: [LinkID: UInt64], needed: NeededChunks, now: @escaping () -> Int64,
        progress: @escaping (Findings) throws -> Void
    ) {
        self.repository = repository
        self.writer = writer
        content = ContentReader(writer: writer, gear: gear)
        self.rules = rules
        self.root = root
        self.staging = staging
        self.linkGroups = linkGroups
        self.needed = needed
        self.now = now
        self.progress = progress
    }

    /// - Returns: the tree's top with the name `root`, and the groups of links that are known now.
    func read(_ path: String) throws -> (entry: BackupEntry, linkGroups: [LinkID: UInt64]) {
        let node = try FileNode(directory: path)
        let status = try node.status()
        rootDevice = status.device
        let entry = try directory(
            node, status, name: Array("root".utf8), place: Array(path.utf8), relative: "", depth: 0)
        try flush()
        return (entry, linkGroups)
    }

    private func flush() throws {
        try repository.index.keep(changes)
        changes = []
    }

    private func learn(_ change: KnownFiles.Change) throws {
        changes.append(change)
        if changes.count >= Self.maximumChanges { try flush() }
    }

    private func directory(
        _ node: FileNode, _ status: NodeStatus, name: [UInt8], place path: [UInt8], relative: String, depth: Int
    ) throws -> BackupEntry {
        guard depth < BackupTree.maximumDepth else {
            throw BatonError(
                .resourceExhausted, reason: "too_deep",
                "“\(node.path)” is deeper than the 128 levels that a backup can hold.")
        }
        var entries: [BackupEntry] = []
        // They belong to a database that was taken.
        var taken: Set<[UInt8]> = []
        // By its bytes: the names of two directories may look the same as text.
        var known = try KnownFiles(repository.index, path: path)
        let place = known.place
        for name in try node.names() where !taken.contains(name) {
            do {
                guard let entry = try self.entry(name, in: node, relative, depth, &known, &taken) else { continue }
                entries.append(entry)
                try takeBeside(&entries, in: node, relative)
            } catch let error as BatonError where Self.isOfItem(error) {
                beside = []
                // Gone meanwhile is no finding.
                if error.code != .notFound { unreadable(node.joined(name)) }
            }
        }
        try known.end { try learn(.init(place: place, name: $0)) }
        let bytes = try BackupTree(entries).encoded
        let references = try content.put(bytes)
        note(references)
        return BackupEntry(
            name: name, kind: .directory(references), mode: AccessList.mode(status.mode, of: node),
            modified: status.modified, attributes: node.attributes())
    }

    private func takeBeside(_ entries: inout [BackupEntry], in node: FileNode, _ above: String) throws {
        defer { beside = [] }
        for entry in beside {
            let name = String(decoding: entry.name, as: UTF8.self)
            let relative = above.isEmpty ? name : above + "/" + name
            guard rules.exclusion(relative, of: root, path: node.joined(entry.name), .init()) == nil else { continue }
            entries.append(entry)
            findings.read += 1
            try count(entry)
        }
    }

    private func count(_ entry: BackupEntry) throws {
        findings.files += 1
        if case .file(let contents) = entry.kind {
            findings.bytes = findings.bytes.addingSaturated(contents.size)
        }
        note(entry.chunks)
        try progress(findings)
    }

    /// Whether an error is of the file or directory that was read: the backup goes on without it. All else ends the backup.
    static func isOfItem(_ error: BatonError) -> Bool {
        [.permissionDenied, .notFound, .failedPrecondition, .invalidArgument, .unknown].contains(error.code)
            || ["too_deep", "too_many_files", "file_too_large"].contains(error.reason)
    }

    private func unreadable(_ path: String) {
        findings.unreadableCount += 1
        if findings.unreadable.count < Findings.maximumNames { findings.unreadable.append(path) }
    }

    private func unrested(_ path: String) {
        findings.unrested += 1
        if findings.unrestedPaths.count < Findings.maximumNames { findings.unrestedPaths.append(path) }
    }

    private func note(_ references: [ChunkReference]) {
        for reference in references { needed.hashes.insert(reference.hash) }
    }

    private func entry(
        _ name: [UInt8], in parent: FileNode, _ above: String, _ depth: Int, _ known: inout KnownFiles,
        _ taken: inout Set<[UInt8]>
    ) throws -> BackupEntry? {
        guard let status = try parent.status(of: name) else { return nil }
        let text = String(decoding: name, as: UTF8.self)
        let relative = above.isEmpty ? text : above + "/" + text
        let path = parent.joined(name)
        func isExcluded(_ facts: BackupRules.Facts) -> Bool {
            rules.exclusion(relative, of: root, path: path, facts) != nil
        }
        let facts = BackupRules.Facts(
            isSpecial: status.kind == .special, isLink: status.kind == .link,
            isOtherFileSystem: status.device != rootDevice)
        if let rule = rules.exclusion(relative, of: root, path: path, facts) {
            if rule == .otherFileSystem, findings.otherFileSystems.count < Findings.maximumNames {
                findings.otherFileSystems.append(path)
            }
            return nil
        }
        switch status.kind {
        case .special: return nil
        case .link:
            let target = try parent.target(of: name)
            findings.files += 1
            return BackupEntry(name: name, kind: .link(target: target), mode: status.mode, modified: status.modified)
        case .directory:
            let node = try parent.child(name, isDirectory: true)
            let facts = BackupRules.Facts(
                attribute: node.attribute(Array(BackupRules.attribute.utf8)), hasCacheTag: node.hasCacheTag())
            guard !isExcluded(facts) else { return nil }
            return try directory(
                node, try node.status(), name: name, place: known.place.path + [0x2F] + name, relative: relative,
                depth: depth + 1)
        case .file:
            // Before what is known of it: a version that knew of none may have backed it up.
            guard !isExcluded(.init(isPlaceholder: parent.isPlaceholder(name, status))),
                let entry = try file(name, in: parent, status, isExcluded, &known, &taken)
            else { return nil }
            try count(entry)
            return entry
        }
    }

    // MARK: Files

    private func file(
        _ name: [UInt8], in parent: FileNode, _ status: NodeStatus, _ isExcluded: (BackupRules.Facts) -> Bool,
        _ files: inout KnownFiles, _ taken: inout Set<[UInt8]>
    ) throws -> BackupEntry? {
        let place = files.place
        let own = status.fingerprint
        let known = try files.file(name) {
            $0.starts(with: own)
        } gone: {
            try learn(.init(place: place, name: $0))
        }
        if let known, case .file(var contents) = known.entry.kind {
            // That of a database has the state of what is beside it behind its own, also where it was read as any other file.
            let isDatabase = known.fingerprint.count > own.count
            let beside = isDatabase ? try fingerprint(of: name, in: parent) : []
            if known.fingerprint == own + beside, try writer.has(all: contents.chunks) {
                if isDatabase { taken.formUnion(DatabaseCopy.companions(of: name)) }
                var entry = known.entry
                contents.linkGroup = linkGroup(status)
                entry.kind = .file(contents)
                entry.name = name
                return entry
            }
        }
        let companions = DatabaseCopy.companions(of: name)
        let node = try parent.child(name, isDirectory: false)
        let attribute = node.attribute(Array(BackupRules.attribute.utf8))
        guard !isExcluded(.init(attribute: attribute)) else { return nil }
        findings.read += 1
        // Before its contents are read: a change that comes meanwhile shows at the next backup.
        let (begin, log) = (now(), try fingerprint(of: name, in: parent))
        var result = try database(node, status, companions, in: parent)
        // By what it is known again, besides its own state; nil: by nothing.
        var knownBy: [UInt8]? = []
        if result != nil {
            taken.formUnion(companions)
            knownBy = log
        } else if try node.bytes(count: DatabaseCopy.heading.count) == DatabaseCopy.heading {
            result = try lockedDatabase(node, companions, in: parent)
            // A log belongs to the bytes that were read of its database, so both are read again together.
            knownBy = log == Self.nothingBeside && beside.isEmpty ? log : nil
            for entry in beside { taken.insert(entry.name) }
        } else {
            result = try plain(node)
        }
        guard let (contents, last) = result else { return nil }
        let entry = BackupEntry(
            name: name, kind: .file(contents), mode: AccessList.mode(last.mode, of: node), modified: last.modified,
            attributes: node.attributes())
        // A file that changed a moment ago may change again within the clock's step.
        let isOld = last.changed < (begin - 2) * 1_000_000_000
        if let knownBy, isOld, !contents.isUnrested, place.path.count <= 8192 {
            try learn(
                .init(place: place, name: name, known: .init(fingerprint: last.fingerprint + knownBy, entry: entry)))
        }
        var named = contents
        named.linkGroup = linkGroup(last)
        return BackupEntry(
            name: name, kind: .file(named), mode: entry.mode, modified: entry.modified, attributes: entry.attributes)
    }

    private func linkGroup(_ status: NodeStatus) -> UInt64 {
        guard status.links > 1 else { return 0 }
        let id = LinkID(device: status.device, inode: status.inode)
        if let group = linkGroups[id] { return group }
        let group = UInt64(linkGroups.count + 1)
        linkGroups[id] = group
        return group
    }

    /// The ``fingerprint(of:in:)`` of a database that has neither a log nor a journal.
    private static let nothingBeside: [UInt8] = [0, 0]

    /// The state of what is beside a database and holds contents of it. Its index of shared memory changes when it is read.
    private func fingerprint(of database: [UInt8], in parent: FileNode) throws -> [UInt8] {
        try ["-wal", "-journal"].flatMap { suffix in
            try parent.status(of: database + Array(suffix.utf8)).map { $0.fingerprint } ?? [0]
        }
    }

    /// At rest: as it was before, it is after.
    private func plain(_ node: FileNode) throws -> (BackupEntry.Contents, NodeStatus) {
        for attempt in 1... {
            let before = try node.status()
            guard before.kind == .file else {
                throw BatonError(.failedPrecondition, reason: "not_a_file", "“\(node.path)” is no file any more.")
            }
            let read: ContentReader.Content
            do {
                // One that shrinks each time is taken as far as it is there.
                read = try content.read(node, before, takesCut: attempt >= Self.attempts) { try progress(findings) }
            } catch is ContentReader.Unrested {
                continue
            }
            let after = try node.status()
            let isAtRest = before == after && read.size == after.size
            guard isAtRest || attempt >= Self.attempts else { continue }
            if !isAtRest { unrested(node.path) }
            return (
                .init(size: read.size, chunks: read.chunks, extents: read.extents, isUnrested: !isAtRest), after
            )
        }
        throw BatonError(.internal, reason: "not_read", "A file was not read.")
    }

    /// A database that SQLite cannot copy, as one that an app has locked for as long as it runs. Its log or journal says what of it counts, so
    /// they are read together: all are at rest from the first to the last.
    private func lockedDatabase(
        _ node: FileNode, _ companions: [[UInt8]], in parent: FileNode
    ) throws -> (BackupEntry.Contents, NodeStatus) {
        // SQLite makes the index of a log anew.
        let names = companions.filter { !$0.suffix(4).elementsEqual("-shm".utf8) }
        func statuses() throws -> [NodeStatus?] { try [node.status()] + names.map { try parent.status(of: $0) } }
        for attempt in 1... {
            let before = try statuses()
            guard let own = before[0], own.kind == .file else { break }
            let isLast = attempt >= Self.attempts
            do {
                let read = try content.read(node, own, takesCut: isLast) { try progress(findings) }
                var isAtRest = read.size == own.size
                beside = []
                for (name, status) in zip(names, before.dropFirst()) {
                    // One that cannot be opened is named when its turn comes.
                    guard let status, status.kind == .file,
                        let file = try? parent.child(name, isDirectory: false)
                    else { continue }
                    let read = try content.read(file, status, takesCut: isLast) { try progress(findings) }
                    if read.size != status.size { isAtRest = false }
                    beside.append(
                        BackupEntry(
                            name: name, kind: .file(.init(size: read.size, chunks: read.chunks, extents: read.extents)),
                            mode: AccessList.mode(status.mode, of: file), modified: status.modified,
                            attributes: file.attributes()))
                }
                if try statuses() != before { isAtRest = false }
                guard isAtRest || isLast else { continue }
                if !isAtRest { unrested(node.path) }
                return (
                    .init(size: read.size, chunks: read.chunks, extents: read.extents, isUnrested: !isAtRest), own
                )
            } catch is ContentReader.Unrested {
                continue
            }
        }
        beside = []
        return try plain(node)
    }

    /// A database with a log that no program has open: there is a log as long as one has. To open it would make files beside it.
    /// - Returns: nil for one that is open, or was meanwhile.
    private func closedDatabase(
        _ node: FileNode, _ companions: [[UInt8]], in parent: FileNode
    ) throws -> (BackupEntry.Contents, NodeStatus)? {
        func isClosed() throws -> Bool { try companions.allSatisfy { try parent.status(of: $0) == nil } }
        guard try isClosed() else { return nil }
        let before = try node.status()
        do {
            let read = try content.read(node, before) { try progress(findings) }
            guard try isClosed(), try node.status() == before else { return nil }
            return (.init(size: read.size, chunks: read.chunks, extents: read.extents, isDatabase: true), before)
        } catch is ContentReader.Unrested {
            return nil
        }
    }

    /// A SQLite database; nil for another file, and for one that SQLite cannot copy.
    private func database(
        _ node: FileNode, _ status: NodeStatus, _ companions: [[UInt8]], in parent: FileNode
    ) throws -> (BackupEntry.Contents, NodeStatus)? {
        guard status.kind == .file, status.size >= 512 else { return nil }
        let heading = try node.bytes(count: DatabaseCopy.headingSize)
        guard heading.starts(with: DatabaseCopy.heading) else { return nil }
        // SQLite may wait for ever for what is no file, and writes out holes.
        for companion in companions {
            if let beside = try parent.status(of: companion), beside.kind != .file { return nil }
        }
        if let extents = try node.extents(status), extents.reduce(0, { $0 + $1.length }) < status.size / 2 {
            return nil
        }
        if DatabaseCopy.hasLog(heading), let closed = try closedDatabase(node, companions, in: parent) { return closed }
        guard let log = companions.first else { return nil }
        let copy = staging + "/database"
        defer { unlink(copy) }
        let expected = try ExpectedDatabase(node, log, in: parent)
        let before = try node.status()
        do {
            try DatabaseCopy.make(
                of: node.path, at: copy, patience: patience, isOpened: expected.isOpened(withLog:))
        } catch {
            if DatabaseCopy.isBusy(error) { patience = DatabaseCopy.shortPatience }
            return nil
        }
        let staged = try FileNode(directory: staging).child(Array("database".utf8), isDirectory: false)
        let read = try content.read(staged, try staged.status()) { try progress(findings) }
        return (.init(size: read.size, chunks: read.chunks, extents: read.extents, isDatabase: true), before)
    }
}
