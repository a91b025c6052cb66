import AppLink
import BatonWire
import SwiftProtobuf

/// An index without a delegate: it is asked to index again another time.
struct SearchableIndexCapability: AppCapability {
    func perform(_ command: AttachedCommand) -> Bool {
        guard case .indexThrottled = command.kind else { return false }
        command.reply(.done(.init()))
        return true
    }
}
