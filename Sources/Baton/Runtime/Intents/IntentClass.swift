import BatonCore

/// The classes of intents and responses by their names, for archives and what the daemon sends.
enum IntentClass {
    private static let mark = "class"

    private static func intent(_ name: String) -> INIntent.Type? {
        switch name {
        case "INSendMessageIntent": INSendMessageIntent.self
        case "INStartCallIntent": INStartCallIntent.self
        case "INStartAudioCallIntent": INStartAudioCallIntent.self
        case "INStartVideoCallIntent": INStartVideoCallIntent.self
        case "INSearchForMessagesIntent": INSearchForMessagesIntent.self
        case "INRequestRideIntent": INRequestRideIntent.self
        case "INSendPaymentIntent": INSendPaymentIntent.self
        case "INPlayMediaIntent": INPlayMediaIntent.self
        case "INAddTasksIntent": INAddTasksIntent.self
        default: nil
        }
    }

    private static func response(_ name: String) -> INIntentResponse.Type? {
        switch name {
        case "INSendMessageIntentResponse": INSendMessageIntentResponse.self
        case "INStartCallIntentResponse": INStartCallIntentResponse.self
        case "INStartAudioCallIntentResponse": INStartAudioCallIntentResponse.self
        case "INStartVideoCallIntentResponse": INStartVideoCallIntentResponse.self
        case "INSearchForMessagesIntentResponse": INSearchForMessagesIntentResponse.self
        case "INRequestRideIntentResponse": INRequestRideIntentResponse.self
        case "INSendPaymentIntentResponse": INSendPaymentIntentResponse.self
        case "INPlayMediaIntentResponse": INPlayMediaIntentResponse.self
        case "INAddTasksIntentResponse": INAddTasksIntentResponse.self
        default: nil
        }
    }

    static func intent(named name: String, values: [String: PropertyValue]) -> INIntent? {
        intent(name).map { $0.init(values: values) }
    }

    static func response(named name: String, values: [String: PropertyValue]) -> INIntentResponse? {
        response(name).map { $0.init(values: values) }
    }

    // MARK: In archives

    /// The values with the class's name among them.
    struct Marked {
        var values: [String: PropertyValue]

        var value: PropertyValue {
            .dictionary(Dictionary(values.map { (PropertyValue.string($0.key), $0.value) }, uniquingKeysWith: { $1 }))
        }
    }

    static func marked(_ object: INIntentValue) -> Marked {
        var values = object.values
        values[mark] = .string("\(type(of: object))")
        return Marked(values: values)
    }

    static func intent(values: [String: PropertyValue]) -> INIntent? {
        guard case .string(let name)? = values[mark] else { return nil }
        return intent(named: name, values: values.filter { $0.key != mark })
    }

    static func response(values: [String: PropertyValue]) -> INIntentResponse? {
        guard case .string(let name)? = values[mark] else { return nil }
        return response(named: name, values: values.filter { $0.key != mark })
    }
}

/// An intent of a class that this version does not know.
final class INUnknownIntent: INIntent, @unchecked Sendable {}
