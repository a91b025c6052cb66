import BatonWire
import CloudClient
import Foundation
import SwiftProtobuf

/// The calls to the cloud that reading and writing zones need.
protocol ZoneCloud: Sendable {
    /// The server that cursors and versions belong to.
    var server: String { get }
    /// The present head of a zone; nil where there is none.
    func head(of zone: Data) async throws -> Baton_Cloud_V1_ZoneHead?
    func changes(_ request: Baton_Cloud_V1_FetchChangesRequest) async throws -> Baton_Cloud_V1_FetchChangesResponse
    func items(_ request: Baton_Cloud_V1_FetchItemsRequest) async throws -> Baton_Cloud_V1_FetchItemsResponse
    func write(_ request: Baton_Cloud_V1_WriteItemsRequest) async throws -> Baton_Cloud_V1_WriteItemsResponse
}

extension CloudSession: ZoneCloud {
    var server: String { address.url }

    func head(of zone: Data) async throws -> Baton_Cloud_V1_ZoneHead? {
        try await call(ZoneMethods.listZones, .with { $0.zoneIds = [zone] }).zones.first { $0.zoneID == zone }
    }

    func changes(_ request: Baton_Cloud_V1_FetchChangesRequest) async throws -> Baton_Cloud_V1_FetchChangesResponse {
        try await call(ZoneMethods.fetchChanges, request)
    }

    func items(_ request: Baton_Cloud_V1_FetchItemsRequest) async throws -> Baton_Cloud_V1_FetchItemsResponse {
        try await call(ZoneMethods.fetchItems, request)
    }

    func write(_ request: Baton_Cloud_V1_WriteItemsRequest) async throws -> Baton_Cloud_V1_WriteItemsResponse {
        let bytes = request.writes.reduce(0) { $0 + $1.put.sealed.count }
        return try await call(ZoneMethods.writeItems, request, sending: bytes)
    }
}
