package import BatonCore
package import Prediction

/// The apps of this device, as predictions need them.
package protocol PredictionApps: Sendable {
    /// Its name for people; nil for an app that is not here, so that it is no candidate.
    func name(of app: BundleID) -> String?
    /// The installed apps.
    var installed: Set<BundleID> { get }
    /// Opens an app, or plays what it plays.
    func open(_ item: PredictionItem) async throws
}

/// An offer after an event.
package struct PredictionNotice: Sendable, Equatable {
    /// Names it, for ``Predictions/answer(_:accepts:)``.
    package let key: String
    /// As in “Headphones connected: Tone, in MonkeyPlayer”.
    package let title: String
    package let lines: [String]
    /// Whether it is something to play, rather than to open.
    package let plays: Bool
}
