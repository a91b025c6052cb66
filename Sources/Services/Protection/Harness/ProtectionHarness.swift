import BatonCore
package import BatonTransport
import BatonWire
import SwiftProtobuf

/// Answers the command line about locking.
package struct ProtectionHarness: Sendable {
    private let service: ProtectionService

    package init(_ service: ProtectionService) { self.service = service }

    package func register(on router: inout ConnectRouter) {
        router.unary(ProtectionMethods.getProtection) { [service] _, _ in try await Self.state(service) }
        router.unary(ProtectionMethods.setPassphrase) { [service] request, _ in
            try await service.setPassphrase(old: request.old, new: request.new)
            return try await Self.state(service)
        }
        router.unary(ProtectionMethods.lock) { [service] _, _ in
            try await service.lock()
            return try await Self.state(service)
        }
        router.unary(ProtectionMethods.unlock) { [service] request, _ in
            try await service.unlock(request.passphrase)
            return try await Self.state(service)
        }
    }

    private static func state(_ service: ProtectionService) async throws -> Baton_Control_V1_ProtectionState {
        let status = try await service.status()
        return .with {
            $0.locked = status.isLocked
            $0.keeper = status.hasPassphrase ? "passphrase" : "none"
            $0.sealed = UInt64(clamping: status.sealed)
        }
    }
}
