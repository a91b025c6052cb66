import Baton
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

/// The examples of the documentation, from one app to the other by what the daemons carry between them.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct SampleTests {
    @MainActor
    private final class Mail: UIResponder, UIApplicationDelegate, NSUserActivityDelegate {
        nonisolated static let composing = "com.example.mail.composing"
        nonisolated static let reading = "com.example.mail.reading"

        struct Draft: Equatable {
            var recipients: [String] = []
            var subject = ""
            var body = ""
            var cursor = 0
        }
        var draft: Draft?
        var message: String?

        override func updateUserActivityState(_ activity: NSUserActivity) {
            super.updateUserActivityState(activity)
            guard let draft else { return }
            activity.addUserInfoEntries(from: [
                "to": draft.recipients, "subject": draft.subject, "body": draft.body, "cursor": draft.cursor,
            ])
        }

        func application(
            _ application: UIApplication, continue userActivity: NSUserActivity,
            restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
        ) -> Bool {
            guard [Self.composing, Self.reading].contains(userActivity.activityType) else { return false }
            restorationHandler([self])
            return true
        }

        override func restoreUserActivityState(_ activity: NSUserActivity) {
            super.restoreUserActivityState(activity)
            let info = activity.userInfo ?? [:]
            if activity.activityType == Self.reading {
                message = info["message"] as? String
            } else {
                draft = Draft(
                    recipients: info["to"] as? [String] ?? [], subject: info["subject"] as? String ?? "",
                    body: info["body"] as? String ?? "", cursor: info["cursor"] as? Int ?? -1)
            }
        }
    }

    /// Hands what the one app's activity holds to the other app, as daemons do.
    private func carry(_ payload: Baton_Value_V1_ActivityPayload, to delegate: any UIApplicationDelegate) async throws {
        try await withApp { app in
            try await app.attach(delegate: delegate)
            let type = payload.description_p.activityType
            guard case .willContinue? = try await app.ask(willContinue("A", type: type)) else { throw UnexpectedCall() }
            let answer = try await app.ask(
                .continueActivity(
                    .with {
                        $0.acceptanceID = "A"
                        $0.payload = payload
                    }))
            #expect(answer == .continued(.with { $0.handled = true }))
        }
    }

    @Test("Mail: a message that is being composed goes on with every field filled and the cursor in its place (S-12)")
    func composing() async throws {
        let draft = Mail.Draft(
            recipients: ["ada@example.com", "grace@example.com"], subject: "Grüße 👋", body: "Dear Ada,\n\n", cursor: 11)
        var payload: Baton_Value_V1_ActivityPayload?
        try await withApp { app in
            let mail = Mail()
            mail.draft = draft
            let activity = try await app.current(Mail.composing)
            mail.userActivity = activity
            payload = try await app.savedPayload(activity)
        }
        let carried = try #require(payload)
        let there = Mail()
        try await carry(carried, to: there)
        #expect(there.draft == draft && there.message == nil)
    }

    @Test("Mail: reading is an activity of another type, and does not open a draft (S-12)")
    func reading() async throws {
        var payload: Baton_Value_V1_ActivityPayload?
        try await withApp { app in
            let activity = try await app.current(Mail.reading)
            activity.userInfo = ["message": "<1@example.com>"]
            payload = try await app.savedPayload(activity)
        }
        let carried = try #require(payload)
        let there = Mail()
        try await carry(carried, to: there)
        #expect(there.message == "<1@example.com>" && there.draft == nil)
    }

    @MainActor
    private final class ToDo: UIResponder, UIApplicationDelegate {
        nonisolated static let editing = "com.example.todo.edit-item"
        nonisolated static let browsing = "com.example.todo.browse-list"
        var shown = ""

        func application(
            _ application: UIApplication, continue userActivity: NSUserActivity,
            restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
        ) -> Bool {
            switch userActivity.activityType {
            case Self.editing: shown = "item \(userActivity.userInfo?["item"] as? Int ?? 0)"
            case Self.browsing: shown = "list \(userActivity.userInfo?["list"] as? String ?? "")"
            default: return false
            }
            restorationHandler(nil)
            return true
        }
    }

    @Test(
        "To-do: editing an item and browsing the list are two types; what the person does last is offered, and the other app shows the same (S-13)"
    )
    func toDo() async throws {
        var payloads: [Baton_Value_V1_ActivityPayload?] = []
        try await withApp { app in
            let browsing = try await app.current(ToDo.browsing)
            browsing.userInfo = ["list": "Groceries"]
            payloads.append(try await app.savedPayload(browsing))
            let editing = try await app.current(ToDo.editing)
            editing.userInfo = ["item": 7]
            payloads.append(try await app.savedPayload(editing))
            withExtendedLifetime((browsing, editing)) {}
        }
        for (payload, shown) in zip(payloads, ["list Groceries", "item 7"]) {
            let there = ToDo()
            try await carry(try #require(payload), to: there)
            #expect(there.shown == shown)
        }
    }
}
