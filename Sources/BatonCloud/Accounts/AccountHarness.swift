import BatonCore
import BatonTransport
import BatonWire
import Foundation
import SwiftProtobuf

/// Answers `AccountService`.
struct AccountHarness: Sendable {
    let store: any ItemStore
    let authorizer: RequestAuthorizer
    let limits: CloudLimits
    let rules: StoreRules

    private var accounts: CloudAccounts { authorizer.accounts }

    func register(on router: inout ConnectRouter) {
        unary(AccountMethods.getServer, "GetServer", on: &router) { _, _ in
            description(registration: try await accounts.registrationNow())
        }
        unary(AccountMethods.getChallenge, "GetChallenge", on: &router) { request, _ in
            let caller = CloudCaller(
                account: try AccountID(validating: request.accountID),
                device: try DeviceID(validating: request.deviceID))
            return .with { $0.challenge = accounts.challenge(for: caller) }
        }
        unary(AccountMethods.register, "Register", on: &router) { request, context in
            try authorizer.checkCost(statements: request.membership.count, context)
            return try await Self.aside {
                Self.message(try await accounts.register(request, authority: context.authority))
            }
        }
        unary(AccountMethods.authenticate, "Authenticate", on: &router) { request, context in
            Self.message(try await accounts.authenticate(request, authority: context.authority))
        }
        unary(AccountMethods.mergeMembership, "MergeMembership", on: &router) { request, context in
            let caller = try await authorizer.admit(context).0
            let statements = try await Self.aside {
                try await accounts.merge(request.statements, into: caller.account)
            }
            return .with { $0.statements = statements }
        }
        unary(AccountMethods.getUsage, "GetUsage", on: &router) { _, context in
            let usage = try await store.usage(of: try await authorizer.admit(context).0.account)
            return .with {
                $0.itemBytes = UInt64(max(0, usage.itemBytes))
                $0.blobBytes = UInt64(max(0, usage.blobBytes))
                $0.quotaBytes = usage.ownQuota ?? rules.quota
                $0.items = UInt64(max(0, usage.items))
                $0.blobs = UInt64(max(0, usage.blobs))
                $0.zones = UInt32(clamping: usage.zones)
                $0.otherBytes = UInt64(max(0, usage.otherBytes))
            }
        }
        unary(AccountMethods.deleteAccount, "DeleteAccount", on: &router) { request, context in
            let account = try await authorizer.admit(context).0.account
            guard request.accountID == account.rawValue else {
                throw BatonError(
                    .invalidArgument, reason: "other_account",
                    "To delete an account, name it: so that nothing is deleted by mistake.")
            }
            try await accounts.delete(account)
            return .init()
        }
    }

    private func unary<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ name: String, on router: inout ConnectRouter,
        _ handler: @escaping @Sendable (Request, CallContext) async throws -> Response
    ) {
        router.unary(method) { request, context in
            try await authorizer.metrics.measure(name) { try await handler(request, context) }
        }
    }

    /// Runs what may have thousands of signatures to check away from the event loops, which serve others meanwhile.
    private static func aside<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        try await withTaskExecutorPreference(globalConcurrentExecutor, operation: body)
    }

    private static func message(
        _ token: (token: Data, expires: UInt64)
    ) -> Baton_Cloud_V1_AuthenticateResponse {
        .with {
            $0.token = token.token
            $0.expires = token.expires
        }
    }

    private func description(registration: CloudAccounts.Registration) -> Baton_Cloud_V1_GetServerResponse {
        .with {
            $0.softwareVersion = BatonVersion.current
            $0.protocolVersion = ConnectProtocol.version
            $0.time = rules.clock.milliseconds
            $0.registration =
                switch registration {
                case .open: .open
                case .first, .invitation: .invitation
                case .closed: .closed
                }
            $0.limits.itemBytes = UInt64(limits.itemBytes)
            $0.limits.itemsPerBatch = UInt32(limits.itemsPerBatch)
            $0.limits.batchBytes = UInt64(limits.batchBytes)
            $0.limits.itemsPerPage = UInt32(limits.itemsPerPage)
            $0.limits.blobsPerItem = UInt32(limits.blobsPerItem)
            $0.limits.blobBytes = limits.blobBytes
            $0.limits.zonesPerAccount = UInt32(limits.zonesPerAccount)
        }
    }
}
