package import Foundation

/// Errors about files, of the domain in which apps expect them.
package enum CocoaErrors {
    package static func make(_ code: CocoaError.Code, _ message: String, _ url: URL?) -> NSError {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message]
        userInfo[NSURLErrorKey] = url
        return NSError(domain: NSCocoaErrorDomain, code: code.rawValue, userInfo: userInfo)
    }
}
