package import CloudClient

/// Where the account's cloud is, how this device proves itself there, and what opens zones that are sealed for the account.
package protocol SyncAccess: Sendable {
    /// Nil while the account has no cloud.
    func address() -> CloudAddress?
    /// - Parameter invitation: for a server that wants one.
    /// - Throws: `failed_precondition` without an account, or once this device was revoked.
    func session(to address: CloudAddress, invitation: String) async throws -> CloudSession
    /// Nil while there are no keys.
    func codec() -> (any ZoneCodec)?
}
