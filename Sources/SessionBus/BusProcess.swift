/// The process that has a connection to a bus, by the word of the bus.
package struct BusProcess: Sendable, Hashable {
    package var processID: Int32
    package var userID: UInt32
    /// The process's; nil where the bus gives none. The bus's answer keeps it and closes it.
    package var descriptor: Int32?

    /// - Parameter answer: to ``BusConnection/processQuestion(_:)``; may be an error.
    /// - Returns: nil when the bus does not say.
    package init?(_ answer: BusMessage) {
        guard !answer.isError, answer.has("a{sv}") else { return nil }
        var (processID, userID): (UInt32?, UInt32?)
        var descriptor: Int32?
        let isRead = answer.entries { key in
            switch key {
            case "ProcessID": processID = answer.variant("u") { answer.unsigned() }
            case "UnixUserID": userID = answer.variant("u") { answer.unsigned() }
            case "ProcessFD": descriptor = answer.variant("h") { answer.descriptor() }
            default: break
            }
        }
        guard isRead, let processID = processID.flatMap({ Int32(exactly: $0) }), let userID else { return nil }
        (self.processID, self.userID, self.descriptor) = (processID, userID, descriptor)
    }
}

/// Whether a process may be a service of the person's desktop, such as its keyring. A program on a session bus, an app too, can take
/// every name that is free, and would be sent what the service is sent, and believed. Gets nil where the bus does not say which
/// process it is. Must not block.
package typealias BusTrust = @Sendable (BusProcess?) -> Bool

extension BusConnection {
    /// Asks the bus whose process a connection is. The answer is for ``BusProcess/init(_:)``.
    package func processQuestion(_ name: String) -> BusMessage? {
        methodCall(Self.bus, "GetConnectionCredentials") { $0.string(name) }
    }

    /// Does not wait for the bus.
    /// - Parameter owner: the unique name of a connection, which no other connection ever has.
    package func judge(
        _ owner: String, by trust: @escaping BusTrust, timeout: Duration, judged: @escaping (_ isTrusted: Bool) -> Void
    ) {
        let isSent = processQuestion(owner).map { question in
            send(question, timeout: timeout) { judged(Self.isTrusted($0, trust)) }
        }
        if isSent != true { judged(false) }
    }

    /// Blocks.
    /// - Parameter mayStart: whether the bus may start a service for it.
    /// - Returns: the unique name of the connection that has a name: what is sent there reaches no other program. Nil where none
    ///   has it, and where it is not trusted.
    package func trustedOwner(of name: String, mayStart: Bool, _ trust: BusTrust) -> String? {
        var found = owner(of: name)
        if found == nil, mayStart {
            let start = try? call(Self.bus, "StartServiceByName") { writer in
                writer.string(name)
                writer.unsigned(0)
            }
            found = start == nil ? nil : owner(of: name)
        }
        guard let found, let question = processQuestion(found), let answer = try? answer(to: question) else {
            return nil
        }
        return Self.isTrusted(answer, trust) ? found : nil
    }

    private static func isTrusted(_ answer: BusMessage, _ trust: BusTrust) -> Bool {
        // The descriptor is open as long as the answer is there.
        withExtendedLifetime(answer) { trust(BusProcess(answer)) }
    }
}
