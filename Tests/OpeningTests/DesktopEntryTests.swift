import BatonCore
import BatonTestSupport
import BatonTrust
import Foundation
import Opening
import Testing
import UniformTypes

/// The desktop's entries of installed apps.
@Suite struct DesktopEntryTests {
    private func claimant(_ bundleID: String, name: String = "App") throws -> OpeningClaimant {
        var claims = AppClaims()
        claims.urlTypes = [.init(name: "", schemes: ["todolist", "https"], role: .editor)]
        claims.documentTypes = [
            .init(name: "", contentTypes: ["public.png"], role: .viewer, rank: .default, activityType: nil),
            .init(name: "", contentTypes: ["com.adobe.pdf"], role: .none, rank: .default, activityType: nil),
        ]
        return OpeningClaimant(bundleID: try BundleID(validating: bundleID), name: name, claims: claims)
    }

    private func entry(
        _ bundleID: String = "com.acme.todo", name: String = "App", command: [String] = ["/usr/bin/baton"]
    ) throws -> DesktopEntry {
        DesktopEntry(app: try claimant(bundleID, name: name), icon: nil, types: .system, command: command)
    }

    @Test func `an app has no name of another program, and none of the desktop's own`() throws {
        let folder = try TemporaryDirectory()
        let (own, shared) = (folder.path + "/own", folder.path + "/shared")
        func make(_ path: String, _ text: String) throws {
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        }
        try make(shared + "/applications/org.mozilla.firefox.desktop", "[Desktop Entry]\n")
        try make(shared + "/dbus-1/services/org.example.Keys.service", "[D-BUS Service]\n")
        try make(own + "/applications/com.acme.todo.desktop", try entry().text)
        try make(own + "/applications/com.acme.own.desktop", "[Desktop Entry]\n")
        let names = ForeignNames(own: own, environment: ["XDG_DATA_DIRS": shared])
        for name in ["org.mozilla.firefox", "org.example.Keys", "org.freedesktop.secrets", "com.acme.own"] {
            #expect(names.has(try BundleID(validating: name)), "\(name)")
        }
        for name in ["com.acme.todo", "com.acme.new"] {
            #expect(!names.has(try BundleID(validating: name)), "\(name)")
        }
        let hidden = DesktopEntry(
            app: try claimant("org.mozilla.firefox"), icon: nil, types: .system, command: ["/usr/bin/baton"],
            isNameFree: false)
        #expect(hidden.fileName == "baton-org.mozilla.firefox.desktop" && !hidden.text.contains("DBusActivatable"))
    }

    @Test func `an entry has the schemes and types that the app opens, and nothing that it cannot claim`() throws {
        let text = try entry().text
        #expect(
            text.contains(
                "\nMimeType=x-scheme-handler/todolist;image/apng;image/vnd.mozilla.apng;image/png;image/x-png;\n"))
        #expect(text.contains("\nExec=/usr/bin/baton open --with com.acme.todo %U\n"))
    }

    @Test func `an app that opens any file does not become the desktop's program for all of them`() throws {
        var claims = AppClaims()
        for type in ["public.data", "Public.Item", "public.content", "public.composite-content", "public.directory"] {
            claims.documentTypes.append(
                .init(name: "", contentTypes: [type], role: .editor, rank: .default, activityType: nil))
        }
        func text() throws -> String {
            DesktopEntry(
                app: OpeningClaimant(bundleID: try BundleID(validating: "com.acme.any"), name: "Any", claims: claims),
                icon: nil, types: .system, command: ["/usr/bin/baton"]
            ).text
        }
        #expect(!(try text().contains("MimeType=")))
        claims.documentTypes.append(
            .init(name: "", contentTypes: ["public.image"], role: .viewer, rank: .default, activityType: nil))
        #expect(try text().contains("image/png;") && !text().contains("application/pdf"))
    }

    @Test func `names and paths cannot break out of their line or reach a shell`() throws {
        let text = try entry(name: "A\nExec=rm\\", command: ["/o p/$(x)`\"%U", "--home", "/a b"]).text
        #expect(text.components(separatedBy: "\nExec=").count == 2)
        #expect(text.contains("Name=A\\nExec=rm\\\\\n"))
        #expect(text.contains(#"Exec="/o p/\\$(x)\\`\\"%%U" --home "/a b" open --with com.acme.todo %U"#))
    }

    @Test func `desktop-file-validate accepts what is written; what is gone is removed; what others wrote stays`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let folder = directory.path + "/applications"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let foreign = folder + "/com.other.desktop"
        try Data("[Desktop Entry]\nType=Application\n".utf8).write(to: URL(fileURLWithPath: foreign))
        let entries = DesktopEntries(directory: folder)
        #expect(try entries.update([entry(), entry("com.other"), entry("com.acme.second", command: ["/a b/ba$ton"])]))
        let ours = folder + "/com.acme.todo.desktop"
        for path in [ours, folder + "/com.acme.second.desktop"] {
            let validation = try ChildProcess(["desktop-file-validate", path])
            let status = try await validation.status()
            try await validation.output.waitForEnd()
            #expect(status == 0, "\(validation.output.all) \(validation.errors.all)")
        }
        #expect(try !entries.update([entry(), entry("com.other"), entry("com.acme.second", command: ["/a b/ba$ton"])]))
        #expect(try entries.update([]))
        #expect(!FileManager.default.fileExists(atPath: ours))
        #expect(try String(contentsOfFile: foreign, encoding: .utf8) == "[Desktop Entry]\nType=Application\n")
    }
}
