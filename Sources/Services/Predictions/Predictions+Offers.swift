import BatonCore
package import Prediction
import Synchronization

/// Offers of apps, beside those that were learned.
extension Predictions {
    /// The lists of the apps, all of them; they take the place of those that were given before.
    package func offers(_ offers: PredictionOffers) { state.withLock { $0.offers = offers } }

    /// The present context, for shortcuts of one kind.
    func situation(_ kind: PredictionItem.Kind, _ state: State, _ now: UInt64, _ minute: Int) -> PredictionSituation {
        var situation = surroundings()
        situation.now = now
        situation.minute = minute
        situation.contexts = state.memory.contexts(kind, now: now)
        return situation
    }

    /// Whether it may be shown after something happened: it came after it twice, for once is chance, or its app says that this is
    /// the moment, and the person has not declined that.
    func isWorthNotice(
        _ item: PredictionItem, after context: PredictionContext, _ state: State, _ now: UInt64, _ minute: Int
    ) -> Bool {
        state.memory.times(item, after: context) >= 2
            || state.offers.isRelevant(item, situation(item.kind, state, now, minute))
                && !state.choices.isDeclined(item)
    }

    /// Why an item is likely, as phrases: three at most.
    func reasons(for item: PredictionItem, _ state: State, _ now: UInt64, _ minute: Int) -> [String] {
        var reasons = state.memory.reasons(for: item, now: now, minute: minute) { title($0, "") }
        if let offered = state.offers.candidates(for: item).first {
            let situation = situation(item.kind, state, now, minute)
            let app = title(.app(item.app), "")
            let phrase =
                if state.offers.isRelevant(item, situation) {
                    "offered by \(app) for just this"
                } else if offered.list == .upcomingMedia {
                    "new in \(app)"
                } else {
                    "suggested by \(app)"
                }
            reasons.insert(phrase, at: min(reasons.count, 2))
        }
        return Array(reasons.prefix(3))
    }

    /// Learns what was opened, where its app reports it in no other way.
    func opened(_ item: PredictionItem) {
        guard item.kind == .shortcut else { return }
        let name = state.withLock { $0.offers.candidates(for: item).first?.name ?? "" }
        record(item, name: name)
    }
}
