import BatonCore
import BatonTrust
import BatonWire
package import CloudClient
import Crypto
package import Devices
import Foundation

/// The account's cloud and keys, as ``AccountService`` has them.
package struct AccountAccess: SyncAccess {
    private let account: AccountService
    private let connectors: CloudConnectors

    package init(account: AccountService, connectors: CloudConnectors) {
        self.account = account
        self.connectors = connectors
    }

    package func address() -> CloudAddress? {
        guard let endpoint = account.cloudEndpoint(), let url = endpoint.url else { return nil }
        return try? CloudAddress(url: url, fingerprint: Data(endpoint.certificate ?? []))
    }

    package func session(to address: CloudAddress, invitation: String) async throws -> CloudSession {
        guard let snapshot = account.snapshot(), let link = account.linkIdentity(), account.standing == .member,
            let key = try? P256.Signing.PrivateKey(derRepresentation: link.privateKey)
        else {
            throw BatonError(
                .failedPrecondition, reason: "no_account",
                "This device belongs to no account, or was revoked from it. Make one with “baton account create”, or join one "
                    + "with “baton pair”.")
        }
        let identity = CloudSession.Identity(
            account: snapshot.accountID, device: snapshot.deviceID,
            rootPublicKey: snapshot.membership.rootKey.x963Representation,
            sign: { try key.signature(for: $0).rawRepresentation },
            statements: { [account] in account.membershipMessage().statements })
        return CloudSession(
            connector: try await connectors.connector(to: address), identity: identity, invitation: invitation)
    }

    package func codec() -> (any ZoneCodec)? {
        account.snapshot().map { SealedCodec(keys: $0.keyRing, membership: $0.membership) }
    }
}
