import BatonCore
import BatonWire
import SwiftProtobuf

/// All that a page route carries: the page, its title, and an empty `userInfo` (H-86).
///
/// Made anew on both devices: the origin tells nothing more to a stranger of its team, and the receiver gives an app
/// nothing more, whatever came.
enum PagePayload {
    static func make(_ activity: ActivityID, _ page: WebPage, title: String?) -> Baton_Value_V1_ActivityPayload {
        .with {
            $0.description_p = .init(
                ActivityDescription(id: activity, type: .browsingWeb, title: title, webpageURL: page.text))
            $0.userInfo = .with { $0.dictionary = .init() }
        }
    }

    /// The page in what an app or a device sent; nil when there is none that could be opened.
    static func page(of payload: Baton_Value_V1_ActivityPayload) -> WebPage? {
        guard payload.description_p.hasWebpageURL else { return nil }
        return try? WebPage(payload.description_p.webpageURL)
    }
}
