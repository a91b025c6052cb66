package import BatonTransport
package import SessionBus

/// The process behind a connection to a bus: the question to the bus, and its answer.
enum BusCredentials {
    static func question(_ connection: BusConnection, about name: String) -> BusMessage? {
        connection.processQuestion(name)
    }

    /// - Parameter answer: may be an error.
    /// - Returns: the process, which lived after its program was looked up; nil when the bus does not say, or when it has
    ///   ended. A bus that gives a descriptor of the process (`ProcessFD`) keeps a number from being taken for another's.
    static func process(_ answer: BusMessage) -> PeerProcess? {
        withExtendedLifetime(answer) { BusProcess(answer).flatMap(PeerProcess.init) }
    }
}

extension PeerProcess {
    /// - Returns: nil for a process that has ended.
    package init?(_ process: BusProcess) {
        guard
            let found = try? Self.identify(
                process.processID, userID: process.userID, descriptor: process.descriptor)
        else { return nil }
        self = found
    }
}
