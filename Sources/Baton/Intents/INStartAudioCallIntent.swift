import BatonCore

/// To begin an audio call, as in iOS 10. ``INStartCallIntent`` is its successor. Intents'.
public final class INStartAudioCallIntent: INIntent, @unchecked Sendable {
    /// Where it goes.
    public var destinationType: INCallDestinationType { store.option("destinationType", .unknown) }
    /// The people to call.
    public var contacts: [INPerson]? { store.objects("contacts") }

    /// A call that goes somewhere.
    public convenience init(destinationType: INCallDestinationType, contacts: [INPerson]?) {
        self.init(contacts: contacts)
        store.set(option: "destinationType", destinationType)
    }

    /// A call.
    public convenience init(contacts: [INPerson]?) {
        self.init(values: [:])
        store.set("contacts", contacts)
    }

    override var persons: [INPerson] { contacts ?? [] }

    override func parameter(_ name: String) -> Any? { name == "contacts" ? contacts : super.parameter(name) }
}

/// How it went to begin an audio call. Intents'.
public final class INStartAudioCallIntentResponse: INIntentResponse, @unchecked Sendable {
    /// How it went.
    public var code: INStartAudioCallIntentResponseCode { storedCode(.unspecified) }

    /// A response.
    ///
    /// - Parameters:
    ///   - code: how it went.
    ///   - userActivity: what the app continues when a person comes back to it; nil for an activity whose type is the
    ///     intent's class name.
    public convenience init(code: INStartAudioCallIntentResponseCode, userActivity: NSUserActivity?) {
        self.init(number: code.rawValue, userActivity: userActivity)
    }

    override var handlingStatus: INIntentHandlingStatus {
        switch code {
        case .unspecified: .unspecified
        case .ready: .ready
        case .continueInApp: .deferredToApplication
        case .failureRequiringAppLaunch: .deferredToApplication
        default: .failure
        }
    }
}

/// How it went to begin an audio call: Apple's numbers. Intents'.
public enum INStartAudioCallIntentResponseCode: Int, Sendable {
    /// Not specified.
    case unspecified = 0
    /// It can be done.
    case ready = 1
    /// The app goes on.
    case continueInApp = 2
    /// There is no call.
    case failure = 3
    /// The app has to be opened.
    case failureRequiringAppLaunch = 4
    /// The app has to be set up.
    case failureAppConfigurationRequired = 5
    /// The service is not there.
    case failureCallingServiceNotAvailable = 6
    /// The app cannot call this person.
    case failureContactNotSupportedByApp = 7
    /// There is no number that can be called.
    case failureNoValidNumber = 8
}
