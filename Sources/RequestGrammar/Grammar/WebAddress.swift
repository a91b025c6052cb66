import Foundation

/// Addresses of pages as people write them, in one word: example.com, www.example.com/a, https://example.com.
enum WebAddress {
    /// The last labels of names that are pages without “www” or “https”. Policy: those that are written most, and that are no
    /// endings of files or programs: “open notes.md” names no page.
    private static let endings: Set<String> = [
        "com", "org", "net", "edu", "gov", "int", "info", "biz", "io", "ai", "dev", "tv", "eu", "de", "at", "ch", "uk",
        "ie", "fr", "es",
        "it", "nl", "be", "lu", "dk", "se", "no", "fi", "cz", "pt", "gr", "tr", "us", "ca", "au", "nz", "jp", "cn",
        "in", "br", "mx",
        "ru", "ua", "za", "kr", "il",
    ]

    /// - Returns: the page, with `https` where the word names no scheme; nil for another word.
    static func url(_ word: String) -> URL? {
        guard word.contains("."), word.utf8.count <= 500, !word.contains("@") else { return nil }
        let lower = word.lowercased()
        let scheme = ["https://", "http://"].first(where: lower.hasPrefix)
        let name = lower.dropFirst(scheme?.count ?? 0).prefix { !"/?#:".contains($0) }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, let last = labels.last, last.count > 1, last.allSatisfy(\.isLetter),
            labels.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } }),
            scheme != nil || labels[0] == "www" && labels.count > 2 || endings.contains(String(last))
        else { return nil }
        return URL(string: (scheme ?? "https://") + word.dropFirst(scheme?.count ?? 0))
    }
}
