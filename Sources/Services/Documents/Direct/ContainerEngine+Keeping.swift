import BatonConcurrency
import BatonCore
import BatonWire
import CLinux
import FileSync
import Foundation
import Glibc
import SwiftProtobuf
import Sync

/// Without a cloud, and while it is away: contents are stored when a device that is near keeps them too.
extension ContainerEngine {
    private static let keptAtOnce = 64
    private static let keptBytes = 2 << 20
    /// Contents that no entry names yet, kept for others: when there are so many bytes of them, no more are taken. A single one may be
    /// larger.
    static let maximumUnnamed: UInt64 = 1 << 30
    /// The other device answers after ``DocumentLinkHarness/keepingTime`` in any case.
    private static let keepTimeout = Duration.seconds(40)
    private static let firstDelay = Duration.milliseconds(250)
    private static let maximumDelay = Duration.seconds(5)
    private static let lookingDelay = Duration.seconds(1)
    private static let sendingDelay = Duration.seconds(3)
    private static let sendingPatience = Duration.seconds(15)

    /// Now nobody but devices that are near can keep a content.
    var isCloudAway: Bool { !direct.hasCloud || !ports.isCloudConnected() }

    // MARK: Asking

    /// Packs stay here until the cloud is back. Meanwhile near devices get what is in them. On the queue.
    func watchSending() {
        guard !direct.isWatchingSending, !direct.sending.isEmpty, !isStopped else { return }
        direct.isWatchingSending = true
        later(after: Self.sendingDelay) { container in
            container.direct.isWatchingSending = false
            // A connection that is cut, or an account without room, may take long to show.
            let isAway = container.isCloudAway
            for (hash, item) in container.direct.sending where container.planner.state.unstored.contains(hash) {
                guard isAway || item.since.duration(to: .now) > Self.sendingPatience else { continue }
                container.askToKeep(item.version, from: item.handle)
            }
            container.watchSending()
        }
    }

    /// What a near device kept before this start may wait in packs still. On the queue.
    func resumeSending() {
        guard direct.hasCloud, !planner.state.unsent.isEmpty else { return }
        let unsent = planner.state.unsent.compactMap { planner.state.entries[$0] }
        try? awaitContents(of: unsent)
        // Without the list nothing is held back: others wait for the contents then.
        let packs = Set(((try? ports.store.unsentPacks(in: row.id, limit: .max)) ?? []).map(\.name))
        guard !packs.isEmpty else { return }
        for entry in unsent {
            for version in Array(entry.heads.values) + Array(entry.history.values) {
                guard case .chunks = version.body, !planner.state.unstored.contains(version.hash) else { continue }
                uploads[version.hash] = (packs, packs.count)
                planner.waitingForCloud.insert(version.hash)
            }
        }
    }

    /// What only this disk has is to be on another device too, before anybody is told of it. On the queue.
    func askToKeep(_ version: FileVersion, from handle: LocalHandle) {
        direct.toKeep[version.hash] = (version, handle)
        guard !direct.isKeeping else { return }
        direct.isKeeping = true
        ports.start { [weak self] in await self?.keepAll() }
    }

    private nonisolated func keepAll() async {
        var delay = Self.firstDelay
        while !Task.isCancelled {
            guard let asked = try? await perform({ try $0.nextToKeep() }) else {
                return later { $0.direct.isKeeping = false }
            }
            if asked.isEmpty { return }
            let near = ports.peers.nearby().sorted()
            var kept: Set<ContentHash> = []
            for device in near where kept.isEmpty { kept = await ask(device, asked) }
            if kept.isEmpty {
                try? await Task.sleep(for: near.isEmpty ? Self.lookingDelay : delay)
                delay = min(delay * 2, Self.maximumDelay)
            } else {
                delay = Self.firstDelay
                let hashes = kept
                do {
                    try await perform { try $0.areKept(hashes) }
                } catch {
                    // The disk is full, or the service ends.
                    try? await Task.sleep(for: Self.maximumDelay)
                }
            }
        }
    }

