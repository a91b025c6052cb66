/// Which scene is to be made, or brought to the front.
///
/// Apple: <https://developer.apple.com/documentation/uikit/uiscenesessionactivationrequest>
@MainActor
@preconcurrency
public struct UISceneSessionActivationRequest {
    /// The role of a new scene.
    public let role: UISceneSession.Role
    /// The scene that is to come to the front; nil for a new one, or for the one that the activity's target content identifier chooses.
    public let session: UISceneSession?
    /// The activity that the scene is to show.
    public var userActivity: NSUserActivity?
    /// Not used.
    public var options: UIScene.ActivationRequestOptions?

    /// A new scene, or the one that the activity's target content identifier chooses.
    public init(
        role: UISceneSession.Role = .windowApplication, userActivity: NSUserActivity? = nil,
        options: UIScene.ActivationRequestOptions? = nil
    ) {
        self.role = role
        session = nil
        self.userActivity = userActivity
        self.options = options
    }

    /// A scene that there is.
    public init(
        session: UISceneSession, userActivity: NSUserActivity? = nil, options: UIScene.ActivationRequestOptions? = nil
    ) {
        role = session.role
        self.session = session
        self.userActivity = userActivity
        self.options = options
    }
}

extension UIApplication {
    /// As ``requestSceneSessionActivation(_:userActivity:options:errorHandler:)``.
    public func activateSceneSession(
        for request: UISceneSessionActivationRequest, errorHandler: ((any Error) -> Void)? = nil
    ) {
        requestSceneSessionActivation(
            request.session, userActivity: request.userActivity, options: request.options, errorHandler: errorHandler)
    }
}
