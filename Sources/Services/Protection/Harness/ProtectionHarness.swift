import BatonCore
package import BatonTransport
import BatonWire
import SwiftProtobuf

/// Answers the command line about locking.
package struct ProtectionHarness: Sendable {
    private let service: ProtectionService
    private let followsDesktop: @Sendable () -> Bool

    /// - Parameter followsDesktop: whether the desktop's lock is followed now.
    package init(_ service: ProtectionService, followsDesktop: @escaping @Sendable () -> Bool) {
        self.service = service
        self.followsDesktop = followsDesktop
    }

    package func register(on router: inout ConnectRouter) {
        router.unary(ProtectionMethods.getProtection) { [self] _, _ in try await state() }
        router.secret(ProtectionMethods.setPassphrase) { [self] request, _ in
            var request = request
            defer {
                request.old.overwrite()
                request.new.overwrite()
            }
            if request.secretService {
                try await service.keepInSecretService(old: request.old)
            } else {
                try await service.setPassphrase(old: request.old, new: request.new)
            }
            return try await state()
        }
        router.unary(ProtectionMethods.lock) { [self] _, _ in
            try await service.lock()
            return try await state()
        }
        router.secret(ProtectionMethods.unlock) { [self] request, _ in
            var request = request
            defer { request.passphrase.overwrite() }
            try await service.unlock(request.passphrase)
            return try await state()
        }
    }

    private func state() async throws -> Baton_Control_V1_ProtectionState {
        let status = try await service.status()
        return .with {
            $0.locked = status.isLocked
            $0.keeper = status.keeper.rawValue
            $0.sealed = UInt64(clamping: status.sealed)
            $0.followsSession = followsDesktop()
        }
    }
}
