extension UIApplication {
    /// Has no effect: an app gets commands once it has a target in ``MPRemoteCommandCenter``.
    public func beginReceivingRemoteControlEvents() {}

    /// Has no effect: see ``beginReceivingRemoteControlEvents()``.
    public func endReceivingRemoteControlEvents() {}
}
