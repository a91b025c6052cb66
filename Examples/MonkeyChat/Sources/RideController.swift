import Baton

/// Orders a ride.
@MainActor
final class RideController {
    private let geocoder = CLGeocoder()

    /// A place may have an address alone. It is looked up when its coordinate is missing: not, as the sample of the documentation
    /// has it, when it is there (X-6).
    func begin(to destination: MKMapItem) {
        let name = destination.name ?? "the destination"
        if let coordinate = destination.placemark.location?.coordinate {
            return print("ride to \(name) at \(coordinate.latitude), \(coordinate.longitude)")
        }
        guard let address = destination.placemark.addressDictionary else {
            return print("refused \(name), which has neither a coordinate nor an address")
        }
        print("looks up \(name)")
        geocoder.geocodeAddressDictionary(address) { placemarks, error in
            if let coordinate = placemarks?.first?.location?.coordinate {
                print("ride to \(name) at \(coordinate.latitude), \(coordinate.longitude)")
            } else if let town = (error as? CLError)?.userInfo[kCLErrorUserInfoAlternateRegionKey] as? CLCircularRegion
            {
                // A town is no place to be taken to: the person says where in it.
                print("asks where in \(town.identifier) \(name) is")
            } else {
                print("does not find \(name): \(error?.localizedDescription ?? "no answer")")
            }
        }
    }
}
