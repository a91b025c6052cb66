import AppLink
import BatonClient
import BatonConcurrency
import BatonCore
import BatonWire
import Dispatch
import Logging
import Synchronization

/// The library's one object per process: it knows the activities, the application, and the connection to the daemon.
///
/// Objects that are made inside of a callback belong to the runtime that called back, so that several runtimes can
/// live in one process, as in tests. An app has one.
final class AppRuntime: Sendable {
    /// The runtime's dependencies on its surroundings.
    struct Environment: Sendable {
        /// Read at first use, when the app had its chance to configure.
        var profile: @Sendable () -> AppProfile
        var makeClient: @Sendable (_ socketPath: String) -> any ConnectClient
        /// Between two attempts to reach the daemon; nil for the link's own timer.
        var sleep: (@Sendable (Duration) async throws -> Void)?
        /// From 0 to 1.
        var jitter: @Sendable () -> Double
        /// Ends the process.
        var exit: @Sendable (Int32) -> Void
        /// Between two times that activities are saved, so that one that changes all the time is saved now and then.
        var settle: @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(500)) }
        var savingPace = SavingPace()
        /// How long a caller that deletes saved activities waits for a daemon that is away.
        var deletionPatience = Duration.seconds(10)
        var sharing = SharingTools.process
        /// How long tasks in the background hold up the end of the app: less than the daemon waits before it kills it.
        var backgroundGrace = Duration.seconds(4)
        /// Opens a connection of its own for a pair of streams.
        var openPipe: @Sendable (_ socketPath: String, AppClaim, StreamRequest) async throws -> BytePipe = {
            try await $2.open(socketPath: $0, claim: $1)
        }

        static let process = Environment(
            profile: { .ofThisProcess() },
            makeClient: { HTTPConnectClient(socketPath: $0) },
            jitter: { .random(in: 0...1) },
            exit: { exitProcess($0) })
    }

    struct State {
        var outbox = ActivityOutbox()
        var saved = SavedOutbox()
        /// Every activity that the daemon may ask about. Bounded by the objects that the app holds.
        var activities: [ActivityID: WeakActivity] = [:]
        var canContinue = false
        /// The person uses the app. A program without an application object is in front for as long as it runs.
        var isInFront = true
        /// The daemon learns whether the app is in front even where it shows no place.
        var tellsFront = false
        /// The app's context as the daemon knows it; nil if it was not reported.
        var toldContext: AppContext?
        /// The application object is launching: it attaches once, with what it can do by then.
        var isLaunching = false
        var attachesAfterLaunch = false
        var isStopped = false
        /// Whether it has been tried to attach: once.
        var hasConnected = false
        var connection: DaemonSubscription?
        var wake: Signal?
        var savingWake: Signal?
    }

    static let shared: AppRuntime = {
        StandardOutput.flushLinesWhenLaunched()
        return AppRuntime(environment: .process)
    }()
    @TaskLocal static var calling: AppRuntime?
    static var current: AppRuntime { calling ?? shared }

    let environment: Environment
    let link: DaemonLink
    private let settledProfile: SettledProfile
    let logger = Logger(label: "baton.app")
    /// Where activity delegates are called: serial, so that an app meets one call at a time. Bounded by the
    /// ``CommandWindow`` and by the app's own calls.
    let callbacks = DispatchQueue(label: "development.baton.callbacks", qos: .userInitiated)
    private let state = Mutex(State())
    private let madeKeyValueStore = Mutex<(client: KeyValueClient, store: NSUbiquitousKeyValueStore)?>(nil)
    private let madeUbiquity = Mutex<UbiquityClient?>(nil)
    let (donations, locationManagers) = (DonationQueue(), LocationManagers())
    private let madeSpotlight = Mutex<SpotlightClient?>(nil)
    let madeContacts = Mutex<ContactsClient?>(nil)
    let madeMedia = Mutex<MediaClient?>(nil)
    let madeRecords = Mutex<MadeRecords>(MadeRecords())
    @MainActor private var madeApplication: UIApplication?
    @MainActor private var madeAppKitApplication: NSApplication?
    /// The application object whose delegate was set last: it hears of commands.
    @MainActor private(set) var host: (any ApplicationHost)?
    @MainActor private var madeContinuations: ContinuationCoordinator?
    @MainActor private var madeOpenings: OpeningCoordinator?
    /// False while the device is locked. Without a daemon nothing is.
    @MainActor private(set) var isProtectedDataAvailable = true

    init(environment: Environment) {
        self.environment = environment
        let profile = SettledProfile(make: environment.profile)
        settledProfile = profile
        link = DaemonLink {
            DaemonLink.Environment(
                socketPath: profile.value.socketPath, problem: profile.value.problem,
                bundleIdentifier: profile.value.bundleIdentifier, makeClient: environment.makeClient,
                sleep: environment.sleep, jitter: environment.jitter)
        }
    }

    @MainActor var application: UIApplication {
        if let madeApplication { return madeApplication }
        let application = UIApplication(runtime: self)
        madeApplication = application
        return application
    }

    @MainActor var appKitApplication: NSApplication {
        if let madeAppKitApplication { return madeAppKitApplication }
        let application = NSApplication(runtime: self)
        madeAppKitApplication = application
        return application
    }

    /// The device was locked or unlocked.
    @MainActor
    func setProtectedData(isAvailable: Bool) {
        guard isAvailable != isProtectedDataAvailable else { return }
        // Before files are closed, and after they are open.
        if isAvailable { isProtectedDataAvailable = true }
        host?.protectedDataChanges(isAvailable: isAvailable)
        isProtectedDataAvailable = isAvailable
    }

    /// Commands go to this application from now on, or to none.
    @MainActor
    func setHost(_ application: any ApplicationHost, hasDelegate: Bool) {
        if hasDelegate {
            host = application
        } else if host === application {
            host = nil
        }
        setCanContinue(host != nil)
    }

    /// Made at the first use. One object: notifications name it.
    private var keyValue: (client: KeyValueClient, store: NSUbiquitousKeyValueStore) {
        madeKeyValueStore.withLock { made in
            if let made { return made }
            let client = KeyValueClient(
                link: link, logger: logger,
                profile: KeyValueLimits.Profile(rawValue: profile.keyValueLimits) ?? .classic,
                onStart: { [self] in
                    if self === AppRuntime.shared { atexit { AppRuntime.shared.keyValues.flushAtExit() } }
                }, onAnnouncement: { [self] in keyValuesChanged($0, $1) })
            let new = (client, NSUbiquitousKeyValueStore(client: client))
            made = new
            return new
        }
    }

    /// Made at the first use.
    var ubiquity: UbiquityClient {
        madeUbiquity.withLock { made in
            let client =
                made
                ?? UbiquityClient(
                    link: link, logger: logger,
                    onIdentityChange: { [self] in
                        onCallbackQueue {
                            NotificationCenter.default.post(name: .NSUbiquityIdentityDidChange, object: nil)
                        }
                    })
            made = client
            return client
        }
    }

    private func keyValuesChanged(_ reason: KeyValueCopy.Reason, _ keys: [String]) {
        onCallbackQueue { [self] in
            NotificationCenter.default.post(
                name: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: keyValueStore,
                userInfo: [
                    NSUbiquitousKeyValueStoreChangeReasonKey: reason.rawValue,
                    NSUbiquitousKeyValueStoreChangedKeysKey: keys,
                ])
        }
    }

    /// Made at the first use.
    var spotlight: SpotlightClient {
        madeSpotlight.withLock { made in
            let client = made ?? SpotlightClient(runtime: self)
            made = client
            return client
        }
    }

    var keyValues: KeyValueClient { keyValue.client }
    var keyValueStore: NSUbiquitousKeyValueStore { keyValue.store }

    @MainActor var openings: OpeningCoordinator {
        if let madeOpenings { return madeOpenings }
        let openings = OpeningCoordinator(runtime: self)
        madeOpenings = openings
        return openings
    }

    @MainActor var continuations: ContinuationCoordinator {
        if let madeContinuations { return madeContinuations }
        let continuations = ContinuationCoordinator(runtime: self)
        madeContinuations = continuations
        return continuations
    }

    var profile: AppProfile { settledProfile.value }
}

