import ArgumentParser
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton cloud login`
struct CloudLogInCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Make a server the cloud of this account.",
        discussion: """
            The server is tried first; nothing changes when it does not let this device in. With the same address as \
            before, this device connects again at once. Give an address at which all of your devices reach the server.
            The account's previous cloud gets the new address, sealed: devices that only it reaches follow.
            When the server has a new certificate, log in again with its new fingerprint.
            """)

    @Argument(help: "https://HOST[:PORT] of a baton-cloud.")
    var url: String

    @Option(
        name: .long,
        help: """
            The certificate's SHA-256, as baton-cloud prints it (default: that of the account's cloud for its own address, \
            else the system's authorities).
            """)
    var fingerprint: String?

    @Option(name: .long, help: "An invitation, for a server that wants one for new accounts.")
    var invitation: String?

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let digits = try fingerprint.map(Self.bytes) ?? Data()
        let answer = try await session.call(
            CloudControlMethods.logInToCloud,
            .with {
                $0.url = url
                $0.fingerprint = digits
                $0.invitation = invitation ?? ""
            }, timeout: .seconds(60))
        try await warnOfOwnHost(answer.url, in: session)
        let left = answer.hasLeft ? answer.left : nil
        try CloudLeaving.warn(left, in: session)
        try session.emit(
            json: [
                "url": .string(answer.url), "software_version": .string(answer.softwareVersion),
                "left": CloudLeaving.json(left), "certificate_replaced": .boolean(answer.certificateReplaced),
            ],
            text: answer.certificateReplaced
                ? Self.replaced(answer.url, digits)
                : answer.same
                    ? "This account's cloud is \(TerminalText.escape(answer.url)), as before."
                    : "This account's cloud is \(TerminalText.escape(answer.url)) now. "
                        + CloudLeaving.text(left, verb: "log in"))
    }

    /// The account has the cloud that it had; devices that know it by its old certificate refuse it.
    private static func replaced(_ url: String, _ fingerprint: Data) -> String {
        let shown = TerminalText.escape(url)
        let option = fingerprint.isEmpty ? "" : " --fingerprint \(CloudStatusCommand.hexadecimal(fingerprint))"
        return
            "\(shown) is this account's cloud as before, and is known by its new certificate now. Your other devices learn "
            + "of the certificate when they are near this one. On one that is not, run: baton cloud login \(shown)\(option)"
    }

    private func warnOfOwnHost(_ url: String, in session: CommandSession) async throws {
        guard let parts = URLComponents(string: url), let host = parts.host?.filter({ $0 != "[" && $0 != "]" }) else {
            return
        }
        let (addresses, own) = await session.context.findHost(host)
        switch OwnHost(host, addresses: addresses, own: own) {
        case .loopback?:
            try session.remark(
                "\(TerminalText.escape(url)) leads every device to itself: the account's other devices will "
                    + "look for the cloud on themselves. Log in again with an address at which they reach it.")
        case .name(let address)?:
            let text = address.contains(":") ? "[\(address)]" : address
            try session.remark(
                "“\(TerminalText.escape(host))” is this machine. The account's other devices must find it by that name, "
                    + "too. If they do not, log in again with https://\(TerminalText.escape(text)):\(parts.port ?? 443)."
            )
        case nil: break
        }
    }

    /// Hexadecimal digits, colons between them or not.
    private static func bytes(_ text: String) throws -> Data {
        let digits = text.filter { $0 != ":" && !$0.isWhitespace }
        let values = digits.compactMap(\.hexDigitValue)
        guard values.count == 64, digits.count == 64 else {
            throw BatonError(
                .invalidArgument, reason: "malformed_fingerprint",
                "The fingerprint of a certificate is its SHA-256: 64 hexadecimal digits, as baton-cloud prints it.")
        }
        return Data(stride(from: 0, to: 64, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) })
    }
}
