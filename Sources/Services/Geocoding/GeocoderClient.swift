package import Foundation

/// Fetches a geocoder's answer.
package protocol GeocoderClient: Sendable {
    /// The body of the answer to a GET.
    func get(_ url: URL) async throws -> Data
}
