package import BatonCore

/// Why an app did not do what it was asked: the statuses of `MPRemoteCommandHandlerStatus` other than success, and no target.
package enum MediaFailure: String, Sendable, CaseIterable {
    case noSuchContent = "no_such_content"
    case noActionableItem = "no_actionable_item"
    case deviceNotFound = "device_not_found"
    case commandFailed = "command_failed"
    case notOffered = "not_offered"

    /// - Returns: nil for success.
    package init?(status: Int) {
        switch status {
        case 0: return nil
        case 100: self = .noSuchContent
        case 110: self = .noActionableItem
        case 120: self = .deviceNotFound
        default: self = .commandFailed
        }
    }

    /// Its name for programs of the desktop.
    package var busName: String {
        switch self {
        case .noSuchContent: "development.baton.Media.Error.NoSuchContent"
        case .noActionableItem: "development.baton.Media.Error.NoActionableNowPlayingItem"
        case .deviceNotFound: "development.baton.Media.Error.DeviceNotFound"
        case .commandFailed: "development.baton.Media.Error.CommandFailed"
        case .notOffered: "org.freedesktop.DBus.Error.NotSupported"
        }
    }

    package func error(of app: String) -> BatonError {
        let sentence =
            switch self {
            case .noSuchContent: "\(app) does not have this."
            case .noActionableItem: "\(app) plays nothing that this could be done with."
            case .deviceNotFound: "\(app) does not find the device to play on."
            case .commandFailed: "\(app) could not do it."
            case .notOffered: "\(app) does not offer this now."
            }
        return BatonError(self == .notOffered ? .failedPrecondition : .aborted, reason: rawValue, sentence)
    }
}
