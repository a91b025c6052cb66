package import BatonCore

/// The header `Connect-Timeout-Ms`: at most ten digits.
package enum ConnectTimeout {
    package static let headerName = "connect-timeout-ms"

    package static func format(_ timeout: Duration) -> String {
        let milliseconds = timeout / .milliseconds(1)
        return String(Int(min(max(milliseconds.rounded(.up), 0), 9_999_999_999)))
    }

    /// - Throws: `invalid_argument` for anything but one to ten digits.
    package static func parse(_ text: String) throws(BatonError) -> Duration {
        guard (1...10).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let milliseconds = Int64(text)
        else {
            throw BatonError(
                .invalidArgument, reason: "invalid_timeout",
                "The header Connect-Timeout-Ms must be one to ten digits, the milliseconds allowed.")
        }
        return .milliseconds(milliseconds)
    }
}
