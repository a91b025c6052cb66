import BatonConcurrency
import BatonCore
import BatonTransport
import BatonTrust
import BatonWire
import CloudClient
import Devices
import Foundation
import SwiftProtobuf
import Synchronization

/// The cloud that the account leaves.
struct LeftCloud: Sendable {
    let address: CloudAddress
    /// Why it could not be notified where the account goes; nil when it was.
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
    private static let leaveTimeout = Duration.seconds(20)
    /// Others may write the same item at the same time.
    private static let attempts = 8
    /// Others may give the account another cloud at the same time.
    private static let rounds = 3

    private enum Leaving {
        case left(LeftCloud?)
        /// Another device has moved the account away from there: this device reports the present cloud there.
        case overtaken
    }

    /// Moves the account to another cloud, or to none.
    ///
    /// The previous cloud is notified first, so that devices that only it reaches follow. Its record counts: if this
    /// device crashes before it has stored the move, it reads it there.
    /// - Returns: nil when the account leaves no cloud, or has no other device.
    /// - Throws: `aborted` while it is moved otherwise, here or on another device.
    func move(to address: CloudAddress?) async throws -> LeftCloud? {
        let isOther = state.withLock { state in
            defer { state.isMoving = true }
            return state.isMoving
        }
        guard !isOther else { throw Self.contended }
        defer { state.withLock { $0.isMoving = false } }
        let fingerprint = address?.fingerprint ?? Data()
        var left: LeftCloud?
        for _ in 0..<Self.rounds {
            let next = try await account.nextCloudEndpoint(
                url: address?.url, certificate: fingerprint.isEmpty ? nil : Array(fingerprint))
            guard let next else { return left }
            guard case .left(let told) = await leave(for: next) else { continue }
            left = told
            try await account.setCloudEndpoint(next)
            // Another device's newer move wins.
            if access.address() == address { return left }
        }
        throw Self.contended
    }

    private static let contended = BatonError(
        .aborted, reason: "cloud_contended",
        "The account is being given a cloud elsewhere at this moment. See “baton cloud status”, and try again.")

    private func leave(for next: CloudEndpoint) async -> Leaving {
        guard let old = access.address(), let members = account.membership()?.members(), members.count > 1 else {
            return .left(nil)
        }
        // Another certificate of the same server: no cloud is left, and by the old one no device can be notified there.
        if old.url == next.url { return .left(nil) }
        // Awaited here; cancelled by the timer.
        let work = Task { try await tell(old, of: next) }
        let timer = DeadlineTimer.shared.schedule(after: Self.leaveTimeout) { work.cancel() }
        defer { DeadlineTimer.shared.cancel(timer) }
        do {
            return try await work.value ? .left(LeftCloud(address: old, problem: nil)) : .overtaken
        } catch {
            let problem =
                work.isCancelled
                ? BatonError(
                    .deadlineExceeded, reason: "deadline_exceeded",
                    "\(old.url) did not answer within \(Self.leaveTimeout.components.seconds) seconds.", cause: error)
                : error as? BatonError
                    ?? BatonError(.internal, reason: "not_told", "\(error)", cause: error)
            recorder.record(
                "sync", "cloud_not_told", "The previous cloud could not be notified: \(problem.message)",
                ["cloud": old.url, "reason": problem.reason])
            return .left(LeftCloud(address: old, problem: problem))
        }
    }

    /// - Returns: false when the account has left that cloud already, which this device knows then.
    private func tell(_ old: CloudAddress, of next: CloudEndpoint) async throws -> Bool {
        let content = try await account.cloudItem(saying: next)
        let session = try await access.session(to: old, invitation: "")
        defer { session.close() }
        _ = try await session.authenticate()
        // Readers must know the signer of the record, and the next cloud must know all members.
        let statements = account.membershipMessage().statements
        let known = try await session.call(AccountMethods.mergeMembership, .with { $0.statements = statements })
        try await account.merge(.with { $0.statements = known.statements })
        let (codec, zone, name) = (codec, AccountZone.zone, AccountItems.cloud)
        try await prepare(zone)
        let item = codec.itemID(of: name, in: zone)
        var version: UInt64 = 0
        for _ in 0..<Self.attempts {
            let write = try Baton_Cloud_V1_ItemWrite.with {
                $0.itemID = item
                $0.replaces = version
                $0.put.sealed = try codec.seal(content, name: name, in: zone)
            }
            let answer = try await session.write(
                .with {
                    $0.zoneID = codec.zoneID(of: zone)
                    $0.idempotencyKey = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) })
                    $0.writes = [write]
                })
            guard let conflict = answer.conflicts.first else { return access.address() == old }
            version = conflict.version
            let present = try? codec.open(conflict.content.sealed, itemID: item, in: zone).content
            if let present { try await account.mergeAccountItems([name: present]) }
            // This, or the old connection, or a device that is near, has brought another device's move: it is not written over.
            guard access.address() == old else { return false }
        }
        throw BatonError(
            .aborted, reason: "contended", "Others write there as well at this moment. Try again.")
    }
}
