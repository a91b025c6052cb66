package import BatonWire
package import Foundation

/// The account's cloud, as a backup needs it.
package protocol BackupCloud: Sendable {
    /// Whether the account has one.
    var isConfigured: Bool { get }
    /// Whether this device is connected to it now. Sends no request.
    var isReachable: Bool { get }
    /// - Throws: `failed_precondition` (`no_cloud`) without one.
    func calls() async throws -> any BackupCloudCalls
    /// The cloud at an address, for a person who has the recovery code alone.
    /// - Parameter fingerprint: SHA-256 of the server's certificate; empty where the system's authorities vouch for it.
    func recover(
        _ code: String, at url: String, fingerprint: Data
    ) async throws -> (keys: any BackupKeys, calls: any BackupCloudCalls)
}

/// The calls of the cloud that a backup needs. Each may be repeated.
package protocol BackupCloudCalls: Sendable {
    /// Those of these zones that there are.
    func heads(of zones: [Data]) async throws -> [Baton_Cloud_V1_ZoneHead]
    func changes(_ request: Baton_Cloud_V1_FetchChangesRequest) async throws -> Baton_Cloud_V1_FetchChangesResponse
    func write(_ request: Baton_Cloud_V1_WriteItemsRequest) async throws -> Baton_Cloud_V1_WriteItemsResponse
    /// Those of these blobs that are not there as a whole, and how many bytes of each are.
    func missing(_ blobs: [Data]) async throws -> [Data: UInt64]
    func put(_ bytes: Data, at offset: UInt64, of blob: Data, size: UInt64) async throws
    /// - Parameter range: not empty, of 4 MiB at most.
    func bytes(_ range: Range<UInt64>, of blob: Data) async throws -> Data
    func close()
}
