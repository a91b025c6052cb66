package import BatonCore
package import BatonTrust
package import BatonWire
package import CloudClient
package import Crypto
package import Devices
package import Foundation
import SwiftProtobuf

/// The account's cloud, as a device sees it that has nothing but the account's recovery key.
package struct CloudRecovery: RecoveryCloud {
    /// Limit of the zone of content keys. There is one item for each generation and device.
    static let maximumItems = 1_000_000
    /// Limit of the bytes that are taken of it.
    static let maximumBytes = 256 << 20

    private let connectors: CloudConnectors

    package init(connectors: CloudConnectors) { self.connectors = connectors }

    package func fetch(
        _ account: AccountID, as key: P256.Signing.PrivateKey, at endpoint: CloudEndpoint
    ) async throws -> RecoveryData {
        let session = try await signIn(account, key, endpoint)
        defer { session.close() }
        let statements = try await session.call(AccountMethods.mergeMembership, .init()).statements
        let contentKeys = try await Self.contentKeys { try await session.call(ZoneMethods.fetchChanges, $0) }
        return RecoveryData(statements: statements, contentKeys: contentKeys)
    }

    package func item(
        _ item: Data, of zone: Data, _ account: AccountID, as key: P256.Signing.PrivateKey, at endpoint: CloudEndpoint
    ) async throws -> Data? {
        let session = try await signIn(account, key, endpoint)
        defer { session.close() }
        do {
            let found = try await session.items(
                .with {
                    $0.zoneID = zone
                    $0.itemIds = [item]
                }
            ).items.first
            return found.flatMap { $0.hasContent ? $0.content.sealed : nil }
        } catch let error as BatonError where error.reason == "unknown_zone" {
            return nil
        }
    }

    package func publish(
        _ statements: [Baton_Link_V1_SignedStatement], of account: AccountID, as key: P256.Signing.PrivateKey,
        at endpoint: CloudEndpoint
    ) async throws {
        let session = try await signIn(account, key, endpoint)
        defer { session.close() }
        _ = try await session.call(AccountMethods.mergeMembership, .with { $0.statements = statements })
    }

    /// A session as the recovery key.
    package func signIn(
        _ account: AccountID, _ key: P256.Signing.PrivateKey, _ endpoint: CloudEndpoint
    ) async throws -> CloudSession {
        let address = try CloudAddress(url: endpoint.url ?? "", fingerprint: Data(endpoint.certificate ?? []))
        let identity = CloudSession.Identity(
            account: account, device: DeviceID(key: key.publicKey), rootPublicKey: nil,
            sign: { try key.signature(for: $0).rawRepresentation }, statements: { [] })
        let session = CloudSession(connector: try await connectors.connector(to: address), identity: identity)
        do {
            _ = try await session.authenticate()
        } catch let error as BatonError where error.reason == "unknown_account" || error.reason == "not_a_member" {
            throw BatonError(
                .notFound, reason: "nothing_to_recover",
                "The cloud at \(address.url) does not know the account that this recovery key is for. Was the key made while "
                    + "the account had this cloud? Check the address; another device of the account can show it with “baton "
                    + "cloud status”.")
        } catch let error as BatonError where error.reason == "other_certificate" {
            throw BatonError(
                .unauthenticated, reason: error.reason,
                "\(address.url) shows another certificate than the one that --fingerprint names. Give --fingerprint as "
                    + "baton-cloud prints it there; if it is the one that you gave, the connection may be intercepted.",
                cause: error)
        } catch let error as BatonError where error.reason == "cloud_not_proved" {
            throw BatonError(
                .unauthenticated, reason: error.reason,
                "\(address.url) could not prove who it is. Give the fingerprint that baton-cloud prints there with "
                    + "--fingerprint.", cause: error)
        }
        return session
    }

    /// - Parameter changes: asks the cloud, which may lie.
    /// - Throws: `malformed_answer` for one that gives the same for ever.
    static func contentKeys(
        _ changes: (Baton_Cloud_V1_FetchChangesRequest) async throws -> Baton_Cloud_V1_FetchChangesResponse
    ) async throws -> [Data] {
        var (items, bytes): ([Data], Int) = ([], 0)
        var (cursor, looked) = (Data(), 0)
        while true {
            let page: Baton_Cloud_V1_FetchChangesResponse
            do {
                page = try await changes(
                    .with {
                        $0.zoneID = ContentKeyEnvelopes.zoneID
                        $0.cursor = cursor
                    })
            } catch let error as BatonError where error.reason == "unknown_zone" {
                return items
            }
            for item in page.items where item.hasContent {
                let sealed = item.content.sealed
                // A larger one is no envelope.
                guard sealed.count <= ContentKeyEnvelope.maximumSize, bytes + sealed.count <= Self.maximumBytes else {
                    continue
                }
                items.append(sealed)
                bytes += sealed.count
            }
            guard page.more else { return items }
            looked += page.items.count
            guard !page.items.isEmpty, page.cursor != cursor, looked <= Self.maximumItems else {
                throw ZoneTransfer.malformed("makes no progress: it repeats content keys or sends none")
            }
            cursor = page.cursor
        }
    }
}
