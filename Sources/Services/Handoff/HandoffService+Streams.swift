import BatonClient
import BatonConcurrency
import BatonCore
import BatonTransport
import NIOCore
import Synchronization

/// The pairs of continuation streams that pass through this daemon, as the service knows them.
struct StreamTraffic: Sendable {
    /// Devices whose pair waits for the app to come.
    var waiters: [StreamID: CheckedContinuation<BytePipe, any Error>] = [:]
    /// Closures that end a pair through which bytes pass.
    var closers: [StreamID: @Sendable () -> Void] = [:]
}

/// Continuation streams (H-76 to H-82): who may have them is the machine's to say; the bytes are relayed between the
/// app's connection and the other device's.
extension HandoffService {
    // MARK: The receiver

    /// The app that was given an activity asks for a pair. Returns when the pair is over.
    /// - Throws: what ``StreamStateMachine`` and the other device refuse, `unavailable` without a connection.
    func openStream(_ acceptance: AcceptanceID, by session: SessionID, upgrade: PipeUpgrade) async throws {
        let stream = StreamID.random()
        let (device, activity) = try streams.update { machine, now throws(BatonError) in
            (try machine.open(stream, acceptance, by: session, now: now.monotonic), [])
        }
        defer { endStream(stream) }
        let link: BytePipe
        do {
            link = try await devices.openStream(acceptance, activity, to: device)
        } catch {
            record("stream_refused", Self.message(of: error), acceptance)
            throw error
        }
        try await relay(stream, acceptance, link, upgrade, with: device, upgradesLink: false)
    }

    // MARK: The origin

    /// The device that was given an activity asks for a pair. Returns when the pair is over.
    /// - Throws: what ``StreamStateMachine`` refuses, `not_found` when the app will not, `deadline_exceeded`.
    func streamRequested(
        _ acceptance: AcceptanceID, _ activity: ActivityID, by device: DeviceID, upgrade: PipeUpgrade
    ) async throws {
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
        try await relay(stream, acceptance, app, upgrade, with: device, upgradesLink: true)
    }

    private func ask(
        _ stream: StreamID, _ acceptance: AcceptanceID, _ activity: ActivityID, _ device: DeviceID,
        _ continuation: CheckedContinuation<BytePipe, any Error>
    ) {
        let isOver = state.withLock { state in
            if !state.isOver { state.streams.waiters[stream] = continuation }
            return state.isOver
        }
        guard !isOver else { return continuation.resume(throwing: Self.shuttingDown) }
        do {
            let session = try streams.update { machine, now throws(BatonError) in
                (
                    try machine.requested(stream, acceptance, activity: activity, by: device, now: now.monotonic), []
                )
            }
            commands.receiveStream(stream, activity, session) { [weak self] message in
                self?.streams.input(.declined(stream, message: message))
            }
        } catch {
            state.withLock { $0.streams.waiters.removeValue(forKey: stream) }?.resume(throwing: error)
        }
    }

    /// The origin's app comes for its end. Returns when the pair is over.
    func acceptStream(_ stream: StreamID, by session: SessionID, upgrade: PipeUpgrade) async throws {
        try streams.update { machine, _ throws(BatonError) in (try machine.take(stream, by: session), []) }
        let pipe: BytePipe
        do {
            pipe = try await upgrade.accept()
        } catch {
            close(.init(stream: stream, error: error))
            throw error
        }
        guard let waiter = state.withLock({ $0.streams.waiters.removeValue(forKey: stream) }) else { return }
        waiter.resume(returning: pipe)
        try await pipe.channel.closeFuture.get()
    }

    // MARK: Both

    /// - Parameters:
    ///   - pipe: the end that is open already; `upgrade` is the one that waits to hear of it.
    ///   - upgradesLink: `upgrade` is the other device's end, `pipe` is the app's. False: the other way round.
    private func relay(
        _ stream: StreamID, _ acceptance: AcceptanceID, _ pipe: BytePipe, _ upgrade: PipeUpgrade,
        with device: DeviceID, upgradesLink: Bool
    ) async throws {
        defer { pipe.close() }
        let caller = try await upgrade.accept()
        // Before the machine knows that it is open: then it can be closed at any time.
        state.withLock {
            $0.streams.closers[stream] = {
                pipe.close()
                caller.close()
            }
        }
        let isOpen = streams.update { machine, _ in (machine.opened(stream), []) }
        guard isOpen else { return }
        record("stream_opened", "A pair of streams is open.", acceptance, ["stream_id": stream.rawValue])
        let (app, link) = upgradesLink ? (pipe, caller) : (caller, pipe)
        // The network may be gone, or only the other app slow: the other device shows which by its answer.
        await PipeRelay.run(app, link) { [self] in
            record(
                "stream_stalled", "Nothing comes from the other device: it is asked for an answer.", acceptance,
                ["stream_id": stream.rawValue])
            devices.askForAnswer(of: device)
        }
        record("stream_ended", "A pair of streams has ended.", acceptance, ["stream_id": stream.rawValue])
    }

    private func endStream(_ stream: StreamID) {
        streams.input(.ended(stream))
        state.withLock { $0.streams.closers[stream] = nil }
    }

    /// Ends a pair that the machine has given up.
    func close(_ closing: StreamStateMachine.Closing) {
        let (waiter, closer) = state.withLock {
            (
                $0.streams.waiters.removeValue(forKey: closing.stream),
                $0.streams.closers.removeValue(forKey: closing.stream)
            )
        }
        waiter?.resume(throwing: closing.error)
        closer?()
    }

    private static func message(of error: any Error) -> String {
        (error as? BatonError)?.message ?? "A pair of streams could not be opened."
    }
}
