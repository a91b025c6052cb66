import BatonWire
import Foundation
import Logging
import SwiftProtobuf

/// An app's scenes: makes them, notifies their delegates of their life, and chooses which one hears of what comes.
@MainActor
final class SceneCoordinator {
    /// For what an app is launched: given to the first scene when it is connected.
    struct LaunchReason {
        var opened: OpenedURL?
        var page: URL?
        var handoffType: String?
    }

    private unowned let application: UIApplication
    var manifest = SceneManifest.ofThisApp
    /// The one that was active last comes last.
    private(set) var scenes: [UIScene] = []

    /// Sessions of earlier launches whose scenes are not connected.
    private(set) var waiting: [UISceneSession] = []
    lazy var restoration = SceneRestoration(runtime: application.runtime)

    init(application: UIApplication) { self.application = application }

    /// Whether the app has scenes at all.
    var isInUse: Bool { manifest != nil || !scenes.isEmpty }

    /// The scene that hears of what comes.
    private var target: UIScene? { scenes.last { $0.activationState == .foregroundActive } ?? scenes.last }

    /// The scene that is to show some content; nil where none can.
    private func scene(for identifier: String) -> UIScene? {
        let able = scenes.filter { $0.activationConditions.canActivate(identifier) }
        return able.last { $0.activationConditions.prefersToActivate(identifier) }
            ?? able.last { $0.activationState == .foregroundActive } ?? able.last
    }

    /// The scene for an activity: by its target content identifier, else the one that was active last.
    private func target(for activity: NSUserActivity) -> UIScene? {
        guard let identifier = activity.targetContentIdentifier else { return target }
        if let scene = scene(for: identifier) { return scene }
        guard manifest?.supportsMultipleScenes == true, let configuration = configuration(for: LaunchReason()) else {
            return target
        }
        return connect(makeSession(configuration), UIScene.ConnectionOptions()) ?? target
    }

    // MARK: Connecting

    /// After the launch callbacks. Nothing happens in an app without scenes.
    func connectFirst(_ reason: LaunchReason) {
        guard scenes.isEmpty, let configuration = configuration(for: reason),
            let scene = connect(restoredSession(configuration), options(reason))
        else { return }
        enterForeground(scene)
    }

    /// That of an earlier launch which was active last; the others wait. A new one where there is none.
    private func restoredSession(_ configuration: UISceneConfiguration) -> UISceneSession {
        let kept = restoration.load()
        waiting = kept.dropFirst().map { kept in
            let role = UISceneSession.Role(rawValue: kept.role)
            return makeSession(UISceneConfiguration(name: kept.configuration, sessionRole: role), kept)
        }
        return makeSession(configuration, kept.first)
    }

    private func makeSession(
        _ configuration: UISceneConfiguration, _ kept: SceneRestoration.Kept? = nil
    ) -> UISceneSession {
        let session = UISceneSession(
            role: configuration.role, configuration: configuration,
            persistentIdentifier: kept?.identifier ?? UUID().uuidString)
        session.userInfo = kept?.userInfo
        session.stateRestorationActivity = kept?.activity
        session.changed = { [weak self] in self?.keepSessions() }
        return session
    }

    /// The session that was active last first.
    private func keepSessions() {
        restoration.save(
            (scenes.reversed().map(\.session) + waiting).map {
                SceneRestoration.Kept(
                    identifier: $0.persistentIdentifier, role: $0.role.rawValue, configuration: $0.configuration.name,
                    userInfo: $0.userInfo, activity: $0.stateRestorationActivity)
            })
    }

