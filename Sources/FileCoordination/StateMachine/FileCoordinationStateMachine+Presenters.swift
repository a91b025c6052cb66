import BatonConcurrency

/// Messages and questions to presenters.
extension FileCoordinationStateMachine {
    // MARK: Asking

    /// Asks all presenters that a request concerns, unless a claim that it is made within has done so.
    mutating func prepare(_ id: CoordinationRequestID, _ now: Timestamp, _ actions: inout [Action]) {
        guard let request = entries[id]?.request else { return }
        var questions: [FilePresenterID: [PresenterMessage]] = [:]
        for intent in request.intents where !isCovered(intent, by: request) {
            for (presenter, item) in presenters where presenter != request.presenter {
                guard let item else { continue }
                for message in Self.questions(intent, item)
                where !(questions[presenter] ?? []).contains(message) {
                    questions[presenter, default: []].append(message)
                }
            }
        }
        // In one order, so that a seed reproduces it.
        for (presenter, messages) in questions.sorted(by: { Self.precedes($0.key, $1.key) }) {
            ask(id, presenter, messages, now, &actions)
        }
    }

    private static func precedes(_ left: FilePresenterID, _ right: FilePresenterID) -> Bool {
        (left.client.number, left.number) < (right.client.number, right.number)
    }

    private func isCovered(_ intent: AccessIntent, by request: CoordinationRequest) -> Bool {
        var parent = request.parent
        while let id = parent, let holder = entries[id]?.request {
            if holder.purpose == request.purpose, holder.intents.contains(where: { $0.covers(intent) }) { return true }
            parent = holder.parent
        }
        return false
    }

    private static func questions(_ intent: AccessIntent, _ item: PresentedItem) -> [PresenterMessage] {
        let isSame = item.unit == intent.unit && (item.path.isWithin(intent.path) || intent.path.isWithin(item.path))
        let isContained = intent.affectsContents && item.path.isWithin(intent.path)
        if isSame || isContained {
            switch intent.access {
            case .reading(let options):
                return options.contains(.withoutChanges) ? [.relinquishToReader] : [.relinquishToReader, .saveChanges]
            case .writing(.deleting) where item.path.isWithin(intent.path),
                .writing(.replacing) where item.path.isWithin(intent.path):
                return [.relinquishToWriter, .accommodateDeletion]
            case .writing(.deleting), .writing(.replacing):
                return [.relinquishToWriter, .accommodateSubitemDeletion(intent.path)]
            case .writing(.merging): return [.relinquishToWriter, .saveChanges]
            case .writing: return [.relinquishToWriter]
            }
        }
        guard intent.path.isWithin(item.path), case .writing(let purpose) = intent.access else { return [] }
        return purpose == .deleting || purpose == .replacing ? [.accommodateSubitemDeletion(intent.path)] : []
    }

    /// Sends the next question; without one the presenter is done.
    private mutating func ask(
        _ id: CoordinationRequestID, _ presenter: FilePresenterID, _ messages: [PresenterMessage], _ now: Timestamp,
        _ actions: inout [Action]
    ) {
        guard let message = messages.first else {
            entries[id]?.asking[presenter] = nil
            return
        }
        lastMessage += 1
        let messageID = PresenterMessageID(lastMessage)
        entries[id]?.asking[presenter] = Asking(
            remaining: Array(messages.dropFirst()), message: message, id: messageID, since: now.monotonic)
        actions.append(.send(presenter, message, messageID))
    }

    // MARK: Answers

    mutating func receive(
        _ answer: PresenterAnswer, _ message: PresenterMessageID, _ client: CoordinationClient, _ now: Timestamp,
        _ actions: inout [Action]
    ) {
        if let (presenter, request) = passedOver[message] {
            guard presenter.client == client else { return }
            passedOver[message] = nil
            guard answer == .done(reacquires: true) else { return }
            if entries[request] != nil {
                entries[request]?.relinquished.append((presenter, message))
            } else {
                actions.append(.send(presenter, .reacquire(message), nil))
            }
            return
        }
        for id in order {
            guard let (presenter, asking) = entries[id]?.asking.first(where: { $0.value.id == message }) else {
                continue
            }
            // A process answers for its own presenters only.
            guard presenter.client == client else { return }
            switch answer {
            case .done(let reacquires):
                if reacquires { entries[id]?.relinquished.append((presenter, message)) }
                ask(id, presenter, asking.remaining, now, &actions)
            case .failed(let failure):
                entries[id]?.asking[presenter] = nil
                fail(id, .presenter(presenter, failure), &actions)
            }
            return
        }
    }

