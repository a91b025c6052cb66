import BatonCore
package import BatonTrust
package import Foundation

/// An account as its cloud has it, before the device that recovers it has entered.
package struct RecoveredAccount: Sendable {
    /// As a zone is named among devices.
    private static let zone = "account/"

    let keyRing: KeyRing
    let membership: Membership

    /// A device that enters where the account's devices have left says anew, to all of them, that the account is there.
    /// - Parameter read: the item of these blinded names; nil when it is not there.
    /// - Throws: `failed_precondition` `account_moved` when a member says in this cloud that the account's is another one.
    package func checkCloud(
        is endpoint: CloudEndpoint, read: (_ item: Data, _ zone: Data) async throws -> Data?
    ) async throws {
        let zone = keyRing.zoneID(of: Self.zone)
        let item = keyRing.itemID(AccountItems.cloud, zoneID: zone)
        guard let sealed = try await read(item, zone),
            let content = try? keyRing.open(sealed, zoneID: zone, itemID: item).content,
            let told = try? SignedCloudEndpoint(content), told.isVouched(for: membership),
            let url = told.endpoint.url, !told.endpoint.isAt(endpoint)
        else { return }
        throw BatonError(
            .failedPrecondition, reason: "account_moved",
            "The account's devices have gone from here to another cloud, \(url): recover there. If that is this one under "
                + "another address, or no longer exists, add --here; devices that are there do not learn of it then.")
    }
}
