package import BatonCore

/// Notifies the origin that its activity was continued here: H-41.
extension HandoffStateMachine {
    /// It was continued here for good: by an app, or by opening its page.
    mutating func finish(
        _ acceptance: AcceptanceID, _ continuation: ReceiverState.Continuation, _ step: ContinuationStep, now: Duration
    ) -> [HandoffAction] {
        receiver.continuations[acceptance] = nil
        consume(continuation)
        let forgotten = remember(
            acceptance,
            ReceiverState.Acknowledgement(
                activity: continuation.offer.activity.id, origin: continuation.origin,
                deadline: now + configuration.acknowledgementDeadline))
        return forgotten + [
            .progress(acceptance, step), .offersChanged,
            .acknowledge(acceptance, to: continuation.origin, activity: continuation.offer.activity.id),
        ]
    }

    private mutating func consume(_ continuation: ReceiverState.Continuation) {
        receiver.consumed[continuation.offer.activity.id] = ReceiverState.Consumed(
            origin: continuation.origin, incarnation: continuation.incarnation,
            timestamp: continuation.offer.timestamp)
        guard receiver.consumed.count > configuration.maximumRemembered,
            let oldest = receiver.consumed.min(by: { $0.value.timestamp < $1.value.timestamp })
        else { return }
        receiver.consumed[oldest.key] = nil
    }

    /// - Returns: the actions for the oldest ones, when there are too many.
    private mutating func remember(
        _ acceptance: AcceptanceID, _ acknowledgement: ReceiverState.Acknowledgement
    ) -> [HandoffAction] {
        receiver.acknowledgements[acceptance] = acknowledgement
        receiver.acknowledgementOrder.append(acceptance)
        var actions: [HandoffAction] = []
        while receiver.acknowledgementOrder.count > configuration.maximumRemembered {
            let oldest = receiver.acknowledgementOrder.removeFirst()
            receiver.acknowledgements[oldest] = nil
            actions.append(.progress(oldest, .notAcknowledged))
        }
        return actions
    }

    package mutating func acknowledged(_ acceptance: AcceptanceID) -> [HandoffAction] {
        forget(acceptance) ? [.progress(acceptance, .acknowledged)] : []
    }

    /// - Parameter isFinal: the origin refused it for good.
    package mutating func acknowledgementFailed(
        _ acceptance: AcceptanceID, isFinal: Bool, now: Duration
    ) -> [HandoffAction] {
        guard var acknowledgement = receiver.acknowledgements[acceptance] else { return [] }
        if isFinal {
            _ = forget(acceptance)
            return [.progress(acceptance, .notAcknowledged)]
        }
        let delay = configuration.acknowledgementRetry * (1 << min(acknowledgement.attempts, 6))
        acknowledgement.attempts += 1
        acknowledgement.nextAttempt = now + min(delay, .seconds(30))
        receiver.acknowledgements[acceptance] = acknowledgement
        return []
    }

    mutating func retryAcknowledgements(now: Duration) -> [HandoffAction] {
        var actions: [HandoffAction] = []
        for (acceptance, acknowledgement) in receiver.acknowledgements.sorted(by: { $0.key < $1.key }) {
            if acknowledgement.deadline <= now {
                _ = forget(acceptance)
                actions.append(.progress(acceptance, .notAcknowledged))
            } else if let next = acknowledgement.nextAttempt, next <= now {
                receiver.acknowledgements[acceptance]?.nextAttempt = nil
                actions.append(
                    .acknowledge(acceptance, to: acknowledgement.origin, activity: acknowledgement.activity))
            }
        }
        return actions
    }

    private mutating func forget(_ acceptance: AcceptanceID) -> Bool {
        guard receiver.acknowledgements.removeValue(forKey: acceptance) != nil else { return false }
        if let index = receiver.acknowledgementOrder.firstIndex(of: acceptance) {
            receiver.acknowledgementOrder.remove(at: index)
        }
        return true
    }
}
