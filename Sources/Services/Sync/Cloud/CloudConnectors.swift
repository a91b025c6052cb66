package import BatonCore
package import CloudClient
import Dispatch

/// Makes what connects to clouds.
package struct CloudConnectors: Sendable {
    private let authorities: String?
    /// Reading the system's authorities blocks.
    private let queue = DispatchQueue(label: "baton.cloud-authorities")

    /// - Parameter authorities: a file in PEM instead of the system's.
    package init(authorities: String? = nil) { self.authorities = authorities }

    /// Blocks.
    /// - Throws: `failed_precondition` when the authorities cannot be read.
    package func checkAuthorities() throws(BatonError) {
        _ = try CloudConnector(address: try CloudAddress(url: "https://localhost"), authorities: authorities)
    }

    package func connector(to address: CloudAddress) async throws -> CloudConnector {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [authorities] in
                continuation.resume(with: Result { try CloudConnector(address: address, authorities: authorities) })
            }
        }
    }
}
