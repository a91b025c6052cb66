import BatonCore
import BatonTrust

/// Takes a recovery sheet line by line, as it is typed from paper or pasted from its QR code: with or without the names
/// of its parts, a part in one line or in several, the code last.
struct RecoverySheetReader: Sendable {
    private(set) var cloud: String?
    private(set) var fingerprint: [UInt8]?
    private var code = ""
    /// Digits of a fingerprint that goes on in the next line.
    private var digits = ""

    /// - Parameters:
    ///   - cloud: from an option; nil when it is to be read.
    ///   - fingerprint: likewise.
    init(cloud: String?, fingerprint: [UInt8]?) {
        self.cloud = cloud
        self.fingerprint = fingerprint
    }

    /// Whether the code is as long as a code is: nothing more is read.
    var isComplete: Bool { size >= RecoveryCode.size }
    private var size: Int { code.filter { !$0.isWhitespace && $0 != "-" }.count }

    mutating func take(_ line: String) {
        let text = Self.unnamed(line)
        if text.lowercased().hasPrefix("https://") || text.lowercased().hasPrefix("http://") {
            // An option's value stays.
            if cloud == nil { cloud = text }
            return
        }
        // Eight in a group; a code has five.
        if code.isEmpty, fingerprint == nil, Self.isPartOfFingerprint(text, after: digits) {
            digits += text
            if let bytes = RecoverySheet.fingerprint(digits) { fingerprint = bytes }
            return
        }
        code += text
    }

    /// - Throws: `usage` where the cloud is missing; as ``RecoveryCode/init(typed:)`` for an invalid code.
    func sheet() throws -> RecoverySheet {
        // Before the cloud is missed: a code alone is what most people try.
        let code = try RecoveryCode(typed: code)
        guard let cloud else {
            throw CommandFailure.usage(
                "The address of the account's cloud is missing: it stands beside the code, and is given with --cloud.")
        }
        guard digits.isEmpty || fingerprint != nil else {
            throw CommandFailure.usage("The certificate's fingerprint is not whole: it has 64 hexadecimal digits.")
        }
        return RecoverySheet(cloud: cloud, fingerprint: fingerprint ?? [], code: code)
    }

    private static func isPartOfFingerprint(_ text: String, after digits: String) -> Bool {
        if RecoverySheet.fingerprint(text) != nil { return true }
        let groups = text.split(separator: " ")
        let isHalf = !groups.isEmpty && groups.allSatisfy { $0.count == 8 && $0.allSatisfy(\.isHexDigit) }
        return isHalf && groups.count <= 8
    }

    /// Without the name that stands before a part on paper.
    private static func unnamed(_ line: String) -> String {
        let text = line.drop(while: \.isWhitespace)
        let name = text.prefix { !$0.isWhitespace && $0 != ":" }
        guard ["cloud", "certificate", "fingerprint", "code"].contains(name.lowercased()) else {
            return trimmed(text)
        }
        return trimmed(text.dropFirst(name.count).drop { $0 == ":" })
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
