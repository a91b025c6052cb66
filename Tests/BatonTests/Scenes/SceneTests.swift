import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@testable import Baton

/// Apps with scenes: their callbacks come to the scene's delegate.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct SceneTests {
    func manifest(multiple: Bool = false, delegate: String = "RecordingSceneDelegate") -> SceneManifest? {
        SceneManifest(
            infoDictionary: [
                "UIApplicationSceneManifest": [
                    "UIApplicationSupportsMultipleScenes": multiple,
                    "UISceneConfigurations": [
                        "UIWindowSceneSessionRoleApplication": [
                            [
                                "UISceneConfigurationName": "Default",
                                "UISceneDelegateClassName": "$(PRODUCT_MODULE_NAME).\(delegate)",
                            ]
                        ]
                    ],
                ]
            ], module: "BatonTests")
    }

    func launch(
        _ app: TestApp, _ options: [UIApplication.LaunchOptionsKey: Any]? = nil, request: String? = nil,
        page: URL? = nil, multiple: Bool = false
    ) throws -> (app: UIApplication, delegate: PlainDelegate, scene: RecordingSceneDelegate) {
        let application = app.runtime.application
        application.scenes.manifest = manifest(multiple: multiple)
        let delegate = PlainDelegate()
        application.launch(delegate: delegate, options: options, request: request, page: page)
        let scene = application.connectedScenes.first?.delegate as? RecordingSceneDelegate
        return (application, delegate, try #require(scene))
    }

    private func open(_ url: String, request: String) -> Baton_App_V1_AppCommand.OneOf_Kind {
        .openURL(
            .with {
                $0.url = url
                $0.requestID = request
                $0.openInPlace = true
            })
    }

    @Test("the manifest's class is made by its name, connected after the launch, and follows the app's life")
    func life() async throws {
        try await withApp { app in
            let (application, delegate, scene) = try launch(app)
            _ = try await app.nextAttach()
            #expect(application.connectedScenes.count == 1 && application.openSessions.count == 1)
            #expect(application.connectedScenes.first is UIWindowScene && !application.supportsMultipleScenes)
            application.transition(to: .background)
            application.transition(to: .active)
            #expect(
                scene.journal.all == [
                    "connect urls=0 activities=0 -1", "will enter foreground 2", "did become active 0",
                    "will resign active 0", "did enter background 2", "restoration", "will enter foreground 2",
                    "did become active 0",
                ])
            #expect(application.connectedScenes.first?.session.stateRestorationActivity?.title == "Restored")
            // The app delegate hears of the launch and of nothing that concerns the scene.
            #expect(delegate.journal.all == ["didFinishLaunching nil"])
        }
    }

    @Test(
        "a URL that the app is launched for is in the connection's options, and comes in no callback again (U-12, U-14)"
    )
    func coldURL() async throws {
        try await withApp { app in
            let url = try #require(URL(string: "todolist:?a"))
            let (_, delegate, scene) = try launch(
                app, [.url: url, .sourceApplication: "com.example.Sender", .openInPlace: true], request: "R1")
            _ = try await app.nextAttach()
            guard case .opened(let first)? = try await app.ask(open("todolist:?a", request: "R1")) else {
                throw UnexpectedCall()
            }
            #expect(first.handled && first.implemented)
            // The next one finds the app running (U-13).
            guard case .opened(let second)? = try await app.ask(open("todolist:?b", request: "R2")) else {
                throw UnexpectedCall()
            }
            #expect(second.handled)
            // The application holds its delegate weakly.
            withExtendedLifetime(delegate) {}
            #expect(
                scene.journal.all.filter { !$0.contains("fore") && !$0.contains("active") } == [
                    "connect urls=1 activities=0 -1", "url todolist:?a com.example.Sender true",
                    "open todolist:?b nil true",
                ])
        }
    }

    @Test("a page that the app is launched for is in the options, and its activity is continued no second time (H-85)")
    func coldPage() async throws {
        try await withApp { app in
            let page = try #require(URL(string: "https://example.com/a"))
            let type = NSUserActivityTypeBrowsingWeb
            let (_, delegate, scene) = try launch(
                app, [.userActivityDictionary: [UIApplication.LaunchOptionsKey.userActivityType: type]], request: "R1",
                page: page)
            _ = try await app.nextAttach()
            _ = try await app.ask(willContinue("R1", type: type))
            #expect(
                try await app.ask(continueActivity("R1", type: type)) == .continued(.with { $0.handled = true }))
            #expect(scene.journal.all.filter { $0.contains("page") || $0.contains("ontinue") } == ["page \(page)"])
            withExtendedLifetime(delegate) {}
        }
    }

    @Test(
        "an activity of another device: its type at the connection, then the callbacks, in order (H-67, H-68, H-70, H-74)"
    )
    func continuations() async throws {
        try await withApp { app in
            let (_, delegate, scene) = try launch(
                app,
                [
                    .userActivityDictionary: [UIApplication.LaunchOptionsKey.userActivityType: "com.example.edit"]
                        as [AnyHashable: Any]
                ])
            _ = try await app.nextAttach()
            #expect(
                try await app.ask(willContinue("A"))
                    == .willContinue(
                        .with {
                            $0.implemented = true
                            $0.showsProgress = false
                        }))
            #expect(try await app.ask(continueActivity("A")) == .continued(.with { $0.handled = true }))
            #expect(try await app.ask(didFail("B")) == .didFail(.with { $0.implemented = true }))
            #expect(
                scene.journal.all.filter { $0.contains("ontinue") || $0.contains("fail") || $0.contains("handoff") }
                    == [
                        "handoff com.example.edit", "will continue com.example.edit", "continue Title", "failed 4608",
                    ])
            withExtendedLifetime(delegate) {}
        }
    }

    @Test("a new scene needs a manifest that allows it; the one that was active last hears of URLs")
    func several() async throws {
        try await withApp { app in
            let (application, _, _) = try launch(app)
            var errors: [any Error] = []
            application.requestSceneSessionActivation(nil, userActivity: nil, options: nil) { errors.append($0) }
            #expect((errors.first as? UISceneError)?.code == .multipleScenesNotSupported)
            _ = try await app.nextAttach()
        }
        try await withApp { app in
            let (application, delegate, first) = try launch(app, multiple: true)
            _ = try await app.nextAttach()
            let activity = NSUserActivity(activityType: "com.example.window")
            application.requestSceneSessionActivation(nil, userActivity: activity, options: nil)
            #expect(application.connectedScenes.count == 2)
            let second = try #require(application.scenes.scenes.last)
            let secondDelegate = try #require(second.delegate as? RecordingSceneDelegate)
            #expect(secondDelegate.journal.all.first == "connect urls=0 activities=1 -1")
            _ = try await app.ask(open("todolist:?x", request: "R1"))
            #expect(secondDelegate.journal.all.last == "open todolist:?x nil true")
            application.requestSceneSessionDestruction(second.session, options: nil)
            #expect(secondDelegate.journal.all.last == "did disconnect -1")
            #expect(second.session.scene == nil && application.connectedScenes.count == 1)
            #expect(delegate.journal.all.last == "discarded 1")
            _ = try await app.ask(open("todolist:?y", request: "R2"))
            #expect(first.journal.all.last == "open todolist:?y nil true")
            application.requestSceneSessionDestruction(second.session, options: nil) {
                #expect(($0 as? UISceneError)?.code == .requestDenied)
            }
        }
    }

    @Test("a delegate that configures scenes itself needs no manifest; one without either keeps its own callbacks")
    func configured() async throws {
        try await withApp { app in
            let delegate = ConfiguringDelegate()
            app.runtime.application.launch(delegate: delegate, options: nil)
            _ = try await app.nextAttach()
            #expect(app.runtime.application.connectedScenes.first?.delegate is RecordingSceneDelegate)
            #expect(delegate.journal.all == ["configure UIWindowSceneSessionRoleApplication"])
        }
        try await withApp { app in
            let delegate = PlainDelegate()
            app.runtime.application.launch(delegate: delegate, options: nil)
            _ = try await app.nextAttach()
            #expect(app.runtime.application.connectedScenes.isEmpty)
            _ = try await app.ask(open("todolist:?x", request: "R1"))
            #expect(
                delegate.journal.all == ["didFinishLaunching nil", "did become active", "open todolist:?x"])
        }
    }

    @Test("a manifest with a value of a wrong type, or a class that is not there, leaves the app running")
    func malformed() async throws {
        #expect(SceneManifest(infoDictionary: ["UIApplicationSceneManifest": "yes"], module: "X") == nil)
        let odd = SceneManifest(
            infoDictionary: ["UIApplicationSceneManifest": ["UISceneConfigurations": [1, 2]]], module: "X")
        #expect(odd?.entries.isEmpty == true)
        try await withApp { app in
            let application = app.runtime.application
            application.scenes.manifest = manifest(delegate: "NoSuchClass")
            let delegate = PlainDelegate()
            application.launch(delegate: delegate, options: nil)
            _ = try await app.nextAttach()
            #expect(application.applicationState == .active && application.connectedScenes.count == 1)
            guard case .opened(let opened)? = try await app.ask(open("todolist:?x", request: "R1")) else {
                throw UnexpectedCall()
            }
            #expect(!opened.handled && !opened.implemented)
        }
    }

    @Test("a window shows its first controller when it becomes visible")
    func windows() async throws {
        try await withApp { app in
            let (application, _, _) = try launch(app)
            _ = try await app.nextAttach()
            let scene = try #require(application.connectedScenes.first as? UIWindowScene)
            let window = UIWindow(windowScene: scene)
            let controller = UIViewController()
            window.rootViewController = controller
            #expect(!controller.isViewLoaded && scene.keyWindow == nil)
            window.makeKeyAndVisible()
            #expect(controller.isViewLoaded && scene.keyWindow === window && scene.windows == [window])
            window.windowScene = nil
            #expect(scene.windows.isEmpty)
        }
    }
}

