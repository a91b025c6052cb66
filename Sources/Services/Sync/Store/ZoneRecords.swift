import Foundation

/// How far a zone was read.
struct ZoneRecord: Hashable, Sendable {
    /// The address of the cloud whose cursor it is.
    var server: String
    var cursor = Data()
    /// The newest version that was read.
    var position: UInt64 = 0
    /// The newest version that was told otherwise since, by an answer to a write: the cloud is asked whether it knows of it.
    var known: UInt64 = 0
    /// It is being read anew; at the end the source is told what was not brought.
    var isStartingOver = false
    /// What the source kept of it, by ``ZoneSource/identity(of:)``; empty: that is not known.
    var identity = Data()
}

/// How far the zones of an account were read by this device, and what could not be opened yet. What was saved survives a crash.
protocol ZoneRecords: Sendable {
    func record(of zone: ZoneName) async throws -> ZoneRecord?

    /// - Parameters:
    ///   - parking: items that could not be opened.
    ///   - unparking: items that need not be looked at again.
    func save(_ record: ZoneRecord, of zone: ZoneName, parking: Set<Data>, unparking: Set<Data>) async throws

    /// Of these, those that could not be opened, and since when: milliseconds since 1970.
    func parked(_ items: [Data], in zone: ZoneName) async throws -> [Data: UInt64]

    /// Some of those that could not be opened, any of them.
    func parked(in zone: ZoneName, limit: Int) async throws -> [Data]
}
