/// The app as a whole.
///
/// ``UIApplicationDelegate/main()`` and ``UIApplicationMain(_:_:_:_:)`` start it. A program that has a main loop of its
/// own, such as a GTK app, sets ``delegate`` instead, must let the main queue run for the delegate to be called, and says
/// with ``transition(to:)`` whether a person is using it.
@MainActor
@preconcurrency
open class UIApplication: UIResponder {
    let runtime: AppRuntime
    /// Whether `willFinishLaunching` or `didFinishLaunching` returned false.
    private var refusedLaunch = false
    /// The request to open a URL that the refused launch was for.
    private var refusedRequest: String?
    private var isTerminating = false
    private(set) lazy var scenes = SceneCoordinator(application: self)
    private(set) lazy var foregroundActivities = ForegroundActivities(application: self)
    nonisolated let backgroundTasks = BackgroundTasks()
    /// The options that the first scene was given when it was connected: it does not get them again.
    private var requestAtLaunch: String?

    /// Not for apps: use ``shared``.
    public required init() {
        runtime = .current
        super.init()
    }

    init(runtime: AppRuntime) {
        self.runtime = runtime
        super.init()
    }

    /// The one application of the process.
    public static var shared: UIApplication { AppRuntime.current.application }

    /// Hears of the app's life and of activities to continue (H-66). Held weakly.
    ///
    /// Setting it attaches the process to the daemon as one that can continue activities; that is repeated by itself
    /// after each restart of the daemon.
    open weak var delegate: (any UIApplicationDelegate)? {
        didSet { if !isLaunching { attach() } }
    }

    /// The window that was made key last. Apple deprecates it: each scene has its own.
    public internal(set) weak var keyWindow: UIWindow?
    private struct MadeWindow {
        weak var window: UIWindow?
    }
    /// Those that were made without a scene. Bounded by the app's windows: those that are gone are forgotten.
    private var made: [MadeWindow] = []

    func note(_ window: UIWindow) {
        made.removeAll { $0.window == nil }
        made.append(MadeWindow(window: window))
    }

    /// Its windows that belong to no scene.
    var windowsWithoutScene: [UIWindow] { made.compactMap(\.window).filter { $0.windowScene == nil } }

    /// Whether a person is using the app; inactive until it was launched.
    public internal(set) var applicationState = State.inactive

    /// Whether files in the app's Inbox can be read: false while the device is locked.
    open var isProtectedDataAvailable: Bool { runtime.isProtectedDataAvailable }

    /// Whether the screen is to stay on while the person does nothing: while the app is active, the daemon keeps the desktop's
    /// session from becoming idle, by the screen saver, the desktop portal or logind. It ends with the app. Without a daemon, or a
    /// desktop that can do it, a warning is logged, and it is tried again.
    open var isIdleTimerDisabled = false { didSet { updateIdleTimer() } }
    private lazy var idleTimer = IdleTimer(runtime: runtime)

    func updateIdleTimer() {
        guard isIdleTimerDisabled || idleTimerWasUsed else { return }
        idleTimerWasUsed = true
        idleTimer.update(isIdleTimerDisabled && applicationState == .active)
    }

    private var idleTimerWasUsed = false

    private var isLaunching = false

    /// Runs the delegate's launch callbacks, then attaches: a command cannot come before they have returned.
    /// - Parameter request: to open a URL, for which the app was launched.
    /// - Parameter page: a universal link, for which the app was launched.
    func launch(
        delegate: any UIApplicationDelegate, options: [LaunchOptionsKey: Any]?, request: String? = nil,
        page: URL? = nil
    ) {
        isLaunching = true
        runtime.beginLaunching()
        self.delegate = delegate
        // A scene decides by itself what it opens.
        let reason = options
        let options = scenes.isInUse ? nil : options
        let will = OptionalMethod.willFinishLaunching.call(on: delegate) {
            delegate.application(self, willFinishLaunchingWithOptions: options)
        }
        let did = OptionalMethod.didFinishLaunching.call(on: delegate) {
            delegate.application(self, didFinishLaunchingWithOptions: options)
        }
        refusedLaunch = will == false || did == false
        if refusedLaunch { refusedRequest = request }
        isLaunching = false
        connectFirstScene(reason, request: request, page: page)
        post(Self.didFinishLaunchingNotification, options)
        transition(to: .active)
        attach()
        runtime.finishLaunching()
    }

