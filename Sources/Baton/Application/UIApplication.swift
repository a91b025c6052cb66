/// The app as a whole.
///
/// ``UIApplicationDelegate/main()`` and ``UIApplicationMain(_:_:_:_:)`` start it. A program that has a main loop of its
/// own, such as a GTK app, sets ``delegate`` instead, and must let the main queue run for the delegate to be called.
@MainActor
open class UIApplication: UIResponder {
    let runtime: AppRuntime
    /// Whether `willFinishLaunching` or `didFinishLaunching` returned false.
    private(set) var refusedLaunch = false
    private var isTerminating = false

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

    private var isLaunching = false

    /// Runs the delegate's launch callbacks, then attaches: a command cannot come before they have returned.
    func launch(delegate: any UIApplicationDelegate, options: [LaunchOptionsKey: Any]?) {
        isLaunching = true
        self.delegate = delegate
        let will = OptionalMethod.willFinishLaunching.call(on: delegate) {
            delegate.application(self, willFinishLaunchingWithOptions: options)
        }
        let did = OptionalMethod.didFinishLaunching.call(on: delegate) {
            delegate.application(self, didFinishLaunchingWithOptions: options)
        }
        refusedLaunch = will == false || did == false
        isLaunching = false
        attach()
    }

    private func attach() {
        runtime.setCanContinue(delegate != nil)
    }

    /// Tells the delegate and ends the process; without a delegate, the host program decides when it ends.
    func terminate() {
        guard let delegate, !isTerminating else { return }
        isTerminating = true
        delegate.applicationWillTerminate(self)
        runtime.environment.exit(0)
    }
}
