import BatonConcurrency
package import BatonCore
package import Foundation
package import Prediction
import ServiceLifecycle
import Synchronization

/// Learns which apps are used and what is played, predicts what comes next, and offers it after something happened (P-59 to P-61).
///
/// The learned model stays on this device. Safe to use from any task.
package final class Predictions: Service {
    struct State {
        var memory: PredictionMemory
        var choices: PredictionsFile.Choices
        var isEnabled = true
        var isChanged = false
        var rate = PredictionRate()
        var installed: Set<BundleID> = []
        var offers = PredictionOffers()
        /// Notices that may be answered, the oldest first. Policy: the last eight.
        var offered: [(key: String, context: PredictionContext, item: PredictionItem)] = []
    }

    /// Something to play that a notice offers.
    package struct OfferedMedia: Sendable {
        package let media: String
        package let app: BundleID
    }

    private static let maximumOffered = 8
    /// How often the model is written.
    private static let interval = Duration.seconds(20)

    let state: Mutex<State>
    let apps: any PredictionApps
    private let file: PredictionsFile
    private let recorder: any EventRecorder
    private let clock: WallClock
    private let zone: @Sendable () -> TimeZone
    /// Where the device is and what is connected; the time and what happened are put in here.
    let surroundings: @Sendable () -> PredictionSituation
    private let show: @Sendable (PredictionNotice) -> Void
    private let offeredMedia = Broadcaster<OfferedMedia>(.latest(8))

    /// Blocks: reads the files.
    /// - Parameters:
    ///   - folder: of the files.
    ///   - surroundings: the place and what is connected. Must not block.
    ///   - show: shows a notice. Must not block.
    package init(
        apps: any PredictionApps, folder: String, recorder: any EventRecorder, clock: WallClock = .system,
        zone: @escaping @Sendable () -> TimeZone = { .autoupdatingCurrent },
        surroundings: @escaping @Sendable () -> PredictionSituation = { PredictionSituation(now: 0, minute: 0) },
        show: @escaping @Sendable (PredictionNotice) -> Void
    ) {
        self.apps = apps
        file = PredictionsFile(folder: folder, recorder: recorder)
        self.recorder = recorder
        self.clock = clock
        self.zone = zone
        self.surroundings = surroundings
        self.show = show
        let (memory, choices) = file.read()
        state = Mutex(State(memory: memory, choices: choices, installed: apps.installed))
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.interval)
                if self.state.withLock({ $0.isChanged }) { await self.keep() }
            }
        }
        await keep()
    }

    private func keep() async {
        do {
            try await write()
        } catch {
            recorder.record("predictions", "not_kept", "The learned data could not be written.", ["error": "\(error)"])
        }
    }

    private func write() async throws {
        try await file.write { [self] in
            state.withLock { state in
                state.isChanged = false
                return (state.memory, state.choices)
            }
        }
    }

    var moment: (now: UInt64, minute: Int) {
        let now = clock.milliseconds
        let seconds = Int(clamping: now / 1000)
        let offset = zone().secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        return (now, ((seconds + offset) % 86_400 + 86_400) % 86_400 / 60)
    }

    // MARK: Events

    /// The setting `suggestions.predictions`. Off: nothing is learned, and nothing shown.
    package func enable(_ enabled: Bool) { state.withLock { $0.isEnabled = enabled } }

    /// An app was launched, or came to the foreground.
    package func used(_ app: BundleID) {
        guard let name = apps.name(of: app) else { return }
        record(.app(app.rawValue), name: name)
    }

    /// An app plays something, or has donated that it was played.
    /// - Parameters:
    ///   - media: what the app calls it.
    ///   - name: for people.
    package func record(media: String, name: String, app: BundleID) {
        guard !media.isEmpty, apps.name(of: app) != nil else { return }
        record(PredictionItem(kind: .media, app: app.rawValue, id: media), name: name)
    }

    func record(_ item: PredictionItem, name: String) {
        let (now, minute) = moment
        state.withLock { state in
            guard state.isEnabled, !state.choices.excluded.contains(item.app), state.rate.allows(item.app, now: now)
            else { return }
            state.memory.used(item, name: PredictionText.line(name), now: now, minute: minute)
            state.isChanged = true
        }
    }

    /// The offers to play in notices, as they are shown. A subscriber that falls behind loses the oldest.
    package func mediaOffers() -> AsyncStream<OfferedMedia> { offeredMedia.subscribe() }

    /// Something happened around the person, which may be worth a notice.
    package func happened(_ event: ContextEvent) {
        guard let context = PredictionContext(event) else { return }
        let (now, minute) = moment
        let notice = state.withLock { state -> PredictionNotice? in
            guard state.isEnabled else { return nil }
            state.memory.happened(context, now: now, minute: minute)
            state.isChanged = true
            return offer(context, now, minute, &state)
        }
        guard let notice else { return }
        recorder.record("predictions", "offered", "A prediction was offered.", ["context": context.rawValue])
        show(notice)
        let item = state.withLock { $0.offered.last { $0.key == notice.key }?.item }
        if let item, item.kind == .media, let app = try? BundleID(validating: item.app) {
            offeredMedia.send(OfferedMedia(media: item.id, app: app))
        }
    }

    private func offer(
        _ context: PredictionContext, _ now: UInt64, _ minute: Int, _ state: inout State
    ) -> PredictionNotice? {
        // A song says more than its player.
        let found = [PredictionItem.Kind.media, .shortcut, .app].compactMap { kind in
            predictions(kind, state, now, minute, limit: 1).first
        }
        let best = found.first {
            $0.probability > PredictionNoticePolicy.threshold
                && isWorthNotice($0.item, after: context, state, now, minute)
        }
        guard let best,
            state.choices.policy.shows(context, probability: best.probability, now: now)
        else { return nil }
        let key = UUID().uuidString.lowercased()
        state.offered.append((key, context, best.item))
        if state.offered.count > Self.maximumOffered { state.offered.removeFirst() }
        let reasons = reasons(for: best.item, state, now, minute)
        return PredictionNotice(
            key: key, title: "\(context.title): \(title(best.item, best.name))",
            lines: reasons.prefix(1).map { PredictionText.sentence($0) }, plays: best.item.kind == .media)
    }

    /// Candidates are of apps that are here and not turned off.
    func predictions(
        _ kind: PredictionItem.Kind, _ state: State, _ now: UInt64, _ minute: Int, limit: Int
    ) -> [Prediction] {
        var isHere: [String: Bool] = [:]
        func isCandidate(_ item: PredictionItem) -> Bool {
            if let known = isHere[item.app] { return known }
            let known =
                !state.choices.excluded.contains(item.app)
                && (try? BundleID(validating: item.app)).flatMap { apps.name(of: $0) } != nil
            isHere[item.app] = known
            return known
        }
        let learned = state.memory.predictions(kind, now: now, minute: minute, limit: .max, isCandidate: isCandidate)
        return state.offers.merged(
            learned, kind: kind, situation: situation(kind, state, now, minute), limit: limit, isCandidate: isCandidate)
    }

    /// As in “Tone, in MonkeyPlayer”.
    func title(_ item: PredictionItem, _ name: String) -> String {
        let app = (try? BundleID(validating: item.app)).flatMap { apps.name(of: $0) } ?? item.app
        guard item.kind != .app else { return PredictionText.line(app) }
        return "\(name.isEmpty ? item.id : name), in \(PredictionText.line(app))"
    }

    // MARK: People

    /// The answer to a notice.
    /// - Returns: whether something was opened.
    /// - Throws: `not_found` for a notice that is over, and what opening does.
    @discardableResult
    package func answer(_ key: String, accepts: Bool) async throws -> Bool {
        let now = clock.milliseconds
        let item = try state.withLock { state throws(BatonError) -> PredictionItem in
            guard let index = state.offered.firstIndex(where: { $0.key == key }) else {
                throw BatonError(
                    .notFound, reason: "unknown_prediction",
                    "That is offered no longer. “baton today” says what is likely now.")
            }
            let offered = state.offered.remove(at: index)
            if accepts {
                state.choices.policy.accepted(offered.context)
            } else {
                state.choices.policy.declined(offered.context, now: now)
                state.choices.decline(offered.item)
            }
            state.isChanged = true
            return offered.item
        }
        guard accepts else { return false }
        try await apps.open(item)
        opened(item)
        return true
    }

    /// Turns predictions of an app on or off; off also forgets what was learned of it. It is on the disk when this returns.
    package func allow(_ app: String, _ allowed: Bool) async throws {
        guard BundleID.isValid(app) else {
            throw BatonError(
                .invalidArgument, reason: "malformed_bundle_id",
                "That is not a bundle identifier. “baton apps” lists them."
            )
        }
        state.withLock { state in
            if allowed {
                state.choices.excluded.remove(app)
            } else {
                state.choices.excluded.insert(app)
                state.memory.forget { item, _ in item.app == app }
            }
        }
        try await write()
    }

    package enum Forgotten: Sendable {
        case app(String)
        case since(UInt64)
        case all
    }

    /// It is gone from the disk when this returns.
    /// - Returns: how many events have gone.
    @discardableResult
    package func forget(_ what: Forgotten) async throws -> Int {
        let count = state.withLock { state in
            state.offered = []
            switch what {
            case .app(let app): state.choices.forgetDeclined(of: app)
            case .since: break
            case .all: state.choices.forgetDeclined(of: nil)
            }
            return switch what {
            case .app(let app): state.memory.forget { item, _ in item.app == app }
            case .since(let time): state.memory.forget(since: time)
            case .all: state.memory.forgetAll()
            }
        }
        try await write()
        return count
    }

    /// Apps were installed or removed: what was learned of an app goes with it.
    package func appsChanged() async {
        let installed = apps.installed
        let count = state.withLock { state in
            let gone = Set(state.installed.subtracting(installed).map(\.rawValue))
            state.installed = installed
            return gone.isEmpty ? 0 : state.memory.forget { item, _ in gone.contains(item.app) }
        }
        if count > 0 { await keep() }
    }
}

extension PredictionContext {
    /// Nil for what leads to no prediction.
    init?(_ event: ContextEvent) {
        switch event {
        case .headphones(connected: true, _): self = .headphones
        case .car(connected: true, _): self = .car
        case .arrived("home"): self = .home
        case .arrived("work"): self = .work
        case .locked(false): self = .unlock
        default: return nil
        }
    }
}

enum PredictionText {
    static func line(_ text: String) -> String { text.shownLine(toBytes: 200) }

    static func sentence(_ phrase: String) -> String { phrase.prefix(1).uppercased() + phrase.dropFirst() + "." }
}
