import Baton

final class AppDelegate: UIResponder, UIApplicationDelegate {
    required init() { super.init() }
}

UIApplicationMain(AppDelegate())
