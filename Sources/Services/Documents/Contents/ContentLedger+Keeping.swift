import BatonConcurrency
import BatonCore
import BatonWire
import CLinux
import FileSync
import Foundation
import Glibc
import Packs
import SwiftProtobuf
import Sync

/// Without a cloud, and while it is away: contents are stored when a device that is near keeps them too.
extension ContentLedger {
    private static let keptAtOnce = 64
    private static let keptBytes = 2 << 20

    /// Contents that no entry names yet, kept for others: when there are so many bytes of them, no more are taken. A single one may be
    /// larger.
    static let maximumUnnamed: UInt64 = 1 << 30

    private static let sendingDelay = Duration.seconds(1)
    /// While the cloud is not connected, and no try has failed yet: it may be in a moment.
    private static let connectingPatience = Duration.seconds(3)
    /// While the cloud answers: it may be slow, or the account may have no room.
    private static let sendingPatience = Duration.seconds(15)

    /// It waits for the cloud in packs.
    func send(_ version: FileVersion, from handle: LocalHandle, _ engine: isolated ContainerEngine) {
        guard uploads[version.hash] != nil else { return }
        sending[version.hash] = (version, handle, .now)
        if engine.ports.isCloudUnreachable(), engine.planner.state.unstored.contains(version.hash) {
            askToKeep(version, from: handle, engine)
        }
        watchSending(engine)
    }

    /// Packs stay here until the cloud is back. Meanwhile near devices get what is in them. On the queue.
    private func watchSending(_ engine: isolated ContainerEngine) {
        guard !isWatchingSending, !sending.isEmpty, !engine.isStopped else { return }
        isWatchingSending = true
        engine.later(after: Self.sendingDelay) { container in
            container.ledger.isWatchingSending = false
            let patience: Duration =
                container.ports.isCloudUnreachable()
                ? .zero : container.isCloudAway ? Self.connectingPatience : Self.sendingPatience
            for (hash, item) in container.ledger.sending where container.planner.state.unstored.contains(hash) {
                guard item.since.duration(to: .now) > patience else { continue }
                container.ledger.askToKeep(item.version, from: item.handle, container)
            }
            container.ledger.watchSending(container)
        }
    }

    /// Contents that a nearby device kept before this start may still wait in packs. On the queue.
    func resumeSending(_ engine: isolated ContainerEngine) {
        guard engine.direct.hasCloud, !engine.planner.state.unsent.isEmpty else { return }
        let unsent = engine.planner.state.unsent.compactMap { engine.planner.state.entries[$0] }
        try? awaitContents(of: unsent, engine)
        // Without the list nothing is held back: others wait for the contents then.
        let packs = Set(((try? engine.ports.store.packs.unsent(in: engine.row.id, limit: .max)) ?? []).map(\.name))
        guard !packs.isEmpty else { return }
        for entry in unsent {
            for version in Array(entry.heads.values) + Array(entry.history.values) {
                guard case .chunks = version.body, !engine.planner.state.unstored.contains(version.hash) else {
                    continue
                }
                uploads[version.hash] = (packs, packs.count)
                engine.planner.waitingForCloud.insert(version.hash)
            }
        }
    }

    /// Content that only this disk has must be on another device too before its entry is announced. On the queue.
    func askToKeep(_ version: FileVersion, from handle: LocalHandle, _ engine: isolated ContainerEngine) {
        toKeep[version.hash] = (version, handle)
        guard !isKeeping else { return }
        isKeeping = true
        engine.ports.start { [weak engine] in await engine?.writer.keepAll() }
    }

    /// On the queue. Empty: nothing waits any more.
    func nextToKeep(_ engine: isolated ContainerEngine) throws -> [Baton_Link_V1_ContentToKeep] {
        var asked: [Baton_Link_V1_ContentToKeep] = []
        var bytes = 0
        for hash in keepingTurns.open(toKeep.keys, size: { toKeep[$0]?.version.size ?? 0 }) {
            guard let item = toKeep[hash], asked.count < Self.keptAtOnce, bytes < Self.keptBytes else { break }
            guard !engine.isStopped, engine.planner.state.unstored.contains(hash),
                !engine.direct.hasCloud || sending[hash] != nil, let (entry, dot) = naming(hash, engine)
            else {
                toKeep[hash] = nil
                continue
            }
            guard let (_, _, node) = engine.disk.find(item.handle),
                engine.reader.held(hash, entry: entry.id) != nil || node.kind == .package
            else {
                // It was changed, or is gone: a look at the disk shows which. Content that is in packs waits for the cloud.
                toKeep[hash] = nil
                if sending.removeValue(forKey: hash) == nil { engine.inbox.append(.uploadFailed(hash)) }
                continue
            }
            let content = try engine.keeping.encoded(entry)
            bytes += content.count
            asked.append(
                .with {
                    $0.content = ContentKey(entry: entry.id, dot: dot, hash: hash).message
                    $0.entry = content
                })
        }
        if asked.isEmpty {
            // All that is left was refused: its turn comes.
            keepingTurns = AskingTurns()
            guard toKeep.isEmpty else { return try nextToKeep(engine) }
            isKeeping = false
        }
        if !engine.inbox.isEmpty { engine.later { $0.round() } }
        return asked
    }

    func naming(_ hash: ContentHash, _ engine: isolated ContainerEngine) -> (Entry, Dot)? {
        for id in engine.planner.state.entries.naming(hash).sorted() where engine.planner.state.unsent.contains(id) {
            guard let entry = engine.planner.state.entries[id] else { continue }
            if let dot = entry.heads.first(where: { $0.value.hash == hash })?.key { return (entry, dot) }
            if let dot = entry.history.first(where: { $0.value.hash == hash })?.key { return (entry, dot) }
        }
        return nil
    }

