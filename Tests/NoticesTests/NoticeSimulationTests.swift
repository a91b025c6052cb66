import BatonCore
import BatonTestSupport
import Testing

@testable import Notices

/// Random offers, continuations and people; what always holds is checked after each step.
struct NoticeSimulationTests {
    @Test(
        "whatever happens, notices are few, of what is offered, at a bounded rate, and over in the end",
        arguments: Schedules.seeds(10, soak: 1000))
    func simulation(seed: UInt64) throws {
        var world = World(seed: seed)
        for _ in 0..<1000 { try world.step() }
        try world.finish()
    }

    private struct Violation: Error, CustomStringConvertible { var description: String }

    private struct World {
        var machine = NoticeStateMachine()
        var generator: SeededGenerator
        let seed: UInt64
        var now = Duration.zero
        var clock: UInt64 = 1
        var offers: [NoticeOffer] = []
        var shown: [UInt64: Notice] = [:]
        var offerShows: [Duration] = []
        var slotShows: [NoticeSlot: [Duration]] = [:]
        /// The activities that the person has decided on, and the time of the offer then.
        var decided: [ActivityID: HybridTimestamp] = [:]
        var continuing: [AcceptanceID] = []
        var lastAcceptance: UInt64 = 0
        var policy = NoticePolicy.on

        init(seed: UInt64) {
            self.seed = seed
            generator = SeededGenerator(seed: seed)
        }

        func violation(_ text: String) -> Violation { Violation(description: "seed \(seed), \(now): \(text)") }

        mutating func step() throws {
            now += .milliseconds(Int64.random(in: 0...1500, using: &generator))
            if let due = machine.nextDeadline(now: now), due <= now { try perform(machine.advance(now: now)) }
            switch Int.random(in: 0..<14, using: &generator) {
            case 0...4: try changeOffers()
            case 5: try person(closes: true)
            case 6: try person(closes: false)
            case 7...10: try continuation()
            case 11, 12: try question()
            default:
                policy = NoticePolicy.allCases.randomElement(using: &generator) ?? .on
                try perform(machine.policyChanged(policy, now: now))
            }
            try check()
        }

        mutating func changeOffers() throws {
            let before = Set(offers.map(\.activity))
            offers.removeAll { _ in Bool.random(using: &generator) && Bool.random(using: &generator) }
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                clock += 1
                let number = UInt64.random(in: 0..<30, using: &generator)
                let offer = Made.offer(
                    number, at: clock, device: Int(number % 4), app: number % 3 == 2 ? nil : Int(number % 3),
                    title: "Title \(clock)", canContinue: number != 5)
                offers.removeAll { $0.activity == offer.activity }
                offers.insert(offer, at: 0)
            }
            for offer in offers {
                guard let last = decided[offer.activity], offer.timestamp > last else { continue }
                decided[offer.activity] = before.contains(offer.activity) ? offer.timestamp : nil
            }
            try perform(machine.offersChanged(offers, now: now))
        }

        mutating func person(closes: Bool) throws {
            guard let notice = shown.values.sorted(by: { $0.id < $1.id }).randomElement(using: &generator) else {
                // An answer to what is long gone.
                try perform(machine.closed(UInt64.random(in: 0...99, using: &generator), now: now))
                return
            }
            if let offer = notice.offer { decide(offer) }
            let actions = closes ? machine.closed(notice.id, now: now) : machine.invoked(notice.id, now: now)
            if !closes, notice.offer == nil, !actions.isEmpty { throw violation("no button was there") }
            if !closes, notice.offer != nil, actions.accepted.count != 1 { throw violation("a button did nothing") }
            try perform(actions)
        }

        /// Another device asks to send, gives up, or has sent; or the person answers.
        mutating func question() throws {
            let key = "question \(Int.random(in: 0..<4, using: &generator))"
            switch Int.random(in: 0..<4, using: &generator) {
            case 0, 1: try perform(machine.asked(key, title: "A device wants to send", lines: ["photo.png"]))
            case 2:
                let isThere = Bool.random(using: &generator)
                try perform(
                    machine.questionEnded(
                        key, isThere ? NoticeReceived(title: "Received photo.png", lines: []) : nil, now: now))
            default:
                let open = shown.values.filter { $0.question != nil }.sorted { $0.id < $1.id }
                guard let notice = open.randomElement(using: &generator), let asked = notice.question else { return }
                let actions = machine.answered(notice.id, accepts: true)
                guard actions.contains(.answer(key: asked, accepts: true)) else { throw violation("an answer is lost") }
                try perform(actions)
                if !machine.answered(notice.id, accepts: false).isEmpty { throw violation("answered twice") }
            }
        }

