package import BatonCore
package import Devices
package import Foundation

/// The state of an item, present or to be written.
package enum ItemState: Hashable, Sendable {
    case content(Data)
    /// With what the device that deleted it says about that, sealed as contents are: no server can make it up. Nil where
    /// nothing was said, or nothing that can be opened. At most 1 KiB.
    case deleted(tombstone: Data?)

    /// Nil: deleted.
    package var content: Data? { if case .content(let content) = self { content } else { nil } }
}

/// An item to be written to the cloud.
package struct OutgoingItem: Hashable, Sendable {
    /// Unique in its zone, and the same on every device. At most 1 KiB of UTF-8.
    package var name: String
    package var state: ItemState
    /// The version that is replaced; 0: the item never was.
    package var replaces: UInt64
    /// Blobs that the content needs. They are uploaded before the item is written, and stay in the cloud as long as it does.
    package var blobs: [BlobID]
    /// Items with one number, which follow each other, are written together or not at all, and reach other devices' sources so.
    /// At most 500 items and 3 MiB. Only where the kind's policy has groups.
    package var group: Int?

    package init(name: String, state: ItemState, replaces: UInt64, blobs: [BlobID] = [], group: Int? = nil) {
        self.name = name
        self.state = state
        self.replaces = replaces
        self.blobs = blobs
        self.group = group
    }

    /// - Parameter content: nil deletes the item, without a word.
    package init(name: String, content: Data?, replaces: UInt64) {
        self.init(name: name, state: content.map(ItemState.content) ?? .deleted(tombstone: nil), replaces: replaces)
    }

    package var content: Data? { state.content }
}

/// An item as the cloud has it.
package struct IncomingItem: Hashable, Sendable {
    package var name: String
    /// Its place in the zone's order; 0: it is not there, and its deletion is forgotten.
    package var version: UInt64
    package var state: ItemState
    /// Blobs that the item names in the cloud.
    package var blobs: [BlobID]

    package init(name: String, version: UInt64, state: ItemState, blobs: [BlobID] = []) {
        self.name = name
        self.version = version
        self.state = state
        self.blobs = blobs
    }

    /// - Parameter content: nil: deleted, and nothing is known of why.
    package init(name: String, version: UInt64, content: Data?) {
        self.init(name: name, version: version, state: content.map(ItemState.content) ?? .deleted(tombstone: nil))
    }

    package var content: Data? { state.content }
}

/// Items held back until everything in the account was received.
package struct EarlyItems: Hashable, Sendable {
    package var count: Int
    /// When the oldest of them was made, in milliseconds since 1970.
    package var since: UInt64

    package init(count: Int, since: UInt64) {
        self.count = count
        self.since = since
    }
}

/// The origin of the account's state.
package enum SyncOrigin: Hashable, Sendable {
    case cloud
    /// A device that is near, while the cloud was away.
    case device
}

/// The reason to look at a zone.
package enum ZoneNews: Hashable, Sendable {
    /// Something may wait in it.
    case changed
    /// The same, and what was read before may be understood now.
    case opened
}

