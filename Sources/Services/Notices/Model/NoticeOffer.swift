package import BatonCore

/// An offer of another device, as far as a notice needs it.
package struct NoticeOffer: Hashable, Sendable {
    /// The effect of continuing it.
    package enum Effect: Hashable, Sendable {
        /// The app continues the activity.
        case continues
        /// The app opens the page; its address.
        case opensPageInApp(String)
        case opensPageInBrowser(String)
    }

    package var activity: ActivityID
    /// Grows when the activity becomes current or changes.
    package var timestamp: HybridTimestamp
    package var origin: DeviceID
    package var deviceName: String
    /// Nil for the browser.
    package var app: AppIdentity?
    package var appName: String
    package var icon: String?
    package var title: String?
    package var effect: Effect
    /// The site of the page that is opened; nil where the app continues the activity.
    package var site: String? {
        switch effect {
        case .continues: nil
        case .opensPageInApp(let page), .opensPageInBrowser(let page): (try? WebPage(page))?.site ?? ""
        }
    }
    /// False when something stands in the way, e.g. an app that is too old: then no notice promises it.
    package var canContinue: Bool

    package init(
        activity: ActivityID, timestamp: HybridTimestamp, origin: DeviceID, deviceName: String, app: AppIdentity?,
        appName: String, icon: String? = nil, title: String?, effect: Effect = .continues, canContinue: Bool = true
    ) {
        self.activity = activity
        self.timestamp = timestamp
        self.origin = origin
        self.deviceName = deviceName
        self.app = app
        self.appName = appName
        self.icon = icon
        self.title = title
        self.effect = effect
        self.canContinue = canContinue
    }
}

/// A continuation, as far as a notice needs it.
package struct NoticeSubject: Hashable, Sendable {
    package var activity: ActivityID
    package var deviceName: String
    package var appName: String
    package var icon: String?
    package var title: String?

    package init(activity: ActivityID, deviceName: String, appName: String, icon: String? = nil, title: String?) {
        self.activity = activity
        self.deviceName = deviceName
        self.appName = appName
        self.icon = icon
        self.title = title
    }
}
