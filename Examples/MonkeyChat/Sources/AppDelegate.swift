import Baton

/// The ride app of the chapter on proactive suggestions, as far as directions go: it is launched with the place that the person
/// has just looked at, and begins at once (P-40 to P-44).
///
/// It prints what its map would show.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private let rides = RideController()

    required init() { super.init() }

    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
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
}
