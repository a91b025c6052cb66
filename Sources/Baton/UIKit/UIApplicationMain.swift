import Foundation

extension UIApplicationDelegate where Self: UIResponder {
    /// The start of an app whose delegate is marked `@main`: makes the delegate, runs its launch callbacks, and then the
    /// main run loop, and with it the main queue. Does not return.
    ///
    /// Only for delegates that are a ``UIResponder``, as those of UIKit's templates: Swift can make no object of a class
    /// that does not promise an initializer. Any other delegate starts with `UIApplicationMain(_:)`, in a `main.swift`.
    public static func main() {
        ImportRun.runIfRequested()
        UIApplicationMain(Self())
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Starts an app whose delegate class is named, as in a `main.swift`. Does not return.
///
/// - Parameters:
///   - argc: not used; `CommandLine` has the arguments.
///   - argv: not used.
///   - principalClassName: not used: there are no subclasses of `UIApplication` to choose.
///   - delegateClassName: of a ``UIResponder`` that conforms to ``UIApplicationDelegate``, e.g.
///     `NSStringFromClass(AppDelegate.self)`. Any other name is a mistake, and the app then runs without a delegate.
@MainActor
@preconcurrency
@discardableResult
public func UIApplicationMain(
    _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, _ principalClassName: String?,
    _ delegateClassName: String?
) -> Int32 {
    ImportRun.runIfRequested()
    let type = delegateClassName.flatMap(NSClassFromString) as? any (UIResponder & UIApplicationDelegate).Type
    guard let type else {
        BatonExceptions.raiseInvalidArgument(
            "UIApplicationMain: “\(delegateClassName ?? "nil")” is not the name of a UIResponder that conforms to "
                + "UIApplicationDelegate. Pass NSStringFromClass(AppDelegate.self).")
        return 1
    }
    UIApplicationMain(type.init())
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Starts an app with this delegate, which need not be a ``UIResponder``. Does not return. Not Apple's.
///
/// It is the main run loop that runs, so timers work and callbacks come on the main thread, as on Apple's systems.
@MainActor
@preconcurrency
public func UIApplicationMain(_ delegate: any UIApplicationDelegate) -> Never {
    ImportRun.runIfRequested()
    let application = UIApplication.shared
    let environment = ProcessInfo.processInfo.environment
    let signals = ProcessSignals(
        terminate: { application.terminate() },
        suspend: { stop in
            application.transition(to: .background)
            application.backgroundTasks.finish(within: application.runtime.environment.backgroundGrace, then: stop)
        },
        resume: { application.transition(to: .active) })
    UIApplication.forgetLaunchVariables()
    application.launch(
        delegate: delegate, options: UIApplication.launchOptions(environment: environment),
        request: environment[UIApplication.launchRequestVariable],
        page: environment[UIApplication.launchPageVariable].flatMap { URL(string: $0) })
    while true {
        // The application holds its delegate weakly.
        withExtendedLifetime((delegate, signals)) { RunLoop.main.run() }
    }
}
