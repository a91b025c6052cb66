import BatonCore
import BatonWire
import SwiftProtobuf

/// The intents with which apps are asked to begin something. Values alone.
enum PersonIntent {
    /// A donated interaction, to be done again with one person: of what was said then nothing stays but how it is called.
    /// - Parameter persons: the forms in which the app knows the person.
    static func filled(
        _ interaction: Baton_Value_V1_Interaction, with persons: Set<DonatedPerson>, _ action: PersonAction,
        text: String
    ) throws(BatonError) -> Baton_Value_V1_Interaction {
        let intent = try DonatedIntent(interaction)
        let all = intent.persons
        let value = try value(in: interaction, of: persons)
        var parameters = intent.parameters
        // A message that came: the one who sent it gets the answer, and who got it is the person at this device.
        if intent.isIncoming { parameters["sender"] = nil }
        parameters[intent.personsName] = value.map { .array([$0]) }
        if all.count > 1 {
            // Said to a group, which the person did not name.
            for name in ["speakableGroupName", "conversationIdentifier", "groupName"] { parameters[name] = nil }
        }
        for name in ["attachments", "callRecordToCallBack", "callRecordFilter", "content"] { parameters[name] = nil }
        if action == .message, !text.isEmpty { parameters["content"] = .string(text) }
        if intent.className == IntentName.startCall {
            parameters["callCapability"] = .integer(action == .video ? 2 : 1)
        }
        var filled = interaction
        filled.direction = .outgoing
        filled.intent.parameters = .init(attributes: parameters)
        return filled
    }

    /// The person as the app donated them.
    static func value(
        in interaction: Baton_Value_V1_Interaction, of persons: Set<DonatedPerson>
    ) throws(BatonError) -> PropertyValue? {
        try DonatedIntent(interaction).persons.first { persons.contains($0.person) }?.value
    }

    /// For an app that has donated none of the kind.
    static func made(
        _ className: String, for person: PropertyValue, _ action: PersonAction, text: String
    ) -> Baton_Value_V1_Interaction {
        let name = className == IntentName.sendMessage ? "recipients" : "contacts"
        var parameters: [String: PropertyValue] = [name: .array([person])]
        if action == .message, !text.isEmpty { parameters["content"] = .string(text) }
        if className == IntentName.startCall {
            parameters["callCapability"] = .integer(action == .video ? 2 : 1)
        }
        return .with {
            $0.direction = .outgoing
            $0.intent.className = className
            $0.intent.parameters = .init(attributes: parameters)
        }
    }
}
