import BatonCommands
import BatonCore
import Foundation
import Testing

struct TeamVerbTests {
    private let folder: URL
    private let fixture: CommandLineFixture

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "baton-teams-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var fixture = CommandLineFixture()
        fixture.environment = ["BATON_HOME": folder.path + "/home"]
        fixture.workingDirectory = folder.path
        fixture.isDaemonRunning = false
        self.fixture = fixture
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    /// A bundle that can be signed.
    private func makeBundle() throws {
        let bundle = folder.appending(path: "Reader.app")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        let info: [String: Any] = [
            "CFBundleIdentifier": "com.example.Reader", "CFBundleExecutable": "Reader", "CFBundleName": "Reader",
            "CFBundleVersion": "3", "NSUserActivityTypes": ["com.example.reading"],
        ]
        try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
            .write(to: bundle.appending(path: "Info.plist"))
        let executable = bundle.appending(path: "Reader")
        try Data("\u{7F}ELF".utf8).write(to: executable)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: executable.path)
    }

    private func teamID() throws -> String { try #require(try fixture.json(fixture.output)["team_id"] as? String) }

    // H-4: a team is a key that its holder signs with, and what was changed since is found. No daemon runs.
    @Test("An app is signed by a team that was just made, verified, and refused once it was changed")
    func signsAndVerifies() async throws {
        defer { remove() }
        try makeBundle()
        #expect(await fixture.run("team", "create", "Acme", "--json") == .success)
        let team = try teamID()
        #expect(TeamID(rawValue: team) != nil)
        #expect(await fixture.run("sign", "Reader.app") == .success)
        #expect(await fixture.run("verify", "Reader.app", "--json") == .success)
        let verified = try fixture.json(fixture.output)
        #expect(verified["team_id"] as? String == team)
        #expect(verified["bundle_id"] as? String == "com.example.Reader")
        #expect(verified["activity_types"] as? [String] == ["com.example.reading"])

        try Data("\u{7F}ELF, evil".utf8).write(to: folder.appending(path: "Reader.app/Reader"))
        #expect(await fixture.run("verify", "Reader.app") == .forbiddenByState)
        #expect(fixture.errors.text.contains("Reader"))
    }

    @Test("A team goes to another machine in a file that only its owner can read, and that is never overwritten")
    func exportsAndImports() async throws {
        defer { remove() }
        await fixture.run("team", "create", "Acme", "--json")
        let team = try teamID()
        #expect(await fixture.run("team", "export", "Acme", "acme.team") == .success)
        let file = folder.appending(path: "acme.team").path
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(await fixture.run("team", "export", "Acme", "acme.team") == .forbiddenByState)

        #expect(await fixture.run("team", "import", "acme.team", "--home", "other", "--json") == .success)
        #expect(try teamID() == team)
        #expect(await fixture.run("team", "list", "--home", "other") == .success)
        #expect(fixture.output.text.contains(team))
        // The key itself is not shown.
        #expect(!fixture.output.text.contains("PRIVATE"))
    }

    @Test("A team's key may go through pipes")
    func pipes() async throws {
        defer { remove() }
        await fixture.run("team", "create", "Acme", "--json")
        let team = try teamID()
        var piped = CommandLineFixture()
        piped.environment = fixture.environment
        #expect(await piped.run("team", "export", team, "-") == .success)
        var reader = CommandLineFixture()
        reader.environment = ["BATON_HOME": folder.path + "/other"]
        reader.input = piped.output.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(await reader.run("team", "import", "-", "--json") == .success)
        #expect(try reader.json(reader.output)["team_id"] as? String == team)
    }

    @Test("Signing with several teams wants to know which, and with none how to make one")
    func whichTeam() async throws {
        defer { remove() }
        try makeBundle()
        #expect(await fixture.run("sign", "Reader.app") == .notFound)
        #expect(fixture.errors.text.contains("baton team create"))
        await fixture.run("team", "create", "One")
        await fixture.run("team", "create", "Two")
        #expect(await fixture.run("sign", "Reader.app") == .usage)
        #expect(fixture.errors.text.contains("--team"))
        #expect(await fixture.run("sign", "Reader.app", "--team", "Two") == .success)
    }

    @Test(
        "A file that is not a team's is refused, however long",
        arguments: ["", "nonsense", String(repeating: "x", count: 100_000)])
    func importsNonsense(text: String) async throws {
        defer { remove() }
        try Data(text.utf8).write(to: folder.appending(path: "bad"))
        #expect(await fixture.run("team", "import", "bad") == .usage)
        #expect(await fixture.run("team", "import", "missing") == .notFound)
    }
}
