import Baton
import Foundation

/// The app of the chapters on proactive suggestions and on communication apps: it is launched with the place that the person has
/// just looked at (P-40 to P-44), donates the messages that were sent (P-56 to P-58), and is launched from the cards
/// of the people who got them (P-55).
///
/// It prints what its screens would show.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private let rides = RideController()
    private let chat = ChatController()

    required init() { super.init() }

    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        if url.scheme == "monkeychat" { return chat.send(url) }
        guard MKDirections.Request.isDirectionsRequest(url) else {
            print("refused \(url.lastPathComponent)")
            return false
        }
        let request = MKDirections.Request(contentsOf: url)
        // The Inbox is not for keeping things.
        try? FileManager.default.removeItem(at: url)
        guard let destination = request.destination else {
            print("refused a request without a destination")
            return false
        }
        rides.begin(to: destination)
        return true
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        chat.compose(userActivity)
    }
}
