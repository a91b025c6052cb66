import BatonCore
import BatonWire

/// Offers as the command line shows them.
enum OfferReport {
    static func json(_ offers: [Baton_Control_V1_OfferItem]) -> JSONValue {
        ["offers": .array(offers.map(json))]
    }

    private static func json(_ item: Baton_Control_V1_OfferItem) -> JSONValue {
        let members: JSONValue = [
            "offer_id": .string(item.offerID), "device_id": .string(item.deviceID),
            "device_name": .string(item.deviceName),
            "offered_by": .string(item.offer.app.bundleID), "team_id": .string(item.offer.app.teamID),
            "continues_in": .init(nonEmpty: item.app.bundleID), "app_name": .init(nonEmpty: item.appName),
            "obstacle": .init(nonEmpty: item.obstacle), "route": .init(nonEmpty: route(item.route)),
            "page_host": .init(nonEmpty: page(item)?.host ?? ""),
        ]
        return ActivityReport.json(item.offer.activity).merging(members)
    }

    static func text(_ offers: [Baton_Control_V1_OfferItem], _ session: CommandSession) -> String {
        guard !offers.isEmpty else {
            return "Nothing is offered. “baton explain activity”, on the device where it is open, says why."
        }
        var table = session.table([
            .init("OFFER"), .init("ACTIVITY", isFlexible: true), .init("FROM", isFlexible: true),
            .init("CONTINUES", isWhole: true),
        ])
        let length = ShownIdentifier.length(offers.map(\.offerID))
        for item in offers {
            table.add(
                String(item.offerID.prefix(length)), ActivityReport.title(item.offer.activity), item.deviceName,
                item.obstacle.isEmpty ? destination(item) : "cannot: \(item.obstacle)")
        }
        return table.render()
    }

    /// The effect of accepting the offer.
    private static func destination(_ item: Baton_Control_V1_OfferItem) -> String {
        switch item.route {
        case .pageInApp: "\(page(item)?.shownHost ?? "page") in \(item.appName)"
        case .pageInBrowser: "\(page(item)?.shownHost ?? "page") in the browser"
        case .activity, .unspecified, .UNRECOGNIZED: "in \(item.appName)"
        }
    }

    private static func page(_ item: Baton_Control_V1_OfferItem) -> WebPage? {
        try? WebPage(item.offer.activity.webpageURL)
    }

    /// Empty for one that this version does not know.
    private static func route(_ route: Baton_Control_V1_OfferItem.Route) -> String {
        switch route {
        case .activity: "activity"
        case .pageInApp: "page_in_app"
        case .pageInBrowser: "page_in_browser"
        case .unspecified, .UNRECOGNIZED: ""
        }
    }
}
