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
extension ContainerWriter {
    /// The other device answers after ``DocumentLinkHarness/keepingTime`` in any case.
    static let keepTimeout = Duration.seconds(40)
    static let firstDelay = Duration.milliseconds(250)
    static let maximumDelay = Duration.seconds(5)
    static let lookingDelay = Duration.seconds(1)

    func keepAll() async {
        var delay = Self.firstDelay
        while !Task.isCancelled {
            guard let asked = try? await perform({ try $0.ledger.nextToKeep($0) }) else {
                return later { $0.ledger.isKeeping = false }
            }
            if asked.isEmpty { return }
            let isAlone = ports.peers.nearby().isEmpty
            let begin = ContinuousClock.now
            let answer = await askToKeep(asked)
            let kept = answer ?? []
            var isNextDue = false
            // One that answers late is still fetching them.
            if answer != nil, begin.duration(to: .now) < DocumentLinkHarness.keepingTime {
                let refused = Set(asked.compactMap { ContentHash($0.content.hash) }).subtracting(kept)
                isNextDue = (try? await perform { $0.ledger.areRefused(refused) }) ?? false
            }
            if kept.isEmpty {
                try? await Task.sleep(for: isAlone ? Self.lookingDelay : delay)
                delay = min(delay * 2, isNextDue ? Self.lookingDelay : Self.maximumDelay)
            } else {
                delay = Self.firstDelay
                do {
                    try await perform { try $0.ledger.areKept(kept, $0) }
                } catch {
                    // The disk is full, or the service ends.
                    try? await Task.sleep(for: Self.maximumDelay)
                }
            }
        }
    }

    /// - Returns: those that it keeps; nil where it has not answered.
    func ask(_ device: DeviceID, _ contents: [Baton_Link_V1_ContentToKeep]) async -> Set<ContentHash>? {
        let zone = name.zone.message
        let answer = try? await ports.peers.call(
            DocumentLinkMethods.keepContents,
            .with {
                $0.zone = zone
                $0.contents = contents
            }, device, Self.keepTimeout)
        guard let answer else { return nil }
        let asked = Set(contents.map(\.content.hash))
        return Set(answer.kept.filter(asked.contains).compactMap { ContentHash($0) })
    }

    /// Keeps a content for another device, which has it.
    /// - Returns: whether it is here, durably, and stays.
    func keep(_ key: ContentKey, _ entry: Entry, for device: DeviceID) async -> Bool {
        guard entry.id == key.entry, let version = entry.heads[key.dot] ?? entry.history[key.dot],
            version.hash == key.hash
        else { return false }
        do {
            let (mayKeep, isHere, hasCloud) = try await perform { container in
                let isUnwanted =
                    container.planner.state.evicted.contains(key.entry)
                    || container.ledger.evicting.contains(key.entry)
                let isHere = container.reader.held(key.hash, entry: key.entry) != nil
                let hasCloud = container.direct.hasCloud
                guard !isUnwanted, !container.isStopped,
                    isHere || container.ledger.expect(key.hash, version.size, container)
                else {
                    return (false, isHere, hasCloud)
                }
                return (true, isHere, hasCloud)
            }
            guard mayKeep else { return false }
            defer { if !isHere { later { $0.ledger.coming[key.hash] = nil } } }
            if !isHere {
                try await keepPermits.withPermit {
                    guard try await fetchNearby(key, version, from: device) else { throw Self.notHeld }
                }
            } else {
                // The other device may let go of the only copy that is on a disk.
                let files = try await perform { try $0.ledger.openToFlush(key, $0) }
                try await io.run { try Self.flush(files) }
                guard try await perform({ $0.reader.held(key.hash, entry: key.entry) != nil }) else {
                    throw Self.notHeld
                }
            }
            let (store, id) = (ports.store, row.id)
            // With a cloud the other device brings it there.
            if !hasCloud { try await io.run { try store.addNearby([key.hash], to: id) } }
            if !isHere { later { $0.ledger.noRoom[key.hash] = nil } }
            return true
        } catch {
            if (error as? DiskFailure)?.reason == "disk_full" { later { $0.ledger.noteNoRoom(for: key.hash, $0) } }
            return false
        }
    }

    static func flush(_ files: [(file: OpenContent, isPackage: Bool)]) throws(DiskFailure) {
        for (content, isPackage) in files {
            let number = content.file.number
            guard isPackage ? baton_syncfs(number) == 0 : fsync(number) == 0 else {
                throw DiskFailure("keep a content")
            }
        }
    }

    func evictAll() async {
        while !Task.isCancelled {
            guard let asked = try? await perform({ try $0.ledger.nextToEvict($0) }) else {
                return later { $0.ledger.isEvicting = false }
            }
            if asked.isEmpty { return }
            let answer = await askToKeep(asked)
            let ids = answer == nil ? [] : Set(asked.compactMap { ContentKey($0.content)?.entry })
            let isNextDue = try? await perform { $0.ledger.evictKept(answer ?? [], of: ids, $0) }
            if answer?.isEmpty ?? true {
                try? await Task.sleep(for: isNextDue == true ? Self.lookingDelay : Self.maximumDelay)
            }
        }
    }
}
