public import Foundation

/// A way from one place to another. MapKit's. Baton makes none; see ``MKDirections``.
public final class MKRoute: NSObject, Sendable {
    /// A part of a way.
    public final class Step: NSObject, Sendable {
        /// Where to go.
        public let instructions: String
        /// Warnings.
        public let notice: String?
        /// Its line.
        public let polyline: MKPolyline
        /// Metres.
        public let distance: CLLocationDistance
        /// How the person travels.
        public let transportType: MKDirectionsTransportType

        init(
            instructions: String, notice: String?, polyline: MKPolyline, distance: CLLocationDistance,
            transportType: MKDirectionsTransportType
        ) {
            self.instructions = instructions
            self.notice = notice
            self.polyline = polyline
            self.distance = distance
            self.transportType = transportType
        }
    }

    /// Its name, for a person.
    public let name: String
    /// Warnings.
    public let advisoryNotices: [String]
    /// Its line.
    public let polyline: MKPolyline
    /// Metres.
    public let distance: CLLocationDistance
    /// Seconds.
    public let expectedTravelTime: TimeInterval
    /// How the person travels.
    public let transportType: MKDirectionsTransportType
    /// Whether it has tolls.
    public let hasTolls: Bool
    /// Whether it has highways.
    public let hasHighways: Bool
    /// Its parts, in their order.
    public let steps: [Step]

    init(
        name: String, advisoryNotices: [String], polyline: MKPolyline, distance: CLLocationDistance,
        expectedTravelTime: TimeInterval, transportType: MKDirectionsTransportType, hasTolls: Bool, hasHighways: Bool,
        steps: [Step]
    ) {
        self.name = name
        self.advisoryNotices = advisoryNotices
        self.polyline = polyline
        self.distance = distance
        self.expectedTravelTime = expectedTravelTime
        self.transportType = transportType
        self.hasTolls = hasTolls
        self.hasHighways = hasHighways
        self.steps = steps
    }
}