/// A service whose data syncs: it keeps zones of items, and resolves conflicts.
///
/// The engine calls the methods of a zone one after the other, never two at once, from its own tasks. A method returns
/// when its input is on the disk. After a crash the engine repeats inputs that may not have been kept, in any order and
/// any number of times, so methods must be idempotent. After an error the engine tries again later.
package protocol ZoneSource: Sendable {
    var kind: ZoneName.Kind { get }
    /// The same for as long as the source is there.
    var policy: ZonePolicy { get }
    /// The codec for the cloud; nil: names and contents are sealed under the account's content keys.
    var codec: (any ZoneCodec)? { get }

    /// For a person.
    func title(of zone: ZoneName) -> String

    /// Asked before a zone of another kind that requires this one is written.
    /// - Throws: while that must wait.
    func prepareDependents() async throws

    /// Which zones have work by what happened to the account.
    func news(of event: AccountEvent) -> [ZoneName: ZoneNews]

    /// The zones that are kept here. Asked when the engine starts and when an account was signed in; one that comes later
    /// is announced by ``SyncTrigger/changed(_:)``.
    func zones() async throws -> [ZoneName]

    /// Whether the zone is kept here still: a source may have removed it.
    func keeps(_ zone: ZoneName) async throws -> Bool

    /// Names what the source keeps of the zone: another one after it was removed here and made again, whose content is to be read
    /// from its start. Empty for a zone that is never removed.
    func identity(of zone: ZoneName) async throws -> Data

    /// Items to write, the oldest change first; a group is given whole, also beyond the limit. Called again after each
    /// answer, until it is empty.
    func pending(in zone: ZoneName, limit: Int) async throws -> [OutgoingItem]

    /// The items not to be written before the zone was read to its end; nil when there are none.
    func early(in zone: ZoneName) async throws -> EarlyItems?

    /// The reasons that keep something of the zone from being the same everywhere, besides what the sync itself knows.
    func findings(in zone: ZoneName) async throws -> [ZoneFinding]

    /// The cloud took these, exactly as they were given.
    func written(_ items: [(item: OutgoingItem, version: UInt64)], in zone: ZoneName) async throws

    /// The account has no room for some of what is pending; the rest may be written.
    func refused(_ error: BatonError, in zone: ZoneName) async

    /// Changes from the cloud, or the items that stood in the way of a write. All of them are taken, or none: there are whole
    /// groups only among them.
    func received(_ items: [IncomingItem], in zone: ZoneName) async throws

    /// The zone was read again from its start and holds nothing but these names. Other items that the cloud once had
    /// were deleted long ago, or lost.
    func startedOver(_ zone: ZoneName, holding names: Set<String>) async throws

    /// The zone was reset: another server keeps it, or one that was restored from a backup, or it was made
    /// anew. Known versions are to be discarded, and items that the server does not send again are to be uploaded: they were
    /// lost, not deleted.
    func zoneReset(of zone: ZoneName) async throws

    /// Everything that the account has was received: from the cloud, or from a device that had it while the cloud was away.
    func didFinishInitialFetch(_ zone: ZoneName, by origin: SyncOrigin) async throws

    /// The cloud can be called now: contents may come that were away. Neither blocks nor fails.
    func connected()

    /// Which of these blobs an item names that is to be written yet: they are only here.
    func neededBlobs(among blobs: Set<BlobID>) async throws -> Set<BlobID>

    /// Which of these blobs an item names, whether it waits or not.
    func namedBlobs(among blobs: Set<BlobID>) async throws -> Set<BlobID>

    // MARK: Direct exchange with a device of the account

    /// For the whole zone: the bytes of the ``RangeDigest`` of all items. Empty while this device cannot know what the account
    /// has, since the account was not read yet; nil for a zone that is not exchanged directly.
    func digest(of zone: ZoneName) async throws -> Data?

    /// The digest of each of these ranges, over the items that ``stamps(in:of:meeting:)`` has. ``ItemIndex`` keeps them.
    func digests(of ranges: [ItemRange], in zone: ZoneName) async throws -> [RangeDigest]

    /// The items whose stamps changed after a position, so that a device that had the same there is asked about nothing else.
    /// - Parameter position: nil: none is known.
    /// - Returns: nil of a source that does not keep that.
    func changes(in zone: ZoneName, after position: ItemPosition?) async throws -> ZoneChanges?

    /// For each item in these ranges a stamp (at most 64 bytes, compared for equality only) that changes with its content. While
    /// the digest is empty: of what other devices sent only.
    /// - Parameter names: of which the other device has something: also what is kept only to win over that is sent then.
    func stamps(in ranges: [ItemRange], of zone: ZoneName, meeting names: Set<String>) async throws -> [String: Data]

    /// Stamps of contents that another device sent; unreadable ones are left out.
    func stamps(of contents: [String: Data]) -> [String: Data]

    /// The contents of these items; names that are not there are left out.
    func contents(of names: [String], in zone: ZoneName) async throws -> [String: Data]

    /// As many of these as fit into a message, one at least.
    /// - Returns: with how many of the names that settles: all of those before are given, or not there.
    func contents(
        of names: [String], in zone: ZoneName, atMost bytes: Int
    ) async throws -> (contents: [String: Data], count: Int)

    /// Merges contents of another device. The cloud may not have them yet.
    func exchanged(_ contents: [String: Data], in zone: ZoneName) async throws

    /// The same, unless other items of that device have to come with them, since it may have changed both at once.
    ///
    /// - Parameter asked: items of which the device has sent what it has; nil: they are merged in any case.
    /// - Returns: items that it is to be asked for first, which are not among those, 1,000 at most. Nothing is merged then.
    func exchanged(
        _ contents: [String: Data], in zone: ZoneName, asked: Set<String>?
    ) async throws -> Set<String>

    /// Whether ``met(_:in:digest:)`` is of use: then zones are compared once more after they were made the same.
    func wantsMeetings(in zone: ZoneName) async throws -> Bool

    /// A device that is near holds the same, or nothing of the zone.
    /// - Parameter digest: of what both hold; nil: the other device holds nothing of it.
    func met(_ device: DeviceID, in zone: ZoneName, digest: Data?) async throws

    /// Whether this device holds nothing of a zone, not even of one that is closed for now.
    func isAbsent(_ zone: ZoneName) async throws -> Bool
}

