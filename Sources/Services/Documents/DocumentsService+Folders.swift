import BatonConcurrency
import BatonCore
import FileSync
import Foundation
import Glibc
import Sync

/// Folders that the person keeps equal on several devices, without an app. Each is a container of the person's own, whose place the
/// person chooses on each device.
extension DocumentsService {
    /// One folder, here or on other devices of the account.
    struct Folder: Sendable {
        enum State: String, Sendable {
            /// It syncs.
            case here
            /// Its disk is not mounted, or it was removed. It is looked for.
            case away
            /// Other devices of the account have it.
            case elsewhere
        }
        var name: String
        /// Empty for one that is elsewhere.
        var path: String
        var state: State
        /// It only receives here.
        var isReadOnly = false
        var container: ContainerEngine?
    }

    private static let lookingPause = Duration.seconds(5)

    private static let disk = BlockingQueue("development.baton.documents-folders")

    func listFolders() async -> [Folder] {
        let running = Dictionary(uniqueKeysWithValues: running.map { ($0.name, $0) })
        let readOnly = readOnlyFolders
        let here = folders.sorted { $0.key < $1.key }.map { name, path in
            Folder(
                name: name.folderName ?? name.identifier, path: path, state: running[name] == nil ? .away : .here,
                isReadOnly: readOnly.contains(name), container: running[name])
        }
        let others = await elsewhere().compactMap(\.folderName)
        return here + others.map { Folder(name: $0, path: "", state: .elsewhere, container: nil) }
    }

    func folder(_ name: String) async throws(BatonError) -> Folder {
        guard let folder = await listFolders().first(where: { $0.name == name }) else { throw await unknown(name) }
        return folder
    }

    /// Begins to keep a folder equal. Its files stay: with those of other devices, equal files are one, and others stand beside
    /// each other.
    /// - Parameters:
    ///   - path: absolute.
    ///   - joins: the account has a folder of that name. Else it must have none.
    ///   - isReadOnly: it only receives here. It must be empty then, since its contents are not sent.
    ///   - marks: which contents are to be here.
    func addFolder(
        _ name: String, at path: String, joins: Bool, isReadOnly: Bool = false, _ marks: FolderMarks = FolderMarks()
    ) async throws -> Folder {
        guard account != nil else { throw Self.noAccount }
        guard let container = ContainerName.folder(name) else { throw Self.badName(name) }
        // Before anything is made, and again when no other folder can come between.
        try await checkName(name, container, joins: joins)
        let others = taken
        let place = try await Self.disk.run { try FolderPlace.prepare(path, makes: joins, apartFrom: others) }
        return try await inTurn {
            try await checkName(name, container, joins: joins)
            let others = taken
            try await Self.disk.run { [store] in
                _ = try FolderPlace.prepare(place, makes: false, apartFrom: others)
                try Self.checkIsNoOther(place, store)
                if isReadOnly { try FolderPlace.checkIsEmpty(place) }
                try FolderMark.make(in: place)
                try store.addFolder(name, path: place, isReadOnly: isReadOnly)
            }
            setFolder(container, path: place, isReadOnly: isReadOnly)
            do {
                let sync = try await openAgain(container, marks)
                if !joins { try await beginNew(sync) }
                folderChanges.send(())
                return Folder(name: name, path: place, state: .here, isReadOnly: isReadOnly, container: sync)
            } catch {
                try? await forget(container, at: place)
                throw error
            }
        }
    }

    /// A folder of this device may have another path now: its disk was mounted elsewhere, say. A copy of it has another handle.
    /// Blocks.
    private static func checkIsNoOther(_ place: String, _ store: DocumentsStore) throws {
        guard let identity = FolderMark.identity(of: place) else { return }
        let root = try OpenNode(Glibc.open(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), "open the folder")
        let handle = Data(try withExtendedLifetime(root) { try DiskNode.look(root.number) }.handle.bytes.bytes)
        guard let other = try store.containers().first(where: { $0.identity == identity && $0.rootHandle == handle }),
            let name = other.name.folderName, let path = try store.folders()[other.name]
        else { return }
        throw BatonError(
            .alreadyExists, reason: "folder_exists",
            "“\(place)” is the folder “\(name)”, which this device has at “\(path)”. To have it here, run “baton folder leave "
                + "\(name)”, then “baton folder join \(name) DIR”.")
    }

    /// Directories that a folder must neither be in nor hold.
    private var taken: [String] { Array(folders.values) + reserved + [directory] }

    private func checkName(_ name: String, _ container: ContainerName, joins: Bool) async throws {
        let isElsewhere = await elsewhere().contains(container)
        if let place = folders[container] {
            let advice =
                joins
                ? "To have it elsewhere, run “baton folder leave \(name)” first; the files there stay."
                : "Choose another name with --name."
            throw BatonError(
                .alreadyExists, reason: "folder_exists",
                "This device has a folder “\(name)” already: “\(place)”. \(advice)")
        }
        if joins, !isElsewhere { throw await unknown(name) }
        if !joins, isElsewhere {
            throw BatonError(
                .alreadyExists, reason: "folder_exists",
                "The account has a folder “\(name)” already. “baton folder join \(name) DIR” brings it here; --name chooses another "
                    + "name.")
        }
    }

