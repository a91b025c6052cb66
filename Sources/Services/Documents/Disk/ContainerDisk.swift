import CLinux
import FileSync
import Glibc

/// The folder of one container, and the one beside it where files wait: what the planner's steps do there.
///
/// Used on the queue of its container only. Every path is opened from one of the two folders, without following links, and never
/// across a mount; then single names count.
final class ContainerDisk {
    let path: String
    let root: OpenNode
    let staging: OpenNode
    let rootHandle: LocalHandle
    let stagingHandle: LocalHandle
    /// Where each file and directory was seen last.
    var places = PlaceTable()
    /// Names in the staging folder.
    var staged: [LocalHandle: [UInt8]] = [:]
    /// Directories that are one document each.
    var packages: Set<LocalHandle> = []
    /// The folders in packages, with the package of each.
    var insides: [LocalHandle: LocalHandle] = [:]
    /// States of databases that were read, and are to be sent. Bound: ``maximumPoints``, then all go.
    private var points: [ContentHash: RestingDatabase.Point] = [:]
    private static let maximumPoints = 256
    /// Directories whose names changed since they were made durable last.
    var unsynchronized: Set<LocalHandle> = []
    /// Files in staging whose contents are not durable yet; the first are kept open. Bound: ``maximumUnwritten``, then all are made
    /// durable.
    var unwritten: [LocalHandle: OpenNode?] = [:]
    static let maximumUnwritten = 4096
    /// Files in staging whose contents could not be made durable.
    var unwritable: Set<LocalHandle> = []
    /// Up to so many files and directories are made durable one by one; for more, the whole file system is, which is faster.
    static let fewToSynchronize = 16
    /// Directories that were opened in this round: each once, and kept open, since a user of its number does not hold the
    /// directory. Bound: ``maximumOpen``, then the oldest half is closed.
    private var opened: [LocalHandle: OpenNode] = [:]
    private var openedOrder: [LocalHandle] = []
    private static let maximumOpen = 64
    let hasAttributes: Bool
    /// Links to what is below are left out of scans.
    var leftOutTargets: [UInt8]?
    /// The rules of the folder's `.batonignore`; nil where none counts.
    var ignoring: IgnoreFile?
    /// Whether the last scan met a directory that this user may not read, or that another disk covers.
    var hasClosed: Bool { closed != nil || covered != nil }
    /// The first that this user may not read.
    var closed: LocalHandle?
    /// The first place of something synced where another disk, or a subvolume, is.
    var covered: LocalPlace?
    /// Whether something was renamed while the last scan listed it.
    var isTorn = false
    /// Whether a directory that the last look found could not be listed, as one that was moved meanwhile, with what it is in.
    var hasMissed = false
    /// Why the last step that failed did.
    var failure: DiskFailure?

    private static let resolve = UInt64(RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV)
    /// Directories within each other.
    static let maximumDepth = 512

    /// - Parameters:
    ///   - path: of the container; it is there.
    ///   - staging: of the folder beside it, on the same file system; it is there.
    ///   - isSame: whether the path leads to the container now. Both folders may be closed then while they are not used; nil: never.
    init(path: String, staging: String, isSame: (@Sendable () -> Bool)? = nil) throws(DiskFailure) {
        self.path = path
        root = try Self.folder(path, "open the container", isSame)
        self.staging = try Self.folder(staging, "open the container's staging folder", isSame)
        rootHandle = try DiskNode.look(root.number).handle
        stagingHandle = try DiskNode.look(self.staging.number).handle
        let test = "user.baton.test"
        hasAttributes = fsetxattr(self.staging.number, test, "1", 1, 0) == 0
        if hasAttributes { fremovexattr(self.staging.number, test) }
        for name in try names(in: self.staging.number)
        where DatabaseFiles.database(of: name) == nil && name != ContentShelf.name {
            guard let node = try DiskNode.look(self.staging.number, name) else { continue }
            staged[node.handle] = name
            guard node.kind == .directory, let entryName = try? EntryName(name) else { continue }
            places[node.handle] = LocalPlace(directory: stagingHandle, name: entryName)
        }
    }

