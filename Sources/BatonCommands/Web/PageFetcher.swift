import AsyncHTTPClient
import BatonCore
import NIOCore
import NIOHTTP1

/// Fetches one page, within bounds of size and time.
enum PageFetcher {
    struct Page {
        var bytes: [UInt8]
        /// The encoding that the server named.
        var charset: String?
    }

    private static let patience = TimeAmount.seconds(20)

    /// - Throws: `unavailable` with reason `page_not_fetched`, `page_too_large`.
    static func fetch(_ address: String, limit: Int) async throws -> Page {
        // Nothing is unpacked, so what comes is as large as it is on its way.
        let configuration = HTTPClient.Configuration(
            redirectConfiguration: .follow(max: 5, allowCycles: false),
            timeout: .init(connect: .seconds(10), read: .seconds(10)))
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let page = try await fetch(address, limit: limit, client)
            try await client.shutdown()
            return page
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    private static func fetch(_ address: String, limit: Int, _ client: HTTPClient) async throws -> Page {
        var request = HTTPClientRequest(url: address)
        request.headers.add(name: "User-Agent", value: "baton/\(BatonVersion.current)")
        request.headers.add(name: "Accept", value: "text/html, application/xhtml+xml, application/ld+json")
        let response: HTTPClientResponse
        do {
            response = try await client.execute(request, timeout: patience)
        } catch {
            throw BatonError(
                .unavailable, reason: "page_not_fetched",
                "The page could not be fetched: its server does not answer, or not as servers do. Is the address right?",
                cause: error)
        }
        guard (200..<300).contains(response.status.code) else {
            throw BatonError(
                .unavailable, reason: "page_not_fetched",
                "The page could not be fetched: its server answered with status \(response.status.code).")
        }
        do {
            var bytes: [UInt8] = []
            for try await part in response.body {
                bytes += part.readableBytesView
                // One byte more than is read says that it is too large.
                if bytes.count > limit { break }
            }
            return Page(bytes: bytes, charset: charset(response.headers.first(name: "Content-Type")))
        } catch {
            throw BatonError(
                .unavailable, reason: "page_not_fetched", "The page broke off while it was fetched. Try again.",
                cause: error)
        }
    }

    private static func charset(_ contentType: String?) -> String? {
        for part in contentType?.split(separator: ";").dropFirst() ?? [] {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\"" } }
            if pair.count == 2, pair[0].lowercased() == "charset" { return String(pair[1]) }
        }
        return nil
    }
}
