import AppLink
import Baton
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1))) struct SavedActivityTests {
    private func eligible(_ type: String = "com.example.edit") -> NSUserActivity {
        let activity = NSUserActivity(activityType: type)
        activity.title = "T"
        activity.isEligibleForSearch = true
        return activity
    }

    @Test("an activity that may be found is saved when it becomes current, with its flags one by one (H-14, H-37)")
    func savesWhenCurrent() async throws {
        try await withApp { app in
            let activity = eligible()
            activity.isEligibleForHandoff = false
            activity.keywords = ["k"]
            activity.becomeCurrent()
            #expect(try await app.nextAttach().activities.first?.activity.eligibleForHandoff == false)
            var request = try await app.nextSave()
            #expect(request.sessionID == "session-1")
            #expect(request.search && !request.prediction && !request.publicIndexing)
            #expect(request.payload.description_p.title == "T" && request.payload.keywords == ["k"])
            // Without a page or required keys, the public index has nothing to go by.
            activity.isEligibleForPublicIndexing = true
            #expect(try await !app.nextSave().publicIndexing)
            activity.requiredUserInfoKeys = []
            activity.isEligibleForPrediction = true
            request = try await app.nextSave()
            #expect(request.search && request.prediction && request.publicIndexing)
        }
    }

    @Test("an activity that may not be found, or is not current, is not saved (H-37)")
    func notSaved() async throws {
        try await withApp { app in
            let hidden = NSUserActivity(activityType: "com.example.hidden")
            hidden.isEligibleForPublicIndexing = true
            hidden.becomeCurrent()
            _ = try await app.nextAttach()
            let waiting = eligible()
            waiting.needsSave = true
            hidden.needsSave = true
            let marker = eligible("com.example.marker")
            marker.becomeCurrent()
            // The announcement and the save, in any order; nothing else came before.
            var types: [String] = []
            for _ in 0..<2 {
                switch try await app.daemon.nextCall() {
                case .update(let request): types.append(request.activity.activityType)
                case .save(let request): types.append(request.payload.description_p.activityType)
                default: throw UnexpectedCall()
                }
            }
            #expect(types == ["com.example.marker", "com.example.marker"])
            withExtendedLifetime(waiting) {}
        }
    }

    @Test("with needsSave the delegate has its say first, and setting it again saves again (H-14, H-28, H-40)")
    func asksFirst() async throws {
        try await withApp { app in
            let journal = Journal()
            let delegate = RecordingActivityDelegate(journal)
            delegate.onSave = { $0.addUserInfoEntries(from: ["late": true]) }
            let activity = eligible()
            activity.delegate = delegate
            activity.needsSave = true
            activity.becomeCurrent()
            _ = try await app.nextAttach()
            #expect(
                try await PropertyValue(app.nextSave().payload.userInfo)
                    == .dictionary([.string("late"): .boolean(true)]))
            #expect(!activity.needsSave)
            activity.needsSave = true
            _ = try await app.nextSave()
            #expect(journal.all.count == 2)
            // Changes without it are saved with the next time.
            activity.addUserInfoEntries(from: ["quiet": 1])
            activity.becomeCurrent()
            for _ in 0..<2 {
                if case .save(let request) = try await app.daemon.nextCall() {
                    #expect(try PropertyValue(request.payload.userInfo).userInfo?.count == 2)
                }
            }
            #expect(journal.all.count == 2)
        }
    }

    @Test("several activities with responders of their own: each is filled by those that share it (H-17, H-46, H-48)")
    func responderChains() async throws {
        final class Part: UIResponder {
            var name = ""
            override func updateUserActivityState(_ activity: NSUserActivity) {
                super.updateUserActivityState(activity)
                activity.addUserInfoEntries(from: [name: activity.title ?? ""])
            }
        }
        try await withApp { app in
            let (first, second) = (eligible("com.example.first"), eligible("com.example.second"))
            first.title = "First"
            second.title = "Second"
            let parts = ["window", "list", "editor"].map { name in
                let part = Part()
                part.name = name
                return part
            }
            parts[0].userActivity = first
            parts[1].userActivity = first
            parts[2].userActivity = second
            first.becomeCurrent()
            _ = try await app.nextAttach()
            #expect(
                try await PropertyValue(app.nextSave().payload.userInfo).userInfo as? [String: String]
                    == ["window": "First", "list": "First"])
            // A part that moves over belongs to the other one from now on.
            parts[1].userActivity = second
            second.becomeCurrent()
            var saved: [String: String]?
            for _ in 0..<2 {
                if case .save(let request) = try await app.daemon.nextCall() {
                    saved = try PropertyValue(request.payload.userInfo).userInfo as? [String: String]
                }
            }
            #expect(saved == ["list": "Second", "editor": "Second"])
            #expect(try await app.savedPayload(second) != nil)
            withExtendedLifetime(parts) {}
        }
    }

    @Test("deleting calls back when the daemon has done it, by identifiers and all; the twins return then")
    func deletes() async throws {
        try await withApp { app in
            let activity = try await app.current()
            app.daemon.hold()
            let journal = Journal()
            let mailbox = Mailbox<Void>()
            NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["b", "a"]) {
                journal.note("deleted")
                mailbox.send(())
            }
            var request = try await app.nextDeletion()
            #expect(request.persistentIdentifiers == ["a", "b"] && !request.all)
            #expect(request.sessionID == "session-1")
            #expect(journal.all.isEmpty)
            app.daemon.letGo()
            _ = try await mailbox.next()
            await NSUserActivity.deleteAllSavedUserActivities()
            request = try await app.nextDeletion()
            #expect(request.all)
            // Nothing to delete needs no daemon.
            await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: [])
            withExtendedLifetime(activity) {}
        }
    }

    @Test("what is saved after a deletion stays: the daemon is told in the order of the calls")
    func order() async throws {
        try await withApp { app in
            let activity = eligible()
            activity.becomeCurrent()
            _ = try await app.nextAttach()
            app.daemon.hold()
            _ = try await app.nextSave()
            activity.needsSave = true
            NSUserActivity.deleteAllSavedUserActivities {}
            NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["a"]) {}
            activity.needsSave = true
            activity.needsSave = true
            app.daemon.letGo()
            _ = try await app.nextSave()
            let deletion = try await app.nextDeletion()
            #expect(deletion.all && deletion.persistentIdentifiers.isEmpty)
            _ = try await app.nextSave()
            await NSUserActivity.deleteAllSavedUserActivities()
            #expect(try await app.nextDeletion().all)
        }
    }

    @Test("without a daemon a deletion calls back after a while, and is made when the daemon is there")
    func deletesLater() async throws {
        try await withApp(deletionPatience: .milliseconds(20)) { app in
            app.daemon.crash()
            await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["a"])
            _ = try await app.sleeps.next()
            app.daemon.start()
            app.wakeUps.send(())
            _ = try await app.nextAttach()
            #expect(try await app.nextDeletion().persistentIdentifiers == ["a"])
        }
    }

    @Test("after a restart of the daemon the current activity is saved again")
    func savesAgain() async throws {
        try await withApp { app in
            let activity = eligible()
            activity.becomeCurrent()
            _ = try await app.nextAttach()
            _ = try await app.nextSave()
            app.daemon.crash()
            _ = try await app.sleeps.next()
            app.daemon.start()
            app.wakeUps.send(())
            _ = try await app.nextAttach()
            #expect(try await app.nextSave().sessionID == "session-2")
            withExtendedLifetime(activity) {}
        }
    }

    @Test("a save or deletion that the daemon refuses, however it does, is not repeated, and the app goes on")
    func refused() async throws {
        try await withApp { app in
            let activity = try await app.current()
            for code in [BatonError.Code.invalidArgument, .internal, .unimplemented, .resourceExhausted, .notFound] {
                app.daemon.refuseNext(BatonError(code, reason: "nonsense", "Nonsense."))
                await NSUserActivity.deleteAllSavedUserActivities()
                _ = try await app.nextDeletion()
            }
            app.daemon.refuseNext(BatonError(.invalidArgument, reason: "nonsense", "Nonsense."))
            activity.isEligibleForSearch = true
            _ = try await app.nextSave()
            await NSUserActivity.deleteAllSavedUserActivities()
            _ = try await app.nextDeletion()
        }
    }

    @Test("a delegate that does not return keeps no attachment from ending, and no deletion's caller waiting for good")
    func stuckDelegate() async throws {
        let delegate = RecordingActivityDelegate(Journal())
        let semaphore = DispatchSemaphore(value: 0)
        let entered = Mailbox<Void>()
        delegate.onSave = { _ in
            entered.send(())
            semaphore.wait()
        }
        try await withApp { app in
            let activity = eligible()
            activity.delegate = delegate
            activity.needsSave = true
            activity.becomeCurrent()
            _ = try await app.nextAttach()
            _ = try await entered.next()
            app.daemon.crash()
            // The app tries to attach again: the attachment has ended.
            _ = try await app.sleeps.next()
            semaphore.signal()
        }
    }

    @Test(
        "what the app sets while it is asked for its state does not save it for ever (H-14, H-30)",
        arguments: [true, false])
    func setsWhileSaved(isManaged: Bool) async throws {
        final class Part: UIResponder {
            override func updateUserActivityState(_ activity: NSUserActivity) {
                super.updateUserActivityState(activity)
                Self.setAll(activity)
                activity.becomeCurrent()
            }

            nonisolated static func setAll(_ activity: NSUserActivity) {
                activity.needsSave = true
                activity.isEligibleForSearch = false
                activity.isEligibleForSearch = true
                activity.expirationDate = Date() + 3600
            }
        }
        try await withApp { app in
            let journal = Journal()
            let (delegate, part) = (RecordingActivityDelegate(journal), Part())
            delegate.onSave = { Part.setAll($0) }
            let activity = eligible()
            activity.delegate = delegate
            if isManaged { part.userActivity = activity }
            activity.needsSave = true
            activity.becomeCurrent()
            let first = try await saves(app)
            #expect(first == 2)
            #expect(journal.all.count == 2)
            // It counts for a continuation, and a wish from elsewhere is met.
            #expect(activity.needsSave)
            activity.needsSave = true
            let second = try await saves(app)
            #expect(second == 2)
            #expect(journal.all.count == 4)
            withExtendedLifetime((delegate, part)) {}
        }
    }

    /// How often activities are saved before nothing is left to be saved: a deletion is sent after that.
    private func saves(_ app: TestApp) async throws -> Int {
        var count = 0
        while true {
            switch try await app.daemon.nextCall() {
            case .save:
                count += 1
                if count == 2 { NSUserActivity.deleteAllSavedUserActivities {} }
                #expect(count < 10)
                if count == 10 { return count }
            case .delete: return count
            case .attach, .update: break
            default: throw UnexpectedCall()
            }
        }
    }

    @Test("an app that asks for a save after each save is held back after a burst, until there is more to tell (H-14)")
    func endless() async throws {
        try await withApp(savingPace: SavingPace(burst: 3, interval: .seconds(600))) { app in
            let activity = eligible()
            activity.becomeCurrent()
            _ = try await app.nextAttach()
            for _ in 0..<3 {
                _ = try await app.nextSave()
                activity.needsSave = true
            }
            // Held back now: the next message is a deletion, which nothing may overtake.
            NSUserActivity.deleteAllSavedUserActivities {}
            _ = try await app.nextSave()
            _ = try await app.nextDeletion()
            // A person who comes back to it does not have to wait.
            activity.needsSave = true
            activity.becomeCurrent()
            var calls: Set<String> = []
            for _ in 0..<2 {
                switch try await app.daemon.nextCall() {
                case .save: calls.insert("save")
                case .update: calls.insert("update")
                default: throw UnexpectedCall()
                }
            }
            #expect(calls == ["save", "update"])
        }
    }

    @Test("a new expiration date of the current activity is saved, also one that has passed (H-14)")
    func savesExpiry() async throws {
        try await withApp { app in
            let activity = eligible()
            activity.becomeCurrent()
            _ = try await app.nextAttach()
            #expect(try await !app.nextSave().payload.description_p.hasExpirationTime)
            activity.expirationDate = Date(timeIntervalSince1970: 1)
            var saved: UInt64?
            for _ in 0..<2 {
                switch try await app.daemon.nextCall() {
                case .update: break
                case .save(let request): saved = request.payload.description_p.expirationTime
                default: throw UnexpectedCall()
                }
            }
            #expect(saved == 1000)
        }
    }

    @Test("many identifiers are deleted in parts that the daemon takes, and it is called back after the last")
    func deletesInParts() async throws {
        try await withApp { app in
            let activity = try await app.current()
            let identifiers = (0..<1201).map { "\($0)" }
            let mailbox = Mailbox<Void>()
            NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: identifiers) { mailbox.send(()) }
            var told: [String] = []
            for size in [500, 500, 201] {
                let request = try await app.nextDeletion()
                #expect(request.persistentIdentifiers.count == size && !request.all)
                told += request.persistentIdentifiers
            }
            #expect(told.sorted() == identifiers.sorted())
            _ = try await mailbox.next()
            withExtendedLifetime(activity) {}
        }
    }
}
