import Synchronization

/// How a person moves. CoreLocation's.
public enum CLActivityType: Int, Sendable {
    /// Not known.
    case other = 1
    /// Drives a car.
    case automotiveNavigation = 2
    /// Walks, runs or cycles.
    case fitness = 3
    /// Goes by boat or train.
    case otherNavigation = 4
    /// Flies.
    case airborne = 5
}

/// An app's wishes for positions.
struct CLLocationManagerOptions: Sendable {
    var activityType = CLActivityType.other
    var pausesAutomatically = true
    var allowsBackground = false
    var showsIndicator = false
}

extension CLLocationManager {
    /// How the person moves. GeoClue does not hear of it.
    public var activityType: CLActivityType {
        get { state.withLock { $0.options.activityType } }
        set { state.withLock { $0.options.activityType = newValue } }
    }

    /// Whether updates may pause by themselves. They do not here.
    public var pausesLocationUpdatesAutomatically: Bool {
        get { state.withLock { $0.options.pausesAutomatically } }
        set { state.withLock { $0.options.pausesAutomatically = newValue } }
    }

    /// Whether updates go on in the background. They do here, whatever this says.
    public var allowsBackgroundLocationUpdates: Bool {
        get { state.withLock { $0.options.allowsBackground } }
        set { state.withLock { $0.options.allowsBackground = newValue } }
    }

    /// Whether the person sees that the app follows in the background. The desktop decides that.
    public var showsBackgroundLocationIndicator: Bool {
        get { state.withLock { $0.options.showsIndicator } }
        set { state.withLock { $0.options.showsIndicator = newValue } }
    }

    /// Asks the person for exact positions for a while. Exact positions are allowed with any position, so no question is asked.
    /// - Parameters:
    ///   - purposeKey: not used.
    ///   - completion: called on the main thread, later, without an error.
    @preconcurrency
    public func requestTemporaryFullAccuracyAuthorization(
        withPurposeKey purposeKey: String, completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        AppRuntime.current.onMain { completion?(nil) }
    }

    /// As ``requestTemporaryFullAccuracyAuthorization(withPurposeKey:completion:)``: returns at once.
    public func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) async throws {}

    /// Whether ``startMonitoringSignificantLocationChanges()`` does something.
    public class func significantLocationChangeMonitoringAvailable() -> Bool { locationServicesEnabled() }

    /// Whether there is a compass: false.
    public class func headingAvailable() -> Bool { false }

    /// Whether regions of a class are watched: false.
    public class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool { false }

    /// The regions that are watched: none.
    public var monitoredRegions: Set<CLRegion> { [] }

    /// Regions are not watched: the delegate's `locationManager(_:monitoringDidFailFor:withError:)` is called with
    /// ``CLError/Code/regionMonitoringFailure``.
    public func startMonitoring(for region: CLRegion) {
        let error = CLError(
            .regionMonitoringFailure,
            "Regions are not watched here. Follow the position, and ask the region whether it contains it.")
        tell { $0.locationManager($1, monitoringDidFailFor: region, withError: error) }
    }

    /// Does nothing: no region is watched.
    public func stopMonitoring(for region: CLRegion) {}
}
