import Foundation

/// How far a zone was read.
struct ZoneRecord: Hashable, Sendable {
    /// The address of the cloud whose cursor it is.
    var server: String
    var cursor = Data()
    /// It is being read anew, and what was not brought is dropped at the end.
    var isStartingOver = false
}

/// How far the zones of an account were read by this device, and what could not be opened yet. What was saved survives a crash.
protocol ZoneRecords: Sendable {
    func record(of zone: ZoneName) async throws -> ZoneRecord?

    /// - Parameters:
    ///   - parking: items that could not be opened.
    ///   - unparking: items that need not be looked at again.
    func save(_ record: ZoneRecord, of zone: ZoneName, parking: Set<Data>, unparking: Set<Data>) async throws

    /// Some of those that could not be opened, any of them.
    func parked(in zone: ZoneName, limit: Int) async throws -> [Data]
}
