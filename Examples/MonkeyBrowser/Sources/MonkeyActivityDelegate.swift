import Baton
import Foundation

/// Writes to the log what happens to the activities of this app.
final class MonkeyActivityDelegate: NSObject, NSUserActivityDelegate, Sendable {
    private let log: any EventLog

    init(log: any EventLog) {
        self.log = log
        super.init()
    }

    func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
    ) {
        log.record(.log("User Activity Received Data: \(userActivity.title ?? "")"))
        ImageStreams(input: inputStream, output: outputStream).serve(log)
    }

    func userActivityWasContinued(_ userActivity: NSUserActivity) {
        log.record(.log("User Activity Was Continued: \(userActivity.title ?? "")"))
    }

    func userActivityWillSave(_ userActivity: NSUserActivity) {
        log.record(.log("User Activity will be Saved: \(userActivity.title ?? "")"))
    }
}
