package import BatonCore
package import BatonTransport
package import WebMarkup

/// The apps of this device, as suggestions need them.
package protocol SuggestionApps: Sendable {
    /// The app that a session belongs to.
    /// - Throws: `not_found` for a session that is not attached, `permission_denied` for another process's.
    func app(of sessionID: String, caller: AdmittedCaller) throws -> (identity: AppIdentity, name: String)
    /// The app that the person is led by: their choice, else the one used last, else the best; nil where there is none.
    func routingApp() -> RoutingApp?
    /// Whether the app is installed, or a program in development that is attached.
    func isPresent(_ app: AppIdentity) -> Bool
    /// Starts the routing app if need be, and gives it the request.
    /// - Returns: whether it said that it handled it.
    func direct(to place: Place, with app: RoutingApp) async throws -> Bool
    /// Opens an address of the scheme `geo` with the desktop.
    func openOnDesktop(_ geo: String) async throws
}

/// Where visited pages are indexed.
package protocol PageIndex: Sendable {
    func index(_ page: RememberedPage) async
}

/// A page as it is found again: by title, address, description and the names of its things, not by its text.
package struct RememberedPage: Sendable, Equatable {
    package let address: String
    package let title: String
    package let summary: String
    /// Names of the things that the page describes.
    package let names: [String]
    /// For people, as in “Chromium”.
    package let browser: String

    package init(address: String, title: String, summary: String, names: [String], browser: String) {
        self.address = address
        self.title = title
        self.summary = summary
        self.names = names
        self.browser = browser
    }
}
