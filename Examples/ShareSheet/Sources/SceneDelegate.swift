import Baton

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private let controller = ShareViewController()

    required init() { super.init() }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = scene as? UIWindowScene else { return }
        let last = session.stateRestorationActivity?.title
        print("connected\(last.map { ", last shared \($0)" } ?? "")")
        let window = UIWindow(windowScene: windowScene)
        window.rootViewController = controller
        window.makeKeyAndVisible()
        self.window = window
        // A URL that the app was launched for is here, and in no callback.
        for context in connectionOptions.urlContexts { share(context, "launched for") }
        for page in connectionOptions.userActivities { print("launched with \(page.webpageURL?.absoluteString ?? "")") }
    }

    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        for context in URLContexts { share(context, "given") }
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        print("continues \(userActivity.webpageURL?.absoluteString ?? userActivity.activityType)")
    }

    func sceneDidBecomeActive(_ scene: UIScene) { print("active") }

    func sceneDidEnterBackground(_ scene: UIScene) { print("in the background") }

    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
        guard let shared = controller.lastShared else { return nil }
        let activity = NSUserActivity(activityType: "com.example.ShareSheet.sharing")
        activity.title = shared
        return activity
    }

    private func share(_ context: UIOpenURLContext, _ how: String) {
        print("\(how) \(context.url.absoluteString)")
        guard context.url.absoluteString != "sharesheet:pick" else { return controller.pickFile() }
        guard let object = SharedObject(context.url) else {
            print("refused \(context.url.absoluteString)")
            return
        }
        controller.displayActivityController(withDataObject: object.item)
    }
}
