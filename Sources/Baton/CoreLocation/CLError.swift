public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of ``CLError``.
public let kCLErrorDomain = "kCLErrorDomain"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A key of a ``CLError``'s `userInfo`: the ``CLRegion`` that was found in place of what was asked for, as the town of a street
/// that no source knows.
public let kCLErrorUserInfoAlternateRegionKey = "kCLErrorUserInfoAlternateRegionKey"

/// Why a location or a place was not found. CoreLocation's.
public struct CLError: Error, CustomNSError, LocalizedError, @unchecked Sendable {
    /// Apple's numbers.
    public enum Code: Int, Sendable {
        /// The location of the device is not known now.
        case locationUnknown = 0
        /// The person does not want the app to know.
        case denied = 1
        /// The geocoder cannot be reached, or was asked too often.
        case network = 2
        /// The direction is not known.
        case headingFailure = 3
        /// Regions may not be watched.
        case regionMonitoringDenied = 4
        /// A region cannot be watched.
        case regionMonitoringFailure = 5
        /// A region cannot be watched yet.
        case regionMonitoringSetupDelayed = 6
        /// Events of a region come late.
        case regionMonitoringResponseDelayed = 7
        /// Nothing is known of the place.
        case geocodeFoundNoResult = 8
        /// Only what the place is in was found: see ``kCLErrorUserInfoAlternateRegionKey``.
        case geocodeFoundPartialResult = 9
        /// The request was cancelled.
        case geocodeCanceled = 10
        /// The person did not answer.
        case promptDeclined = 18
    }

    /// Which error.
    public let code: Code
    let message: String
    // Constants, as everything here; a region does not change.
    let region: CLRegion?

    init(_ code: Code, _ message: String, region: CLRegion? = nil) {
        self.code = code
        self.message = message
        self.region = region
    }

    /// An error of a kind.
    public init(_ code: Code) { self.init(code, "The place or location was not found: \(code).") }

    /// Apple's name of the domain.
    public static var errorDomain: String { kCLErrorDomain }
    /// Apple's number.
    public var errorCode: Int { code.rawValue }
    /// The sentence and the region.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: message]
        info[kCLErrorUserInfoAlternateRegionKey] = region
        return info
    }
    /// A sentence that says what to do.
    public var errorDescription: String? { message }
    /// As Apple's.
    public var userInfo: [String: Any] { errorUserInfo }

    /// Nothing is known of the place.
    public static var geocodeFoundNoResult: Code { .geocodeFoundNoResult }
    /// Only what the place is in was found.
    public static var geocodeFoundPartialResult: Code { .geocodeFoundPartialResult }
    /// The request was cancelled.
    public static var geocodeCanceled: Code { .geocodeCanceled }
    /// The geocoder cannot be reached.
    public static var network: Code { .network }
    /// The person does not want the app to know.
    public static var denied: Code { .denied }
    /// The location of the device is not known now.
    public static var locationUnknown: Code { .locationUnknown }
    /// The direction is not known.
    public static var headingFailure: Code { .headingFailure }
    /// Regions may not be watched.
    public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
    /// A region cannot be watched.
    public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
    /// A region cannot be watched yet.
    public static var regionMonitoringSetupDelayed: Code { .regionMonitoringSetupDelayed }
    /// Events of a region come late.
    public static var regionMonitoringResponseDelayed: Code { .regionMonitoringResponseDelayed }
    /// The person did not answer.
    public static var promptDeclined: Code { .promptDeclined }
}

extension CLError.Code {
    /// So that an error can be matched by its code in `catch`.
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? CLError)?.code == code }
}
