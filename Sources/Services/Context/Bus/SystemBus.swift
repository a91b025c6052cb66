import SessionBus

/// A connection to the system's bus, with the signals that came. Lives and dies on one thread.
final class SystemBus {
    /// How long a service may take to answer.
    private static let answerLimit = Duration.seconds(2)
    /// Signals that wait for their turn. Policy: more are left out; what has changed is asked for anyway.
    private static let maximumSignals = 256

    let connection: BusConnection
    private var signals: [BusSignal] = []

    /// Blocks.
    /// - Returns: nil when there is no bus at the address.
    init?(address: String) {
        guard let connection = BusConnection(address: address) else { return nil }
        self.connection = connection
        connection.received = { [unowned self] message in
            if message.isSignal() { signalled(message) }
            return false
        }
    }

    /// Nothing may be called afterwards.
    func close() { connection.close() }

    func follow(_ rule: String) -> Bool { connection.match(rule) }

    /// Does what can be done now.
    func process() -> (signals: [BusSignal], isOver: Bool) {
        let turn = connection.process()
        defer { signals = [] }
        return (signals, turn.isOver)
    }

    private func signalled(_ message: BusMessage) {
        guard signals.count < Self.maximumSignals else { return }
        signals.append(
            BusSignal(
                sender: message.sender ?? "", path: message.path ?? "", interface: message.interface ?? "",
                member: message.member ?? "", arguments: message.values()))
    }

    // MARK: Calls

    /// Blocks for two seconds at most.
    /// - Parameter mayStart: whether the bus may start the service for it.
    /// - Returns: nil for an error, and where no answer comes.
    func call(
        _ service: String, _ path: String, _ interface: String, _ member: String, mayStart: Bool = false,
        _ write: (inout BusWriter) -> Void = { _ in }
    ) -> [BusValue]? {
        let object = BusObject(service: service, path: path, interface: interface)
        return try? connection.call(object, member, timeout: Self.answerLimit, mayStart: mayStart, write).values()
    }

    func property(_ service: String, _ path: String, _ interface: String, _ name: String) -> BusValue? {
        let object = BusObject(service: service, path: path, interface: interface)
        return connection.property(object, name, timeout: Self.answerLimit)
    }
}
