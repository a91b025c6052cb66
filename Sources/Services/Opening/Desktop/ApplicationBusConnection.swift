import BatonCore
import BatonTransport
import Glibc
import SessionBus

/// One connection to a session bus, on which apps have names. Lives and dies on one thread; nothing blocks.
///
/// Everything that comes is untrusted: each message's signature is checked before it is read.
final class ApplicationBusConnection {
    enum Event: Sendable {
        case ready
        case called(UInt64, ApplicationCall)
        case searched(UInt64, DesktopSearchCall)
        /// Another program has the name: how its process is called.
        case held(BusName, by: String)
        case acquired(BusName)
    }

    /// The answer to a call.
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
    /// Calls that are not answered yet.
    private static let maximumCalls = 64
    private static let maximumURLs = 100
    /// Until the bus has said who calls.
    private static let answerLimit = Duration.seconds(10)

    let connection: BusConnection
    private var events: [Event] = []
    private var calls: [UInt64: BusMessage] = [:]
    private var lastCall: UInt64 = 0
    private var names: [BusName: BundleID] = [:]
    /// The names that were asked for, with `search`'s.
    private var requested: Set<BusName> = []
    /// Names that another program had once: the bus says when they change hands. At most one rule for each on a connection.
    private var watched: Set<BusName> = []

    /// - Returns: nil when there is no bus at the address.
    init?(address: String) {
        guard let connection = BusConnection(address: address) else { return nil }
        self.connection = connection
        connection.received = { [unowned self] in received($0) }
    }

    /// Nothing may be called afterwards.
    func close() {
        calls = [:]
        connection.close()
    }

    // MARK: The loop

    /// Does what can be done now.
    /// - Returns: what came; and whether the connection is over.
    func process() -> (events: [Event], isOver: Bool) {
        events = []
        let turn = connection.process()
        if turn.becameReady { events.insert(.ready, at: 0) }
        return (events, turn.isOver)
    }

    // MARK: Names

    /// A name that another program has is ours once that leaves it.
    func request(_ name: BusName) {
        if name.description != DesktopSearchNames.bus { names[name] = BundleID(rawValue: name.description) }
        requested.insert(name)
        connection.requestName(name.description) { [unowned self] isOurs in
            if !isOurs { watchHolder(of: name) }
        }
    }

    /// Programs may wait in the line before us: each that gets the name is named in place of the one before.
    private func watchHolder(of name: BusName) {
        if watched.insert(name).inserted { connection.matchLater(BusConnection.ownerRule(name.description)) }
        identifyHolder(of: name)
    }

    /// Asks the bus who has a name that is not ours.
    private func identifyHolder(of name: BusName) {
        let isAsked = BusCredentials.question(connection, about: name.description).map { question in
            connection.send(question, timeout: Self.answerLimit) { [unowned self] answer in
                let holder = BusCredentials.process(answer)
                // It may have come to us meanwhile.
                guard holder?.processID != getpid() else { return }
                events.append(.held(name, by: Self.text(holder)))
            }
        }
        if isAsked != true { events.append(.held(name, by: Self.text(nil))) }
    }

    private static func text(_ holder: PeerProcess?) -> String {
        guard let holder else { return "a process that the bus does not name" }
        return "process \(holder.processID)" + (holder.program.map { ", \($0)" } ?? "")
    }

    func release(_ name: BusName) {
        names[name] = nil
        requested.remove(name)
        connection.releaseName(name.description)
    }

    // MARK: Answers

    func answer(_ number: UInt64, _ answer: Answer) {
        guard let call = calls.removeValue(forKey: number) else { return }
        switch answer {
        case .performed: connection.reply(to: call)
        case .failed(let message): connection.refuse(call, "org.freedesktop.DBus.Error.Failed", message)
        case .found(let found):
            connection.reply(to: call) { DesktopSearchMessages.write(found, to: call, &$0) }
        }
    }

    // MARK: Incoming messages

    /// - Returns: whether it was a call of an app, which needs no other answer.
    private func received(_ message: BusMessage) -> Bool {
        if let name = BusConnection.acquiredName(message).flatMap({ BusName(BundleID(unchecked: $0)) }) {
            events.append(.acquired(name))
            return false
        }
        if let change = BusConnection.ownerChange(message) {
            let name = BusName(BundleID(unchecked: change.name))
            // With no owner it comes to us next, which the bus says.
            if let name, change.owner != nil, requested.contains(name) { identifyHolder(of: name) }
            return false
        }
        if message.path == DesktopSearchNames.path { return searched(message) }
        guard let app = app(of: message) else { return false }
        if message.isCall("org.freedesktop.DBus.Introspectable", "Introspect") {
            connection.reply(to: message) { $0.string(Self.description) }
            return true
        }
        guard message.isCall(Self.interface) else { return false }
        guard let request = request(of: message) else {
            connection.refuse(message, "org.freedesktop.DBus.Error.NotSupported", "\(app) has no such action.")
            return true
        }
        take(message, .app(ApplicationCall(app: app, request: request)))
        return true
    }

    /// A call of the desktop's search.
    private func searched(_ message: BusMessage) -> Bool {
        guard message.isCall() else { return false }
        switch DesktopSearchMessages.read(message) {
        case .request(let request)?: take(message, .search(DesktopSearchCall(request: request)))
        case .immediate(let write)?: connection.reply(to: message, write)
        // The bus library answers what every object has.
        case nil where message.isCall("org.freedesktop.DBus.Peer"): return false
        case nil:
            connection.refuse(message, "org.freedesktop.DBus.Error.UnknownMethod", "Search has no such method.")
        }
        return true
    }

    private func take(_ message: BusMessage, _ call: Pending) {
        guard calls.count < Self.maximumCalls else {
            return connection.refuse(
                message, "org.freedesktop.DBus.Error.LimitsExceeded", "Too many calls are not answered yet.")
        }
        lastCall += 1
        calls[lastCall] = message
        identify(message, lastCall, call)
    }

    /// Asks the bus whose connection a call came from; with the answer the call goes on. Bounded as the calls.
    private func identify(_ message: BusMessage, _ number: UInt64, _ call: Pending) {
        let isAsked = message.sender.flatMap { BusCredentials.question(connection, about: $0) }.map { question in
            connection.send(question, timeout: Self.answerLimit) { [unowned self] answer in
                events.append(call.event(number, from: BusCredentials.process(answer)))
            }
        }
        if isAsked != true { events.append(call.event(number, from: nil)) }
    }

    /// By the name that was called and the object's path. Two names may have one path, so the name goes first.
    private func app(of message: BusMessage) -> BundleID? {
        guard let path = message.path else { return nil }
        let destination = message.destination
        let fitting = names.filter { $0.key.objectPath == path }
        return fitting.first { $0.key.description == destination }?.value
            ?? fitting.min { $0.key < $1.key }?.value
    }

    private func request(of message: BusMessage) -> ApplicationCall.Request? {
        if message.isCall(Self.interface, "Activate") { return message.has("a{sv}") ? .activate : nil }
        guard message.isCall(Self.interface, "Open", types: "asa{sv}"),
            let urls = message.texts(limit: Self.maximumURLs + 1), urls.count <= Self.maximumURLs
        else { return nil }
        return urls.isEmpty ? .activate : .open(urls)
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
}
