import BatonConcurrency
import BatonCore
import BatonTransport
import BatonWire
import CloudClient
import Devices
import SwiftProtobuf

extension SyncService {
    /// Lets the account's cloud know who belongs to the account, while it still listens to this device, which is about to leave.
    /// - Returns: whether it has heard.
    package func tellMembership(within timeout: Duration) async -> Bool {
        guard let address = access.address() else { return false }
        // Awaited here; cancelled by the timer.
        let work = Task { [access, account] in
            let session = try await access.session(to: address, invitation: "")
            defer { session.close() }
            _ = try await session.authenticate()
            let statements = account.membershipMessage().statements
            _ = try await session.call(AccountMethods.mergeMembership, .with { $0.statements = statements })
        }
        let timer = DeadlineTimer.shared.schedule(after: timeout) { work.cancel() }
        defer { DeadlineTimer.shared.cancel(timer) }
        do {
            try await work.value
            return true
        } catch let error as BatonError where error.reason == "device_revoked" {
            // The connection that there is was faster.
            return true
        } catch {
            recorder.record(
                "sync", "cloud_not_told", "The account's cloud could not be notified that this device leaves.",
                ["cloud": address.url, "error": "\(error)"])
            return false
        }
    }
}
