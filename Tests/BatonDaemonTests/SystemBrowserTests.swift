import BatonCore
import BatonDaemon
import BatonTestSupport
import Foundation
import Handoff
import Testing

// H-84: what opens pages.
@Suite("The browser", .timeLimit(.minutes(1)))
struct SystemBrowserTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func browser(_ command: String, timeout: Duration = .seconds(20)) -> SystemBrowser {
        SystemBrowser(
            command: { command },
            environment: .init(
                variables: ["PATH": "/usr/bin:/bin", "HOME": folder.path, "DISPLAY": ":7"], descriptorLimit: 512,
                logs: folder.path, timeout: timeout),
            recorder: NullEventRecorder())
    }

    private func page(_ path: String = "a?b=c&d='$(touch)'") throws -> WebPage {
        try WebPage("https://example.org/\(path)")
    }

    @Test("Its program gets the URL as one argument, in a session of its own, with the daemon's environment")
    func opens() async throws {
        let file = folder.file("said")
        let script = #"printf "%s\n" "$#" "$1" "$DISPLAY" "$$" > "$0"; ps -o sid= -p $$ >> "$0""#
        let browser = browser("sh -c '\(script)' \(file) %u")
        #expect(browser.isAvailable)
        try await browser.open(try page())
        let said = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        #expect(said[1] == (try page().text))
        #expect(said[2] == ":7")
        #expect(said.last == said[3])
        #expect(browser.runningCount == 0)
    }

    @Test("A program that does not exist, or fails, is told of in a sentence")
    func fails() async throws {
        for (command, reason) in [
            ("no-such-browser %u", "browser_not_found"), ("/no/such/browser %u", "browser_not_found"),
            ("browser/relative %u", "browser_not_found"), ("sh -c 'exit 3' %u", "browser_failed"),
            ("sh -c 'kill -9 $$' %u", "browser_failed"), ("none", "no_browser"),
        ] {
            let browser = browser(command)
            let error = await #expect(throws: BatonError.self) { try await browser.open(try page()) }
            #expect(error?.reason == reason, "\(command)")
            #expect(error?.message.isEmpty == false)
            #expect(browser.runningCount == 0, "\(command)")
        }
        #expect(!browser("none").isAvailable)
    }

    @Test("One that stays is taken for the browser itself, and is reaped when it ends")
    func stays() async throws {
        let fifo = folder.file("fifo")
        #expect(mkfifo(fifo, 0o600) == 0)
        let browser = browser("sh -c 'read line < \"$0\"' \(fifo) %u", timeout: .milliseconds(100))
        try await browser.open(try page())
        #expect(browser.runningCount == 1)
        // Its end is awaited by its own reading.
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: fifo))
        try handle.write(contentsOf: Data("end\n".utf8))
        while browser.runningCount > 0 {
            try await Task.sleep(for: .milliseconds(10))  // sleeps: it causes no event outside of the browser
        }
        try handle.close()
    }
}
