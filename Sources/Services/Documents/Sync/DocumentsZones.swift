import BatonConcurrency
package import BatonCore
import FileSync
package import Foundation
import Packs
package import Sync

/// Containers as zones of the account's cloud. An item is an entry, by its identifier, or a pack of chunks.
package struct DocumentsZones: ZoneSource {
    private let service: DocumentsService

    package init(_ service: DocumentsService) { self.service = service }

    package var kind: ZoneName.Kind { .documents }

    /// Entries that a person changed at once are written at once, and what was deleted is known for good.
    package var policy: ZonePolicy { ZonePolicy(deletions: .kept, hasGroups: true) }

    package func title(of zone: ZoneName) -> String {
        if let folder = service.container(of: zone)?.name.folderName { return "The folder \(folder)" }
        return "Documents of \(zone.name.drop { $0 != "/" }.dropFirst())"
    }

    package func zones() async throws -> [ZoneName] { service.running.map(\.name.zone) }

    package func keeps(_ zone: ZoneName) async throws -> Bool { service.container(of: zone) != nil }

    package func identity(of zone: ZoneName) async throws -> Data {
        service.container(of: zone)?.row.identity ?? Data([0])
    }

    package func pending(in zone: ZoneName, limit: Int) async throws -> [OutgoingItem] {
        try await service.container(of: zone)?.perform { try $0.pending(limit: limit) } ?? []
    }

    package func findings(in zone: ZoneName) async throws -> [ZoneFinding] {
        try await service.container(of: zone)?.perform { $0.reader.findings } ?? []
    }

    package func written(_ items: [(item: OutgoingItem, version: UInt64)], in zone: ZoneName) async throws {
        try await service.container(of: zone)?.perform { try $0.written(items) }
    }

    package func refused(_ error: BatonError, in zone: ZoneName) async {
        service.container(of: zone)?.later { $0.ledger.accountIsFull(error, $0) }
    }

    package func received(_ items: [IncomingItem], in zone: ZoneName) async throws {
        try await service.container(of: zone)?.perform { try $0.received(items) }
    }

    package func startedOver(_ zone: ZoneName, holding names: Set<String>) async throws {
        try await service.container(of: zone)?.perform { try $0.forgetVersions(except: names) }
    }

    package func zoneReset(of zone: ZoneName) async throws {
        try await service.container(of: zone)?.perform { try $0.forgetVersions(except: []) }
    }

    package func didFinishInitialFetch(_ zone: ZoneName, by origin: SyncOrigin) async throws {
        guard let container = service.container(of: zone) else { return }
        let isFirst = try await container.perform { container in
            let wasRead = container.planner.state.entries.isComplete
            try container.didFinishInitialFetch(by: origin)
            return !wasRead
        }
        if isFirst { await service.wasRead(container.name) }
    }

    // MARK: Devices that are near

    package func digest(of zone: ZoneName) async throws -> Data? {
        try await service.container(of: zone)?.perform { try $0.digest() }
    }

    package func digests(of ranges: [ItemRange], in zone: ZoneName) async throws -> [RangeDigest] {
        try await service.container(of: zone)?.perform { try $0.digests(of: ranges) }
            ?? ranges.map { _ in RangeDigest() }
    }

    package func changes(in zone: ZoneName, after position: ItemPosition?) async throws -> ZoneChanges? {
        try await service.container(of: zone)?.perform { try $0.changes(after: position) }
    }

    /// An entry that is stamped before this device knows what the account has does no harm: it is joined.
    package func stamps(
        in ranges: [ItemRange], of zone: ZoneName, meeting names: Set<String>
    ) async throws -> [String: Data] {
        try await service.container(of: zone)?.perform { try $0.stamps(in: ranges) } ?? [:]
    }

    package func stamps(of contents: [String: Data]) -> [String: Data] {
        contents.mapValues(ContainerEngine.stamp(of:))
    }

    package func contents(of names: [String], in zone: ZoneName) async throws -> [String: Data] {
        try await service.container(of: zone)?.perform { try $0.contents(of: names) } ?? [:]
    }

    /// In one turn: each may wait for a round.
    package func contents(
        of names: [String], in zone: ZoneName, atMost bytes: Int
    ) async throws -> (contents: [String: Data], count: Int) {
        let found = try await service.container(of: zone)?.perform { container in
            var message = FittingContents(bytes: bytes)
            while let some = message.next(of: names) { message.add(try container.contents(of: some), for: some) }
            return message
        }
        return (found?.contents ?? [:], found?.count ?? names.count)
    }

    package func exchanged(_ contents: [String: Data], in zone: ZoneName) async throws {
        _ = try await exchanged(contents, in: zone, asked: nil)
    }

    package func exchanged(
        _ contents: [String: Data], in zone: ZoneName, asked: Set<String>?
    ) async throws -> Set<String> {
        try await service.container(of: zone)?.perform { try $0.exchanged(contents, asked: asked) } ?? []
    }

    package func wantsMeetings(in zone: ZoneName) async throws -> Bool {
        try await service.container(of: zone)?.perform { $0.wantsMeetings } ?? false
    }

    package func met(_ device: DeviceID, in zone: ZoneName, digest: Data?) async throws {
        try await service.container(of: zone)?.perform { try $0.met(device, digest: digest) }
    }

    package func isAbsent(_ zone: ZoneName) async throws -> Bool { try await service.isAbsent(zone) }

    package func neededBlobs(among blobs: Set<BlobID>) async throws -> Set<BlobID> {
        let packs = service.store.packs
        return try await BlockingQueue("development.baton.documents-blobs").run {
            let needed = try packs.unsent(among: Set(blobs.map(\.bytes)))
            return blobs.filter { needed.contains($0.bytes) }
        }
    }
}