// MARK: - Activities

extension AppRuntime {
    // The order of locks is always runtime, then activity: so the outbox meets the states of an activity in their
    // order, and the last one stays.

    func becomeCurrent(_ activity: NSUserActivity) {
        let wake = state.withLock { state -> Signal? in
            let snapshot = activity.snapshot
            guard snapshot.isValid else { return nil }
            state.activities[activity.id] = WeakActivity(value: activity)
            state.outbox.becomeCurrent(activity.id, snapshot.wireDescription)
            if snapshot.isSavable {
                state.saved.release()
                state.saved.save(activity.id)
                state.savingWake?.send()
            }
            return start(&state)
        }
        wake?.send()
    }

    func descriptionChanged(of activity: NSUserActivity) {
        let wake = state.withLock { state -> Signal? in
            guard state.outbox.knows(activity.id) else { return nil }
            return state.outbox.describe(activity.id, activity.snapshot.wireDescription) ? state.wake : nil
        }
        wake?.send()
    }

    func resignCurrent(_ id: ActivityID) {
        wake { $0.outbox.resign(id) }
    }

    func continuedElsewhere(_ id: ActivityID) {
        state.withLock { $0.outbox.continuedElsewhere(id) }
    }

    func invalidate(_ id: ActivityID) {
        wake {
            $0.activities[id] = nil
            $0.outbox.invalidate(id)
        }
    }

