import BatonCore
import FileSync
import Foundation
import Sync

/// A container's knowledge of nearby devices, and of burials. On the container's queue.
struct DirectState {
    /// The account has a cloud. Else a content counts as stored that a near device keeps.
    var hasCloud: Bool
    /// The items that may be announced to others; made when it is first needed.
    var index: ItemIndex?
    /// Entries that changed since the index was looked at.
    var dirty: Set<EntryID> = []
    /// Their stamps, as far as they are known.
    var stamps: [EntryID: Data] = [:]
    /// Entries with a content that only this disk has: they are announced to no device.
    var withheld: Set<EntryID> = []
    /// Entries from near devices whose directories are still to come, as they came. Bound: ``maximumWaiting``, then all are taken in.
    var waiting: [EntryID: (entry: Entry, stamp: Data)] = [:]
    static let maximumWaiting = 250_000
    /// When the last ones came, and whether a look at them is due.
    var waitingSince = ContinuousClock.now
    var isWatchingWaiting = false

    // Burial.
    var graveyard = Graveyard()
    /// The zone's version of each shard of it.
    var graveVersions: [String: UInt64] = [:]
    /// Shards that the zone does not have as they are here.
    var unsentGraves: Set<String> = []
    var ages = DeletionAges<EntryID>()
    /// When each other device was seen to have the same, by the account's time.
    var met: [DeviceID: UInt64] = [:]
    /// Deletions whose time is over, to be buried in the zone.
    var burying: [EntryID] = []
    /// Packs of which nothing has been named for as long, to be buried likewise.
    var buryingPacks: [String] = []
    /// Old copies of buried entries that another device has written to the zone.
    var stale: [EntryID: UInt64] = [:]

    /// Deletions that a person wants to be over now: no undo here any more.
    var purging: Set<EntryID> = []
    /// Entries whose earlier versions a person wants to be gone, which the zone is to hear of.
    var forgetting: Set<EntryID> = []

    init(hasCloud: Bool) { self.hasCloud = hasCloud }

    mutating func load(_ store: DocumentsStore, _ container: Int64) throws {
        for shard in try store.graves(in: container) {
            for (id, time) in (try? Graveyard.read(shard.content, ofName: shard.name)) ?? [:] {
                graveyard.bury(id, at: time)
            }
            graveVersions[shard.name] = shard.version
            if !shard.isSent { unsentGraves.insert(shard.name) }
        }
        ages = DeletionAges(try store.ages(in: container), lastLook: try store.look(in: container))
        met = try store.met(in: container)
    }
}

extension DirectState {
    /// Whether an entry that another device announces is an old copy of one that was buried.
    func isBuried(_ entry: Entry) -> Bool {
        guard let time = graveyard[.init(entry.id)] else { return false }
        return FileSyncPlanner.isOld(entry, buriedAt: FileSyncPlanner.grave(at: time))
    }

    /// The same of one that is here, which is not unpacked where nothing of its name was buried.
    func isBuried(_ id: EntryID, among entries: EntrySet) -> Bool {
        graveyard[.init(id)] != nil && entries[id].map(isBuried) ?? false
    }
}

extension Graveyard.Identifier {
    init(_ id: EntryID) { self.init(high: id.high, low: id.low) }
    var entry: EntryID { EntryID(high: high, low: low) }
}
