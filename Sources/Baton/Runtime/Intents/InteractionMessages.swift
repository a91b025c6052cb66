import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

extension INInteraction {
    /// As the daemon keeps it.
    var message: Baton_Value_V1_Interaction {
        let interval = dateInterval
        return .with {
            $0.identifier = identifier
            $0.groupIdentifier = groupIdentifier ?? ""
            switch direction {
            case .unspecified: break
            case .outgoing: $0.direction = .outgoing
            case .incoming: $0.direction = .incoming
            }
            $0.start = (interval?.start ?? Date()).timeIntervalSince1970
            $0.duration = interval?.duration ?? 0
            $0.intent = intent.message
            if let intentResponse { $0.response = intentResponse.message }
        }
    }

    /// The messages of the daemon.
    /// - Returns: nil for an intent of a class that this version does not know.
    convenience init?(_ message: Baton_Value_V1_Interaction) {
        guard let intent = INIntent.make(message.intent) else { return nil }
        self.init(intent, message.hasResponse ? INIntentResponse.make(message.response) : nil)
        identifier = message.identifier
        groupIdentifier = message.groupIdentifier.isEmpty ? nil : message.groupIdentifier
        switch message.direction {
        case .outgoing: direction = .outgoing
        case .incoming: direction = .incoming
        default: break
        }
        guard message.start.isFinite, message.duration.isFinite, message.duration >= 0 else { return }
        dateInterval = DateInterval(start: Date(timeIntervalSince1970: message.start), duration: message.duration)
    }
}

extension INIntent {
    var message: Baton_Value_V1_Intent {
        .with {
            $0.className = "\(type(of: self))"
            $0.identifier = identifier ?? ""
            $0.parameters = .init(attributes: values)
        }
    }

    static func make(_ message: Baton_Value_V1_Intent) -> INIntent? {
        guard var values = try? message.parameters.attributes() else { return nil }
        if !message.identifier.isEmpty { values[identifierName] = .string(message.identifier) }
        return IntentClass.intent(named: message.className, values: values)
    }
}

extension INIntentResponse {
    var message: Baton_Value_V1_IntentResponse {
        .with {
            $0.className = "\(type(of: self))"
            $0.code = Int32(clamping: codeNumber)
            if let userActivity { $0.activity = userActivity.snapshot.wirePayload }
            $0.parameters = .init(attributes: store.values)
        }
    }

    static func make(_ message: Baton_Value_V1_IntentResponse) -> INIntentResponse? {
        guard let values = try? message.parameters.attributes(),
            let response = IntentClass.response(named: message.className, values: values)
        else { return nil }
        if message.hasActivity, let state = try? UserActivityState(received: message.activity, id: .random()) {
            response.userActivity = NSUserActivity(state: state, runtime: .current)
        }
        return response
    }
}
