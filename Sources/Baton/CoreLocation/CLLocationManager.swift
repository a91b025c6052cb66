import AppLink
public import Foundation
import Synchronization

/// Whether an app may know where the device is. CoreLocation's, with Apple's numbers.
public enum CLAuthorizationStatus: Int32, Sendable {
    /// The person was never asked, or did not answer.
    case notDetermined = 0
    /// The person of this device may not allow it. Baton never says so.
    case restricted = 1
    /// The person does not want it.
    case denied = 2
    /// The person allows it. Baton says this: it makes no difference between an app in front and one behind.
    case authorizedAlways = 3
    /// The person allows it while the app is used. Baton never says so.
    case authorizedWhenInUse = 4
}

/// How exactly an app may know where the device is. CoreLocation's.
public enum CLAccuracyAuthorization: Int, Sendable {
    /// As exactly as the device knows. Baton always says this.
    case fullAccuracy = 0
    /// Within some kilometres.
    case reducedAccuracy = 1
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// As exact as can be.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
// swift-format-ignore: AlwaysUseLowerCamelCase
/// As exact as can be, with help of other sensors. As ``kCLLocationAccuracyBest``: GeoClue decides.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Within ten metres.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Within a hundred metres.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Within a kilometre.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Within three kilometres.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Every move counts.
public let kCLDistanceFilterNone: CLLocationDistance = -1
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The largest distance.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude

/// Hears where the device is. CoreLocation's. Every method is optional, and called on the main thread.
public protocol CLLocationManagerDelegate: AnyObject {
    /// The device is there; the newest last. Optional.
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
    /// It is not known: a ``CLError``. Optional here.
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
    /// The app's authorization has changed; also called once after the manager was made. Optional.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
    /// A region cannot be watched: always, see ``CLLocationManager/startMonitoring(for:)``. Optional.
    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)
    /// The older form of ``locationManagerDidChangeAuthorization(_:)``, called where that is not implemented.
    func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
}

extension CLLocationManagerDelegate {
    /// Does nothing.
    public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
    /// Does nothing.
    public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
    /// Does nothing.
    public func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
    ) {}
    /// Calls the older form.
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        locationManager(manager, didChangeAuthorization: manager.knownStatus)
    }
    /// Does nothing.
    public func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {}
}

/// Gives an app the location of the device, if the person allows it. CoreLocation's.
///
/// The daemon asks GeoClue, for as long as an app follows. The person is asked once for each app, and decides anew with
/// `baton location APP on`, `off` or `ask`. Make managers on the main thread; the delegate is called there. Without a daemon,
/// and where GeoClue knows nothing within 30 s, the error is ``CLError/Code/locationUnknown``.
///
/// There are no visits, headings or beacons, and no region is watched.
///
/// Apple: <https://developer.apple.com/documentation/corelocation/cllocationmanager>
//
// @unchecked: what changes lies behind a lock; the delegate is read on the main thread only.
open class CLLocationManager: NSObject, @unchecked Sendable {
    /// How long one request waits for a position.
    private static let patience = Duration.seconds(30)

    struct State {
        var status = CLAuthorizationStatus.notDetermined
        var location: CLLocation?
        var desiredAccuracy = kCLLocationAccuracyBest
        var distanceFilter = kCLDistanceFilterNone
        var options = CLLocationManagerOptions()
        /// Why updates are asked for: all moves, those of 500 m and more, or both.
        var isUpdating = false
        var isWatchingSignificantChanges = false
        /// Nil also while updates wait for the person's decision.
        var updates: Task<Void, Never>?
        var request: Task<Void, Never>?
        /// How often the person has decided.
        var decisions = 0

        /// Metres between two updates.
        var filter: CLLocationDistance { isUpdating ? distanceFilter : 500 }
    }

    // Apple's delegates are not sendable. It is only called on the main thread.
    private struct WeakDelegate: @unchecked Sendable {
        weak var value: (any CLLocationManagerDelegate)?
    }

    private let runtime = AppRuntime.current
    private let client: LocationClient
    let state = Mutex(State())
    private let holder = Mutex(WeakDelegate())

