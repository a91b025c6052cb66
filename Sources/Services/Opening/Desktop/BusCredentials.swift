import BatonTransport
import SessionBus

/// The process behind a connection to a bus: the question to the bus, and its answer.
enum BusCredentials {
    static func question(_ connection: BusConnection, about name: String) -> BusMessage? {
        connection.methodCall(BusConnection.bus, "GetConnectionCredentials") { $0.string(name) }
    }

    /// - Parameter answer: may be an error.
    /// - Returns: the process, which lived after its program was looked up; nil when the bus does not say, or when it has
    ///   ended. A bus that gives a descriptor of the process (`ProcessFD`) keeps a number from being taken for another's.
    static func process(_ answer: BusMessage) -> PeerProcess? {
        guard !answer.isError, answer.has("a{sv}") else { return nil }
        var (processID, userID): (UInt32?, UInt32?)
        // The message keeps it, and closes it.
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
        return try? PeerProcess.identify(processID, userID: userID, descriptor: descriptor)
    }
}
