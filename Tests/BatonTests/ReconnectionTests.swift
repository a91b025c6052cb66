import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@testable import Baton

@MainActor
@Suite(.timeLimit(.minutes(1))) struct ReconnectionTests {
    @Test("a daemon that comes later is told of the current activity (H-16)")
    func daemonComesLater() async throws {
        try await withApp { app in
            app.daemon.crash()
            let activity = NSUserActivity(activityType: "com.example.edit")
            activity.becomeCurrent()
            #expect(try await app.sleeps.next() == .milliseconds(101))
            activity.title = "Changed meanwhile"
            app.wakeUps.send(())
            #expect(try await app.sleeps.next() == .milliseconds(201))
            app.daemon.start()
            app.wakeUps.send(())
            let request = try await app.nextAttach()
            #expect(request.activities.map(\.activity.title) == ["Changed meanwhile"])
            #expect(request.activities.map(\.makeCurrent) == [true])
        }
    }

    @Test("a restarted daemon is told of every living activity and which is current, and of nothing that is gone")
    func daemonRestarts() async throws {
        try await withApp { app in
            let first = try await app.current("com.example.a")
            let gone = NSUserActivity(activityType: "com.example.gone")
            gone.becomeCurrent()
            _ = try await app.nextUpdate()
            let second = NSUserActivity(activityType: "com.example.b")
            second.becomeCurrent()
            _ = try await app.nextUpdate()
            app.daemon.crash()
            _ = try await app.sleeps.next()
            gone.invalidate()
            second.title = "While it was away"
            app.daemon.start()
            app.wakeUps.send(())
            let request = try await app.nextAttach()
            #expect(request.activities.map(\.activity.activityID) == [first.id.rawValue, second.id.rawValue])
            #expect(request.activities.map(\.makeCurrent) == [false, true])
            #expect(request.activities.last?.activity.title == "While it was away")
            second.title = "Afterwards"
            let update = try await app.nextUpdate()
            #expect(update.sessionID == "session-2")
            #expect(update.activity.title == "Afterwards")
        }
    }

    @Test("a daemon that stops in the middle of a call loses nothing")
    func crashDuringCall() async throws {
        try await withApp { app in
            let activity = try await app.current()
            app.daemon.hold()
            activity.title = "On its way"
            _ = try await app.nextUpdate()
            app.daemon.crash()
            app.daemon.letGo()
            _ = try await app.sleeps.next()
            app.daemon.start()
            app.wakeUps.send(())
            #expect(try await app.nextAttach().activities.map(\.activity.title) == ["On its way"])
        }
    }

    @Test("a daemon that asks for patience is asked again, with what is true by then")
    func patience() async throws {
        try await withApp { app in
            let activity = try await app.current()
            app.daemon.refuseNext(BatonError(.resourceExhausted, reason: "too_many", "Later."))
            activity.title = "one"
            #expect(try await app.nextUpdate().activity.title == "one")
            _ = try await app.sleeps.next()
            activity.title = "two"
            app.wakeUps.send(())
            #expect(try await app.nextUpdate().activity.title == "two")
        }
    }

    @Test("an activity that the daemon refuses does not keep others from being told")
    func refusal() async throws {
        try await withApp { app in
            let activity = try await app.current()
            app.daemon.refuseNext(BatonError(.invalidArgument, reason: "bad", "Bad."))
            activity.title = "bad"
            _ = try await app.nextUpdate()
            activity.title = "good"
            let update = try await app.nextUpdate()
            #expect(update.activity.title == "good")
            #expect(update.sessionID == "session-1")
        }
    }

    @Test("a daemon that does not take the activities with the attachment is told of each for itself")
    func refusedAttachment() async throws {
        try await withApp { app in
            let activity = try await app.current()
            app.daemon.crash()
            _ = try await app.sleeps.next()
            app.daemon.start()
            app.daemon.refuseNextAttachment(BatonError(.invalidArgument, reason: "text_too_long", "Too long."))
            app.wakeUps.send(())
            _ = try await app.nextAttach()
            _ = try await app.sleeps.next()
            app.wakeUps.send(())
            #expect(try await app.nextAttach().activities.isEmpty == true)
            #expect(try await app.nextUpdate().activity.activityID == activity.id.rawValue)
        }
    }

    @Test("a daemon that does not know the attachment is attached to again")
    func unknownSession() async throws {
        try await withApp { app in
            let activity = try await app.current()
            app.daemon.refuseNext(BatonError(.notFound, reason: "unknown_session", "Who?"))
            activity.title = "lost"
            _ = try await app.nextUpdate()
            _ = try await app.sleeps.next()
            app.wakeUps.send(())
            #expect(try await app.nextAttach().activities.map(\.activity.title) == ["lost"])
        }
    }

    @Test("a process that gets an app delegate later attaches again as one that can continue (H-66)")
    func delegateComesLater() async throws {
        try await withApp { app in
            let activity = try await app.current()
            let delegate = EmptyDelegate()
            app.runtime.application.delegate = delegate
            let request = try await app.nextAttach()
            #expect(request.canContinue)
            #expect(request.activities.map(\.activity.activityID) == [activity.id.rawValue])
        }
    }
}

/// Implements nothing.
final class EmptyDelegate: NSObject, UIApplicationDelegate {}
