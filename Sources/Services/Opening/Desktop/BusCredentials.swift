import BatonTransport
import CSystemd

/// Who is behind a connection to a bus: the question to the bus, and its answer.
enum BusCredentials {
    private static let bus = "org.freedesktop.DBus"
    private static let path = "/org/freedesktop/DBus"
    private static let maximumEntries = 100

    /// - Returns: the call, which the caller sends and releases.
    static func question(_ connection: OpaquePointer, about name: UnsafePointer<CChar>) -> OpaquePointer? {
        var message: OpaquePointer?
        guard sd_bus_message_new_method_call(connection, &message, bus, path, bus, "GetConnectionCredentials") >= 0
        else { return nil }
        guard sd_bus_message_append_basic(message, type("s"), name) >= 0 else {
            sd_bus_message_unref(message)
            return nil
        }
        return message
    }

    /// - Parameter answer: may be an error.
    /// - Returns: the process, which lived after its program was looked up; nil when the bus does not say, or when it has
    ///   ended. A bus that gives a descriptor of the process (`ProcessFD`) keeps a number from being taken for another's.
    static func process(_ answer: OpaquePointer) -> PeerProcess? {
        guard sd_bus_message_is_method_error(answer, nil) == 0, sd_bus_message_has_signature(answer, "a{sv}") > 0,
            sd_bus_message_enter_container(answer, type("a"), "{sv}") > 0
        else { return nil }
        var (processID, userID): (UInt32?, UInt32?)
        // The message keeps it, and closes it.
        var descriptor: Int32?
        var count = 0
        while sd_bus_message_enter_container(answer, type("e"), "sv") > 0 {
            count += 1
            var key: UnsafePointer<CChar>?
            guard count <= maximumEntries, sd_bus_message_read_basic(answer, type("s"), &key) > 0, let key else {
                return nil
            }
            switch String(cString: key) {
            case "ProcessID": processID = read("u", from: answer, 0)
            case "UnixUserID": userID = read("u", from: answer, 0)
            case "ProcessFD": descriptor = read("h", from: answer, 0)
            default: guard sd_bus_message_skip(answer, "v") >= 0 else { return nil }
            }
            guard sd_bus_message_exit_container(answer) >= 0 else { return nil }
        }
        guard let processID = processID.flatMap({ Int32(exactly: $0) }), let userID else { return nil }
        return try? PeerProcess.identify(processID, userID: userID, descriptor: descriptor)
    }

    /// What a variant holds, if it is of this type.
    private static func read<Value: FixedWidthInteger>(
        _ character: Unicode.Scalar, from message: OpaquePointer, _ empty: Value
    ) -> Value? {
        guard sd_bus_message_enter_container(message, type("v"), String(character)) > 0 else {
            sd_bus_message_skip(message, "v")
            return nil
        }
        defer { sd_bus_message_exit_container(message) }
        var value = empty
        return sd_bus_message_read_basic(message, type(character), &value) > 0 ? value : nil
    }

    private static func type(_ character: Unicode.Scalar) -> CChar { CChar(character.value) }
}
