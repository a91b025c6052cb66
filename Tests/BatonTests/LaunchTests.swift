import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@testable import Baton

@MainActor
@Suite(.timeLimit(.minutes(1))) struct LaunchTests {
    @Test("a launch to continue an activity says so in its options; a launch by hand has none (H-67)")
    func options() throws {
        #expect(UIApplication.launchOptions(environment: [:]) == nil)
        let environment = ["BATON_LAUNCH_ACTIVITY_TYPE": "com.example.edit"]
        let options = try #require(UIApplication.launchOptions(environment: environment))
        let handoff = try #require(options[.userActivityDictionary] as? [AnyHashable: Any])
        #expect(handoff[UIApplication.LaunchOptionsKey.userActivityType] as? String == "com.example.edit")
        #expect(options[.remoteNotification] == nil && options[.location] == nil)
    }

    @Test("both launch callbacks are called, in order, before the process attaches (H-67)")
    func order() async throws {
        try await withApp { app in
            let delegate = LaunchDelegate(will: true, did: true)
            delegate.onLaunch = { #expect(app.daemon.calls.pending.isEmpty) }
            app.runtime.application.launch(delegate: delegate, options: [.userActivityDictionary: "x"])
            #expect(delegate.journal.all == ["willFinish 1", "didFinish 1"])
            let request = try await app.nextAttach()
            #expect(request.canContinue)
            #expect(UIApplication.shared === app.runtime.application)
            #expect(UIApplication.shared.delegate === delegate)
        }
    }

    @Test(
        "an activity that is current before the launch is over is told by the one attachment of the launched app (H-31)"
    )
    func currentWhileLaunching() async throws {
        try await withApp { app in
            let delegate = LaunchDelegate(will: true, did: true)
            let activity = NSUserActivity(activityType: "com.example.edit")
            delegate.onLaunch = { activity.becomeCurrent() }
            app.runtime.application.launch(delegate: delegate, options: nil)
            let request = try await app.nextAttach()
            #expect(request.canContinue)
            #expect(request.activities.count == 1)
        }
    }

    @Test(
        "if either launch callback returns false, no callback of a continuation is called (H-67)",
        arguments: [(true, false), (false, true), (false, false)])
    func refused(will: Bool, did: Bool) async throws {
        try await withApp { app in
            let delegate = LaunchDelegate(will: will, did: did)
            app.runtime.application.launch(delegate: delegate, options: nil)
            _ = try await app.nextAttach()
            guard case .willContinue(let answer)? = try await app.ask(willContinue("A")) else { throw UnexpectedCall() }
            #expect(!answer.implemented)
            #expect(try await app.ask(continueActivity("A")) == .continued(.with { $0.handled = false }))
            #expect(try await app.ask(didFail("B")) == .didFail(.with { $0.implemented = false }))
            #expect(delegate.journal.all == ["willFinish 0", "didFinish 0"])
        }
    }

    @Test("if only one launch callback is implemented, its value counts alone", arguments: [true, false])
    func onlyOne(answer: Bool) async throws {
        try await withApp { app in
            let delegate = OneLaunchDelegate(answer)
            app.runtime.application.launch(delegate: delegate, options: nil)
            _ = try await app.nextAttach()
            #expect(try await app.ask(continueActivity("A")) == .continued(.with { $0.handled = answer }))
        }
    }

    @Test("a delegate without launch callbacks is launched")
    func none() async throws {
        try await withApp { app in
            let delegate = FullDelegate()
            app.runtime.application.launch(delegate: delegate, options: nil)
            _ = try await app.nextAttach()
            #expect(try await app.ask(continueActivity("A")) == .continued(.with { $0.handled = true }))
        }
    }

    @Test("an app that is to end hears of it, and ends")
    func terminates() async throws {
        try await withApp { app in
            let delegate = FullDelegate()
            try await app.attach(delegate: delegate)
            app.runtime.application.terminate()
            #expect(try await app.exits.next() == 0)
            #expect(delegate.journal.all == ["willTerminate"])
        }
    }
}

private final class LaunchDelegate: NSObject, UIApplicationDelegate {
    let journal = Journal()
    var onLaunch: (() -> Void)?
    private let will: Bool
    private let did: Bool

    init(will: Bool, did: Bool) {
        self.will = will
        self.did = did
        super.init()
    }

    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        journal.note("willFinish \(launchOptions?.count ?? 0)")
        return will
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        journal.note("didFinish \(launchOptions?.count ?? 0)")
        onLaunch?()
        return did
    }

    func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool {
        journal.note("willContinue")
        return true
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        journal.note("continue")
        return true
    }

    func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {
        journal.note("didFail")
    }
}

private final class OneLaunchDelegate: NSObject, UIApplicationDelegate {
    private let answer: Bool

    init(_ answer: Bool) {
        self.answer = answer
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { answer }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool { true }
}
