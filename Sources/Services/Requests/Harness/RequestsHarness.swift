package import BatonCore
package import BatonTransport
import BatonWire
package import Foundation
import RequestGrammar
import SwiftProtobuf

/// Answers the command line about requests.
package struct RequestsHarness: Sendable {
    private let service: Requests

    package init(_ service: Requests) { self.service = service }

    package func register(on router: inout ConnectRouter) {
        router.unary(RequestsMethods.ask) { [service] request, _ in
            let zone = try Self.timeZone(request.timeZone)
            let answer = try await service.ask(
                request.text, isDryRun: request.dryRun, timeZone: zone, confirmation: request.confirmation)
            return .init(answer, timeZone: zone)
        }
    }

    /// - Parameter name: empty for the daemon's.
    package static func timeZone(_ name: String) throws(BatonError) -> TimeZone {
        if name.isEmpty { return .current }
        guard name.utf8.count <= 100, let zone = TimeZone(identifier: name) else {
            throw BatonError(
                .invalidArgument, reason: "unknown_time_zone", "There is no time zone “\(name.prefix(40))”.")
        }
        return zone
    }
}

extension Baton_Control_V1_AskResponse {
    init(_ answer: RequestAnswer, timeZone: TimeZone) {
        self.init()
        outcome =
            switch answer.outcome {
            case .done: .done
            case .meant: .meant
            case .choices: .choices
            case .notUnderstood: .notUnderstood
            }
        actions =
            answer.plans.map { .init($0, timeZone: timeZone) }
            + answer.meanings.map { meaning in
                .with {
                    $0.action = meaning.action
                    $0.sentence = meaning.sentence(in: timeZone)
                }
            }
        message = answer.message
        examples = answer.examples
        confirmation = answer.confirmation
        results = answer.results.map { result in
            .with {
                $0.title = result.title
                $0.origin = result.origin
            }
        }
    }
}

extension Baton_Control_V1_RequestedAction {
    init(_ plan: RequestPlan, timeZone: TimeZone) {
        self.init()
        action = plan.action
        sentence = plan.sentence(in: timeZone)
        subject = plan.subject
        switch plan {
        case .remind(_, let wanted, let linked, _):
            when = wanted?.phrase(in: timeZone) ?? ""
            if case .time(let moment)? = wanted { time = UInt64(max(0, moment.date.timeIntervalSince1970 * 1000)) }
            bundleID = linked?.app.bundleID.rawValue ?? ""
            activityID = linked?.activity.rawValue ?? ""
        case .dial(let number, _): telephone = number.digits
        case .open(let id, _): bundleID = id
        case .directions, .call, .video, .message, .email, .media, .page, .search, .show: break
        }
    }
}
