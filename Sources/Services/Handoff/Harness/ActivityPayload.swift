import BatonCore
package import BatonWire
import SwiftProtobuf

/// A whole activity, on its way from one app to another. Handoff looks at its type, its page and its title, and carries the
/// rest unread.
package struct ActivityPayload: Hashable, Sendable {
    package var message: Baton_Value_V1_ActivityPayload

    package init(_ message: Baton_Value_V1_ActivityPayload) { self.message = message }

    /// All that a page route carries: the page, its title, and an empty `userInfo` (H-86).
    ///
    /// Made anew on both devices: the origin reveals nothing more to a stranger of its team, and the receiver gives an app
    /// nothing more, whatever came.
    static func page(_ activity: ActivityID, _ page: WebPage, title: String?) -> ActivityPayload {
        ActivityPayload(
            .with {
                $0.description_p = .init(
                    ActivityDescription(id: activity, type: .browsingWeb, title: title, webpageURL: page.text))
                $0.userInfo = .with { $0.dictionary = .init() }
            })
    }

    /// Size of the encoded form, in bytes.
    func size() throws -> Int { (try message.serializedBytes() as [UInt8]).count }

    /// As it says; perhaps none that is valid.
    var type: String { message.description_p.activityType }

    /// Nil when there is none that could be opened.
    var page: WebPage? {
        guard message.description_p.hasWebpageURL else { return nil }
        return try? WebPage(message.description_p.webpageURL)
    }

    /// Nil when there is none, or one that is too long.
    var title: String? {
        let description = message.description_p
        guard description.hasTitle, description.title.utf8.count <= ActivityDescription.maximumTitle else { return nil }
        return description.title
    }

    var supportsContinuationStreams: Bool { message.description_p.supportsContinuationStreams }

    /// Checks what another device sent, before it reaches an app.
    /// - Throws: `invalid_argument` for another activity's payload, or values that cannot be read.
    func check(is activity: ActivityID) throws(BatonError) {
        guard try ActivityDescription(message.description_p).id == activity else {
            throw BatonError(
                .invalidArgument, reason: "other_activity", "The other device sent an activity that was not asked for.")
        }
        guard message.hasUserInfo else { return }
        guard case .dictionary = try PropertyValue(message.userInfo) else {
            throw BatonError(
                .invalidArgument, reason: "invalid_property_value", "The activity's userInfo is not a dictionary.")
        }
    }
}
