import BatonTestSupport
import Foundation
import Synchronization
import Testing

extension Integration {
    /// `BATON_SEED` says what happens.
    @Suite(.serialized) struct DocumentKillerTests {
        private static let port = 8443

        // In the quiet lane, since it takes a while.
        @Test(
            "With daemons and their cloud killed, cut off, and on and off each other's network meanwhile, no content is lost that nobody replaced or deleted, and all trees are equal (D-5, D-36)"
        )
        func killer() async throws {
            let seconds = Schedules.count(10, soak: 600)
            let seed = Schedules.oneSeed
            print("documents killer: \(seconds) seconds, BATON_SEED=\(seed)")
            try await TestHousehold.with(4) { household in
                let clouds = RestartedCloud(household)
                let first = try await clouds.start()
                do {
                    try await household[0].baton("cloud", "login", first.url, "--fingerprint", first.fingerprint)
                    var containers: [TestContainer] = []
                    for device in household.devices.prefix(3) {
                        try await CloudAccessTests.isConnected(device)
                        containers.append(try await TestContainer(device))
                    }
                    let saved = SavedContents()
                    try await Self.run(household, clouds, containers, saved, for: .seconds(seconds), seed)
                    print("documents killer: \(saved.count) saves, of which \(saved.expected.count) must be there")
                    try #require(saved.count >= seconds * 5)
                    try await Self.check(containers, saved)
                } catch {
                    await clouds.end()
                    throw error
                }
                await clouds.end()
            }
        }

        /// The cloud on the last machine, which is killed and started again.
        private final class RestartedCloud: Sendable {
            private let household: TestHousehold
            private let current = Mutex<TestCloud?>(nil)

            init(_ household: TestHousehold) { self.household = household }

            @discardableResult
            func start() async throws -> TestCloud {
                let cloud = try await TestCloud(
                    on: 3, of: household.namespaces, data: household.directory + "/cloud",
                    port: DocumentKillerTests.port)
                current.withLock { $0 = cloud }
                return cloud
            }

            func kill(for time: Duration) async throws {
                await end()
                try await Task.sleep(for: time)  // sleeps: how long it is away is what is tried
                try await start()
            }

            func end() async { await current.withLock { $0 }?.process.kill() }
        }

        private static func run(
            _ household: TestHousehold, _ clouds: RestartedCloud, _ containers: [TestContainer],
            _ saved: SavedContents, for time: Duration, _ seed: UInt64
        ) async throws {
            let end = ContinuousClock.now + time
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, container) in containers.enumerated() {
                    group.addTask {
                        var person = try DocumentPerson(container, saved, seed: seed &+ 10 &+ UInt64(index))
                        while ContinuousClock.now < end {
                            for _ in 0..<Int.random(in: 1...4, using: &person.random) { person.act() }
                            let calm = Duration.milliseconds(Int.random(in: 0...150, using: &person.random))
                            try await Task.sleep(for: calm)  // sleeps: people do nothing now and then
                        }
                    }
                }
                // On and off each other's network, while the cloud is there or not: two of the three, or all.
                group.addTask {
                    var random = SeededGenerator(seed: seed &+ 1)
                    let longest = min(15_000, Int(time.components.seconds) * 200)
                    while ContinuousClock.now < end {
                        let calm = Duration.milliseconds(Int.random(in: 0...longest, using: &random))
                        try await Task.sleep(for: calm)  // sleeps: they meet meanwhile
                        let devices = household.devices.prefix(3).shuffled(using: &random)
                        let apart = devices.prefix(Int.random(in: 2...3, using: &random))
                        try await household.set(apart: apart, true)
                        saved.note("\(apart.map(\.name).joined(separator: " and ")) are apart")
                        let away = Duration.milliseconds(Int.random(in: 0...longest, using: &random))
                        try await Task.sleep(for: away)  // sleeps: how long they are apart is what is tried
                        try await household.set(apart: apart, false)
                        saved.note("all are on one network")
                    }
                }
                group.addTask {
                    var random = SeededGenerator(seed: seed)
                    while ContinuousClock.now < end {
                        let device = household[Int.random(in: 0...2, using: &random)]
                        let away = Duration.milliseconds(Int.random(in: 0...800, using: &random))
                        switch Int.random(in: 0..<8, using: &random) {
                        case 0..<5:
                            try await device.kill()
                            saved.note("\(device.name) is killed")
                            try await Task.sleep(for: away)  // sleeps: how long it is away is what is tried
                            try await device.start()
                            saved.note("\(device.name) runs again after it was killed")
                        case 5, 6: try await clouds.kill(for: away)
                        default:
                            try await household.cut(device)
                            try await Task.sleep(for: away)  // sleeps: how long it is away is what is tried
                            try await household.restore(device)
                        }
                        let calm = Duration.milliseconds(Int.random(in: 0...1200, using: &random))
                        try await Task.sleep(for: calm)  // sleeps: they sync meanwhile
                    }
                }
                try await group.waitForAll()
            }
        }

        private static func check(_ containers: [TestContainer], _ saved: SavedContents) async throws {
            try await containers[0].device.until("all to be at rest with one tree", limit: .seconds(90)) {
                for container in containers { guard try await container.isAtRest else { return false } }
                let first = containers[0].listing
                return containers.allSatisfy { $0.listing == first }
            }
            for container in containers {
                var found: Set<String> = []
                for name in container.tree.keys where container.tree[name] != "/" {
                    if let bytes = container.read(name), let content = DocumentPerson.content([UInt8](bytes)) {
                        found.insert(content)
                    }
                }
                for (path, item) in try await container.items() where item.conflicts > 0 {
                    let name = String(path.dropFirst("Documents/".count))
                    for text in try await container.contents(of: name) {
                        if let content = DocumentPerson.content([UInt8](text.utf8)) { found.insert(content) }
                    }
                }
                let lost = saved.expected.subtracting(found)
                #expect(
                    lost.isEmpty, "\(container.device.name) has lost \(lost.sorted())\n\(saved.story(of: lost))")
            }
        }
    }
}
