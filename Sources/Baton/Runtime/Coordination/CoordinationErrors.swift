import AppLink
import FileCoordination
import Foundation

/// The errors of coordinated access, as apps know them.
enum CoordinationErrors {
    static func cocoa(_ code: CocoaError.Code, _ message: String, _ url: URL?) -> NSError {
        CocoaErrors.make(code, message, url)
    }

    static func error(_ error: FileCoordinationRuntime.CoordinationError) -> NSError {
        switch error {
        case .failed(.cancelled): cocoa(.userCancelled, "The file access was cancelled.", nil)
        case .failed(.deadlock(let circle)):
            posix(
                EDEADLK,
                "The file access would wait for itself: \(circle.count) accesses wait for one another. Use one "
                    + "coordinator, or one call with all files, for accesses within one another.")
        case .failed(.presenter(_, let failure)):
            NSError(
                domain: failure.domain, code: failure.code, userInfo: [NSLocalizedDescriptionKey: failure.message])
        case .refused(.tooManyRequests), .refused(.tooManyPresenters), .refused(.tooManyIntents):
            posix(EAGAIN, "The process coordinates too many files at once. Wait until some accesses have ended.")
        case .refused(.noIntents): posix(EINVAL, "No file was named. Give one at least.")
        case .refused(.notPermitted):
            cocoa(
                .fileReadNoPermission,
                "The app may coordinate only files that it may read: those of its containers and its Inbox.", nil)
        case .refused(.invalidPath): cocoa(.fileReadInvalidFileName, "The file's path cannot be coordinated.", nil)
        case .refused(.duplicate): posix(EINVAL, "The file access is under way already.")
        }
    }

    private static func posix(_ code: Int32, _ message: String) -> NSError {
        NSError(domain: NSPOSIXErrorDomain, code: Int(code), userInfo: [NSLocalizedDescriptionKey: message])
    }
}
