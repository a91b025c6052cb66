import BatonCore
import BatonWire
import Prediction
import Synchronization

extension Predictions {
    /// The likely actions at this time.
    struct Listed: Sendable {
        var prediction: Prediction
        var appName: String
        var title: String
        var reasons: [String]
    }

    func list(limit: Int) -> (isEnabled: Bool, apps: [Listed], media: [Listed], shortcuts: [Listed], excluded: [String])
    {
        let (now, minute) = moment
        return state.withLock { state in
            guard state.isEnabled else { return (false, [], [], [], state.choices.excluded.sorted()) }
            func listed(_ kind: PredictionItem.Kind) -> [Listed] {
                predictions(kind, state, now, minute, limit: limit).map { one in
                    Listed(
                        prediction: one, appName: title(.app(one.item.app), ""), title: title(one.item, one.name),
                        reasons: reasons(for: one.item, state, now, minute))
                }
            }
            return (true, listed(.app), listed(.media), listed(.shortcut), state.choices.excluded.sorted())
        }
    }

    /// Why an app or an item of it is predicted, or not.
    /// - Parameter text: a bundle identifier, an app's name, or an item's name or identifier.
    /// - Throws: `not_found` where nothing of that name was used.
    func explain(_ text: String) throws(BatonError) -> Baton_Control_V1_Explanation {
        let (now, minute) = moment
        return try state.withLock { state throws(BatonError) in
            let wanted = text.lowercased()
            let known = state.memory.known + state.offers.candidates.map { ($0.item, $0.name) }
            let item = known.first { item, name in
                item.app.lowercased() == wanted && item.kind == .app || item.id.lowercased() == wanted
                    || title(item, name).lowercased() == wanted || name.lowercased() == wanted
            }
            guard let (item, name) = item else {
                throw BatonError(
                    .notFound, reason: "unknown_item",
                    "Nothing of that name was used in the last 90 days, as far as Baton knows. “baton today” says what is "
                        + "likely.")
            }
            return .init(title(item, name), stages(item, state, now, minute))
        }
    }

    private func stages(
        _ item: PredictionItem, _ state: State, _ now: UInt64, _ minute: Int
    ) -> [Baton_Link_V1_Stage] {
        let uses = state.memory.uses(of: item)
        var stages = [
            Baton_Link_V1_Stage(
                "used", .ok,
                uses == 0
                    ? "It was not used yet; its app offers it."
                    : "It was used \(uses == 1 ? "once" : "\(uses) times") in the last 90 days.", "")
        ]
        guard state.isEnabled else {
            stages.append(
                Baton_Link_V1_Stage(
                    "predicted", .failed, "Predictions are turned off.",
                    "Run “baton settings set suggestions.predictions on”."))
            return stages
        }
        let all = predictions(item.kind, state, now, minute, limit: .max)
        guard let found = all.first(where: { $0.item == item }) else {
            let isInFront = state.memory.front(item.kind) == item
            stages.append(
                isInFront
                    ? Baton_Link_V1_Stage("predicted", .ok, "It was used last, so it is not what comes next.", "")
                    : Baton_Link_V1_Stage(
                        "predicted", .failed,
                        "Its app is not here, or turned off, or offers it for other times or places only.",
                        "“baton apps” lists the apps, “baton predictions” those that are turned off."))
            return stages
        }
        let probability = (found.probability * 100).rounded() / 100
        stages.append(
            Baton_Link_V1_Stage(
                "predicted", .ok,
                "It is number \(found.rank) of \(all.count) now, with a probability of \(probability).", ""))
        stages += reasons(for: item, state, now, minute).map {
            Baton_Link_V1_Stage("because", .ok, PredictionText.sentence($0), "")
        }
        return stages
    }
}
