import Synchronization

/// The location managers of a process. The person decides about an app, so each of them takes each decision.
final class LocationManagers: Sendable {
    private struct WeakManager: Sendable {
        weak var value: CLLocationManager?
    }

    private let managers = Mutex<[ObjectIdentifier: WeakManager]>([:])

    func add(_ manager: CLLocationManager) {
        managers.withLock { $0[ObjectIdentifier(manager)] = WeakManager(value: manager) }
    }

    func remove(_ manager: ObjectIdentifier) { managers.withLock { $0[manager] = nil } }

    func take(_ status: CLAuthorizationStatus) {
        // They are released outside of the lock: a manager that goes removes itself.
        let managers = managers.withLock { $0.values.compactMap(\.value) }
        for manager in managers { manager.take(status) }
    }
}
