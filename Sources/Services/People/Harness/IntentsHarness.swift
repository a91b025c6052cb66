import BatonCore
package import BatonTransport
import BatonWire
import SwiftProtobuf

/// Answers apps about what was done in them.
package struct IntentsHarness: Sendable {
    private let service: PeopleService

    package init(_ service: PeopleService) { self.service = service }

    package func register(on router: inout ConnectRouter) {
        router.unary(IntentMethods.donateInteraction) { [service] request, context in
            try await service.donate(request, process: try context.process)
            return .init()
        }
        router.unary(IntentMethods.deleteInteractions) { [service] request, context in
            try await service.delete(request, process: try context.process)
            return .init()
        }
        router.unary(IntentMethods.offerShortcuts) { [service] request, context in
            try await service.offer(request, process: try context.process)
            return .init()
        }
    }
}
