import AsyncHTTPClient
import BatonCore
package import Foundation
import NIOCore
import NIOHTTP1

/// Asks a server over HTTP: 5 seconds, 1 MiB, no redirect.
package struct NominatimClient: GeocoderClient {
    private static let timeout = TimeAmount.seconds(5)

    package init() {}

    package func get(_ url: URL) async throws -> Data {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = Self.timeout
        configuration.connectionPool.idleTimeout = .seconds(1)
        configuration.httpVersion = .http1Only
        // Made for each request, of which there is one a second at most: no connection stays open.
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let result: Result<Data, any Error>
        do {
            result = .success(try await get(url, with: client))
        } catch {
            result = .failure(Self.error(error, url))
        }
        try? await client.shutdown()
        return try result.get()
    }

    private func get(_ url: URL, with client: HTTPClient) async throws -> Data {
        var request = HTTPClientRequest(url: url.absoluteString)
        request.headers.add(name: "User-Agent", value: "Baton/\(BatonVersion.current)")
        request.headers.add(name: "Accept", value: "application/json")
        // The deadline covers the whole answer, so that a server which sends a byte a second is left, too.
        let response = try await client.execute(request, deadline: .now() + Self.timeout)
        guard response.status == .ok else {
            throw BatonError(
                .unavailable, reason: "geocoder_refused",
                "The geocoder \(url.host ?? "") answered \(response.status.code). Check the setting places.geocoder.")
        }
        let body = try await response.body.collect(upTo: Nominatim.maximumAnswer)
        return Data(body.readableBytesView)
    }

    private static func error(_ error: any Error, _ url: URL) -> BatonError {
        if let error = error as? BatonError { return error }
        return BatonError(
            .unavailable, reason: "geocoder_unreachable",
            "The geocoder \(url.host ?? "") did not answer. Check the setting places.geocoder.", cause: error)
    }
}
