import ArgumentParser
import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton setup`
struct SetupCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Set this device up: start the daemon, then make, join or recover an account.",
        discussion: """
            Asks whether this is the first of your devices, joins one that is set up, or replaces devices that are all \
            lost, and for its name. Everything else is found out, and “baton doctor” repeats the checks. Run it again at any time: what is done already stays. When it fails, \
            what it has started is ended again.
            Without questions: “baton setup --new --yes” on the first machine; on every further one \
            “baton setup --join --yes”, with “baton pair” on one that has the account. The code of a pairing is \
            compared by a person all the same. With --recover the recovery code is read from standard input.
            """)

    @Flag(name: .long, help: "This is the first device: make an account.")
    var new = false

    @Flag(name: .long, help: "Join the account of another device.")
    var join = false

    @Flag(name: .long, help: "All devices are lost: enter the account with its recovery key.")
    var recover = false

    @Option(name: .long, help: "With --recover, the account's cloud: https://HOST[:PORT] (default: asks).")
    var cloud: String?

    @Option(name: .long, help: "With --recover and --cloud, the SHA-256 of the cloud's certificate.")
    var fingerprint: String?

    @Option(name: .long, help: "Name for this device (default: the host's name).")
    var name: String?

    @Option(name: .long, help: "The other device's pairing port, for networks without multicast.")
    var address: String?

    @Option(name: .long, help: "The label that the other device shows, when several are pairing.")
    var label: String?

    @Option(name: .long, help: "How many seconds to wait for the other device.")
    var timeout: UInt32 = 120

    @Flag(name: .shortAndLong, help: "Do not ask: take the host's name, and let no device join yet.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard [new, join, recover].count(where: \.self) <= 1 else {
            throw ValidationError("--new, --join and --recover exclude each other.")
        }
        guard (1...3600).contains(timeout) else { throw ValidationError("--timeout must be 1 to 3600 seconds.") }
        for (option, value) in [("--address", address), ("--label", label)] where (new || recover) && value != nil {
            throw ValidationError("\(option) is for --join.")
        }
        for (option, value) in [("--cloud", cloud), ("--fingerprint", fingerprint)] where !recover && value != nil {
            throw ValidationError("\(option) is for --recover.")
        }
        try NonEmptyArgument.check(name, "--name is an empty text. Name the device, or leave it out.")
    }

    func run(in session: CommandSession) async throws {
        var session = session
        session.context.input = SharedLines(session.context.input)
        let questions = SetupQuestions(session: session, command: self)
        try questions.check()
        let launcher = DaemonLauncher(session: session)
        let launch = try await launcher.launch()
        let isNew: Bool
        var isRecovered = false
        do {
            if launch != .running { try session.remark("The daemon runs.") }
            isNew = try await !isSetUp(session)
            if isNew { isRecovered = try await enterAccount(try await questions.ask(), session) }
        } catch {
            await launcher.undo(launch)
            throw error
        }
        let status = try await session.call(ControlMethods.getStatus, .init())
        let checks = try await DoctorCommand.checks(session)
        try session.emit(
            json: json(status, launch, checks),
            text: SetupReport(session: session).text(status, launch, checks, isRecovered: isRecovered))
        // One that has just joined has another device already.
        if !isNew || status.devicesKnown == 0 { try await letJoin(questions, status.deviceName, session) }
    }

    // MARK: Steps

    /// Whether it was set up before, the daemon running then or not.
    private func isSetUp(_ session: CommandSession) async throws -> Bool {
        let status = try await session.call(ControlMethods.getStatus, .init())
        let account = status.accountID
        // A device that was revoked may enter again.
        if recover, status.revoked { return false }
        guard join || recover, !account.isEmpty else { return !account.isEmpty }
        throw BatonError(
            .alreadyExists, reason: "account_exists",
            "This device is in account \(ShownIdentifier.text(account)) already. To let another device in, run “baton pair” "
                + "here. To join another account, run “baton account leave” first.")
    }

    /// - Returns: whether the account was recovered.
    private func enterAccount(_ answers: SetupQuestions.Answers, _ session: CommandSession) async throws -> Bool {
        switch answers.way {
        case .first: try await makeAccount(answers.name, session)
        case .join: try await pair(answers.name, session, address: address ?? "", label: label ?? "")
        case .recover(let sheet):
            _ = try await SetupQuestions(session: session, command: self).recovery
                .recover(sheet, name: answers.name, here: false)
            return true
        }
        return false
    }

    private func makeAccount(_ name: String, _ session: CommandSession) async throws {
        _ = try await session.call(
            ControlMethods.createAccount, .with { $0.deviceName = name }, timeout: .seconds(60))
    }

    /// Goes on to the next device, where a person is there to compare the code.
    private func letJoin(_ questions: SetupQuestions, _ name: String, _ session: CommandSession) async throws {
        guard questions.isPersonThere, try await questions.wantsDevice() else { return }
        try await pair(name, session, address: "", label: "")
    }

    private func pair(_ name: String, _ session: CommandSession, address: String, label: String) async throws {
        let client = try session.client()
        let events = try await client.serverStream(
            ControlMethods.pair,
            .with {
                $0.deviceName = name
                $0.address = address
                $0.label = label
                $0.timeoutSeconds = timeout
            })
        try await PairingConversation(session: session, client: client, isSetup: true).run(events)
    }

    // MARK: Output

    private func json(
        _ status: Baton_Control_V1_GetStatusResponse, _ launch: DaemonLauncher.Launch, _ checks: [DoctorCheck]
    ) -> JSONValue {
        [
            "account_id": .string(status.accountID), "device_id": .string(status.deviceID),
            "device_name": .string(status.deviceName), "daemon": .string(launch.name),
            "checks": .array(checks.map(\.json)),
        ]
    }
}
