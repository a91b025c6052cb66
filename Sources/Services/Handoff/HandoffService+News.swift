package import BatonCore
import Synchronization

/// What happens to a continuation, for the part of the system that tells the person what the app does not (H-68, H-74).
package enum ContinuationNews: Hashable, Sendable {
    case accepted(AcceptanceID, VisibleOffer)
    /// The app was told that an activity comes, and said whether it shows that itself.
    case willContinueAnswered(AcceptanceID, showsProgress: Bool)
    case step(AcceptanceID, ContinuationStep)
    /// The app is being told that the continuation failed. Comes before that step, or after it where the app was still
    /// being launched.
    case failureTold(AcceptanceID)
    /// The app was told, and said whether it hears of failures; or it ended before it could say so.
    case failureAnswered(AcceptanceID, isShown: Bool)
}

extension HandoffService {
    /// What happens from now on to every continuation here. Not bounded: an observer that stops reading must cancel; of
    /// each continuation there are at most ten, and continuations are bounded by the machine.
    package func continuationNews() -> AsyncStream<ContinuationNews> {
        let (stream, continuation) = AsyncStream.makeStream(of: ContinuationNews.self)
        let id = state.withLock { state in
            state.nextObserver += 1
            state.newsObservers[state.nextObserver] = continuation
            return state.nextObserver
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.newsObservers.removeValue(forKey: id) }
        }
        return stream
    }

    func news(_ news: ContinuationNews, _ state: inout State) {
        for observer in state.newsObservers.values { observer.yield(news) }
    }

    /// The app will not answer any more what it was told of failures.
    func giveUp(_ session: AppSession, _ state: inout State) {
        for case .didFail(let acceptance) in session.pending.values {
            news(.failureAnswered(acceptance, isShown: false), &state)
        }
    }
}
