import BatonCore
import BatonWire

/// The parts of an intent that the daemon reads: the persons that it concerns, and the media that it plays. A value.
struct DonatedIntent: Sendable {
    let className: String
    let isIncoming: Bool
    let parameters: [String: PropertyValue]

    /// - Throws: `invalid_argument` for parameters that cannot be read.
    init(_ interaction: Baton_Value_V1_Interaction) throws(BatonError) {
        className = interaction.intent.className
        isIncoming = interaction.direction == .incoming
        parameters = try interaction.intent.parameters.attributes()
    }

    var action: PersonAction? {
        var capability: Int64?
        if case .integer(let number)? = parameters["callCapability"] { capability = number }
        return PersonAction(intentClass: className, capability: capability)
    }

    /// The parameter that holds those with whom it was done.
    var personsName: String {
        switch className {
        case IntentName.sendMessage: "recipients"
        case IntentName.sendPayment: "payee"
        default: "contacts"
        }
    }

    /// The persons with their values. A message that came has its sender here: the recipient is the one who uses the device.
    var persons: [(person: DonatedPerson, value: PropertyValue)] {
        let name = isIncoming && className == IntentName.sendMessage ? "sender" : personsName
        let values: [PropertyValue]
        switch parameters[name] {
        case .array(let array)?: values = array
        case let value?: values = [value]
        case nil: values = []
        }
        return values.prefix(InteractionLimits.persons).compactMap { value in
            DonatedPerson(value).map { ($0, value) }
        }.filter { !$0.person.isMe }
    }

    var service: String? { text("serviceName") }

    private func text(_ name: String) -> String? {
        if case .string(let text)? = parameters[name], !text.isEmpty { text.shortened(toBytes: 200) } else { nil }
    }

    /// The media played: the container where there is one, else the first item.
    var media: (identifier: String, title: String, artist: String, type: Int)? {
        guard className == IntentName.playMedia else { return nil }
        let item: PropertyValue?
        if let container = parameters["mediaContainer"] {
            item = container
        } else if case .array(let items)? = parameters["mediaItems"] {
            item = items.first
        } else {
            item = nil
        }
        guard case .dictionary(let entries)? = item else { return nil }
        func text(_ name: String) -> String {
            if case .string(let text)? = entries[.string(name)] { text.shortened(toBytes: 1024) } else { "" }
        }
        var type = 0
        if case .integer(let number)? = entries[.string("type")] { type = Int(clamping: number) }
        let (identifier, title) = (text("identifier"), text("title"))
        guard !identifier.isEmpty || !title.isEmpty else { return nil }
        return (identifier, title, text("artist"), type)
    }
}