    /// The app delegate's word counts, then the manifest's.
    private func configuration(for reason: LaunchReason) -> UISceneConfiguration? {
        let role = UISceneSession.Role.windowApplication
        let declared = manifest?.configuration(named: nil, role: role.rawValue)
        let standard = UISceneConfiguration(name: nil, sessionRole: role)
        standard.sceneClass = declared?.sceneClass
        standard.delegateClass = declared?.delegateClass
        guard let delegate = application.delegate else { return manifest == nil ? nil : standard }
        let session = UISceneSession(role: role, configuration: standard)
        let chosen = OptionalMethod.configurationForConnecting.call(on: delegate) {
            delegate.application(application, configurationForConnecting: session, options: options(reason))
        }
        return chosen ?? (manifest == nil ? nil : standard)
    }

    private func options(_ reason: LaunchReason) -> UIScene.ConnectionOptions {
        let options = UIScene.ConnectionOptions()
        if let opened = reason.opened {
            options.urlContexts = [UIOpenURLContext(opened)]
            options.sourceApplication = opened.sourceApplication
        }
        if let page = reason.page {
            let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
            activity.webpageURL = page
            options.userActivities = [activity]
        }
        options.handoffUserActivityType = reason.handoffType
        return options
    }

    private func connect(_ session: UISceneSession, _ options: UIScene.ConnectionOptions) -> UIScene? {
        let configuration = session.configuration
        let type = (configuration.sceneClass as? UIScene.Type) ?? UIWindowScene.self
        let scene = type.init(session: session, connectionOptions: options)
        session.scene = scene
        if let delegate = configuration.delegateClass {
            guard let delegate = delegate as? any (UIResponder & UISceneDelegate).Type else {
                BatonExceptions.raiseInvalidArgument(
                    "The delegate of a scene, \(delegate), is no UIResponder that conforms to UISceneDelegate.")
                return nil
            }
            scene.delegate = delegate.init()
        } else {
            application.runtime.logger.warning(
                "A scene has no delegate. Name its class in UISceneDelegateClassName, as in MyApp.SceneDelegate.")
        }
        scenes.append(scene)
        keepSessions()
        post(UIScene.willConnectNotification, scene)
        scene.delegate?.scene(scene, willConnectTo: session, options: options)
        if let kept = session.stateRestorationActivity {
            scene.delegate?.scene(scene, restoreInteractionStateWith: kept)
        }
        scene.activationState = .background
        return scene
    }

    // MARK: Life

    private func post(_ name: NSNotification.Name, _ scene: UIScene) {
        NotificationCenter.default.post(name: name, object: scene)
    }

    private func enterForeground(_ scene: UIScene) {
        guard scene.activationState == .background else { return }
        scene.delegate?.sceneWillEnterForeground(scene)
        post(UIScene.willEnterForegroundNotification, scene)
        scene.activationState = .foregroundInactive
    }

    private func activate(_ scene: UIScene) {
        enterForeground(scene)
        guard scene.activationState == .foregroundInactive else { return }
        scene.activationState = .foregroundActive
        scenes.removeAll { $0 === scene }
        scenes.append(scene)
        scene.delegate?.sceneDidBecomeActive(scene)
        post(UIScene.didActivateNotification, scene)
    }

    private func deactivate(_ scene: UIScene) {
        guard scene.activationState == .foregroundActive else { return }
        scene.delegate?.sceneWillResignActive(scene)
        post(UIScene.willDeactivateNotification, scene)
        scene.activationState = .foregroundInactive
    }

    private func enterBackground(_ scene: UIScene) {
        deactivate(scene)
        guard scene.activationState == .foregroundInactive else { return }
        scene.activationState = .background
        scene.delegate?.sceneDidEnterBackground(scene)
        post(UIScene.didEnterBackgroundNotification, scene)
        scene.session.stateRestorationActivity = scene.delegate?.stateRestorationActivity(for: scene)
        keepSessions()
    }

    /// Every scene takes the step that the app takes.
    func appWillResignActive() { scenes.forEach(deactivate) }
    func appDidEnterBackground() { scenes.forEach(enterBackground) }
    func appWillEnterForeground() { scenes.forEach(enterForeground) }
    func appDidBecomeActive() { scenes.forEach(activate) }

