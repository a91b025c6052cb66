import Foundation
import FoundationNetworking

/// Fetches pages.
protocol PageLoader: Sendable {
    func page(at address: String) async throws -> PageContent
}

/// A page that cannot be shown, with a sentence for the person.
struct PageFailure: Error, LocalizedError {
    var errorDescription: String?

    init(_ sentence: String) { errorDescription = sentence }
}

/// Fetches pages from the web, without cookies and without a cache.
struct WebPageLoader: PageLoader {
    /// Bytes of a page.
    private static let maximumSize = 4 << 20

    private let session: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 20
        configuration.timeoutIntervalForResource = 60
        return URLSession(configuration: configuration)
    }()

    func page(at address: String) async throws -> PageContent {
        guard let url = Self.url(of: address) else { throw PageFailure("“\(address)” is no address of a page.") }
        let (data, response) = try await session.data(from: url)
        guard data.count <= Self.maximumSize else { throw PageFailure("The page is too large.") }
        if let status = (response as? HTTPURLResponse)?.statusCode, status >= 400 {
            throw PageFailure("The server answered with \(status).")
        }
        let text = String(decoding: data, as: UTF8.self)
        guard response.mimeType?.contains("html") ?? false else {
            return PageContent(title: url.lastPathComponent, lines: text.split(separator: "\n").map(String.init))
        }
        var page = PageContent(html: text)
        if page.title.isEmpty { page.title = url.host ?? address }
        return page
    }

    /// A person may leave out the scheme.
    static func url(of address: String) -> URL? {
        let whole = address.contains("://") ? address : "https://" + address
        guard let url = URL(string: whole), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            url.host?.isEmpty == false
        else { return nil }
        return url
    }
}
