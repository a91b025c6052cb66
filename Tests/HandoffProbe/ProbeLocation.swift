import Baton
import Foundation

/// The probe's use of where the device is. On the main thread, where a manager calls its delegate.
@MainActor enum ProbeLocation {
    private final class Delegate: CLLocationManagerDelegate {
        func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
            guard let location = locations.last else { return }
            ProbeLog.print([
                "event": "location",
                "result": "\(location.coordinate.latitude), \(location.coordinate.longitude)",
                "more": "\(location.horizontalAccuracy)",
            ])
        }

        func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
            ProbeLog.print(["event": "locationFailed", "code": "\((error as? CLError)?.code.rawValue ?? -1)"])
        }

        func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
            ProbeLog.print(["event": "locationAuthorization", "result": "\(manager.authorizationStatus.rawValue)"])
        }
    }

    private static let delegate = Delegate()
    private static let manager = {
        let manager = CLLocationManager()
        manager.delegate = delegate
        return manager
    }()

    static func perform(_ command: ProbeCommand) {
        switch command.mode {
        case "ask": manager.requestWhenInUseAuthorization()
        case "once": manager.requestLocation()
        case "follow": manager.startUpdatingLocation()
        default: manager.stopUpdatingLocation()
        }
    }
}
