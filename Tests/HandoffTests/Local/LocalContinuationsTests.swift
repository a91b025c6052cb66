import BatonCore
import BatonWire
import Testing

@testable import Handoff

@Suite struct LocalContinuationsTests {
    private let app = AppIdentity(bundleID: BundleID(unchecked: "com.example.a"), team: .development)
    private let type = ActivityType(unchecked: "com.example.page")
    private let acceptance = AcceptanceID.random()
    private let session = SessionID.random()

    private func names(_ actions: [LocalContinuations.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .launch: "launch"
            case .willContinue: "willContinue"
            case .deliver: "deliver"
            case .didFail: "didFail"
            case .finished(_, .success(let isHandled)): "finished \(isHandled)"
            case .finished(_, .failure(let error)): "failed \(error.reason)"
            }
        }
    }

    private func open(_ machine: inout LocalContinuations, running: Bool) throws -> [String] {
        names(
            try machine.open(
                acceptance, app, type, .init(), session: running ? session : nil, now: .seconds(1)))
    }

    @Test("an app that runs is told at once, in Apple's order, and its answer ends it once (H-14, H-67)")
    func running() throws {
        var machine = LocalContinuations()
        #expect(try open(&machine, running: true) == ["willContinue", "deliver"])
        #expect(machine.answered(acceptance, by: .random(), isHandled: true).isEmpty)
        #expect(names(machine.answered(acceptance, by: session, isHandled: true)) == ["finished true"])
        #expect(machine.answered(acceptance, by: session, isHandled: true).isEmpty)
        #expect(machine.nextDeadline == nil)
    }

    @Test("an app that does not run is launched, and told when it has attached; another app is not told (H-14, H-67)")
    func launched() throws {
        var machine = LocalContinuations()
        #expect(try open(&machine, running: false) == ["launch"])
        let other = AppIdentity(bundleID: BundleID(unchecked: "com.example.b"), team: .development)
        #expect(machine.attached(.random(), of: other, now: .seconds(2)).isEmpty)
        #expect(names(machine.attached(session, of: app, now: .seconds(2))) == ["willContinue", "deliver"])
        #expect(machine.attached(.random(), of: app, now: .seconds(2)).isEmpty)
        #expect(names(machine.answered(acceptance, by: session, isHandled: false)) == ["finished false"])
    }

    @Test("each failure ends it with a reason: launch, end of the app before and after it was told, time (H-15)")
    func failures() throws {
        var machine = LocalContinuations()
        _ = try open(&machine, running: false)
        let error = BatonError(.notFound, reason: "not_installed", "Gone.")
        #expect(names(machine.launchFailed(acceptance, error)) == ["failed not_installed"])
        _ = try open(&machine, running: false)
        #expect(names(machine.ended(app, message: "It crashed.")) == ["failed app_ended"])
        _ = try open(&machine, running: true)
        #expect(machine.ended(app, message: "").isEmpty)
        #expect(machine.launchFailed(acceptance, error).isEmpty)
        #expect(names(machine.detached(session)) == ["failed app_ended"])
        _ = try open(&machine, running: false)
        #expect(machine.nextDeadline == .seconds(21))
        #expect(machine.advance(now: .seconds(20)).isEmpty)
        #expect(names(machine.advance(now: .seconds(21))) == ["failed app_too_slow"])
        _ = try open(&machine, running: true)
        #expect(names(machine.advance(now: .seconds(61))) == ["didFail", "failed app_too_slow"])
        #expect(machine.nextDeadline == nil)
    }

    @Test("only so many are under way at once")
    func bound() throws {
        var machine = LocalContinuations()
        for _ in 0..<HandoffConfiguration().maximumContinuations {
            _ = try machine.open(.random(), app, type, .init(), session: nil, now: .zero)
        }
        #expect(throws: BatonError.self) {
            try machine.open(.random(), app, type, .init(), session: nil, now: .zero)
        }
    }
}
