import BatonCore
import BatonTrust
import Foundation

/// All that entering an account from its cloud takes, as it stands on paper: where the cloud is, how it is known, and the
/// recovery code.
struct RecoverySheet: Equatable, Sendable {
    /// https://HOST or https://HOST:PORT
    var cloud: String
    /// The SHA-256 of the cloud's certificate; empty for one that the system's roots vouch for.
    var fingerprint: [UInt8]
    var code: RecoveryCode

    /// For a camera. The scanned text may be passed on as it is; the code ends it.
    var text: String {
        [cloud, Self.hexadecimal(fingerprint), code.text].filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The lines below “Write this down”.
    var lines: [String] {
        let digits = Self.hexadecimal(fingerprint)
        let groups = code.text.split(separator: "-").map(String.init)
        return Self.block("Cloud", [TerminalText.escape(cloud)])
            + Self.block("Certificate", Self.rows(Self.groups(of: 8, digits), separator: " "))
            + Self.block("Code", Self.rows(groups, separator: "-"))
    }

    private static func block(_ name: String, _ rows: [String]) -> [String] {
        rows.filter { !$0.isEmpty }.enumerated().map { index, row in
            "    " + TerminalText.pad(index == 0 ? name : "", to: 13) + row
        }
    }

    private static func rows(_ groups: [String], separator: String) -> [String] {
        stride(from: 0, to: groups.count, by: 4).map { start in
            groups[start..<min(start + 4, groups.count)].joined(separator: separator)
        }
    }

    private static func groups(of size: Int, _ text: String) -> [String] {
        let characters = Array(text)
        return stride(from: 0, to: characters.count, by: size).map { start in
            String(characters[start..<min(start + size, characters.count)])
        }
    }

    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// 64 hexadecimal digits, with or without colons and blanks; nil for anything else.
    static func fingerprint(_ text: String) -> [UInt8]? {
        let digits = text.filter { $0 != ":" && !$0.isWhitespace }
        let values = digits.compactMap(\.hexDigitValue)
        guard digits.count == 64, values.count == 64 else { return nil }
        return stride(from: 0, to: 64, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}
