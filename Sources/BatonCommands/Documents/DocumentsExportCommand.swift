import ArgumentParser
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton documents add`
struct DocumentsAddCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Sync a container of the account to this device without its app.",
        discussion: "“baton documents” lists the containers that the account has and this device does not.")

    @Argument(help: "The container, as in iCloud.com.example.App.", completion: DynamicCompletion.containers)
    var container: String

    @Option(help: "Its team, where the account has several containers of that name.")
    var team: String = ""

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let added = try await session.add(container, team: team)
        try session.emit(
            json: DocumentReport.json(added),
            text: "\(TerminalText.escape(added.identifier)) comes to “\(TerminalText.escape(added.path))”.")
    }
}

/// `baton documents export`
struct DocumentsExportCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Copy all documents of a container into a folder.",
        discussion:
            "The container need not be on this device, nor its app. Contents that are in iCloud only are fetched first."
    )

    @Argument(help: "The container, as in iCloud.com.example.App.", completion: DynamicCompletion.containers)
    var container: String

    @Argument(help: "The folder to be made.", completion: .directory)
    var folder: String

    @Option(help: "Its team, where the account has several containers of that name.")
    var team: String = ""

    @Flag(help: "Also what the app keeps outside of the folder Documents.")
    var all = false

    @Option(help: "How long to wait for contents that have to come, in seconds.")
    var timeout: Int = 3600

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let target = session.context.absolutePath(folder)
        guard !session.context.fileExists(target) else {
            throw CommandFailure.usage("“\(TerminalText.escape(folder))” is there already. Name a folder that is not.")
        }
        let added = try await session.add(container, team: team)
        try await wait(for: added, session)
        // All of a folder of the person is documents.
        let isFolder = added.identifier.hasPrefix("iCloud.baton.folder.")
        let source = all || isFolder ? added.path : added.path + "/Documents"
        let leftOut: [String]
        do {
            leftOut = try FolderCopy.copy(source, to: target)
        } catch {
            var reason = (error as? BatonError)?.message ?? error.localizedDescription
            while reason.hasSuffix(".") { reason.removeLast() }
            let rest =
                session.context.fileExists(target)
                ? " What was copied is in “\(folder.shortened(toBytes: 200))”." : ""
            throw BatonError(
                .unknown, reason: "not_exported", "The documents could not be copied: \(reason).\(rest)", cause: error)
        }
        let count = (try? FileManager.default.subpathsOfDirectory(atPath: target).count) ?? 0
        try session.emit(
            json: [
                "container": .string(container), "folder": .string(target), "items": .init(count),
                "left_out": .init(strings: leftOut),
            ],
            text: "Copied \(count) items into “\(TerminalText.escape(folder))”." + Self.text(leftOut))
    }

    private static let shownNames = 20

    private static func text(_ leftOut: [String]) -> String {
        guard !leftOut.isEmpty else { return "" }
        var lines = ["", "Left out, since the name is no UTF-8. Rename it in the container, and export again:"]
        lines += leftOut.prefix(shownNames).map { "  " + TerminalText.escape($0) }
        if leftOut.count > shownNames { lines.append("  and \(leftOut.count - shownNames) more; --json lists all") }
        return lines.joined(separator: "\n")
    }

    /// Until all that the account has of it is here.
    private func wait(for container: Baton_Control_V1_DocumentContainer, _ session: CommandSession) async throws {
        let end = ContinuousClock.now + .seconds(max(0, timeout))
        var asked: Set<String> = []
        var told = ""
        var meter: TransferMeter?
        var screen = RedrawnText(columns: session.context.terminal.width)
        while true {
            let documents = try await session.documents(
                .with {
                    $0.container = container.identifier
                    $0.all = all
                }
            ).map(\.item)
            let items = documents.filter { $0.kind != .directory && $0.download == .notDownloaded }
            for item in items where !item.downloading && asked.insert(item.path).inserted {
                _ = try await session.change(.download, "\(container.identifier)/\(item.path)")
            }
            let state = try await session.call(DocumentsMethods.listContainers, .init()).containers.first {
                $0.identifier == container.identifier && $0.team == container.team && !$0.elsewhere
            }
            if items.isEmpty, let state, state.read, state.toDownload == 0 { return }
            guard ContinuousClock.now < end else {
                throw BatonError(
                    .deadlineExceeded, reason: "not_here_yet",
                    "\(items.count) documents have not come yet. “baton explain sync” says why; repeat the command later."
                )
            }
            let isRead = state?.read == true
            if isRead, session.context.terminal.isOutputInteractive, !session.isJSON {
                var progress = DownloadProgress(path: "")
                progress.take(.with { $0.changed = documents })
                let now = session.context.clock.now
                // Those that are here already have not come now.
                let begun = meter ?? TransferMeter(start: now, progress.message)
                meter = begun
                let line = begun.line(progress.message, now: now)
                try session.context.standardOutput.write(screen.replacing(with: line))
            } else {
                let line = isRead ? "\(items.count) documents have to come." : "The container is being read."
                if line != told { try session.remark(line) }
                told = line
            }
            try await Task.sleep(for: session.context.progressPause / 2)
        }
    }
}

extension CommandSession {
    fileprivate func add(_ container: String, team: String) async throws -> Baton_Control_V1_DocumentContainer {
        try await call(
            DocumentsMethods.addContainer,
            .with {
                $0.identifier = container
                $0.team = team
            }, timeout: .seconds(60)
        ).container
    }
}
