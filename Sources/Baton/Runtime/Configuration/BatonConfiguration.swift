import Synchronization

/// The self-description of a process, for programs that have no `Info.plist`. Not Apple's.
///
/// An app in a bundle needs none of this: its `Info.plist` says it all, and for an installed app the daemon believes
/// only the bundle that was signed. A plain tool is attached as an unsigned development app, whose identifier is
/// `development.` and the executable's name unless one is given here.
///
/// Set ``current`` before the first use of the library (the first activity that becomes current, or the start of the
/// application). Safe to use from any thread. Nothing of it is kept after the process has ended.
public struct BatonConfiguration: Sendable, Hashable {
    /// In place of `CFBundleIdentifier`.
    public var bundleIdentifier: String?
    /// In place of `CFBundleDisplayName`.
    public var displayName: String?
    /// In place of `CFBundleVersion`.
    public var bundleVersion: String?
    /// In place of `NSUserActivityTypes` (H-6): the types of activity that this program can continue.
    public var activityTypes: [String]?
    /// The daemon's socket. By default `BATON_SOCKET`, else the socket under `BATON_HOME`, else that under
    /// `XDG_RUNTIME_DIR`.
    public var socketPath: String?

    /// A configuration that changes what it names and leaves everything else as found.
    public init(
        bundleIdentifier: String? = nil, displayName: String? = nil, bundleVersion: String? = nil,
        activityTypes: [String]? = nil, socketPath: String? = nil
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.displayName = displayName
        self.bundleVersion = bundleVersion
        self.activityTypes = activityTypes
        self.socketPath = socketPath
    }

    /// The configuration of this process. To set it after the library was first used is a mistake, which goes to
    /// ``BatonExceptions/handler`` and changes nothing.
    public static var current: BatonConfiguration {
        get { store.withLock { $0.configuration } }
        set {
            let isTooLate = store.withLock { store in
                if !store.isInUse { store.configuration = newValue }
                return store.isInUse
            }
            if isTooLate {
                BatonExceptions.raiseInconsistency(
                    "BatonConfiguration.current was set after the library was first used, when the daemon may know this "
                        + "process already. Set it first, e.g. at the beginning of main().")
            }
        }
    }

    /// The configuration, which can no longer be changed from now on.
    static func use() -> BatonConfiguration {
        store.withLock { store in
            store.isInUse = true
            return store.configuration
        }
    }

    private struct Store {
        var configuration = BatonConfiguration()
        var isInUse = false
    }

    private static let store = Mutex(Store())
}
