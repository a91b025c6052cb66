import Baton

final class AppDelegate: UIResponder, UIApplicationDelegate {
    override required init() { super.init() }
}

UIApplicationMain(AppDelegate())
