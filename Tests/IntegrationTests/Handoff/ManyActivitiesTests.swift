import BatonClient
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// A great many activities, one after the other and all at once.
    @Suite(.serialized, .timeLimit(.minutes(20))) struct ManyActivitiesTests {
        private static let type = "com.example.probe.note"
        private static let probe = "com.example.probe"

        @Test("each of many activities continued in a row arrives, or is a visible error (H-1, H-15, H-41)")
        func inARow() async throws {
            let count = Schedules.count(100, soak: 10_000)
            try await TestHousehold.with(2) { household in
                let b = household[1]
                try await household.install(.probe(Self.probe, types: [Self.type]))
                let origin = try TestApp(Self.probe, on: household[0])
                let receiver = try TestApp(Self.probe, on: b)
                try await origin.launch()
                try await receiver.launch()
                let start = ContinuousClock.now
                var errors: [Int: String] = [:]
                var offers = try await b.client.serverStream(ControlMethods.watchOffers, .with { $0.watch = true })
                    .makeAsyncIterator()
                for number in 0..<count {
                    let seen = origin.events.count
                    try origin.make(
                        "row", type: Self.type, title: "\(number)", ["number": number, "needsSave": number % 2 == 0])
                    var offerID: String?
                    while offerID == nil, let answer = try await offers.next() {
                        offerID = answer.offers.first { $0.offer.activity.title == "\(number)" }?.offerID
                    }
                    do {
                        let events = try await b.continue(try #require(offerID))
                        if events.last?.step != .acknowledged {
                            errors[number] = "\(events.last?.message ?? "nothing")"
                        }
                    } catch {
                        errors[number] = "\(error)"
                    }
                    // The app lets go of an activity when it makes the next one, and only a living one is notified.
                    if errors[number] == nil {
                        try await origin.events.first("wasContinued", from: seen, ["title": "\(number)"])
                    }
                }
                let elapsed = ContinuousClock.now - start
                print("\(count) activities continued in \(elapsed): \(elapsed / count) each, \(errors.count) errors")
                // Everything that was continued has been printed by the app before its answer.
                try await receiver.events.first("continue", ["title": "\(count - 1)"])
                var arrived: [String: Int] = [:]
                for event in receiver.events.all where event["event"] == "continue" {
                    arrived[event["number"] ?? "", default: 0] += 1
                    #expect(event["number"] == event["title"])
                }
                for number in 0..<count where errors[number] == nil {
                    #expect(arrived["\(number)"] == 1, "activity \(number)")
                }
                #expect(errors.isEmpty, "\(errors.prefix(5))")
                let told = origin.events.all.count { $0["event"] == "wasContinued" }
                #expect(told == count)
            }
        }

        // In the quiet lane, since it measures time and memory.
        @Test(
            "2,000 offers in a second from one device are bounded: the last one arrives and the daemons answer meanwhile (H-18)"
        )
        func flood() async throws {
            try await TestHousehold.with(2) { household in
                let (a, b) = (household[0], household[1])
                // This process is an unsigned app on both devices, without a library that would merge its announcements.
                let receiver = try await DevelopmentApp(on: b, types: [Self.type])
                let sender = try await DevelopmentApp(on: a, types: [Self.type])
                let memory = try residentBytes(b)
                let start = ContinuousClock.now
                let answers = Task {
                    var slowest = Duration.zero
                    while !Task.isCancelled {
                        for device in [a, b] {
                            let asked = ContinuousClock.now
                            guard (try? await device.call(ControlMethods.getStatus)) != nil else {
                                if Task.isCancelled { return slowest }
                                throw IntegrationFailure("A daemon did not answer.")
                            }
                            slowest = max(slowest, .now - asked)
                        }
                    }
                    return slowest
                }
                let activity = ActivityID.random().rawValue
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for worker in 0..<8 {
                        group.addTask {
                            for number in stride(from: worker, to: 2000, by: 8) {
                                try await sender.announce(ActivityID.random().rawValue, Self.type, "Flood \(number)")
                                try await sender.invalidateOlder()
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                let sent = ContinuousClock.now - start
                try await sender.announce(activity, Self.type, "Last")
                try await b.offers("the last state, and it alone") {
                    $0.map(\.offer.activity.title) == ["Last"] && $0.first?.offerID == activity
                }
                let arrived = ContinuousClock.now - start
                answers.cancel()
                let slowest = try await answers.value
                let grown = try residentBytes(b) - memory
                print(
                    "2000 announcements in \(sent), the last visible after \(arrived); slowest answer \(slowest); +\(grown) bytes"
                )
                #expect(slowest < .seconds(5))
                #expect(grown < 64 << 20)
                await receiver.end()
                await sender.end()
            }
        }

        private func residentBytes(_ device: TestDevice) throws -> Int {
            let process = try #require(device.daemon?.processID)
            let pages = try String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8).split(separator: " ")
            return (Int(pages[1]) ?? 0) * 4096
        }
    }
}

/// This process, attached to a device's daemon as an unsigned app.
private actor DevelopmentApp {
    private let client: any ConnectClient
    private let session: String
    private let commands: Task<Void, any Error>
    private var alive: [String] = []

    init(on device: TestDevice, types: [String]) async throws {
        let client = device.app("com.example.development")
        self.client = client
        let stream = try await client.serverStream(
            AttachmentMethods.attach,
            .with {
                $0.displayName = "Development"
                $0.activityTypes = types
                $0.canContinue = true
            })
        let (sessions, session) = AsyncStream.makeStream(of: String.self)
        // Cancelled by `end`.
        commands = Task {
            for try await command in stream {
                if case .attached(let attached) = command.kind { session.yield(attached.sessionID) }
            }
            session.finish()
        }
        var iterator = sessions.makeAsyncIterator()
        guard let id = await iterator.next() else { throw IntegrationFailure("\(device.name) did not attach the app.") }
        self.session = id
    }

    func announce(_ activity: String, _ type: String, _ title: String) async throws {
        alive.append(activity)
        _ = try await client.unary(
            ActivityMethods.updateActivity,
            .with {
                $0.sessionID = session
                $0.makeCurrent = true
                $0.activity = .with {
                    $0.activityID = activity
                    $0.activityType = type
                    $0.title = title
                    $0.eligibleForHandoff = true
                }
            }, timeout: .seconds(30))
    }

    /// An app may have 1024 activities.
    func invalidateOlder() async throws {
        while alive.count > 500 {
            let oldest = alive.removeFirst()
            _ = try await client.unary(
                ActivityMethods.invalidateActivity,
                .with {
                    $0.sessionID = session
                    $0.activityID = oldest
                }, timeout: .seconds(30))
        }
    }

    func end() { commands.cancel() }
}
