import BatonClient
package import BatonCore
package import BatonTransport
package import BatonWire
import NIOCore
import SwiftProtobuf
import Synchronization

/// The pairs of continuation streams that pass through this daemon, as the service knows them.
struct StreamTraffic: Sendable {
    var machine: StreamStateMachine
    /// Devices whose pair waits for the app to come.
    var waiters: [StreamID: CheckedContinuation<BytePipe, any Error>] = [:]
    /// What ends a pair through which bytes pass.
    var closers: [StreamID: @Sendable () -> Void] = [:]

    init(configuration: HandoffConfiguration) { machine = StreamStateMachine(configuration: configuration) }
}

/// Continuation streams (H-76 to H-82): who may have them is the machine's to say; the bytes are relayed between the
/// app's connection and the other device's.
extension HandoffService {
    // MARK: The receiver

    /// The app that was given an activity asks for a pair. Returns when the pair is over.
    /// - Throws: what ``StreamStateMachine`` and the other device refuse, `unavailable` without a connection.
    package func openStream(
        _ request: Baton_App_V1_OpenStreamRequest, process: PeerProcess, upgrade: PipeUpgrade
    ) async throws {
        let session = try own(request.sessionID, process)
        let acceptance = try AcceptanceID(validating: request.acceptanceID)
        let stream = StreamID.random()
        let (device, activity) = try streamInput { machine throws(BatonError) in
            try machine.open(stream, acceptance, by: session, now: now)
        }
        defer { endStream(stream) }
        let link: BytePipe
        do {
            link = try await peers.openStream(
                .with {
                    $0.activityID = activity.rawValue
                    $0.acceptanceID = acceptance.rawValue
                }, to: device, timeout: configuration.streamOpenDeadline)
        } catch {
            record("stream_refused", Self.message(of: error), acceptance)
            throw error
        }
        try await relay(stream, acceptance, link, upgrade)
    }

    // MARK: The origin

    /// The device that was given an activity asks for a pair. Returns when the pair is over.
    /// - Throws: what ``StreamStateMachine`` refuses, `not_found` when the app will not, `deadline_exceeded`.
    package func streamRequested(
        _ request: Baton_Link_V1_OpenStreamRequest, by device: DeviceID, upgrade: PipeUpgrade
    ) async throws {
        let acceptance = try AcceptanceID(validating: request.acceptanceID)
        let activity = try ActivityID(validating: request.activityID)
        let stream = StreamID.random()
        defer { endStream(stream) }
        let app: BytePipe
        do {
            app = try await withCheckedThrowingContinuation { continuation in
                ask(stream, acceptance, activity, device, continuation)
            }
        } catch {
            record("stream_refused", Self.message(of: error), acceptance)
            throw error
        }
        try await relay(stream, acceptance, app, upgrade)
    }

    private func ask(
        _ stream: StreamID, _ acceptance: AcceptanceID, _ activity: ActivityID, _ device: DeviceID,
        _ continuation: CheckedContinuation<BytePipe, any Error>
    ) {
        state.withLock { state in
            do {
                let session = try state.streams.machine.requested(
                    stream, acceptance, activity: activity, by: device, now: now)
                state.streams.waiters[stream] = continuation
                askForStream(stream, activity, session, &state)
                rearm(&state)
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    /// The origin's app comes for its end. Returns when the pair is over.
    package func acceptStream(
        _ request: Baton_App_V1_AcceptStreamRequest, process: PeerProcess, upgrade: PipeUpgrade
    ) async throws {
        let session = try own(request.sessionID, process)
        let stream = try StreamID(validating: request.streamID)
        try streamInput { machine throws(BatonError) in try machine.take(stream, by: session) }
        let pipe: BytePipe
        do {
            pipe = try await upgrade.accept()
        } catch {
            close([.init(stream: stream, error: error)])
            throw error
        }
        guard let waiter = state.withLock({ $0.streams.waiters.removeValue(forKey: stream) }) else { return }
        waiter.resume(returning: pipe)
        try await pipe.channel.closeFuture.get()
    }

    // MARK: Both

    /// - Parameter pipe: the end that is open already; `upgrade` is the one that waits to hear of it.
    private func relay(
        _ stream: StreamID, _ acceptance: AcceptanceID, _ pipe: BytePipe, _ upgrade: PipeUpgrade
    ) async throws {
        defer { pipe.close() }
        let caller = try await upgrade.accept()
        let isOpen = state.withLock { state in
            guard state.streams.machine.opened(stream) else { return false }
            state.streams.closers[stream] = {
                pipe.close()
                caller.close()
            }
            return true
        }
        guard isOpen else { return }
        record("stream_opened", "A pair of streams is open.", acceptance, ["stream_id": stream.rawValue])
        await PipeRelay.run(pipe, caller)
        record("stream_ended", "A pair of streams has ended.", acceptance, ["stream_id": stream.rawValue])
    }

    /// Applies one input that may be refused.
    private func streamInput<Result>(
        _ apply: (inout StreamStateMachine) throws(BatonError) -> Result
    ) throws(BatonError) -> Result {
        let result = state.withLock { state -> Swift.Result<Result, BatonError> in
            do throws(BatonError) {
                let result = try apply(&state.streams.machine)
                rearm(&state)
                return .success(result)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func endStream(_ stream: StreamID) {
        state.withLock { state in
            state.streams.machine.ended(stream)
            state.streams.closers[stream] = nil
        }
    }

    /// Ends pairs that the machine has given up.
    func close(_ closings: [StreamStateMachine.Closing]) {
        state.withLock { close(closings, &$0) }
    }

    func close(_ closings: [StreamStateMachine.Closing], _ state: inout State) {
        for closing in closings {
            state.streams.waiters.removeValue(forKey: closing.stream)?.resume(throwing: closing.error)
            state.streams.closers.removeValue(forKey: closing.stream)?()
        }
    }

    private static func message(of error: any Error) -> String {
        (error as? BatonError)?.message ?? "A pair of streams could not be opened."
    }
}