    /// On the queue. Empty: nothing waits any more.
    private func nextToKeep() throws -> [Baton_Link_V1_ContentToKeep] {
        var asked: [Baton_Link_V1_ContentToKeep] = []
        var bytes = 0
        for (hash, item) in direct.toKeep {
            guard asked.count < Self.keptAtOnce, bytes < Self.keptBytes else { break }
            guard !isStopped, planner.state.unstored.contains(hash),
                !direct.hasCloud || direct.sending[hash] != nil, let (entry, dot) = naming(hash)
            else {
                direct.toKeep[hash] = nil
                continue
            }
            guard let (_, _, node) = disk.find(item.handle), reader.held(hash, entry: entry.id) != nil || node.kind == .package
            else {
                // It was changed, or is gone: a look at the disk tells. What is in packs waits for the cloud.
                direct.toKeep[hash] = nil
                if direct.sending.removeValue(forKey: hash) == nil { inbox.append(.uploadFailed(hash)) }
                continue
            }
            let content = try keeping.encoded(entry)
            bytes += content.count
            asked.append(
                .with {
                    $0.content = ContentKey(entry: entry.id, dot: dot, hash: hash).message
                    $0.entry = content
                })
        }
        if asked.isEmpty { direct.isKeeping = false }
        if !inbox.isEmpty { later { $0.round() } }
        return asked
    }

    func naming(_ hash: ContentHash) -> (Entry, Dot)? {
        for id in planner.state.entries.naming(hash).sorted() where planner.state.unsent.contains(id) {
            guard let entry = planner.state.entries[id] else { continue }
            if let dot = entry.heads.first(where: { $0.value.hash == hash })?.key { return (entry, dot) }
            if let dot = entry.history.first(where: { $0.value.hash == hash })?.key { return (entry, dot) }
        }
        return nil
    }

    nonisolated func ask(_ device: DeviceID, _ contents: [Baton_Link_V1_ContentToKeep]) async -> Set<ContentHash> {
        let zone = name.zone.message
        let answer = try? await ports.peers.call(
            DocumentLinkMethods.keepContents,
            .with {
                $0.zone = zone
                $0.contents = contents
            }, device, Self.keepTimeout)
        let asked = Set(contents.map(\.content.hash))
        return Set((answer?.kept ?? []).filter(asked.contains).compactMap { ContentHash($0) })
    }

    private func areKept(_ hashes: Set<ContentHash>) throws {
        // With a cloud they wait in packs of this device.
        if !direct.hasCloud { try ports.store.addNearby(hashes, to: row.id) }
        for hash in hashes where direct.toKeep.removeValue(forKey: hash) != nil {
            notes.uploadProblems[hash] = nil
            if uploads[hash] != nil { planner.waitingForCloud.insert(hash) }
            inbox.append(.uploaded(hash))
        }
        round()
        ports.tellNear()
    }

    // MARK: Being asked

    /// Keeps a content for another device, which has it.
    /// - Returns: whether it is here, durably, and stays.
    nonisolated func keep(_ key: ContentKey, _ entry: Entry, for device: DeviceID) async -> Bool {
        guard entry.id == key.entry, let version = entry.heads[key.dot] ?? entry.history[key.dot],
            version.hash == key.hash
        else { return false }
        do {
            let (mayKeep, isHere, hasCloud) = try await perform { container in
                let isUnwanted =
                    container.planner.state.evicted.contains(key.entry)
                    || container.direct.evicting.contains(key.entry)
                let isHere = container.reader.held(key.hash, entry: key.entry) != nil
                let hasCloud = container.direct.hasCloud
                guard !isUnwanted, !container.isStopped, isHere || container.expect(key.hash, version.size) else {
                    return (false, isHere, hasCloud)
                }
                return (true, isHere, hasCloud)
            }
            guard mayKeep else { return false }
            defer { if !isHere { later { $0.direct.coming[key.hash] = nil } } }
            if !isHere {
                try await keepPermits.withPermit {
                    guard try await fetchNearby(key, version, from: device) else { throw Self.notHeld }
                }
            } else {
                // The other device may let go of the only copy that is on a disk.
                let files = try await perform { try $0.openToFlush(key) }
                try await io.run { try Self.flush(files) }
                guard try await perform({ $0.reader.held(key.hash, entry: key.entry) != nil }) else { throw Self.notHeld }
            }
            let (store, id) = (ports.store, row.id)
            // With a cloud the other device brings it there.
            if !hasCloud { try await io.run { try store.addNearby([key.hash], to: id) } }
            return true
        } catch {
            if (error as? DiskFailure)?.reason == "disk_full" { later { $0.noteNoRoom(for: key.hash) } }
            return false
        }
    }

    /// On the queue.
    private func noteNoRoom(for hash: ContentHash) {
        direct.noRoom = direct.noRoom.filter { $0.value.duration(to: .now) < DirectState.noRoomTime }
        direct.noRoom[hash] = .now
    }

