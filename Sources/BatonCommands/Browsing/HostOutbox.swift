import Synchronization

/// Messages on their way to the browser.
///
/// Bound: one of each kind that says how things are, of which the latest replaces the one before, and ``maximumReplies``
/// others. Policy: a browser that does not read so many is stuck, and the host ends.
struct HostOutbox: Sendable {
    static let maximumReplies = 64

    private var messages: [HostMessage] = []
    private(set) var isClosed = false

    /// - Returns: false when there is no room.
    mutating func add(_ message: HostMessage) -> Bool {
        guard !isClosed else { return true }
        if let kind = message.replaces {
            messages.removeAll { $0.replaces == kind }
        } else if messages.count(where: { $0.replaces == nil }) >= Self.maximumReplies {
            return false
        }
        messages.append(message)
        return true
    }

    mutating func next() -> HostMessage? { messages.isEmpty ? nil : messages.removeFirst() }

    /// Sends the queued messages and accepts no others.
    mutating func close() { isClosed = true }
}