    /// A manager; the delegate hears of the authorization soon after.
    public override init() {
        client = LocationClient(runtime: runtime)
        super.init()
        runtime.locationManagers.add(self)
        // Unstructured: no caller waits for it.
        Task { [weak self] in await self?.readStatus() }
    }

    deinit {
        runtime.locationManagers.remove(ObjectIdentifier(self))
        let (updates, request) = state.withLock { ($0.updates, $0.request) }
        updates?.cancel()
        request?.cancel()
    }

    /// Hears what happens.
    open weak var delegate: (any CLLocationManagerDelegate)? {
        get { holder.withLock { $0 }.value }
        set {
            let new = WeakDelegate(value: newValue)
            holder.withLock { $0 = new }
        }
    }

    // MARK: Authorization

    /// Whether the app may know where the device is. Waits a moment for the daemon;
    /// ``CLAuthorizationStatus/notDetermined`` without one.
    open var authorizationStatus: CLAuthorizationStatus {
        let client = client
        return (try? runtime.link.wait(.seconds(5)) { try await client.status() }) ?? state.withLock { $0.status }
    }

    /// Always full.
    open var accuracyAuthorization: CLAccuracyAuthorization { .fullAccuracy }

    /// Whether there is a daemon that can be asked.
    open class func locationServicesEnabled() -> Bool { AppRuntime.current.profile.socketPath != nil }

    /// Asks the person, unless they have answered before. Every manager of the process gets the answer.
    open func requestWhenInUseAuthorization() {
        // Unstructured: the person may take long. The delegates of all managers hear of the answer.
        Task { [client, managers = runtime.locationManagers] in
            guard let status = try? await client.requestAccess() else { return }
            managers.take(status)
        }
    }

    /// As ``requestWhenInUseAuthorization()``: Baton makes no difference.
    open func requestAlwaysAuthorization() { requestWhenInUseAuthorization() }

    /// The status that was heard last, without asking the daemon.
    var knownStatus: CLAuthorizationStatus { state.withLock { $0.status } }

    private func readStatus() async {
        let status = try? await client.status()
        // The person may have decided while the answer was on its way.
        state.withLock { if $0.decisions == 0 { $0.status = status ?? $0.status } }
        tell { $0.locationManagerDidChangeAuthorization($1) }
    }

    /// The person has decided, asked by this manager or by another one of the process.
    func take(_ status: CLAuthorizationStatus) {
        let isNew = state.withLock { state in
            defer { state.status = status }
            state.decisions += 1
            return state.status != status
        }
        if isNew { tell { $0.locationManagerDidChangeAuthorization($1) } }
        if status != .notDetermined { update { _ in } }
    }

    // MARK: Positions

    /// Where the device was last; nil before the first position.
    open var location: CLLocation? { state.withLock { $0.location } }

    /// How exactly the app wants to know. GeoClue decides by itself; positions are given as they are.
    open var desiredAccuracy: CLLocationAccuracy {
        get { state.withLock { $0.desiredAccuracy } }
        set { state.withLock { $0.desiredAccuracy = newValue } }
    }

    /// Metres that the device moves before the delegate is notified again. GeoClue reports movements of 50 m and more.
    open var distanceFilter: CLLocationDistance {
        get { state.withLock { $0.distanceFilter } }
        set { state.withLock { $0.distanceFilter = newValue } }
    }

    /// Notifies the delegate of the location once, or of the error. Has no effect while ``startUpdatingLocation()`` is, and is taken
    /// back by it and by ``stopUpdatingLocation()``.
    open func requestLocation() {
        guard !state.withLock({ $0.isUpdating }) else { return }
        let (client, patience) = (client, Self.patience)
        // Unstructured: the result goes to the delegate.
        let task = Task { [weak self] in
            do {
                let location = try await client.location(within: patience)
                self?.take(location, isFiltered: false)
            } catch is CancellationError {
            } catch {
                self?.fail(error)
            }
        }
        state.withLock { state in
            state.request?.cancel()
            state.request = task
        }
    }

