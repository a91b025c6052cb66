public import Foundation

/// An object that can bring itself into the state that an activity describes (H-71).
@MainActor
@preconcurrency
public protocol UIUserActivityRestoring: NSObjectProtocol {
    /// Called on the main actor for each object that the app delegate handed to the restoration handler.
    func restoreUserActivityState(_ activity: NSUserActivity)
}
