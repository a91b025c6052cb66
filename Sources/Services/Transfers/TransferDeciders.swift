package import BatonCore
import Synchronization

/// The deciders about the transfers that are offered to this device, for each owner.
package final class TransferDeciders: Sendable {
    /// Decides whether an offered transfer is taken: asks the person, an app or a setting. Returns once it is decided.
    /// `whenGone` calls back when the sender has gone meanwhile.
    package typealias Decide =
        @Sendable (
            _ id: TransferID, _ manifest: TransferManifest, _ device: DeviceID,
            _ whenGone: @Sendable (@escaping @Sendable () -> Void) -> Void
        ) async throws -> Bool

    /// Bound: the capabilities of this software that take transfers.
    private let deciders = Mutex<[TransferOwner: Decide]>([:])

    package init() {}

    /// To be called before the link plane opens.
    package func register(_ owner: TransferOwner, _ decide: @escaping Decide) {
        deciders.withLock { $0[owner] = decide }
    }

    /// - Parameter name: as the offer has it; empty for AirDrop.
    /// - Throws: `unimplemented` with reason `unknown_transfer_owner`.
    package func decider(for name: String) throws(BatonError) -> Decide {
        let owner = name.isEmpty ? TransferOwner.airDrop : TransferOwner(rawValue: name)
        guard name.utf8.count <= TransferOwner.maximumSize, let decide = deciders.withLock({ $0[owner] }) else {
            throw BatonError(
                .unimplemented, reason: "unknown_transfer_owner",
                "This device takes no such transfers. Update Baton on it.")
        }
        return decide
    }
}
