import BatonConcurrency
import BatonCore
import Synchronization

/// Commands that apps carry out exactly once, across a cold start: runs ``DeliveryStateMachine``.
extension AppSessions {
    struct PendingDelivery: Sendable {
        var delivery: Delivery
        var waiter: CheckedContinuation<AppAnswer, any Error>
        var answer: AppAnswer?
    }

    /// Has an app do something, once, starting it if need be.
    /// - Returns: the app's answer to the last command.
    /// - Throws: `failed_precondition` for an app that runs but has no delegate, what launching it threw, `aborted` when it
    ///   ended, `deadline_exceeded`, `resource_exhausted`.
    package func deliver(_ delivery: Delivery) async throws -> AppAnswer {
        try await withCheckedThrowingContinuation { waiter in
            pendingDeliveries.withLock { $0[delivery.id] = PendingDelivery(delivery: delivery, waiter: waiter) }
            do {
                try deliveries.input(.deliver(delivery.id, delivery.app))
            } catch {
                pendingDeliveries.withLock { $0.removeValue(forKey: delivery.id) }?.waiter.resume(throwing: error)
            }
        }
    }

    func perform(_ action: DeliveryStateMachine.Action) {
        switch action {
        case .launch(let id, let app):
            deliveries.start { [self] in await launch(app, for: id) }
        case .give(let id, let session):
            give(id, to: session)
        case .withdraw(let id, let session, let message):
            let withdrawal = pendingDeliveries.withLock { $0[id]?.delivery.withdrawal }
            if let withdrawal { send(withdrawal(message), to: session) }
        case .finished(let id, let error):
            guard let pending = pendingDeliveries.withLock({ $0.removeValue(forKey: id) }) else { return }
            if let error {
                pending.waiter.resume(throwing: error)
            } else {
                pending.waiter.resume(returning: pending.answer ?? AppAnswer(nil))
            }
        }
    }

    private func give(_ id: DeliveryID, to session: SessionID) {
        guard let commands = pendingDeliveries.withLock({ $0[id]?.delivery.commands }) else { return }
        for command in commands.dropLast() { send(command, to: session) }
        guard let last = commands.last else { return }
        send(last, to: session) { [weak self] reply in
            // The end of its session shows when an app has ended.
            guard let self, case .answered(let answer) = reply else { return }
            pendingDeliveries.withLock { $0[id]?.answer = answer }
            decide(.answered(id, by: session))
        }
    }

    private func launch(_ app: AppIdentity, for id: DeliveryID) async {
        guard let environment = pendingDeliveries.withLock({ $0[id]?.delivery.environment }) else { return }
        do {
            let (process, wasRunning) = try await launch(app, environment: environment)
            decide(.launched(id, process: process, wasRunning: wasRunning))
        } catch {
            let error =
                error as? BatonError
                ?? BatonError(.aborted, reason: "launch_failed", "The app could not be started.", cause: error)
            decide(.launchFailed(id, error))
        }
    }

    /// Only a new delivery is ever refused.
    func decide(_ input: DeliveryStateMachine.Input) { try? deliveries.input(input) }

    func endDeliveries() {
        let waiters = pendingDeliveries.withLock { pending in
            defer { pending = [:] }
            return pending.values.map(\.waiter)
        }
        for waiter in waiters {
            waiter.resume(throwing: BatonError(.unavailable, reason: "shutting_down", "The daemon is shutting down."))
        }
    }
}
