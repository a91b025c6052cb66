import Glibc
import SessionBus

/// One connection to a session bus, and the notification server's interface there. Lives and dies on one thread; nothing
/// blocks.
///
/// Everything that comes is untrusted: each message's signature is checked before it is read, and a signal carries its
/// sender, which the bus vouches for.
final class DesktopBus {
    enum Event: Sendable {
        case ready
        case capabilities(owner: String, [String])
        case serverFailed
        case notified(call: UInt64, number: UInt32)
        case refused(call: UInt64)
        case unanswered(call: UInt64)
        case ownerChanged(String?)
        case closed(sender: String, number: UInt32)
        case invoked(sender: String, number: UInt32, action: String)
    }

    static let name = "org.freedesktop.Notifications"
    private static let server = BusObject(service: name, path: "/org/freedesktop/Notifications", interface: name)
    /// How long the server may take to answer.
    static let answerLimit = Duration.seconds(10)
    static let maximumCapabilities = 64

    let connection: BusConnection
    private let trust: BusTrust
    private var events: [Event] = []
    /// The bus's identifier; empty until it is known.
    var identifier: String { connection.identifier }

    /// - Parameter trust: judges the server, which answers for the person.
    /// - Returns: nil when there is no bus at the address.
    init?(address: String, trust: @escaping BusTrust) {
        guard let connection = BusConnection(address: address) else { return nil }
        self.connection = connection
        self.trust = trust
        connection.received = { [unowned self] message in
            signalled(message)
            return false
        }
    }

    /// Nothing may be called afterwards.
    func close() { connection.close() }

    // MARK: The loop

    /// Does what can be done now.
    /// - Returns: the received messages, and whether the connection is over.
    func process() -> (events: [Event], isOver: Bool) {
        events = []
        let turn = connection.process()
        if turn.becameReady {
            listen()
            events.insert(.ready, at: 0)
        }
        return (events, turn.isOver)
    }

    private func listen() {
        // Without waiting: a bus that refuses them gives no signals, and notices are shown all the same.
        connection.matchLater(BusConnection.ownerRule(Self.name))
        connection.matchLater(
            "type='signal',sender='\(Self.name)',interface='\(Self.name)',path='\(Self.server.path)'")
    }

    // MARK: Calls

    /// - Returns: false when it could not be sent.
    func askServer(mayStart: Bool) -> Bool {
        guard let call = connection.methodCall(Self.server, "GetCapabilities", mayStart: mayStart) else { return false }
        return connection.send(call, timeout: Self.answerLimit) { [unowned self] answer in
            guard !answer.isError, let sender = answer.sender, answer.has("as"),
                let names = answer.texts(limit: Self.maximumCapabilities)
            else { return events.append(.serverFailed) }
            connection.judge(sender, by: trust, timeout: Self.answerLimit) { [unowned self] isTrusted in
                events.append(isTrusted ? .capabilities(owner: sender, names) : .serverFailed)
            }
        }
    }

    func closeNotification(_ number: UInt32) {
        let call = connection.methodCall(Self.server, "CloseNotification", mayStart: false) { $0.unsigned(number) }
        if let call { connection.sendWithoutReply(call) }
    }

    /// - Returns: false when it could not be sent.
    func notify(_ arguments: NotifyCall, call number: UInt64) -> Bool {
        guard let call = connection.methodCall(Self.server, "Notify", { arguments.write(to: &$0) }) else {
            return false
        }
        return connection.send(call, timeout: Self.answerLimit) { [unowned self] answer in
            if answer.isError {
                events.append(Self.isGone(answer) ? .unanswered(call: number) : .refused(call: number))
            } else if answer.has("u"), let shown = answer.unsigned() {
                events.append(.notified(call: number, number: shown))
            } else {
                events.append(.refused(call: number))
            }
        }
    }

    // MARK: Incoming

    private func signalled(_ message: BusMessage) {
        guard let sender = message.sender else { return }
        if let change = BusConnection.ownerChange(message) {
            if change.name == Self.name { events.append(.ownerChanged(change.owner)) }
        } else if message.isSignal(Self.name, "NotificationClosed") {
            guard message.has("uu"), let number = message.unsigned() else { return }
            events.append(.closed(sender: sender, number: number))
        } else if message.isSignal(Self.name, "ActionInvoked") {
            guard message.has("us"), let number = message.unsigned(), let action = message.text() else { return }
            events.append(.invoked(sender: sender, number: number, action: action))
        }
    }

    /// Whether no answer came, in place of the server saying no.
    private static func isGone(_ message: BusMessage) -> Bool {
        let gone = ["NoReply", "ServiceUnknown", "NameHasNoOwner", "Disconnected", "Timeout", "TimedOut"]
        return gone.contains { message.isError("org.freedesktop.DBus.Error.\($0)") } || message.errorNumber == ETIMEDOUT
    }
}
