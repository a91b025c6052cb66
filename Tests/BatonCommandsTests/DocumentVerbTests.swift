import BatonCommands
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

/// `baton documents`, `baton versions` and their like.
struct DocumentVerbTests {
    /// No UTF-8, and no line feed at the end.
    private static let bytes: [UInt8] = [0x53, 0x00, 0xFF, 0xFE, 0x0D, 0x0A, 0x80, 0x1B, 0x5B, 0x32, 0x4A]

    private func fixture() -> CommandLineFixture {
        let fixture = CommandLineFixture()
        fixture.daemon.onStream(DocumentsMethods.readVersion) { _ in
            stream(.with { $0.data = Data(Self.bytes.prefix(5)) }, .with { $0.data = Data(Self.bytes.dropFirst(5)) })
        }
        return fixture
    }

    @Test("A version that is written to a pipe or a file is what was saved, to the byte")
    func versionBytes() async {
        let fixture = fixture()
        #expect(await fixture.run("versions", "iCloud.com.example.App/photo", "--show", "1.1") == .success)
        #expect(fixture.bytes.written == Self.bytes)
        #expect(fixture.output.text.isEmpty)
    }

    @Test("A version in JSON is in Base64")
    func versionJSON() async throws {
        let fixture = fixture()
        #expect(await fixture.run("versions", "iCloud.com.example.App/photo", "--show", "1.1", "--json") == .success)
        let text = try fixture.json(fixture.output)["base64"] as? String
        #expect(text.flatMap { Data(base64Encoded: $0) } == Data(Self.bytes))
        #expect(fixture.bytes.written.isEmpty)
    }

    @Test("A terminal gets no bytes that are no text")
    func versionOnTerminal() async {
        var fixture = fixture()
        fixture.terminal.width = 80
        #expect(await fixture.run("versions", "iCloud.com.example.App/photo", "--show", "1.1") == .usage)
        #expect(fixture.bytes.written.isEmpty && fixture.output.text.isEmpty)
    }
}