    private static func folder(
        _ path: String, _ action: String, _ isSame: (@Sendable () -> Bool)?
    ) throws(DiskFailure) -> OpenNode {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        guard let isSame else { return try OpenNode(open(path, flags), action) }
        return try OpenNode(
            resting: {
                // It is open while it is looked at, so its disk stays until then.
                let number = open(path, flags)
                guard number >= 0, !isSame() else { return number }
                close(number)
                return -1
            }, action)
    }

    /// Whether the path leads to the same folder as ever.
    var isRootThere: Bool {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let above = slash == path.startIndex ? "/" : String(path[..<slash])
        guard let parent = try? OpenNode(open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open"),
            let node = withExtendedLifetime(
                parent, { try? DiskNode.look(parent.number, Array(path[path.index(after: slash)...].utf8)) })
        else { return false }
        return node.handle == rootHandle
    }

    // MARK: Places

    /// Opens a directory where it was seen last.
    /// - Throws: `ESTALE` where another one, or none, is there.
    func directory(_ handle: LocalHandle) throws(DiskFailure) -> OpenNode {
        if handle == rootHandle { return root }
        if handle == stagingHandle { return staging }
        if let node = opened[handle] { return node }
        var parts: [[UInt8]] = []
        var current = handle
        var start = root.number
        while current != rootHandle {
            if current == stagingHandle {
                start = staging.number
                break
            }
            guard let place = places[current], parts.count < Self.maximumDepth else {
                throw DiskFailure("find a directory", code: ESTALE)
            }
            parts.append(place.name.bytes)
            current = place.directory
        }
        let bytes = Array(parts.reversed().joined(separator: [0x2F])) + [0]
        let number = bytes.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { path in
                baton_openat2(
                    start, path.baseAddress, UInt64(O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), 0, Self.resolve)
            }
        }
        let node = try OpenNode(number, "open a directory")
        guard try DiskNode.look(node.number).handle == handle else {
            throw DiskFailure("find a directory", code: ESTALE)
        }
        if openedOrder.count >= Self.maximumOpen {
            for old in openedOrder.prefix(Self.maximumOpen / 2) { opened[old] = nil }
            openedOrder.removeFirst(Self.maximumOpen / 2)
        }
        opened[handle] = node
        openedOrder.append(handle)
        return node
    }

    /// At the end of a round: a directory is opened anew where it is then.
    func closeDirectories() { (opened, openedOrder) = ([:], []) }

    /// The file's folder and its name there, of the tree or of staging; nil where it is not any more.
    func find(_ handle: LocalHandle) -> (directory: OpenNode, name: [UInt8], node: DiskNode)? {
        if let name = staged[handle], let node = try? look(staging, name), node.handle.file == handle.file {
            return (staging, name, node)
        }
        guard let place = places[handle], let directory = try? directory(place.directory),
            let node = try? look(directory, place.name.bytes), node.handle.file == handle.file
        else { return nil }
        return (directory, place.name.bytes, node)
    }

    func isStaged(_ handle: LocalHandle) -> Bool { staged[handle] != nil }

    /// Whether what waits in staging is a file, and its content all there is of it.
    func isPlain(_ handle: LocalHandle) -> Bool {
        guard let name = staged[handle], !packages.contains(handle),
            let node = try? DiskNode.look(staging.number, name)
        else { return false }
        // One of several names: what is done to it is done to the others.
        return node.kind == .file && node.handle.file == node.handle
            && !DatabaseFiles.suffixes.contains { suffix in
                (try? DiskNode.look(staging.number, name + suffix)) ?? nil != nil
            }
    }

    /// It belongs to another owner now.
    func forgetStaged(_ handle: LocalHandle) {
        staged[handle] = nil
        places[handle] = nil
    }

