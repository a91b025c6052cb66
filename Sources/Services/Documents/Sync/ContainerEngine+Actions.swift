import BatonConcurrency
import BatonCore
import FileSync
import Foundation
import Glibc

/// Performs the planner's actions.
extension ContainerEngine {
    private static let busyDelay = Duration.milliseconds(250)
    /// Before the first time that a file is read again: most that are busy were just written.
    private static let shortDelay = Duration.milliseconds(20)
    /// In nanoseconds.
    private static let databaseRest: Int64 = 1_000_000_000
    private static let databasePatience = Duration.seconds(10)
    /// Files up to this size are read at once, others beside everything else.
    private static let smallFile: UInt64 = 128 * 1024

    func perform(_ action: FileSyncAction) {
        switch action {
        case .scanEverything: lookLater()
        case .scan(let directories): inbox.append(.scanned(disk.scan(Set(directories), context)))
        case .read(let handle, let kind, let fingerprint): read(handle, kind, fingerprint)
        case .upload(let version, let handle): ledger.upload(version, from: handle, self)
        case .push(let entries):
            outbox = entries.map(\.id)
            ports.trigger()
        case .stage(let id, let kind, let request, let metadata): stage(id, kind, request, metadata)
        case .discard(let handle): disk.discard(handle)
        case .perform(let id, let step): perform(step, of: id)
        case .compare(let handle): compare(handle)
        case .deletionsHeld(let files):
            record(
                "deletions_held",
                "\(files) files of “\(name)” are missing at once. They stay on the other devices until you say whether you "
                    + "deleted them: “baton documents deletions”.", ["files": String(files)])
        }
    }

    /// Records for the person the problem that keeps a file from coming to its place.
    func note(_ outcome: StepOutcome, of id: EntryID) {
        let isGone = planner.state.entries.placement(of: id) == .gone
        switch outcome {
        // Where changes are not taken in, that is one of them, which is shown as such.
        case .failed where disk.failure?.isObstructed == true, .changed where !isReadOnly && planner.isObstructed(id):
            if let handle = ignoredDirectory(inPlaceOf: id) {
                adopting.insert(handle)
                lookLater()
                if adopted.insert(handle).inserted { return }
            }
            let name = planner.state.intents[id]?.outcome[id]??.localName.description ?? ""
            notes.unmade.insert(id)
            notes.problems[id] = BatonError(
                .failedPrecondition, reason: "name_taken",
                "“\(name.shortened(toBytes: 200))” cannot be put in its place: something that does not sync has its name there. "
                    + "Move or rename that; then it comes.")
        case .failed where disk.failure?.reason == "database_in_use":
            notes.problems[id] = BatonError(
                .unavailable, reason: "database_in_use",
                isGone
                    ? "It was deleted on another device, and stays here, since a program has this database open. Quit the program; then it goes."
                    : "A program has this database open here, so the newer one waits. Quit the program; then it comes.")
        case .failed where disk.failure?.code == ENOTEMPTY:
            notes.problems[id] = BatonError(
                .failedPrecondition, reason: "left_behind",
                "It was deleted or replaced on another device, and stays here, since something in it does not sync. Move that away; then "
                    + "it goes.")
        case .failed:
            let failure = disk.failure ?? DiskFailure("change a file", code: EIO)
            notes.problems[id] = BatonError(
                .unknown, reason: failure.reason,
                isGone
                    ? "It was deleted on another device, and stays here: \(failure). It is tried again."
                    : "A file of “\(name)” cannot be put in its place here: \(failure). It is tried again.")
        case .done: notes.problems[id] = nil
        case .changed: break
        }
    }

    /// The directory that a rule of the folder leaves out, and whose place another one is to have. Its contents stay ignored.
    private func ignoredDirectory(inPlaceOf id: EntryID) -> LocalHandle? {
        guard hasScanned, !isReadOnly, planner.state.entries[id]?.kind == .directory,
            case .place(_, let place)? = planner.state.intents[id]?.step, disk.isIgnored(place, isDirectory: true),
            !IgnoreRules.isTemporary(place.name.bytes), !IgnoreRules.ignores(place.name.bytes),
            String(validating: place.name.bytes, as: UTF8.self).map(ports.isPackage) != true,
            let node = try? disk.node(at: place), node.kind == .directory,
            planner.state.base.id(of: node.handle) == nil
        else { return nil }
        return node.handle
    }

