import BatonWire
import SwiftProtobuf

extension INInteraction {
    /// Donates it to the system (P-54).
    ///
    /// - Parameter completion: called once, asynchronously, on a serial queue: nil means that it is on the disk. The error is
    ///   ``INIntentError/Code/donatingInteraction`` without a daemon, or beyond a bound; its sentence says which.
    @preconcurrency
    public func donate(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        let (runtime, message) = (AppRuntime.current, self.message)
        // The activity that leads back to it is about the same people.
        if let activity = intentResponse?.userActivity {
            let people = shownPeople
            activity.update { $0.donatedPeople = people }
        }
        // As it is now: others may wait before it.
        let isInFront = runtime.isInFront
        runtime.donations.perform(runtime, failing: .donatingInteraction, completion) {
            try await $0.donate(message, isInFront: isInFront)
        }
    }

    /// Donates it to the system (P-54). Returns when it is on the disk.
    ///
    /// - Throws: ``INIntentError``, as ``donate(completion:)`` gives it.
    public func donate() async throws { try await Self.awaiting { donate(completion: $0) } }

    /// Deletes the app's interactions with these identifiers. Unknown ones are ignored.
    ///
    /// - Parameter completion: called once, asynchronously, on a serial queue: nil means that they are gone from the disk.
    @preconcurrency
    public class func delete(with identifiers: [String], completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        delete(.identifiers(.with { $0.values = identifiers }), .deletingInteractionWithIdentifiers, completion)
    }

    /// Deletes the app's interactions with these identifiers. Unknown ones are ignored.
    public class func delete(with identifiers: [String]) async throws {
        try await awaiting { delete(with: identifiers, completion: $0) }
    }

    /// Deletes the app's interactions of a group.
    ///
    /// - Parameter completion: called once, asynchronously, on a serial queue: nil means that they are gone from the disk.
    @preconcurrency
    public class func delete(with groupIdentifier: String, completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        delete(.groupIdentifier(groupIdentifier), .deletingInteractionWithGroupIdentifier, completion)
    }

    /// Deletes the app's interactions of a group.
    public class func delete(with groupIdentifier: String) async throws {
        try await awaiting { delete(with: groupIdentifier, completion: $0) }
    }

    /// Deletes all interactions of the app.
    ///
    /// - Parameter completion: called once, asynchronously, on a serial queue: nil means that they are gone from the disk.
    @preconcurrency
    public class func deleteAll(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        delete(.all(true), .deletingAllInteractions, completion)
    }

    /// Deletes all interactions of the app.
    public class func deleteAll() async throws { try await awaiting { deleteAll(completion: $0) } }

    private class func delete(
        _ which: Baton_App_V1_DeleteInteractionsRequest.OneOf_Which, _ code: INIntentError.Code,
        _ completion: (@Sendable ((any Error)?) -> Void)?
    ) {
        let runtime = AppRuntime.current
        runtime.donations.perform(runtime, failing: code, completion) { try await $0.deleteInteractions(which) }
    }

    private class func awaiting(_ call: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            call { error in continuation.resume(with: error.map { .failure($0) } ?? .success(())) }
        }
    }
}
