import BatonConcurrency
import BatonCore
import Crypto
import FileSync
import Foundation
import Sync

/// The zone's items, directly from and to devices that are near. On the queue.
extension ContainerEngine {
    /// How long an entry waits for the directory that it is in.
    private static let patienceForDirectories = Duration.seconds(120)
    /// How many entries are read from the disk at once.
    private static let readAtOnce = 200
    /// How many items a device is asked for at once.
    private static let askedAtOnce = 1000

    /// Changes when the content does; 16 bytes.
    static func stamp(of content: Data) -> Data { Data(SHA256.hash(data: content).prefix(16)) }

    // MARK: Local entries

    /// Entries that were written to the disk since it was asked last are looked at.
    private func refreshIndex() throws {
        if direct.index == nil {
            try indexKept()
            for name in direct.graveyard.names { indexGraves(name) }
        }
        let look = direct.dirty.union(direct.withheld)
        var told: [Entry] = []
        for id in look {
            let name = EntryCodec.name(of: id)
            // One that others have buried is not announced.
            guard planner.state.entries.contains(id), direct.waiting[id] == nil,
                !direct.isBuried(id, among: planner.state.entries)
            else {
                direct.withheld.remove(id)
                // The argument is read first: the call changes `direct`.
                let stamp = direct.waiting[id]?.stamp
                direct.index?.set(stamp, for: name)
                continue
            }
            guard planner.isWhole(id) else {
                // The version that others know is not the one that is here.
                direct.withheld.insert(id)
                direct.index?.set(nil, for: name)
                continue
            }
            direct.withheld.remove(id)
            if let stamp = direct.stamps[id] {
                direct.index?.set(stamp, for: name)
                continue
            }
            guard let entry = planner.state.entries[id] else { continue }
            told.append(entry)
            guard told.count == Self.readAtOnce else { continue }
            try indexEntries(told)
            told = []
        }
        try indexEntries(told)
        (direct.dirty, direct.stamps) = ([], [:])
    }

    /// Begins the index with all that was kept, which is read in one go.
    private func indexKept() throws {
        work += planner.state.entries.count
        defer { giveBackMemory() }
        var (index, left) = (ItemIndex(), Set(planner.state.entries.ids))
        try keeping.eachKept { id, content in
            guard planner.state.entries.contains(id), direct.waiting[id] == nil, planner.isWhole(id),
                !direct.isBuried(id, among: planner.state.entries)
            else { return }
            index.set(Self.stamp(of: content), for: EntryCodec.name(of: id))
            left.remove(id)
        }
        (direct.index, direct.dirty) = (index, left)
    }

    private func indexEntries(_ entries: [Entry]) throws {
        for (id, content) in try keeping.encoded(entries) {
            // Before: an argument must not read what is being changed.
            let stamp = Self.stamp(of: content)
            direct.index?.set(stamp, for: EntryCodec.name(of: id))
        }
    }

    func indexGraves(_ name: String) {
        // Before: an argument must not read what is being changed.
        let stamp = direct.graveyard.content(ofName: name).map(Self.stamp(of:))
        direct.index?.set(stamp, for: name)
    }

    /// Called when changes are durable.
    func noteDurable(_ saved: StateKeeping.Saved) {
        guard saved.isAny else { return }
        if direct.index != nil {
            for (id, stamp) in saved.stamps {
                direct.dirty.insert(id)
                direct.stamps[id] = stamp
            }
        }
        ports.tellNear()
    }

    /// Empty until this device knows what the account has.
    func digest() throws -> Data {
        guard planner.state.entries.isComplete else { return Data() }
        try refreshIndex()
        return direct.index?.digest(of: .all).bytes ?? Data()
    }

    func digests(of ranges: [ItemRange]) throws -> [RangeDigest] {
        try refreshIndex()
        guard let index = direct.index else { return ranges.map { _ in RangeDigest() } }
        return ranges.map(index.digest)
    }

    func changes(after position: ItemPosition?) throws -> ZoneChanges? {
        try refreshIndex()
        return direct.index?.changes(after: position)
    }

    func stamps(in ranges: [ItemRange]) throws -> [String: Data] {
        try refreshIndex()
        return direct.index?.stamps(in: ranges) ?? [:]
    }

