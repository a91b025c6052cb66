import CIBus
import FoundationEssentials
import Glibc
import InputMethod

/// One run of the input method: for as long as the person's `ibus-daemon` does.
///
/// Everything of IBus is used on the main thread, where GLib's loop runs.
@MainActor
package enum IBusRun {
    private static let usage: Int32 = 2
    private static let busName = "org.freedesktop.IBus.Baton"
    private static let loop = g_main_loop_new(nil, 0)
    private static var connection: OpaquePointer?
    private static var questions: Questions?

    /// - Parameter arguments: the program's; `ibus-daemon` starts it with `--ibus`.
    /// - Returns: the status to exit with: 1 where there is no `ibus-daemon`.
    package static func main(_ arguments: [String]) -> Int32 {
        guard arguments.dropFirst() == ["--ibus"] else {
            let sentence =
                "baton-ibus is Baton's input method. IBus starts it: choose “Baton” among the input sources.\n"
            _ = write(STDERR_FILENO, sentence, sentence.utf8.count)
            return usage
        }
        ibus_init()
        guard let bus = ibus_bus_new(), ibus_bus_is_connected(bus) != 0, let connection = ibus_bus_get_connection(bus),
            let factory = ibus_factory_new(connection)
        else { return 1 }
        self.connection = connection
        questions = DaemonQuestion(environment: ProcessInfo.processInfo.environment).map(Questions.init)
        let gone: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = { _, _ in
            MainActor.assumeIsolated { IBusRun.quit() }
        }
        connect(bus, "disconnected", unsafeBitCast(gone, to: Callback.self), nil)
        let made:
            @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafeMutableRawPointer?) ->
                UnsafeMutableRawPointer? = { _, name, _ in
                    let name = name.map { String(cString: $0) }
                    let address = MainActor.assumeIsolated { IBusRun.make(name).map { UInt(bitPattern: $0) } }
                    return address.flatMap { UnsafeMutableRawPointer(bitPattern: $0) }
                }
        connect(factory, "create-engine", unsafeBitCast(made, to: Callback.self), nil)
        guard ibus_bus_request_name(bus, busName, 0) != 0 else { return 1 }
        g_main_loop_run(loop)
        return 0
    }

    private static func quit() { g_main_loop_quit(loop) }

    // MARK: Engines

    private static var count = 0

    /// - Returns: nil for a name that is not ours.
    private static func make(_ name: String?) -> OpaquePointer? {
        guard name == "baton", let connection, let questions else { return nil }
        count += 1
        let path = "/org/freedesktop/IBus/Engine/Baton/\(count)"
        guard let engine = ibus_engine_new("baton", path, connection) else { return nil }
        IBusField.follow(engine, questions)
        return engine
    }

    // MARK: Signals

    typealias Callback = @convention(c) () -> Void

    /// - Parameters:
    ///   - isAfter: called after what the object does by itself, so that its own result counts.
    ///   - owned: what the callback gets as its last argument, kept until the object goes.
    static func connect(
        _ object: OpaquePointer, _ signal: String, _ callback: Callback, _ owned: AnyObject?, isAfter: Bool = false
    ) {
        g_signal_connect_data(
            UnsafeMutableRawPointer(object), signal, callback, owned.map { Unmanaged.passRetained($0).toOpaque() },
            { data, _ in
                if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
            }, isAfter ? 1 : 0)
    }
}
