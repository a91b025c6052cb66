import AppSessions
import BatonConcurrency
import BatonCore
import Testing

@Suite("Deliveries to apps")
struct AppDeliveryStateMachineTests {
    private let app = AppIdentity(bundleID: BundleID(unchecked: "com.example.a"), team: .development)
    private let id = DeliveryID.random()
    private let session = SessionID.random()

    private func names(_ actions: [DeliveryStateMachine.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .launch: "launch"
            case .give: "give"
            case .withdraw: "withdraw"
            case .finished(_, nil): "answered"
            case .finished(_, let error?): "failed \(error.reason)"
            }
        }
    }

    private func handle(
        _ machine: inout DeliveryStateMachine, _ input: DeliveryStateMachine.Input, at seconds: Int = 1
    ) throws -> [String] {
        names(try machine.handle(input, now: Timestamp(.seconds(seconds))))
    }

    private func runningMachine() throws -> DeliveryStateMachine {
        var machine = DeliveryStateMachine()
        _ = try handle(&machine, .attached(session, app, takesDeliveries: true))
        return machine
    }

    @Test("an app that runs is given it at once, and its answer ends it once (H-14, H-67)")
    func running() throws {
        var machine = try runningMachine()
        _ = try handle(&machine, .attached(.random(), app, takesDeliveries: true))
        guard case .give(id, session)? = try machine.handle(.deliver(id, app), now: Timestamp(.seconds(1))).first else {
            Issue.record("not given to the oldest session")
            return
        }
        #expect(try handle(&machine, .answered(id, by: .random())).isEmpty)
        #expect(try handle(&machine, .answered(id, by: session)) == ["answered"])
        #expect(try handle(&machine, .answered(id, by: session)).isEmpty)
        #expect(machine.nextDeadline(now: Timestamp(.zero)) == nil)
    }

    @Test("an app that does not run is launched, and given it when it has attached; another app is not (H-14, H-67)")
    func launched() throws {
        var machine = DeliveryStateMachine()
        #expect(try handle(&machine, .deliver(id, app)) == ["launch"])
        let other = AppIdentity(bundleID: BundleID(unchecked: "com.example.b"), team: .development)
        #expect(try handle(&machine, .attached(.random(), other, takesDeliveries: true)).isEmpty)
        #expect(try handle(&machine, .attached(.random(), app, takesDeliveries: false)).isEmpty)
        #expect(try handle(&machine, .attached(session, app, takesDeliveries: true)) == ["give"])
        #expect(try handle(&machine, .attached(.random(), app, takesDeliveries: true)).isEmpty)
        #expect(try handle(&machine, .answered(id, by: session)) == ["answered"])
    }

    @Test("a session that has ended is given nothing more: the app is launched again (H-15)")
    func endedSession() throws {
        var machine = try runningMachine()
        #expect(try handle(&machine, .detached(session)).isEmpty)
        #expect(try handle(&machine, .deliver(id, app)) == ["launch"])
        let next = SessionID.random()
        #expect(try handle(&machine, .attached(next, app, takesDeliveries: true)) == ["give"])
        #expect(try handle(&machine, .answered(id, by: session)).isEmpty)
        #expect(try handle(&machine, .detached(next)) == ["failed app_ended"])
    }

    @Test("each failure ends it with a reason: launch, end of the app before and after it was given it, time (H-15)")
    func failures() throws {
        var machine = DeliveryStateMachine()
        _ = try handle(&machine, .deliver(id, app))
        let error = BatonError(.notFound, reason: "not_installed", "Gone.")
        #expect(try handle(&machine, .launchFailed(id, error)) == ["failed not_installed"])
        _ = try handle(&machine, .deliver(id, app))
        #expect(try handle(&machine, .launched(id, process: 7, wasRunning: true)).isEmpty)
        // It was ending already.
        #expect(try handle(&machine, .processEnded(app, process: 7, message: "")) == ["launch"])
        #expect(try handle(&machine, .launched(id, process: 8, wasRunning: false)).isEmpty)
        #expect(try handle(&machine, .processEnded(app, process: 8, message: "It crashed.")) == ["failed app_ended"])
        _ = try handle(&machine, .deliver(id, app))
        #expect(machine.nextDeadline(now: Timestamp(.zero)) == .seconds(21))
        #expect(machine.advance(now: Timestamp(.seconds(20))).isEmpty)
        #expect(names(machine.advance(now: Timestamp(.seconds(21)))) == ["failed app_too_slow"])
        _ = try handle(&machine, .attached(session, app, takesDeliveries: true))
        _ = try handle(&machine, .deliver(id, app))
        #expect(try handle(&machine, .processEnded(app, process: 8, message: "")).isEmpty)
        #expect(try handle(&machine, .launchFailed(id, error)).isEmpty)
        #expect(names(machine.advance(now: Timestamp(.seconds(61)))) == ["withdraw", "failed app_too_slow"])
        #expect(machine.nextDeadline(now: Timestamp(.zero)) == nil)
    }

    @Test("only so many are under way at once, and an app without a delegate is named as the obstacle (H-15)")
    func refusals() throws {
        var machine = DeliveryStateMachine()
        for _ in 0..<AppSessionsConfiguration().maximumDeliveries {
            _ = try handle(&machine, .deliver(.random(), app))
        }
        #expect(throws: BatonError.self) { try machine.handle(.deliver(.random(), app), now: Timestamp(.zero)) }
        var other = DeliveryStateMachine()
        _ = try handle(&other, .attached(session, app, takesDeliveries: false))
        let error = #expect(throws: BatonError.self) { try other.handle(.deliver(id, app), now: Timestamp(.zero)) }
        #expect(error?.reason == "app_cannot_continue")
    }
}