    /// Notifies the delegate of the location from now on. Where the person has not decided yet, it begins, or fails, when
    /// ``requestWhenInUseAuthorization()`` is answered.
    open func startUpdatingLocation() {
        update { $0.isUpdating = true }
        cancelRequest()
    }

    /// Ends the updates, unless ``startMonitoringSignificantLocationChanges()`` goes on.
    open func stopUpdatingLocation() {
        update { $0.isUpdating = false }
        cancelRequest()
    }

    private func cancelRequest() {
        let request = state.withLock { state in
            defer { state.request = nil }
            return state.request
        }
        request?.cancel()
    }

    /// Has the delegate called each time that the device has moved by 500 m. The app is not launched for it.
    open func startMonitoringSignificantLocationChanges() { update { $0.isWatchingSignificantChanges = true } }

    /// Ends what ``startMonitoringSignificantLocationChanges()`` began.
    open func stopMonitoringSignificantLocationChanges() { update { $0.isWatchingSignificantChanges = false } }

    private func update(_ change: (inout State) -> Void) {
        let (client, managers) = (client, runtime.locationManagers)
        state.withLock { state in
            change(&state)
            guard state.isUpdating || state.isWatchingSignificantChanges else {
                // Under the lock: a task that is cancelled is not that of later updates.
                state.updates?.cancel()
                state.updates = nil
                return
            }
            guard state.updates == nil else { return }
            // Unstructured: it ends with `stopUpdatingLocation()` or with the manager.
            state.updates = Task { [weak self] in
                while !Task.isCancelled {
                    let decisions = self?.state.withLock(\.decisions)
                    do {
                        try await client.follow { self?.take($0, isFiltered: true) }
                    } catch is CancellationError {
                        return
                    } catch {
                        let isDenied = (error as? CLError)?.code == .denied
                        let status = isDenied ? try? await client.status() : nil
                        if status == .notDetermined {
                            guard self?.isDecided(since: decisions) == true else { return }
                            continue
                        }
                        guard !Task.isCancelled else { return }
                        // The person may have decided after this was refused.
                        if let status, let known = self?.state.withLock({ ($0.status, $0.decisions) }) {
                            if known.0 != status { managers.take(status) }
                            if status == .authorizedAlways, known != (status, decisions) { continue }
                        }
                        self?.fail(error)
                        if isDenied {
                            self?.state.withLock { state in
                                guard !Task.isCancelled else { return }
                                (state.isUpdating, state.isWatchingSignificantChanges) = (false, false)
                                state.updates = nil
                            }
                            return
                        }
                    }
                    // The daemon ended, or starts again.
                    try? await Task.sleep(for: .seconds(5))
                }
            }
        }
    }

    /// Called by the task of updates. False: it ends, and the person's decision begins another one.
    private func isDecided(since decisions: Int?) -> Bool {
        state.withLock { state in
            guard !Task.isCancelled else { return false }
            guard state.decisions == decisions else { return true }
            state.updates = nil
            return false
        }
    }

    private func take(_ location: CLLocation, isFiltered: Bool) {
        let isTold = state.withLock { state in
            if isFiltered, state.filter > 0, let old = state.location,
                old.distance(from: location) < state.filter
            {
                return false
            }
            state.location = location
            return true
        }
        guard isTold else { return }
        tell { $0.locationManager($1, didUpdateLocations: [location]) }
    }

    private func fail(_ error: any Error) {
        let error = error as? CLError ?? CLError(.locationUnknown)
        if error.code == .denied, state.withLock({ $0.status }) != .denied {
            // Unstructured: no caller waits for it. The delegate hears of another status only: the person may not have been asked.
            Task { [client, managers = runtime.locationManagers] in
                if let status = try? await client.status() { managers.take(status) }
            }
        }
        tell { $0.locationManager($1, didFailWithError: error) }
    }

    func tell(_ body: @escaping @MainActor @Sendable (any CLLocationManagerDelegate, CLLocationManager) -> Void) {
        runtime.onMain { [weak self] in
            guard let self, let delegate else { return }
            body(delegate, self)
        }
    }
}
