import Baton
import Foundation

/// The entry point, and where pages of other devices arrive.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    let browser: Browser
    /// The view controllers, each of which registers when its view is loaded.
    private(set) var viewControllers: [Tab: BrowserViewController] = [:]
    private let log: any EventLog
    private var interface: (any Interface)?

    convenience init(log: any EventLog, loader: any PageLoader = WebPageLoader()) {
        self.init(log: log, browser: Browser(log: log, loader: loader))
    }

    private init(log: any EventLog, browser: Browser) {
        self.log = log
        self.browser = browser
        super.init()
    }

    func loadViews() {
        for viewController in browser.viewControllers { viewController.viewDidLoad(registeringWith: self) }
    }

    func register(_ viewController: BrowserViewController) { viewControllers[viewController.tab] = viewController }

    required convenience init() {
        let environment = ProcessInfo.processInfo.environment
        let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
        let choice = InterfaceChoice(
            arguments: CommandLine.arguments, environment: environment, isTerminal: isTerminal,
            window: WindowInterface.program(
                environment: environment, executable: CommandLine.arguments.first ?? ""))
        let terminalLog = choice == .terminal ? TerminalLog() : nil
        let log: any EventLog = terminalLog ?? StandardOutputLog()
        let window: WindowProcess? =
            if case .window(let program) = choice { WindowProcess(program: program) } else { nil }
        let browser =
            window.map { window in Browser(log: log, loaders: { WindowPageLoader(window: window, tab: $0) }) }
            ?? Browser(log: log)
        self.init(log: log, browser: browser)
        interface = choice.makeInterface(
            browser: browser, log: log, terminalLog: terminalLog, window: window, isTerminal: isTerminal)
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let handoff = launchOptions?[.userActivityDictionary] as? [AnyHashable: Any]
        let type = handoff?[UIApplication.LaunchOptionsKey.userActivityType] as? String
        log.record(Event(name: "ready", fields: type.map { ["launchedFor": $0] } ?? [:]))
        loadViews()
        interface?.start()
        return true
    }

    func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool {
        log.record(.log("Will Continue Activity: \(userActivityType)"))
        guard let tab = Tab(activityType: userActivityType), let viewController = viewControllers[tab] else {
            return false
        }
        browser.show(tab)
        viewController.preparingToHandoff()
        return true
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        log.record(.log("Continuing User Activity: \(userActivity.activityType)"))
        guard let tab = Tab(activityType: userActivity.activityType), let viewController = viewControllers[tab] else {
            return false
        }
        browser.show(tab)
        if userActivity.supportsContinuationStreams { viewController.askForImages(of: userActivity) }
        viewController.performHandoff(userActivity)
        restorationHandler([viewController])
        return true
    }

    func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {
        log.record(
            .log("User Activity \(userActivityType) failed to continue. Error: \(error.localizedDescription)"))
        if let tab = Tab(activityType: userActivityType) { viewControllers[tab]?.cancelHandoff() }
    }

    func applicationWillTerminate(_ application: UIApplication) {
        interface?.stop()
        log.record(Event(name: "end"))
    }
}
