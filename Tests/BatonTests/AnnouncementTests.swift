import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@testable import Baton

@MainActor
@Suite(.timeLimit(.minutes(1))) struct AnnouncementTests {
    @Test("nothing is told of an activity before it becomes current; then all but its payload is (H-16, H-31)")
    func announcesWhenCurrent() async throws {
        let configuration = BatonConfiguration(
            bundleIdentifier: "com.example.App", displayName: "App", bundleVersion: "4",
            activityTypes: ["com.example.t"])
        try await withApp(configuration) { app in
            let other = NSUserActivity(activityType: "com.example.other")
            other.title = "Never current"
            let activity = NSUserActivity(activityType: "com.example.edit")
            activity.title = "Title"
            activity.userInfo = ["secret": "payload"]
            activity.webpageURL = URL(string: "https://example.org/p")
            activity.minimumAppVersion = "2"
            activity.becomeCurrent()
            let request = try await app.nextAttach()
            #expect(app.daemon.claim == AppClaim(bundleID: "com.example.App"))
            #expect(request.displayName == "App")
            #expect(request.bundleVersion == "4")
            #expect(request.activityTypes == ["com.example.t"])
            #expect(!request.canContinue)
            #expect(request.activities.count == 1)
            let told = try #require(request.activities.first)
            #expect(told.makeCurrent)
            #expect(told.activity.activityID == activity.id.rawValue)
            #expect(told.activity.activityType == "com.example.edit")
            #expect(told.activity.title == "Title")
            #expect(told.activity.webpageURL == "https://example.org/p")
            #expect(told.activity.minimumAppVersion == "2")
            #expect(told.activity.eligibleForHandoff)
            #expect(!told.activity.hasExpirationTime)
            withExtendedLifetime(other) {}
        }
    }

    @Test("the next current activity takes the place of the one before, which stays valid (H-17, H-18)")
    func oneIsCurrent() async throws {
        try await withApp { app in
            let first = try await app.current("com.example.a")
            let second = NSUserActivity(activityType: "com.example.b")
            second.becomeCurrent()
            var update = try await app.nextUpdate()
            #expect(update.activity.activityID == second.id.rawValue)
            #expect(update.makeCurrent)
            #expect(update.sessionID == "session-1")
            first.becomeCurrent()
            update = try await app.nextUpdate()
            #expect(update.activity.activityID == first.id.rawValue)
        }
    }

    @Test("what is told of the current activity is told again when it changes, and becomeCurrent tells anew (H-32)")
    func announcesChanges() async throws {
        try await withApp { app in
            let activity = try await app.current()
            activity.title = "New"
            #expect(try await app.nextUpdate().activity.title == "New")
            activity.webpageURL = URL(string: "https://example.org")
            #expect(try await app.nextUpdate().activity.webpageURL == "https://example.org")
            activity.expirationDate = Date(timeIntervalSince1970: 5)
            #expect(try await app.nextUpdate().activity.expirationTime == 5_000)
            activity.isEligibleForHandoff = false
            #expect(try await app.nextUpdate().activity.eligibleForHandoff == false)
            activity.minimumAppVersion = "9"
            #expect(try await app.nextUpdate().activity.minimumAppVersion == "9")
            activity.supportsContinuationStreams = true
            #expect(try await app.nextUpdate().activity.supportsContinuationStreams == true)
            // Neither a payload nor the same value is announced; the next call is that of becomeCurrent.
            activity.userInfo = ["a": 1]
            activity.needsSave = true
            activity.minimumAppVersion = "9"
            activity.becomeCurrent()
            #expect(try await app.nextUpdate().activity.minimumAppVersion == "9")
            activity.title = nil
            #expect(try await app.nextUpdate().activity.hasTitle == false)
        }
    }

    @Test("changes while the daemon is busy become one, with the last state; memory does not grow (H-31)")
    func coalesces() async throws {
        try await withApp { app in
            let activity = try await app.current()
            app.daemon.hold()
            activity.title = "first"
            #expect(try await app.nextUpdate().activity.title == "first")
            for number in 1...10_000 {
                activity.title = "\(number)"
                activity.becomeCurrent()
            }
            var last = NSUserActivity(activityType: "com.example.last")
            for number in 1...10_000 {
                last = NSUserActivity(activityType: "com.example.last")
                last.title = "\(number)"
                last.becomeCurrent()
            }
            #expect(app.runtime.outboxCount <= 3)
            app.daemon.letGo()
            let update = try await app.nextUpdate()
            #expect(update.activity.activityID == last.id.rawValue)
            #expect(update.activity.title == "10000")
            last.resignCurrent()
            #expect(
                try await app.daemon.nextCall()
                    == .resign(
                        .with {
                            $0.sessionID = "session-1"
                            $0.activityID = last.id.rawValue
                        }))
        }
    }

    @Test("an activity that resigned is taken back and can become current again; another's resigning changes nothing")
    func resigns() async throws {
        try await withApp { app in
            let activity = try await app.current()
            let other = NSUserActivity(activityType: "com.example.other")
            other.resignCurrent()
            activity.resignCurrent()
            guard case .resign(let request) = try await app.daemon.nextCall() else { throw UnexpectedCall() }
            #expect(request.activityID == activity.id.rawValue)
            activity.title = "Not current, not told"
            activity.becomeCurrent()
            #expect(try await app.nextUpdate().activity.title == "Not current, not told")
        }
    }

    @Test("an invalidated activity is gone for good (H-99)")
    func invalidates() async throws {
        try await withApp { app in
            let activity = try await app.current()
            activity.title = "Last"
            _ = try await app.nextUpdate()
            activity.invalidate()
            guard case .invalidate(let request) = try await app.daemon.nextCall() else { throw UnexpectedCall() }
            #expect(request.activityID == activity.id.rawValue)
            activity.becomeCurrent()
            #expect(activity.title == "Last")
            let next = NSUserActivity(activityType: "com.example.next")
            next.becomeCurrent()
            #expect(try await app.nextUpdate().activity.activityID == next.id.rawValue)
        }
    }

    @Test("an activity that the app does not hold is gone (H-36)")
    func deinitializes() async throws {
        try await withApp { app in
            var activity: NSUserActivity? = try await app.current()
            let id = activity?.id.rawValue
            activity = nil
            guard case .invalidate(let request) = try await app.daemon.nextCall() else { throw UnexpectedCall() }
            #expect(request.activityID == id)
            #expect(app.runtime.outboxCount == 0)
        }
    }

    @Test("calls from many threads at once end in one state that the daemon knows")
    func manyThreads() async throws {
        try await withApp { app in
            let activity = try await app.current()
            await withTaskGroup(of: Void.self) { group in
                for thread in 0..<8 {
                    group.addTask {
                        for number in 0..<500 {
                            activity.title = "\(thread)-\(number)"
                            activity.becomeCurrent()
                        }
                    }
                }
            }
            let title = activity.title
            while try await app.nextUpdate().activity.title != title {}
        }
    }
}
