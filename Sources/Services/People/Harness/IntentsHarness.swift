import BatonCore
package import BatonTransport
import BatonWire
import SwiftProtobuf

/// Answers apps about what was done in them.
package struct IntentsHarness: Sendable {
    private let service: PeopleService

    package init(_ service: PeopleService) { self.service = service }

    package func register(on router: inout ConnectRouter) {
        router.app(IntentMethods.donateInteraction) { [service] request, caller in
            try await service.donate(
                request.interaction, from: caller.identity, isInFront: request.inFront)
            return .init()
        }
        router.app(IntentMethods.deleteInteractions) { [service] request, caller in
            try await service.delete(request, from: caller.identity)
            return .init()
        }
        router.app(IntentMethods.offerShortcuts) { [service] request, caller in
            try await service.offer(request, from: caller.identity)
            return .init()
        }
    }
}
