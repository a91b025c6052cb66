import Foundation
import Testing

@testable import InputMethod

/// The input method's handling of keys, of programs' reports, and of the daemon's answers (P-26, P-36).
@Suite struct InputFieldTests {
    private var offer: FieldOffer {
        get throws { try #require(FieldOffer(text: "101 Spear St", title: "Yank Sing", source: "Reviews")) }
    }

    private func write(_ text: String, in field: inout InputField) -> [InputField.Effect] {
        text.flatMap { field.pressed(.character($0)).effects }
    }

    @Test(arguments: ["Let's meet at ", "I'll come to ", "komm zu ", "Adresse: ", "ev adresi "])
    func `keys alone lead to an offer, which Tab takes`(text: String) throws {
        var field = InputField()
        let asked = write(text, in: &field)
        let number = try #require(asked.last)
        guard case .ask(let question) = number else { throw CancellationError() }
        #expect(field.answered(question, try offer) == [.show(try offer)])
        let (isTaken, effects) = field.pressed(.tab)
        #expect(isTaken && effects == [.hide, .insert("101 Spear St")])
        // Once.
        #expect(field.pressed(.tab).isTaken == false)
    }

    @Test func `whatever else is pressed takes the offer away and reaches the field`() throws {
        let keys: [InputField.Key] = [.character("x"), .backspace, .other]
        for key in keys {
            var field = InputField()
            _ = write("meet at ", in: &field)
            _ = field.answered(1, try offer)
            let (isTaken, effects) = field.pressed(key)
            #expect(!isTaken && effects == [.hide])
        }
        var field = InputField()
        _ = write("meet at ", in: &field)
        _ = field.answered(1, try offer)
        #expect(field.pressed(.modifier).effects.isEmpty)
        #expect(field.pressed(.tab).isTaken)
    }

    @Test func `an answer that comes after the next key is none, as is one of another field`() throws {
        var field = InputField()
        #expect(write("meet at ", in: &field) == [.ask(1)])
        _ = field.pressed(.character("x"))
        #expect(field.answered(1, try offer).isEmpty)
        #expect(field.pressed(.request).effects == [.ask(2)])
        #expect(field.left().isEmpty)
        #expect(field.answered(2, try offer).isEmpty)
        #expect(field.pressed(.tab).isTaken == false)
    }

    @Test func `what the program says holds, and is asked about once`() throws {
        var field = InputField()
        #expect(field.told("meet at") == [])
        #expect(field.pressed(.character(" ")).effects == [.ask(1)])
        #expect(field.told("meet at ") == [])
        #expect(field.answered(1, try offer) == [.show(try offer)])
        // Escape, after which the text is as it was.
        #expect(field.pressed(.other).effects == [.hide])
        #expect(field.told("meet at ") == [])
        // The person clicks elsewhere and comes back.
        #expect(field.told("me") == [])
        #expect(field.told("meet at ") == [.ask(2)])
        _ = field.answered(2, try offer)
        #expect(field.told("me") == [.hide])
    }

    @Test func `what the program says later than the keys takes nothing away`() throws {
        var field = InputField()
        _ = field.told("")
        #expect(write("meet at ", in: &field) == [.ask(1)])
        for late in ["meet ", "meet a", "meet at"] { #expect(field.told(late) == []) }
        #expect(field.answered(1, try offer) == [.show(try offer)])
        #expect(field.told("meet at") == [])
        #expect(field.pressed(.tab).isTaken)
        for late in ["meet at ", "meet at 101 Spear St"] { #expect(field.told(late) == []) }
        // Now it is said, so what was before is what there is: the person took it back.
        #expect(field.told("meet at ") == [.ask(2)])
        // Keys that write nothing are not taken for text for long.
        _ = field.told("")
        _ = write("This is read by nobody, so we meet at", in: &field)
        _ = field.told("")
        #expect(write(" ", in: &field).isEmpty)
    }

    @Test func `the cursor's keys end what is known of a program that says nothing`() {
        var field = InputField()
        _ = write("meet at", in: &field)
        _ = field.pressed(.other)
        #expect(write(" ", in: &field).isEmpty)
        _ = write("meet aX", in: &field)
        _ = field.pressed(.backspace)
        #expect(write("t ", in: &field) == [.ask(1)])
        _ = write("meet at", in: &field)
        _ = field.reset()
        #expect(write(" ", in: &field).isEmpty)
    }

    @Test func `at most 100 characters are known, and none of the last field`() {
        var field = InputField()
        _ = field.told(String(repeating: "a", count: 1000) + "meet at")
        #expect(Mirror(reflecting: field).children.first { $0.label == "text" }.map { "\($0.value)".count } == 100)
        _ = field.left()
        #expect(Mirror(reflecting: field).children.first { $0.label == "text" }.map { "\($0.value)" } == "")
    }

    @Test func `a text begins after a colon with a space of its own`() throws {
        var field = InputField()
        #expect(write("address:", in: &field) == [.ask(1)])
        _ = field.answered(1, try offer)
        #expect(field.pressed(.tab).effects == [.hide, .insert(" 101 Spear St")])
    }

    @Test(
        arguments: [
            (0x20, 4, 0x20, InputField.Key.request), (0x20, 0, 0x20, .character(" ")), (0x20, 5, 0x20, .other),
            (0xFF09, 0, 9, .tab), (0xFF09, 1, 9, .other), (0xFF09, 8, 9, .other), (0xFF08, 0, 8, .backspace),
            (0xFFE1, 0, 0, .modifier), (0xFF0D, 0, 13, .other), (0x61, 0, 0x61, .character("a")),
            (0x61, 4, 0x61, .other), (0x61, 2 | 16, 0x61, .character("a")), (0xFF51, 0, 0, .other),
            (0x61, 0, 0xD800, .other),
        ] as [(UInt32, UInt32, UInt32, InputField.Key)])
    func keys(value: UInt32, state: UInt32, character: UInt32, key: InputField.Key) {
        #expect(InputField.Key(value: value, state: state, character: character) == key)
        #expect(InputField.Key(value: value, state: state | 1 << 30, character: character) == nil)
    }

    @Test func `secrets, private fields and terminals are left alone`() {
        for purpose: UInt32 in 0...12 {
            #expect(FieldPurpose.isSilent(purpose: purpose, hints: 0) == (8...10).contains(purpose))
        }
        #expect(FieldPurpose.isSilent(purpose: 0, hints: 1 << 11))
    }

    @Test func `what would be keys to a field, or no text, is no offer`() throws {
        for text in ["", "a\nb", "a\tb", "\u{1B}[A", "a\u{2028}b", "\u{202E}b"] {
            #expect(FieldOffer(text: text, title: "T", source: "S") == nil)
        }
        let shown = FieldOffer(text: "A", title: "T\n\u{202E}", source: "").map(\.shown)
        #expect(shown == "A (T). Tab inserts it.")
        #expect(FieldOffer(text: "A", title: "", source: "")?.shown == "A. Tab inserts it.")
        #expect(FieldOffer(answer: Data("{}".utf8)) == nil)
        #expect(FieldOffer(answer: Data("[1".utf8)) == nil)
        #expect(FieldOffer(answer: Data(#"{"text":"A","later":1}"#.utf8))?.text == "A")
    }

    @Test func `an answer is read when it is there as a whole, and only if it is one`() throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
        for count in 0..<answer.utf8.count {
            #expect(try DaemonQuestion.body(of: Data(answer.utf8.prefix(count))) == nil)
        }
        #expect(try DaemonQuestion.body(of: Data(answer.utf8)) == Data("{}".utf8))
        for bad in [
            "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 200 OK\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}", "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 1\r\n\r\n{}", "\r\n\r\n",
        ] { #expect(throws: DaemonQuestion.Refusal.self) { try DaemonQuestion.body(of: Data(bad.utf8)) } }
    }

    @Test func `the daemon is found as programs of the library find it`() {
        func path(_ environment: [String: String]) -> String? {
            DaemonQuestion(environment: environment).map { "\(Mirror(reflecting: $0).children.first?.value ?? "")" }
        }
        #expect(path(["BATON_SOCKET": "/s", "BATON_HOME": "/h"]) == "/s")
        #expect(path(["BATON_HOME": "/h", "XDG_RUNTIME_DIR": "/r"]) == "/h/run/batond.sock")
        #expect(path(["XDG_RUNTIME_DIR": "/r", "HOME": "/p"]) == "/r/baton/batond.sock")
        #expect(path(["HOME": "/p", "BATON_SOCKET": ""]) == "/p/.local/state/baton-run/baton/batond.sock")
        #expect(path([:]) == nil)
        #expect(DaemonQuestion(socket: String(repeating: "x", count: 200)).offer() == nil)
        #expect(DaemonQuestion(socket: "/nonexistent/s").offer() == nil)
    }
}
