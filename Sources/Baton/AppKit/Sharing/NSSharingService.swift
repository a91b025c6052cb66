public import Foundation

/// One way to share items: mail, a message, AirDrop, or an app's own.
///
/// ```swift
/// let service = NSSharingService(named: .composeEmail)
/// service?.recipients = ["a@example.com"]
/// service?.perform(withItems: ["Hello"])
/// ```
///
/// Services of the system are the activities of the share sheet, with its rules: see ``UIActivityViewController``. On the main
/// actor.
///
/// Apple: <https://developer.apple.com/documentation/appkit/nssharingservice>
@MainActor
@preconcurrency
open class NSSharingService: NSObject {
    /// Names a service.
    public struct Name: RawRepresentable, Hashable, Sendable {
        /// As Apple names it, or the type of an activity.
        public let rawValue: String
        /// A service of this name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A service of this name.
        public init(_ rawValue: String) { self.rawValue = rawValue }
        /// Writes a mail; needs a program for it on the desktop.
        public static let composeEmail = Name(rawValue: "com.apple.share.Mail.compose")
        /// Writes a short message; needs a program for it on the desktop.
        public static let composeMessage = Name(rawValue: "com.apple.messages.ShareExtension")
        /// Sends to a device that is near.
        public static let sendViaAirDrop = Name(rawValue: "com.apple.share.AirDrop.send")
        /// Never there.
        public static let addToSafariReadingList = Name(rawValue: "com.apple.share.System.add-to-safari-reading-list")
        /// Never there.
        public static let addToIPhoto = Name(rawValue: "com.apple.share.System.add-to-iphoto")
        /// Never there.
        public static let useAsDesktopPicture = Name(rawValue: "com.apple.share.System.set-desktop-image")
        /// Never there: nothing is shared with other accounts.
        public static let cloudSharing = Name(rawValue: "com.apple.share.CloudSharing")
    }

    /// Hears of the sharing. Held weakly.
    open weak var delegate: (any NSSharingServiceDelegate)?
    /// For a person.
    open private(set) var title: String
    /// Its picture; nil for those of the system, which the desktop draws.
    open private(set) var image: UIImage?
    /// A picture for when it cannot be used.
    open private(set) var alternateImage: UIImage?
    /// Its title in a menu; the title unless set.
    open var menuItemTitle: String
    /// For ``Name/composeEmail``: addresses; for ``Name/composeMessage``: telephone numbers. Other services ignore it.
    open var recipients: [String]?
    /// For ``Name/composeEmail``; other services ignore it.
    open var subject: String?
    /// The text that was shared, after ``perform(withItems:)``.
    open private(set) var messageBody: String?
    /// The files that were shared, after ``perform(withItems:)``.
    open private(set) var attachmentFileURLs: [URL]?
    /// Where a person finds what was shared on the web: nil, as nothing is.
    open var permanentLink: URL? { nil }
    /// The account that is used: nil, as no service has one.
    open var accountName: String? { nil }

    private enum Kind {
        case activity(SystemActivity)
        case own(() -> Void)
    }

    private let kind: Kind
    private let runtime = AppRuntime.current
    private var working: Task<Void, Never>?

    /// A service of the system.
    /// - Parameter serviceName: one of the constants, or the type of an activity that every share sheet may offer.
    /// - Returns: nil where there is none.
    public convenience init?(named serviceName: Name) {
        let context = SharingContext(runtime: .current)
        guard let activity = Self.fixed(context).first(where: { Self.name(of: $0) == serviceName }) else { return nil }
        self.init(activity: activity)
    }

    /// An app's own service.
    /// - Parameter block: called for ``perform(withItems:)``; the sharing counts as done when it returns.
    public init(title: String, image: UIImage, alternateImage: UIImage?, handler block: @escaping () -> Void) {
        (self.title, menuItemTitle, self.image, self.alternateImage) = (title, title, image, alternateImage)
        kind = .own(block)
        super.init()
    }

    init(activity: SystemActivity) {
        title = activity.activityTitle ?? ""
        menuItemTitle = title
        kind = .activity(activity)
        super.init()
    }

