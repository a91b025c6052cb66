import ArgumentParser
import BatonClient
import BatonCore
import BatonWire
import Foundation

/// `baton nearby`
struct NearbyCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "nearby", abstract: "List the devices to send to.",
        discussion: "With --watch the list is kept up to date; anywhere but on a terminal it is printed as JSON lines.")

    @Flag(name: .shortAndLong, help: "Stay, and show every change.")
    var watch = false

    @Option(help: "How many seconds to look.")
    var seconds: Double = 3

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard (0.1...600).contains(seconds) else { throw ValidationError("--seconds is between 0.1 and 600.") }
    }

    func run(in session: CommandSession) async throws {
        if watch { return try await follow(session) }
        let peers = try await NearbyPeers.look(for: .seconds(seconds), session) { _ in false }
        try session.emit(json: Self.json(peers), text: Self.text(peers, session))
    }

    private func follow(_ session: CommandSession) async throws {
        var screen = RedrawnText(columns: session.context.terminal.width)
        for try await list in try await session.stream(AirDropMethods.watchNearby, .init()) {
            if session.context.terminal.isOutputInteractive, !session.isJSON {
                try session.context.standardOutput.write(screen.replacing(with: Self.text(list.peers, session)))
            } else {
                try session.emitLine(Self.json(list.peers).description)
            }
        }
    }

    static func json(_ peers: [Baton_Control_V1_NearbyPeer]) -> JSONValue {
        [
            "peers": .array(
                peers.map { peer in
                    [
                        "id": .string(peer.id), "name": .string(peer.name), "model": .init(nonEmpty: peer.model),
                        "own_device": .boolean(peer.ownDevice), "contact": .boolean(peer.contact),
                    ]
                })
        ]
    }

    static func text(_ peers: [Baton_Control_V1_NearbyPeer], _ session: CommandSession) -> String {
        guard !peers.isEmpty else {
            return
                "No devices to send to nearby. The other device must be on this network and allow it: “baton airdrop "
                + "everyone” there."
        }
        var table = session.table([.init("NAME", isFlexible: true), .init("KIND"), .init("ID")])
        for peer in peers {
            let model = peer.model.isEmpty ? "AirDrop" : "AirDrop, \(peer.model)"
            let kind = peer.relation == .stranger ? "stranger, \(model)" : peer.relation.label
            table.add(peer.name, kind, String(peer.id.prefix(12)))
        }
        return table.render()
    }
}

/// The devices that can be sent to.
enum NearbyPeers {
    /// Looks for so long, or until `isEnough`.
    /// - Parameter subject: what a person at a terminal reads is being looked for, when it takes a while.
    static func look(
        for time: Duration, subject: String? = nil, _ session: CommandSession,
        until isEnough: @escaping @Sendable ([Baton_Control_V1_NearbyPeer]) -> Bool
    ) async throws -> [Baton_Control_V1_NearbyPeer] {
        let lists = try await session.stream(AirDropMethods.watchNearby, .init())
        let latest = LatestPeers()
        return try await withThrowingTaskGroup(of: [Baton_Control_V1_NearbyPeer]?.self) { group in
            group.addTask {
                for try await list in lists {
                    await latest.set(list.peers)
                    if isEnough(list.peers) { return list.peers }
                }
                return nil
            }
            group.addTask {
                var rest = time
                if let subject, session.context.terminal.isOutputTerminal {
                    let patience = min(time, session.context.lookingPatience)
                    // sleeps: most devices are found at once, and then nothing is to be said.
                    try await Task.sleep(for: patience)
                    try session.remark("Looking for \(TerminalText.escape(subject)) …")
                    rest -= patience
                }
                // sleeps: this is how long the person is willing to look.
                try await Task.sleep(for: rest)
                return nil
            }
            defer { group.cancelAll() }
            if let found = try await group.next() ?? nil { return found }
            return await latest.peers
        }
    }
}

private actor LatestPeers {
    private(set) var peers: [Baton_Control_V1_NearbyPeer] = []
    func set(_ peers: [Baton_Control_V1_NearbyPeer]) { self.peers = peers }
}

extension Baton_Control_V1_NearbyPeer {
    var relation: PeerRelation { PeerRelation(ownDevice: ownDevice, contact: contact) }
}
