package import BatonCore
import BatonTrust
package import BatonWire
import Crypto
package import Foundation
import SwiftProtobuf

/// Lets devices in: registers accounts, authenticates devices, knows them by their tokens, and shuts them out.
package final class CloudAccounts: Sendable {
    /// Decides who may register an account that the server does not know.
    package enum Registration: String, CaseIterable, Sendable {
        /// Anybody while there is no account, then by invitation.
        case first
        case open, invitation, closed
    }

    static let registrationClosed = BatonError(
        .permissionDenied, reason: "registration_closed", "This server takes no new accounts.")

    private static let signingDomain = Data("baton-cloud-v1\0".utf8)

    package let registration: Registration
    private let store: any ItemStore
    private let directory: MembershipDirectory
    private let tokens: ServerTokens
    private let names: ServerNames
    private let hub: ChangeHub
    private let clock: WallClock
    private let changed = ChangedAccounts()
    private let usedWhileFull = ReplayCache()

    package init(
        store: any ItemStore, tokens: ServerTokens, names: ServerNames, hub: ChangeHub, registration: Registration,
        clock: WallClock
    ) {
        self.store = store
        self.tokens = tokens
        self.names = names
        self.hub = hub
        self.registration = registration
        self.clock = clock
        directory = MembershipDirectory(store: store)
    }

    /// The registration mode in effect now, for errors sent to a newcomer.
    package func registrationNow() async throws -> Registration {
        guard registration == .first else { return registration }
        return try await store.hasAccounts() ? .invitation : .open
    }

    // MARK: Letting in

    package func challenge(for caller: CloudCaller) -> Data { tokens.challenge(for: caller, now: clock.milliseconds) }

    /// - Parameter authority: the server's name in the request's head.
    package func authenticate(
        _ request: Baton_Cloud_V1_AuthenticateRequest, authority: String?
    ) async throws -> (token: Data, expires: UInt64) {
        let statement = try Statement(request)
        let membership = try await directory.entry(of: statement.caller.account).membership
        let challenge = try check(statement, membership, authority)
        try await use(challenge)
        return tokens.token(for: statement.caller, now: clock.milliseconds)
    }

    package func register(
        _ request: Baton_Cloud_V1_RegisterRequest, authority: String?
    ) async throws -> (token: Data, expires: UInt64) {
        let statement = try Statement(request.authentication)
        // The cheapest first: this is for anybody to call.
        _ = try check(challengeOf: statement)
        guard let key = try? P256.Signing.PublicKey(x963Representation: request.rootPublicKey),
            AccountID(rootKey: key) == statement.caller.account
        else {
            throw BatonError(
                .invalidArgument, reason: "malformed_root_key",
                "The root key is not that of the account that was named.")
        }
        do {
            return try await registerAgain(request, statement, authority)
        } catch let error as BatonError where error.reason == StoreRules.unknownAccount.reason {
            return try await registerAnew(request, statement, key, authority)
        }
    }

    /// The account is known; the device may be new to it.
    private func registerAgain(
        _ request: Baton_Cloud_V1_RegisterRequest, _ statement: Statement, _ authority: String?
    ) async throws -> (token: Data, expires: UInt64) {
        let account = statement.caller.account
        var membership = try await directory.entry(of: account).membership
        membership.merge(request.membership)
        // Checked before anything is stored: a caller that does not belong to the account changes nothing.
        let challenge = try check(statement, membership, authority)
        try await use(challenge)
        _ = try await merge(request.membership, into: account)
        return tokens.token(for: statement.caller, now: clock.milliseconds)
    }

    private func registerAnew(
        _ request: Baton_Cloud_V1_RegisterRequest, _ statement: Statement, _ key: P256.Signing.PublicKey,
        _ authority: String?
    ) async throws -> (token: Data, expires: UInt64) {
        var invitation: OneUse?
        switch registration {
        case .open: break
        case .first where request.invitation.isEmpty: break
        case .first, .invitation:
            invitation = try tokens.check(invitation: request.invitation, now: clock.milliseconds)
        case .closed: throw Self.registrationClosed
        }
        let membership = try Membership(rootKey: key, statements: request.membership)
        try await use(try check(statement, membership, authority))
        do {
            _ = try await store.addAccount(
                statement.caller.account, rootKey: key.x963Representation, statements: membership.messages,
                invitation: invitation, mustBeFirst: registration == .first && invitation == nil)
        } catch let error as BatonError where error.reason == StoreRules.accountExists.reason {
            // Another device of it was faster.
            _ = try await merge(request.membership, into: statement.caller.account)
        }
        return tokens.token(for: statement.caller, now: clock.milliseconds)
    }

    /// - Returns: the challenge, to be used up.
    private func check(
        _ statement: Statement, _ membership: Membership, _ authority: String?
    ) throws(BatonError) -> OneUse {
        let challenge = try check(challengeOf: statement)
        guard let device = membership.members()[statement.caller.device] else {
            throw Self.notAMember(statement.caller.device, membership)
        }
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: statement.signature),
            device.key.isValidSignature(signature, for: Self.signingDomain + statement.bytes)
        else {
            throw BatonError(
                .unauthenticated, reason: "wrong_signature", "The request is not signed by the device that it names.")
        }
        try names.check(
            authority: statement.content.authority, certificate: statement.content.serverCertificate,
            requested: authority)
        return challenge
    }

    private func use(_ challenge: OneUse) async throws {
        try usedWhileFull.check(challenge)
        do {
            try await store.use(challenge)
        } catch let error as BatonError where error.reason == "disk_full" {
            guard try usedWhileFull.add(challenge, now: clock.milliseconds) else { throw error }
        }
    }

    private func check(challengeOf statement: Statement) throws(BatonError) -> OneUse {
        try tokens.check(challenge: statement.content.challenge, of: statement.caller, now: clock.milliseconds)
    }

    // MARK: Each call

    /// The caller that a token was issued to, judged by the token's MAC alone.
    package func caller(authorization: String?) throws(BatonError) -> CloudCaller {
        try tokens.caller(authorization: authorization, now: clock.milliseconds)
    }

    /// - Returns: where the account's blobs are.
    /// - Throws: `permission_denied` when the device is not a member now.
    @discardableResult
    package func check(_ caller: CloudCaller) async throws -> BlobSpace {
        let entry = try await directory.entry(of: caller.account)
        guard entry.membership.isMember(caller.device) else {
            throw Self.notAMember(caller.device, entry.membership)
        }
        return entry.space
    }

    /// Writes as a member of the account, by what all nodes know of who belongs to it.
    /// - Parameter body: throws ``StoreRules/membershipChanged`` when there is more than the revision that it is given.
    package func writing<Value>(
        _ caller: CloudCaller, _ body: (_ revision: UInt64) async throws -> Value
    ) async throws -> Value {
        for _ in 0..<Self.readings {
            let entry = try await directory.entry(of: caller.account)
            guard entry.membership.isMember(caller.device) else {
                throw Self.notAMember(caller.device, entry.membership)
            }
            do {
                return try await body(entry.revision)
            } catch let error as BatonError where error.reason == StoreRules.membershipChanged.reason {
                directory.invalidate(caller.account)
            }
        }
        throw StoreRules.membershipChanged
    }

    /// How often one call may reload the membership.
    private static let readings = 8

    private static func notAMember(_ device: DeviceID, _ membership: Membership) -> BatonError {
        membership.isRevoked(device)
            ? revoked
            : BatonError(
                .permissionDenied, reason: "not_a_member",
                "The server does not know that this device belongs to the account. Register with the membership.")
    }

    private static let revoked = BatonError(
        .permissionDenied, reason: "device_revoked",
        "This device was revoked: it does not belong to the account any more.")

    // MARK: Changing

    /// - Returns: all that is known.
    package func merge(
        _ statements: [Baton_Link_V1_SignedStatement], into account: AccountID
    ) async throws -> [Baton_Link_V1_SignedStatement] {
        let merged = try await directory.merge(statements, into: account)
        // Takes effect at once, whether or not the disk takes it.
        for device in merged.out { hub.end(CloudCaller(account: account, device: device), with: Self.revoked) }
        if merged.hasChanged { hub.membershipChanged(account) }
        try await directory.save(account)
        return merged.membership.messages
    }

    // MARK: Other nodes

    /// Discards what is cached for the accounts concerned; ``followNews()`` reads them again.
    package func hear(_ news: StoreNews) {
        switch news {
        case .membership(let account):
            directory.invalidate(account)
            changed.add([account])
        case .accountGone(let account):
            directory.forget(account)
            changed.add([account])
        case .interrupted:
            directory.invalidateAll(isTrusted: false)
            hub.endSubscriptions(with: Self.interrupted)
        case .resumed:
            directory.invalidateAll(isTrusted: true)
            // Those that began meanwhile have missed something.
            hub.endSubscriptions(with: Self.interrupted)
            changed.add(hub.accounts)
        }
    }

    /// Ends calls of devices that other nodes have revoked, until it is cancelled.
    package func followNews() async throws {
        while true {
            for account in try await changed.next() {
                for caller in hub.callers(of: account) {
                    do {
                        try await check(caller)
                    } catch let error as BatonError {
                        hub.end(caller, with: error)
                    }
                }
                hub.membershipChanged(account)
            }
        }
    }

    private static let interrupted = BatonError(
        .unavailable, reason: "notifications_interrupted",
        "The server did not hear of changes for a moment. Subscribe again: it begins with every zone.")

    package func delete(_ account: AccountID) async throws {
        try await store.removeAccount(account)
        directory.forget(account)
        hub.end(account, with: StoreRules.unknownAccount)
    }
}

/// A signed authentication, read but not believed.
private struct Statement {
    let content: Baton_Cloud_V1_AuthenticationStatement
    let bytes: Data
    let signature: Data
    let caller: CloudCaller

    init(_ request: Baton_Cloud_V1_AuthenticateRequest) throws(BatonError) {
        guard request.statement.count <= 4096,
            let content = try? Baton_Cloud_V1_AuthenticationStatement(serializedBytes: request.statement)
        else {
            throw BatonError(
                .invalidArgument, reason: "malformed_authentication", "The authentication statement cannot be read.")
        }
        self.content = content
        bytes = request.statement
        signature = request.signature
        caller = CloudCaller(
            account: try AccountID(validating: content.accountID), device: try DeviceID(validating: content.deviceID))
    }
}
