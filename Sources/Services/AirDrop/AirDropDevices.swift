package import BatonCore
package import Peers

extension LinkPeers: AirDropDevices {
    package func known() -> Set<DeviceID> { Set(devices().keys) }

    package func changes() -> AsyncStream<Void> {
        let events = events()
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // Cancelled with its stream.
        let task = Task {
            for await _ in events { continuation.yield(()) }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