    /// A file of the tree with what its database has beside it, or a package. On the queue.
    private func openToFlush(_ key: ContentKey) throws -> [(file: OpenContent, isPackage: Bool)] {
        guard case .file(let handle, _) = reader.held(key.hash, entry: key.entry) else { return [] }
        guard let (directory, name, node) = disk.find(handle) else { throw Self.notHeld }
        var files: [(file: OpenContent, isPackage: Bool)] = []
        for suffix in [[]] + DatabaseFiles.suffixes {
            let path = (name + suffix).map { CChar(bitPattern: $0) } + [0]
            let number = openat(directory.number, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard number >= 0 || suffix.isEmpty else { continue }
            files.append((OpenContent(try OpenNode(number, "open a content")), node.kind == .package))
        }
        return files
    }

    private static func flush(_ files: [(file: OpenContent, isPackage: Bool)]) throws(DiskFailure) {
        for (content, isPackage) in files {
            let number = content.file.number
            guard isPackage ? baton_syncfs(number) == 0 : fsync(number) == 0 else {
                throw DiskFailure("keep a content")
            }
        }
    }

    /// On the queue.
    /// - Returns: false where too much has been kept already that nobody has told of since.
    private func expect(_ hash: ContentHash, _ size: UInt64) -> Bool {
        let entries = planner.state.entries
        if !entries.isNamed(hash) {
            let here = shelf.size { entries.isNamed($0) || direct.coming[$0] != nil }
            guard direct.coming.values.reduce(here, &+) < Self.maximumUnnamed else { return false }
        }
        direct.coming[hash] = min(size, Self.maximumUnnamed)
        return true
    }

    // MARK: Evicting

    /// Where no cloud keeps it, a content goes from here once another device has said that it keeps it. On the queue.
    func evictWhenKept(_ ids: [EntryID]) {
        direct.evicting.formUnion(ids)
        guard !direct.isEvicting, !direct.evicting.isEmpty else { return }
        direct.isEvicting = true
        ports.start { [weak self] in await self?.evictAll() }
    }

    private nonisolated func evictAll() async {
        while !Task.isCancelled {
            guard let asked = try? await perform({ try $0.nextToEvict() }) else {
                return later { $0.direct.isEvicting = false }
            }
            if asked.isEmpty { return }
            var kept: Set<ContentHash> = []
            for device in ports.peers.nearby().sorted() where kept.isEmpty { kept = await ask(device, asked) }
            let hashes = kept
            try? await perform { $0.evictKept(hashes) }
            if kept.isEmpty { try? await Task.sleep(for: Self.maximumDelay) }
        }
    }

    private func nextToEvict() throws -> [Baton_Link_V1_ContentToKeep] {
        var asked: [Baton_Link_V1_ContentToKeep] = []
        for id in direct.evicting {
            guard asked.count < Self.keptAtOnce else { break }
            guard !isStopped, let entry = planner.state.entries[id], let winner = entry.winner,
                case .chunks = winner.version.body, isCloudAway
            else {
                // Small ones are in the entry itself, which others have; a cloud keeps the others.
                direct.evicting.remove(id)
                inbox.append(.command(.evict(id)))
                continue
            }
            // Another device is not asked to keep what nobody was told of.
            guard !planner.state.unstored.contains(winner.version.hash) else { continue }
            let content = try keeping.encoded(entry)
            asked.append(
                .with {
                    $0.content = ContentKey(entry: id, dot: winner.dot, hash: winner.version.hash).message
                    $0.entry = content
                })
        }
        if asked.isEmpty, direct.evicting.isEmpty { direct.isEvicting = false }
        if asked.isEmpty, !direct.evicting.isEmpty {
            direct.isEvicting = false
            later(after: Self.maximumDelay) { $0.evictWhenKept([]) }
        }
        if !inbox.isEmpty { later { $0.round() } }
        return asked
    }

    private func evictKept(_ hashes: Set<ContentHash>) {
        for id in direct.evicting {
            guard let hash = planner.state.entries[id]?.winner?.version.hash else { continue }
            if hashes.contains(hash) {
                direct.evicting.remove(id)
                notes.problems[id] = nil
                inbox.append(.command(.evict(id)))
            } else {
                notes.problems[id] = BatonError(
                    .failedPrecondition, reason: "not_stored_elsewhere",
                    (direct.hasCloud ? "The account's cloud is away" : "The account has no cloud")
                        + ", and no device that is near keeps this file, so its contents stay here. They go when one has it."
                )
            }
        }
        round()
    }
}
