/// The waiting order of requests.
extension FileCoordinationStateMachine {
    /// Whether another request holds a claim that conflicts.
    func isHeldUp(_ id: CoordinationRequestID) -> Bool { !holders(against: id).isEmpty }

    /// The claims that conflict with a request.
    func holders(against id: CoordinationRequestID) -> [CoordinationRequestID] {
        guard let request = entries[id]?.request else { return [] }
        return order.filter { other in
            guard other != id, let entry = entries[other], entry.phase == .granted else { return false }
            return entry.request.conflicts(with: request)
        }
    }

    /// A request that came first does not block those for which it waits itself: it would wait for ever.
    mutating func letDependenciesPass() {
        // Without one of these, an earlier request depends on no later one.
        let canDepend = entries.values.contains { entry in
            entry.phase != .granted && (entry.request.parent != nil || entry.request.presenter != nil)
        }
        guard canDepend else { return }
        for id in order where entries[id]?.phase == .waiting {
            for blocker in entries[id]?.blockers ?? [] where entries[blocker]?.phase != .granted {
                if depends(blocker, on: id) { entries[id]?.blockers.remove(blocker) }
            }
        }
    }

    /// Whether a request cannot be granted, or a claim cannot end, before another request is done.
    ///
    /// A presenter that is asked may have to do what it has requested itself before it can answer.
    func depends(_ first: CoordinationRequestID, on target: CoordinationRequestID) -> Bool {
        var waiting = [first]
        var seen: Set<CoordinationRequestID> = [first]
        while let id = waiting.popLast() {
            for next in certainSuccessors(of: id) + presenterSuccessors(of: id) where seen.insert(next).inserted {
                if next == target { return true }
                waiting.append(next)
            }
        }
        return false
    }

    /// The circle of requests that a new one closes, beginning with it; nil if it closes none.
    ///
    /// Presenters are no part of it: whether one really waits for its own request before it answers cannot be known.
    func circle(through start: CoordinationRequestID) -> [CoordinationRequestID]? {
        var previous: [CoordinationRequestID: CoordinationRequestID] = [:]
        var waiting = [start]
        while let id = waiting.popLast() {
            for next in certainSuccessors(of: id) {
                if next == start {
                    var circle = [id]
                    while let before = previous[circle[0]] { circle.insert(before, at: 0) }
                    return circle
                }
                guard previous[next] == nil else { continue }
                previous[next] = id
                waiting.append(next)
            }
        }
        return nil
    }

    /// A request waits for its blockers; a claim for the calls within it, which hold up its thread.
    private func certainSuccessors(of id: CoordinationRequestID) -> [CoordinationRequestID] {
        guard let entry = entries[id] else { return [] }
        if entry.phase == .granted { return order.filter { entries[$0]?.request.parent == id } }
        let holders = holders(against: id)
        return holders + order.filter { entry.blockers.contains($0) && !holders.contains($0) }
    }

    private func presenterSuccessors(of id: CoordinationRequestID) -> [CoordinationRequestID] {
        guard let asking = entries[id]?.asking, !asking.isEmpty else { return [] }
        return order.filter { other in
            entries[other]?.request.presenter.map { asking[$0] != nil } ?? false
        }
    }

    // MARK: For people

    /// The state of a request, for `explain`.
    package struct Standing: Hashable, Sendable {
        package var request: CoordinationRequest
        package var phase: Phase
        package var waitsFor: [CoordinationRequestID]
        package var asks: [FilePresenterID]
    }

    /// All requests and claims, in the order of arrival.
    package var standings: [Standing] {
        order.compactMap { id in
            guard let entry = entries[id] else { return nil }
            return Standing(
                request: entry.request, phase: entry.phase,
                waitsFor: entry.phase == .granted ? [] : certainSuccessors(of: id),
                asks: entry.asking.keys.sorted { ($0.client.number, $0.number) < ($1.client.number, $1.number) })
        }
    }
}