    /// After a start: a file with several names is found in staging by what it was called before.
    func findStaged(_ handles: some Sequence<LocalHandle>) {
        var unclaimed: [LocalHandle: [LocalHandle]] = [:]
        for handle in staged.keys { unclaimed[handle.file, default: []].append(handle) }
        for handle in handles where staged[handle] == nil {
            guard let other = unclaimed[handle.file]?.popLast(), let name = staged.removeValue(forKey: other) else {
                continue
            }
            staged[handle] = name
        }
    }

    /// - Returns: whether the file is exactly as a step expects it.
    func isAt(_ expected: ExpectedNode) throws(DiskFailure) -> Bool {
        let directory = try directory(expected.place.directory)
        guard let node = try look(directory, expected.place.name.bytes) else { return false }
        return node.handle == expected.handle && node.fingerprint == expected.fingerprint
    }

    /// Whether the file is there, which a step may have brought under this name.
    func has(_ place: LocalPlace, _ handle: LocalHandle) throws(DiskFailure) -> Bool {
        try node(at: place)?.handle.file == handle.file
    }

    func node(at place: LocalPlace) throws(DiskFailure) -> DiskNode? {
        try look(try directory(place.directory), place.name.bytes)
    }

    /// The node of that name, for a package with its whole contents.
    func look(_ directory: OpenNode, _ name: [UInt8]) throws(DiskFailure) -> DiskNode? {
        guard var node = try DiskNode.look(directory.number, name) else { return nil }
        if node.kind == .file { node.fingerprint = DatabaseFiles.fingerprint(node.fingerprint, directory, name) }
        guard node.kind == .directory, packages.contains(node.handle) else { return node }
        node.kind = .package
        node.fingerprint = PackageTree(try PackageTree.open(name, in: directory)).fingerprint
        return node
    }

    /// The directory to list when something changed in this one.
    func listed(for handle: LocalHandle) -> LocalHandle {
        guard let package = packages.contains(handle) ? handle : insides[handle], let place = places[package] else {
            return handle
        }
        return place.directory
    }

    /// A file, a package or a database that is to be read.
    /// - Parameter content: a state of a database that is to be read once more.
    func resting(
        _ directory: OpenNode, _ name: [UInt8], _ handle: LocalHandle, content: ContentHash? = nil
    ) throws -> any RestingContent {
        if packages.contains(handle) { return try RestingPackage(directory, name, handle) }
        let point = content.flatMap { points[$0] }
        // A file that has left the tree is compared when no process can write to it any more.
        let isClosed = directory === staging
        if DatabaseFiles.hasLog(directory, name) {
            return try RestingDatabase(directory, name, handle, at: point, isClosed: isClosed)
        }
        do {
            return try StableFile(directory, name, handle)
        } catch StableFile.UnstableFileError.busy where !isClosed && DatabaseFiles.isDatabase(directory, name) {
            return try RestingDatabase(directory, name, handle, at: point)
        }
    }

    /// A database that was read is read again when it is sent.
    func note(_ content: ContentHash, of file: any RestingContent) {
        guard let database = file as? RestingDatabase else { return }
        if points.count >= Self.maximumPoints { points = [:] }
        points[content] = database.point
    }

    // MARK: Names

    func names(in directory: Int32) throws(DiskFailure) -> [[UInt8]] { try Self.names(in: directory) }

