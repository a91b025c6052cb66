package import BatonWire
package import Foundation
import SwiftProtobuf

extension Baton_Value_V1_ActivityError {
    package static func handoffFailed(_ message: String) -> Self {
        .with {
            $0.code = Int32(CocoaError.Code.userActivityHandoffFailed.rawValue)
            $0.message = message
        }
    }

    package static func userInfoTooLarge(size: Int, limit: Int) -> Self {
        .with {
            $0.code = Int32(CocoaError.Code.userActivityHandoffUserInfoTooLarge.rawValue)
            $0.message =
                "The activity cannot be continued: it carries \(size) bytes, and \(limit) are possible. The app should "
                + "put less into it."
        }
    }

    /// As the app meets it: of `NSCocoaErrorDomain`, with a description for a person (H-74).
    ///
    /// A code outside of Apple's range for activities becomes 4608, so that an app can rely on the range.
    package var cocoaError: CocoaError {
        let code = (4608...4863).contains(code) ? CocoaError.Code(rawValue: Int(code)) : .userActivityHandoffFailed
        let text = message.isEmpty ? "The activity could not be continued. Try again on the other device." : message
        return CocoaError(code, userInfo: [NSLocalizedDescriptionKey: text])
    }
}
