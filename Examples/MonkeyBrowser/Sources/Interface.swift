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
    /// Launched by the daemon: nothing to read from.
    case headless

    init(arguments: [String], environment: [String: String], isTerminal: Bool) {
        let option = "--script="
        if let path = environment["BATON_SCRIPT"], !path.isEmpty {
            self = .file(path)
        } else if let path = arguments.dropFirst().first(where: { $0.hasPrefix(option) })?.dropFirst(option.count) {
            self = .file(String(path))
        } else if arguments.dropFirst().contains("--script") {
            self = .standardInput
        } else {
            self = isTerminal ? .terminal : .headless
        }
    }

    @MainActor
    func makeInterface(browser: Browser, log: any EventLog, terminalLog: TerminalLog?) -> (any Interface)? {
        switch self {
        case .terminal: terminalLog.map { TerminalInterface(browser: browser, log: $0) }
        case .standardInput: ScriptInterface(browser: browser, log: log, source: .standardInput)
        case .file(let path): ScriptInterface(browser: browser, log: log, source: .file(path))
        case .headless: nil
        }
    }
}
