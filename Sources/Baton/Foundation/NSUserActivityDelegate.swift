public import Foundation

/// Hears of what happens to an activity of this process (H-35, H-44). Every method is optional.
///
/// Apple does not say on which thread the methods are called, and its samples do not assume the main one. Baton calls
/// them on a serial queue of its own, never on the main thread, so that they work in programs that do not run the main
/// queue: one call at a time for the whole process, in the order in which the events came. A method that does not
/// return keeps later ones waiting, and the other device then gets a time-out (4610).
public protocol NSUserActivityDelegate: NSObjectProtocol {
    /// The activity is about to be continued elsewhere, or saved on this device to be found or suggested: bring `userInfo`,
    /// `title` and so on up to date now (H-40).
    ///
    /// Called when `needsSave` is true, which was set to false just before (H-29), and for each activity that
    /// responders manage. The activity is sent as it is when the method returns. After a restart of the daemon the
    /// method may be called again for the same continuation, if the person tries again.
    func userActivityWillSave(_ userActivity: NSUserActivity)

    /// Another device has taken the activity over: its app has been given the activity (H-41).
    ///
    /// The place to give up one's own copy of the work, if that is called for (H-42). Not called when the continuation
    /// failed anywhere.
    func userActivityWasContinued(_ userActivity: NSUserActivity)

    /// The continuing device asked for streams, and these are the unopened ends of this device (H-43, H-79).
    ///
    /// Called for each pair, and only for activities whose `supportsContinuationStreams` is true. Open both at once:
    /// a pair of which neither stream is opened within 60 seconds has broken for the other device too, as has one whose
    /// streams have no owner, which is what happens without this method. The rules for streams at
    /// ``NSUserActivity/continuationStreams()`` hold here as well; do not read or write in this method itself, which
    /// keeps other calls waiting, but schedule the streams in a run loop, or use a thread of your own.
    func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream)
}

extension NSUserActivityDelegate {
    /// Does nothing.
    public func userActivityWillSave(_ userActivity: NSUserActivity) {}
    /// Does nothing.
    public func userActivityWasContinued(_ userActivity: NSUserActivity) {}
    /// Does nothing.
    public func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
    ) {}
}
