import AppLink
import Baton
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1))) struct ContinuationTests {
    @Test("willContinue, continue, the restored objects, and only then the answer (H-66, H-67, H-68, H-70, H-71, H-72)")
    func order() async throws {
        try await withApp { app in
            let delegate = FullDelegate()
            delegate.restored = [
                RestoredResponder("one", delegate.journal), RestoredResponder("two", delegate.journal),
            ]
            try await app.attach(delegate: delegate)
            guard case .willContinue(let will)? = try await app.ask(willContinue("A")) else { throw UnexpectedCall() }
            #expect(will.showsProgress)
            #expect(will.implemented)
            let userInfo = PropertyValue.dictionary([.string("n"): .integer(1)])
            let answer = try await app.ask(continueActivity("A", userInfo: userInfo))
            #expect(answer == .continued(.with { $0.handled = true }))
            #expect(
                delegate.journal.all == [
                    "willContinue com.example.edit main=true", "continue com.example.edit Title n=1 main=true",
                    "restore one Title", "restore two Title", "continue returns",
                ])
        }
    }

    @Test("an app is given a page though it declares no such type: the page, and a userInfo that is empty (H-86)")
    func page() async throws {
        try await withApp { app in
            let delegate = FullDelegate()
            try await app.attach(delegate: delegate)
            var command = Baton_App_V1_ContinueActivity()
            command.acceptanceID = "A"
            command.payload.description_p = .with {
                $0.activityID = ActivityID.random().rawValue
                $0.activityType = NSUserActivityTypeBrowsingWeb
                $0.webpageURL = "https://example.org/a?b#c"
            }
            command.payload.userInfo.dictionary = .init()
            #expect(try await app.ask(.continueActivity(command)) == .continued(.with { $0.handled = true }))
            let activity = try #require(delegate.activity)
            #expect(activity.activityType == NSUserActivityTypeBrowsingWeb)
            #expect(activity.webpageURL == URL(string: "https://example.org/a?b#c"))
            #expect(activity.userInfo?.isEmpty == true)
        }
    }

    @Test("the app keeps what it continued and makes it current as its own (H-75)")
    func becomesOwn() async throws {
        try await withApp { app in
            let delegate = FullDelegate()
            try await app.attach(delegate: delegate)
            _ = try await app.ask(continueActivity("A"))
            let activity = try #require(delegate.activity)
            activity.becomeCurrent()
            let update = try await app.nextUpdate()
            #expect(update.activity.activityID == activity.id.rawValue)
            #expect(update.activity.title == "Title")
        }
    }

    @Test("what a delegate answers is passed on: not shown, not handled (H-68, H-70)")
    func refuses() async throws {
        try await withApp { app in
            let delegate = FullDelegate()
            delegate.answer = false
            try await app.attach(delegate: delegate)
            guard case .willContinue(let will)? = try await app.ask(willContinue("A")) else { throw UnexpectedCall() }
            #expect(!will.showsProgress)
            #expect(will.implemented)
            #expect(try await app.ask(continueActivity("A")) == .continued(.with { $0.handled = false }))
        }
    }

    @Test("methods that the delegate lacks are known to be absent, so that the system can stand in (H-68, H-74)")
    func absent() async throws {
        try await withApp { app in
            let delegate = EmptyDelegate()
            try await app.attach(delegate: delegate)
            guard case .willContinue(let will)? = try await app.ask(willContinue("A")) else { throw UnexpectedCall() }
            #expect(!will.showsProgress)
            #expect(!will.implemented)
            #expect(try await app.ask(continueActivity("A")) == .continued(.with { $0.handled = false }))
            #expect(try await app.ask(didFail("B")) == .didFail(.with { $0.implemented = false }))
            #expect(try await app.ask(didFail("B")) == .didFail(.with { $0.implemented = false }))
        }
    }

    @Test("a delegate that forwards to another whose method is absent still counts as having its own")
    func forwarding() async throws {
        try await withApp { app in
            let delegate = ForwardingDelegate()
            try await app.attach(delegate: delegate)
            guard case .willContinue(let will)? = try await app.ask(willContinue("A")) else { throw UnexpectedCall() }
            #expect(will.implemented)
            #expect(will.showsProgress)
        }
    }

    @Test("a continuation that comes twice reaches the app once, with the same answer, also from a restarted daemon")
    func onlyOnce() async throws {
        try await withApp { app in
            let delegate = FullDelegate()
            try await app.attach(delegate: delegate)
            let first = try await app.ask(willContinue("A"))
            #expect(try await app.ask(willContinue("A")) == first)
            #expect(try await app.ask(continueActivity("A")) == .continued(.with { $0.handled = true }))
            app.daemon.crash()
            _ = try await app.sleeps.next()
            app.daemon.start()
            app.wakeUps.send(())
            _ = try await app.nextAttach()
            #expect(try await app.ask(continueActivity("A")) == .continued(.with { $0.handled = true }))
            #expect(try await app.ask(didFail("A")) == .didFail(.with { $0.implemented = true }))
            #expect(delegate.journal.all.filter { $0.hasPrefix("continue com") }.count == 1)
            #expect(delegate.journal.all.filter { $0.hasPrefix("willContinue") }.count == 1)
            #expect(!delegate.journal.all.contains { $0.hasPrefix("didFail") })
        }
    }

    @Test("the restoration handler may be kept and called later, and counts once (H-71)")
    func restoresLater() async throws {
        try await withApp { app in
            let delegate = FullDelegate()
            delegate.keepsHandler = true
            try await app.attach(delegate: delegate)
            #expect(try await app.ask(continueActivity("A")) == .continued(.with { $0.handled = true }))
            let responder = RestoredResponder("late", delegate.journal)
            let handler = try #require(delegate.handler)
            handler([responder])
            handler([responder])
            #expect(delegate.journal.all.filter { $0.hasPrefix("restore") } == ["restore late Title"])
        }
    }

    @Test("nil and no object at all can be given to the restoration handler (H-71)")
    func restoresNothing() async throws {
        try await withApp { app in
            let delegate = FullDelegate()
            delegate.restored = nil
            try await app.attach(delegate: delegate)
            #expect(try await app.ask(continueActivity("A")) == .continued(.with { $0.handled = true }))
        }
    }

    @Test("a failure reaches the delegate as Apple's error with a text for the person, once (H-67, H-74)")
    func fails() async throws {
        try await withApp { app in
            let delegate = FullDelegate()
            try await app.attach(delegate: delegate)
            _ = try await app.ask(willContinue("A"))
            let told = AttachedCommand.Result.didFail(.with { $0.implemented = true })
            #expect(try await app.ask(didFail("A", code: 4610, message: "The other device took too long.")) == told)
            #expect(try await app.ask(didFail("A")) == told)
            #expect(
                delegate.journal.all.dropFirst() == [
                    "didFail com.example.edit NSCocoaErrorDomain 4610 The other device took too long. main=true"
                ])
            guard case .error(let error)? = try await app.ask(continueActivity("A")) else { throw UnexpectedCall() }
            #expect(error.code == 4608)
        }
    }

    @Test("an error without Apple's code or text gets both (H-74)", arguments: [Int32(0), 1, 9_999, -1])
    func repairsErrors(code: Int32) {
        let error = Baton_Value_V1_ActivityError.with { $0.code = code }.cocoaError
        #expect(error.code == .userActivityHandoffFailed)
        #expect(error.localizedDescription.hasPrefix("The activity could not be continued"))
        #expect((error as NSError).domain == NSCocoaErrorDomain)
    }

    @Test("a payload that cannot be read is an answer, and not the end of the app")
    func malformed() async throws {
        try await withApp { app in
            let delegate = FullDelegate()
            try await app.attach(delegate: delegate)
            for (acceptance, command) in [
                ("A", continueActivity("A", type: "no type")), ("B", continueActivity("B", userInfo: .integer(1))),
                ("C", .continueActivity(.with { $0.acceptanceID = "C" })),
            ] {
                _ = try await app.ask(willContinue(acceptance))
                guard case .error(let error)? = try await app.ask(command) else { throw UnexpectedCall() }
                #expect(error.code == 4608)
                // Later messages of the daemon about it are not delivered twice.
                _ = try await app.ask(didFail(acceptance))
            }
            let calls = delegate.journal.all
            #expect(calls.count == 6)
            for (index, call) in calls.enumerated() {
                // With the type that the app was given, whatever the payload says.
                let start =
                    index % 2 == 0
                    ? "willContinue com.example.edit" : "didFail com.example.edit NSCocoaErrorDomain 4608"
                #expect(call.hasPrefix(start), "\(call)")
            }
        }
    }

    @Test("a command of a newer daemon is answered, and those without an answer are not")
    func unknownCommands() async throws {
        try await withApp { app in
            let delegate = FullDelegate()
            try await app.attach(delegate: delegate)
            app.daemon.send(didFail("A"), needsAnswer: false)
            let id = app.daemon.send(nil)
            let answer = try await app.nextAnswer()
            #expect(answer.commandID == id)
            #expect(answer.error.code == 4608)
        }
    }

    @Test("a refused answer ends nothing")
    func refusedAnswer() async throws {
        try await withApp { app in
            let delegate = FullDelegate()
            try await app.attach(delegate: delegate)
            app.daemon.refuseNext(BatonError(.notFound, reason: "late", "Too late."))
            _ = try await app.ask(willContinue("A"))
            #expect(try await app.ask(continueActivity("A")) == .continued(.with { $0.handled = true }))
        }
    }

    @Test("a thousand commands at once are answered in their order")
    func manyCommands() async throws {
        try await withApp { app in
            let delegate = FullDelegate()
            delegate.restored = nil
            try await app.attach(delegate: delegate)
            let ids = (0..<1_000).map { app.daemon.send(continueActivity("\($0)")) }
            for id in ids { #expect(try await app.nextAnswer().commandID == id) }
            #expect(delegate.journal.all.filter { $0.hasPrefix("continue com") }.count == 1_000)
        }
    }
}

