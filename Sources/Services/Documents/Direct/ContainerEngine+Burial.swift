import BatonConcurrency
import BatonCore
import FileSync
import Foundation
import Packs
import Sync

/// Deletions for good, 30 days after they were made. On the queue.
extension ContainerEngine {
    private static let interval = Duration.seconds(60 * 60)
    private static let firstLook = Duration.seconds(60)
    /// In one group, which has as many shards of the graves at most besides.
    static let buriedAtOnce = 200
    /// Meetings are written to the disk so often, in milliseconds.
    private static let meetingInterval: UInt64 = 10 * 60 * 1000
    private static let group = 2

    func beginBurying() { later(after: Self.firstLook) { $0.lookForOld() } }

    private func lookForOld() {
        guard !isStopped else { return }
        later(after: Self.interval) { $0.lookForOld() }
        ledger.tidyShelf(self)
        ledger.forgetRuns(self)
        guard let time = ports.countedTime(), planner.state.entries.isComplete else { return }
        guard direct.hasCloud else { return buryOld(at: time) }
        ports.start { [weak self] in
            guard let self else { return }
            let packs = await writer.unnamedPacks()
            later { $0.buryOld(at: time, packs: packs) }
        }
    }

    /// - Parameters:
    ///   - time: the account's, in milliseconds since 1970.
    ///   - packs: those of which nothing is named.
    func buryOld(at time: UInt64, packs: [EntryID: String] = [:]) {
        guard !isStopped else { return }
        let old = direct.ages.ages
        var deleted = packs.mapValues { _ in UInt64(0) }
        for id in planner.state.entries.deletedOnce where planner.mayBeBuried(id) {
            // A device whose clock was ahead made it: devices refuse graves of the future.
            guard let stamp = planner.graveTime(of: id), HybridTimestamp(rawValue: stamp).milliseconds <= time else {
                continue
            }
            deleted[id] = stamp
        }
        var due = direct.ages.look(at: deleted, time: time)
        if direct.ages.ages != old { try? ports.store.save(direct.ages.ages, of: row.id) }
        try? ports.store.saveLook(time, of: row.id)
        guard !due.isEmpty, planner.state.entries.isComplete else { return }
        buryAside(&due)
        if direct.hasCloud {
            direct.burying = due.filter { packs[$0] == nil }
            direct.buryingPacks = ledger.relinquish(Array(due.compactMap { packs[$0] }.prefix(Self.buriedAtOnce)), self)
            ports.trigger()
            return
        }
        // No single device decides for all: each other device must have had the same since.
        let others = ports.peers.others()
        due = due.filter { id in
            guard let since = direct.ages.ages[id]?.since else { return false }
            // A meeting of the future was noted while a clock was ahead.
            return others.allSatisfy { since < direct.met[$0] ?? 0 && direct.met[$0] ?? 0 <= time }
        }
        takeGraves(graves(of: due))
        round()
    }

    /// Entries that others had buried before they were old here need no grave any more, and no confirmation.
    func buryAside(_ due: inout [EntryID]) {
        let aside = due.filter { planner.state.entries[$0].map(direct.isBuried) ?? false }
        guard !aside.isEmpty else { return }
        due.removeAll(where: Set(aside).contains)
        if direct.hasCloud, let versions = try? keeping.versions(of: aside) { direct.stale.merge(versions) { $1 } }
        var stamps: [EntryID: Stamp] = [:]
        for id in aside { stamps[id] = direct.graveyard[.init(id)].map { FileSyncPlanner.grave(at: $0) } }
        inbox.append(.buried(stamps))
        round()
    }

    private func graves(of ids: [EntryID]) -> [Graveyard.Identifier: UInt64] {
        var graves: [Graveyard.Identifier: UInt64] = [:]
        for id in ids { graves[.init(id)] = planner.graveTime(of: id) }
        return graves
    }

    func noteMeeting(_ device: DeviceID) {
        guard let time = ports.countedTime() else { return }
        let known = direct.met[device] ?? 0
        guard time > known + Self.meetingInterval || time < known else { return }
        direct.met[device] = time
        try? ports.store.saveMet(device, time, of: row.id)
    }

    // MARK: Graves

    /// The daemon may have ended between a grave and what follows from it.
    func buryKnown() {
        var known: [EntryID: Stamp] = [:]
        for (id, time) in direct.graveyard.all {
            if let entry = planner.state.entries[id.entry], direct.isBuried(entry) {
                known[id.entry] = FileSyncPlanner.grave(at: time)
            }
        }
        if !known.isEmpty { inbox.append(.buried(known, kept: notDue(known.keys))) }
    }

    /// A member's word ends nothing that can still be undone here: entries that are not known to be deleted, or not for long enough.
    private func notDue(_ ids: some Sequence<EntryID>) -> Set<EntryID> {
        let time = ports.countedTime()
        return Set(
            ids.filter { id in
                guard planner.state.entries[id] != nil, !direct.purging.contains(id) else { return false }
                guard let time, let stamp = planner.graveTime(of: id) else { return true }
                return !direct.ages.isDue(id, stamp: stamp, time: time)
            })
    }

    /// Brings back here an entry that another device had buried: it is stamped later than its grave, else all take it for an old
    /// copy.
    func outliveGraves(_ ids: [EntryID]) {
        var stamps: [EntryID: Stamp] = [:]
        for id in ids { stamps[id] = direct.graveyard[.init(id)].map { FileSyncPlanner.grave(at: $0) } }
        if !stamps.isEmpty { inbox.append(.buried(stamps, kept: Set(ids))) }
    }

