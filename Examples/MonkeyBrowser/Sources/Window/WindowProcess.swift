import Foundation

/// The program that shows the window, `monkeybrowser-window`: this app needs no GTK for it.
@MainActor
final class WindowProcess {
    /// Bytes of a message from the window.
    private static let maximumLine = 1 << 20

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var source: (any DispatchSourceRead)?
    private var received = Data()
    private var loads: [UInt64: CheckedContinuation<PageContent, any Error>] = [:]
    /// The newest load of each tab, the only one that still matters.
    private var newest: [Int: UInt64] = [:]
    private var lastRequest: UInt64 = 0
    private var lastState: WindowState?
    private var hasEnded = false

    /// The person's actions in the window, and that it is there.
    var receive: (@MainActor (WindowEvent) -> Void)?
    /// Once, when the program has ended.
    var end: (@MainActor () -> Void)?

    init(program: String) {
        process.executableURL = URL(fileURLWithPath: program)
        // A window that has gone ends the app in its own way.
        signal(SIGPIPE, SIG_IGN)
    }

    /// The program reads what was sent before, too.
    func start() {
        process.standardInput = input
        process.standardOutput = output
        do {
            try process.run()
        } catch {
            return ended()
        }
        let descriptor = output.fileHandleForReading.fileDescriptor
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.read(descriptor) } }
        source.resume()
        self.source = source
    }

    /// Ends the program by ending its input.
    func stop() { try? input.fileHandleForWriting.close() }

    func show(_ state: WindowState) {
        guard state != lastState else { return }
        lastState = state
        send(.show(state: state))
    }

    /// Loads a page in a tab's web view. A newer load of the same tab ends an older one.
    func load(_ address: String, in tab: Tab) async throws -> PageContent {
        guard let url = WebPageLoader.url(of: address) else {
            throw PageFailure("“\(address)” is no address of a page.")
        }
        guard !hasEnded else { throw PageFailure("The window is closed.") }
        lastRequest += 1
        let request = lastRequest
        if let older = newest.updateValue(request, forKey: tab.index) { finish(older, .failure(Self.replaced)) }
        return try await withCheckedThrowingContinuation { continuation in
            loads[request] = continuation
            send(.load(request: request, tab: tab.index, url: url.absoluteString))
        }
    }

    private static let replaced = PageFailure("Another page was asked for meanwhile.")

    private func finish(_ request: UInt64, _ result: Result<PageContent, any Error>) {
        loads.removeValue(forKey: request)?.resume(with: result)
    }

    private func send(_ command: WindowCommand) {
        guard !hasEnded, let line = try? JSONEncoder().encode(command) else { return }
        try? input.fileHandleForWriting.write(contentsOf: line + [0x0A])
    }

    private func read(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = Foundation.read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        guard count > 0, received.count + count <= Self.maximumLine else { return ended() }
        received += buffer[..<count]
        while let end = received.firstIndex(of: 0x0A) {
            let event = try? JSONDecoder().decode(WindowEvent.self, from: Data(received[..<end]))
            received = Data(received[(end + 1)...])
            if let event { handle(event) }
        }
    }

    private func handle(_ event: WindowEvent) {
        switch event {
        case .loaded(let request, let title):
            finish(request, .success(PageContent(title: title, lines: [])))
        case .failed(let request, let why): finish(request, .failure(PageFailure(why)))
        case .ready, .selected, .go, .navigated, .closed: receive?(event)
        }
    }

    private func ended() {
        guard !hasEnded else { return }
        hasEnded = true
        source?.cancel()
        for request in loads.keys { finish(request, .failure(PageFailure("The window is closed."))) }
        end?()
    }
}
