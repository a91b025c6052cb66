import BatonWire
public import Foundation
import Glibc

/// An app that runs, as it was when it was asked about. See ``NSWorkspace`` for which ones this app sees.
///
/// Apple: <https://developer.apple.com/documentation/appkit/nsrunningapplication>
@MainActor
@preconcurrency
open class NSRunningApplication: NSObject {
    /// How an app is brought to the front.
    public struct ActivationOptions: OptionSet, Sendable, Hashable {
        /// Apple's number.
        public let rawValue: UInt
        /// From Apple's number.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// With all its windows.
        public static let activateAllWindows = ActivationOptions(rawValue: 1)
        /// Also while another app is in front.
        public static let activateIgnoringOtherApps = ActivationOptions(rawValue: 2)
    }

    /// The bundle identifier; nil where Baton does not know what opened something, as for the desktop's own programs.
    nonisolated public let bundleIdentifier: String?
    /// The name for people.
    nonisolated public let localizedName: String?
    /// Where the bundle is; nil for a program in development.
    nonisolated public let bundleURL: URL?
    /// Where the program is; nil where that is not known.
    nonisolated public let executableURL: URL?
    /// The number of its process; -1 where that is not known, also of an app of another team.
    nonisolated public let processIdentifier: pid_t
    private let wasInFront: Bool

    /// This process.
    public class var current: NSRunningApplication { NSRunningApplication() }

    private override init() {
        let profile = AppRuntime.current.profile
        let bundle = Bundle.main.bundleURL
        bundleIdentifier = profile.bundleIdentifier
        localizedName = profile.displayName
        bundleURL = bundle.pathExtension == "app" ? bundle : nil
        executableURL = Bundle.main.executableURL
        processIdentifier = ProcessInfo.processInfo.processIdentifier
        wasInFront = false
        super.init()
    }

    init(_ app: Baton_App_V1_WorkspaceApp) {
        bundleIdentifier = app.bundleID
        localizedName = app.name
        bundleURL = app.bundlePath.isEmpty ? nil : URL(fileURLWithPath: app.bundlePath, isDirectory: true)
        executableURL = app.executablePath.isEmpty ? nil : URL(fileURLWithPath: app.executablePath)
        processIdentifier = app.processID == 0 ? -1 : app.processID
        wasInFront = app.inFront
        super.init()
    }

    /// Something that opened an item, of which nothing but perhaps the identifier is known.
    init(bundleIdentifier: String?) {
        self.bundleIdentifier = bundleIdentifier
        localizedName = nil
        (bundleURL, executableURL, processIdentifier, wasInFront) = (nil, nil, -1, false)
        super.init()
    }

    /// The app of a process.
    ///
    /// Waits for the daemon, for 3 seconds at most.
    /// - Returns: nil if this app does not see it.
    public convenience init?(processIdentifier: pid_t) {
        if processIdentifier == ProcessInfo.processInfo.processIdentifier {
            self.init()
            return
        }
        let running = AppRuntime.current.waitForApps(.running(true))
        guard let app = running.first(where: { $0.processID == processIdentifier }) else { return nil }
        self.init(app)
    }

    /// The running apps with a bundle identifier: one at most, and this process where it is its own.
    ///
    /// Waits for the daemon, for 3 seconds at most.
    public class func runningApplications(withBundleIdentifier bundleIdentifier: String) -> [NSRunningApplication] {
        if bundleIdentifier == AppRuntime.current.profile.bundleIdentifier { return [current] }
        return AppRuntime.current.waitForApps(.bundleID(bundleIdentifier)).filter { $0.processID > 0 }.map(
            NSRunningApplication.init)
    }

    private var isThisProcess: Bool { processIdentifier == ProcessInfo.processInfo.processIdentifier }

    /// Whether a person uses the app: now for this process, else when it was asked about.
    open var isActive: Bool { isThisProcess ? NSApplication.shared.isActive : wasInFront }

    /// Whether its process has ended. False where its process is not known.
    open var isTerminated: Bool { processIdentifier > 0 && kill(processIdentifier, 0) != 0 && errno == ESRCH }

    /// Whether it has been launched: true, since no app that is being started is among them.
    open var isFinishedLaunching: Bool { true }

    /// Brings the app to the front: this process alone. Nothing on Linux lets one app do it for another.
    /// - Returns: false for any other app.
    @discardableResult
    open func activate(options: ActivationOptions = []) -> Bool {
        guard isThisProcess else { return false }
        NSApplication.shared.activate()
        return true
    }

    /// Ends the app as ``NSApplication/terminate(_:)`` does: this process alone. `baton quit` ends others.
    /// - Returns: false for any other app.
    @discardableResult
    open func terminate() -> Bool {
        guard isThisProcess else { return false }
        NSApplication.shared.terminate(nil)
        return true
    }

    /// Whether both are one process, or, where that is not known, one app.
    nonisolated open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSRunningApplication else { return false }
        if self === other { return true }
        guard processIdentifier > 0 || other.processIdentifier > 0 else {
            return bundleIdentifier != nil && bundleIdentifier == other.bundleIdentifier
        }
        return processIdentifier == other.processIdentifier
    }

    /// Equal apps have one value.
    nonisolated open override var hash: Int {
        processIdentifier > 0 ? Int(processIdentifier).hashValue : bundleIdentifier?.hashValue ?? 0
    }
}