extension ZoneSource {
    package func refused(_: BatonError, in _: ZoneName) async {}
    package func connected() {}

    package var policy: ZonePolicy { ZonePolicy() }
    package var codec: (any ZoneCodec)? { nil }
    package func title(of zone: ZoneName) -> String { zone.description }
    package func prepareDependents() async throws {}
    package func news(of event: AccountEvent) -> [ZoneName: ZoneNews] { [:] }

    /// A source that removes no zones.
    package func keeps(_ zone: ZoneName) async throws -> Bool { true }
    package func identity(of zone: ZoneName) async throws -> Data { Data() }

    /// A source whose items name no blobs.
    package func neededBlobs(among blobs: Set<BlobID>) async throws -> Set<BlobID> { [] }
    package func namedBlobs(among blobs: Set<BlobID>) async throws -> Set<BlobID> { [] }

    /// A source that keeps nothing back.
    package func early(in zone: ZoneName) async throws -> EarlyItems? { nil }
    package func findings(in zone: ZoneName) async throws -> [ZoneFinding] { [] }

    // A source that is not exchanged directly.
    package func digest(of zone: ZoneName) async throws -> Data? { nil }
    package func digests(of ranges: [ItemRange], in zone: ZoneName) async throws -> [RangeDigest] {
        ranges.map { _ in RangeDigest() }
    }
    package func changes(in zone: ZoneName, after position: ItemPosition?) async throws -> ZoneChanges? { nil }
    package func stamps(
        in ranges: [ItemRange], of zone: ZoneName, meeting names: Set<String>
    ) async throws -> [String: Data] { [:] }
    package func stamps(of contents: [String: Data]) -> [String: Data] { [:] }
    package func contents(of names: [String], in zone: ZoneName) async throws -> [String: Data] { [:] }
    package func contents(
        of names: [String], in zone: ZoneName, atMost bytes: Int
    ) async throws -> (contents: [String: Data], count: Int) {
        var message = FittingContents(bytes: bytes)
        while let some = message.next(of: names) {
            message.add(try await contents(of: some, in: zone), for: some)
        }
        return (message.contents, message.count)
    }
    package func exchanged(_ contents: [String: Data], in zone: ZoneName) async throws {}
    /// A source whose items do not depend on each other.
    package func exchanged(
        _ contents: [String: Data], in zone: ZoneName, asked: Set<String>?
    ) async throws -> Set<String> {
        try await exchanged(contents, in: zone)
        return []
    }
    package func wantsMeetings(in zone: ZoneName) async throws -> Bool { false }
    package func met(_ device: DeviceID, in zone: ZoneName, digest: Data?) async throws {}
    package func isAbsent(_ zone: ZoneName) async throws -> Bool { false }

    /// All that is exchanged.
    package func stamps(in zone: ZoneName) async throws -> [String: Data] {
        try await stamps(in: [.all], of: zone, meeting: [])
    }
}

/// How a source notifies the engine that there is work. Neither blocks nor fails; may be called from any thread, as often as
/// one likes.
package protocol SyncTrigger: Sendable {
    /// Something waits in this zone, or it is new here.
    func changed(_ zone: ZoneName)
    /// It was made here, perhaps again: what was read of it before is not there any more.
    func opened(_ zone: ZoneName)
    /// It is not kept here any more.
    func removed(_ zone: ZoneName)
    /// It is looked at: what waits to be tried again may be tried sooner.
    func wanted(_ zone: ZoneName)
    /// Devices that are near may not know something of this zone that is durable here. The cloud learns of it otherwise.
    func changedHere(_ zone: ZoneName)
    /// The time by which the account counts what is to last for weeks, in milliseconds since 1970; nil while it is not known.
    var accountTime: UInt64? { get }
    /// The same, of which no cloud can make more pass than passes on this device: how long something has lasted is counted by it.
    var countedTime: UInt64? { get }
    /// Whether the account's cloud can be called now.
    var isConnected: Bool { get }
    /// Whether the cloud is known not to take what waits in this zone now: it could not be reached, or does not answer.
    func isUnreachable(for zone: ZoneName) -> Bool
}

extension SyncTrigger {
    package func opened(_ zone: ZoneName) { changed(zone) }
    package func removed(_ zone: ZoneName) {}
    package func wanted(_ zone: ZoneName) {}
    package func changedHere(_ zone: ZoneName) {}
    package var accountTime: UInt64? { nil }
    package var countedTime: UInt64? { accountTime }
    package var isConnected: Bool { true }
    package func isUnreachable(for zone: ZoneName) -> Bool { false }
}
