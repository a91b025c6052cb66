import Foundation

/// The program that shows the form, `addressfield-window`: this app needs no GTK for it.
@MainActor
final class FormWindow {
    private nonisolated static let name = "addressfield-window"
    /// Bytes of a message from the window.
    private static let maximumLine = 1 << 20

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var source: (any DispatchSourceRead)?
    private var received = Data()
    private var lastOffers: [FormField: [String]] = [:]
    private var hasEnded = false
    private let receive: @MainActor (FormEvent) -> Void
    private let end: @MainActor () -> Void

    /// - Returns: the path of the program; nil without a display, where it is not installed, and in Baton's sandbox.
    nonisolated static func program(environment: [String: String], executable: String) -> String? {
        let hasDisplay = ["WAYLAND_DISPLAY", "DISPLAY"].contains { environment[$0]?.isEmpty == false }
        // An app that is confined has its container as its home.
        guard hasDisplay, environment["CFFIXED_USER_HOME"] == nil else { return nil }
        let beside = URL(fileURLWithPath: executable).deletingLastPathComponent().path
        let search = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return ([beside] + search).map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
    }

    /// - Parameters:
    ///   - receive: what the person does.
    ///   - end: called once, when the program has ended.
    init(program: String, receive: @escaping @MainActor (FormEvent) -> Void, end: @escaping @MainActor () -> Void) {
        self.receive = receive
        self.end = end
        process.executableURL = URL(fileURLWithPath: program)
        process.standardInput = input
        process.standardOutput = output
        // A window that has gone ends the app in its own way.
        signal(SIGPIPE, SIG_IGN)
    }

    func start() {
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

    func offer(_ texts: [String], for field: FormField) {
        guard texts != lastOffers.updateValue(texts, forKey: field) ?? [] else { return }
        send(.offer(field: field, texts: texts))
    }

    /// Only what the person did not type in the window: that is there, and may be more by now.
    func write(_ text: String, into field: FormField) { send(.write(field: field, text: text)) }

    private func send(_ command: FormCommand) {
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
            let event = try? JSONDecoder().decode(FormEvent.self, from: Data(received[..<end]))
            received = Data(received[(end + 1)...])
            if let event { receive(event) }
        }
    }

    private func ended() {
        guard !hasEnded else { return }
        hasEnded = true
        source?.cancel()
        end()
    }
}
