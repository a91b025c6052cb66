import DesktopProtocol
import Foundation
import Testing

/// The helper's program, on a virtual screen.
@Suite(.serialized, .timeLimit(.minutes(2))) struct HelperTests {
    private func choice(_ titles: String..., id: UInt64 = 1, app: String = "App") -> DesktopQuestion {
        DesktopQuestion(
            id: id, app: app, kind: .choice, title: "Share 1 item",
            options: titles.map { DesktopOption(id: $0, title: $0) })
    }

    @Test("a sheet is chosen from with the keyboard, and left with Escape or its last button (A-2)")
    func chosen() async throws {
        try await HelperFixture.with { helper, windows in
            helper.send(.ask(question: choice("Copy", "Mail", "Print")))
            try await windows.press(["Tab", "Return"], in: try await windows.shown("App"))
            #expect(try await helper.reply() == .answered(id: 1, answer: .option(id: "Mail")))
            try await windows.gone("App")
            helper.send(.ask(question: choice("Copy", id: 2)))
            try await windows.press(["Escape"], in: try await windows.shown("App"))
            #expect(try await helper.reply() == .answered(id: 2, answer: .cancelled))
            try await windows.gone("App")
            helper.send(.ask(question: choice("Copy", id: 3)))
            try await windows.press(["Tab", "Return"], in: try await windows.shown("App"))
            #expect(try await helper.reply() == .answered(id: 3, answer: .cancelled))
        }
    }

    private func permission(_ id: UInt64, app: String) -> DesktopQuestion {
        var question = choice("Allow", "Do not allow", id: id, app: app)
        question.kind = .permission
        return question
    }

    @Test func `keys that a person types for another window give no app a permission, nor take it away`() async throws {
        // A minute: a slow machine cannot make it pass by.
        try await HelperFixture.with(quiet: 60_000) { helper, windows in
            helper.send(.ask(question: permission(1, app: "Curious")))
            try await windows.press(
                ["Return", "space", "Tab", "Return", "a", "Tab", "Tab", "space", "Escape"],
                in: try await windows.shown("Curious"))
            helper.send(.ask(question: choice("Copy", id: 2)))
            try await windows.press(["Return"], in: try await windows.shown("App"))
            // The first answer of all.
            #expect(try await helper.reply() == .answered(id: 2, answer: .option(id: "Copy")))
            _ = try await windows.shown("Curious")
        }
    }

    @Test func `no answer about a permission has the focus at first; Escape gives none, and the keyboard reaches all`()
        async throws
    {
        try await HelperFixture.with(quiet: 0) { helper, windows in
            helper.send(.ask(question: permission(1, app: "First")))
            try await windows.press(["Return", "space", "Escape"], in: try await windows.shown("First"))
            #expect(try await helper.reply() == .answered(id: 1, answer: .cancelled))
            try await windows.gone("First")
            helper.send(.ask(question: permission(2, app: "Second")))
            try await windows.press(["Tab", "Return"], in: try await windows.shown("Second"))
            #expect(try await helper.reply() == .answered(id: 2, answer: .option(id: "Allow")))
        }
    }

    @Test func `a line of text is typed over what is suggested, and is never empty`() async throws {
        try await HelperFixture.with { helper, windows in
            helper.send(
                .ask(question: DesktopQuestion(id: 9, app: "App", kind: .text, title: "Name?", suggestion: "old")))
            let window = try await windows.shown("App")
            try await windows.press(["ctrl+a", "BackSpace", "Return", "n", "e", "w", "Return"], in: window)
            #expect(try await helper.reply() == .answered(id: 9, answer: .text(value: "new")))
        }
    }

    @Test("a folder is chosen in a file dialog, which begins at the nearest one that there is (A-2)")
    func folder() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("baton-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await HelperFixture.with { helper, windows in
            helper.send(
                .ask(
                    question: DesktopQuestion(
                        id: 3, app: "App", kind: .directory, title: "Where",
                        suggestion: folder.path + "/not/there")))
            try await windows.press(["alt+s"], in: try await windows.shown("App: Where"))
            guard case .answered(3, .text(let path)) = try await helper.reply() else {
                Issue.record("The dialog was cancelled.")
                return
            }
            #expect(URL(fileURLWithPath: path).resolvingSymlinksInPath().path == folder.resolvingSymlinksInPath().path)
            helper.send(.ask(question: DesktopQuestion(id: 4, app: "App", kind: .openFile, title: "Which")))
            try await windows.press(["Escape"], in: try await windows.shown("App: Which"))
            #expect(try await helper.reply() == .answered(id: 4, answer: .cancelled))
        }
    }

    @Test("U-23: a launch image is a window until it is hidden")
    func image() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).png")
        try Self.png.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await HelperFixture.with { helper, windows in
            helper.send(.showImage(image: DesktopImage(id: 5, app: "Slow", path: file.path)))
            _ = try await windows.shown("Slow")
            helper.send(.hideImage(id: 5))
            try await windows.gone("Slow")
        }
    }

    @Test("U-25: a screen of two pixels a point shows the picture that is made for it")
    func scaledImage() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString)@2x.png")
        try Self.png.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let image = DesktopImage(id: 6, app: "Sharp", path: "/nonexistent/Default.png", scaled: [2: file.path])
        try await HelperFixture.with(scale: 2) { helper, windows in
            helper.send(.showImage(image: image))
            _ = try await windows.shown("Sharp")
        }
    }

    @Test func `a question that is withdrawn goes, and the helper ends with its daemon`() async throws {
        try await HelperFixture.with { helper, windows in
            helper.send(.ask(question: choice("Copy", app: "First")))
            _ = try await windows.shown("First")
            helper.send(.withdraw(id: 1))
            try await windows.gone("First")
            helper.process.closeInput()
            #expect(try await helper.status() == 0)
            #expect(try await helper.reply() == nil)
        }
    }

    @Test func `pictures that are none, and lines that are none, do no harm`() async throws {
        var question = choice("Copy")
        question.options[0].icon = Data(Self.png.prefix(40) + Data(repeating: 0xFF, count: 2000))
        question.options += [
            DesktopOption(id: "a", title: "\u{202E}\n", icon: Data("<svg/>".utf8)),
            DesktopOption(id: "b", title: "<b>bold</b>", iconPath: "/dev/zero/none", iconName: "no-such-icon"),
        ]
        let hostile = question
        try await HelperFixture.with { helper, windows in
            let lines = [
                "", "{}", "null", #"{"ask":{}}"#, #"{"later":{"id":1}}"#, "\u{0}\u{1}", #"{"withdraw":{"id":77}}"#,
            ]
            for line in lines { helper.process.write(line) }
            for path in ["/nonexistent", "/etc/passwd", "/tmp"] {
                helper.send(.showImage(image: DesktopImage(id: 1, app: "Hostile", path: path)))
            }
            helper.send(.ask(question: hostile))
            try await windows.press(["Tab", "Tab", "Return"], in: try await windows.shown("App"))
            #expect(try await helper.reply() == .answered(id: 1, answer: .option(id: "b")))
            // A line without an end.
            helper.process.write(bytes: Array(repeating: 0x20, count: DesktopLines.maximumRequest + 100_000))
            #expect(try await helper.status() == 1)
        }
    }

    @Test func `the helper ends when nothing is shown for a while, and not before`() async throws {
        try await HelperFixture.with(idle: 1) { helper, windows in
            helper.send(.ask(question: choice("Copy", app: "Second")))
            let window = try await windows.shown("Second")
            try await Task.sleep(for: .milliseconds(1200))  // sleeps: for longer than it stays without windows
            try await windows.press(["Return"], in: window)
            #expect(try await helper.reply() == .answered(id: 1, answer: .option(id: "Copy")))
            #expect(try await helper.status() == 0)
        }
    }

    @Test func `without a display the helper says so by its status`() async throws {
        let helper = try HelperFixture(display: ":4242")
        #expect(try await helper.status() == 2)
        #expect(try await helper.reply() == nil)
    }

    /// One point.
    private static let png =
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        ) ?? Data()
}
