import AirDropProtocol
import BatonCore
import Testing

/// A-1, A-5: the bodies of AirDrop's requests.
@Suite("AirDrop's messages")
struct MessageTests {
    @Test("OpenDrop's bodies are read")
    func openDrop() throws {
        #expect(try DiscoverRequest(MessageFixtures.discoverRequest) == DiscoverRequest())
        let answer = try DiscoverAnswer(MessageFixtures.discoverAnswer)
        #expect(answer.computerName == "BobBox")
        #expect(answer.modelName == "OpenDrop")
        #expect(answer.mediaCapabilities == Array(#"{"Version": 1}"#.utf8))
        let ask = try AskRequest(MessageFixtures.askRequest)
        #expect(ask.senderComputerName == "AliceBox")
        #expect(ask.bundleID == "com.apple.finder")
        #expect(ask.senderID == "36c28129fd46")
        #expect(ask.files.map(\.name) == ["note.txt"])
        #expect(ask.files.map(\.archiveName) == ["note.txt"])
        #expect(ask.files.map(\.type) == ["public.content"])
        #expect(ask.files.map(\.isDirectory) == [false])
        #expect(ask.icon?.count == 8)
        #expect(ask.needsUpload)
        let links = try AskRequest(MessageFixtures.askLinks)
        #expect(links.senderComputerName == "Алиса")
        #expect(links.links.map(\.text) == ["https://example.org/x"])
        #expect(!links.needsUpload)
        #expect(try AskAnswer(MessageFixtures.askAnswer).computerName == "BobBox")
    }

    @Test("Each body survives a round trip")
    func roundTrips() throws {
        var ask = AskRequest(
            senderComputerName: "Küche", senderModelName: "Baton", senderID: "0123456789ab", bundleID: "com.example.a",
            files: [
                try OfferedFile(name: "ein Bild.png", type: "public.png"),
                try OfferedFile(name: "Ordner", type: "public.folder", isDirectory: true),
            ], links: [try OfferedLink("mailto:a@example.com")])
        ask.icon = [1, 2, 3]
        #expect(try AskRequest(ask.body) == ask)
        let discover = DiscoverAnswer(computerName: "Küche", modelName: nil)
        #expect(try DiscoverAnswer(discover.body) == discover)
        let request = DiscoverRequest(senderRecordData: [9])
        #expect(try DiscoverRequest(request.body) == request)
        let answer = AskAnswer(computerName: "a", modelName: "b")
        #expect(try AskAnswer(answer.body) == answer)
    }

    private static func ask(
        _ changes: [String: PropertyListValue?] = [:], file: [String: PropertyListValue?]? = [:]
    ) -> [UInt8] {
        var members: [String: PropertyListValue] = ["SenderComputerName": .string("A")]
        if let file {
            var one: [String: PropertyListValue] = ["FileName": .string("a.txt"), "FileBomPath": .string("./a.txt")]
            for (key, value) in file { one[key] = value }
            members["Files"] = .array([.dictionary(one)])
        }
        for (key, value) in changes { members[key] = value }
        return BinaryPropertyList.encode(.dictionary(members))
    }

    private static func reason(_ body: [UInt8]) -> String? {
        do throws(BatonError) {
            _ = try AskRequest(body)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("Keys that are not known are ignored, wrong types are refused")
    func types() {
        #expect(Self.reason(Self.ask()) == nil)
        #expect(Self.reason(Self.ask(["New": .array([.integer(1)])], file: ["New": .boolean(true)])) == nil)
        #expect(Self.reason(Self.ask(file: ["FileBomPath": nil, "FileIsDirectory": .integer(1)])) == nil)
        let invalid = "airdrop_message_invalid"
        #expect(Self.reason(BinaryPropertyList.encode(.array([]))) == invalid)
        #expect(Self.reason(Self.ask(["SenderComputerName": nil])) == invalid)
        #expect(Self.reason(Self.ask(["SenderComputerName": .integer(1)])) == invalid)
        #expect(Self.reason(Self.ask(["BundleID": .data([1])])) == invalid)
        #expect(Self.reason(Self.ask(["Files": .string("a")])) == invalid)
        #expect(Self.reason(Self.ask(["Files": .array([.string("a")])])) == invalid)
        #expect(Self.reason(Self.ask(["Items": .array([.integer(1)])])) == invalid)
        #expect(Self.reason(Self.ask(["ConvertMediaFormats": .integer(2)])) == invalid)
        #expect(Self.reason(Self.ask(file: ["FileIsDirectory": .string("yes")])) == invalid)
        #expect(Self.reason(Self.ask(file: ["FileName": .string("")])) == invalid)
        #expect(Self.reason(Self.ask(file: ["FileName": .string(String(repeating: "a", count: 1025))])) == invalid)
        #expect(Self.reason(Self.ask(file: nil)) == invalid)
    }

    @Test(
        "Paths in the archive have one component",
        arguments: ["", ".", "./", "..", "./..", "../a", "/a", "./a/b", "./a//", "a\0b"])
    func paths(path: String) {
        #expect(Self.reason(Self.ask(file: ["FileBomPath": .string(path)])) == "airdrop_message_invalid")
    }

    @Test("Two files of one path, too many files, and what is no link are refused")
    func more() throws {
        let file = PropertyListValue.dictionary(["FileName": .string("a")])
        #expect(Self.reason(Self.ask(["Files": .array([file, file])])) == "airdrop_message_invalid")
        let many = (0...10_000).map { PropertyListValue.dictionary(["FileName": .string("\($0)")]) }
        #expect(Self.reason(Self.ask(["Files": .array(many)])) == "airdrop_too_many_items")
        let files = try (0..<10_000).map { try OfferedFile(name: "A photo \($0).jpeg", type: "public.jpeg") }
        let most = AskRequest(
            senderComputerName: "A", senderModelName: nil, senderID: nil, bundleID: nil, files: files)
        #expect(try AskRequest(most.body) == most)
        for link in ["", "example.com", "https:", "https://exämple.com", "https://a b", "1a:b", "a\nb:c"] {
            #expect(Self.reason(Self.ask(["Items": .array([.string(link)])], file: nil)) == "airdrop_invalid_link")
        }
    }

    @Test("Names that are shown cannot deceive")
    func names() throws {
        let ask = try AskRequest(
            Self.ask(
                ["SenderComputerName": .string("Mum\u{202E}\nOK\u{200B}")],
                file: ["FileName": .string("a/\u{202E}gpj.exe")]))
        #expect(ask.senderComputerName == "Mum OK")
        #expect(ask.files.map(\.name) == ["a_gpj.exe"])
        #expect(throws: BatonError.self) { try OfferedFile(name: "a/b", type: nil) }
        #expect(throws: BatonError.self) { try OfferedFile(name: "..", type: nil) }
    }

    @Test("Calls are told by their path, uploads by their type")
    func calls() throws {
        #expect(AirDropCall(target: "/Ask") == .ask)
        #expect(AirDropCall(target: "/Upload?x") == .upload)
        #expect(AirDropCall(target: "/ask") == nil)
        #expect(AirDropCall(target: "/Ask/") == nil)
        try AirDropCall.checkUpload(contentType: "application/x-cpio")
        try AirDropCall.checkUpload(contentType: "Application/X-CPIO; charset=binary")
        for type in [nil, "", "application/x-dvzip", "application/octet-stream"] {
            #expect(throws: BatonError.self) { try AirDropCall.checkUpload(contentType: type) }
        }
    }
}
