import BatonClient
import BatonCore
package import BatonWire
package import Foundation
import SwiftProtobuf

/// The app's way to one database of records: typed calls, and a watch that outlives the daemon.
///
/// Safe to use from any task. A call that the daemon did not answer may be made again: each of them is either repeated without
/// harm, or judged by change tags and sequences.
package final class RecordsLink: Sendable {
    /// The limit of one call.
    package static let timeout = Duration.seconds(30)
    /// Bytes of one part of an asset.
    package static let partSize = 2 << 20
    /// A value of more bytes is handed over by ``write(_:content:)``.
    package static let inlineLimit = 32 << 10

    package let link: DaemonLink
    /// As the app named it; empty for its first container.
    package let container: String
    package let scope: Baton_App_V1_DatabaseScope

    package init(link: DaemonLink, container: String, scope: Baton_App_V1_DatabaseScope = .private) {
        self.link = link
        self.container = container
        self.scope = scope
    }

    package var database: Baton_App_V1_RecordsDatabase {
        .with {
            $0.container = container
            $0.scope = scope
        }
    }

    // MARK: The database

    /// - Throws: `permission_denied` (`missing_entitlement`, `bad_container`).
    package func open() async throws -> Baton_App_V1_OpenDatabaseResponse {
        try await link.call(RecordsMethods.openDatabase, .with { $0.database = database }, timeout: Self.timeout)
    }

    package func accountStatus() async throws -> Baton_App_V1_GetAccountStatusResponse {
        try await link.call(RecordsMethods.getAccountStatus, .with { $0.database = database }, timeout: Self.timeout)
    }

    /// Delivers updates until the subscription is stopped. The first after each new connection says that it begins: changes may
    /// have happened before. The closures run on the link's own thread, one call after the other.
    /// - Parameter ended: the connection, or an attempt, is over; the next one is made by itself.
    package func watch(
        _ news: @escaping @Sendable (Baton_App_V1_DatabaseNews) async -> Void,
        ended: @escaping @Sendable ((any Error)?) async -> Void = { _ in }
    ) -> DaemonSubscription {
        link.subscribe(RecordsMethods.watchDatabase, RecordsWatch(link: self, news: news, onEnd: ended))
    }

    // MARK: Zones

    package func modifyZones(
        save: [Baton_App_V1_RecordZoneID], delete: [Baton_App_V1_RecordZoneID]
    ) async throws -> Baton_App_V1_ModifyZonesResponse {
        let request = Baton_App_V1_ModifyZonesRequest.with {
            $0.database = database
            $0.save = save
            $0.delete = delete
        }
        return try await link.call(RecordsMethods.modifyZones, request, timeout: Self.timeout)
    }

    /// - Parameter zones: empty for all.
    package func zones(_ zones: [Baton_App_V1_RecordZoneID] = []) async throws -> [Baton_App_V1_ZoneResult] {
        let request = Baton_App_V1_FetchZonesRequest.with {
            $0.database = database
            $0.zones = zones
        }
        return try await link.call(RecordsMethods.fetchZones, request, timeout: Self.timeout).zones
    }

    package func databaseChanges(
        since token: Data, limit: UInt32 = 0
    ) async throws -> Baton_App_V1_FetchDatabaseChangesResponse {
        let request = Baton_App_V1_FetchDatabaseChangesRequest.with {
            $0.database = database
            $0.token = token
            $0.limit = limit
        }
        return try await link.call(RecordsMethods.fetchDatabaseChanges, request, timeout: Self.timeout)
    }

    // MARK: Records

    /// - Throws: for the whole call; what is refused of single records is in their results.
    package func modify(
        save: [Baton_App_V1_RecordSave], delete: [Baton_App_V1_RecordIdentifier],
        policy: Baton_App_V1_RecordSavePolicy, atomic: Bool
    ) async throws -> Baton_App_V1_ModifyRecordsResponse {
        let request = Baton_App_V1_ModifyRecordsRequest.with {
            $0.database = database
            $0.save = save
            $0.delete = delete
            $0.policy = policy
            $0.atomic = atomic
        }
        return try await link.call(RecordsMethods.modifyRecords, request, timeout: Self.timeout)
    }

    /// All results, in the order of the names; asks as often as is needed.
    /// - Parameter keys: nil for all fields.
    package func records(
        _ names: [Baton_App_V1_RecordIdentifier], keys: [String]? = nil
    ) async throws -> [Baton_App_V1_RecordResult] {
        var results: [Baton_App_V1_RecordResult] = []
        while results.count < names.count {
            let request = Baton_App_V1_FetchRecordsRequest.with {
                $0.database = database
                $0.records = Array(names[results.count...].prefix(400))
                $0.desiredKeys = keys ?? []
                $0.noFields = keys?.isEmpty == true
            }
            let answer = try await link.call(RecordsMethods.fetchRecords, request, timeout: Self.timeout)
            guard !answer.records.isEmpty, answer.records.count <= request.records.count else {
                throw Self.badAnswer
            }
            results += answer.records
        }
        return results
    }

    /// One page.
    package func changes(
        in zone: Baton_App_V1_RecordZoneID, since token: Data, keys: [String]? = nil, limit: UInt32 = 0
    ) async throws -> Baton_App_V1_FetchZoneChangesResponse {
        let request = Baton_App_V1_FetchZoneChangesRequest.with {
            $0.database = database
            $0.zone = zone
            $0.token = token
            $0.limit = limit
            $0.desiredKeys = keys ?? []
            $0.noFields = keys?.isEmpty == true
        }
        return try await link.call(RecordsMethods.fetchZoneChanges, request, timeout: Self.timeout)
    }

    // MARK: Mirrors

    package func setSchema(
        _ tables: [Baton_App_V1_RecordTable], in zone: Baton_App_V1_RecordZoneID, actor: Data, cursor: Data,
        retry: Bool
    ) async throws -> Baton_App_V1_SetSchemaResponse {
        let request = Baton_App_V1_SetSchemaRequest.with {
            $0.database = database
            $0.zone = zone
            $0.tables = tables
            $0.actor = actor
            $0.cursor = cursor
            $0.retry = retry
        }
        return try await link.call(RecordsMethods.setSchema, request, timeout: Self.timeout)
    }

    package func sendRows(
        _ groups: [Baton_App_V1_RowGroup], in zone: Baton_App_V1_RecordZoneID, actor: Data, cursor: Data,
        known: UInt64
    ) async throws -> Baton_App_V1_SendRowsResponse {
        let request = Baton_App_V1_SendRowsRequest.with {
            $0.database = database
            $0.zone = zone
            $0.actor = actor
            $0.cursor = cursor
            $0.groups = groups
            $0.known = known
        }
        return try await link.call(RecordsMethods.sendRows, request, timeout: Self.timeout)
    }

    /// One page.
    package func fetchRows(
        in zone: Baton_App_V1_RecordZoneID, actor: Data, cursor: Data, limit: UInt32 = 0
    ) async throws -> Baton_App_V1_FetchRowsResponse {
        let request = Baton_App_V1_FetchRowsRequest.with {
            $0.database = database
            $0.zone = zone
            $0.actor = actor
            $0.cursor = cursor
            $0.limit = limit
        }
        return try await link.call(RecordsMethods.fetchRows, request, timeout: Self.timeout)
    }

    /// One page.
    package func listRows(
        of table: String, in zone: Baton_App_V1_RecordZoneID, page: Data
    ) async throws -> Baton_App_V1_ListRowsResponse {
        let request = Baton_App_V1_ListRowsRequest.with {
            $0.database = database
            $0.zone = zone
            $0.table = table
            $0.page = page
        }
        return try await link.call(RecordsMethods.listRows, request, timeout: Self.timeout)
    }

    package func reportHeld(
        _ rows: [Baton_App_V1_HeldRow], in zone: Baton_App_V1_RecordZoneID, cursor: Data
    ) async throws {
        let request = Baton_App_V1_ReportHeldRequest.with {
            $0.database = database
            $0.zone = zone
            $0.rows = rows
            $0.cursor = cursor
        }
        _ = try await link.call(RecordsMethods.reportHeld, request, timeout: Self.timeout)
    }

    static let badAnswer = BatonError(
        .internal, reason: "bad_answer", "The daemon answered something else than was asked.")
}

/// Keeps the watch of one database up.
private struct RecordsWatch: DaemonSubscriber {
    let link: RecordsLink
    let news: @Sendable (Baton_App_V1_DatabaseNews) async -> Void
    let onEnd: @Sendable ((any Error)?) async -> Void

    func request() async throws -> Baton_App_V1_WatchDatabaseRequest { .with { $0.database = link.database } }

    func follow(
        _ responses: ConnectResponses<Baton_App_V1_DatabaseNews>, on connection: DaemonConnection
    ) async throws {
        for try await message in responses {
            connection.answered()
            await news(message)
        }
    }

    func ended(_ error: (any Error)?) async -> SubscriptionPause {
        await onEnd(error)
        return .backoff
    }
}
