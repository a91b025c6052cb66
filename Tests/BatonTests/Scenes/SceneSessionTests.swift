import Foundation
import Testing

@testable import Baton

/// Scenes over launches, and which of them gets which event.
extension SceneTests {
    @Test("what brings a scene back is kept with the delegate's and the responders' part, and what is broken is left")
    func restoration() async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("baton-\(UUID().uuidString)/state/scenes.plist")
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent().deletingLastPathComponent()) }
        try await withApp { app in
            let activity = NSUserActivity(activityType: "com.example.window")
            let responder = StatefulResponder()
            responder.userActivity = activity
            let restoration = SceneRestoration(runtime: app.runtime, file: file)
            restoration.save([.init(identifier: "A", role: "R", configuration: nil, userInfo: nil, activity: activity)])
            let restored = restoration.load().first?.activity
            #expect(restored?.activityType == "com.example.window")
            #expect(restored?.userInfo?["page"] as? Int == 3)
            try Data([1, 2, 3]).write(to: file)
            #expect(restoration.load().isEmpty)
        }
    }

    @Test("the sessions of an app's scenes are there again when it is launched, with what it kept in them")
    func sessions() async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("baton-\(UUID().uuidString)/scenes.plist")
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        var identifiers: [String] = []
        try await withApp { app in
            app.runtime.application.scenes.restoration = SceneRestoration(runtime: app.runtime, file: file)
            let (application, _, _) = try launch(app, multiple: true)
            application.requestSceneSessionActivation(nil, userActivity: nil, options: nil)
            let sessions = application.scenes.scenes.map(\.session)
            try #require(sessions.count == 2)
            for (index, session) in sessions.enumerated() { session.userInfo = ["window": index] }
            identifiers = sessions.map(\.persistentIdentifier)
            application.transition(to: .background)
        }
        try await withApp { app in
            app.runtime.application.scenes.restoration = SceneRestoration(runtime: app.runtime, file: file)
            let (application, delegate, _) = try launch(app, multiple: true)
            let first = try #require(application.connectedScenes.first?.session)
            #expect(application.connectedScenes.count == 1 && application.openSessions.count == 2)
            #expect(Set(application.openSessions.map(\.persistentIdentifier)) == Set(identifiers))
            #expect(first.stateRestorationActivity?.title == "Restored")
            let sceneDelegate = first.scene?.delegate as? RecordingSceneDelegate
            #expect(sceneDelegate?.journal.all.dropFirst().first == "restore Restored")
            let other = try #require(application.openSessions.first { $0 !== first })
            #expect(Set([first, other].map { $0.userInfo?["window"] as? Int }) == [0, 1])
            #expect(other.scene == nil)
            application.requestSceneSessionActivation(other, userActivity: nil, options: nil)
            #expect(other.scene?.session === other && application.connectedScenes.count == 2)
            application.requestSceneSessionDestruction(other, options: nil)
            #expect(delegate.journal.all.contains("discarded 1"))
        }
        try await withApp { app in
            app.runtime.application.scenes.restoration = SceneRestoration(runtime: app.runtime, file: file)
            let (application, _, _) = try launch(app, multiple: true)
            #expect(application.openSessions.count == 1)
        }
    }

    @Test("an activity's target content identifier chooses the scene that hears of it, or makes a new one")
    func targetContent() async throws {
        try await withApp { app in
            let (application, appDelegate, _) = try launch(app, multiple: true)
            // The application does not keep it.
            defer { withExtendedLifetime(appDelegate) {} }
            application.requestSceneSessionActivation(nil, userActivity: nil, options: nil)
            let scenes = application.scenes.scenes
            try #require(scenes.count == 2)
            for (scene, name) in zip(scenes, ["inbox", "drafts"]) {
                scene.activationConditions.canActivateForTargetContentIdentifierPredicate = NSPredicate(
                    format: "self == %@ OR self == 'any'", name)
            }
            scenes[0].activationConditions.prefersToActivateForTargetContentIdentifierPredicate = NSPredicate(
                format: "self == 'any'")
            @MainActor func heard(_ identifier: String?, _ title: String) -> [Int] {
                let activity = NSUserActivity(activityType: "com.example.mail")
                activity.title = title
                activity.targetContentIdentifier = identifier
                #expect(application.continueActivity(activity) == true)
                return application.scenes.scenes.compactMap { $0 }.enumerated().filter {
                    ($0.element.delegate as? RecordingSceneDelegate)?.journal.all.contains("continue \(title)") == true
                }.map { entry in scenes.firstIndex { $0 === entry.element } ?? -1 }
            }
            #expect(heard("inbox", "one") == [0])
            #expect(heard("drafts", "two") == [1])
            #expect(heard("any", "three") == [0])
            // The one that was made last was active last.
            #expect(heard(nil, "four") == [1])
            #expect(heard("elsewhere", "five") == [-1] && application.connectedScenes.count == 3)
        }
    }
}
