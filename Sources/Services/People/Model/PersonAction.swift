package import BatonCore

/// An action of a person with another one.
package enum PersonAction: String, Sendable, Hashable, CaseIterable, Codable {
    case message
    case call
    case video

    /// The class of the intent that an app which has donated nothing is given, of those that it declares.
    func intentClass(declared types: Set<String>) -> String? {
        let classes =
            switch self {
            case .message: [IntentName.sendMessage]
            case .call: [IntentName.startCall, IntentName.startAudioCall]
            case .video: [IntentName.startCall, IntentName.startVideoCall]
            }
        return classes.first { types.contains($0) }
    }

    /// The action that a donated intent stands for; nil for another.
    init?(intentClass: String, capability: Int64?) {
        switch intentClass {
        case IntentName.sendMessage: self = .message
        case IntentName.startCall: self = capability == 2 ? .video : .call
        case IntentName.startAudioCall: self = .call
        case IntentName.startVideoCall: self = .video
        default: return nil
        }
    }
}

/// Apple's names of the intents that the daemon knows more of.
enum IntentName {
    static let sendMessage = "INSendMessageIntent"
    static let startCall = "INStartCallIntent"
    static let startAudioCall = "INStartAudioCallIntent"
    static let startVideoCall = "INStartVideoCallIntent"
    static let playMedia = "INPlayMediaIntent"
    static let sendPayment = "INSendPaymentIntent"

    /// Those by which people are reached.
    static let contacting = [sendMessage, startCall, startAudioCall, startVideoCall]
}

/// One way to reach a person: what `--with` takes.
package enum PersonWay: Sendable, Hashable {
    case app(AppIdentity)
    case email(String)
    case sms(String)
    case phone(String)

    package static let emailSelector = "email"

    /// They are addresses of the person's card, whatever an app is called: one with such a name or identifier does not get what is
    /// meant for them.
    static let addressSelectors: Set<String> = [emailSelector, "sms", "phone"]

    /// What `--with` takes.
    package var selector: String {
        switch self {
        case .app(let app) where Self.addressSelectors.contains(app.bundleID.rawValue): "app:\(app.bundleID)"
        case .app(let app): app.bundleID.rawValue
        case .email: Self.emailSelector
        case .sms: "sms"
        case .phone: "phone"
        }
    }
}
