public import Foundation

/// Something that can be done with the items of a share sheet. Apps subclass it.
///
/// A subclass overrides ``activityType``, ``activityTitle``, ``canPerform(withActivityItems:)``,
/// ``prepare(withActivityItems:)``, and either ``perform()`` or ``activityViewController``; it ends with
/// ``activityDidFinish(_:)``. On the main actor.
///
/// Apple: <https://developer.apple.com/documentation/uikit/uiactivity>
@MainActor
@preconcurrency
open class UIActivity: NSObject {
    /// Set by the sheet: hears of the end, once.
    final var end: ActivityEnd?

    /// An activity.
    public override init() { super.init() }

    /// Where it stands in the sheet.
    open class var activityCategory: Category { .action }

    /// Names it, as in ``UIActivityViewController/excludedActivityTypes``. Nil unless overridden.
    open var activityType: ActivityType? { nil }

    /// For the person. Nil unless overridden; the sheet then shows the type.
    open var activityTitle: String? { nil }

    /// Its picture, which a terminal does not show.
    open var activityImage: UIImage? { nil }

    /// Whether it can work with the items. Only then it is offered. False unless overridden.
    /// - Parameter activityItems: the items, and the placeholders of those that come from a source.
    open func canPerform(withActivityItems activityItems: [Any]) -> Bool { false }

    /// The person has chosen it: keep the items.
    open func prepare(withActivityItems activityItems: [Any]) {}

    /// A controller that does the work, presented in place of a call of ``perform()``. Nil unless overridden.
    open var activityViewController: UIViewController? { nil }

    /// Does the work. Ends with ``activityDidFinish(_:)``, now or later. The default ends it as not completed.
    open func perform() { activityDidFinish(false) }

    /// The work is over. A second call has no effect.
    open func activityDidFinish(_ completed: Bool) {
        let end = end
        self.end = nil
        end?.finish(completed)
    }

    /// Where an activity stands in the sheet.
    public enum Category: Int, Sendable {
        /// Does something here.
        case action = 0
        /// Sends the items to a person; listed first.
        case share = 1
    }

    /// Names a kind of activity.
    public struct ActivityType: RawRepresentable, Hashable, Sendable {
        /// The type's text.
        public let rawValue: String

        /// A type of this text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A type of this text.
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }
}

/// The end of an activity, for the sheet that waits for it. An object, for the compiler names functions of `@preconcurrency`
/// classes differently where they are declared and where they are used.
@MainActor
final class ActivityEnd {
    private let continuation: AsyncStream<Bool>.Continuation
    let ended: AsyncStream<Bool>

    init() { (ended, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingOldest(1)) }

    func finish(_ isCompleted: Bool) {
        continuation.yield(isCompleted)
        continuation.finish()
    }
}

extension UIActivity.ActivityType {
    private static func apple(_ name: String) -> Self { Self("com.apple.UIKit.activity.\(name)") }

    /// Sends the items to a device nearby.
    public static let airDrop = apple("AirDrop")
    /// Puts the items on the clipboard.
    public static let copyToPasteboard = apple("CopyToPasteboard")
    /// Writes a mail.
    public static let mail = apple("Mail")
    /// Writes a short message.
    public static let message = apple("Message")
    /// Prints the items.
    public static let print = apple("Print")
    /// Never offered here.
    public static let addToReadingList = apple("AddToReadingList")
    /// Never offered here.
    public static let assignToContact = apple("AssignToContact")
    /// Never offered here.
    public static let markupAsPDF = apple("MarkupAsPDF")
    /// Never offered here.
    public static let openInIBooks = apple("OpenInIBooks")
    /// Never offered here.
    public static let postToFacebook = apple("PostToFacebook")
    /// Never offered here.
    public static let postToFlickr = apple("PostToFlickr")
    /// Never offered here.
    public static let postToTencentWeibo = apple("PostToTencentWeibo")
    /// Never offered here.
    public static let postToTwitter = apple("PostToTwitter")
    /// Never offered here.
    public static let postToVimeo = apple("PostToVimeo")
    /// Never offered here.
    public static let postToWeibo = apple("PostToWeibo")
    /// Never offered here.
    public static let saveToCameraRoll = apple("SaveToCameraRoll")

    /// Never offered here.
    public static let sharePlay = apple("SharePlay")
    /// Never offered here.
    public static let addToHomeScreen = apple("AddToHomeScreen")
    /// Never offered here.
    public static let collaborationInviteWithLink = apple("CollaborationInviteWithLink")
    /// Never offered here.
    public static let collaborationCopyLink = apple("CollaborationCopyLink")

    /// Opens the items in another app of Baton. Not Apple's, where the type has no public name.
    public static let openInApp = Self("development.baton.activity.OpenInApp")
    /// Saves the items in a folder. Not Apple's, where the type has no public name.
    public static let saveToFolder = Self("development.baton.activity.SaveToFolder")
}
