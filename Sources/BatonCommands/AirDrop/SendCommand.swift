import ArgumentParser
import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton send`
struct SendCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Send files, folders or links to a device nearby.",
        discussion: """
            The other device asks its person first. Ctrl-C cancels on both sides. Without --to the devices nearby are \
            listed to choose from. Names of own devices and contacts mean those alone, also while they are away; a \
            stranger is sent to with --stranger, or when you confirm it. “-” reads a text from standard input and sends \
            it as a file.
            """)

    @Argument(help: "Files, folders, links, or “-”.", completion: .file())
    var items: [String]

    @Option(
        name: .long, help: "The device: its name, or the beginning of a word of its name or of its identifier.",
        completion: DynamicCompletion.peers)
    var to: String?

    @Flag(help: "Means a stranger: a device that is neither an own one nor a contact.")
    var stranger = false

    @Flag(
        help:
            "For devices without Baton: opens an address for ten minutes, from which a browser downloads the files. Folders are packed."
    )
    var web = false

    @Flag(help: "With --web: each file can be downloaded once, and with the last one the address ends.")
    var once = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard !stranger || to != nil else { throw ValidationError("--stranger belongs to --to.") }
        guard web || !once else { throw ValidationError("--once belongs to --web.") }
        guard !web || to == nil else {
            throw ValidationError("--web has no --to: any browser with the address can download.")
        }
        guard items.count(where: { $0 == "-" }) <= 1 else { throw ValidationError("“-” can be named once.") }
    }

    func run(in session: CommandSession) async throws {
        var request = Baton_Control_V1_SendItemsRequest()
        var text: TemporaryText?
        for item in items {
            if item == "-" {
                let file = try await TemporaryText.read(session)
                text = file
                request.paths.append(file.path)
                continue
            }
            switch OpenedItem(item, session) {
            case .url(let url): request.urls.append(url)
            case .file(let path):
                // Before the network is: looking for the device takes seconds.
                guard session.context.fileExists(path) else {
                    throw BatonError(
                        .notFound, reason: "file_not_found",
                        "There is no file or folder “\(item)” here. Look at its name.")
                }
                request.paths.append(path)
            }
        }
        defer { text?.remove() }
        if web {
            guard request.urls.isEmpty else {
                throw CommandFailure.usage("--web is for files. A link needs no transfer.")
            }
            return try await WebTransferConversation(
                session: session, paths: request.paths, directory: "", isOnce: once
            ).run()
        }
        let peer = try await self.peer(session)
        request.peer = peer.id
        let events = try await session.stream(AirDropMethods.sendItems, request)
        try await follow(events, peer, session)
    }

    private func peer(_ session: CommandSession) async throws -> Baton_Control_V1_NearbyPeer {
        if let to { return try await NamedPeer(text: to, isStranger: stranger).find(session) }
        guard session.canAsk else {
            throw CommandFailure.usage(
                "No device is named, and there is no terminal to ask on. Name one with --to; “baton nearby” lists those that there are."
            )
        }
        let peers = try await NearbyPeers.look(for: .seconds(3), subject: "devices nearby", session) { _ in false }
        guard !peers.isEmpty else {
            throw BatonError(.notFound, reason: "peer_not_found", NearbyCommand.text([], session))
        }
        for (number, peer) in peers.enumerated() {
            try session.remark("\(number + 1)  \(PeerRelation.quoted(peer.name)), \(peer.relation.label)")
        }
        try session.context.standardError.write("Type its number, then Enter: ")
        var lines = session.context.input.lines().makeAsyncIterator()
        guard let line = await lines.next(), let number = Int(line.trimmingCharacters(in: .whitespaces)),
            peers.indices.contains(number - 1)
        else { throw CommandFailure.declined("Nothing was sent.") }
        return peers[number - 1]
    }

    private func follow(
        _ events: ConnectResponses<Baton_Control_V1_SendEvent>, _ peer: Baton_Control_V1_NearbyPeer,
        _ session: CommandSession
    ) async throws {
        let clock = session.context.clock
        var meter: TransferMeter?
        var screen = RedrawnText(columns: session.context.terminal.width)
        var name = peer.name
        var who = peer.relation.naming(peer.name)
        for try await event in events {
            if session.isJSON { try session.emitLine(Self.json(event).description) }
            switch event.event {
            case .asking(let asking):
                if !asking.peerName.isEmpty { name = asking.peerName }
                let size = asking.bytes > 0 ? " (\(ByteSize.text(asking.bytes)))" : ""
                who = PeerRelation(ownDevice: asking.ownDevice, contact: asking.contact).naming(name)
                try session.remark(
                    "Waiting for \(who) to accept \(AirDropReport.items(asking.items))\(size) …"
                        + AirDropReport.leftOut(asking.leftOut))
            case .progress(let progress):
                guard !session.isJSON, session.context.terminal.isOutputInteractive else { continue }
                let running = meter ?? TransferMeter(start: clock.now, progress)
                meter = running
                let line = running.line(progress, with: who, now: clock.now)
                try session.context.standardOutput.write(screen.replacing(with: line))
            case .outcome(let outcome):
                guard outcome.result == "delivered" else { throw AirDropReport.error(outcome, peer: name) }
                if !session.isJSON {
                    let size = outcome.bytes > 0 ? " (\(ByteSize.text(outcome.bytes)))" : ""
                    try session.emitLine("\(name) has \(AirDropReport.items(outcome.items))\(size).")
                }
                return
            case nil: continue
            }
        }
        throw BatonError(
            .unavailable, reason: "stream_ended", "The daemon ended the transfer. It may be restarting; send it again.")
    }

    static func json(_ event: Baton_Control_V1_SendEvent) -> JSONValue {
        switch event.event {
        case .asking(let asking):
            [
                "event": "asking", "peer_name": .string(asking.peerName), "own_device": .boolean(asking.ownDevice),
                "contact": .boolean(asking.contact), "items": .init(UInt64(asking.items)),
                "bytes": .init(asking.bytes), "left_out": .init(UInt64(asking.leftOut)),
            ]
        case .progress(let progress): ["event": "progress", "progress": AirDropReport.json(progress)]
        case .outcome(let outcome): ["event": "ended", "outcome": AirDropReport.json(outcome)]
        case nil: ["event": "unknown"]
        }
    }
}

/// A text from standard input as a file that can be sent.
private struct TemporaryText {
    private static let maximumSize = 16 << 20

    let path: String

    static func read(_ session: CommandSession) async throws -> TemporaryText {
        var text = ""
        for await line in session.context.input.lines() {
            text += line + "\n"
            guard text.utf8.count <= maximumSize else {
                throw CommandFailure.usage("More than 16 MiB came from standard input. Send a file instead.")
            }
        }
        guard !text.isEmpty else { throw CommandFailure.usage("Nothing came from standard input.") }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("baton-send-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let file = folder.appendingPathComponent("Text.txt")
        try Data(text.utf8).write(to: file)
        return TemporaryText(path: file.path)
    }

    func remove() { try? FileManager.default.removeItem(at: URL(fileURLWithPath: path).deletingLastPathComponent()) }
}