    /// Waits for an answer no more. One that comes may still have something to run at the end; the last 64 are known.
    mutating func passOver(
        _ presenter: FilePresenterID, _ message: PresenterMessageID, _ request: CoordinationRequestID
    ) {
        passedOver[message] = (presenter, request)
        let messages = passedOver.filter { $0.value.presenter == presenter }.keys
        guard messages.count > 64, let oldest = messages.min(by: { $0.number < $1.number }) else { return }
        passedOver[oldest] = nil
    }

    // MARK: Coming and going

    mutating func present(_ id: FilePresenterID, _ item: PresentedItem?) throws(CoordinationRefusal) {
        if presenters[id] == nil {
            let ofApp = presenters.keys.filter { $0.client.app == id.client.app }
            guard ofApp.count < limits.presentersPerApp,
                ofApp.count(where: { $0.client == id.client }) < limits.presentersPerClient
            else { throw .tooManyPresenters }
        }
        presenters[id] = .some(item)
    }

    mutating func remove(_ id: FilePresenterID, _ actions: inout [Action], _ now: Timestamp) {
        presenters[id] = nil
        passedOver = passedOver.filter { $0.value.presenter != id }
        for request in order {
            entries[request]?.asking[id] = nil
            entries[request]?.relinquished.removeAll { $0.presenter == id }
        }
    }

    // MARK: Notifications

    var inOrder: [(id: FilePresenterID, item: PresentedItem)] {
        presenters.compactMap { id, item in item.map { (id, $0) } }.sorted { Self.precedes($0.id, $1.id) }
    }

    /// The paths that presenters show.
    package var presentedPaths: Set<CoordinatedPath> { Set(presenters.values.compactMap { $0?.path }) }

    package var hasPresenters: Bool { !presenters.isEmpty }

    func presenting(_ item: PresentedItem) -> [FilePresenterID] {
        inOrder.filter { $0.item.path == item.path }.map(\.id)
    }

    /// - Parameters:
    ///   - presenters: all of them.
    ///   - own: the presenter of the process that made the change.
    func tell(
        _ change: ItemChange, to presenters: [(id: FilePresenterID, item: PresentedItem)], except own: FilePresenterID?,
        _ actions: inout [Action]
    ) {
        for (id, item) in presenters where id != own {
            if item.path == change.path {
                actions.append(.send(id, .didChange, nil))
            } else if change.path.isWithin(item.path) {
                let message: PresenterMessage =
                    change.kind == .appeared ? .subitemDidAppear(change.path) : .subitemDidChange(change.path)
                actions.append(.send(id, message, nil))
            } else if item.path.isWithin(change.path), change.kind == .disappeared || item.unit == change.unit {
                actions.append(.send(id, .didChange, nil))
            }
        }
    }

    /// Sent to all, also to the presenter of the process that made the version.
    func tell(
        _ changed: PresentedItem, _ event: PresenterMessage.VersionEvent, _ version: String, _ actions: inout [Action]
    ) {
        for (id, item) in inOrder {
            if item.path == changed.path {
                actions.append(.send(id, .version(event, version), nil))
            } else if changed.path.isWithin(item.path) {
                actions.append(.send(id, .subitemVersion(changed.path, event, version), nil))
            }
        }
    }

    /// Everybody who knows an item by its former path gets the new one.
    /// - Parameter moves: made at once; no source is within another.
    mutating func move(
        _ id: CoordinationRequestID, _ moves: [(source: CoordinatedPath, destination: PresentedItem)],
        _ actions: inout [Action]
    ) {
        guard let mover = entries[id], mover.phase == .granted,
            moves.allSatisfy({ move in
                mover.request.intents.contains { $0.isWriting && move.source.isWithin($0.path) }
            })
        else { return }
        for (presenter, item) in inOrder {
            for (source, destination) in moves where presenter != mover.request.presenter {
                guard source.isWithin(item.path), source != item.path else { continue }
                actions.append(.send(presenter, .subitemDidMove(source, to: destination.path), nil))
            }
            guard let (source, destination) = moves.first(where: { item.path.isWithin($0.source) }) else { continue }
            let path = item.path.moved(from: source, to: destination.path)
            let unit = item.unit.isWithin(source) ? item.unit.moved(from: source, to: destination.path) : nil
            presenters[presenter] = PresentedItem(path, unit: unit ?? destination.unit)
            if presenter != mover.request.presenter { actions.append(.send(presenter, .didMove(path), nil)) }
        }
        for other in order where other != id && entries[other]?.phase != .granted {
            guard var intents = entries[other]?.request.intents else { continue }
            for index in intents.indices {
                guard let move = moves.first(where: { intents[index].path.isWithin($0.source) }) else { continue }
                intents[index].move(from: move.source, to: move.destination.path, unit: move.destination.unit)
            }
            entries[other]?.request.intents = intents
        }
        // At its new path a request may wait for other claims than before. The newest of a circle fails.
        for other in order.reversed() where entries[other]?.phase != .granted { breakCircle(through: other, &actions) }
    }
}