    /// Ends to keep it equal on this device. Its files stay, here and on other devices; placeholders of what is not here go.
    /// - Returns: where it is.
    func leaveFolder(_ name: String) async throws -> String {
        guard let container = ContainerName.folder(name), let path = folders[container] else {
            throw await unknown(name)
        }
        try await inTurn {
            let open = running.first { $0.name == container }
            let placeholders = try? await open?.perform { $0.reader.leftPlaceholders }
            await close(container)
            // The mark of one that is away stays: what is on its disk then goes when it is added again.
            try await forget(container, at: path, removesMark: open != nil)
            // Not before: while the folder is kept equal a placeholder that goes is a document that was deleted.
            await Self.disk.run { for placeholder in placeholders ?? [] { placeholder.remove() } }
        }
        return path
    }

    /// The account lists a folder no more that this device does not have. Nothing of it is deleted anywhere: a device that has it after
    /// all lists it again, and one that adds a folder of its name gets what the cloud and other devices have of it.
    func forgetFolder(_ name: String) async throws {
        guard account != nil else { throw Self.noAccount }
        guard let container = ContainerName.folder(name) else { throw await unknown(name) }
        try await inTurn {
            if let place = folders[container] {
                throw BatonError(
                    .failedPrecondition, reason: "folder_is_here",
                    "This device has the folder “\(name)”: “\(place)”. Run “baton folder leave \(name)” first; its files stay."
                )
            }
            guard await elsewhere().contains(container) else { throw await unknown(name) }
            let list = ContainerDirectory(drive: self.path(of: .drive))
            try await Self.disk.run { try list.remove(container) }
        }
    }

    private func forget(_ container: ContainerName, at path: String, removesMark: Bool = true) async throws {
        try await Self.disk.run { [store] in
            try store.removeFolder(container)
            if removesMark { FolderMark.remove(from: path) }
        }
        setFolder(container, path: nil)
        folderChanges.send(())
    }

    func hasFolder(_ name: ContainerName) -> Bool { folders[name].map(FolderMark.isThere) ?? false }

    // MARK: Folders that go and come

    /// For as long as the person has folders here.
    func lookForFolders() async {
        var failures: [ContainerName: OpeningPauses] = [:]
        for await _ in folderChanges.subscribe([()]) {
            while !folders.isEmpty {
                for (name, path) in folders.sorted(by: { $0.key < $1.key }) {
                    guard failures[name]?.isDue() != false else { continue }
                    if await look(for: name, at: path) {
                        failures[name] = nil
                    } else {
                        failures[name, default: OpeningPauses()].failed()
                    }
                }
                // Another device may have forgotten one that is here.
                await noteContainers()
                do { try await Task.sleep(for: Self.lookingPause) } catch { return }
            }
        }
    }

    /// - Returns: false where it is there and cannot be opened.
    private func look(for name: ContainerName, at path: String) async -> Bool {
        if let container = running.first(where: { $0.name == name }) {
            // No watch reports a folder that was deleted together with its parent.
            let identity = container.row.identity
            let isThere = await Self.disk.run { FolderMark.identity(of: path) == identity }
            let isGone = try? await container.perform { !isThere || $0.notes.problem?.reason == "container_gone" }
            guard isGone == true else { return true }
            // Its disk may come back as another mount: then it is opened anew.
            await inTurn { await close(name) }
            return true
        }
        guard let account else { return true }
        let isReady = try? await Self.disk.run { [store] in
            let kept = try store.containers().first { $0.name == name }
            guard let kept else { return FolderMark.isThere(path) }
            // Another disk is left alone, until the folder's own is there.
            return kept.account == account.account.rawValue && FolderMark.identity(of: path) == kept.identity
        }
        guard isReady == true else { return true }
        do {
            _ = try await inTurn { folders[name] == path ? try await openAgain(name) : nil }
            return true
        } catch {
            return false
        }
    }

    // MARK: Errors

    static func needsPlace(_ name: ContainerName) -> BatonError {
        needsPlace(name.folderName ?? "")
    }

    static func notHere(_ folder: Folder) -> BatonError {
        folder.state == .away ? FolderMark.away(folder.path) : needsPlace(folder.name)
    }

    private static func needsPlace(_ folder: String) -> BatonError {
        BatonError(
            .failedPrecondition, reason: "folder_without_place",
            "“\(folder)” is a folder of yours. Say where it is to be: “baton folder join \(folder) DIR”.")
    }

    private func unknown(_ name: String) async -> BatonError {
        let meant = SpokenName.meant(name, among: await listFolders().map(\.name))
        return BatonError(
            .notFound, reason: "unknown_folder",
            "There is no folder “\(name.shortened(toBytes: 100))”. \(meant)“baton folder list” shows those that there are; those of other devices "
                + "come when they are near, or through the account's cloud (“baton cloud status”).")
    }

    private static func badName(_ name: String) -> BatonError {
        BatonError(
            .invalidArgument, reason: "bad_folder_name",
            "“\(name.shortened(toBytes: 100))” cannot name a folder. Give it a name of at most 60 letters, digits, “-” and “_” with --name."
        )
    }
}
