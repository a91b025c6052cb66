import AirDropProtocol
import Files

/// The bodies of `/Discover` and `/Ask`, and their answers.
enum AirDropMessageTarget: FuzzTarget {
    static let name = "airdrop-message"

    static func seeds() throws -> [[UInt8]] {
        var ask = AskRequest(
            senderComputerName: "Küche", senderModelName: "Baton", senderID: "36c28129fd46", bundleID: "com.example.a",
            files: [
                try OfferedFile(name: "ein Bild.png", type: "public.png"),
                try OfferedFile(name: "Ordner", type: "public.folder", isDirectory: true),
            ], links: [try OfferedLink("https://example.com/x")])
        ask.icon = [1, 2, 3]
        return [
            ask.body, DiscoverRequest(senderRecordData: [1]).body, AskAnswer(computerName: "a", modelName: "b").body,
            DiscoverAnswer(computerName: "a", modelName: nil).body,
        ]
    }

    static func run(_ bytes: [UInt8]) {
        _ = try? DiscoverRequest(bytes)
        _ = try? DiscoverAnswer(bytes)
        _ = try? AskAnswer(bytes)
        guard let ask = try? AskRequest(bytes) else { return }
        for file in ask.files {
            precondition(SafeName(file.name).text == file.name, "a name that is not safe")
            precondition(!file.archiveName.utf8.contains(0x2F) && file.archiveName != "..", "a path that leads out")
        }
        guard let again = try? AskRequest(ask.body) else { preconditionFailure("what was read cannot be written") }
        precondition(again.files.map(\.name) == ask.files.map(\.name), "another request comes back")
    }
}
