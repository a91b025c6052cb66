package import BatonCore

/// Why a place is known: who showed it, and when.
package struct PlaceEvidence: Sendable, Equatable {
    package enum Source: Hashable, Sendable {
        case app(AppIdentity)
        /// A site's name, and the browser that it was seen in.
        case site(String, browser: String)

        var isSite: Bool { if case .site = self { true } else { false } }
    }

    package let source: Source
    /// For people, as in “RestaurantReviews” or “example.com in Chromium”.
    package let sourceName: String
    /// For apps: the app's name, or that it was a page. Which sites a person visits is no business of an app's.
    package var sourceForApps: String {
        switch source {
        case .app: sourceName
        case .site: "a web page"
        }
    }
    /// The activity that showed it, or the page.
    package var activity: String
    package var title: String
    /// Milliseconds since 1970.
    package let firstSeen: UInt64
    package var lastSeen: UInt64
    package var views = 1
    /// Milliseconds since 1970: from then on this is no evidence (`expirationDate`).
    package var expires: UInt64?
    /// Nil where the app does not say (P-24).
    package var supportsNavigation: Bool?
    package var supportsPhoneCall: Bool?

    package init(
        source: Source, sourceName: String, activity: String, title: String, time: UInt64, expires: UInt64? = nil,
        supportsNavigation: Bool? = nil, supportsPhoneCall: Bool? = nil
    ) {
        self.source = source
        self.sourceName = sourceName
        self.activity = activity
        self.title = title
        firstSeen = time
        lastSeen = time
        self.expires = expires
        self.supportsNavigation = supportsNavigation
        self.supportsPhoneCall = supportsPhoneCall
    }
}
