import SessionBus
import Testing

@testable import Notices

struct NoticeTextTests {
    @Test(
        "text of elsewhere is one line without anything that steers",
        arguments: [
            ("a\nb\tc\u{0}d", "a b cd"), ("  a \r\n  b  ", "a b"), ("\u{202E}evil\u{2066}", "evil"),
            ("a\u{2028}b\u{85}c", "a b c"), ("\u{1B}[31mred", "[31mred"), ("<b>&amp;</b>", "<b>&amp;</b>"),
            ("\u{E000}\u{FFFF}x", "x"), ("", ""), ("\u{AD}\u{FEFF}\u{200B}", ""), ("👩‍👩‍👧 नमस्ते ن‌ن", "👩‍👩‍👧 नमस्ते ن‌ن"),
        ])
    func oneLine(text: String, expected: String) {
        #expect(NoticeText.line(text, limit: 80) == expected)
    }

    @Test("it is bounded in characters, in marks on a character, and in what is looked at")
    func bounded() {
        let long = NoticeText.line(String(repeating: "ab ", count: 100_000), limit: 80)
        #expect(long.count <= 82)
        #expect(long.hasSuffix("…"))
        let heaped = NoticeText.line("a" + String(repeating: "\u{301}", count: 10_000) + "b", limit: 80)
        #expect(heaped.unicodeScalars.count <= 10)
        let invisible = NoticeText.line(String(repeating: "\u{200B}", count: 1_000_000) + "x", limit: 80)
        #expect(invisible.count <= 1)
        #expect(NoticeText.line(String(repeating: "x", count: 80), limit: 80) == String(repeating: "x", count: 80))
    }

    @Test(
        "no more than four marks stand on a character, whatever is taken out between them",
        arguments: ["\u{0}", "\u{202E}", "\u{200D}", "\u{0}\u{200D}", "\u{3164}", "\u{0}\u{1160}", "\u{E000}", ""]
    )
    func heaps(between: String) {
        for mark in ["\u{301}", "\u{20DD}", "\u{489}", "\u{1D165}", "\u{FE0F}"] {
            let marks = String(repeating: mark, count: 4)
            let heap = "a" + String(repeating: between + marks, count: 79)
            let line = NoticeText.line(heap + "b" + marks + mark, limit: 80)
            for part in line.unicodeScalars.split(separator: "b") {
                let count = part.count { $0 == Unicode.Scalar(mark) }
                #expect(count <= 4, "\(between.unicodeScalars.map(\.value)) \(mark.unicodeScalars.map(\.value))")
            }
        }
        // Marks of two kinds share the bound, and each character, and each space, has its own.
        let mixed = NoticeText.line("e\u{301}\u{20DD}\u{302}\u{303}\u{304}\u{20DE}", limit: 80)
        #expect(mixed.unicodeScalars.count == 5)
        let fair = "a\u{301}\u{302}\u{303}\u{304}b\u{301}\u{302}\u{303}\u{304}"
        #expect(Array(NoticeText.line(fair, limit: 80).unicodeScalars) == Array(fair.unicodeScalars))
        #expect(
            Array(NoticeText.line("a\u{301}\n\u{301}\u{301}\n\u{302}", limit: 80).unicodeScalars)
                == Array("a\u{301} \u{301}\u{301} \u{302}".unicodeScalars))
    }

    @Test("of a page only the host is told")
    func hosts() {
        #expect(NoticeText.host(of: "https://www.example.org:8443/a?b#c") == "www.example.org")
        #expect(NoticeText.host(of: "nothing") == "")
    }

    @Test(
        "a notification's body holds no markup of elsewhere where it may be markup, and the text as it is where it may not"
    )
    func markup() {
        var notice = Made.notice(1)
        notice.lines = [#"<a href="x">Q&A</a> <img src='y'>"#, "two"]
        let marked = NotifyCall(notice, replaces: 0, capabilities: .init(names: ["body", "body-markup", "actions"]))
        #expect(
            marked.body == "&lt;a href=\"x\"&gt;Q&amp;A&lt;/a&gt; &lt;img src='y'&gt;\ntwo")
        let plain = NotifyCall(notice, replaces: 0, capabilities: .init(names: ["body"]))
        #expect(plain.body.hasPrefix(#"<a href="x">Q&A</a>"#))
        #expect(plain.body.contains("baton continue"))
        #expect(plain.actions.isEmpty)
        let bare = NotifyCall(notice, replaces: 3, capabilities: .init(names: []))
        #expect(bare.body.isEmpty)
        #expect(bare.summary.contains("Q&A"))
        #expect(bare.replaces == 3)
    }

    @Test("each kind has its urgency, lifetime and buttons (H-10, H-13)")
    func kinds() {
        let all = DesktopCapabilities(names: ["body", "actions"])
        var notice = Made.notice(1)
        notice.icon = "/apps/A.app/Icon.png"
        let offer = NotifyCall(notice, replaces: 0, capabilities: all)
        #expect(offer.actions == ["default", "Continue", "continue", "Continue"])
        #expect(offer.icon == "/apps/A.app/Icon.png")
        #expect(offer.hints["image-path"] == .text("/apps/A.app/Icon.png"))
        #expect(offer.timeout == -1)
        let continuing = NotifyCall(Made.notice(2, .continuing), replaces: 0, capabilities: all)
        #expect(continuing.actions.isEmpty)
        #expect(continuing.hints["transient"] == .boolean(true))
        #expect(continuing.timeout == 0)
        #expect(
            NotifyCall(Made.notice(3, .failed), replaces: 0, capabilities: all).hints["category"]
                == .text("transfer.error"))
    }

    @Test(
        "the session bus is found as other programs find it",
        arguments: [
            (["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a"], "unix:path=/a"),
            (["XDG_RUNTIME_DIR": "/run/user/1"], "unix:path=/run/user/1/bus"),
            (["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": "/r,; ü"], "unix:path=/r%2c%3b%20%c3%bc/bus"),
            (["XDG_RUNTIME_DIR": "relative"], nil), ([:], nil),
        ] as [([String: String], String?)])
    func addresses(environment: [String: String], expected: String?) {
        #expect(BusAddress.session(in: environment) == expected)
    }
}