    /// A grave later than now would be later than any change that comes.
    private func isAhead(_ grave: UInt64) -> Bool {
        let now = ports.accountTime() ?? ports.clock.milliseconds
        return HybridTimestamp(rawValue: grave).milliseconds > min(now, HybridTimestamp.maximumMilliseconds)
            + HybridLogicalClock.maximumDrift
    }

    /// Applies burials made here or elsewhere. They are durable when this returns; the entries leave in the next round.
    func takeGraves(_ graves: [Graveyard.Identifier: UInt64]) {
        var news: [EntryID: Stamp] = [:]
        var names: Set<String> = []
        for (id, time) in direct.graveyard.bury(graves.filter { !isAhead($0.value) }) {
            news[id.entry] = FileSyncPlanner.grave(at: time)
            names.insert(Graveyard.name(of: id))
        }
        guard !news.isEmpty else { return }
        direct.unsentGraves.formUnion(names)
        if direct.index != nil { direct.dirty.formUnion(news.keys) }
        save(names)
        let packs = news.keys.map { DocumentPack.prefix + EntryCodec.name(of: $0) }
        do {
            try ledger.forgetPacks(packs, self)
        } catch {
            record("not_saved", "Packs that are gone cannot be forgotten.", ["error": "\(error)"])
        }
        inbox.append(.buried(news, kept: notDue(news.keys)))
    }

    private func save(_ names: some Sequence<String>) {
        let graves = names.compactMap { name in
            direct.graveyard.content(ofName: name).map {
                DocumentsStore.Graves(
                    name: name, content: $0, version: direct.graveVersions[name],
                    isSent: !direct.unsentGraves.contains(name))
            }
        }
        do {
            try ports.store.save(graves, of: row.id)
        } catch {
            record("not_saved", "The list of permanent deletions cannot be written.", ["error": "\(error)"])
        }
        for name in graves.map(\.name) { indexGraves(name) }
    }

    // MARK: The zone

    /// Deletions whose time is over, with their graves, in one group; and what the zone does not have of the graves.
    func pendingBurials() throws -> [OutgoingItem] {
        guard direct.hasCloud else { return [] }
        var items: [OutgoingItem] = []
        direct.burying.removeAll { !planner.mayBeBuried($0) }
        let ids = Array(direct.burying.prefix(Self.buriedAtOnce))
        var graveyard = direct.graveyard
        var names: Set<String> = []
        var graves = graves(of: ids)
        for name in direct.buryingPacks {
            guard let id = ContentLedger.id(ofPack: name), let pack = try? ports.store.packs.pack(name, in: row.id)
            else { continue }
            graves[.init(id)] = min(
                planner.state.lastTime.rawValue,
                HybridTimestamp(milliseconds: ports.accountTime() ?? 0, counter: 0).rawValue)
            items.append(
                OutgoingItem(name: name, state: .deleted(tombstone: nil), replaces: pack.version, group: Self.group))
        }
        for (id, time) in graves {
            graveyard.bury(id, at: time)
            names.insert(Graveyard.name(of: id))
        }
        let versions = try keeping.versions(of: ids)
        for id in ids {
            guard let version = versions[id] else { continue }
            items.append(
                OutgoingItem(
                    name: EntryCodec.name(of: id), state: .deleted(tombstone: nil), replaces: version,
                    group: Self.group))
        }
        for name in names.sorted() {
            guard let content = graveyard.content(ofName: name) else { continue }
            items.append(
                OutgoingItem(
                    name: name, state: .content(content), replaces: direct.graveVersions[name] ?? 0, group: Self.group))
        }
        for name in direct.unsentGraves.subtracting(names).sorted() {
            guard let content = direct.graveyard.content(ofName: name) else { continue }
            items.append(
                OutgoingItem(name: name, state: .content(content), replaces: direct.graveVersions[name] ?? 0))
        }
        for (id, version) in direct.stale.prefix(Self.buriedAtOnce) where planner.state.entries[id] == nil {
            items.append(
                OutgoingItem(name: EntryCodec.name(of: id), state: .deleted(tombstone: nil), replaces: version))
        }
        return items
    }

    /// - Returns: whether it was a part of a burial.
    func burialWritten(_ item: OutgoingItem, _ version: UInt64) -> Bool {
        if Graveyard.isName(item.name), let content = item.content {
            direct.graveVersions[item.name] = version
            takeGraves((try? Graveyard.read(content, ofName: item.name)) ?? [:])
            if direct.graveyard.content(ofName: item.name) == content { direct.unsentGraves.remove(item.name) }
            save([item.name])
            return true
        }
        if item.content == nil, DocumentPack.isName(item.name) {
            direct.buryingPacks.removeAll { $0 == item.name }
            return true
        }
        guard item.content == nil, let id = EntryCodec.id(ofName: item.name) else { return false }
        direct.stale[id] = nil
        direct.burying.removeAll { $0 == id }
        keeping.set(nil, of: id)
        return true
    }

    /// - Returns: whether it was a shard of the graves.
    func graveReceived(_ item: IncomingItem) -> Bool {
        guard Graveyard.isName(item.name) else { return false }
        direct.graveVersions[item.name] = item.version > 0 ? item.version : nil
        if let content = item.content, let graves = try? Graveyard.read(content, ofName: item.name) {
            takeGraves(graves)
            let isSame = direct.graveyard.content(ofName: item.name) == content
            if isSame { direct.unsentGraves.remove(item.name) } else { direct.unsentGraves.insert(item.name) }
        } else {
            // Lost or damaged: it is written again.
            direct.unsentGraves.insert(item.name)
        }
        save([item.name])
        return true
    }

    func forgetGraveVersions(except names: Set<String>) {
        let lost = direct.graveyard.names.filter { !names.contains($0) }
        for name in lost { direct.graveVersions[name] = nil }
        direct.unsentGraves.formUnion(lost)
        save(lost)
    }
}
