import CGTK4
import Glibc

/// GTK's main loop, and what C calls back. Everything of GTK is used on the main thread.
@MainActor
package enum GTK {
    private static let loop = g_main_loop_new(nil, 0)

    /// - Parameters:
    ///   - entry: the name of the desktop entry, which has the picture of the windows.
    ///   - name: of the program, for people.
    /// - Returns: false where there is no display.
    package static func start(entry: String, name: String) -> Bool {
        g_set_prgname(entry)
        g_set_application_name(name)
        return gtk_init_check() != 0
    }

    /// Until ``quit()``.
    package static func run() { g_main_loop_run(loop) }
    package static func quit() { g_main_loop_quit(loop) }

    // MARK: What is called back

    /// A function that C keeps, until C lets go of it.
    @MainActor private final class Handler {
        let body: @MainActor (Int32) -> Bool

        init(_ body: @escaping @MainActor (Int32) -> Bool) { self.body = body }

        /// C calls on the main thread, where its loop runs.
        nonisolated static func call(_ data: UnsafeMutableRawPointer?, _ value: Int32 = 0) -> Bool {
            guard let data else { return false }
            let handler = Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue()
            return MainActor.assumeIsolated { handler.body(value) }
        }

        nonisolated static func release(_ data: UnsafeMutableRawPointer?) {
            if let data { Unmanaged<Handler>.fromOpaque(data).release() }
        }
    }

    /// How C calls the handler of a signal: with the object, what the signal brings, and the handler.
    package enum Signal {
        /// `clicked` of a button.
        case clicked
        /// `activate` of a field: Return was pressed.
        case activate
        /// `changed` of a field: its text is another.
        case changed
        /// `enter` of a controller: the focus comes to its widget.
        case enter
        /// `switch-page` of a notebook: the number of the page that comes to the front.
        case switchPage
        /// `notify::is-active` of a window: it has come to the front, or left it.
        case isActive
        /// `close-request` of a window, which then stays.
        case closeRequest
        /// `response` of a dialog: its number.
        case response
        /// `key-pressed` of a controller: the key's value; true if it is taken.
        case keyPressed
    }

    package static func connect(_ object: OpaquePointer, _ signal: Signal, _ body: @escaping @MainActor (Int32) -> Bool)
    {
        typealias Raw = UnsafeMutableRawPointer
        let (name, function): (String, @convention(c) () -> Void)
        switch signal {
        case .clicked:
            let called: @convention(c) (Raw?, Raw?) -> Void = { _, data in _ = Handler.call(data) }
            (name, function) = ("clicked", unsafeBitCast(called, to: (@convention(c) () -> Void).self))
        case .activate:
            let called: @convention(c) (Raw?, Raw?) -> Void = { _, data in _ = Handler.call(data) }
            (name, function) = ("activate", unsafeBitCast(called, to: (@convention(c) () -> Void).self))
        case .changed:
            let called: @convention(c) (Raw?, Raw?) -> Void = { _, data in _ = Handler.call(data) }
            (name, function) = ("changed", unsafeBitCast(called, to: (@convention(c) () -> Void).self))
        case .enter:
            let called: @convention(c) (Raw?, Raw?) -> Void = { _, data in _ = Handler.call(data) }
            (name, function) = ("enter", unsafeBitCast(called, to: (@convention(c) () -> Void).self))
        case .switchPage:
            let called: @convention(c) (Raw?, Raw?, UInt32, Raw?) -> Void = { _, _, page, data in
                _ = Handler.call(data, Int32(truncatingIfNeeded: page))
            }
            (name, function) = ("switch-page", unsafeBitCast(called, to: (@convention(c) () -> Void).self))
        case .isActive:
            let called: @convention(c) (Raw?, Raw?, Raw?) -> Void = { _, _, data in _ = Handler.call(data) }
            (name, function) = ("notify::is-active", unsafeBitCast(called, to: (@convention(c) () -> Void).self))
        case .closeRequest:
            let called: @convention(c) (Raw?, Raw?) -> Int32 = { _, data in
                _ = Handler.call(data)
                return 1
            }
            (name, function) = ("close-request", unsafeBitCast(called, to: (@convention(c) () -> Void).self))
        case .response:
            let called: @convention(c) (Raw?, Int32, Raw?) -> Void = { _, response, data in
                _ = Handler.call(data, response)
            }
            (name, function) = ("response", unsafeBitCast(called, to: (@convention(c) () -> Void).self))
        case .keyPressed:
            let called: @convention(c) (Raw?, UInt32, UInt32, UInt32, Raw?) -> Int32 = { _, key, _, _, data in
                Handler.call(data, Int32(truncatingIfNeeded: key)) ? 1 : 0
            }
            (name, function) = ("key-pressed", unsafeBitCast(called, to: (@convention(c) () -> Void).self))
        }
        g_signal_connect_data(
            UnsafeMutableRawPointer(object), name, function, Unmanaged.passRetained(Handler(body)).toOpaque(),
            { data, _ in Handler.release(data) }, 0)
    }

    /// - Returns: what ``cancel(_:)`` takes, until it was called.
    package static func after(milliseconds: UInt32, _ body: @escaping @MainActor () -> Void) -> UInt32 {
        let handler = Handler { _ in
            body()
            return false
        }
        return g_timeout_add_full(
            0, milliseconds, { Handler.call($0) ? 1 : 0 }, Unmanaged.passRetained(handler).toOpaque(),
            { Handler.release($0) })
    }

    package static func cancel(_ timer: UInt32) { g_source_remove(timer) }

    /// Calls whenever the descriptor can be read or has ended, for as long as that returns true.
    package static func watch(_ descriptor: Int32, _ body: @escaping @MainActor () -> Bool) {
        // Readable, failed, ended.
        g_unix_fd_add_full(
            0, descriptor, 1 | 8 | 16, { _, _, data in Handler.call(data) ? 1 : 0 },
            Unmanaged.passRetained(Handler { _ in body() }).toOpaque(), { Handler.release($0) })
    }
}
