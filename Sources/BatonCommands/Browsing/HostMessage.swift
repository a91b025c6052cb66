import BatonCore

/// Messages of the extension's host, one JSON object each.
package enum HostMessage: Sendable, Equatable {
    /// Whether the daemon runs, and what to do when it does not. Replaces an earlier one.
    case status(DaemonState)
    /// All offers of other devices, the newest first. Replaces an earlier one.
    case offers([Offer])
    /// The page that `open` asked for: the extension opens it.
    case page(request: Int, url: String)
    /// The app here has what `continue` asked for; no app is named where it was opened in the person's browser.
    case continued(request: Int, app: String)
    /// `open` or `continue` did not succeed.
    case failed(request: Int, reason: String, message: String)
    /// The suggestions that `suggest` asked for; none where nothing fits, and where the person has switched it off.
    case suggestions(request: Int, [FormSuggestion])
    /// Another device continued the page that this browser published.
    case continuedElsewhere(url: String, device: String)
    /// A message was refused, or a page not published.
    case error(reason: String, message: String)

    package enum DaemonState: Sendable, Equatable {
        case unknown
        case running(device: String, hasAccount: Bool)
        case away(message: String)
    }

    package struct Offer: Sendable, Equatable {
        package enum Route: String, Sendable {
            /// An app here continues it.
            case app
            /// An app here is given the page.
            case pageInApp
            /// The browser opens the page.
            case page
        }

        package var id: String
        package var title: String
        package var device: String
        package var route: Route
        /// The name of the app here; empty where the browser opens the page.
        package var app: String
        /// The page; empty when there is none.
        package var url: String
        /// Why it cannot be continued; empty when it can.
        package var obstacle: String

        package init(
            id: String, title: String, device: String, route: Route, app: String = "", url: String = "",
            obstacle: String = ""
        ) {
            self.id = id
            self.title = title
            self.device = device
            self.route = route
            self.app = app
            self.url = url
            self.obstacle = obstacle
        }
    }

    /// Messages that say how things are: only the latest of each matters.
    var replaces: String? {
        switch self {
        case .status: "status"
        case .offers: "offers"
        default: nil
        }
    }

    package var json: JSONValue {
        switch self {
        case .status(let state): Self.json(state)
        case .offers(let offers): Self.json(offers)
        case .page(let request, let url):
            ["kind": "page", "request": .init(request), "url": .string(url)]
        case .continued(let request, let app):
            ["kind": "continued", "request": .init(request), "app": .string(app)]
        case .failed(let request, let reason, let message):
            ["kind": "failed", "request": .init(request), "reason": .string(reason), "message": .string(message)]
        case .suggestions(let request, let suggestions):
            [
                "kind": "suggestions", "request": .init(request), "suggestions": .array(suggestions.map(\.json)),
            ]
        case .continuedElsewhere(let url, let device):
            ["kind": "continuedElsewhere", "url": .string(url), "device": .string(device)]
        case .error(let reason, let message):
            ["kind": "error", "reason": .string(reason), "message": .string(message)]
        }
    }

    private static func json(_ state: DaemonState) -> JSONValue {
        let (name, device, hasAccount, message): (String, String, Bool, String) =
            switch state {
            case .unknown: ("unknown", "", false, "")
            case .running(let device, let hasAccount): ("running", device, hasAccount, "")
            case .away(let message): ("away", "", false, message)
            }
        return [
            "kind": "status", "daemon": .string(name), "device": .init(nonEmpty: device),
            "hasAccount": .boolean(hasAccount), "message": .init(nonEmpty: message),
            "version": .string(BatonVersion.current),
        ]
    }

    /// Bytes that offers may take together. Policy: what does not fit is left out, the oldest first; 64 offers with the
    /// longest titles and addresses fit.
    private static let maximumOffers = 900 << 10

    private static func json(_ offers: [Offer]) -> JSONValue {
        var size = 0
        var items: [JSONValue] = []
        for offer in offers {
            let item: JSONValue = [
                "id": .string(offer.id), "title": .string(offer.title), "device": .string(offer.device),
                "route": .string(offer.route.rawValue), "app": .init(nonEmpty: offer.app),
                "url": .init(nonEmpty: offer.url), "obstacle": .init(nonEmpty: offer.obstacle),
            ]
            size += item.description.utf8.count + 1
            guard size <= maximumOffers else { break }
            items.append(item)
        }
        return ["kind": "offers", "offers": .array(items)]
    }
}
