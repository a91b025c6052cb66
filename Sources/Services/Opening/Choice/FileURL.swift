import BatonCore
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

    /// The desktop leaves out the host of such a URL: a file of “another machine” would be one of this, of which no app was asked
    /// whether it is its own.
    /// - Throws: `invalid_argument` (`no_file_here`) for any other URL.
    static func checkedPath(of text: String) throws(BatonError) -> String {
        guard let path = path(of: text) else {
            throw BatonError(
                .invalidArgument, reason: "no_file_here",
                "“\(text.shortened(toBytes: 80))” names no file of this machine. "
                    + "Write it as in file:///home/anna/note.txt.")
        }
        return path
    }
}
