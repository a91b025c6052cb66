package import BatonCore
package import BatonWire
import Foundation

/// An activity that an app has saved on this device, for search, suggestions or both (H-14, H-37).
package struct SavedActivity: Sendable {
    /// Random; names it on the command line.
    package var id: ActivityID
    package var app: AppIdentity
    /// The identity within an app: of several activities with one key, the last one saved is kept.
    package var key: String
    package var persistentIdentifier: String?
    package var payload: Baton_Value_V1_ActivityPayload
    package var isForSearch: Bool
    package var isForPrediction: Bool
    package var isForPublicIndex: Bool
    /// Milliseconds since 1970.
    package var saved: UInt64
    /// Milliseconds since 1970: from then on it is gone.
    package var expires: UInt64
}

/// How much is kept, and for how long.
package struct SavedActivityLimits: Sendable {
    /// Limit of one activity, in bytes of its encoded form. A larger one is refused.
    package var maximumSize = 256 << 10
    /// Limit of one app; the oldest go first.
    package var maximumCountPerApp = 1000
    /// Limit of one app, in bytes; the oldest go first.
    package var maximumBytesPerApp = 16 << 20
    /// The lifetime of an activity without an expiration date, in milliseconds. Apple names no time for activities; for
    /// items that an app makes findable it is a month.
    package var lifetime: UInt64 = 30 * 86_400_000
    /// Identifiers in one deletion.
    package var maximumDeletions = 10_000

    package init() {}
}
