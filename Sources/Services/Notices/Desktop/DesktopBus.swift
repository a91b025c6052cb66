import CSystemd
import Foundation

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
    static let path = "/org/freedesktop/Notifications"
    /// How long the server may take to answer.
    static let answerLimit = Duration.seconds(10)
    /// Messages that are looked at in one turn; the rest waits, so that what is to be shown gets its turn.
    static let messagesPerTurn = 64
    static let maximumCapabilities = 64

    private enum Question {
        case capabilities
        case notify(UInt64)
    }

    private let bus: OpaquePointer
    private var isReady = false
    private var questions: [UInt64: Question] = [:]
    private var events: [Event] = []
    /// The bus's identifier; empty until it is known.
    private(set) var identifier = ""

    /// - Returns: nil when there is no bus at the address.
    init?(address: String) {
        var made: OpaquePointer?
        guard sd_bus_new(&made) >= 0, let made else { return nil }
        bus = made
        guard sd_bus_set_address(bus, address) >= 0, sd_bus_set_bus_client(bus, 1) >= 0, sd_bus_start(bus) >= 0 else {
            sd_bus_unref(bus)
            return nil
        }
    }

    /// Nothing may be called afterwards.
    func close() { sd_bus_close_unref(bus) }

    // MARK: The loop

    var hasUnsent: Bool {
        var count: UInt64 = 0
        return sd_bus_get_n_queued_write(bus, &count) >= 0 && count > 0
    }

    var pollDescriptor: pollfd {
        pollfd(fd: sd_bus_get_fd(bus), events: Int16(clamping: max(0, sd_bus_get_events(bus))), revents: 0)
    }

    /// Until the bus wants to be looked after though nothing came; nil for never.
    var timeout: Duration? {
        var moment: UInt64 = 0
        guard sd_bus_get_timeout(bus, &moment) >= 0, moment != .max else { return nil }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let now = UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
        return moment > now ? .microseconds(Int64(clamping: moment - now)) : .zero
    }

    /// Does what can be done now.
    /// - Returns: the received messages, and whether the connection is over.
    func process() -> (events: [Event], isOver: Bool) {
        events = []
        var result: Int32 = 1
        var count = 0
        while result > 0, count < Self.messagesPerTurn {
            result = sd_bus_process(bus, nil)
            count += 1
        }
        if !isReady, result >= 0, sd_bus_is_ready(bus) > 0 {
            isReady = true
            listen()
            events.insert(.ready, at: 0)
        }
        return (events, result < 0)
    }

    private func listen() {
        var id = sd_id128_t()
        if sd_bus_get_bus_id(bus, &id) >= 0 {
            identifier = withUnsafeBytes(of: id) { $0.map { String($0, radix: 16) }.joined(separator: ".") }
        }
        let engine = Unmanaged.passUnretained(self).toOpaque()
        let rules = [
            "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
                + "member='NameOwnerChanged',arg0='\(Self.name)'",
            "type='signal',sender='\(Self.name)',interface='\(Self.name)',path='\(Self.path)'",
        ]
        for rule in rules {
            // Without an answer of their own: a bus that refuses them gives no signals, and notices are shown all the same.
            sd_bus_add_match_async(bus, nil, rule, Self.signalled, { _, _, _ in 0 }, engine)
        }
    }

    // MARK: Calls

    /// - Returns: false when it could not be sent.
    func askServer(mayStart: Bool) -> Bool {
        guard let message = call("GetCapabilities") else { return false }
        defer { sd_bus_message_unref(message) }
        sd_bus_message_set_auto_start(message, mayStart ? 1 : 0)
        return send(message, .capabilities)
    }

    func closeNotification(_ number: UInt32) {
        guard let message = call("CloseNotification") else { return }
        defer { sd_bus_message_unref(message) }
        var number = number
        sd_bus_message_set_auto_start(message, 0)
        sd_bus_message_set_expect_reply(message, 0)
        guard sd_bus_message_append_basic(message, Self.type("u"), &number) >= 0 else { return }
        sd_bus_send(bus, message, nil)
    }

    /// - Returns: false when it could not be sent.
    func notify(_ arguments: NotifyCall, call number: UInt64) -> Bool {
        guard let message = call("Notify") else { return false }
        defer { sd_bus_message_unref(message) }
        return arguments.append(to: message) && send(message, .notify(number))
    }

    private func call(_ member: String) -> OpaquePointer? {
        var message: OpaquePointer?
        guard sd_bus_message_new_method_call(bus, &message, Self.name, Self.path, Self.name, member) >= 0 else {
            return nil
        }
        return message
    }

    private func send(_ message: OpaquePointer, _ question: Question) -> Bool {
        let limit = UInt64(Self.answerLimit / .microseconds(1))
        let engine = Unmanaged.passUnretained(self).toOpaque()
        var cookie: UInt64 = 0
        guard sd_bus_call_async(bus, nil, message, Self.answered, engine, limit) >= 0,
            sd_bus_message_get_cookie(message, &cookie) >= 0
        else { return false }
        questions[cookie] = question
        return true
    }

    // MARK: Incoming

    private static let answered: sd_bus_message_handler_t = { message, userdata, _ in
        guard let message, let userdata else { return 0 }
        Unmanaged<DesktopBus>.fromOpaque(userdata).takeUnretainedValue().answered(message)
        return 0
    }

    private static let signalled: sd_bus_message_handler_t = { message, userdata, _ in
        guard let message, let userdata else { return 0 }
        Unmanaged<DesktopBus>.fromOpaque(userdata).takeUnretainedValue().signalled(message)
        return 0
    }

    private func answered(_ message: OpaquePointer) {
        var cookie: UInt64 = 0
        guard sd_bus_message_get_reply_cookie(message, &cookie) >= 0,
            let question = questions.removeValue(forKey: cookie)
        else { return }
        let isError = sd_bus_message_is_method_error(message, nil) != 0
        switch question {
        case .capabilities:
            guard !isError, let sender = Self.sender(message), let names = Self.texts(message) else {
                return events.append(.serverFailed)
            }
            events.append(.capabilities(owner: sender, names))
        case .notify(let call):
            if isError {
                events.append(Self.isGone(message) ? .unanswered(call: call) : .refused(call: call))
            } else {
                var number: UInt32 = 0
                let isRead =
                    sd_bus_message_has_signature(message, "u") > 0
                    && sd_bus_message_read_basic(message, Self.type("u"), &number) > 0
                events.append(isRead ? .notified(call: call, number: number) : .refused(call: call))
            }
        }
    }

    private func signalled(_ message: OpaquePointer) {
        guard let sender = Self.sender(message) else { return }
        if sd_bus_message_is_signal(message, "org.freedesktop.DBus", "NameOwnerChanged") > 0 {
            guard sender == "org.freedesktop.DBus", sd_bus_message_has_signature(message, "sss") > 0,
                Self.text(message) == Self.name, Self.text(message) != nil, let owner = Self.text(message)
            else { return }
            events.append(.ownerChanged(owner.isEmpty ? nil : owner))
        } else if sd_bus_message_is_signal(message, Self.name, "NotificationClosed") > 0 {
            guard sd_bus_message_has_signature(message, "uu") > 0, let number = Self.number(message) else { return }
            events.append(.closed(sender: sender, number: number))
        } else if sd_bus_message_is_signal(message, Self.name, "ActionInvoked") > 0 {
            guard sd_bus_message_has_signature(message, "us") > 0, let number = Self.number(message),
                let action = Self.text(message)
            else { return }
            events.append(.invoked(sender: sender, number: number, action: action))
        }
    }

    /// Whether nobody answered, in place of the server saying no.
    private static func isGone(_ message: OpaquePointer) -> Bool {
        let gone = ["NoReply", "ServiceUnknown", "NameHasNoOwner", "Disconnected", "Timeout", "TimedOut"]
        return gone.contains { sd_bus_message_is_method_error(message, "org.freedesktop.DBus.Error.\($0)") > 0 }
            || sd_bus_message_get_errno(message) == ETIMEDOUT
    }

    // MARK: Reading

    static func type(_ character: Unicode.Scalar) -> CChar { CChar(character.value) }

    private static func sender(_ message: OpaquePointer) -> String? {
        sd_bus_message_get_sender(message).map { String(cString: $0) }
    }

    private static func number(_ message: OpaquePointer) -> UInt32? {
        var number: UInt32 = 0
        return sd_bus_message_read_basic(message, type("u"), &number) > 0 ? number : nil
    }

    private static func text(_ message: OpaquePointer) -> String? {
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(message, type("s"), &text) > 0 else { return nil }
        return text.map { String(cString: $0) }
    }

    private static func texts(_ message: OpaquePointer) -> [String]? {
        guard sd_bus_message_has_signature(message, "as") > 0,
            sd_bus_message_enter_container(message, type("a"), "s") > 0
        else { return nil }
        var texts: [String] = []
        while texts.count < maximumCapabilities, let text = text(message) { texts.append(text) }
        return texts
    }
}
