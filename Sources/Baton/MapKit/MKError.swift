public import Foundation

/// The domain of ``MKError``.
public let MKErrorDomain = "MKErrorDomain"

/// Why a search of places failed. MapKit's.
public struct MKError: Error, CustomNSError, LocalizedError, Hashable, Sendable {
    /// Apple's numbers.
    public enum Code: UInt, Sendable {
        /// Something else.
        case unknown = 1
        /// The daemon or the geocoder failed.
        case serverFailure = 2
        /// Too much is asked.
        case loadingThrottled = 3
        /// There is no such place.
        case placemarkNotFound = 4
        /// There is no way.
        case directionsNotFound = 5
        /// The answer cannot be read.
        case decodingFailed = 6
    }

    /// Which error.
    public let code: Code
    let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// An error of a kind.
    public init(_ code: Code) { self.init(code, "The search failed: \(code).") }

    /// The daemon's message.
    init(_ error: any Error) {
        guard let error = error as? CLError else {
            self.init(.unknown, "The search failed: \(error)")
            return
        }
        switch error.code {
        case .geocodeFoundNoResult, .geocodeFoundPartialResult: self.init(.placemarkNotFound, error.message)
        default: self.init(.serverFailure, error.message)
        }
    }

    /// Apple's name of the domain.
    public static var errorDomain: String { MKErrorDomain }
    /// Apple's number.
    public var errorCode: Int { Int(code.rawValue) }
    /// The sentence, for those who only see an `NSError`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
    /// A sentence that says what to do.
    public var errorDescription: String? { message }
    /// As Apple's.
    public var userInfo: [String: Any] { errorUserInfo }

    /// Something else.
    public static var unknown: Code { .unknown }
    /// The daemon or the geocoder failed.
    public static var serverFailure: Code { .serverFailure }
    /// Too much is asked.
    public static var loadingThrottled: Code { .loadingThrottled }
    /// There is no such place.
    public static var placemarkNotFound: Code { .placemarkNotFound }
    /// There is no way.
    public static var directionsNotFound: Code { .directionsNotFound }
    /// The answer cannot be read.
    public static var decodingFailed: Code { .decodingFailed }
}

extension MKError.Code {
    /// So that an error can be matched by its code in `catch`.
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? MKError)?.code == code }
}