/// Implements everything and notes it.
final class FullDelegate: NSObject, UIApplicationDelegate {
    let journal = Journal()
    var answer = true
    var restored: [any UIUserActivityRestoring]? = []
    var keepsHandler = false
    private(set) var handler: (([any UIUserActivityRestoring]?) -> Void)?
    private(set) var activity: NSUserActivity?

    func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool {
        journal.note("willContinue \(userActivityType) main=\(isOnMainQueue)")
        return answer
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        let number = (userActivity.userInfo?["n"] as? Int).map { " n=\($0)" } ?? ""
        journal.note(
            "continue \(userActivity.activityType) \(userActivity.title ?? "")\(number) main=\(isOnMainQueue)")
        activity = userActivity
        if keepsHandler { handler = restorationHandler } else { restorationHandler(restored) }
        journal.note("continue returns")
        return answer
    }

    func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {
        let error = error as NSError
        journal.note(
            "didFail \(userActivityType) \(error.domain) \(error.code) \(error.localizedDescription) "
                + "main=\(isOnMainQueue)")
    }

    func applicationWillTerminate(_ application: UIApplication) { journal.note("willTerminate") }
}

final class RestoredResponder: UIResponder {
    private let name: String
    private let journal: Journal

    init(_ name: String, _ journal: Journal) {
        self.name = name
        self.journal = journal
        super.init()
    }

    required convenience init() { self.init("", Journal()) }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)
        journal.note("restore \(name) \(activity.title ?? "")")
    }
}

private final class ForwardingDelegate: NSObject, UIApplicationDelegate {
    private let inner = EmptyDelegate()

    func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool {
        !inner.application(application, willContinueUserActivityWithType: userActivityType)
    }
}
