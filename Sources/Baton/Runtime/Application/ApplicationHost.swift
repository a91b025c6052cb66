/// The app's application object, of UIKit or of AppKit, as the runtime uses it: it knows the delegate, and what of its
/// framework's methods the delegate implements.
@MainActor
protocol ApplicationHost: AnyObject {
    /// Whether a scene was given this request, or this activity, when it was connected.
    func tookAtLaunch(_ request: String) -> Bool

    /// Nil when the delegate does not implement the method, or there is none.
    func willContinue(type: String) -> Bool?

    /// Nil as above.
    func continueActivity(_ activity: NSUserActivity) -> Bool?

    /// Opens the document that the activity is about, since the delegate does not continue it (H-62, H-73).
    /// - Returns: false if it is about none. A failure later goes to the delegate.
    func continueDocument(_ activity: NSUserActivity) -> Bool

    /// - Returns: whether the delegate implements the method.
    func didFail(type: String, error: any Error) -> Bool

    /// Brings the app to the front and lets the delegate open a URL.
    /// - Parameter request: names it; a launch that the delegate refused was perhaps for this one.
    /// - Returns: nil as above.
    func open(_ opened: OpenedURL, request: String) -> Bool?

    /// Responders have brought the activity up to date.
    func didUpdate(_ activity: NSUserActivity)

    /// Files of the app are about to be closed because the device is locked, or are open again.
    func protectedDataChanges(isAvailable: Bool)

    /// Notifies the delegate and ends the process; without a delegate, the host program decides when it ends.
    func terminate()
}
