/// Where the device is, as GeoClue says.
package struct DevicePosition: Sendable, Hashable {
    /// Degrees.
    package let latitude: Double
    package let longitude: Double
    /// Metres within which it is right.
    package let accuracy: Double
    /// Metres above the sea; nil where it is not known.
    package let altitude: Double?
    /// Metres per second; nil where it is not known.
    package let speed: Double?
    /// Degrees from north, clockwise; nil where it is not known.
    package let heading: Double?

    /// - Returns: nil for what is no place on the earth.
    package init?(
        latitude: Double, longitude: Double, accuracy: Double, altitude: Double? = nil, speed: Double? = nil,
        heading: Double? = nil
    ) {
        guard latitude.isFinite, longitude.isFinite, abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy.isFinite && accuracy >= 0 ? accuracy : 100_000
        // GeoClue says the least number of its kind where it does not know, and -1 for the two others.
        self.altitude = altitude.flatMap { $0.isFinite && $0 > -20_000 ? $0 : nil }
        self.speed = speed.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        self.heading = heading.flatMap { (0...360).contains($0) ? $0 : nil }
    }
}
