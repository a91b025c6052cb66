import BatonCore
package import BatonTransport
import BatonTrust
import BatonWire
import CloudClient
import Devices
import Foundation
import SwiftProtobuf

/// Speaks `baton.control.v1.CloudControlService`.
package struct CloudControlHarness: Sendable {
    private let sync: SyncService

    package init(sync: SyncService) { self.sync = sync }

    package func register(on router: inout ConnectRouter) {
        router.unary(CloudControlMethods.logInToCloud) { request, _ in try await logIn(request) }
        router.unary(CloudControlMethods.logOutOfCloud) { _, _ in
            _ = try cloud()
            let left = try await sync.move(to: nil)
            return .with { if let left { $0.left = left.message } }
        }
        router.unary(CloudControlMethods.getCloudStatus) { _, _ in await status() }
        router.unary(CloudControlMethods.getCloudUsage) { _, _ in try await usage() }
        router.unary(CloudControlMethods.explainSync) { _, _ in
            let explanations = await sync.explanation().explanations
            return .with { $0.explanations = explanations }
        }
    }

    /// Tries the server before anything is changed.
    private func logIn(
        _ request: Baton_Control_V1_LogInToCloudRequest
    ) async throws -> Baton_Control_V1_LogInToCloudResponse {
        let asked = try CloudAddress(url: request.url, fingerprint: request.fingerprint)
        try CloudEndpoint.checkAddress(host: asked.host)
        guard request.invitation.utf8.count <= 1024 else {
            throw BatonError(.invalidArgument, reason: "malformed_invitation", "That is not an invitation of a cloud.")
        }
        let (address, welcome) = try await enter(asked, request.invitation)
        // Another address is followed by itself. The same one was waited for, perhaps, and answers now.
        let before = sync.access.address()
        let isKnown = before == address
        let left = try await sync.move(to: address)
        if isKnown { sync.cloudReached() }
        return .with {
            if let left { $0.left = left.message }
            $0.same = isKnown
            $0.certificateReplaced = !isKnown && before?.url == address.url
            $0.url = address.url
            $0.softwareVersion = welcome.softwareVersion
        }
    }

    /// The account's own cloud is recognised as before when nothing else is asked for; its certificate may be a new one, for
    /// which the system's authorities vouch.
    private func enter(
        _ address: CloudAddress, _ invitation: String
    ) async throws -> (CloudAddress, CloudSession.Welcome) {
        if address.trust == .systemRoots, let known = sync.access.address(), known.url == address.url,
            known != address
        {
            do {
                return (known, try await welcome(known, invitation))
            } catch let error as BatonError where error.reason == "other_certificate" {
                do {
                    return (address, try await welcome(address, invitation))
                } catch let other as BatonError where other.reason == "cloud_not_proved" {
                    throw error
                }
            }
        }
        return (address, try await welcome(address, invitation))
    }

    private func welcome(_ address: CloudAddress, _ invitation: String) async throws -> CloudSession.Welcome {
        let session = try await sync.access.session(to: address, invitation: invitation)
        defer { session.close() }
        return try await session.authenticate()
    }

    private func status() async -> Baton_Control_V1_GetCloudStatusResponse {
        let report = await sync.report()
        var status = Baton_Control_V1_GetCloudStatusResponse()
        let (address, standing) = (sync.access.address(), sync.account.standing)
        guard standing != .none, address != nil || standing == .revoked else {
            status.state = standing == .none ? .noAccount : .noCloud
            return status
        }
        status.url = address?.url ?? ""
        status.fingerprint = address?.fingerprint ?? Data()
        status.softwareVersion = report.welcome?.softwareVersion ?? ""
        status.connectedSince = report.connectedSince ?? 0
        status.lastConnected = report.lastConnected ?? 0
        status.failureReason = report.failure?.reason ?? ""
        status.failure = report.failure?.message ?? ""
        switch report.cloud {
        case .connected: status.state = .connected
        case .connecting: status.state = .connecting
        case .off: status.state = .waiting
        case .waiting(let until):
            status.state = .waiting
            status.retryTime = until
        }
        if standing == .revoked {
            status.state = .waiting
            status.retryTime = 0
            status.failureReason = "device_revoked"
            status.failure =
                "This device was revoked. Pair it again with a device of the account: “baton pair” on both."
        }
        return status
    }

    private func usage() async throws -> Baton_Control_V1_GetCloudUsageResponse {
        let address = try cloud()
        let session = try await sync.access.session(to: address, invitation: "")
        defer { session.close() }
        _ = try await session.authenticate()
        let usage = try await session.call(AccountMethods.getUsage, .init())
        return .with {
            $0.itemBytes = usage.itemBytes
            $0.blobBytes = usage.blobBytes
            $0.quotaBytes = usage.quotaBytes
            $0.items = usage.items
            $0.blobs = usage.blobs
            $0.zones = usage.zones
            $0.otherBytes = usage.otherBytes
        }
    }

    private func cloud() throws(BatonError) -> CloudAddress {
        guard sync.account.standing != .none else {
            throw BatonError(
                .failedPrecondition, reason: "no_account",
                "This device belongs to no account. Make one with “baton account create”, or join one with “baton pair”."
            )
        }
        guard let address = sync.access.address() else {
            throw BatonError(
                .failedPrecondition, reason: "no_cloud",
                "The account has no cloud. Give it one with “baton cloud login URL”.")
        }
        return address
    }
}
