import DesktopProtocol
import FormProtocol
import Foundation
import Synchronization
import Testing

/// AddressField's window, on a screen that nobody sees.
@Suite(.serialized, .timeLimit(.minutes(2))) struct FormWindowTests {
    /// The program, as AddressField runs it.
    private final class Window: Sendable {
        let process: ChildProcess
        /// Events that were read.
        private let read = Mutex(0)

        init(on screen: VirtualScreen) throws {
            process = try ChildProcess(
                [try HelperFixture.program("addressfield-window")],
                environment: HelperFixture.environment(screen.display))
        }

        func send(_ command: FormCommand) { process.write(bytes: DesktopLines.line(command) ?? []) }

        func event() async throws -> FormEvent? {
            let (index, lines) = (read.withLock { $0 }, process.output)
            let next = try await within(.seconds(30), "an event") { try await lines.first(from: index) { $0 } }
            guard let next else { return nil }
            read.withLock { $0 = next.next }
            return DesktopLines.message(FormEvent.self, in: Array(next.found.utf8))
        }

        /// The next one that is not about the focus, which a screen without a desktop moves as it likes.
        func done() async throws -> FormEvent? {
            while let event = try await event() {
                if case .focused = event { continue }
                return event
            }
            return nil
        }

        func wait(for event: FormEvent) async throws {
            while let next = try await self.event() {
                if next == event { return }
            }
            throw IntegrationFailure("The window has ended.")
        }
    }

    @Test("a window of GTK shows what is offered for its fields, and puts in what the person takes (P-26, P-36, P-39)")
    func form() async throws {
        let screen = try await VirtualScreen()
        let window = try Window(on: screen)
        let outcome: Result<Void, any Error>
        do {
            try await window.wait(for: .ready)
            let windows = ScreenWindows(on: screen)
            let shown = try await windows.shown("Address Field")
            try await windows.press(["1"], in: shown)
            try await window.wait(for: .edited(field: .address, text: "1"))
            // An offer is there, and the keyboard reaches it.
            window.send(.offer(field: .address, texts: ["101 Spear St (Yank Sing)", "Second"]))
            try await Task.sleep(for: .seconds(1))  // sleeps: the keyboard reaches what is drawn
            try await windows.press(["Tab", "Return"], in: shown)
            try await window.wait(for: .took(field: .address, offer: 0))
            window.send(.write(field: .address, text: "101 Spear St"))
            try await window.wait(for: .focused(field: .address))
            // The person goes on behind it, and what the app wrote is not told as typed.
            try await windows.press(["2"], in: shown)
            #expect(try await window.done() == .edited(field: .address, text: "101 Spear St2"))
            window.send(.offer(field: .address, texts: []))
            for line in ["", "{}", #"{"offer":{}}"#, #"{"write":{"field":"x","text":""}}"#] {
                window.process.write(line)
            }
            window.send(.write(field: .message, text: "Let's meet at "))
            try await window.wait(for: .focused(field: .message))
            try await windows.press(["x"], in: shown)
            try await window.wait(for: .edited(field: .message, text: "Let's meet at x"))
            window.process.closeInput()
            let process = window.process
            #expect(try await within(.seconds(20), "the end") { try await process.status() } == 0)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await window.process.end()
        await screen.end()
        try outcome.get()
    }
}
