import BatonCore

/// The capabilities of a call. Intents'.
public enum INCallCapability: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// Sound.
    case audioCall = 1
    /// Sound and picture.
    case videoCall = 2
}

/// Where a call is heard. Intents'.
public enum INCallAudioRoute: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// The loudspeaker.
    case speakerphoneAudioRoute = 1
    /// Bluetooth.
    case bluetoothAudioRoute = 2
}

/// Where a call goes. Intents'.
public enum INCallDestinationType: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// To the person.
    case normal = 1
    /// To those who help.
    case emergency = 2
    /// To the voicemail.
    case voicemail = 3
    /// To the number called last.
    case redial = 4
    /// To the number that called last.
    case callBack = 5
}

/// To call (P-52). Intents'.
///
/// Donate one for each call: the card of each of the persons then lists the app as a way to call. Safe to use from any thread.
///
/// Apple: <https://developer.apple.com/documentation/intents/instartcallintent>
public final class INStartCallIntent: INIntent, @unchecked Sendable {
    /// Which call of the past is meant.
    public var callRecordFilter: INCallRecordFilter? { store.object("callRecordFilter") }
    /// The call that is answered by this one.
    public var callRecordToCallBack: INCallRecord? { store.object("callRecordToCallBack") }
    /// Where it is heard.
    public var audioRoute: INCallAudioRoute { store.option("audioRoute", .unknown) }
    /// Where it goes.
    public var destinationType: INCallDestinationType { store.option("destinationType", .unknown) }
    /// The people to call.
    public var contacts: [INPerson]? { store.objects("contacts") }
    /// Whether it has a picture.
    public var callCapability: INCallCapability { store.option("callCapability", .unknown) }

    /// A call.
    ///
    /// - Parameters:
    ///   - callRecordFilter: which call of the past is meant.
    ///   - callRecordToCallBack: the call that is answered by this one.
    ///   - audioRoute: where it is heard.
    ///   - destinationType: where it goes.
    ///   - contacts: everybody who is called.
    ///   - callCapability: whether it has a picture.
    public convenience init(
        callRecordFilter: INCallRecordFilter?, callRecordToCallBack: INCallRecord?, audioRoute: INCallAudioRoute,
        destinationType: INCallDestinationType, contacts: [INPerson]?, callCapability: INCallCapability
    ) {
        self.init(values: [:])
        store.set("callRecordFilter", callRecordFilter)
        store.set("callRecordToCallBack", callRecordToCallBack)
        store.set(option: "audioRoute", audioRoute)
        store.set(option: "destinationType", destinationType)
        store.set("contacts", contacts)
        store.set(option: "callCapability", callCapability)
    }

    override var persons: [INPerson] { contacts ?? [] }

    override func parameter(_ name: String) -> Any? {
        switch name {
        case "contacts": contacts
        case "callRecordFilter": callRecordFilter
        case "callRecordToCallBack": callRecordToCallBack
        default: super.parameter(name)
        }
    }
}

/// How it went to call. Intents'.
public final class INStartCallIntentResponse: INIntentResponse, @unchecked Sendable {
    /// How it went.
    public var code: INStartCallIntentResponseCode { storedCode(.unspecified) }

    /// A response.
    ///
    /// - Parameters:
    ///   - code: how it went.
    ///   - userActivity: what the app continues when a person comes back to it; nil for an activity whose type is the
    ///     intent's class name.
    public convenience init(code: INStartCallIntentResponseCode, userActivity: NSUserActivity?) {
        self.init(number: code.rawValue, userActivity: userActivity)
    }

    override var handlingStatus: INIntentHandlingStatus {
        switch code {
        case .unspecified: .unspecified
        case .ready: .ready
        case .continueInApp: .deferredToApplication
        case .userConfirmationRequired: .userConfirmationRequired
        case .failureRequiringAppLaunch: .deferredToApplication
        default: .failure
        }
    }
}

/// How it went to call: Apple's numbers. Intents'.
public enum INStartCallIntentResponseCode: Int, Sendable {
    /// Not specified.
    case unspecified = 0
    /// It can be done.
    case ready = 1
    /// The app goes on.
    case continueInApp = 2
    /// The person has to say yes.
    case userConfirmationRequired = 3
    /// There is no call.
    case failure = 4
    /// The app has to be opened.
    case failureRequiringAppLaunch = 5
    /// The service is not there.
    case failureCallingServiceNotAvailable = 6
    /// The app cannot call this person.
    case failureContactNotSupportedByApp = 7
    /// The device is in airplane mode.
    case failureAirplaneModeEnabled = 8
    /// The call cannot be handed over.
    case failureUnableToHandOff = 9
    /// The app has to be set up.
    case failureAppConfigurationRequired = 10
    /// There is another call.
    case failureCallInProgress = 11
    /// Another call rings.
    case failureCallRinging = 12
}