    static func names(in directory: Int32) throws(DiskFailure) -> [[UInt8]] {
        let copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else { throw DiskFailure("list a directory") }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw DiskFailure("list a directory") }
                return names
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: UInt8.self, capacity: 256) { bytes in
                    Array(UnsafeBufferPointer(start: bytes, count: strnlen(bytes, 256)))
                }
            }
            if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
        }
    }

    private static func strnlen(_ bytes: UnsafePointer<UInt8>, _ limit: Int) -> Int {
        Glibc.strnlen(UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self), limit)
    }

    /// A name that nothing in staging has.
    static func freshName() -> [UInt8] { Array("\(String(UInt64.random(in: .min ... .max), radix: 36)).new".utf8) }

    // MARK: Changing names

    /// Moves a name to where nothing is.
    func rename(_ handle: LocalHandle, from: LocalPlace, to: LocalPlace) throws(DiskFailure) {
        let (source, target) = (try directory(from.directory), try directory(to.directory))
        guard
            baton_rename_exclusively(source.number, from.name.cString, target.number, to.name.cString) == 0
        else {
            var failure = DiskFailure("move a file")
            failure.isObstructed =
                failure.code == EEXIST && (isLeftOut(target, to.name.bytes) || isIgnored(to, isDirectory: true))
            throw failure
        }
        note(from.directory, to.directory)
        moved(handle, to: to)
    }

    /// Two names change places.
    func exchange(_ first: (LocalHandle, LocalPlace), _ second: (LocalHandle, LocalPlace)) throws(DiskFailure) {
        let (one, two) = (try directory(first.1.directory), try directory(second.1.directory))
        guard baton_rename_exchanging(one.number, first.1.name.cString, two.number, second.1.name.cString) == 0 else {
            throw DiskFailure("exchange two files")
        }
        note(first.1.directory, second.1.directory)
        moved(first.0, to: second.1)
        moved(second.0, to: first.1)
    }

    /// Whether scans leave the node out: another look would not help.
    private func isLeftOut(_ directory: OpenNode, _ name: [UInt8]) -> Bool {
        guard let node = try? DiskNode.look(directory.number, name) else { return false }
        return node.kind == nil || node.isMountPoint || isLeftOut(node, directory, name)
            || isCopiedPlaceholder(node, directory, name)
            || IgnoreRules.isTemporary(name) || IgnoreRules.ignores(name)
    }

    func isLeftOut(_ node: DiskNode, _ directory: OpenNode, _ name: [UInt8]) -> Bool {
        guard node.kind == .symbolicLink, let leftOutTargets else { return false }
        return ContainerEngine.target(of: name, in: directory)?.starts(with: leftOutTargets) ?? false
    }

    private func moved(_ handle: LocalHandle, to place: LocalPlace) {
        if place.directory == stagingHandle {
            staged[handle] = place.name.bytes
            // A directory that waits there is opened by its place.
            places[handle] = place
        } else {
            staged[handle] = nil
            places[handle] = place
        }
    }

    func unlink(_ place: LocalPlace, _ handle: LocalHandle, isDirectory: Bool) throws(DiskFailure) {
        let directory = try directory(place.directory)
        guard unlinkat(directory.number, place.name.cString, isDirectory ? AT_REMOVEDIR : 0) == 0 else {
            throw DiskFailure("remove a file")
        }
        note(place.directory)
        places[handle] = nil
        staged[handle] = nil
    }

    /// Removes what waits in staging.
    func discard(_ handle: LocalHandle) {
        guard let name = staged.removeValue(forKey: handle) else { return }
        remove(name, in: staging.number, depth: 0)
        for suffix in DatabaseFiles.suffixes { remove(name + suffix, in: staging.number, depth: 0) }
        places[handle] = nil
    }

    func remove(_ name: [UInt8], in directory: Int32, depth: Int) {
        let path = name.map { CChar(bitPattern: $0) } + [0]
        guard unlinkat(directory, path, 0) != 0, errno == EISDIR || errno == EPERM, depth < Self.maximumDepth else {
            return
        }
        guard unlinkat(directory, path, AT_REMOVEDIR) != 0, errno == ENOTEMPTY,
            let folder = try? OpenNode(openat(directory, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), "open")
        else { return }
        withExtendedLifetime(folder) {
            for name in (try? names(in: folder.number)) ?? [] { remove(name, in: folder.number, depth: depth + 1) }
        }
        _ = unlinkat(directory, path, AT_REMOVEDIR)
    }

    /// After a start: files beside databases that are not in staging any more.
    func discardOrphans() {
        let known = Set(staged.values)
        for name in (try? names(in: staging.number)) ?? [] {
            if let database = DatabaseFiles.database(of: name), !known.contains(database) {
                remove(name, in: staging.number, depth: 0)
            }
        }
    }

    func keepStaged(_ handle: LocalHandle, as name: [UInt8]) {
        staged[handle] = name
        note(stagingHandle)
    }
}

extension EntryName {
    var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }
}
