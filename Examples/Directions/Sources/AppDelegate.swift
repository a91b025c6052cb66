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

    private let geocoder = CLGeocoder()

    private func direct(to destination: MKMapItem) -> Bool {
        let name = destination.name ?? "the destination"
        // A request may have an address alone. That is looked up when there is no valid coordinate to go to (P-42).
        if let coordinate = destination.placemark.location?.coordinate {
            print("directions to \(name) at \(coordinate.latitude), \(coordinate.longitude)")
        } else if let address = destination.placemark.postalAddress {
            print("directions to \(name): looks up \(address.street), \(address.city)")
            geocoder.geocodePostalAddress(address) { placemarks, error in
                if let coordinate = placemarks?.first?.location?.coordinate {
                    print("directions to \(name) at \(coordinate.latitude), \(coordinate.longitude)")
                } else {
                    print("no directions to \(name): \(error?.localizedDescription ?? "nothing is known of it")")
                }
            }
        } else {
            print("refused \(name), which has neither a coordinate nor an address")
            return false
        }
        return true
    }
}
