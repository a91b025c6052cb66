import BatonCore
import FileSync
import Foundation
import Glibc

/// Documents of apps that leave a disk with little room. On the queue.
extension ContainerEngine {
    /// Files in it are the person's; the rest of a container is its app's, which may not look for a placeholder there.
    static let documentsName = "Documents"

    /// Files below `Documents` whose contents are stored elsewhere, and that are not to be kept here.
    func roomCandidates() -> [EvictionChoice.Candidate<EntryID>] {
        guard !isStopped, hasScanned, notes.problem == nil, !isCloudAway || !ports.peers.nearby().isEmpty else {
            return []
        }
        var candidates: [EvictionChoice.Candidate<EntryID>] = []
        let base = planner.state.base
        for (id, outline) in base.outlines
        where !outline.isPlaceholder && outline.fingerprint.size > EvictionChoice.least {
            guard let record = base[id], planner.mayLeave(id, unlessKept: true), isElsewhere(record),
                isInDocuments(record)
            else { continue }
            candidates.append(
                .init(id: id, bytes: record.fingerprint.size, lastUse: lastUse(record) ?? record.fingerprint.modified))
        }
        return candidates
    }

    /// Nothing of it waits for the cloud, or for another device.
    private func isElsewhere(_ record: BaseRecord) -> Bool {
        guard let hash = record.hash else { return false }
        return ledger.sending[hash] == nil && ledger.toKeep[hash] == nil && !ledger.notInCloud.contains(hash)
    }

    func isInDocuments(_ record: BaseRecord) -> Bool {
        var (parent, depth) = (record.parent, 0)
        while depth < ContainerDisk.maximumDepth, let directory = planner.state.base[parent] {
            if directory.parent == .root { return directory.sharedName.bytes.elementsEqual(Self.documentsName.utf8) }
            (parent, depth) = (directory.parent, depth + 1)
        }
        return false
    }

    /// - Parameter shown: paths that apps show now.
    /// - Returns: those that go.
    func leaveForRoom(_ ids: [EntryID], shown: Set<String>) -> [EntryID] {
        guard !isStopped else { return [] }
        let leaving = ids.filter { id in
            guard planner.mayLeave(id, unlessKept: true), let record = planner.state.base[id],
                let (directory, name, _) = disk.find(record.handle), !isShown(record, shown)
            else { return false }
            return record.kind == .package
                ? OpenFiles.areNone(inPackage: name, directory)
                : !DatabaseFiles.isDatabase(directory, name) && OpenFiles.isFree(name, directory)
        }
        let fresh = leaving.filter { !ledger.evicting.contains($0) }
        guard !fresh.isEmpty else { return leaving }
        record(
            "contents_left",
            "The disk has little room: the contents of \(fresh.count) documents of “\(name)” that were not used for longest leave it.",
            ["files": String(fresh.count)])
        if isCloudAway {
            ledger.evictingForRoom.formUnion(fresh)
            ledger.evictWhenKept(fresh, self)
        } else {
            inbox.append(.command(.makeRoom(fresh)))
            round()
        }
        return leaving
    }

    private func isShown(_ record: BaseRecord, _ shown: Set<String>) -> Bool {
        guard !shown.isEmpty, let place = disk.places[record.handle], let path = path(of: place) else { return false }
        return shown.contains(path) || record.kind == .package && shown.contains { $0.hasPrefix(path + "/") }
    }
}

/// Whether programs have files open, also by a mapping alone.
private enum OpenFiles {
    private static let setLease: Int32 = 1024
    private static let maximumDepth = 50
    private static let maximumFiles = 10_000

    /// A file system that cannot say so has none open: what a program has open stays what it is, whatever takes its place.
    static func isFree(_ name: [UInt8], _ directory: OpenNode) -> Bool {
        guard
            let file = try? OpenNode(
                openat(
                    directory.number, name.map { CChar(bitPattern: $0) } + [0],
                    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), "open a file")
        else { return false }
        // A lease for writing needs it to be open here alone.
        guard fcntl(file.number, setLease, F_WRLCK) == 0 else { return errno != EAGAIN && errno != EBUSY }
        _ = fcntl(file.number, setLease, F_UNLCK)
        return true
    }

    static func areNone(inPackage name: [UInt8], _ directory: OpenNode) -> Bool {
        var left = maximumFiles
        return areNone(name, directory, 0, &left)
    }

    private static func areNone(_ name: [UInt8], _ parent: OpenNode, _ depth: Int, _ left: inout Int) -> Bool {
        guard depth < maximumDepth,
            let directory = try? OpenNode(
                openat(
                    parent.number, name.map { CChar(bitPattern: $0) } + [0],
                    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), "open a directory"),
            let names = try? ContainerDisk.names(in: directory.number)
        else { return false }
        for name in names {
            left -= 1
            guard left > 0, let node = try? DiskNode.look(directory.number, name) else { return false }
            switch node.kind {
            case .directory: guard areNone(name, directory, depth + 1, &left) else { return false }
            case .symbolicLink: continue
            default: guard isFree(name, directory) else { return false }
            }
        }
        return true
    }
}
