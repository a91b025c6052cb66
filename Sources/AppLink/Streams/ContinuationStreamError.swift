package import BatonClient
import BatonCore
package import Foundation

/// The errors of continuation streams, as the app meets them: of `NSCocoaErrorDomain`, in Apple's range for activities.
package enum ContinuationStreamError {
    /// The connection broke before the stream had ended. Underlying: `ECONNRESET`. The cause is unknown here.
    package static let broken = error(
        .userActivityHandoffFailed, "The app on the other device has ended, or the connection to it broke.",
        POSIXError(.ECONNRESET))

    /// This app opened neither stream in time. Underlying: `ETIMEDOUT`.
    package static let neglected = error(
        .userActivityHandoffFailed, "The streams were not opened in time after they were handed over.",
        POSIXError(.ETIMEDOUT))

    /// The error of streams that have neither ended nor been refused.
    package static func failure(of endpoint: StreamEndpoint?) -> CocoaError {
        endpoint?.wasNeglected == true ? neglected : broken
    }

    /// The other app has closed its input. Underlying: `EPIPE`.
    package static let refused = error(
        .userActivityHandoffFailed, "The app on the other device has closed the stream.", POSIXError(.EPIPE))

    package static let notContinued = error(
        .userActivityConnectionUnavailable,
        "This activity has no streams: it was not given to this app by another device. Ask for streams on the activity "
            + "that application(_:continue:restorationHandler:) is called with.")

    /// - Parameter error: why no pair could be opened: 4610 when the other app did not take its end in time, 4608 when
    ///   it or its activity has gone, 4609 for anything else, as without a connection or permission.
    package static func opening(_ error: any Error) -> CocoaError {
        guard let error = error as? BatonError else {
            return Self.error(.userActivityHandoffFailed, "The streams could not be opened.", error)
        }
        let code: CocoaError.Code =
            switch error.code {
            case .deadlineExceeded: .userActivityRemoteApplicationTimedOut
            case .notFound, .aborted, .canceled, .dataLoss, .internal, .unknown: .userActivityHandoffFailed
            default: .userActivityConnectionUnavailable
            }
        return Self.error(code, error.message, error)
    }

    private static func error(
        _ code: CocoaError.Code, _ message: String, _ underlying: (any Error)? = nil
    ) -> CocoaError {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message]
        userInfo[NSUnderlyingErrorKey] = underlying
        return CocoaError(code, userInfo: userInfo)
    }
}
