/// Lets an intent's parameters be named by key paths, as in Apple's Swift. Not for use.
public protocol INIntentParameters: INIntent {}

extension INIntent: INIntentParameters {}

extension INIntentParameters {
    /// Sets a picture of one of the parameters, as in `setImage(image, forParameterNamed: \.speakableGroupName)`.
    ///
    /// - Parameter parameterName: a property that may have a picture: a person, a group, a place, or media. Any other is a mistake of
    ///   the program, and goes to ``BatonExceptions/handler``.
    public func setImage<Value>(_ image: INImage?, forParameterNamed parameterName: KeyPath<Self, Value>) {
        guard let name = IntentParameterNames.name(parameterName) else {
            return BatonExceptions.raiseInvalidArgument("No picture can be set for the parameter \(parameterName).")
        }
        setImage(image, forParameterNamed: name)
    }

    /// A picture of one of the parameters; nil when none was set.
    public func image<Value>(forParameterNamed parameterName: KeyPath<Self, Value>) -> INImage? {
        IntentParameterNames.name(parameterName).flatMap { image(forParameterNamed: $0) }
    }
}

/// The names of parameters that may have a picture. Linux does not know the name of a key path.
enum IntentParameterNames {
    static func name(_ keyPath: AnyKeyPath) -> String? { all[keyPath] }

    // Constants. Key paths of classes without subscripts hold nothing that changes.
    nonisolated(unsafe) private static let all: [AnyKeyPath: String] = [
        \INSendMessageIntent.recipients: "recipients",
        \INSendMessageIntent.speakableGroupName: "speakableGroupName",
        \INSendMessageIntent.sender: "sender",
        \INSendMessageIntent.content: "content",
        \INStartCallIntent.contacts: "contacts",
        \INStartAudioCallIntent.contacts: "contacts",
        \INStartVideoCallIntent.contacts: "contacts",
        \INSearchForMessagesIntent.recipients: "recipients",
        \INSearchForMessagesIntent.senders: "senders",
        \INSearchForMessagesIntent.speakableGroupNames: "speakableGroupNames",
        \INRequestRideIntent.pickupLocation: "pickupLocation",
        \INRequestRideIntent.dropOffLocation: "dropOffLocation",
        \INRequestRideIntent.rideOptionName: "rideOptionName",
        \INSendPaymentIntent.payee: "payee",
        \INPlayMediaIntent.mediaItems: "mediaItems",
        \INPlayMediaIntent.mediaContainer: "mediaContainer",
        \INPlayMediaIntent.mediaSearch: "mediaSearch",
    ]
}
