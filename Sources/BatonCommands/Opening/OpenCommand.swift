import ArgumentParser
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton open`
struct OpenCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open a URL or a file in the app that handles it.",
        discussion: """
            A URL goes to the app that claims its scheme or its page, a file to the app that declares its type. Anything \
            else goes to the desktop. “baton handlers” lists the apps; “baton explain url” and “baton explain file” say \
            why one is chosen.
            """)

    @Argument(help: "URLs, or paths of files. With --with, none only starts the app.", completion: .file())
    var items: [String] = []

    @Option(
        name: .customLong("with"), help: "Open it in this app: a bundle identifier or a name.",
        completion: DynamicCompletion.apps)
    var app: String?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard !items.isEmpty || app != nil else { throw ValidationError("Name a URL or a file.") }
        guard items.count <= 100 else { throw ValidationError("At most 100 at once.") }
    }

    func run(in session: CommandSession) async throws {
        let bundleID: String? = if let app { try await AppReference.bundleID(app, session) } else { nil }
        if items.isEmpty, let bundleID {
            _ = try await session.call(
                ControlMethods.launchApp, .with { $0.bundleID = bundleID }, timeout: .seconds(60))
            return try session.emit(json: ["bundle_id": .string(bundleID)], text: "Started \(bundleID).")
        }
        for item in items { try await open(item, with: bundleID, session) }
    }

    private func open(_ item: String, with bundleID: String?, _ session: CommandSession) async throws {
        var request = Baton_Control_V1_OpenItemRequest()
        switch OpenedItem(item, session) {
        case .url(let url): request.url = url
        case .file(let path): request.file = path
        }
        request.bundleID = bundleID ?? ""
        // Launching and opening have deadlines of their own in the daemon.
        let answer = try await session.call(ControlMethods.openItem, request, timeout: .seconds(90))
        guard answer.handled else {
            // Items that an app is given are sealed on a locked device.
            let isLocked = (try? await session.call(ProtectionMethods.getProtection, .init()).locked) ?? false
            guard !isLocked else {
                throw CommandFailure(
                    .forbiddenByState,
                    BatonError(
                        .failedPrecondition, reason: "device_locked",
                        "This device is locked, so \(answer.appName) cannot read what it is given. Run “baton unlock”, and "
                            + "open it again."))
            }
            throw CommandFailure(
                .notContinued,
                BatonError(
                    .aborted, reason: "not_handled", "\(answer.appName) was given it, but did not open it."))
        }
        try session.emit(
            json: [
                "bundle_id": .init(nonEmpty: answer.bundleID), "app_name": .init(nonEmpty: answer.appName),
                "handled": .boolean(true), "delivered_path": .init(nonEmpty: answer.deliveredPath),
            ],
            text: answer.bundleID.isEmpty
                ? "Opened with the desktop." : "Opened in \(TerminalText.escape(answer.appName)).")
    }
}

/// An item as a person names it: a URL has a scheme, anything else is a path.
enum OpenedItem {
    case url(String)
    case file(String)

    init(_ text: String, _ session: CommandSession) {
        // The desktop names files by their URLs.
        if let url = URL(string: text), url.isFileURL, url.host ?? "" == "" {
            self = .file(url.path)
            return
        }
        // A file of that name wins, so that “notes:today” can be opened, too.
        if URLScheme(ofURL: text) != nil, !session.context.fileExists(session.context.absolutePath(text)) {
            self = .url(text)
        } else {
            self = .file(session.context.absolutePath(text))
        }
    }
}