    // MARK: Reading

    /// Once the apps that write to it let the sync at it.
    func read(_ handle: LocalHandle, _ kind: EntryKind, _ fingerprint: Fingerprint, attempts: Int = 0) {
        reads.wanted[handle] = nil
        guard planner.isReading(handle, fingerprint) else { return claims.forget(.reading(handle)) }
        guard let (directory, name, node) = disk.find(handle) else {
            claims.forget(.reading(handle))
            return inbox.append(.readFailed(handle))
        }
        guard node.fingerprint == fingerprint else {
            claims.forget(.reading(handle))
            return lookAgain(at: handle, kind, fingerprint, attempts)
        }
        guard claimReading(handle, kind, fingerprint) else { return }
        // The claim ends with the reading, which goes on beside this for a large file.
        defer { if !reads.underWay.contains(handle) { claims.end(.reading(handle), []) } }
        if kind == .symbolicLink {
            guard let target = Self.target(of: name, in: directory) else { return inbox.append(.readFailed(handle)) }
            return inbox.append(.contentRead(handle, fingerprint, Self.link(target)))
        }
        do {
            let file = try disk.resting(directory, name, handle)
            guard file.fingerprint == fingerprint else { return lookAgain(at: handle, kind, fingerprint, attempts) }
            guard mayRead(file, handle) else { return readLater(handle, kind, fingerprint, max(attempts, 2)) }
            let earlier = list(of: handle)
            let sizes = ChunkSizes.suiting(fingerprint.size, current: earlier?.sizes)
            reads.underWay.insert(handle)
            readContent(of: file, sizes, earlier: earlier) { container, result in
                container.reads.underWay.remove(handle)
                container.claims.end(.reading(handle), [])
                switch result {
                case .success(let content):
                    container.readable(handle)
                    container.reads.since[handle] = nil
                    container.disk.note(content.hash, of: file)
                    container.inbox.append(.contentRead(handle, fingerprint, content))
                case .failure(StableFile.UnstableFileError.busy):
                    container.readLater(handle, kind, fingerprint, attempts)
                case .failure(StableFile.UnstableFileError.unreadable(let code)):
                    container.unreadable(handle, code)
                    container.readLater(handle, kind, fingerprint, attempts)
                case .failure: container.inbox.append(.readFailed(handle))
                }
            }
        } catch StableFile.UnstableFileError.busy {
            readLater(handle, kind, fingerprint, attempts)
        } catch StableFile.UnstableFileError.unreadable(let code) {
            unreadable(handle, code)
            readLater(handle, kind, fingerprint, attempts)
        } catch {
            inbox.append(.readFailed(handle))
        }
    }

    /// A database that a program writes to is read when it has rested for a moment, or has not for long.
    private func mayRead(_ file: any RestingContent, _ handle: LocalHandle) -> Bool {
        guard let database = file as? RestingDatabase, (0..<Self.databaseRest).contains(database.age) else {
            reads.databases[handle] = nil
            return true
        }
        let since = reads.databases[handle] ?? .now
        reads.databases[handle] = since
        guard since.duration(to: .now) > Self.databasePatience else { return false }
        reads.databases[handle] = nil
        return true
    }

    /// How the content before was cut.
    private func list(of handle: LocalHandle) -> ChunkList? {
        guard let id = planner.state.base.id(of: handle),
            case .chunks(let list)? = planner.state.entries[id]?.winner?.version.body
        else { return nil }
        return list
    }

    /// A process writes to it.
    private func readLater(
        _ handle: LocalHandle, _ kind: EntryKind, _ fingerprint: Fingerprint, _ attempts: Int
    ) {
        // A newer look at it has taken its place.
        guard planner.isReading(handle, fingerprint) else { return }
        reads.wanted[handle] = fingerprint
        if reads.since[handle] == nil {
            reads.since = reads.since.filter { reads.wanted[$0.key] != nil }
            reads.since[handle] = .now
        }
        let delay = attempts == 0 ? Self.shortDelay : Self.busyDelay * (1 << min(attempts - 1, 5))
        later(after: delay) { container in
            guard container.reads.wanted[handle] == fingerprint else { return }
            container.read(handle, kind, fingerprint, attempts: attempts + 1)
            container.round()
        }
    }

