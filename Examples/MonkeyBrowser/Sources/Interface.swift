import Foundation

/// A front end over the same view controllers.
@MainActor
protocol Interface: AnyObject {
    func start()
    func stop()
}

/// Which front end a run gets.
enum InterfaceChoice: Equatable {
    /// For a person.
    case terminal
    /// Commands from the standard input.
    case standardInput
    /// Commands from a FIFO or file.
    case file(String)
    /// For a person with a display: the path of the program with the window.
    case window(String)
    /// Launched by the daemon: nothing to read from.
    case headless

    /// - Parameter window: the path of the program with the window, if there is one and a display for it.
    init(arguments: [String], environment: [String: String], isTerminal: Bool, window: String? = nil) {
        let option = "--script="
        if let path = environment["BATON_SCRIPT"], !path.isEmpty {
            self = .file(path)
        } else if let path = arguments.dropFirst().first(where: { $0.hasPrefix(option) })?.dropFirst(option.count) {
            self = .file(String(path))
        } else if arguments.dropFirst().contains("--script") {
            self = .standardInput
        } else if let window {
            self = .window(window)
        } else {
            self = isTerminal ? .terminal : .headless
        }
    }

    @MainActor
    func makeInterface(
        browser: Browser, log: any EventLog, terminalLog: TerminalLog?, window: WindowProcess?, isTerminal: Bool
    ) -> (any Interface)? {
        switch self {
        case .window:
            window.map { WindowInterface(browser: browser, window: $0, log: log, isTerminal: isTerminal) }
        case .terminal: terminalLog.map { TerminalInterface(browser: browser, log: $0) }
        case .standardInput: ScriptInterface(browser: browser, log: log, source: .standardInput)
        case .file(let path): ScriptInterface(browser: browser, log: log, source: .file(path))
        case .headless: nil
        }
    }
}
