import ArgumentParser
import BatonCore
import BatonTrust
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton account recover`
struct AccountRecoverCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Enter an account whose devices are lost, with its recovery key.",
        discussion: """
            The code is read from standard input, so that it is in no list of processes and no history. It may be typed in \
            several lines, with or without hyphens.
            """)

    @Option(name: .long, help: "The account's cloud: https://HOST or https://HOST:PORT.")
    var cloud: String

    @Option(
        name: .long,
        help: "The SHA-256 of the cloud's certificate, as “baton-cloud serve” prints it (default: the system's roots).")
    var fingerprint: String?

    @Option(name: .long, help: "Name for this device (default: the host's name).")
    var name: String?

    @Flag(name: .long, help: "Also when the account's devices say there that its cloud is another one.")
    var here = false

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let certificate = try fingerprint.map(Self.bytes) ?? []
        // Before a code is asked for.
        try CloudEndpoint(url: cloud, certificate: certificate.isEmpty ? nil : certificate, timestamp: .zero)
            .checkAddress()
        try await checkAccount(session)
        let code = try await readCode(session)
        let answer = try await session.call(
            ControlMethods.recoverAccount,
            .with {
                $0.code = code.text
                $0.cloudURL = cloud
                $0.cloudCertificate = Data(certificate)
                $0.deviceName = name ?? ""
                $0.here = here
            }, timeout: .seconds(120))
        try session.emit(
            json: ["account_id": .string(answer.accountID), "device_id": .string(answer.deviceID)],
            text: """
                This device has entered account \(ShownIdentifier.text(answer.accountID)).
                Revoke the devices that are lost: see “baton devices” and “baton device revoke”.
                """)
    }

    /// - Throws: `already_exists` where this device has an account, as the daemon would once it has the code.
    private func checkAccount(_ session: CommandSession) async throws {
        let status = try await session.call(ControlMethods.getStatus, .init())
        // A device that was revoked may enter again.
        guard !status.accountID.isEmpty, !status.revoked else { return }
        throw BatonError(
            .alreadyExists, reason: "account_exists",
            "This device is in account \(ShownIdentifier.text(status.accountID)) already. To enter another one, leave this "
                + "one first: “baton account leave”.")
    }

    /// Lines, until they make a code or the input ends.
    private func readCode(_ session: CommandSession) async throws -> RecoveryCode {
        if session.context.terminal.isInputInteractive, !session.isJSON {
            try session.context.standardError.write("Recovery code: ")
        }
        var typed = ""
        for await line in session.context.input.lines() {
            typed += line
            let size = typed.filter { !$0.isWhitespace && $0 != "-" }.count
            if size >= RecoveryCode.size || line.allSatisfy(\.isWhitespace) { break }
        }
        return try RecoveryCode(typed: typed)
    }

    /// - Throws: a usage error for anything but 64 hexadecimal digits, with or without colons.
    private static func bytes(_ fingerprint: String) throws -> [UInt8] {
        let digits = Array(fingerprint.filter { $0 != ":" })
        let bytes = stride(from: 0, to: digits.count - digits.count % 2, by: 2).compactMap { place in
            digits[place].isHexDigit && digits[place + 1].isHexDigit
                ? UInt8(String(digits[place...place + 1]), radix: 16) : nil
        }
        guard digits.count == 64, bytes.count == 32 else {
            throw CommandFailure.usage("--fingerprint takes the 64 hexadecimal digits that “baton-cloud serve” prints.")
        }
        return bytes
    }
}
