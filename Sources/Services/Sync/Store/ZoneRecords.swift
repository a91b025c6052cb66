import Foundation

/// How far a zone was read.
struct ZoneRecord: Hashable, Sendable {
    /// The address of the cloud whose cursor it is.
    var server: String
    var cursor = Data()
    /// The newest version that was read.
    var position: UInt64 = 0
    /// The newest version reported since by the answer to a write; the cloud is asked to confirm it.
    var known: UInt64 = 0
    /// The zone is being read again from its start; at the end the source hears which names it has.
    var isStartingOver = false
    /// The source's identity of the zone, from ``ZoneSource/identity(of:)``; empty if unknown.
    var identity = Data()
}

/// An item that waits for the rest of its group.
struct HeldItem: Hashable, Sendable {
    var id: Data
    /// The version of the last item of its group.
    var last: UInt64
    /// As the cloud sent it.
    var message: Data
}

/// Notes about items that are saved together with a record.
struct ZoneNotes: Sendable {
    /// Items that could not be opened.
    var parking: Set<Data> = []
    /// Items that were damaged, of which this device has no name: they are asked for again, and keep nothing from being written.
    var damaged: Set<Data> = []
    /// Items that need not be looked at again.
    var unparking: Set<Data> = []
    /// Names of items by their blinded identifiers. Nil: the item is gone.
    var names: [Data: String?] = [:]
    var holding: [HeldItem] = []
    var releasing: Set<Data> = []
    /// Nothing that was held before counts.
    var releasesAll = false
}

/// The progress of reading an account's zones on this device, with notes about their items. Saved data survives a
/// crash.
protocol ZoneRecords: Sendable {
    func record(of zone: ZoneName) async throws -> ZoneRecord?

    /// All or nothing.
    func save(_ record: ZoneRecord, of zone: ZoneName, _ notes: ZoneNotes) async throws

    /// Called before items are written: the cloud reports a deletion by the blinded name only.
    func remember(_ names: [Data: String], in zone: ZoneName) async throws

    func names(of items: Set<Data>, in zone: ZoneName) async throws -> [Data: String]

    /// Those whose group ends with this version or a later one.
    func held(in zone: ZoneName, reaching version: UInt64) async throws -> [HeldItem]

    /// Those of the given items that could not be opened, and since when: milliseconds since 1970.
    func parked(_ items: [Data], in zone: ZoneName) async throws -> [Data: UInt64]

    /// Some of those that could not be opened, any of them.
    func parked(in zone: ZoneName, limit: Int) async throws -> [Data]
}

extension ZoneRecords {
    func save(_ record: ZoneRecord, of zone: ZoneName, parking: Set<Data> = [], unparking: Set<Data> = []) async throws
    {
        try await save(record, of: zone, ZoneNotes(parking: parking, unparking: unparking))
    }
}
