package import FileCoordination

/// How this process reaches whoever arbitrates: the daemon, or an arbiter in this process.
package protocol FileCoordinationTransport: Sendable {
    /// What this process is to the arbiter.
    var client: CoordinationClient { get }

    /// Who gets the actions for this process from now on, in order, one at a time, and never from within ``send(_:)``.
    func connect(_ receive: @escaping @Sendable (FileCoordinationStateMachine.Action) -> Void)

    /// Hands an input over, in order. A request may be refused at once.
    func send(_ input: FileCoordinationStateMachine.Input) throws(CoordinationRefusal)
}
