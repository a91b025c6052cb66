import BatonCore
import BatonTransport
import CSystemd
import Foundation

/// One connection to a session bus, on which apps have names. Lives and dies on one thread; nothing blocks.
///
/// Everything that comes is untrusted: each message's signature is checked before it is read.
final class ApplicationBusConnection {
    enum Event: Sendable {
        case ready
        case called(UInt64, ApplicationCall)
        case searched(UInt64, DesktopSearchCall)
    }

    /// What is answered to a call.
    enum Answer: Sendable {
        case performed
        case found(DesktopSearchAnswer)
        case failed(String)
    }

    /// Calls whose caller is not known yet.
    private enum Pending {
        case app(ApplicationCall)
        case search(DesktopSearchCall)

        /// - Parameter caller: nil where the bus does not say.
        func event(_ number: UInt64, from caller: PeerProcess?) -> Event {
            switch self {
            case .app(var call):
                call.caller = caller
                return .called(number, call)
            case .search(var call):
                call.caller = caller
                return .searched(number, call)
            }
        }
    }

    private static let interface = "org.freedesktop.Application"
    /// Messages that are looked at in one turn.
    private static let messagesPerTurn = 64
    /// Calls that are not answered yet.
    private static let maximumCalls = 64
    private static let maximumURLs = 100
    /// Until the bus has said who calls.
    private static let answerLimit = Duration.seconds(10)

    private let bus: OpaquePointer
    private var isReady = false
    private var events: [Event] = []
    private var calls: [UInt64: OpaquePointer] = [:]
    private var lastCall: UInt64 = 0
    /// Calls whose caller the bus was asked about, by the number of the question. Bounded as the calls.
    private var unidentified: [UInt64: (number: UInt64, call: Pending)] = [:]
    private var names: [BusName: BundleID] = [:]

