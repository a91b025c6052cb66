import Baton
import Foundation

/// A routing app: it is asked for directions by files, which come as URLs do (U-26).
///
/// It prints what its map would show.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    required init() { super.init() }

    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        guard MKDirections.Request.isDirectionsRequest(url) else {
            print("refused \(url.lastPathComponent)")
            return false
        }
        let request = MKDirections.Request(contentsOf: url)
        // The Inbox is not for keeping things.
        try? FileManager.default.removeItem(at: url)
        guard let destination = request.destination else {
            print("refused a request without a destination")
            return false
        }
        return direct(to: destination)
    }

    private func direct(to destination: MKMapItem) -> Bool {
        let name = destination.name ?? "the destination"
        let coordinate = destination.placemark.coordinate
        // A request may have an address alone. That is looked up when there is no valid coordinate to go to.
        if CLLocationCoordinate2DIsValid(coordinate) {
            print("directions to \(name) at \(coordinate.latitude), \(coordinate.longitude)")
        } else if let address = destination.placemark.postalAddress {
            print("directions to \(name): looks up \(address.street), \(address.city)")
        } else {
            print("refused \(name), which has neither a coordinate nor an address")
            return false
        }
        return true
    }
}
