import BatonCore
import BatonTransport
import FileSync
import Files
import Foundation
import Glibc

/// Makes or finds a container's folders and what is known of it. Blocks.
struct ContainerOpener: Sendable {
    let store: DocumentsStore
    let name: ContainerName
    let account: DocumentsAccount
    let directory: String
    /// Where a folder of the person is; nil for every other container.
    let folder: String?
    var isReadOnly = false
    let ports: ContainerDependencies

    func open() throws -> ContainerEngine {
        let path = folder ?? "\(directory)/\(name.directory)"
        let staging: String
        if let folder {
            staging = try FolderMark.staging(of: folder)
        } else {
            staging = "\(directory)/.staging/\(name.directory)"
            for folder in [directory, "\(directory)/.staging", path, staging] { try SecureDirectory.prepare(folder) }
            let isNew = mkdir("\(path)/Documents", 0o700) == 0
            guard isNew || errno == EEXIST || errno == ENOTDIR else {
                throw DiskFailure("make the container's documents")
            }
        }
        var disk = try ContainerDisk(path: path, staging: staging)
        let row = try row(disk, at: path)
        if let folder, Self.areApart(folder, directory) {
            let identity = row.identity
            disk = try ContainerDisk(path: path, staging: staging) { FolderMark.identity(of: folder) == identity }
        }
        // The documents of this device's apps, which are shown among the person's own.
        if name == .drive { disk.leftOutTargets = Array("\(directory)/".utf8) }
        if folder != nil { disk.ignoring = IgnoreFile() }
        var state = FileSyncState(
            actor: ActorID(rawValue: row.actor), policy: folder == nil ? .versions : .files, traits: FileSystemTraits(),
            rootHandle: disk.rootHandle, stagingHandle: disk.stagingHandle, device: ports.device, keepsHistory: true)
        let loaded = try store.load(
            row, entry: { entry, _ in state.restore(entry) }, record: { id, record in state.restore(record, of: id) })
        state.restore(loaded.state)
        state.isReadOnly = isReadOnly
        let seed = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
        // The memory that the rows of a large tree were read into is free again.
        FreeMemory.giveBackSoon()
        var direct = DirectState(hasCloud: account.hasCloud)
        try direct.load(store, row.id)
        return ContainerEngine(
            name: name, path: path, row: row, disk: disk, shelf: try ContentShelf(staging: disk.staging),
            notInCloud: account.hasCloud ? Set(try store.nearby(in: row.id)) : [], direct: direct,
            planner: FileSyncPlanner(state: state, identifiers: IdentifierSource(seed: seed)),
            keeping: StateKeeping(store, row, loaded), ports: ports)
    }

    /// Whether two folders are on different file systems, of which one may be unmounted.
    private static func areApart(_ one: String, _ other: String) -> Bool {
        let (first, second) = (fileSystem(of: one), fileSystem(of: other))
        return first != nil && second != nil && first != second
    }

    /// The file system of a folder, or of the nearest one around it where there is none.
    private static func fileSystem(of path: String) -> NSNumber? {
        var path = path
        while true {
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            if let number = attributes?[.systemNumber] as? NSNumber { return number }
            let parent = (path as NSString).deletingLastPathComponent
            guard parent != path, !parent.isEmpty else { return nil }
            path = parent
        }
    }

    /// A folder that was replaced holds nothing that is known: its files come again, and nothing counts as deleted.
    private func row(_ disk: ContainerDisk, at path: String) throws -> DocumentsStore.Container {
        let known = try store.containers().first { $0.name == name }
        guard var row = known, row.account == account.account.rawValue else {
            let left = known.flatMap { try? store.load($0).state.base } ?? [:]
            // One that was left while its disk was away still has its mark, and placeholders of what it had then.
            let wasLeft = known == nil && folder.flatMap(FolderMark.identity(of:)) != nil
            let placeholders = wasLeft ? LeftPlaceholder.all(on: disk) : LeftPlaceholder.all(of: left, in: path)
            // On the disk first: what is known of a folder is known of one with this identity only.
            let identity = DocumentsStore.newIdentity()
            if let folder { try FolderMark.set(identity, of: folder) }
            let row = try store.create(
                name, account: account.account.rawValue, rootHandle: disk.rootHandle, identity: identity)
            // Not before: in the old account each would be a document that was deleted.
            for placeholder in placeholders { placeholder.remove() }
            return row
        }
        let handle = Data(disk.rootHandle.bytes.bytes)
        // Another folder of that name: its files do not belong to this one, and this one's contents do not belong there.
        if let folder, FolderMark.identity(of: folder) != row.identity { throw FolderMark.away(folder) }
        if row.rootHandle != handle {
            let placeholders = LeftPlaceholder.all(on: disk)
            try store.forgetDisk(row.id, rootHandle: disk.rootHandle)
            row.rootHandle = handle
            // Nothing is known of them any more, and new ones are to have their places.
            for placeholder in placeholders { placeholder.remove() }
        }
        return row
    }
}