final class StatefulResponder: UIResponder {
    override func updateUserActivityState(_ activity: NSUserActivity) {
        activity.addUserInfoEntries(from: ["page": 3])
    }
}

final class PlainDelegate: NSObject, UIApplicationDelegate {
    let journal = Journal()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        journal.note("didFinishLaunching \(launchOptions.map { "\($0.count)" } ?? "nil")")
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) { journal.note("did become active") }

    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        journal.note("open \(url)")
        return true
    }

    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {
        journal.note("discarded \(sceneSessions.count)")
    }
}

private final class ConfiguringDelegate: NSObject, UIApplicationDelegate {
    let journal = Journal()

    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        journal.note("configure \(connectingSceneSession.role.rawValue)")
        let configuration = UISceneConfiguration(name: "Own", sessionRole: connectingSceneSession.role)
        configuration.delegateClass = RecordingSceneDelegate.self
        return configuration
    }
}

/// Found by its name, as a scene delegate in an app.
final class RecordingSceneDelegate: UIResponder, UIWindowSceneDelegate {
    let journal = Journal()

    required init() { super.init() }

    private func note(_ event: String, _ scene: UIScene) { journal.note("\(event) \(scene.activationState.rawValue)") }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        let options = connectionOptions
        note("connect urls=\(options.urlContexts.count) activities=\(options.userActivities.count)", scene)
        for context in options.urlContexts {
            let sender = context.options.sourceApplication ?? "nil"
            journal.note("url \(context.url) \(sender) \(context.options.openInPlace)")
        }
        for activity in options.userActivities where activity.webpageURL != nil {
            journal.note("page \(activity.webpageURL?.absoluteString ?? "")")
        }
        if let type = options.handoffUserActivityType { journal.note("handoff \(type)") }
    }

    func sceneDidDisconnect(_ scene: UIScene) { note("did disconnect", scene) }
    func sceneDidBecomeActive(_ scene: UIScene) { note("did become active", scene) }
    func sceneWillResignActive(_ scene: UIScene) { note("will resign active", scene) }
    func sceneWillEnterForeground(_ scene: UIScene) { note("will enter foreground", scene) }
    func sceneDidEnterBackground(_ scene: UIScene) { note("did enter background", scene) }

    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        for context in URLContexts {
            let sender = context.options.sourceApplication ?? "nil"
            journal.note("open \(context.url) \(sender) \(context.options.openInPlace)")
        }
    }

    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
        journal.note("restoration")
        let activity = NSUserActivity(activityType: "com.example.window")
        activity.title = "Restored"
        return activity
    }

    func scene(_ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity) {
        journal.note("restore \(stateRestorationActivity.title ?? "")")
    }

    func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String) {
        journal.note("will continue \(userActivityType)")
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        journal.note("continue \(userActivity.title ?? "")")
    }

    func scene(
        _ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) { journal.note("failed \((error as NSError).code)") }
}
