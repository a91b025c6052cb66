import AppLink
import BatonWire
import SwiftProtobuf

/// Whether protected files can be read, which they cannot while the device is locked.
struct ProtectedDataCapability: AppCapability {
    let runtime: AppRuntime

    func attached(_ session: AttachedSession) {
        runtime.onMain { [runtime] in
            runtime.setProtectedData(isAvailable: !session.attached.protectedDataUnavailable)
        }
    }

    func perform(_ command: AttachedCommand) -> Bool {
        guard case .protectedData(let message) = command.kind else { return false }
        runtime.onMain { [runtime] in
            runtime.setProtectedData(isAvailable: message.available)
            command.reply(.done(.init()))
        }
        return true
    }
}
