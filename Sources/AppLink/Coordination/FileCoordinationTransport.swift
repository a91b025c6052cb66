package import FileCoordination

/// How this process reaches its arbiter: the daemon, or one in this process.
package protocol FileCoordinationTransport: Sendable {
    /// This process, as the arbiter knows it.
    var client: CoordinationClient { get }

    /// Sets the receiver of the messages for this process: in order, one at a time, and never from within ``send(_:)``.
    func connect(_ receive: @escaping @Sendable (FileCoordinationNews) -> Void)

    /// Hands an input over, in order. A request may be refused at once, or later by a message.
    func send(_ input: FileCoordinationStateMachine.Input) throws(CoordinationRefusal)
}

/// A message of an arbiter.
package enum FileCoordinationNews: Hashable, Sendable {
    case action(FileCoordinationStateMachine.Action)
    /// A request was not taken.
    case refused(CoordinationRequestID, CoordinationRefusal)
}