    /// It was written to since it was requested. A look at its directory shows its present state, and requests that.
    private func lookAgain(
        at handle: LocalHandle, _ kind: EntryKind, _ fingerprint: Fingerprint, _ attempts: Int
    ) {
        guard let place = disk.places[handle] else { return inbox.append(.readFailed(handle)) }
        readLater(handle, kind, fingerprint, attempts + 1)
        noticed([.changed(place.directory)])
    }

    /// It stays as it is here, and the other devices keep what they have of it.
    private func unreadable(_ handle: LocalHandle, _ code: Int32) {
        let failure = DiskFailure("read a file", code: code)
        let error = BatonError(
            failure.reason == "file_access_denied" ? .permissionDenied : .unknown, reason: "unreadable_file",
            "A file of “\(name)” cannot be read, so its changes are not sent (\(failure)). Allow your user to read it.")
        if let id = planner.state.base.id(of: handle) { notes.problems[id] = error }
        guard reads.unreadable.insert(handle).inserted else { return }
        record("unreadable_file", error.message)
    }

    private func readable(_ handle: LocalHandle) {
        guard reads.unreadable.remove(handle) != nil, let id = planner.state.base.id(of: handle) else { return }
        notes.problems[id] = nil
    }

    /// - Parameter done: is called on the queue, at once for a small file.
    private func readContent(
        of file: any RestingContent, _ sizes: ChunkSizes, earlier: ChunkList? = nil,
        _ done: @escaping @Sendable (isolated ContainerEngine, Result<LocalContent, any Error>) -> Void
    ) {
        let gear = ports.gear
        let (store, id) = (ports.store, row.id)
        let read: @Sendable () -> Result<LocalContent, any Error> = {
            Result {
                let known = earlier.flatMap { $0.sizes == sizes ? try? store.chunks(of: $0, in: id) : nil }
                let (content, runs) = try ContentReading.read(file, sizes: sizes, gear: gear, earlier: known ?? [])
                // Runs cannot be determined from the file by another device.
                try store.addRuns(runs, to: id)
                return content
            }
        }
        guard file.fingerprint.size > Self.smallFile else { return done(self, read()) }
        io.queue.async { [weak self] in
            let result = read()
            self?.later { container in
                done(container, result)
                container.round()
            }
        }
    }

    static func target(of name: [UInt8], in directory: OpenNode) -> [UInt8]? {
        var target = [CChar](repeating: 0, count: EntryLimits.linkBytes + 1)
        let count = readlinkat(
            directory.number, name.map { CChar(bitPattern: $0) } + [0], &target, target.count)
        guard count > 0, count <= EntryLimits.linkBytes else { return nil }
        return target.prefix(count).map { UInt8(bitPattern: $0) }
    }

    static func link(_ target: [UInt8]) -> LocalContent {
        LocalContent(
            size: UInt64(target.count), hash: ContentHash(of: target), body: .inline(ByteString(target)))
    }

    // MARK: Comparing

    /// A file that left the tree is looked at once no process can write to it any more.
    /// - Parameter isAnother: it is not the content any more that it was.
    private func compare(_ handle: LocalHandle, attempts: Int = 0, isAnother: Bool = false) {
        guard let file = planner.state.displaced[handle] else { return }
        guard disk.isStaged(handle), let (directory, name, node) = disk.find(handle) else {
            return inbox.append(.compared(handle, nil))
        }
        compared.insert(handle)
        if node.kind == .symbolicLink {
            let content = Self.target(of: name, in: directory).map(Self.link)
            return inbox.append(.compared(handle, content?.hash == file.hash ? nil : content))
        }
        do {
            // No other process uses it any more.
            if node.mode & 0o400 == 0 { disk.makeReadable(directory, name) }
            let resting = try disk.resting(directory, name, handle)
            if !isAnother, node.fingerprint.size > Self.smallFile {
                return hashContent(of: resting) { container, hash in
                    guard let hash else { return container.compareLater(handle, attempts) }
                    guard hash == file.hash else {
                        return container.compare(handle, attempts: attempts, isAnother: true)
                    }
                    container.compared.insert(handle)
                    container.comparedContents[handle] = hash
                    container.inbox.append(.compared(handle, nil))
                }
            }
            let sizes = ChunkSizes.suiting(node.fingerprint.size)
            readContent(of: resting, sizes) { container, result in
                guard let content = try? result.get() else { return container.compareLater(handle, attempts) }
                container.compared.insert(handle)
                container.comparedContents[handle] = content.hash
                if content.hash != file.hash, container.keepLateChange(handle) {
                    return container.inbox.append(.compared(handle, nil))
                }
                container.inbox.append(.compared(handle, content.hash == file.hash ? nil : content))
            }
        } catch {
            compareLater(handle, attempts)
        }
    }

