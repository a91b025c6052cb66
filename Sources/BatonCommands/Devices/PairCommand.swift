import ArgumentParser
import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton pair`
struct PairCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Join the account of another device, or let another device join.",
        discussion: """
            Run it on both devices: one that has an account lets the other one in. Both show a code of six digits; they are paired only if you find them the same.
            With --json the events are printed one a line, and the verdict is read from standard input: “yes”, “no”, or \
            the code of the other device.
            """)

    @Option(
        name: .long, help: "Name for this device, when it joins (default: the host's name).")
    var name: String?

    @Option(name: .long, help: "The other device's pairing port, for networks without multicast.")
    var address: String?

    @Option(name: .long, help: "The label that the other device shows, when several are pairing.")
    var label: String?

    @Option(name: .long, help: "How many seconds to wait for the other device.")
    var timeout: UInt32 = 120

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard (1...3600).contains(timeout) else { throw ValidationError("--timeout must be 1 to 3600 seconds.") }
    }

    func run(in session: CommandSession) async throws {
        let client = try session.client()
        let events = try await client.serverStream(
            ControlMethods.pair,
            .with {
                $0.deviceName = name ?? ProcessInfo.processInfo.hostName
                $0.address = address ?? ""
                $0.label = label ?? ""
                $0.timeoutSeconds = timeout
            })
        // Ending this command, in whatever way, ends the call, and with it the pairing.
        let conversation = PairingConversation(session: session, client: client)
        try await conversation.run(events)
    }
}
