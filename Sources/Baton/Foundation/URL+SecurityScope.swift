public import Foundation

extension URL {
    /// Says that the app is about to use a file that another app or device has given it. Nothing is locked away on Linux, where a
    /// process may use what its user may, and a confined app what the file portal gave it: it is there in any case.
    /// - Returns: true for the URL of a file, so that code which stops without access goes on.
    ///
    /// Apple: <https://developer.apple.com/documentation/foundation/url/startaccessingsecurityscopedresource()>
    @discardableResult
    public func startAccessingSecurityScopedResource() -> Bool { isFileURL }

    /// Says that the app has used the file. Does nothing.
    public func stopAccessingSecurityScopedResource() {}
}
