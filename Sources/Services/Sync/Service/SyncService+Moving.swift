import BatonCore
import BatonTransport
import BatonTrust
import BatonWire
import CloudClient
import Devices
import Foundation
import SwiftProtobuf

/// The cloud that the account leaves.
struct LeftCloud: Sendable {
    let address: CloudAddress
    /// Why it could not be told where the account goes; nil when it was.
    let problem: BatonError?

    var message: Baton_Control_V1_LeftCloud {
        .with {
            $0.url = address.url
            $0.failureReason = problem?.reason ?? ""
            $0.failure = problem?.message ?? ""
        }
    }
}

/// Another cloud for the account.
extension SyncService {
    /// A cloud that the account leaves is waited for so long.
    private static let farewell = Duration.seconds(20)
    /// Others may write the same item at the same time.
    private static let attempts = 8

    /// Makes another cloud the account's, or none.
    ///
    /// The one of before is told first, so that devices that only it reaches follow. What it was told counts: when this device
    /// crashes before it has kept it, it reads it there itself.
    /// - Returns: nil when the account leaves no cloud, or has no other device.
    func move(to address: CloudAddress?) async throws -> LeftCloud? {
        let fingerprint = address?.fingerprint ?? Data()
        let next = try await account.nextCloudEndpoint(
            url: address?.url, certificate: fingerprint.isEmpty ? nil : Array(fingerprint))
        guard let next else { return nil }
        let left = await leave(for: next)
        try await account.setCloudEndpoint(next)
        return left
    }

    private func leave(for next: CloudEndpoint) async -> LeftCloud? {
        guard let old = access.address(), let members = account.membership()?.members(), members.count > 1 else {
            return nil
        }
        // Awaited here; cancelled by the timer.
        let work = Task { try await tell(old, of: next) }
        let timer = DeadlineTimer.shared.schedule(after: Self.farewell) { work.cancel() }
        defer { DeadlineTimer.shared.cancel(timer) }
        do {
            try await work.value
            return LeftCloud(address: old, problem: nil)
        } catch {
            let problem =
                work.isCancelled
                ? BatonError(
                    .deadlineExceeded, reason: "deadline_exceeded",
                    "\(old.url) did not answer within \(Self.farewell.components.seconds) seconds.", cause: error)
                : error as? BatonError
                    ?? BatonError(.internal, reason: "not_told", "\(error)", cause: error)
            recorder.record(
                "sync", "cloud_not_told", "The cloud that the account leaves could not be told: \(problem.message)",
                ["cloud": old.url, "reason": problem.reason])
            return LeftCloud(address: old, problem: problem)
        }
    }

    private func tell(_ old: CloudAddress, of next: CloudEndpoint) async throws {
        let content = try await account.cloudItem(saying: next)
        let session = try await access.session(to: old, invitation: "")
        defer { session.close() }
        _ = try await session.authenticate()
        try await access.prepareKeys()
        try (sources[.contentKeys] as? KeyZone)?.checkShared()
        let (codec, zone) = (AccessCodec(access: access), AccountZone.zone)
        var version: UInt64 = 0
        for _ in 0..<Self.attempts {
            let write = try Baton_Cloud_V1_ItemWrite.with {
                $0.itemID = codec.itemID(of: AccountItems.cloud, in: zone)
                $0.replaces = version
                $0.put.sealed = try codec.seal(content, name: AccountItems.cloud, in: zone)
            }
            let answer = try await session.write(
                .with {
                    $0.zoneID = codec.zoneID(of: zone)
                    $0.idempotencyKey = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) })
                    $0.writes = [write]
                })
            guard let conflict = answer.conflicts.first else { return }
            version = conflict.version
        }
        throw BatonError(
            .aborted, reason: "contended", "Others write there as well at this moment. Try again.")
    }
}
