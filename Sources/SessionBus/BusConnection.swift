import CSystemd
import Glibc

/// One connection to a session bus or to the system's bus. It lives and dies on one thread: see ``BusThread``.
package final class BusConnection {
    /// The bus's own name and object.
    package static let bus = BusObject(
        service: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus")
    package static let properties = "org.freedesktop.DBus.Properties"
    /// Messages that are looked at in one turn; the rest waits, so that others get their turn.
    private static let messagesPerTurn = 64

    private let bus: OpaquePointer
    package private(set) var isReady = false
    /// Looks at calls, and at signals that were matched. Set before the first message is looked at.
    /// - Returns: whether a call needs no other answer.
    package var received: ((BusMessage) -> Bool)?
    private var waiting: [UInt64: (BusMessage) -> Void] = [:]

    /// - Returns: nil when there is no bus at the address.
    package init?(address: String) {
        var made: OpaquePointer?
        guard sd_bus_new(&made) >= 0, let made else { return nil }
        bus = made
        guard sd_bus_set_address(bus, address) >= 0, sd_bus_set_bus_client(bus, 1) >= 0, sd_bus_start(bus) >= 0 else {
            sd_bus_unref(bus)
            return nil
        }
        sd_bus_add_filter(bus, nil, Self.filter, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Nothing may be called afterwards. Calls that wait are not answered.
    package func close() {
        waiting = [:]
        received = nil
        sd_bus_close_unref(bus)
    }

    // MARK: The loop

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

    package var hasUnsent: Bool {
        var count: UInt64 = 0
        return sd_bus_get_n_queued_write(bus, &count) >= 0 && count > 0
    }

    /// The results of one turn.
    package struct Turn {
        /// There may be more to do at once.
        package var isBusy = false
        package var becameReady = false
        /// The connection is to be closed.
        package var isOver = false
    }

    /// Does what can be done now, without blocking.
    package func process() -> Turn {
        var result: Int32 = 1
        var count = 0
        while result > 0, count < Self.messagesPerTurn {
            result = sd_bus_process(bus, nil)
            count += 1
        }
        guard result >= 0 else { return Turn(isOver: true) }
        let becameReady = !isReady && sd_bus_is_ready(bus) > 0
        if becameReady { isReady = true }
        return Turn(isBusy: result > 0, becameReady: becameReady)
    }

    /// The identifier of the bus; empty before the connection is ready.
    package var identifier: String {
        var id = sd_id128_t()
        guard isReady, sd_bus_get_bus_id(bus, &id) >= 0 else { return "" }
        return withUnsafeBytes(of: id) { $0.map { String($0, radix: 16) }.joined(separator: ".") }
    }

    // MARK: Signals and names

    /// Blocks.
    package func match(_ rule: String) -> Bool { sd_bus_add_match(bus, nil, rule, { _, _, _ in 0 }, nil) >= 0 }

    /// Does not wait for the bus. A bus that refuses it gives no signals.
    package func matchLater(_ rule: String) {
        sd_bus_add_match_async(bus, nil, rule, { _, _, _ in 0 }, { _, _, _ in 0 }, nil)
    }

    /// The rule for the change of a name's owner.
    package static func ownerRule(_ name: String) -> String {
        "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',"
            + "arg0='\(name)'"
    }

    /// A signal of the bus about the owner of a name.
    /// - Returns: the name, and its new owner, nil for none; nil for another message.
    package static func ownerChange(_ message: BusMessage) -> (name: String, owner: String?)? {
        guard message.sender == bus.service, message.isSignal(bus.interface, "NameOwnerChanged"), message.has("sss"),
            let name = message.text(), message.text() != nil, let owner = message.text()
        else { return nil }
        return (name, owner.isEmpty ? nil : owner)
    }

    /// Waits in the line for a name that another connection has (``acquiredName(_:)``). Does not wait for the bus.
    package func requestName(_ name: String, answered: @escaping (_ isOurs: Bool) -> Void) {
        request(name, flags: 0, answered)
    }

    /// Asks for a name without waiting in a line for it.
    package func requestNameNow(_ name: String, answered: @escaping (_ isOurs: Bool) -> Void) {
        // DBUS_NAME_FLAG_DO_NOT_QUEUE
        request(name, flags: 4, answered)
    }

    private func request(_ name: String, flags: UInt32, _ answered: @escaping (_ isOurs: Bool) -> Void) {
        let call = methodCall(Self.bus, "RequestName") { writer in
            writer.string(name)
            writer.unsigned(flags)
        }
        guard let call else { return }
        // DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER and …_ALREADY_OWNER.
        _ = send(call, timeout: .seconds(2)) { answer in
            answered(!answer.isError && [1, 4].contains(answer.unsigned()))
        }
    }

    /// - Returns: the name that the bus says this connection has now; nil for another message.
    package static func acquiredName(_ message: BusMessage) -> String? {
        guard message.sender == bus.service, message.isSignal(bus.interface, "NameAcquired"), message.has("s") else {
            return nil
        }
        return message.text()
    }

    package func releaseName(_ name: String) {
        sd_bus_release_name_async(bus, nil, name, { _, _, _ in 0 }, nil)
    }

    // MARK: Calls

    /// - Parameter mayStart: whether the bus may start the service for it.
    /// - Returns: nil when the arguments cannot be written.
    package func methodCall(
        _ object: BusObject, _ member: String, mayStart: Bool = true, _ write: (inout BusWriter) -> Void = { _ in }
    ) -> BusMessage? {
        var made: OpaquePointer?
        guard
            sd_bus_message_new_method_call(bus, &made, object.service, object.path, object.interface, member) >= 0,
            let made
        else { return nil }
        let message = BusMessage(owning: made)
        sd_bus_message_set_auto_start(made, mayStart ? 1 : 0)
        var writer = BusWriter(made)
        write(&writer)
        return writer.isWhole ? message : nil
    }

    /// - Parameter answered: gets the answer, or an error that the bus or the time-out made.
    /// - Returns: false when it could not be sent.
    package func send(_ call: BusMessage, timeout: Duration, answered: @escaping (BusMessage) -> Void) -> Bool {
        var cookie: UInt64 = 0
        let result = sd_bus_call_async(
            bus, nil, call.pointer, Self.answered, Unmanaged.passUnretained(self).toOpaque(),
            UInt64(timeout / .microseconds(1)))
        guard result >= 0, sd_bus_message_get_cookie(call.pointer, &cookie) >= 0 else { return false }
        waiting[cookie] = answered
        return true
    }

    /// Sends a call whose answer does not matter.
    package func sendWithoutReply(_ call: BusMessage) {
        sd_bus_message_set_expect_reply(call.pointer, 0)
        sd_bus_send(bus, call.pointer, nil)
    }

    /// The name of the D-Bus error with which a service refused; empty when the call could not be made.
    package struct Refusal: Error {
        package var name: String
    }

    /// Blocks.
    package func call(
        _ object: BusObject, _ member: String, timeout: Duration = .seconds(10), mayStart: Bool = true,
        _ write: (inout BusWriter) -> Void = { _ in }
    ) throws(Refusal) -> BusMessage {
        guard let message = methodCall(object, member, mayStart: mayStart, write) else { throw Refusal(name: "") }
        return try answer(to: message, timeout: timeout)
    }

    /// Sends a call and waits for its answer.
    func answer(to call: BusMessage, timeout: Duration = .seconds(10)) throws(Refusal) -> BusMessage {
        var error = sd_bus_error()
        defer { sd_bus_error_free(&error) }
        var reply: OpaquePointer?
        guard sd_bus_call(bus, call.pointer, UInt64(timeout / .microseconds(1)), &error, &reply) >= 0, let reply
        else { throw Refusal(name: error.name.map { String(cString: $0) } ?? "") }
        return BusMessage(owning: reply)
    }

    /// Blocks. Nil where the service does not say.
    package func property(_ object: BusObject, _ name: String, timeout: Duration = .seconds(10)) -> BusValue? {
        let target = BusObject(service: object.service, path: object.path, interface: Self.properties)
        let answer = try? call(target, "Get", timeout: timeout, mayStart: false) { writer in
            writer.string(object.interface)
            writer.string(name)
        }
        return answer?.values().first
    }

    /// Blocks.
    /// - Returns: the connection that has a name; nil where none has it.
    package func owner(of name: String) -> String? {
        try? call(Self.bus, "GetNameOwner") { $0.string(name) }.text()
    }

    // MARK: Answers

    package func reply(to call: BusMessage, _ write: (inout BusWriter) -> Void = { _ in }) {
        var made: OpaquePointer?
        guard sd_bus_message_new_method_return(call.pointer, &made) >= 0, let made else { return }
        defer { sd_bus_message_unref(made) }
        var writer = BusWriter(made)
        write(&writer)
        guard writer.isWhole else {
            return refuse(call, "org.freedesktop.DBus.Error.Failed", "The answer could not be written.")
        }
        sd_bus_send(bus, made, nil)
    }

    package func refuse(_ call: BusMessage, _ name: String, _ text: String) {
        var made: OpaquePointer?
        name.withCString { name in
            text.withCString { text in
                var failure = sd_bus_error(name: name, message: text, _need_free: 0)
                sd_bus_message_new_method_error(call.pointer, &made, &failure)
            }
        }
        guard let made else { return }
        sd_bus_send(bus, made, nil)
        sd_bus_message_unref(made)
    }

    package func signal(_ path: String, _ interface: String, _ member: String, _ write: (inout BusWriter) -> Void) {
        var made: OpaquePointer?
        guard sd_bus_message_new_signal(bus, &made, path, interface, member) >= 0, let made else { return }
        defer { sd_bus_message_unref(made) }
        var writer = BusWriter(made)
        write(&writer)
        if writer.isWhole { sd_bus_send(bus, made, nil) }
    }

    // MARK: Incoming messages

    private static let filter: sd_bus_message_handler_t = { message, userdata, _ in
        guard let message, let userdata else { return 0 }
        let connection = Unmanaged<BusConnection>.fromOpaque(userdata).takeUnretainedValue()
        return connection.received?(BusMessage(message)) == true ? 1 : 0
    }

    private static let answered: sd_bus_message_handler_t = { message, userdata, _ in
        guard let message, let userdata else { return 0 }
        let connection = Unmanaged<BusConnection>.fromOpaque(userdata).takeUnretainedValue()
        var cookie: UInt64 = 0
        guard sd_bus_message_get_reply_cookie(message, &cookie) >= 0,
            let answered = connection.waiting.removeValue(forKey: cookie)
        else { return 0 }
        answered(BusMessage(message))
        return 0
    }
}
