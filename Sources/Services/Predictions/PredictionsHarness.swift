import BatonCore
package import BatonTransport
import BatonWire
import Prediction
import SwiftProtobuf

/// Answers the command line about predictions.
package struct PredictionsHarness: Sendable {
    private let service: Predictions

    package init(_ service: Predictions) { self.service = service }

    package func register(on router: inout ConnectRouter) {
        router.unary(PredictionsMethods.listPredictions) { [service] request, _ in
            let limit = request.limit == 0 ? 5 : Int(min(request.limit, 50))
            let listed = service.list(limit: limit)
            return .with {
                $0.enabled = listed.isEnabled
                $0.apps = listed.apps.map(Self.message)
                $0.media = listed.media.map(Self.message)
                $0.shortcuts = listed.shortcuts.map(Self.message)
                $0.excluded = listed.excluded
            }
        }
        router.unary(PredictionsMethods.explainPrediction) { [service] request, _ in
            let explanation = try service.explain(String(request.item.prefix(300)))
            return .with { $0.explanations = [explanation] }
        }
        router.unary(PredictionsMethods.forgetPredictions) { [service] request, _ in
            let what: Predictions.Forgotten
            switch request.what {
            case .bundleID(let id)?: what = .app(id)
            case .since(let time)?: what = .since(time)
            case .all(true)?: what = .all
            case .all(false)?, nil:
                throw BatonError(.invalidArgument, reason: "nothing_named", "Say what is to be forgotten.")
            }
            let count = try await service.forget(what)
            return .with { $0.events = UInt32(clamping: count) }
        }
        router.unary(PredictionsMethods.allowPredictions) { [service] request, _ in
            try await service.allow(request.bundleID, request.allowed)
            return .init()
        }
        router.unary(PredictionsMethods.answerPrediction) { [service] request, _ in
            let isOpened = try await service.answer(request.predictionID, accepts: request.accepted)
            return .with { $0.opened = isOpened }
        }
    }

    private static func message(_ listed: Predictions.Listed) -> Baton_Control_V1_PredictedItem {
        .with {
            $0.bundleID = listed.prediction.item.app
            $0.appName = listed.appName
            $0.itemID = listed.prediction.item.id
            $0.name = listed.title
            $0.probability = listed.prediction.probability
            $0.reasons = listed.reasons
        }
    }
}