    /// The services of the system that work with some items here and now. Apps that open documents are in an
    /// ``NSSharingServicePicker`` only.
    open class func sharingServices(forItems items: [Any]) -> [NSSharingService] {
        fixed(SharingContext(runtime: .current)).map(NSSharingService.init(activity:))
            .filter { $0.canPerform(withItems: items) }
    }

    /// Those that need no look at what is installed.
    private static func fixed(_ context: SharingContext) -> [SystemActivity] {
        [
            AirDropActivity(context: context), MessageActivity(context: context), MailActivity(context: context),
            CopyActivity(context: context), PrintActivity(context: context), SaveActivity(context: context),
        ]
    }

    private static func name(of activity: SystemActivity) -> Name? {
        switch activity.activityType {
        case UIActivity.ActivityType.airDrop: .sendViaAirDrop
        case UIActivity.ActivityType.mail: .composeEmail
        case UIActivity.ActivityType.message: .composeMessage
        case let type?: Name(rawValue: type.rawValue)
        case nil: nil
        }
    }

    /// Whether it works with these items, here and now.
    /// - Parameter items: nil for whether it works at all.
    open func canPerform(withItems items: [Any]?) -> Bool {
        switch kind {
        case .own: true
        case .activity(let activity): activity.canPerform(withActivityItems: items ?? [""])
        }
    }

    /// Shares the items. Returns at once; the delegate hears how it ends.
    /// - Parameter items: as of ``UIActivityViewController``.
    open func perform(withItems items: [Any]) {
        delegate?.sharingService(self, willShareItems: items)
        switch kind {
        case .own(let block):
            block()
            delegate?.sharingService(self, didShareItems: items)
        case .activity(let activity):
            // Holds the service until the sharing has ended.
            working = Task { [runtime] in
                await AppRuntime.$calling.withValue(runtime) { await share(items, by: activity) }
                working = nil
            }
        }
    }

    private func share(_ items: [Any], by activity: SystemActivity) async {
        do {
            var shared: [SharedItem] = []
            for item in items {
                let next =
                    if let item = item as? NSItemProvider { try await item.loadShared() } else { SharedItem(item) }
                if let next { shared.append(next) }
            }
            guard shared.count == items.count, !shared.isEmpty, activity.canPerform(shared) else {
                throw SharingError.failed("“\(title)” does not work with these items.")
            }
            messageBody = shared.compactMap(\.text).joined(separator: "\n")
            attachmentFileURLs = items.compactMap { ($0 as? URL).flatMap { $0.isFileURL ? $0 : nil } }
            activity.recipients = recipients ?? []
            guard try await activity.perform(shared, subject: subject ?? "") else { throw CocoaError(.userCancelled) }
            delegate?.sharingService(self, didShareItems: items)
        } catch {
            delegate?.sharingService(self, didFailToShareItems: items, error: error)
        }
    }
}

/// Hears of a sharing. Every method has a default that does nothing. On the main actor.
///
/// Apple: <https://developer.apple.com/documentation/appkit/nssharingservicedelegate>
@MainActor
@preconcurrency
public protocol NSSharingServiceDelegate: AnyObject {
    /// The sharing begins.
    func sharingService(_ sharingService: NSSharingService, willShareItems items: [Any])
    /// It was done, as far as this device knows.
    func sharingService(_ sharingService: NSSharingService, didShareItems items: [Any])
    /// It was not: `CocoaError.userCancelled` where the person did not want it.
    func sharingService(_ sharingService: NSSharingService, didFailToShareItems items: [Any], error: any Error)
}

extension NSSharingServiceDelegate {
    /// Does nothing.
    public func sharingService(_ sharingService: NSSharingService, willShareItems items: [Any]) {}
    /// Does nothing.
    public func sharingService(_ sharingService: NSSharingService, didShareItems items: [Any]) {}
    /// Does nothing.
    public func sharingService(
        _ sharingService: NSSharingService, didFailToShareItems items: [Any], error: any Error
    ) {}
}
