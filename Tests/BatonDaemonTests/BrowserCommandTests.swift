import BatonCore
import BatonDaemon
import Testing

@Suite("The command of the setting “browser”")
struct BrowserCommandTests {
    private static let page = "https://example.org/a?b=c&d='$(touch x)'"

    @Test(
        "Words are quoted as in a shell, and the URL stays one argument, whatever it holds",
        arguments: [
            ("xdg-open %u", ["xdg-open", page]),
            ("firefox --new-tab  '%u'", ["firefox", "--new-tab", page]),
            (
                #""/opt/My Browser/run" --app=%u --name="a b" \"x"#,
                ["/opt/My Browser/run", "--app=\(page)", "--name=a b", "\"x"]
            ),
            ("sh -c 'echo $1; true' sh %u ''", ["sh", "-c", "echo $1; true", "sh", page, ""]),
        ])
    func words(_ text: String, _ words: [String]) throws {
        let command = try BrowserCommand(text)
        #expect([command.program] + command.arguments(opening: Self.page) == words)
        #expect(!command.isNone)
    }

    @Test("“none” is no command")
    func none() throws {
        #expect(try BrowserCommand("none").isNone)
        #expect(try BrowserCommand(" none ").isNone)
    }

    @Test(
        "A command without a program or without a place for the URL is refused",
        arguments: [
            "", " ", "firefox", "%u", "'' %u", "x%u", "firefox '%u", "firefox %u\\", "firefox %u\nrm",
            "firefox %u " + String(repeating: "x", count: 4096),
        ])
    func refused(_ text: String) {
        let error = #expect(throws: BatonError.self) { try BrowserCommand(text) }
        #expect(error?.reason == "invalid_setting")
    }
}
