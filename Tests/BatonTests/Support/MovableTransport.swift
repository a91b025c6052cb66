import FileCoordination
import Synchronization

@testable import Baton

/// A connection that can be led to another arbiter.
final class MovableTransport: FileCoordinationTransport {
    private let current: Mutex<any FileCoordinationTransport>
    private let receiver = Mutex<(@Sendable (FileCoordinationStateMachine.Action) -> Void)?>(nil)

    init(_ transport: any FileCoordinationTransport) { current = Mutex(transport) }

    var client: CoordinationClient { current.withLock { $0 }.client }

    func connect(_ receive: @escaping @Sendable (FileCoordinationStateMachine.Action) -> Void) {
        receiver.withLock { $0 = receive }
        current.withLock { $0 }.connect(receive)
    }

    func send(_ input: FileCoordinationStateMachine.Input) throws(CoordinationRefusal) {
        try current.withLock { $0 }.send(input)
    }

    func move(to transport: any FileCoordinationTransport) {
        if let receive = receiver.withLock({ $0 }) { transport.connect(receive) }
        current.withLock { $0 = transport }
    }
}
