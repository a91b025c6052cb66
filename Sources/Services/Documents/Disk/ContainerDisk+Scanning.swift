import BatonCore
import FileSync
import Glibc

extension ContainerDisk {
    /// The known state that a scan needs.
    struct ScanContext {
        /// Whether the planner knows the handle: then it is shown under any name.
        var isKnown: (LocalHandle) -> Bool
        /// Whether the planner knows a placeholder by the handle that had another time or size.
        var isWrittenOver: (LocalHandle, Fingerprint) -> Bool = { _, _ in false }
        /// Whether changes in a directory are reported: it is not listed with the one that it is in then.
        var isWatched: (LocalHandle) -> Bool
        /// Called before a directory is listed, so that no change after that is missed.
        var willList: (OpenNode, LocalHandle) -> Void
        /// Whether a directory of this name, in another one, is a package.
        var isPackage: (_ directory: LocalHandle, _ name: [UInt8], LocalHandle) -> Bool = { _, _, _ in false }
        /// Whether the planner knows something at a place. Then a file that a program puts there is that one, also under a name that
        /// is ignored.
        var isSynced: (LocalPlace) -> Bool = { _ in false }
        /// Earlier attributes, for a file system without them.
        var attributes: (LocalHandle) -> [MetadataKey: ByteString]
        /// Called after each directory.
        var didList: () -> Void = {}
    }

    /// The whole tree. Not complete where a directory cannot be read.
    func scanEverything(_ context: ScanContext) -> LocalScan {
        let old = places
        places = old.places(in: stagingHandle)
        insides = [:]
        var scan = LocalScan(listings: [], isComplete: true)
        list([rootHandle], context, into: &scan, onlyNew: false)
        // The children of a directory that is out of the tree for a moment are still there.
        if !scan.isComplete || places.hasPlaces(in: stagingHandle) { places.add(old) }
        return scan
    }

    /// The whole tree, up to three times until no directory was moved meanwhile, and no file renamed while it was listed: one that is
    /// moved while others are listed may be in none of the lists, or in two.
    /// - Parameter hasMoves: whether a directory was moved since it was called last.
    func scanSteadily(_ context: ScanContext, hasMoves: () -> Bool) -> (scan: LocalScan, isSteady: Bool) {
        _ = hasMoves()
        for _ in 0..<2 {
            let scan = scanEverything(context)
            guard hasMoves() || isTorn else { return (scan, true) }
        }
        let scan = scanEverything(context)
        return (scan, !hasMoves() && !isTorn)
    }

    /// Some directories, and what is new in them.
    func scan(_ directories: Set<LocalHandle>, _ context: ScanContext) -> LocalScan {
        var scan = LocalScan(listings: [], isComplete: false)
        list(Array(directories).sorted(by: shallowFirst), context, into: &scan, onlyNew: true)
        scan.isComplete = false
        return scan
    }

    /// Parents come before what is in them.
    private func shallowFirst(_ left: LocalHandle, _ right: LocalHandle) -> Bool { depth(left) < depth(right) }

    private func depth(_ handle: LocalHandle) -> Int {
        var (current, depth) = (handle, 0)
        while let place = places[current], depth < Self.maximumDepth { (current, depth) = (place.directory, depth + 1) }
        return depth
    }

    private func list(
        _ directories: [LocalHandle], _ context: ScanContext, into scan: inout LocalScan, onlyNew: Bool
    ) {
        (closed, covered, isTorn, hasMissed) = (nil, nil, false, false)
        var seen: Set<LocalHandle> = []
        let followed = FollowedRules()
        var open = directories
        var listed: Set<LocalHandle> = []
        let asked = Set(directories)
        var index = 0
        while index < open.count {
            let handle = open[index]
            index += 1
            guard listed.insert(handle).inserted else { continue }
            let nodes: [LocalNode]
            do {
                let directory = try directory(handle)
                context.willList(directory, handle)
                nodes = try self.nodes(in: directory, handle, context, followed, copies: &scan.copies)
            } catch {
                scan.isComplete = false
                if (error as? DiskFailure)?.reason == "file_access_denied" {
                    if closed == nil { closed = handle }
                } else if !asked.contains(handle) {
                    // One that was asked for may be deleted, and the look at what it is in shows that.
                    hasMissed = true
                }
                continue
            }
            scan.listings.append((handle, nodes))
            context.didList()
            // Each name has its own handle, so it was renamed between two looks.
            for node in nodes where !seen.insert(node.handle).inserted { isTorn = true }
            for node in nodes where node.kind == .directory && !(onlyNew && context.isWatched(node.handle)) {
                open.append(node.handle)
            }
        }
        if covered != nil { scan.isComplete = false }
    }

