import Baton

/// Its scene does everything: see SceneDelegate, which Info.plist names.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    required init() { super.init() }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        print("launched")
        return true
    }

    /// `swift run` finds no Info.plist of this example, and so no manifest that names the class.
    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(name: "Default", sessionRole: connectingSceneSession.role)
        if configuration.delegateClass == nil { configuration.delegateClass = SceneDelegate.self }
        return configuration
    }
}
