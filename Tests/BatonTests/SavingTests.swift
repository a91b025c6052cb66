import AppLink
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@testable import Baton

@MainActor
@Suite(.timeLimit(.minutes(1))) struct SavingTests {
    @Test("with needsSave the delegate fills the activity before it is sent, with the flag cleared (H-28, H-29, H-40)")
    func savesLazily() async throws {
        try await withApp { app in
            let journal = Journal()
            let delegate = RecordingActivityDelegate(journal)
            delegate.onSave = {
                $0.addUserInfoEntries(from: ["cursor": 7])
                $0.title = "Saved"
            }
            let activity = try await app.current()
            activity.delegate = delegate
            activity.userInfo = ["text": "t"]
            activity.needsSave = true
            app.daemon.send(
                .saveActivity(.with { $0.activityID = activity.id.rawValue }))
            // The new title is announced too, beside the answer.
            var payload: Baton_Value_V1_ActivityPayload?
            for _ in 0..<2 {
                switch try await app.daemon.nextCall() {
                case .update(let update): #expect(update.activity.title == "Saved")
                case .complete(let request): payload = request.payload
                default: throw UnexpectedCall()
                }
            }
            #expect(payload?.description_p.title == "Saved")
            #expect(payload?.description_p.activityID == activity.id.rawValue)
            let userInfo = try PropertyValue(try #require(payload?.userInfo))
            #expect(userInfo == .dictionary([.string("text"): .string("t"), .string("cursor"): .integer(7)]))
            #expect(journal.all == ["willSave main=false needsSave=false"])
            #expect(!activity.needsSave)
        }
    }

    @Test("without needsSave the delegate is not asked (H-28, H-30)")
    func savesAtOnce() async throws {
        try await withApp { app in
            let journal = Journal()
            let delegate = RecordingActivityDelegate(journal)
            let activity = try await app.current()
            activity.delegate = delegate
            activity.userInfo = ["a": 1]
            #expect(try await app.savedPayload(activity)?.hasUserInfo == true)
            activity.needsSave = true
            #expect(try await app.savedPayload(activity) != nil)
            #expect(try await app.savedPayload(activity) != nil)
            #expect(journal.all.count == 1)
            withExtendedLifetime(delegate) {}
        }
    }

    @Test(
        "responders that share an activity each fill it, from empty, on the main thread (H-45, H-46, H-47, H-48, H-49, H-50, H-53)"
    )
    func respondersUpdate() async throws {
        try await withApp { app in
            let journal = Journal()
            let delegate = RecordingActivityDelegate(journal)
            let appDelegate = UpdateDelegate(journal)
            let activity = try await app.current()
            app.runtime.application.delegate = appDelegate
            _ = try await app.nextAttach()
            activity.delegate = delegate
            activity.userInfo = ["stale": true]
            let first = FillingResponder("first", journal)
            let second = FillingResponder("second", journal)
            first.userActivity = activity
            second.userActivity = activity
            first.userActivity?.needsSave = true
            let payload = try #require(await app.savedPayload(activity))
            #expect(
                try PropertyValue(payload.userInfo)
                    == .dictionary([
                        .string("first"): .boolean(true), .string("second"): .boolean(true),
                        .string("app"): .boolean(true),
                    ]))
            #expect(
                journal.all == [
                    "willSave main=false needsSave=false", "first main=true empty=true", "second main=true empty=false",
                    "didUpdate main=true",
                ])
            #expect(!activity.needsSave)
        }
    }

    @Test("a managed activity is filled each time it is sent, whether needsSave is set or not (H-46)")
    func savesManagedEachTime() async throws {
        try await withApp { app in
            let journal = Journal()
            let activity = try await app.current()
            let responder = FillingResponder("r", journal)
            responder.userActivity = activity
            _ = try await app.savedPayload(activity)
            _ = try await app.savedPayload(activity)
            #expect(journal.all.count == 2)
        }
    }

    @Test("a responder set to nil is asked no more; the activity of the last one is invalidated (H-51, H-52)")
    func dissociates() async throws {
        try await withApp { app in
            let journal = Journal()
            let activity = try await app.current()
            let (first, second) = (FillingResponder("first", journal), FillingResponder("second", journal))
            first.userActivity = activity
            second.userActivity = activity
            first.userActivity = activity
            first.userActivity = nil
            #expect(try await app.savedPayload(activity) != nil)
            #expect(journal.all == ["second main=true empty=true"])
            second.userActivity = nil
            guard case .invalidate(let request) = try await app.daemon.nextCall() else { throw UnexpectedCall() }
            #expect(request.activityID == activity.id.rawValue)
            #expect(!activity.snapshot.isValid)
        }
    }

    @Test("the activity of responders that are all gone is invalidated (H-52)")
    func lastResponderGoes() async throws {
        try await withApp { app in
            let activity = try await app.current()
            var first: UIResponder? = UIResponder()
            var second: UIResponder? = UIResponder()
            first?.userActivity = activity
            second?.userActivity = activity
            first = nil
            #expect(activity.snapshot.isValid)
            second = nil
            #expect(!activity.snapshot.isValid)
            guard case .invalidate = try await app.daemon.nextCall() else { throw UnexpectedCall() }
        }
    }

    @Test("a responder that takes another activity leaves the one before, which ends (H-52, H-99)")
    func replaces() async throws {
        try await withApp { app in
            let (old, new) = (try await app.current(), NSUserActivity(activityType: "com.example.new"))
            let responder = UIResponder()
            responder.userActivity = old
            responder.userActivity = new
            #expect(!old.snapshot.isValid)
            #expect(new.snapshot.isValid)
            #expect(responder.userActivity === new)
            #expect(responder.next == nil)
        }
    }

    @Test("a payload over the limit is error 4611, and the app goes on unharmed")
    func tooLarge() async throws {
        try await withApp { app in
            app.daemon.setPayloadLimit(1_000)
            let activity = try await app.current()
            activity.userInfo = ["data": Data(count: 1_000)]
            guard case .error(let error)? = try await app.save(activity) else { throw UnexpectedCall() }
            #expect(error.code == 4611)
            #expect(error.message.contains("1000 are possible"))
            activity.userInfo = ["data": Data(count: 500)]
            #expect(try await app.savedPayload(activity) != nil)
        }
    }

    @Test("the limit is met exactly: a payload of that size is sent, one byte more is not")
    func exactLimit() async throws {
        func saving(_ count: Int, limit: Int) async throws -> AttachedCommand.Result? {
            var result: AttachedCommand.Result?
            try await withApp { app in
                app.daemon.setPayloadLimit(UInt64(limit))
                let activity = NSUserActivity(activityType: "com.example.edit")
                activity.userInfo = ["data": Data(count: count)]
                activity.becomeCurrent()
                _ = try await app.nextAttach()
                result = try await app.save(activity)
            }
            return result
        }
        // The received size counts.
        guard case .payload(let payload)? = try await saving(300, limit: 1 << 20) else { throw UnexpectedCall() }
        let size = try (payload.serializedBytes() as [UInt8]).count
        #expect(size > 300)
        guard case .payload? = try await saving(300, limit: size) else { throw UnexpectedCall() }
        guard case .error(let error)? = try await saving(301, limit: size) else { throw UnexpectedCall() }
        #expect(error.code == 4611)
    }

    @Test("an activity that has ended is error 4608, as is one that never was")
    func ended() async throws {
        try await withApp { app in
            let current = try await app.current()
            for id in ["", "nonsense", NSUserActivity(activityType: "com.example.x").id.rawValue] {
                let answer = try await app.ask(.saveActivity(.with { $0.activityID = id }))
                guard case .error(let error)? = answer else { throw UnexpectedCall() }
                #expect(error.code == 4608)
            }
            withExtendedLifetime(current) {}
        }
    }

    @Test("the origin's delegate hears that the activity was continued elsewhere (H-41)")
    func wasContinued() async throws {
        try await withApp { app in
            let journal = Journal()
            let delegate = RecordingActivityDelegate(journal)
            let activity = try await app.current()
            activity.delegate = delegate
            let answer = try await app.ask(.wasContinued(.with { $0.activityID = activity.id.rawValue }))
            #expect(answer == .done(.init()))
            #expect(journal.all == ["wasContinued main=false"])
            withExtendedLifetime(delegate) {}
        }
    }

    @Test("an activity without a delegate, and a delegate that implements nothing, are fine (H-44)")
    func noDelegate() async throws {
        final class Silent: NSObject, NSUserActivityDelegate {}
        try await withApp { app in
            let activity = try await app.current()
            activity.needsSave = true
            #expect(try await app.savedPayload(activity) != nil)
            let silent = Silent()
            activity.delegate = silent
            activity.needsSave = true
            #expect(try await app.savedPayload(activity) != nil)
            #expect(
                try await app.ask(.wasContinued(.with { $0.activityID = activity.id.rawValue })) == .done(.init()))
            silent.userActivity(
                activity, didReceive: InputStream(data: Data()), outputStream: OutputStream(toMemory: ()))
        }
    }
}

@MainActor
private final class FillingResponder: UIResponder {
    private let name: String
    private let journal: Journal

    init(_ name: String, _ journal: Journal) {
        self.name = name
        self.journal = journal
        super.init()
    }

    required convenience init() { self.init("", Journal()) }

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        journal.note("\(name) main=\(isOnMainQueue) empty=\(activity.userInfo?.isEmpty ?? false)")
        activity.addUserInfoEntries(from: [name: true])
    }
}

private final class UpdateDelegate: NSObject, UIApplicationDelegate {
    private let journal: Journal

    init(_ journal: Journal) {
        self.journal = journal
        super.init()
    }

    func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity) {
        journal.note("didUpdate main=\(isOnMainQueue)")
        userActivity.addUserInfoEntries(from: ["app": true])
    }
}
