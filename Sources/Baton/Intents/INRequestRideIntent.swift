import BatonCore

/// How something is paid. Intents'.
public enum INPaymentMethodType: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// From a checking account.
    case checking = 1
    /// From a savings account.
    case savings = 2
    /// From a brokerage account.
    case brokerage = 3
    /// By debit card.
    case debit = 4
    /// By credit card.
    case credit = 5
    /// By prepaid card.
    case prepaid = 6
    /// From a store's account.
    case store = 7
    /// By Apple Pay.
    case applePay = 8
}

/// How something is paid. Intents'.
public final class INPaymentMethod: INIntentValue, @unchecked Sendable {
    /// Which kind.
    public var type: INPaymentMethodType { store.option("type", .unknown) }
    /// The name.
    public var name: String? { store.string("name") }
    /// By what it is known, as the last digits.
    public var identificationHint: String? { store.string("identificationHint") }
    /// Its picture.
    public var icon: INImage? { store.object("icon") }

    /// A way to pay.
    public convenience init(type: INPaymentMethodType, name: String?, identificationHint: String?, icon: INImage?) {
        self.init(values: [:])
        store.set(option: "type", type)
        store.set("name", name)
        store.set("identificationHint", identificationHint)
        store.set("icon", icon)
    }
}

/// To request a ride. Intents'.
public final class INRequestRideIntent: INIntent, @unchecked Sendable {
    /// Where it begins.
    public var pickupLocation: CLPlacemark? { store.place("pickupLocation") }
    /// Where it ends.
    public var dropOffLocation: CLPlacemark? { store.place("dropOffLocation") }
    /// Which kind of ride.
    public var rideOptionName: INSpeakableString? { store.object("rideOptionName") }
    /// How many people.
    public var partySize: Int? { store.integer("partySize") }
    /// How it is paid.
    public var paymentMethod: INPaymentMethod? { store.object("paymentMethod") }
    /// When.
    public var scheduledPickupTime: INDateComponentsRange? { store.object("scheduledPickupTime") }

    /// A ride. Nil for what is not said.
    public convenience init(
        pickupLocation: CLPlacemark?, dropOffLocation: CLPlacemark?, rideOptionName: INSpeakableString?,
        partySize: Int?, paymentMethod: INPaymentMethod?, scheduledPickupTime: INDateComponentsRange?
    ) {
        self.init(values: [:])
        store.set("pickupLocation", pickupLocation)
        store.set("dropOffLocation", dropOffLocation)
        store.set("rideOptionName", rideOptionName)
        store.set("partySize", partySize)
        store.set("paymentMethod", paymentMethod)
        store.set("scheduledPickupTime", scheduledPickupTime)
    }

    override func parameter(_ name: String) -> Any? {
        switch name {
        case "pickupLocation": pickupLocation
        case "dropOffLocation": dropOffLocation
        case "rideOptionName": rideOptionName
        case "paymentMethod": paymentMethod
        case "scheduledPickupTime": scheduledPickupTime
        default: super.parameter(name)
        }
    }
}

/// How it went to request a ride. Intents'.
public final class INRequestRideIntentResponse: INIntentResponse, @unchecked Sendable {
    /// How it went.
    public var code: INRequestRideIntentResponseCode { storedCode(.unspecified) }

    /// How the ride is; nil at first.
    public var rideStatus: INRideStatus? {
        get { store.object("rideStatus") }
        set { store.set("rideStatus", newValue) }
    }

    /// A response.
    ///
    /// - Parameters:
    ///   - code: how it went.
    ///   - userActivity: what the app continues when a person comes back to it; nil for an activity whose type is the
    ///     intent's class name.
    public convenience init(code: INRequestRideIntentResponseCode, userActivity: NSUserActivity?) {
        self.init(number: code.rawValue, userActivity: userActivity)
    }

    override var handlingStatus: INIntentHandlingStatus {
        switch code {
        case .unspecified: .unspecified
        case .ready: .ready
        case .inProgress: .inProgress
        case .success: .success
        case .failureRequiringAppLaunch: .deferredToApplication
        default: .failure
        }
    }
}

/// How it went to request a ride: Apple's numbers. Intents'.
public enum INRequestRideIntentResponseCode: Int, Sendable {
    /// Not specified.
    case unspecified = 0
    /// It can be done.
    case ready = 1
    /// It is being done.
    case inProgress = 2
    /// It was done.
    case success = 3
    /// There is no ride.
    case failure = 4
    /// The app has to be opened.
    case failureRequiringAppLaunch = 5
    /// The person has to prove in the app who they are.
    case failureRequiringAppLaunchMustVerifyCredentials = 6
    /// There is no service here.
    case failureRequiringAppLaunchNoServiceInArea = 7
    /// There is no service now.
    case failureRequiringAppLaunchServiceTemporarilyUnavailable = 8
    /// Another ride has to be finished.
    case failureRequiringAppLaunchPreviousRideNeedsCompletion = 9
    /// The ride is too far ahead.
    case failureRequiringAppLaunchRideScheduledTooFar = 10
}
