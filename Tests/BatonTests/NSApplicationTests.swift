import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@testable import Baton

/// AppKit's application and responders, over the same machinery as UIKit's.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct NSApplicationTests {
    @Test("the callbacks of a continuation come in UIKit's order, and the responders restore before the answer (H-101)")
    func order() async throws {
        try await withApp { app in
            let delegate = DesktopDelegate()
            app.runtime.appKitApplication.delegate = delegate
            #expect(try await app.nextAttach().canContinue)
            guard case .willContinue(let will)? = try await app.ask(willContinue("A")) else { throw UnexpectedCall() }
            #expect(will.showsProgress && will.implemented)
            #expect(try await app.ask(continueActivity("A")) == .continued(.with { $0.handled = true }))
            #expect(try await app.ask(didFail("B")) == .didFail(.with { $0.implemented = true }))
            #expect(
                delegate.journal.all == [
                    "willContinue com.example.edit", "continue Title", "restore one Title", "restore two Title",
                    "didFail 4608",
                ])
        }
    }

    @Test("a method that the delegate lacks is not taken for one that it has (H-44, H-101)")
    func optionalMethods() async throws {
        final class Silent: NSObject, NSApplicationDelegate {}
        try await withApp { app in
            let delegate = Silent()
            app.runtime.appKitApplication.delegate = delegate
            _ = try await app.nextAttach()
            guard case .willContinue(let will)? = try await app.ask(willContinue("A")) else { throw UnexpectedCall() }
            #expect(!will.showsProgress && !will.implemented)
            #expect(try await app.ask(continueActivity("A")) == .continued(.with { $0.handled = false }))
            #expect(try await app.ask(didFail("B")) == .didFail(.with { $0.implemented = false }))
            withExtendedLifetime(delegate) {}
        }
    }

    @Test("responders of AppKit and UIKit can share an activity, and the last of them takes it along (H-52, H-101)")
    func responders() async throws {
        final class Desk: NSResponder {
            override func updateUserActivityState(_ userActivity: NSUserActivity) {
                userActivity.addUserInfoEntries(from: ["desk": 1])
            }
        }
        final class Phone: UIResponder {
            override func updateUserActivityState(_ activity: NSUserActivity) {
                activity.addUserInfoEntries(from: ["phone": 2])
            }
        }
        try await withApp { app in
            let delegate = DesktopDelegate()
            let activity = try await app.current()
            app.runtime.appKitApplication.delegate = delegate
            _ = try await app.nextAttach()
            activity.userInfo = ["stale": true]
            let phone = Phone()
            var desk: Desk? = Desk()
            desk?.userActivity = activity
            phone.userActivity = activity
            let payload = try #require(await app.savedPayload(activity))
            #expect(
                try PropertyValue(payload.userInfo)
                    == .dictionary([.string("desk"): .integer(1), .string("phone"): .integer(2)]))
            #expect(delegate.journal.all == ["didUpdate"])
            phone.userActivity = nil
            #expect(activity.snapshot.isValid)
            desk = nil
            #expect(!activity.snapshot.isValid)
        }
    }

    @Test("the app is launched, used, left and ended, and delegate and observers are told of each, in this order")
    func life() async throws {
        try await withApp { app in
            let application = app.runtime.appKitApplication
            let delegate = DesktopDelegate()
            let observers = Observers(
                of: application,
                [
                    NSApplication.willFinishLaunchingNotification, NSApplication.didFinishLaunchingNotification,
                    NSApplication.didBecomeActiveNotification, NSApplication.willResignActiveNotification,
                    NSApplication.willTerminateNotification,
                ], delegate.journal)
            #expect(NSApp === application && NSApplication.shared === application && !application.isActive)
            application.delegate = delegate
            application.finishLaunching()
            #expect(application.isActive)
            application.activate()
            application.deactivate()
            #expect(!application.isActive)
            _ = try await app.nextAttach()
            application.terminate()
            #expect(try await app.exits.next() == 0)
            let names = [
                "WillFinishLaunching", "DidFinishLaunching", "DidBecomeActive", "WillResignActive", "WillTerminate",
            ].flatMap { ["application\($0)", "NSApplication\($0)Notification"] }
            #expect(delegate.journal.all == names)
            withExtendedLifetime(observers) {}
        }
    }

    @Test("the application whose delegate was set last hears of activities; without it nobody does")
    func lastDelegate() async throws {
        try await withApp { app in
            let (phone, desktop) = (FullDelegate(), DesktopDelegate())
            try await app.attach(delegate: phone)
            app.runtime.appKitApplication.delegate = desktop
            _ = try await app.ask(willContinue("A"))
            #expect(desktop.journal.all == ["willContinue com.example.edit"] && phone.journal.all.isEmpty)
            app.runtime.appKitApplication.delegate = nil
            #expect(!(try await app.nextAttach().canContinue))
        }
    }
}

/// Notes the notifications of one application.
@MainActor
final class Observers {
    private let center = NotificationCenter.default
    private let tokens: [any NSObjectProtocol]

    init(of application: NSObject, _ names: [NSNotification.Name], _ journal: Journal) {
        tokens = names.map { [center] name in
            center.addObserver(forName: name, object: application, queue: nil) { journal.note($0.name.rawValue) }
        }
    }

    isolated deinit {
        for token in tokens { center.removeObserver(token) }
    }
}

private final class DesktopDelegate: NSObject, NSApplicationDelegate {
    let journal = Journal()

    func applicationWillFinishLaunching(_ notification: Notification) { journal.note("applicationWillFinishLaunching") }
    func applicationDidFinishLaunching(_ notification: Notification) { journal.note("applicationDidFinishLaunching") }
    func applicationDidBecomeActive(_ notification: Notification) { journal.note("applicationDidBecomeActive") }
    func applicationWillResignActive(_ notification: Notification) { journal.note("applicationWillResignActive") }
    func applicationWillTerminate(_ notification: Notification) { journal.note("applicationWillTerminate") }

    func application(
        _ application: NSApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool {
        journal.note("willContinue \(userActivityType)")
        return true
    }

    func application(
        _ application: NSApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        journal.note("continue \(userActivity.title ?? "")")
        restorationHandler([RestoringView("one", journal), RestoringView("two", journal)])
        // Only the first call counts.
        restorationHandler([RestoringView("three", journal)])
        return true
    }

    func application(
        _ application: NSApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {
        journal.note("didFail \((error as NSError).code)")
    }

    func application(_ application: NSApplication, didUpdate userActivity: NSUserActivity) { journal.note("didUpdate") }
}

private final class RestoringView: NSResponder {
    private let name: String
    private let journal: Journal

    init(_ name: String, _ journal: Journal) {
        self.name = name
        self.journal = journal
        super.init()
    }

    required convenience init() { self.init("", Journal()) }

    override func restoreUserActivityState(_ userActivity: NSUserActivity) {
        super.restoreUserActivityState(userActivity)
        journal.note("restore \(name) \(userActivity.title ?? "")")
    }
}
