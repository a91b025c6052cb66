import BatonCore
import BatonWire

/// The account's devices, as the daemon lists them.
enum DeviceList {
    /// - Throws: as ``DeviceReference/find(_:among:)``.
    static func find(_ text: String, _ session: CommandSession) async throws -> DeviceReference.Candidate {
        let devices = try await session.call(ControlMethods.listDevices, .init()).devices
        return try DeviceReference.find(
            text,
            among: devices.map {
                .init(id: $0.deviceID, name: $0.name, isMember: !$0.revoked, isRecoveryKey: $0.recoveryKey)
            })
    }
}
