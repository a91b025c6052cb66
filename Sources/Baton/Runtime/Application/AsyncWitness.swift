/// Calls the form of an optional method that an app may write as `async`, as Apple's compiler lets it, for one with a handler.
///
/// The default of the form with a handler calls it, and its own default answers at once. So whichever of the two an app has is called,
/// and where it has neither, the handler is called before this returns, without waiting for a thread of the cooperative pool.
enum AsyncWitness {
    /// - Parameter body: runs at once, on this thread, until it first waits for something.
    static func answer(
        _ handler: @escaping @Sendable ((any Error)?) -> Void, _ body: @escaping () async throws -> Void
    ) {
        // Begun on this thread: what it captures is the caller's until then, and its own afterwards.
        nonisolated(unsafe) let body = body
        // Ends with the app's method; the handler says so, and who waits for it has a deadline.
        Task.immediate {
            do {
                try await body()
                handler(nil)
            } catch {
                handler(error)
            }
        }
    }
}
