import BatonCore
package import Foundation

/// The errors of documents in iCloud, as apps know them.
package enum UbiquityErrors {
    /// Why there is no container: the daemon's reasons.
    private static let unavailable: Set<String> = ["no_account", "no_entitlement", "switched_off", "unknown_container"]

    /// An operation that the daemon refused, or could not perform.
    /// - Parameter isWriting: which of Foundation's codes stands for it.
    package static func cocoa(_ error: any Error, _ url: URL?, isWriting: Bool = false) -> NSError {
        guard let error = error as? BatonError else { return error as NSError }
        let code: CocoaError.Code =
            switch error.code {
            case .notFound: isWriting ? .fileNoSuchFile : .fileReadNoSuchFile
            case .permissionDenied: isWriting ? .fileWriteNoPermission : .fileReadNoPermission
            case .invalidArgument: isWriting ? .fileWriteInvalidFileName : .fileReadInvalidFileName
            case .alreadyExists: .fileWriteFileExists
            case .resourceExhausted where isQuota(error.reason): CocoaError.ubiquitousFileNotUploadedDueToQuota
            case .resourceExhausted: .fileWriteOutOfSpace
            case .unavailable, .deadlineExceeded, .canceled: CocoaError.ubiquitousFileUbiquityServerNotAvailable
            case .failedPrecondition where unavailable.contains(error.reason):
                CocoaError.ubiquitousFileUbiquityServerNotAvailable
            case .failedPrecondition: CocoaError.ubiquitousFileUnavailable
            default: isWriting ? .fileWriteUnknown : .fileReadUnknown
            }
        return CocoaErrors.make(code, error.message, url)
    }

    /// Why an item does not come or go.
    package static func cocoa(_ problem: UbiquitousItem.Problem, _ url: URL?) -> NSError {
        let code: CocoaError.Code =
            if isQuota(problem.reason) {
                CocoaError.ubiquitousFileNotUploadedDueToQuota
            } else if ["unreachable", "offline", "unavailable"].contains(where: problem.reason.contains) {
                CocoaError.ubiquitousFileUbiquityServerNotAvailable
            } else {
                CocoaError.ubiquitousFileUnavailable
            }
        return CocoaErrors.make(code, problem.message.isEmpty ? problem.reason : problem.message, url)
    }

    /// It did not come in time.
    package static func notArrived(_ url: URL) -> NSError {
        CocoaErrors.make(
            CocoaError.ubiquitousFileUnavailable,
            "“\(url.lastPathComponent)” has not arrived from the other device yet. Try again later.", url)
    }

    package static func notInContainer(_ url: URL) -> NSError {
        CocoaErrors.make(
            .fileWriteInvalidFileName, "“\(url.lastPathComponent)” is in no iCloud container of this app.", url)
    }

    private static func isQuota(_ reason: String) -> Bool { reason.contains("quota") }
}
