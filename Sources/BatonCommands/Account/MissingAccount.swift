import BatonWire
import SwiftProtobuf

/// Why there is nothing of other devices, where this one has no account.
enum MissingAccount {
    /// Nil when there is an account, or the daemon does not say.
    static func message(_ session: CommandSession) async -> String? {
        guard let status = try? await session.call(ControlMethods.getStatus, .init()), status.accountID.isEmpty else {
            return nil
        }
        return
            "This device has no account. Make one with “baton account create”, or join one with “baton pair” on this "
            + "device and on one of the account's."
    }
}