/// The engine's exchange with zones. On the queue.
extension ContainerEngine {
    /// The most bytes of contents that are given at once; one is given in any case.
    private static let maximumBytes = 5 << 19

    func pending(limit: Int) throws -> [OutgoingItem] {
        try checkRunning()
        var items = try ports.store.packs.unsent(in: row.id, limit: max(1, limit / 2)).map { pack in
            OutgoingItem(name: pack.name, state: .content(pack.content), replaces: 0, blobs: [pack.blob.id])
        }
        items += try pendingBurials()
        guard !outbox.isEmpty else { return items }
        var bytes = 0
        var entries: [OutgoingItem] = []
        // Entries that another device has written to the zone meanwhile are not written again.
        let unsent = outbox.filter { planner.state.unsent.contains($0) }.compactMap { planner.state.entries[$0] }
        let waiting = unsent.filter(planner.isWhole)
        let contents = try keeping.encoded(waiting)
        let versions = try keeping.versions(of: waiting.map(\.id))
        for entry in waiting {
            guard let content = contents[entry.id] else { throw EntryCodec.notKept }
            bytes += content.count
            guard entries.isEmpty || bytes <= Self.maximumBytes else { break }
            entries.append(
                OutgoingItem(
                    name: EntryCodec.name(of: entry.id), state: .content(content),
                    replaces: versions[entry.id] ?? 0, group: 1))
        }
        if entries.isEmpty {
            // Others have written them meanwhile; or they have changed, and wait for their contents.
            outbox = []
            inbox.append(unsent.isEmpty ? .pushed([]) : .pushFailed)
            later { $0.round() }
        }
        items += entries
        return items
    }

    func written(_ items: [(item: OutgoingItem, version: UInt64)]) throws {
        work += items.count
        var entries: [Entry] = []
        var packs: Set<String> = []
        var written: [DocumentPack] = []
        for (item, version) in items {
            if burialWritten(item, version) { continue }
            if DocumentPack.isName(item.name) {
                keeping.set(version, ofPack: item.name)
                packs.insert(item.name)
                if let content = item.content { written.append(try DocumentPack(content: content)) }
            } else if let content = item.content, let id = EntryCodec.id(ofName: item.name) {
                keeping.set(version, of: id)
                entries.append(try EntryCodec.decode(content, from: .thisDevice))
            }
        }
        if !packs.isEmpty {
            notes.refusal = nil
            ledger.finishUploads(written: packs, self)
            ledger.stopAwaiting(packs: written, self)
        }
        if !entries.isEmpty {
            outbox = []
            inbox.append(.pushed(entries))
        }
        try finish()
    }

