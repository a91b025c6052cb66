public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of ``CSSearchQueryError``.
public let CSSearchQueryErrorDomain = "CSSearchQueryErrorDomain"

/// Why a query found nothing. CoreSpotlight's.
public struct CSSearchQueryError: Error, CustomNSError, LocalizedError, Hashable, Sendable {
    /// Apple's numbers.
    public enum Code: Int, Sendable {
        /// Something else.
        case unknown = -2000
        /// The index is not there.
        case indexUnreachable = -2001
        /// The query's text breaks the rules of its language.
        case invalidQuery = -2002
        /// The query was cancelled.
        case cancelled = -2003
    }

    /// Which error.
    public let code: Code
    let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// An error of a kind.
    public init(_ code: Code) { self.init(code, "The query ended: \(code).") }

    /// Apple's name of the domain.
    public static var errorDomain: String { CSSearchQueryErrorDomain }
    /// Apple's number.
    public var errorCode: Int { code.rawValue }
    /// The sentence, for those who only see an `NSError`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
    /// A sentence that says what to do.
    public var errorDescription: String? { message }
    /// As Apple's.
    public var userInfo: [String: Any] { errorUserInfo }

    /// Something else.
    public static var unknown: Code { .unknown }
    /// The index is not there.
    public static var indexUnreachable: Code { .indexUnreachable }
    /// The query's text breaks the rules of its language.
    public static var invalidQuery: Code { .invalidQuery }
    /// The query was cancelled.
    public static var cancelled: Code { .cancelled }
}

extension CSSearchQueryError.Code {
    /// So that an error can be matched by its code in `catch`.
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? CSSearchQueryError)?.code == code }
}
