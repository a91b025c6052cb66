import AppLink
import BatonWire
import SwiftProtobuf

/// The daemon's requests to the app's index.
struct SearchableIndexCapability: AppCapability {
    let runtime: AppRuntime

    func perform(_ command: AttachedCommand) -> Bool {
        switch command.kind {
        case .reindex(let message):
            runtime.spotlight.reindex(message.all ? nil : message.uniqueIdentifiers) { isAsked in
                // An index without a delegate is asked again when the app attaches next.
                command.reply(isAsked ? .done(.init()) : .error(.handoffFailed("The app's index has no delegate.")))
            }
        case .indexThrottled(let message):
            runtime.spotlight.throttled(message.throttled)
            command.reply(.done(.init()))
        default: return false
        }
        return true
    }
}
