import Foundation

/// A `file:` URL of this machine.
package enum FileURL {
    /// - Returns: the absolute path; nil for any other URL.
    package static func path(of text: String) -> String? {
        guard let url = URL(string: text), url.isFileURL, url.host?.isEmpty ?? true || url.host == "localhost" else {
            return nil
        }
        let path = url.path
        return path.hasPrefix("/") && !path.utf8.contains(0) ? path : nil
    }
}
