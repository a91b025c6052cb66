import BatonCommands
import BatonTestSupport
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

    @Test("A purge says what cannot come back, asks, and says how much room there is then")
    func purge() async throws {
        let fixture = CommandLineFixture()
        fixture.daemon.on(DocumentsMethods.purgeDocuments) { request in
            .with {
                $0.deleted = 2
                $0.versions = 1
                $0.bytes = 5 << 20
                $0.freedBytes = request.countOnly ? 0 : 4 << 20
            }
        }
        // There is no terminal to ask on.
        #expect(await fixture.run("documents", "purge") != .success)
        #expect(fixture.output.text.isEmpty)
        #expect(await fixture.run("documents", "purge", "--yes") == .success)
        #expect(
            fixture.output.text
                == "Removed 2 deleted documents and 1 earlier version for good. The cloud has 4 MiB more room.\n")
        let empty = CommandLineFixture()
        empty.daemon.on(DocumentsMethods.purgeDocuments) { _ in .init() }
        #expect(await empty.run("documents", "purge") == .success)
        #expect(empty.output.text.hasPrefix("There is nothing that was deleted, and no earlier version"))
        #expect(empty.daemon.requests(of: Baton_Control_V1_PurgeDocumentsRequest.self).map(\.countOnly) == [true])
    }

    @Test(
        "The state of the sync says that a cloud is away only where the account has one",
        arguments: [
            (Baton_Control_V1_GetCloudStatusResponse.State.noCloud, "The account has no cloud: devices that are near"),
            (.waiting, "The account's cloud is not connected"), (.connected, "The account's cloud is connected."),
            (.noAccount, "This device belongs to no account."),
        ])
    func syncStatus(state: Baton_Control_V1_GetCloudStatusResponse.State, text: String) async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(DocumentsMethods.listContainers) { _ in .init() }
        fixture.daemon.on(CloudControlMethods.getCloudStatus) { _ in .with { $0.state = state } }
        #expect(await fixture.run("sync", "status") == .success)
        #expect(fixture.output.text.hasPrefix(text))
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

    @Test(
        "A number chooses one of several that were deleted at one path, however that is written; without one they are listed",
        arguments: ["/somewhere/else/u\u{308}.txt", "../somewhere/else/u\u{308}.txt", "iCloud.example/u\u{308}.txt"])
    func restoresByNumber(path: String) async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(DocumentsMethods.listContainers) { _ in
            .with {
                $0.containers = [
                    .with {
                        $0.identifier = "iCloud.example"
                        $0.path = "/somewhere/else"
                    }
                ]
            }
        }
        // The last one looks the same, and is another name.
        let names: [(path: String, time: UInt8)] = [("u\u{308}.txt", 1), ("u\u{308}.txt", 2), ("\u{FC}.txt", 3)]
        let items = names.map { name in
            Baton_App_V1_DocumentItem.with {
                $0.path = name.path
                $0.deleted = UInt64(name.time)
                $0.id = Data([name.time])
            }
        }
        fixture.daemon.onStream(DocumentsMethods.listDocuments) { _ in
            stream(
                .with {
                    $0.container = "iCloud.example"
                    $0.news.changed = items
                })
        }
        fixture.daemon.on(DocumentsMethods.changeDocument) { _ in .init() }
        #expect(await fixture.run("documents", "restore", path) == .usage)
        #expect(fixture.errors.text.contains("2 documents were deleted there"))
        #expect(await fixture.run("documents", "restore", path, "--number", "2") == .success)
        let requests = fixture.daemon.requests(of: Baton_App_V1_ChangeDocumentRequest.self)
        #expect(requests.map(\.itemID) == [Data([1])])
    }

    @Test("A document is named by its folder's name and its path there, and never by a part of that name")
    func byFolderName() async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(DocumentsMethods.listContainers) { _ in
            .with {
                $0.containers = [("My-Work", "/data/work"), ("solo", "/data/solo")].map { name, path in
                    .with {
                        $0.identifier = "iCloud.baton.folder.\(name)"
                        $0.path = path
                    }
                }
            }
        }
        fixture.daemon.onStream(DocumentsMethods.listDocuments) { _ in stream() }
        fixture.daemon.on(DocumentsMethods.changeDocument) { _ in .with { $0.item.download = .current } }
        fixture.daemon.on(DocumentsMethods.listVersions) { _ in .init() }
        fixture.daemon.on(FoldersMethods.keepContents) { _ in .init() }
        #expect(await fixture.run("documents", "restore", "solo/sub") == .success)
        #expect(await fixture.run("documents", "delete", "My Work/a/b", "--yes") == .success)
        #expect(await fixture.run("documents", "delete", "sol/sub", "--yes") == .success)
        #expect(
            fixture.daemon.requests(of: Baton_App_V1_ChangeDocumentRequest.self).map(\.path) == [
                "/data/solo/sub", "/data/work/a/b", fixture.workingDirectory + "/sol/sub",
            ])
        #expect(await fixture.run("versions", "solo/x") == .success)
        #expect(
            fixture.daemon.requests(of: Baton_App_V1_ListFileVersionsRequest.self).map(\.path) == ["/data/solo/x"])
        #expect(await fixture.run("folder", "keep", "solo/x") == .success)
        #expect(
            fixture.daemon.requests(of: Baton_Control_V1_KeepFolderContentsRequest.self).map(\.path)
                == ["/data/solo/x"])
    }

    @Test("A deletion asks about the path that is deleted, and names it afterwards")
    func deletionNamesItsPath() async {
        var fixture = CommandLineFixture()
        fixture.daemon.on(DocumentsMethods.listContainers) { _ in
            .with {
                $0.containers = [
                    .with {
                        $0.identifier = "iCloud.baton.folder.Pictures"
                        $0.path = "/home/ann/Pictures"
                    }
                ]
            }
        }
        fixture.daemon.on(DocumentsMethods.changeDocument) { _ in .init() }
        #expect(await fixture.run("documents", "delete", "Pictures/2025", "--yes") == .success)
        #expect(fixture.output.text.hasPrefix("Deleted “/home/ann/Pictures/2025”."))
        fixture.terminal.isInputInteractive = true
        fixture.input = ["n"]
        #expect(await fixture.run("documents", "delete", "Pictures/2025") != .success)
        #expect(fixture.errors.text.contains("Delete “/home/ann/Pictures/2025” on all devices?"))
        #expect(
            fixture.daemon.requests(of: Baton_App_V1_ChangeDocumentRequest.self).map(\.path)
                == ["/home/ann/Pictures/2025"])
    }

    @Test("A path that is no UTF-8 goes to the daemon as bytes, from here, absolute, or below a folder's name")
    func pathBytes() async {
        var fixture = CommandLineFixture()
        fixture.daemon.on(DocumentsMethods.listContainers) { _ in
            .with {
                $0.containers = [
                    .with {
                        $0.identifier = "iCloud.baton.folder.solo"
                        $0.path = "/data/solo"
                    }
                ]
            }
        }
        fixture.daemon.on(DocumentsMethods.changeDocument) { _ in .with { $0.item.download = .current } }
        fixture.daemon.on(FoldersMethods.keepContents) { _ in .init() }
        let name = Array("M".utf8) + [0xFC] + Array("ller".utf8)
        let whole = Data(Array("/data/solo/".utf8) + name)
        for before in ["/data/solo/", "solo/", "../data/x/../solo/"] {
            let typed = Array(before.utf8) + name
            fixture.argumentBytes = [Array("baton".utf8), typed]
            let shown = String(decoding: typed, as: UTF8.self)
            #expect(await fixture.run("download", shown, "--no-wait") == .success)
            #expect(await fixture.run("folder", "on-demand", shown) == .success)
        }
        #expect(
            fixture.daemon.requests(of: Baton_App_V1_ChangeDocumentRequest.self).map(\.pathBytes)
                == [whole, whole, whole])
        #expect(
            fixture.daemon.requests(of: Baton_Control_V1_KeepFolderContentsRequest.self).map(\.pathBytes)
                == [whole, whole, whole])
        let typed = Array("solo/".utf8) + name
        fixture.argumentBytes = [Array("baton".utf8), typed]
        let shown = String(decoding: typed, as: UTF8.self)
        fixture.daemon.on(DocumentsMethods.listVersions) { _ in .init() }
        fixture.daemon.onStream(DocumentsMethods.readVersion) { _ in stream(.with { $0.data = Data([1]) }) }
        fixture.daemon.on(DocumentsMethods.changeVersions) { _ in .init() }
        fixture.daemon.on(DocumentsMethods.explainFile) { _ in .with { $0.explanations = [.with { $0.healthy = true }] }
        }
        for arguments in [
            ["versions"], ["versions", "--show", "1.1"], ["versions", "--restore", "1.1"], ["explain", "file"],
        ] {
            #expect(await fixture.run(arguments + [shown]) == .success)
        }
        #expect(fixture.daemon.requests(of: Baton_App_V1_ListFileVersionsRequest.self).map(\.pathBytes) == [whole])
        #expect(fixture.daemon.requests(of: Baton_App_V1_ReadFileVersionRequest.self).map(\.pathBytes) == [whole])
        #expect(fixture.daemon.requests(of: Baton_App_V1_ChangeFileVersionsRequest.self).map(\.pathBytes) == [whole])
        #expect(fixture.daemon.requests(of: Baton_Control_V1_ExplainFileRequest.self).map(\.pathBytes) == [whole])
        #expect(await fixture.run("download", "/data/solo/x", "--no-wait") == .success)
        #expect(
            fixture.daemon.requests(of: Baton_App_V1_ChangeDocumentRequest.self).last?.pathBytes.isEmpty == true)
    }

    @Test("A document is found through a link to its container, and one that is a link itself is not followed")
    func throughLinks() async throws {
        let directory = try TemporaryDirectory()
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: directory.file("data/Documents"), withIntermediateDirectories: true)
        for name in ["letter", "elsewhere"] { try Data().write(to: URL(fileURLWithPath: directory.file(name))) }
        try manager.createSymbolicLink(
            atPath: directory.file("data/Documents/link"), withDestinationPath: directory.file("elsewhere"))
        try manager.createSymbolicLink(
            atPath: directory.file("iCloud Drive"), withDestinationPath: directory.file("data/Documents"))
        // The daemon itself may know its folder through a link.
        try manager.createSymbolicLink(atPath: directory.file("own"), withDestinationPath: directory.file("data"))
        var fixture = CommandLineFixture()
        fixture.workingDirectory = directory.path
        let container = directory.file("own")
        fixture.daemon.on(DocumentsMethods.listContainers) { _ in
            .with {
                $0.containers = [
                    .with {
                        $0.identifier = "iCloud.example"
                        $0.path = container
                    }
                ]
            }
        }
        fixture.daemon.on(DocumentsMethods.changeDocument) { _ in .init() }
        for path in ["iCloud Drive/gone.txt", "iCloud Drive/link", "iCloud Drive", "own/Documents/link", "letter"] {
            #expect(await fixture.run("documents", "delete", path, "--yes") == .success)
        }
        let requests = fixture.daemon.requests(of: Baton_App_V1_ChangeDocumentRequest.self)
        let documents = container + "/Documents"
        #expect(
            requests.map(\.path) == [
                documents + "/gone.txt", documents + "/link", documents, documents + "/link", directory.file("letter"),
            ])
    }

    @Test("A folder is found by the name that its directory has, from which its own was made")
    func foldersByDirectoryName() async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(FoldersMethods.leaveFolder) { _ in .with { $0.path = "/somewhere/Meine Dateien" } }
        #expect(await fixture.run("folder", "leave", "Meine Dateien") == .success)
        #expect(await fixture.run("folder", "leave", "Fotos") == .success)
        #expect(await fixture.run("folder", "leave", "🍳") == .success)
        let names = fixture.daemon.requests(of: Baton_Control_V1_LeaveFolderRequest.self).map(\.name)
        #expect(names == ["Meine-Dateien", "Fotos", "🍳"])
    }

    @Test(
        "A folder that is left says what only this device has of it",
        arguments: [
            (0, false, "keep all of it"), (3, false, "3 items were not sent"), (1, true, "one change that was made"),
        ])
    func leavingUnsent(count: UInt64, isReadOnly: Bool, text: String) async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(FoldersMethods.listFolders) { _ in
            .with {
                $0.folders = [
                    .with {
                        $0.name = "photos"
                        $0.readOnly = isReadOnly
                        $0.changed = isReadOnly ? count : 0
                        $0.container.toUpload = isReadOnly ? 0 : count
                    }
                ]
            }
        }
        fixture.daemon.on(FoldersMethods.leaveFolder) { _ in .with { $0.path = "/somewhere/photos" } }
        #expect(await fixture.run("folder", "leave", "photos") == .success)
        #expect(fixture.output.text.contains(text), "\(fixture.output.text)")
    }

    @Test("A folder without a name is none, rather than the first")
    func statusWithoutName() async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(FoldersMethods.listFolders) { _ in .with { $0.folders = [.with { $0.name = "photos" }] } }
        #expect(await fixture.run("folder", "status", "") == .notFound)
        #expect(fixture.output.text.isEmpty)
    }

    @Test("A decision about deletions of which none is held back says that nothing is changed")
    func noDeletions() async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(DocumentsMethods.listContainers) { _ in .init() }
        fixture.daemon.on(DocumentsMethods.decideDeletions) { _ in .init() }
        for decision in ["--confirm", "--undo"] {
            #expect(await fixture.run("documents", "deletions", "iCloud.dev.baton.a", decision) == .success)
        }
        let line = "No missing files wait for that, so nothing is changed.\n"
        #expect(fixture.output.text == line + line)
    }

    @Test(
        "A folder without a name, and one whose name is no UTF-8, are refused before the daemon is asked",
        arguments: ["", "/somewhere/caf\u{FFFD}"])
    func folderWithoutName(directory: String) async {
        let fixture = CommandLineFixture()
        for arguments in [["folder", "add", directory, "--name", "a"], ["folder", "join", "a", directory]] {
            #expect(await fixture.run(arguments) != .success)
        }
        #expect(fixture.daemon.requests(of: Baton_Control_V1_AddFolderRequest.self).isEmpty)
    }

    @Test("Without an account it is not a folder's disk that is missing", arguments: [true, false])
    func foldersWithoutAccount(isRevoked: Bool) async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(FoldersMethods.listFolders) { _ in
            .with {
                $0.folders = [
                    .with {
                        $0.name = "photos"
                        $0.path = "/somewhere/photos"
                        $0.state = .away
                    }
                ]
            }
        }
        fixture.daemon.on(ControlMethods.getStatus) { _ in
            .with {
                $0.accountID = isRevoked ? "A" : ""
                $0.revoked = isRevoked
            }
        }
        for arguments in [["folder", "list"], ["folder", "status", "photos"]] {
            #expect(await fixture.run(arguments) == .success)
        }
        #expect(fixture.output.text.contains("is in no account") && !fixture.output.text.contains("mount its disk"))
    }
}
