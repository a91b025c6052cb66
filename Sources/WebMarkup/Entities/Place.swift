/// A place that a page or an app names.
package struct Place: Sendable, Equatable {
    package var name: String?
    package var types: [String] = []
    package var street: String?
    package var locality: String?
    package var region: String?
    package var postalCode: String?
    package var country: String?
    /// An address that is one text.
    package var addressText: String?
    package var coordinate: Coordinate?
    package var telephone: String?
    package var address: String?
    /// The parts left out of it, and why, for people.
    package var remarks: [String] = []

    package init() {}

    package struct Coordinate: Sendable, Equatable {
        package let latitude: Double
        package let longitude: Double

        /// Nil for what is no place on the earth.
        package init?(latitude: Double, longitude: Double) {
            guard latitude.isFinite, longitude.isFinite, (-90...90).contains(latitude),
                (-180...180).contains(longitude)
            else { return nil }
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    package var hasAddress: Bool { [street, locality, postalCode, addressText].contains { $0 != nil } }
}