    /// A package is one thing: its fingerprint stands for all that is in it, and changes in it are changes here.
    private func kind(
        of node: inout DiskNode, _ directory: OpenNode, _ handle: LocalHandle, _ name: [UInt8], _ context: ScanContext
    ) throws -> EntryKind? {
        guard node.kind == .directory else { return node.kind }
        guard context.isPackage(handle, name, node.handle) else {
            packages.remove(node.handle)
            return .directory
        }
        let package = node.handle
        let opened: OpenNode
        do throws(DiskFailure) {
            opened = try PackageTree.open(name, in: directory)
        } catch {
            if [ENOENT, ENOTDIR, ELOOP].contains(error.code) { return nil }
            throw error
        }
        packages.insert(package)
        let tree = PackageTree(opened) { folder, inside in
            insides[inside] = package
            context.willList(folder, inside)
        }
        node.fingerprint = tree.fingerprint
        return .package
    }

    private func nodes(
        in directory: OpenNode, _ handle: LocalHandle, _ context: ScanContext, _ followed: FollowedRules,
        copies: inout [LocalHandle: EntryID]
    ) throws -> [LocalNode] {
        var nodes: [LocalNode] = []
        // Only where something is new.
        lazy var rules = rules(in: handle, followed)
        let names = try names(in: directory.number)
        // Where there is no log, none is looked for beside each file. A log that appears now causes an event.
        let hasLogs = names.contains { $0.suffix(DatabaseFiles.log.count).elementsEqual(DatabaseFiles.log) }
        for name in names where !IgnoreRules.isTemporary(name) {
            guard var found = try DiskNode.look(directory.number, name) else {
                // Gone meanwhile, perhaps to a name that was looked at before: a scan that follows shows it.
                if !IgnoreRules.ignores(name) { isTorn = true }
                continue
            }
            // The files of another disk are not this folder's, and its root may have the handle of this one's.
            if found.isMountPoint {
                let place = (try? EntryName(name)).map { LocalPlace(directory: handle, name: $0) }
                if covered == nil, let place, context.isSynced(place) { covered = place }
                continue
            }
            let isKnown = context.isKnown(found.handle)
            guard
                isKnown || !IgnoreRules.ignores(name), let entryName = try? EntryName(name),
                isKnown
                    || !isIgnored(
                        entryName, in: handle, rules, isDirectory: found.kind == .directory, context),
                let kind = try kind(of: &found, directory, handle, name, context)
            else { continue }
            if isLeftOut(found, directory, name) { continue }
            if hasLengthOfPlaceholder(found), !isKnown || context.isWrittenOver(found.handle, found.fingerprint) {
                copies[found.handle] = placeholder(directory, name)
            }
            if kind == .file {
                // A file beside a database goes with it, and is no document.
                if DatabaseFiles.isBeside(directory, name) { continue }
                if hasLogs { found.fingerprint = DatabaseFiles.fingerprint(found.fingerprint, directory, name) }
            }
            var metadata: [MetadataKey: ByteString] = [:]
            if kind != .symbolicLink {
                metadata =
                    hasAttributes
                    ? FileAttributes.read(directory.number, name) { context.attributes(found.handle) }
                    : context.attributes(found.handle)
                metadata[.mode] = FileAttributes.mode(found.mode, of: kind)
            }
            places[found.handle] = LocalPlace(directory: handle, name: entryName)
            nodes.append(
                LocalNode(
                    handle: found.handle, kind: kind, name: entryName, fingerprint: found.fingerprint,
                    metadata: metadata))
        }
        return nodes
    }
}
