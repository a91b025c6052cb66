import Foundation
import Testing

@testable import DesktopHelper

/// The messages between the daemon and the helper, and where the display is.
@Suite struct DesktopLinesTests {
    @Test func `messages are the same behind a line, however its bytes come`() throws {
        let option = DesktopOption(
            id: "0", title: "Copy\nand \u{2028}more", icon: Data([0, 10, 255]), iconName: "edit-copy")
        let question = DesktopQuestion(
            id: .max, app: "Ä", kind: .choice, title: "Share", options: [option], suggestion: "/tmp")
        let requests: [DesktopRequest] = [
            .ask(question: question),
            .ask(question: DesktopQuestion(id: 1, app: "App", kind: .permission, title: "May it?", options: [option])),
            .withdraw(id: 3), .hideImage(id: -1),
            .showImage(image: DesktopImage(id: 4, app: "App", path: "/a b/Default.png")),
            .showImage(
                image: DesktopImage(id: 5, app: "App", path: "/a/Default.png", scaled: [2: "/a/Default@2x.png"])),
        ]
        let bytes = requests.flatMap { DesktopLines.line($0) ?? [] }
        for size in [1, 7, 4096] {
            var lines = DesktopLines(limit: 10_000)
            var found: [DesktopRequest?] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                found += try lines.take(bytes[start..<min(start + size, bytes.count)])
                    .map { DesktopLines.message(DesktopRequest.self, in: $0) }
            }
            #expect(found == requests)
        }
    }

    @Test func `a line without an end is refused, and what is no message is none`() throws {
        var lines = DesktopLines(limit: 10)
        #expect(try lines.take(Array("0123456789".utf8)).isEmpty)
        #expect(throws: DesktopLines.TooLong.self) { try lines.take(Array("0".utf8)) }
        for text in [
            "", "null", "[]", "{}", #"{"answered":{}}"#, #"{"answered":{"id":-1,"answer":{"cancelled":{}}}}"#, "\u{0}",
        ] {
            #expect(DesktopLines.message(DesktopReply.self, in: Array(text.utf8)) == nil)
        }
        #expect(DesktopLines.message(DesktopReply.self, in: Array(#"{"ready":{}}"#.utf8)) == .ready)
    }

    @Test func `the display is that of the person's systemd where the daemon has none`() {
        let manager = ["WAYLAND_DISPLAY=wayland-0", "LANG=de_DE.UTF-8", "LD_PRELOAD=/tmp/x.so", "PATH=/tmp", "NOTHING"]
        let found = DisplayEnvironment.merged(["PATH": "/usr/bin", "LANG": "C"], with: manager)
        #expect(found == ["PATH": "/usr/bin", "LANG": "de_DE.UTF-8", "WAYLAND_DISPLAY": "wayland-0"])
        #expect(DisplayEnvironment.merged(["PATH": "/usr/bin"], with: ["DISPLAY=", "LANG=C"]) == nil)
    }

    @Test("U-25: a launch image is that of the screen's scale, and its own scale is in its name")
    func scales() {
        let image = DesktopImage(id: 1, app: "App", path: "/a/Default.png", scaled: [2: "/a/Default@2x.png"])
        #expect([1, 2, 3].map(image.path(scale:)) == ["/a/Default.png", "/a/Default@2x.png", "/a/Default.png"])
        let names = ["/a@2x/Default.png", "/a/Default@2x.png", "/a/Default-myapp@3x~ipad.png", ""]
        #expect(names.map(DesktopImage.scale(ofFile:)) == [1, 2, 3, 1])
    }
}
