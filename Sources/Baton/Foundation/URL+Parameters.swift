public import Foundation

extension URL {
    /// The parameter string of RFC 1808: what follows the first `;` in the last component of the path, percent-encoded as
    /// it is. Nil if there is none. Not Apple's: `NSURL.parameterString` is always nil on Linux (U-16).
    ///
    /// `URL(string: "ftp://host/a;b/c;type=i?q#f")?.rfc1808ParameterString` is `type=i`.
    public var rfc1808ParameterString: String? {
        guard scheme != nil, let path = URLComponents(url: self, resolvingAgainstBaseURL: true)?.percentEncodedPath,
            !path.isEmpty
        else { return nil }
        let last = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
        return last.firstIndex(of: ";").map { String(last[last.index(after: $0)...]) }
    }
}
