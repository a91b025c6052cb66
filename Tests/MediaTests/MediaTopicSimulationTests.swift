import BatonCore
import Media
import Testing

/// Three devices that exchange their players by the topic `media.playing`: of values that wait only the newest comes, devices go
/// away and come back (P-62).
///
/// Held at each step: a player of another device is offered to the desktop only while nothing plays here; what is seen of a device is
/// what it once said, and nothing of one that is away; no identifier stands for two players. Held at the end: each sees what the others
/// have.
@Suite struct MediaTopicSimulationTests {
    /// SplitMix64.
    private struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
            return value ^ value >> 31
        }
    }

    private struct Player: Hashable {
        var id: String
        var title: String
        var isPlaying: Bool
    }

    private final class Device {
        let id: DeviceID
        var board = MediaBoard()
        var sessions: [SessionID] = []
        /// The waiting value for each other device: one, the newest.
        var waiting: [Int: [MediaPlayer]] = [:]
        var said: Set<[Player]> = [[]]

        init(_ letter: Character) { id = DeviceID(unchecked: String(repeating: letter, count: 26)) }

        func snapshot() -> [MediaPlayer] {
            Array(PlayerChoice.sorted(board.local).prefix(MediaLimits().maximumRemote))
        }
    }

    private static let app = AppIdentity(bundleID: BundleID(unchecked: "com.example.tone"), team: .development)

    private static func summary(_ players: [MediaPlayer]) -> [Player] {
        players.map { Player(id: $0.id, title: $0.track.title, isPlaying: $0.isPlaying) }
    }

    private static func remote(_ player: MediaPlayer, of device: DeviceID) -> MediaPlayer {
        MediaPlayer(
            source: .device(device, player.id), id: "\(device.rawValue.prefix(8)).\(player.id)", name: player.name,
            app: player.app, track: player.track, playback: player.playback, commands: player.commands,
            lastUsed: player.lastUsed)
    }

    /// As its sender has it.
    private static func original(_ players: [MediaPlayer]) -> [Player] {
        summary(players).map { player in
            var player = player
            player.id = String(player.id.dropFirst(9))
            return player
        }
    }

    @Test("each device sees what the others play, whatever is lost on the way (P-62)", arguments: 0..<60)
    func simulate(seed: UInt64) throws {
        var random = Random(state: seed)
        let devices = ["A", "B", "C"].map { Device(Character($0)) }
        var connected: Set<[Int]> = [[0, 1], [0, 2], [1, 2]]
        func pair(_ one: Int, _ other: Int) -> [Int] { [min(one, other), max(one, other)] }
        func publish(_ index: Int) {
            let players = devices[index].snapshot()
            devices[index].said.insert(Self.summary(players))
            for other in devices.indices where other != index && connected.contains(pair(index, other)) {
                devices[index].waiting[other] = players
            }
        }
        func deliver(_ index: Int, to other: Int) {
            guard connected.contains(pair(index, other)),
                let players = devices[index].waiting.removeValue(forKey: other)
            else { return }
            let sender = devices[index].id
            devices[other].board.setDevice(sender, players.map { Self.remote($0, of: sender) })
        }
        for step in 0..<120 {
            let now = Duration.seconds(step)
            let index = Int.random(in: 0..<3, using: &random)
            let device = devices[index]
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2:
                if device.sessions.count < 6, Bool.random(using: &random) { device.sessions.append(.random()) }
                guard let session = device.sessions.randomElement(using: &random) else { break }
                let rate = Bool.random(using: &random) ? 1.0 : 0.0
                let update = AppUpdate(
                    playing: .init(
                        track: MediaTrack(title: "Song \(step)", duration: 100),
                        playback: Playback(state: .unknown, elapsed: 0, rate: rate, measured: now)),
                    offers: [.play: .init(), .pause: .init()])
                _ = device.board.update(session, of: Self.app, name: "Tone", desktopEntry: nil, update, now: now)
                publish(index)
            case 3:
                guard let session = device.sessions.popLast() else { break }
                _ = device.board.ended(session)
                publish(index)
            case 4:
                let other = (index + 1) % 3
                if connected.remove(pair(index, other)) != nil {
                    for (one, far) in [(index, other), (other, index)] {
                        devices[one].waiting[far] = nil
                        devices[one].board.setDevice(devices[far].id, nil)
                    }
                } else {
                    connected.insert(pair(index, other))
                    devices[index].waiting[other] = device.snapshot()
                    devices[other].waiting[index] = devices[other].snapshot()
                    for one in [index, other] { devices[one].said.insert(Self.summary(devices[one].snapshot())) }
                }
            default: deliver(index, to: (index + Int.random(in: 1...2, using: &random)) % 3)
            }
            check(devices, connected, "step \(step) of \(seed)")
        }
        for (index, other) in [(0, 1), (0, 2), (1, 2)] where !connected.contains([index, other]) {
            connected.insert([index, other])
            devices[index].waiting[other] = devices[index].snapshot()
            devices[other].waiting[index] = devices[other].snapshot()
        }
        for index in devices.indices { for other in devices.indices where other != index { deliver(index, to: other) } }
        for device in devices {
            for other in devices where other.id != device.id {
                #expect(
                    Self.original(device.board.devices[other.id] ?? []) == Self.summary(other.snapshot()),
                    "seed \(seed)")
            }
        }
    }

    private func check(_ devices: [Device], _ connected: Set<[Int]>, _ place: String) {
        for (index, device) in devices.enumerated() {
            let offered = device.board.offered { $0.rawValue }
            if device.board.local.contains(where: \.isPlaying) {
                #expect(offered.count == device.board.apps.count, "another device's player is offered at \(place)")
            }
            let ids = device.board.all.map(\.id)
            #expect(Set(ids).count == ids.count, "two players have one identifier at \(place)")
            for (other, sender) in devices.enumerated() where other != index {
                let seen = device.board.devices[sender.id]
                if !connected.contains([min(index, other), max(index, other)]) {
                    #expect(seen == nil, "a device that is away is seen at \(place)")
                } else if let seen {
                    #expect(sender.said.contains(Self.original(seen)), "what nobody said is seen at \(place)")
                }
            }
        }
    }
}
