import Foundation

/// Carries out commands line by line; what happens is in the log.
@MainActor
final class ScriptInterface: Interface {
    enum Source: Sendable {
        case standardInput
        case file(String)
    }

    private let browser: Browser
    private let log: any EventLog
    private let source: Source

    init(browser: Browser, log: any EventLog, source: Source) {
        self.browser = browser
        self.log = log
        self.source = source
    }

    /// Reads on a thread of its own, since reading waits; it ends with the process.
    func start() {
        let source = source
        let log = log
        Thread.detachNewThread { [weak self] in
            guard let file = Self.open(source) else {
                return log.record(Event(name: "error", fields: ["message": "The script cannot be opened."]))
            }
            while let line = Self.readLine(file) {
                DispatchQueue.main.async { MainActor.assumeIsolated { self?.perform(line) } }
            }
            // The pipe's other end is gone. A file's commands are done, and the app goes on.
            if case .standardInput = source {
                DispatchQueue.main.async { MainActor.assumeIsolated { self?.perform("quit") } }
            }
        }
    }

    func stop() {}

    func perform(_ line: String) {
        guard let command = ScriptCommand(line) else {
            if !line.allSatisfy(\.isWhitespace) {
                log.record(Event(name: "error", fields: ["message": "Not a command: \(line)"]))
            }
            return
        }
        switch command {
        case .tab(let tab): browser.select(tab)
        case .go(let url): browser.frontViewController.go(url)
        case .state: log.record(state)
        case .quit:
            log.record(Event(name: "end"))
            exit(0)
        }
    }

    private var state: Event {
        let viewController = browser.frontViewController
        let (page, content) =
            switch viewController.page {
            case .blank: ("blank", "")
            case .loading: ("loading", "")
            case .loaded(_, let page): ("loaded", page.title)
            case .failed(_, let why): ("failed", why)
            }
        return Event(
            name: "state",
            fields: [
                "tab": String(viewController.tab.rawValue), "title": viewController.tab.title, "page": page,
                "url": viewController.page.url, "content": content,
                "indicator": viewController.overlay.isShown ? "animating" : "",
                "message": viewController.overlay.isShown ? Overlay.message : "",
                "overlay": String(viewController.overlay.alpha(at: .now)),
            ])
    }

    /// A FIFO is opened for writing too, so that it does not end when a writer closes it.
    private nonisolated static func open(_ source: Source) -> UnsafeMutablePointer<FILE>? {
        switch source {
        case .standardInput: fdopen(STDIN_FILENO, "r")
        case .file(let path): fopen(path, isFIFO(path) ? "r+" : "r")
        }
    }

    private nonisolated static func isFIFO(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    private nonisolated static func readLine(_ file: UnsafeMutablePointer<FILE>) -> String? {
        var buffer: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(buffer) }
        let count = getline(&buffer, &capacity, file)
        guard count >= 0, let buffer else { return nil }
        let bytes = UnsafeRawBufferPointer(start: buffer, count: count)
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}
