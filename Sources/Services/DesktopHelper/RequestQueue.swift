/// Requests that the helper has not read yet. A value.
///
/// Bounded by the questions that wait and the images that are shown: one that is over before it was read goes, so that a helper that
/// reads nothing keeps no memory for what apps ask and withdraw meanwhile.
struct RequestQueue {
    private(set) var waiting: [DesktopRequest] = []

    mutating func add(_ request: DesktopRequest) {
        if let begun = waiting.lastIndex(where: { request.ends($0) }) {
            waiting.remove(at: begun)
        } else {
            waiting.append(request)
        }
    }

    /// - Returns: the oldest one, which waits no more.
    mutating func next() -> DesktopRequest? { waiting.isEmpty ? nil : waiting.removeFirst() }
}

extension DesktopRequest {
    fileprivate func ends(_ other: DesktopRequest) -> Bool {
        switch (self, other) {
        case (.withdraw(let id), .ask(let question)): id == question.id
        case (.hideImage(let id), .showImage(let image)): id == image.id
        default: false
        }
    }
}
