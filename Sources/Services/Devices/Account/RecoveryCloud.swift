package import BatonCore
package import BatonTrust
package import BatonWire
package import Crypto
package import Foundation

/// The cloud's data of an account, as far as its recovery needs it.
package struct RecoveryData: Sendable {
    package var statements: [Baton_Link_V1_SignedStatement]
    /// The items of the zone ``ContentKeyEnvelopes/zoneID``.
    package var contentKeys: [Data]

    package init(statements: [Baton_Link_V1_SignedStatement], contentKeys: [Data]) {
        self.statements = statements
        self.contentKeys = contentKeys
    }
}

/// The cloud, as recovering an account needs it: before this device belongs to any.
package protocol RecoveryCloud: Sendable {
    /// Signs in as a device of the account, and reads.
    /// - Parameter key: of the device that the recovery code stands for.
    func fetch(
        _ account: AccountID, as key: P256.Signing.PrivateKey, at endpoint: CloudEndpoint
    ) async throws -> RecoveryData

    /// One item of a zone, sealed; nil when it is not there.
    func item(
        _ item: Data, of zone: Data, _ account: AccountID, as key: P256.Signing.PrivateKey, at endpoint: CloudEndpoint
    ) async throws -> Data?

    /// Lets the cloud know who belongs to the account now: no other device could report one that was recovered.
    func publish(
        _ statements: [Baton_Link_V1_SignedStatement], of account: AccountID, as key: P256.Signing.PrivateKey,
        at endpoint: CloudEndpoint
    ) async throws
}