    func received(_ items: [IncomingItem]) throws {
        work += items.count
        var entries: [Entry] = []
        var lost: [EntryID] = []
        var packs: [(pack: DocumentPack, version: UInt64?)] = []
        // First of all, so that what goes with them is not taken for lost.
        for item in items where !graveReceived(item) {
            if DocumentPack.isName(item.name) {
                guard let content = item.content else {
                    keeping.set(nil, ofPack: item.name)
                    continue
                }
                do throws(BatonError) {
                    let pack = try DocumentPack(content: content)
                    let isGone = ContentLedger.id(ofPack: item.name).map { direct.graveyard[.init($0)] != nil } ?? false
                    if pack.name == item.name, !isGone { packs.append((pack, item.version)) }
                } catch {
                    unreadable(item, error)
                }
                continue
            }
            guard let id = EntryCodec.id(ofName: item.name) else { continue }
            keeping.set(item.version > 0 ? item.version : nil, of: id)
            guard let content = item.content else {
                // Nothing is deleted without a word of a device.
                lost.append(id)
                continue
            }
            do throws(BatonError) {
                let entry = try EntryCodec.decode(content)
                guard entry.id == id else { throw EntryCodec.refusal("another identifier") }
                entries.append(entry)
                direct.stale[id] = nil
            } catch {
                unreadable(item, error)
            }
        }
        try ports.store.packs.add(packs, to: row.id)
        if !packs.isEmpty { ledger.finishUploads(written: Set(packs.map(\.pack.name)), self) }
        ledger.stopAwaiting(packs: packs.map(\.pack), self)
        let buried = entries.filter(direct.isBuried).map(\.id)
        direct.stale.merge(try keeping.versions(of: buried)) { $1 }
        entries.removeAll(where: direct.isBuried)
        direct.waitingSince = .now
        if !entries.isEmpty { inbox.append(.received(entries)) }
        lost.removeAll { planner.state.entries[$0].map(direct.isBuried) ?? false }
        if !lost.isEmpty { inbox.append(.missing(lost)) }
        try finish()
    }

    private func unreadable(_ item: IncomingItem, _ error: BatonError) {
        record("item_unreadable", error.message, ["reason": error.reason, "version": String(item.version)])
    }

    /// Entries that the zone is said to have no more are written again when it was read to its end.
    func forgetVersions(except names: Set<String>) throws {
        for id in Array(planner.state.entries.ids) where !names.contains(EntryCodec.name(of: id)) {
            keeping.set(nil, of: id)
        }
        try ports.store.packs.forgetVersions(of: row.id, except: names)
        forgetGraveVersions(except: names)
        try finish()
    }

    func didFinishInitialFetch(by origin: SyncOrigin) throws {
        notes.isReadToEnd = true
        inbox.append(origin == .cloud ? .readToEnd : .toldByDevice)
        // A device's state says nothing about the zone's.
        guard origin == .cloud else {
            try finish()
            return watchWaiting()
        }
        let state = planner.state
        let lost = try keeping.withoutVersion().filter { id in
            guard let entry = state.entries[id] else { return false }
            return !state.unsent.contains(id) && !direct.isBuried(entry)
        }
        if !lost.isEmpty { inbox.append(.missing(lost.sorted())) }
        try finish()
    }

    /// Changes passed to a container that has ended are not kept: they are passed again.
    func checkRunning() throws(BatonError) {
        guard isStopped else { return }
        throw BatonError(
            .canceled, reason: "ended", "The container “\(name)” is closed. It is tried again when it is open.")
    }

    /// Handles the received changes, so that they are durable when the engine goes on.
    /// - Parameter actsLater: as of ``round(actsLater:)``.
    func finish(actsLater: Bool = false) throws {
        try checkRunning()
        round(actsLater: actsLater)
        if let problem = notes.problem, problem.reason == "not_saved" { throw problem }
    }
}