    func contents(of names: [String]) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        var entries: [Entry] = []
        for name in names {
            if Graveyard.isName(name) {
                contents[name] = direct.graveyard.content(ofName: name)
            } else if let id = EntryCodec.id(ofName: name), let entry = planner.state.entries[id],
                planner.isWhole(entry), !direct.isBuried(entry)
            {
                entries.append(entry)
            }
        }
        for (id, content) in try keeping.encoded(entries) { contents[EntryCodec.name(of: id)] = content }
        return contents
    }

    // MARK: Incoming entries

    /// - Parameter asked: as of ``ZoneSource/exchanged(_:in:asked:)``.
    func exchanged(_ contents: [String: Data], asked: Set<String>?) throws -> Set<String> {
        try checkRunning()
        work += contents.count
        var told: [(Entry, Data)] = []
        for (name, content) in contents.sorted(by: { $0.key < $1.key }) {
            do throws(BatonError) {
                if Graveyard.isName(name) {
                    takeGraves(try Graveyard.read(content, ofName: name))
                } else if let id = EntryCodec.id(ofName: name) {
                    let stamp = Self.stamp(of: content)
                    // It has come before, from this device or another one.
                    if !direct.dirty.contains(id), direct.index?[name] == stamp { continue }
                    let entry = try EntryCodec.decode(content)
                    guard entry.id == id else { throw EntryCodec.refusal("another identifier") }
                    // Where it cannot be read now, it is announced again.
                    if let own = planner.state.entries[id], own == entry { try? keeping.renew(own) }
                    told.append((entry, stamp))
                }
            } catch {
                record("item_unreadable", error.message, ["reason": error.reason])
            }
        }
        told.removeAll { direct.isBuried($0.0) }
        if let asked {
            let rivals = rivals(of: told.map(\.0)).subtracting(asked)
            guard rivals.isEmpty else { return Set(rivals.prefix(Self.askedAtOnce)) }
        }
        let entries = withDirectories(told)
        if !entries.isEmpty {
            try ledger.awaitContents(of: entries, self)
            inbox.append(.receivedDirectly(entries))
        }
        // The next ones come meanwhile.
        try finish(actsLater: entries.count >= Self.readAtOnce)
        return []
    }

    /// Items that a device is to be asked for before these entries of it are merged.
    private func rivals(of entries: [Entry]) -> Set<String> {
        let rivals = planner.state.entries.rivals(of: entries) { [direct] in direct.waiting[$0]?.entry }
        return Set(rivals.map(EntryCodec.name(of:)))
    }

    /// A message may hold what is in a directory, and not the directory, or a directory that is one with another, and not that one:
    /// then it waits for it. Shown at once, all that is in it would come to `Recovered`.
    private func withDirectories(_ told: [(Entry, Data)]) -> [Entry] {
        direct.waitingSince = .now
        guard planner.state.entries.isComplete else { return told.map(\.0) }
        for (entry, stamp) in told { direct.waiting[entry.id] = (entry, stamp) }
        var ready: [Entry] = []
        let isFull = direct.waiting.count > DirectState.maximumWaiting
        var (open, followers): ([EntryID], [EntryID: [EntryID]]) = ([], [:])
        // By each entry, how many others have to come before it.
        var missing: [EntryID: Int] = [:]
        for (id, (entry, _)) in direct.waiting {
            for other in [entry.place.parent, entry.mergedInto].compactMap({ $0 })
            where !isFull && other != .root && other != .recovered && !planner.state.entries.contains(other) {
                missing[id, default: 0] += 1
                followers[other, default: []].append(id)
            }
            if missing[id] == nil { open.append(id) }
        }
        while let id = open.popLast() {
            guard let (entry, _) = direct.waiting.removeValue(forKey: id) else { continue }
            ready.append(entry)
            direct.dirty.insert(id)
            for follower in followers.removeValue(forKey: id) ?? [] {
                missing[follower, default: 1] -= 1
                if missing[follower] == 0 { open.append(follower) }
            }
        }
        if !direct.waiting.isEmpty { direct.dirty.formUnion(direct.waiting.keys) }
        watchWaiting()
        return ready
    }

    /// Directories are to come, of what came alone or of what was here at the end of an exchange.
    private var isAwaitingDirectories: Bool { !direct.waiting.isEmpty || planner.state.entries.isReading }

    func watchWaiting() {
        guard !direct.isWatchingWaiting, isAwaitingDirectories, !isStopped else { return }
        direct.isWatchingWaiting = true
        later(after: Self.patienceForDirectories) { container in
            container.direct.isWatchingWaiting = false
            container.takeWaiting()
            container.watchWaiting()
        }
    }

    /// Their directory is lost, unless others come still: a large tree takes its time, and comes in the order of identifiers.
    private func takeWaiting() {
        guard !isStopped, isAwaitingDirectories,
            direct.waitingSince.duration(to: .now) >= Self.patienceForDirectories
        else { return }
        let entries = direct.waiting.values.map(\.entry)
        direct.dirty.formUnion(direct.waiting.keys)
        direct.waiting = [:]
        try? ledger.awaitContents(of: entries, self)
        if !entries.isEmpty { inbox.append(.receivedDirectly(entries)) }
        inbox.append(.readToEnd)
        round()
    }

    // MARK: Meeting

    /// Whether it matters that devices have the same: it decides what counts as shared in an account without a cloud.
    var wantsMeetings: Bool { !direct.hasCloud }

    /// - Parameter digest: of what both have; nil: the other device has nothing of this container.
    func met(_ device: DeviceID, digest: Data?) throws {
        let own = try self.digest()
        guard digest == nil || digest == own else { return }
        noteMeeting(device)
        guard !direct.hasCloud, digest != nil else { return }
        let told = planner.state.unsent.compactMap { planner.state.entries[$0] }.filter(planner.isWhole)
        guard !told.isEmpty else { return }
        outbox = []
        inbox.append(.pushed(told))
        try finish()
    }

    // MARK: The account's cloud

    /// Only devices that are near can keep a content now.
    var isCloudAway: Bool { !direct.hasCloud || !ports.isCloudConnected() }

    /// The account has a cloud from now on, or none.
    func setCloud(_ hasCloud: Bool) {
        guard direct.hasCloud != hasCloud, !isStopped else { return }
        direct.hasCloud = hasCloud
        ledger.notInCloud = hasCloud ? Set((try? ports.store.nearby(in: row.id)) ?? []) : []
        if hasCloud {
            let waiting = ledger.toKeep
            ledger.toKeep = [:]
            for (version, handle) in waiting.values { ledger.upload(version, from: handle, self) }
            ledger.bringKept(self)
        } else {
            for hash in ledger.uploads.keys { inbox.append(.uploadFailed(hash)) }
            (ledger.uploads, ledger.sending, ledger.awaited, planner.waitingForCloud) = ([:], [:], [:], [])
            ledger.keptFirst = []
        }
        round()
    }
}