    /// - Parameter done: is called on the queue; nil: it cannot be read now.
    private func hashContent(
        of file: any RestingContent, _ done: @escaping @Sendable (isolated ContainerEngine, ContentHash?) -> Void
    ) {
        io.queue.async { [weak self] in
            let hash = try? ContentReading.hash(file)
            self?.later { container in
                done(container, hash)
                container.round()
            }
        }
    }

    private func compareLater(_ handle: LocalHandle, _ attempts: Int) {
        later(after: Self.busyDelay * (1 << min(attempts, 5))) {
            $0.compare(handle, attempts: attempts + 1)
            $0.round()
        }
    }

    // MARK: Staging

    private func stage(
        _ id: EntryID, _ kind: EntryKind, _ request: StagingRequest, _ metadata: [MetadataKey: ByteString]
    ) {
        do {
            let (handle, fingerprint): (LocalHandle, Fingerprint)
            switch request {
            case .directory: (handle, fingerprint) = try disk.stageDirectory(metadata)
            case .placeholder(let version): (handle, fingerprint) = try stagePlaceholder(id, version, metadata)
            case .content(_, let version):
                if case .chunks = version.body { return ledger.fetch(id, kind, version, request, metadata, self) }
                guard let bytes = try keeping.bytes(of: version, of: id) else { return stagingOutdated(id, version) }
                if kind == .symbolicLink {
                    (handle, fingerprint) = try disk.stageLink(to: bytes.bytes, metadata)
                } else {
                    (handle, fingerprint) = try stage(kind, bytes.bytes, metadata)
                }
            }
            notes.problems[id] = nil
            inbox.append(.staged(id, request, handle, fingerprint))
        } catch {
            stagingFailed(id, error)
        }
    }

    /// No device keeps a content any more: another one has taken its place since it was requested.
    private func stagingOutdated(_ id: EntryID, _ version: FileVersion) {
        let isNamed = planner.state.entries[id]?.heads.values.contains { $0.hash == version.hash } ?? false
        guard !isNamed else { return stagingFailed(id, EntryCodec.notKept) }
        inbox.append(.stagingFailed(id))
        inbox.append(.retry([id]))
    }

    func stagingFailed(_ id: EntryID, _ error: any Error) {
        notes.progress[id] = nil
        let failure = error as? DiskFailure
        let folder = name.folderName ?? "\(name)"
        notes.unmade.insert(id)
        notes.problems[id] =
            error as? BatonError
            ?? BatonError(
                .unknown, reason: failure?.reason ?? "file_error",
                failure?.reason == "disk_full"
                    ? "The disk of “\(folder)” has no room for it. Free some space there; then it comes."
                    : "A file of “\(folder)” cannot be made here: \(failure?.description ?? "\(error)"). It is tried again."
            )
        inbox.append(.stagingFailed(id))
    }

    private func stage(
        _ kind: EntryKind, _ bytes: [UInt8], _ metadata: [MetadataKey: ByteString]
    ) throws -> (LocalHandle, Fingerprint) {
        let file = try disk.newContent(kind)
        do {
            try file.write(bytes)
            return try disk.finish(file, metadata)
        } catch {
            disk.abandon(file)
            throw error
        }
    }

    private func stagePlaceholder(
        _ id: EntryID, _ version: FileVersion, _ metadata: [MetadataKey: ByteString]
    ) throws -> (LocalHandle, Fingerprint) {
        try stage(.file, PlaceholderText.bytes(size: version.size, id: id), metadata)
    }
}