    private func connectFirstScene(_ options: [LaunchOptionsKey: Any]?, request: String?, page: URL?) {
        var reason = SceneCoordinator.LaunchReason()
        if !refusedLaunch {
            reason.opened = options.flatMap(OpenedURL.init(launchOptions:))
            reason.page = page
            if page == nil, let handoff = options?[.userActivityDictionary] as? [AnyHashable: Any] {
                reason.handoffType = handoff[LaunchOptionsKey.userActivityType] as? String
            }
        }
        scenes.connectFirst(reason)
        if !scenes.scenes.isEmpty, reason.opened != nil || reason.page != nil { requestAtLaunch = request }
    }

    private func attach() {
        runtime.setHost(self, hasDelegate: delegate != nil)
    }
}

extension UIApplication: ApplicationHost {
    /// The delegate, unless it refused the launch: then none of the callbacks is called.
    private var continuingDelegate: (any UIApplicationDelegate)? { refusedLaunch ? nil : delegate }

    func tookAtLaunch(_ request: String) -> Bool { request == requestAtLaunch }

    func willContinue(type: String) -> Bool? {
        guard let delegate = continuingDelegate else { return nil }
        if scenes.isInUse { return scenes.willContinue(type: type) }
        return OptionalMethod.willContinue.call(on: delegate) {
            delegate.application(self, willContinueUserActivityWithType: type)
        }
    }

    func continueActivity(_ activity: NSUserActivity) -> Bool? {
        guard let delegate = continuingDelegate else { return nil }
        if scenes.isInUse { return scenes.continueActivity(activity) }
        var isRestored = false
        return OptionalMethod.continueActivity.call(on: delegate) {
            delegate.application(self, continue: activity) { objects in
                guard !isRestored else { return }
                isRestored = true
                for object in objects ?? [] { object.restoreUserActivityState(activity) }
            }
        }
    }

    func didFail(type: String, error: any Error) -> Bool {
        guard let delegate = continuingDelegate else { return false }
        if scenes.isInUse { return scenes.didFail(type: type, error: error) }
        let called: Void? = OptionalMethod.didFail.call(on: delegate) {
            delegate.application(self, didFailToContinueUserActivityWithType: type, error: error)
        }
        return called != nil
    }

    func open(_ opened: OpenedURL, request: String) -> Bool? {
        guard let delegate, request != refusedRequest else { return nil }
        // A file may be noted for later where the app is in the background; a URL brings it to the front (A-14, U-13).
        if !opened.url.isFileURL || applicationState != .background { transition(to: .active) }
        if tookAtLaunch(request) { return true }
        if scenes.isInUse { return scenes.open(opened) }
        if let handled = OptionalMethod.openURL.call(
            on: delegate, { delegate.application(self, open: opened.url, options: opened.options) })
        {
            return handled
        }
        if let handled = OptionalMethod.openURLFromSource.call(
            on: delegate,
            {
                delegate.application(
                    self, open: opened.url, sourceApplication: opened.sourceApplication,
                    annotation: opened.annotation ?? [String: Any]())
            })
        {
            return handled
        }
        return OptionalMethod.handleOpenURL.call(on: delegate) {
            delegate.application(self, handleOpen: opened.url)
        }
    }

    func didUpdate(_ activity: NSUserActivity) {
        if scenes.isInUse { return scenes.didUpdate(activity) }
        delegate?.application(self, didUpdate: activity)
    }

    func protectedDataChanges(isAvailable: Bool) {
        if isAvailable {
            delegate?.applicationProtectedDataDidBecomeAvailable(self)
            post(Self.protectedDataDidBecomeAvailableNotification)
        } else {
            delegate?.applicationProtectedDataWillBecomeUnavailable(self)
            post(Self.protectedDataWillBecomeUnavailableNotification)
        }
    }

    func terminate() {
        guard delegate != nil, !isTerminating else { return }
        isTerminating = true
        transition(to: .background)
        // Also where it was in the background before.
        NotificationCenter.default.post(name: DocumentCore.ending, object: self)
        backgroundTasks.finish(within: runtime.environment.backgroundGrace) { [self] in
            delegate?.applicationWillTerminate(self)
            post(Self.willTerminateNotification)
            runtime.environment.exit(0)
        }
    }
}
