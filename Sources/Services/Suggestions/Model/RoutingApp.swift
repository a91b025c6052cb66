package import BatonCore

/// An app that leads people to places.
package struct RoutingApp: Sendable, Equatable {
    package let bundleID: BundleID
    package let name: String
    /// `MKDirectionsApplicationSupportedModes`.
    package let modes: [String]

    package init(bundleID: BundleID, name: String, modes: [String]) {
        self.bundleID = bundleID
        self.name = name
        self.modes = modes
    }

    /// Whether it offers rides and nothing else (P-45, P-46).
    package var isForRidesAlone: Bool { !modes.isEmpty && modes.allSatisfy { $0 == "MKDirectionsModeRideShare" } }

    /// The offer: a ride of an app that has nothing else, directions of any other, or of the desktop.
    package static func offer(of app: RoutingApp?, to place: String) -> String {
        app?.isForRidesAlone == true ? "Get a ride to \(place)" : "Get directions to \(place)"
    }
}
