public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of errors of media. MediaPlayer's.
public let MPErrorDomain = "MPErrorDomain"

/// Why media could not be played. MediaPlayer's.
public struct MPError: Error, Sendable, CustomNSError, LocalizedError {
    /// The reasons.
    public enum Code: Int, Sendable {
        /// Something else.
        case unknown = 0
        /// The person has not allowed it.
        case permissionDenied = 1
        /// The person's service cannot do it.
        case cloudServiceCapabilityMissing = 2
        /// The network does not work.
        case networkConnectionFailed = 3
        /// It is not there.
        case notFound = 4
        /// It cannot be done here.
        case notSupported = 5
        /// It was given up.
        case cancelled = 6
        /// It took too long.
        case requestTimedOut = 7
    }

    /// The reason.
    public let code: Code
    private let message: String?

    /// An error of this reason.
    /// - Parameter message: a sentence for people; nil for one that follows from the reason.
    public init(_ code: Code, _ message: String? = nil) {
        self.code = code
        self.message = message
    }

    /// ``MPErrorDomain``
    public static var errorDomain: String { MPErrorDomain }
    /// The code's number.
    public var errorCode: Int { code.rawValue }
    /// A sentence for people.
    public var errorDescription: String? {
        if let message { return message }
        return switch code {
        case .unknown: "It could not be played."
        case .permissionDenied: "Playing it is not allowed."
        case .cloudServiceCapabilityMissing: "The service does not offer it."
        case .networkConnectionFailed: "The network does not work."
        case .notFound: "It is not there."
        case .notSupported: "The app cannot do this."
        case .cancelled: "It was given up."
        case .requestTimedOut: "It took too long."
        }
    }
    /// The sentence.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: errorDescription ?? ""] }
    /// As Apple's: the sentence.
    public var userInfo: [String: Any] { errorUserInfo }

    /// Something else.
    public static var unknown: Code { .unknown }
    /// The person has not allowed it.
    public static var permissionDenied: Code { .permissionDenied }
    /// The person's service cannot do it.
    public static var cloudServiceCapabilityMissing: Code { .cloudServiceCapabilityMissing }
    /// The network does not work.
    public static var networkConnectionFailed: Code { .networkConnectionFailed }
    /// It is not there.
    public static var notFound: Code { .notFound }
    /// It cannot be done here.
    public static var notSupported: Code { .notSupported }
    /// It was given up.
    public static var cancelled: Code { .cancelled }
    /// It took too long.
    public static var requestTimedOut: Code { .requestTimedOut }
}

extension MPError.Code {
    /// So that an error can be matched by its code in `catch`.
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? MPError)?.code == code }
}
