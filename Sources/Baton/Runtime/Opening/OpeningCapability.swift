import AppLink
import BatonWire

/// URLs and documents that the app is to open.
struct OpeningCapability: AppCapability {
    let runtime: AppRuntime

    func perform(_ command: AttachedCommand) -> Bool {
        guard case .openURL(let message) = command.kind else { return false }
        runtime.onMain { [runtime] in command.reply(.opened(runtime.openings.open(message))) }
        return true
    }
}