    // MARK: The app's requests

    func activate(_ session: UISceneSession?, _ activity: NSUserActivity?) throws {
        let chosen = session == nil ? activity?.targetContentIdentifier.flatMap(scene) : nil
        if let session, let index = waiting.firstIndex(where: { $0 === session }) {
            waiting.remove(at: index)
            return try begin(session, activity)
        }
        if session != nil || chosen != nil {
            guard let scene = session?.scene ?? chosen, scenes.contains(where: { $0 === scene }) else {
                throw UISceneError(code: .requestDenied)
            }
            application.transition(to: .active)
            activate(scene)
            if let activity { scene.delegate?.scene(scene, continue: activity) }
            return
        }
        guard scenes.isEmpty || manifest?.supportsMultipleScenes == true else {
            throw UISceneError(code: .multipleScenesNotSupported)
        }
        guard let configuration = configuration(for: LaunchReason()) else {
            throw UISceneError(code: .requestDenied)
        }
        try begin(makeSession(configuration), activity)
    }

    /// Connects a scene that the app asks for.
    private func begin(_ session: UISceneSession, _ activity: NSUserActivity?) throws {
        let options = UIScene.ConnectionOptions()
        if let activity { options.userActivities = [activity] }
        guard let scene = connect(session, options) else {
            throw UISceneError(code: .requestDenied)
        }
        switch application.applicationState {
        case .active: activate(scene)
        case .inactive: enterForeground(scene)
        case .background: application.transition(to: .active)
        }
    }

    func destroy(_ session: UISceneSession) throws {
        if let index = waiting.firstIndex(where: { $0 === session }) {
            waiting.remove(at: index)
            keepSessions()
            application.delegate?.application(application, didDiscardSceneSessions: [session])
            return
        }
        guard let scene = session.scene, scenes.contains(where: { $0 === scene }) else {
            throw UISceneError(code: .requestDenied)
        }
        enterBackground(scene)
        scene.activationState = .unattached
        scenes.removeAll { $0 === scene }
        scene.delegate?.sceneDidDisconnect(scene)
        post(UIScene.didDisconnectNotification, scene)
        session.scene = nil
        keepSessions()
        application.delegate?.application(application, didDiscardSceneSessions: [session])
    }

    // MARK: Events from elsewhere

    func open(_ opened: OpenedURL) -> Bool? {
        guard let scene = target, let delegate = scene.delegate else { return nil }
        let called: Void? = OptionalMethod.sceneOpenURLs.call(on: delegate) {
            delegate.scene(scene, openURLContexts: [UIOpenURLContext(opened)])
        }
        return called.map { true }
    }

    /// A scene cannot say that it shows progress itself, so the system does.
    func willContinue(type: String) -> Bool? {
        guard let scene = target, let delegate = scene.delegate else { return nil }
        let called: Void? = OptionalMethod.sceneWillContinue.call(on: delegate) {
            delegate.scene(scene, willContinueUserActivityWithType: type)
        }
        return called.map { false }
    }

    func continueActivity(_ activity: NSUserActivity) -> Bool? {
        guard let scene = target(for: activity), let delegate = scene.delegate else { return nil }
        let called: Void? = OptionalMethod.sceneContinue.call(on: delegate) {
            delegate.scene(scene, continue: activity)
        }
        return called.map { true }
    }

    func didFail(type: String, error: any Error) -> Bool {
        guard let scene = target, let delegate = scene.delegate else { return false }
        let called: Void? = OptionalMethod.sceneDidFail.call(on: delegate) {
            delegate.scene(scene, didFailToContinueUserActivityWithType: type, error: error)
        }
        return called != nil
    }

    func didUpdate(_ activity: NSUserActivity) {
        guard let scene = activity.targetContentIdentifier.flatMap(scene) ?? target else { return }
        scene.delegate?.scene(scene, didUpdate: activity)
    }
}
