import Baton
import Foundation

/// The object that a `sharesheet:` URL asks to share: `sharesheet:text?Hello`, `sharesheet:url?https%3A%2F%2Fexample.com`,
/// `sharesheet:picture`, or `sharesheet:source?Hello` for a text that is made when it is known where it goes.
enum SharedObject {
    case text(String)
    case url(URL)
    case picture(UIImage)
    case source(String)

    /// - Returns: nil for everything else: whatever comes from outside is checked.
    init?(_ url: URL) {
        let parts = url.absoluteString.dropFirst("sharesheet:".count).split(separator: "?", maxSplits: 1)
        guard url.scheme?.lowercased() == "sharesheet", let kind = parts.first else { return nil }
        self.init(kind: String(kind), value: parts.count == 2 ? String(parts[1]).removingPercentEncoding : nil)
    }

    init?(kind: String, value: String?) {
        switch (kind, value) {
        case ("text", let text?) where !text.isEmpty: self = .text(text)
        case ("url", let text?):
            guard let url = URL(string: text), ["http", "https"].contains(url.scheme) else { return nil }
            self = .url(url)
        case ("source", let text?) where !text.isEmpty: self = .source(text)
        case ("picture", nil):
            guard let image = Data(base64Encoded: Self.picture).flatMap(UIImage.init(data:)) else { return nil }
            self = .picture(image)
        default: return nil
        }
    }

    @MainActor var item: Any {
        switch self {
        case .text(let text): text
        case .url(let url): url
        case .picture(let image): image
        case .source(let text): LateText(text)
        }
    }

    /// One point, in PNG.
    private static let picture =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
}

/// A text that stands for itself until an activity is chosen, and then names that.
final class LateText: NSObject, UIActivityItemSource {
    private let text: String

    init(_ text: String) { self.text = text }

    func activityViewControllerPlaceholderItem(_ activityViewController: UIActivityViewController) -> Any { "" }

    func activityViewController(
        _ activityViewController: UIActivityViewController, itemForActivityType activityType: UIActivity.ActivityType?
    ) -> Any? { "\(text), by \(activityType?.rawValue ?? "nobody")" }
}