    /// - Returns: nil when there is no bus at the address.
    init?(address: String) {
        var made: OpaquePointer?
        guard sd_bus_new(&made) >= 0, let made else { return nil }
        bus = made
        guard sd_bus_set_address(bus, address) >= 0, sd_bus_set_bus_client(bus, 1) >= 0, sd_bus_start(bus) >= 0 else {
            sd_bus_unref(bus)
            return nil
        }
        sd_bus_add_filter(bus, nil, Self.received, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Nothing may be called afterwards.
    func close() {
        for call in calls.values { sd_bus_message_unref(call) }
        calls = [:]
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

    /// Does what can be done now.
    /// - Returns: what came; and whether the connection is over.
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
            events.insert(.ready, at: 0)
        }
        return (events, result < 0)
    }

    // MARK: Names

    /// Without an answer of its own: a name that somebody else has is ours once they leave it.
    func request(_ name: BusName) {
        if name.description != DesktopSearchNames.bus { names[name] = BundleID(rawValue: name.description) }
        sd_bus_request_name_async(bus, nil, name.description, UInt64(SD_BUS_NAME_QUEUE), { _, _, _ in 0 }, nil)
    }

    func release(_ name: BusName) {
        names[name] = nil
        sd_bus_release_name_async(bus, nil, name.description, { _, _, _ in 0 }, nil)
    }

    // MARK: Answers

    func answer(_ number: UInt64, _ answer: Answer) {
        guard let call = calls.removeValue(forKey: number) else { return }
        switch answer {
        case .performed: reply(to: call, nil)
        case .failed(let message): reply(to: call, ("org.freedesktop.DBus.Error.Failed", message))
        case .found(let found): reply(to: call) { DesktopSearchMessages.write(found, to: call, &$0) }
        }
        sd_bus_message_unref(call)
    }

    private func reply(to call: OpaquePointer, _ write: (inout BusWriter) -> Void) {
        var message: OpaquePointer?
        guard sd_bus_message_new_method_return(call, &message) >= 0, let message else { return }
        defer { sd_bus_message_unref(message) }
        var writer = BusWriter(message)
        write(&writer)
        guard writer.isWhole else {
            return reply(to: call, ("org.freedesktop.DBus.Error.Failed", "The answer could not be written."))
        }
        sd_bus_send(bus, message, nil)
    }

    private func reply(to call: OpaquePointer, _ error: (name: String, message: String)?) {
        var message: OpaquePointer?
        if let error {
            error.name.withCString { name in
                error.message.withCString { text in
                    var failure = sd_bus_error(name: name, message: text, _need_free: 0)
                    sd_bus_message_new_method_error(call, &message, &failure)
                }
            }
        } else {
            sd_bus_message_new_method_return(call, &message)
        }
        guard let message else { return }
        sd_bus_send(bus, message, nil)
        sd_bus_message_unref(message)
    }

    // MARK: What comes

    private static let received: sd_bus_message_handler_t = { message, userdata, _ in
        guard let message, let userdata else { return 0 }
        return Unmanaged<ApplicationBusConnection>.fromOpaque(userdata).takeUnretainedValue().received(message) ? 1 : 0
    }

    /// - Returns: whether it was a call of an app, which needs no other answer.
    private func received(_ message: OpaquePointer) -> Bool {
        if let path = sd_bus_message_get_path(message), String(cString: path) == DesktopSearchNames.path {
            return searched(message)
        }
        guard let app = app(of: message) else { return false }
        if sd_bus_message_is_method_call(message, "org.freedesktop.DBus.Introspectable", "Introspect") > 0 {
            describe(message)
            return true
        }
        guard sd_bus_message_is_method_call(message, Self.interface, nil) > 0 else { return false }
        guard let request = request(of: message) else {
            reply(to: message, ("org.freedesktop.DBus.Error.NotSupported", "\(app) has no such action."))
            return true
        }
        take(message, .app(ApplicationCall(app: app, request: request)))
        return true
    }

    /// A call of the desktop's search.
    private func searched(_ message: OpaquePointer) -> Bool {
        guard sd_bus_message_is_method_call(message, nil, nil) > 0 else { return false }
        switch DesktopSearchMessages.read(message) {
        case .request(let request)?: take(message, .search(DesktopSearchCall(request: request)))
        case .immediate(let write)?: reply(to: message, write)
        // The bus library answers what every object has.
        case nil where sd_bus_message_is_method_call(message, "org.freedesktop.DBus.Peer", nil) > 0: return false
        case nil: reply(to: message, ("org.freedesktop.DBus.Error.UnknownMethod", "Search has no such method."))
        }
        return true
    }

    private func take(_ message: OpaquePointer, _ call: Pending) {
        guard calls.count < Self.maximumCalls else {
            return reply(
                to: message, ("org.freedesktop.DBus.Error.LimitsExceeded", "Too many calls are not answered yet."))
        }
        lastCall += 1
        calls[lastCall] = sd_bus_message_ref(message)
        identify(message, lastCall, call)
    }

    /// Asks the bus whose connection a call came from; with the answer the call goes on.
    private func identify(_ message: OpaquePointer, _ number: UInt64, _ call: Pending) {
        guard let sender = sd_bus_message_get_sender(message),
            let question = BusCredentials.question(bus, about: sender)
        else { return events.append(call.event(number, from: nil)) }
        defer { sd_bus_message_unref(question) }
        let connection = Unmanaged.passUnretained(self).toOpaque()
        var cookie: UInt64 = 0
        guard
            sd_bus_call_async(
                bus, nil, question, Self.identified, connection, UInt64(Self.answerLimit / .microseconds(1)))
                >= 0, sd_bus_message_get_cookie(question, &cookie) >= 0
        else { return events.append(call.event(number, from: nil)) }
        unidentified[cookie] = (number, call)
    }

    private static let identified: sd_bus_message_handler_t = { message, userdata, _ in
        guard let message, let userdata else { return 0 }
        Unmanaged<ApplicationBusConnection>.fromOpaque(userdata).takeUnretainedValue().identified(message)
        return 0
    }

    private func identified(_ answer: OpaquePointer) {
        var cookie: UInt64 = 0
        guard sd_bus_message_get_reply_cookie(answer, &cookie) >= 0,
            let asked = unidentified.removeValue(forKey: cookie)
        else { return }
        events.append(asked.call.event(asked.number, from: BusCredentials.process(answer)))
    }

    /// By the name that was called and the object's path. Two names may have one path, so the name goes first.
    private func app(of message: OpaquePointer) -> BundleID? {
        guard let path = sd_bus_message_get_path(message).map({ String(cString: $0) }) else { return nil }
        let destination = sd_bus_message_get_destination(message).map { String(cString: $0) }
        let fitting = names.filter { $0.key.objectPath == path }
        return fitting.first { $0.key.description == destination }?.value
            ?? fitting.min { $0.key < $1.key }?.value
    }

    private func request(of message: OpaquePointer) -> ApplicationCall.Request? {
        if sd_bus_message_is_method_call(message, Self.interface, "Activate") > 0 {
            return sd_bus_message_has_signature(message, "a{sv}") > 0 ? .activate : nil
        }
        guard sd_bus_message_is_method_call(message, Self.interface, "Open") > 0,
            sd_bus_message_has_signature(message, "asa{sv}") > 0,
            sd_bus_message_enter_container(message, Self.type("a"), "s") > 0
        else { return nil }
        var urls: [String] = []
        var text: UnsafePointer<CChar>?
        while sd_bus_message_read_basic(message, Self.type("s"), &text) > 0, let found = text {
            guard urls.count < Self.maximumURLs else { return nil }
            urls.append(String(cString: found))
        }
        return urls.isEmpty ? .activate : .open(urls)
    }

    private func describe(_ call: OpaquePointer) {
        var message: OpaquePointer?
        guard sd_bus_message_new_method_return(call, &message) >= 0, let message else { return }
        defer { sd_bus_message_unref(message) }
        let isWritten = Self.description.withCString { sd_bus_message_append_basic(message, Self.type("s"), $0) >= 0 }
        if isWritten { sd_bus_send(bus, message, nil) }
    }

    private static let description = """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
         <interface name="org.freedesktop.Application">
          <method name="Activate"><arg type="a{sv}" name="platform_data" direction="in"/></method>
          <method name="Open">
           <arg type="as" name="uris" direction="in"/><arg type="a{sv}" name="platform_data" direction="in"/>
          </method>
          <method name="ActivateAction">
           <arg type="s" name="action_name" direction="in"/><arg type="av" name="parameter" direction="in"/>
           <arg type="a{sv}" name="platform_data" direction="in"/>
          </method>
         </interface>
        </node>
        """

    private static func type(_ character: Unicode.Scalar) -> CChar { CChar(character.value) }
}
