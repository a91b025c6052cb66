import BatonCore
import BatonWire
import SwiftProtobuf

/// The part of `baton forget` that is about what was learned: events of use, and places where the device stays.
struct LearnedForgetting {
    struct Outcome {
        var events: UInt32 = 0
        var places: UInt32 = 0

        var text: String {
            var text = events == 0 ? "" : events == 1 ? ", and 1 event" : ", and \(events) events"
            if places > 0 { text += places == 1 ? ", and 1 place of stay" : ", and \(places) places of stay" }
            return text
        }
    }

    private let request: Baton_Control_V1_ForgetRequest
    private let since: UInt64

    /// - Parameter since: with a span of time: milliseconds since 1970.
    init(_ request: Baton_Control_V1_ForgetRequest, since: UInt64) {
        self.request = request
        self.since = since
    }

    func run(_ session: CommandSession) async throws -> Outcome {
        var events = Baton_Control_V1_ForgetPredictionsRequest()
        var places = Baton_Control_V1_ForgetStayPlacesRequest()
        switch request.what {
        case .bundleID(let id)?: events.bundleID = id
        case .place(let name)?: places.name = name
        case .last?:
            events.since = since
            places.since = since
        case .all?:
            events.all = true
            places.all = true
        default: break
        }
        var outcome = Outcome()
        if events.what != nil {
            outcome.events = try await session.call(PredictionsMethods.forgetPredictions, events).events
        }
        if places.what != nil {
            outcome.places = try await session.call(ContextMethods.forgetStayPlaces, places).places
        }
        return outcome
    }
}