    func activity(_ id: ActivityID) -> NSUserActivity? {
        state.withLock { $0.activities[id]?.value }
    }

    /// Changes the activities to save or delete, and has the change sent.
    func wakeSaving(_ change: (inout State) -> Void) {
        let wake = state.withLock { state in
            change(&state)
            return state.savingWake
        }
        wake?.send()
    }

    func withSaved<Result: Sendable>(_ body: (inout SavedOutbox) -> Result) -> Result {
        state.withLock { body(&$0.saved) }
    }

    func replaceSavingWake(_ wake: Signal) -> Signal? {
        state.withLock { state in
            defer { state.savingWake = wake }
            return state.savingWake
        }
    }

    /// The activity that the app made current last, if it has not resigned and is still referenced.
    var currentActivity: NSUserActivity? {
        state.withLock { state in state.outbox.currentID.flatMap { state.activities[$0]?.value } }
    }

    func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result { state.withLock { body(&$0) } }

    func wake(_ change: (inout State) -> Void) {
        let wake = state.withLock { state in
            change(&state)
            return state.wake
        }
        wake?.send()
    }
}

// MARK: - The connection

extension AppRuntime {
    /// Attaches to the daemon, if that has not been done, and says that the process can continue activities.
    func setCanContinue(_ canContinue: Bool) {
        let wake = state.withLock { state in
            state.canContinue = canContinue
            return canContinue ? start(&state) : state.wake
        }
        wake?.send()
    }

    /// Until ``finishLaunching()`` nothing attaches. An attachment says whether the process can continue activities: one that was made
    /// before the delegate is known would be made again, and its offers would come, go and come.
    func beginLaunching() { state.withLock { $0.isLaunching = true } }

    func finishLaunching() {
        let wake = state.withLock { state in
            state.isLaunching = false
            return state.attachesAfterLaunch ? start(&state) : state.wake
        }
        wake?.send()
    }

    /// For what the daemon may ask of the process.
    func attach() {
        let wake = state.withLock { state in start(&state) }
        wake?.send()
    }

    @discardableResult
    func start(_ state: inout State) -> Signal? {
        if state.isLaunching {
            state.attachesAfterLaunch = true
        } else if !state.hasConnected, !state.isStopped {
            state.hasConnected = true
            state.connection = AppAttachment.start(
                link, displayName: profile.displayName, bundleVersion: profile.bundleVersion,
                capabilities: [
                    ProtectedDataCapability(runtime: self), ActivitiesCapability(runtime: self),
                    SavedActivitiesCapability(runtime: self), OpeningCapability(runtime: self),
                    StreamsCapability(runtime: self), SearchableIndexCapability(runtime: self),
                    MediaCapability(runtime: self),
                ], logger: logger)
        }
        return state.wake
    }

    /// Detaches for good. The daemon forgets the process's activities.
    func stop() async {
        let connection = state.withLock { state in
            state.isStopped = true
            return state.connection
        }
        await connection?.stop()
        await madeKeyValueStore.withLock { $0?.client }?.stop()
        await madeUbiquity.withLock { $0 }?.stop()
        madeSpotlight.withLock { $0 }?.stop()
        await stopRecords()
    }

    /// The first message of an attachment.
    func takeAttachment(
        limit: Int
    ) -> (
        canContinue: Bool, activities: [(description: ActivityOutbox.Description, isCurrent: Bool)]
    ) {
        state.withLock {
            $0.toldContext = nil
            return ($0.canContinue, $0.outbox.takeSnapshot(limit: limit))
        }
    }

    var canContinue: Bool { state.withLock { $0.canContinue } }

    func nextAction() -> ActivityOutbox.Action? { state.withLock { $0.outbox.next() } }

    func restore(_ action: ActivityOutbox.Action) { state.withLock { $0.outbox.restore(action) } }

    func refuse(_ id: ActivityID) { state.withLock { $0.outbox.refuse(id) } }

    /// Yields when there may be something to report. Holds at most one element: the outbox knows what has changed.
    func changes() -> AsyncStream<Void> {
        let wake = Signal()
        let previous = state.withLock { state in
            defer { state.wake = wake }
            return state.wake
        }
        previous?.finish()
        wake.send()
        return wake.stream
    }

    /// For tests of the bound.
    var outboxCount: Int { state.withLock { $0.outbox.count } }
}
