public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of ``CSIndexError``.
public let CSIndexErrorDomain = "CSIndexErrorDomain"

/// Why the index did not take something. CoreSpotlight's.
public struct CSIndexError: Error, CustomNSError, LocalizedError, Hashable, Sendable {
    /// Apple's numbers.
    public enum Code: Int, Sendable {
        /// Something else.
        case unknownError = -1
        /// The index is not there: no daemon runs, or its disk is full. Try again.
        case indexUnavailableError = -1000
        /// An item breaks a rule.
        case invalidItemError = -1001
        /// The client state is too long, or there is no batch.
        case invalidClientStateError = -1002
        /// The connection to the daemon was lost. Try again.
        case remoteConnectionError = -1003
        /// The app has as many items as it may.
        case quotaExceeded = -1004
        /// Nothing can be indexed.
        case indexingUnsupported = -1005
        /// Another client state is stored than was expected. The number is Baton's: Apple's is not published.
        case mismatchedClientState = -1006
    }

    /// Which error.
    public let code: Code
    let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// An error of a kind.
    public init(_ code: Code) { self.init(code, "The index answered \(code).") }

    /// Apple's name of the domain.
    public static var errorDomain: String { CSIndexErrorDomain }
    /// Apple's number.
    public var errorCode: Int { code.rawValue }
    /// The sentence, for those who only see an `NSError`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
    /// A sentence that says what to do.
    public var errorDescription: String? { message }
    /// As Apple's.
    public var userInfo: [String: Any] { errorUserInfo }

    /// Something else.
    public static var unknownError: Code { .unknownError }
    /// The index is not there.
    public static var indexUnavailableError: Code { .indexUnavailableError }
    /// An item breaks a rule.
    public static var invalidItemError: Code { .invalidItemError }
    /// The client state is too long, or there is no batch.
    public static var invalidClientStateError: Code { .invalidClientStateError }
    /// The connection to the daemon was lost.
    public static var remoteConnectionError: Code { .remoteConnectionError }
    /// The app has as many items as it may.
    public static var quotaExceeded: Code { .quotaExceeded }
    /// Nothing can be indexed.
    public static var indexingUnsupported: Code { .indexingUnsupported }
    /// Another client state is stored than was expected.
    public static var mismatchedClientState: Code { .mismatchedClientState }
}

extension CSIndexError.Code {
    /// So that an error can be matched by its code in `catch`.
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? CSIndexError)?.code == code }
}
