package import BatonCore
package import Foundation

/// The Connect protocol's view of a ``BatonError``: JSON in the body of a failed unary call, or in the last envelope of
/// a stream.
package enum ConnectError {
    /// The HTTP status that the Connect protocol assigns to a code.
    package static func status(of code: BatonError.Code) -> Int {
        switch code {
        case .canceled: 499
        case .invalidArgument, .failedPrecondition, .outOfRange: 400
        case .deadlineExceeded: 504
        case .notFound: 404
        case .alreadyExists, .aborted: 409
        case .permissionDenied: 403
        case .resourceExhausted: 429
        case .unimplemented: 501
        case .unavailable: 503
        case .unauthenticated: 401
        case .unknown, .internal, .dataLoss: 500
        }
    }

    /// The code for an HTTP answer that is not of this protocol, e.g. from a proxy.
    package static func code(ofStatus status: Int) -> BatonError.Code {
        switch status {
        case 400: .internal
        case 401: .unauthenticated
        case 403: .permissionDenied
        case 404: .unimplemented
        case 429, 502, 503, 504: .unavailable
        default: .unknown
        }
    }

    private struct Payload: Codable {
        var code: String?
        var message: String?
        /// Not of the Connect protocol: the finer name of the error. Other clients ignore it.
        var reason: String?
    }

    private struct EndOfStream: Codable {
        var error: Payload?
    }

    package static func json(_ error: BatonError) -> Data {
        encode(Payload(code: error.code.rawValue, message: error.message, reason: error.reason))
    }

    package static func endOfStream(_ error: BatonError?) -> Data {
        encode(
            EndOfStream(
                error: error.map { Payload(code: $0.code.rawValue, message: $0.message, reason: $0.reason) }))
    }

    private static func encode(_ value: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)) ?? Data(#"{"code":"internal"}"#.utf8)
    }

    /// Decodes the body of a failed unary answer. Never fails: an answer that is not of this protocol gets a code by
    /// its status.
    package static func decode(_ body: Data, status: Int) -> BatonError {
        guard let payload = try? JSONDecoder().decode(Payload.self, from: body), payload.code != nil else {
            return BatonError(
                code(ofStatus: status), reason: "http_\(status)",
                "The other side answered with HTTP status \(status) and no explanation.")
        }
        return error(payload)
    }

    /// Nil when the stream ended well.
    /// - Throws: `internal` when the end cannot be understood.
    package static func decodeEndOfStream(_ body: Data) throws(BatonError) -> BatonError? {
        guard let end = try? JSONDecoder().decode(EndOfStream.self, from: body) else {
            throw BatonError(
                .internal, reason: "malformed_end_of_stream", "The end of a stream could not be understood.")
        }
        return end.error.map(error)
    }

    /// The cause of an error that the other side sent: its message is the other side's, and not this program's.
    package struct Answered: Error, CustomStringConvertible {
        package let description = "as the other side said"
    }

    private static func error(_ payload: Payload) -> BatonError {
        let code = payload.code.flatMap(BatonError.Code.init(rawValue:)) ?? .unknown
        guard let message = payload.message else {
            return BatonError(code, reason: reason(payload) ?? code.rawValue, "No explanation was given.")
        }
        return BatonError(code, reason: reason(payload) ?? code.rawValue, message, cause: Answered())
    }

    /// A name for programs, which is shown to people, too: nil for an invalid one.
    private static func reason(_ payload: Payload) -> String? {
        payload.reason.flatMap { reason in
            let isName = reason.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
            }
            return isName && (1...64).contains(reason.utf8.count) ? reason : nil
        }
    }
}
