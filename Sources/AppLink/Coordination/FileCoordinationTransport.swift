package import FileCoordination

/// How this process reaches whoever arbitrates: the daemon, or an arbiter in this process.
package protocol FileCoordinationTransport: Sendable {
    /// What this process is to the arbiter.
    var client: CoordinationClient { get }

    /// Who gets the news for this process from now on, in order, one at a time, and never from within ``send(_:)``.
    func connect(_ receive: @escaping @Sendable (FileCoordinationNews) -> Void)

    /// Hands an input over, in order. A request may be refused at once, or later by news.
    func send(_ input: FileCoordinationStateMachine.Input) throws(CoordinationRefusal)
}

/// What an arbiter says.
package enum FileCoordinationNews: Hashable, Sendable {
    case action(FileCoordinationStateMachine.Action)
    /// A request was not taken.
    case refused(CoordinationRequestID, CoordinationRefusal)
}
