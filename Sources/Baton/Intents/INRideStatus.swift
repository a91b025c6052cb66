import BatonCore
public import Foundation

/// How far a ride is. Intents'.
public enum INRidePhase: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// The request is there, and no driver yet.
    case received = 1
    /// There is a driver.
    case confirmed = 2
    /// The person is on the way.
    case ongoing = 3
    /// It is over.
    case completed = 4
    /// The driver is near.
    case approachingPickup = 5
    /// The driver waits.
    case pickup = 6
}

/// The vehicle of a ride. Intents'.
public final class INRideVehicle: INIntentValue, @unchecked Sendable {
    /// Where it is.
    public var location: CLLocation? {
        get { store.place("location")?.location }
        set { store.set("location", newValue.map { CLPlacemark(values: Self.values(of: $0)) }) }
    }
    /// The number on its plate.
    public var registrationPlate: String? {
        get { store.string("registrationPlate") }
        set { store.set("registrationPlate", newValue) }
    }
    /// The manufacturer.
    public var manufacturer: String? {
        get { store.string("manufacturer") }
        set { store.set("manufacturer", newValue) }
    }
    /// The model.
    public var model: String? {
        get { store.string("model") }
        set { store.set("model", newValue) }
    }
    /// Its picture on a map.
    public var mapAnnotationImage: INImage? {
        get { store.object("mapAnnotationImage") }
        set { store.set("mapAnnotationImage", newValue) }
    }

    /// A vehicle of which nothing is known.
    public convenience init() { self.init(values: [:]) }

    private static func values(of location: CLLocation) -> [String: PropertyValue] {
        [
            "latitude": .real(location.coordinate.latitude), "longitude": .real(location.coordinate.longitude),
            "altitude": .real(location.altitude), "horizontalAccuracy": .real(location.horizontalAccuracy),
            "timestamp": .date(location.timestamp),
        ]
    }
}

/// The driver of a ride. Intents'.
public final class INRideDriver: INPerson, @unchecked Sendable {
    /// How the driver is rated, as it is shown.
    public var rating: String? { store.string("rating") }
    /// The driver's number.
    public var phoneNumber: String? { store.string("phoneNumber") }

    /// A driver with a telephone number.
    public convenience init(
        phoneNumber: String, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
        rating: String?
    ) {
        self.init(
            personHandle: INPersonHandle(value: phoneNumber, type: .phoneNumber), nameComponents: nameComponents,
            displayName: displayName, image: image, contactIdentifier: nil, customIdentifier: nil)
        store.set("phoneNumber", phoneNumber)
        store.set("rating", rating)
    }
}

/// How a ride is, as the response to a request for it says. Intents'.
///
/// What is read is a copy: set it again after a change. Safe to use from any thread.
///
/// Apple: <https://developer.apple.com/documentation/intents/inridestatus>
public final class INRideStatus: INIntentValue, @unchecked Sendable {
    /// The app's own identifier.
    public var rideIdentifier: String? {
        get { store.string("rideIdentifier") }
        set { store.set("rideIdentifier", newValue) }
    }
    /// How far it is.
    public var phase: INRidePhase {
        get { store.option("phase", .unknown) }
        set { store.set(option: "phase", newValue) }
    }
    /// How it ended; nil before.
    public var completionStatus: INRideCompletionStatus? {
        get { store.object("completionStatus") }
        set { store.set("completionStatus", newValue) }
    }
    /// The vehicle.
    public var vehicle: INRideVehicle? {
        get { store.object("vehicle") }
        set { store.set("vehicle", newValue) }
    }
    /// The driver.
    public var driver: INRideDriver? {
        get { store.object("driver") }
        set { store.set("driver", newValue) }
    }
    /// When it begins.
    public var estimatedPickupDate: Date? {
        get { store.date("estimatedPickupDate") }
        set { store.set("estimatedPickupDate", newValue) }
    }
    /// Until when the driver waits.
    public var estimatedPickupEndDate: Date? {
        get { store.date("estimatedPickupEndDate") }
        set { store.set("estimatedPickupEndDate", newValue) }
    }
    /// When it ends.
    public var estimatedDropOffDate: Date? {
        get { store.date("estimatedDropOffDate") }
        set { store.set("estimatedDropOffDate", newValue) }
    }
    /// Which kind of ride, and its price.
    public var rideOption: INRideOption? {
        get { store.object("rideOption") }
        set { store.set("rideOption", newValue) }
    }
    /// Where it begins.
    public var pickupLocation: CLPlacemark? {
        get { store.place("pickupLocation") }
        set { store.set("pickupLocation", newValue) }
    }
    /// Where it goes past.
    public var waypoints: [CLPlacemark]? {
        get { store.places("waypoints") }
        set { store.set("waypoints", newValue) }
    }
    /// Where it ends.
    public var dropOffLocation: CLPlacemark? {
        get { store.place("dropOffLocation") }
        set { store.set("dropOffLocation", newValue) }
    }
    /// Continued to cancel it in the app.
    public var userActivityForCancelingInApplication: NSUserActivity? {
        get { store.activity("userActivityForCancelingInApplication") }
        set { store.set("userActivityForCancelingInApplication", newValue) }
    }
    /// Continued for more that can be done in the app.
    public var additionalActionActivities: [NSUserActivity]? {
        get { store.activities("additionalActionActivities") }
        set { store.set("additionalActionActivities", newValue) }
    }

    /// A ride of which nothing is known.
    public convenience init() { self.init(values: [:]) }
}
