import ArgumentParser
import BatonCore
import Foundation

/// `baton browse install`
struct BrowseInstallCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Let browsers speak with Baton, for the extension.",
        discussion: """
            Writes a small file for each browser of yours, which lets Baton's extension, and no other, start “baton”. \
            Run it again after Baton was moved; --home is remembered.
            """)

    @Option(
        name: .long,
        help:
            "Only this browser: chromium, chrome, brave, edge, vivaldi, opera, firefox or librewolf; may be repeated.",
        completion: .list(["chromium", "chrome", "brave", "edge", "vivaldi", "opera", "firefox", "librewolf"]))
    var browser: [String] = []

    @Flag(name: .long, help: "Take the files away again.")
    var remove = false

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let all = try Browser.all(environment: session.context.environment)
        let chosen = try browsers(all)
        let files = BrowserHostFiles(
            executable: session.context.executable, home: session.chosenHome, locations: try session.locations)
        let changes = try await blocking { [remove] in
            try remove ? files.remove(chosen, all: all) : files.install(chosen)
        }
        let items = zip(chosen, changes).map { browser, change -> JSONValue in
            [
                "browser": .string(browser.name), "manifest": .string(browser.manifestPath),
                "change": .string(change.rawValue),
            ]
        }
        try session.emit(
            json: [
                "browsers": .array(items), "host": remove ? .null : .string(files.programPath),
                "chromium_extension_id": .string(BrowserCaller.chromiumID),
                "gecko_extension_id": .string(BrowserCaller.geckoID),
            ], text: text(Array(zip(chosen, changes)), session))
    }

    private func browsers(_ all: [Browser]) throws -> [Browser] {
        let names = all.map(\.name).joined(separator: ", ")
        for name in browser where !all.contains(where: { $0.name == name }) {
            throw CommandFailure.usage(
                "“\(name)” is no browser that is known here. Use one of: \(names).", reason: "unknown_browser")
        }
        if !browser.isEmpty { return all.filter { browser.contains($0.name) } }
        // Where it was installed before stays in reach of --remove, whether the browser is still there or not.
        let found = all.filter { FileManager.default.fileExists(atPath: remove ? $0.manifestPath : $0.folder) }
        guard !found.isEmpty || remove else {
            throw BatonError(
                .notFound, reason: "no_browser",
                "No browser was found. Start it once, or name it with --browser: \(names).")
        }
        return found
    }

    private func text(_ changes: [(Browser, BrowserHostFiles.Change)], _ session: CommandSession) -> String {
        guard !changes.isEmpty else { return "It is installed for no browser." }
        var lines = changes.map { browser, change in
            let path = TerminalText.escape(browser.manifestPath)
            return switch change {
            case .written: "\(browser.title): installed (\(path))."
            case .unchanged: "\(browser.title): installed already (\(path))."
            case .removed: "\(browser.title): removed (\(path))."
            case .absent: "\(browser.title): it was not installed."
            }
        }
        guard !remove else { return lines.joined(separator: "\n") }
        let families = Set(changes.map(\.0.family))
        // Where a package has put it.
        let prefix = ProgramFolder.of(ProgramFolder.of(session.context.executable))
        let installed = prefix + "/share/baton/Extension"
        let folder = session.context.fileExists(installed) ? installed : "the folder “Extension” of Baton's sources"
        lines += ["", "Then load the extension, which is in \(TerminalText.escape(folder)):"]
        if families.contains(.chromium) {
            lines.append("  Chromium and its kin: chrome://extensions, “Developer mode”, “Load unpacked”, that folder.")
        }
        if families.contains(.gecko) {
            lines.append(
                "  Firefox: about:debugging#/runtime/this-firefox, “Load Temporary Add-on”, its manifest.json.")
        }
        return lines.joined(separator: "\n")
    }
}
