import Baton
import Foundation

/// An app with launch images: one for its ordinary launch, and one for a launch by a `myapp:` URL (U-23 to U-25).
///
/// The pictures do all the work. The app only prints the URL.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    required init() { super.init() }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        print("launched \((launchOptions?[.url] as? URL).map { "for \($0.absoluteString)" } ?? "by hand")")
        return true
    }

    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        print("opened \(url.absoluteString)")
        return true
    }
}
