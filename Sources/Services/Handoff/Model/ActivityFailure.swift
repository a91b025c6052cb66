/// Why an activity could not be continued: a code of `NSCocoaErrorDomain`, as Apple numbers them, and a sentence for
/// the person (H-74).
package struct ActivityFailure: Error, Hashable, Sendable {
    package enum Code: Int32, Sendable {
        /// The data is not available, e.g. the other device went away.
        case handoffFailed = 4608
        /// The connection that is needed is not available.
        case connectionUnavailable = 4609
        /// The other app did not send in time.
        case remoteApplicationTimedOut = 4610
        /// The activity's `userInfo` is too large.
        case userInfoTooLarge = 4611
    }

    package var code: Code
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