        mutating func decide(_ activity: ActivityID) {
            decided[activity] = offers.first { $0.activity == activity }?.timestamp ?? .zero
        }

        mutating func continuation() throws {
            if continuing.isEmpty || Int.random(in: 0..<4, using: &generator) == 0 {
                guard let offer = offers.randomElement(using: &generator) else { return }
                lastAcceptance += 1
                let acceptance = Made.acceptance(lastAcceptance)
                continuing.append(acceptance)
                decide(offer.activity)
                let subject = NoticeSubject(
                    activity: offer.activity, deviceName: offer.deviceName, appName: offer.appName, title: offer.title)
                return try perform(machine.accepted(acceptance, subject, now: now))
            }
            guard let acceptance = continuing.randomElement(using: &generator) else { return }
            let yes = Bool.random(using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: try perform(machine.willContinueAnswered(acceptance, showsProgress: yes, now: now))
            case 1: try perform(machine.continued(acceptance))
            case 2: try perform(machine.failureTold(acceptance))
            case 3: try perform(machine.failed(acceptance, message: "No.", now: now))
            default: try perform(machine.failureAnswered(acceptance, isShown: yes, now: now))
            }
        }

        mutating func perform(_ actions: [NoticeAction]) throws {
            for action in actions {
                switch action {
                case .show(let notice):
                    shown[notice.id] = notice
                    if let activity = notice.offer { try checkShow(notice, activity) }
                    if policy == .off || (policy == .withoutOffers && notice.kind == .offer) {
                        throw violation("told against the person's will")
                    }
                case .close(let id):
                    guard shown.removeValue(forKey: id) != nil else { throw violation("closed twice: \(id)") }
                case .answer, .lead, .remind, .arrival, .answerPrediction: break
                case .accept(let offer):
                    decide(offer.activity)
                }
            }
        }

        mutating func checkShow(_ notice: Notice, _ activity: ActivityID) throws {
            guard let offer = offers.first(where: { $0.activity == activity }), offer.canContinue else {
                throw violation("shows what is not offered")
            }
            if decided[activity] != nil { throw violation("shows again what was decided") }
            let slot = NoticeSlot(offer)
            if let last = slotShows[slot]?.last, now - last < .seconds(2) { throw violation("too soon") }
            slotShows[slot, default: []].append(now)
            offerShows.append(now)
            let recent = offerShows.filter { now - $0 < .seconds(30) }.count
            if recent > 20 { throw violation("\(recent) notices in 30 s") }
        }

        func check() throws {
            guard shown == Dictionary(uniqueKeysWithValues: machine.open.map { ($0.id, $0) }) else {
                throw violation("what is open is not what was shown")
            }
            let offered = shown.values.filter { $0.kind == .offer }
            if offered.count > 8 { throw violation("too many offers") }
            let slots = offered.compactMap { notice in machine.slots.first { $0.value.notice?.id == notice.id }?.key }
            if Set(slots).count != offered.count { throw violation("two notices in one place") }
            if shown.values.count(where: { $0.kind == .failed }) > 8 { throw violation("too many failures") }
        }

        /// Everything ends: nothing stays on the desktop.
        mutating func finish() throws {
            offers = []
            for number in 0..<4 {
                try perform(machine.questionEnded("question \(number)", nil, now: now))
            }
            try perform(machine.offersChanged([], now: now))
            for acceptance in continuing { try perform(machine.failed(acceptance, message: "No.", now: now)) }
            var turns = 0
            while let due = machine.nextDeadline(now: now) {
                now = max(now, due)
                try perform(machine.advance(now: now))
                turns += 1
                if turns > 10_000 { throw violation("time does not end it") }
            }
            if !shown.isEmpty { throw violation("left behind: \(shown)") }
        }
    }
}