    func areKept(_ hashes: Set<ContentHash>, _ engine: isolated ContainerEngine) throws {
        // With a cloud they wait in packs of this device.
        if !engine.direct.hasCloud { try engine.ports.store.addNearby(hashes, to: engine.row.id) }
        for hash in hashes where toKeep.removeValue(forKey: hash) != nil {
            engine.notes.uploadProblems[hash] = nil
            if uploads[hash] != nil { engine.planner.waitingForCloud.insert(hash) }
            engine.inbox.append(.uploaded(hash))
        }
        engine.round()
        engine.ports.tellNear()
    }

    /// On the queue.
    /// - Returns: whether others are still to be asked for before those again.
    func areRefused(_ hashes: Set<ContentHash>) -> Bool { keepingTurns.refuse(hashes, of: toKeep.keys) }

    /// On the queue.
    func noteNoRoom(for hash: ContentHash, _ engine: isolated ContainerEngine) {
        noRoom = noRoom.filter { $0.value.duration(to: .now) < Self.noRoomTime }
        noRoom[hash] = .now
    }

    /// A file of the tree with what its database has beside it, or a package. On the queue.
    func openToFlush(
        _ key: ContentKey, _ engine: isolated ContainerEngine
    ) throws -> [(file: OpenContent, isPackage: Bool)] {
        guard case .file(let handle, _) = engine.reader.held(key.hash, entry: key.entry) else { return [] }
        guard let (directory, name, node) = engine.disk.find(handle) else { throw ContainerWriter.notHeld }
        var files: [(file: OpenContent, isPackage: Bool)] = []
        for suffix in [[]] + DatabaseFiles.suffixes {
            let path = (name + suffix).map { CChar(bitPattern: $0) } + [0]
            let number = QuietOpening.open(directory.number, path)
            guard number >= 0 || suffix.isEmpty else { continue }
            files.append((OpenContent(try OpenNode(number, "open a content")), node.kind == .package))
        }
        return files
    }

    /// On the queue.
    /// - Returns: false where too much has been kept already without an entry announced since.
    func expect(_ hash: ContentHash, _ size: UInt64, _ engine: isolated ContainerEngine) -> Bool {
        let entries = engine.planner.state.entries
        if !entries.isNamed(hash) {
            let here = engine.shelf.size { entries.isNamed($0) || coming[$0] != nil }
            guard coming.values.reduce(here, &+) < Self.maximumUnnamed else { return false }
        }
        coming[hash] = min(size, Self.maximumUnnamed)
        return true
    }

    /// Where no cloud keeps it, a content goes from here once another device has said that it keeps it. On the queue.
    func evictWhenKept(_ ids: [EntryID], _ engine: isolated ContainerEngine) {
        evicting.formUnion(ids)
        guard !isEvicting, !evicting.isEmpty else { return }
        isEvicting = true
        engine.ports.start { [weak engine] in await engine?.writer.evictAll() }
    }

    private func evicting(_ id: EntryID) -> FileSyncCommand {
        evictingForRoom.remove(id) == nil ? .evict(id) : .makeRoom([id])
    }

    func nextToEvict(_ engine: isolated ContainerEngine) throws -> [Baton_Link_V1_ContentToKeep] {
        var asked: [Baton_Link_V1_ContentToKeep] = []
        let entries = engine.planner.state.entries
        for id in evictingTurns.open(evicting, size: { entries[$0]?.winner?.version.size ?? 0 }) {
            guard asked.count < Self.keptAtOnce else { break }
            guard !engine.isStopped, let entry = engine.planner.state.entries[id], let winner = entry.winner,
                case .chunks = winner.version.body, engine.isCloudAway
            else {
                // Small ones are in the entry itself, which others have; a cloud keeps the others.
                evicting.remove(id)
                engine.inbox.append(.command(evicting(id)))
                continue
            }
            // Another device is not asked to keep a content whose entry was not announced.
            guard !engine.planner.state.unstored.contains(winner.version.hash) else { continue }
            let content = try engine.keeping.encoded(entry)
            asked.append(
                .with {
                    $0.content = ContentKey(entry: id, dot: winner.dot, hash: winner.version.hash).message
                    $0.entry = content
                })
        }
        if asked.isEmpty, evicting.isEmpty { isEvicting = false }
        if asked.isEmpty, !evicting.isEmpty {
            isEvicting = false
            evictingTurns = AskingTurns()
            engine.later(after: ContainerWriter.maximumDelay) { $0.ledger.evictWhenKept([], $0) }
        }
        if !engine.inbox.isEmpty { engine.later { $0.round() } }
        return asked
    }

    /// - Returns: whether others are still to be asked for before those that were refused.
    func evictKept(
        _ hashes: Set<ContentHash>, of asked: Set<EntryID>, _ engine: isolated ContainerEngine
    ) -> Bool {
        for id in evicting {
            guard let hash = engine.planner.state.entries[id]?.winner?.version.hash else { continue }
            if hashes.contains(hash) {
                evicting.remove(id)
                engine.notes.problems[id] = nil
                engine.inbox.append(.command(evicting(id)))
            } else {
                engine.notes.problems[id] = BatonError(
                    .failedPrecondition, reason: "not_stored_elsewhere",
                    (engine.direct.hasCloud ? "The account's cloud is away" : "The account has no cloud")
                        + ", and no device that is near keeps this file, so its contents stay here. They go when one has it."
                )
            }
        }
        defer { engine.round() }
        return evictingTurns.refuse(evicting.intersection(asked), of: evicting)
    }
}
