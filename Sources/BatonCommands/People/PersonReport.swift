import BatonCore
import BatonWire
import SwiftProtobuf

/// People as they are printed.
enum PersonReport {
    static func act(
        _ action: Baton_Control_V1_PersonAction, _ person: String, text: String?, with app: String?,
        _ session: CommandSession
    ) async throws {
        // The app may have to be started first.
        let answer = try await session.call(
            PeopleMethods.contactPerson,
            .with {
                $0.action = action
                $0.person = person
                $0.text = text ?? ""
                $0.way = app ?? ""
            }, timeout: .seconds(90))
        let (way, name) = (TerminalText.escape(answer.wayName), TerminalText.escape(answer.personName))
        guard answer.handled else {
            throw CommandFailure(
                .notContinued,
                BatonError(
                    .aborted, reason: "not_handled",
                    "\(answer.wayName) was opened for \(answer.personName), but did not take it."))
        }
        try session.emit(
            json: [
                "way": .string(answer.way), "way_name": .string(answer.wayName),
                "person": .string(answer.personName),
            ],
            text: ["email", "sms", "phone"].contains(answer.way)
                ? "\(way) is open, for \(name)." : "\(way) has it, for \(name).")
    }

    /// - Parameter isShared: whether another person has the name: an address distinguishes the two.
    static func text(
        _ person: Baton_Control_V1_PersonCard, _ session: CommandSession, isWhole: Bool = false, isShared: Bool = false
    ) -> String {
        var title = session.paint(.bold, TerminalText.escape(person.name))
        if isShared, let address = person.addresses.first?.value {
            title += session.paint(.faint, " " + TerminalText.escape(address))
        }
        if !person.fromApp.isEmpty { title += session.paint(.faint, " from " + TerminalText.escape(person.fromApp)) }
        var lines = [title]
        if isWhole {
            lines += person.addresses.map { address in
                let label = [address.service, address.label].filter { !$0.isEmpty }.joined(separator: ", ")
                return "  " + TerminalText.escape(address.value)
                    + (label.isEmpty ? "" : session.paint(.faint, " \(TerminalText.escape(label))"))
            }
        }
        for action in [Baton_Control_V1_PersonAction.message, .call, .video] {
            let ways = person.ways.filter { $0.action == action }
            guard !ways.isEmpty else { continue }
            let names = ways.map { TerminalText.escape($0.name) + ($0.default ? " (default)" : "") }
            lines.append("  \(name(action)): " + names.joined(separator: ", "))
        }
        return lines.joined(separator: "\n")
    }

    static func json(_ person: Baton_Control_V1_PersonCard) -> JSONValue {
        [
            "person_id": .string(person.personID), "name": .string(person.name),
            "contact_identifier": .init(nonEmpty: person.contactIdentifier),
            "from_app": .init(nonEmpty: person.fromApp),
            "addresses": .array(
                person.addresses.map { address in
                    [
                        "kind": .string(kind(address.kind)), "value": .string(address.value),
                        "label": .init(nonEmpty: address.label), "service": .init(nonEmpty: address.service),
                    ]
                }),
            "ways": .array(person.ways.map(json)),
        ]
    }

    static func json(_ way: Baton_Control_V1_PersonWay) -> JSONValue {
        [
            "action": .string(name(way.action)), "way": .string(way.way), "name": .string(way.name),
            "default": .boolean(way.default), "donated": .boolean(way.donated),
        ]
    }

    static func name(_ action: Baton_Control_V1_PersonAction) -> String {
        switch action {
        case .message: "message"
        case .call: "call"
        case .video: "video"
        case .unspecified, .UNRECOGNIZED: "other"
        }
    }

    private static func kind(_ kind: Baton_Control_V1_PersonAddress.Kind) -> String {
        switch kind {
        case .email: "email"
        case .telephone: "telephone"
        case .instantMessage: "instant_message"
        case .socialProfile: "social_profile"
        case .unspecified, .UNRECOGNIZED: "other"
        }
    }

    static func intent(_ name: String) -> String {
        switch name {
        case "INSendMessageIntent": "a message"
        case "INStartCallIntent", "INStartAudioCallIntent": "a call"
        case "INStartVideoCallIntent": "a video call"
        case "INSendPaymentIntent": "money"
        default: TerminalText.escape(name)
        }
    }
}
