import BatonTestSupport
import SessionBus
import Testing

@testable import Media

/// Another program has the name of a player, on a real bus (`dbus-daemon`).
@Suite(.timeLimit(.minutes(1))) struct PlayerNameTests {
    private static let id = "com.example.tone"

    @Test("A player whose name another program has takes the next one, and leaves that program its own (P-62)")
    func taken() async throws {
        let bus = try await BatonTestSupport.SessionBus()
        let result = Result { try Self.look(bus.address) }
        await bus.end()
        try result.get()
    }

    /// A connection stays on one thread.
    private static func look(_ address: String) throws {
        let foreign = try #require(BusConnection(address: address))
        defer { foreign.close() }
        for instance in 0...1 {
            let reply = try foreign.call(BusConnection.bus, "RequestName") { writer in
                writer.string(MPRISName.make(id, instance: instance))
                // Not to be replaced.
                writer.unsigned(4)
            }
            #expect(reply.unsigned() == 1)
        }
        let picture = PlayerPicture(
            id: id, name: "Tone", track: MediaTrack(title: "Tone"),
            playback: Playback(state: .playing, elapsed: 0, rate: 1, measured: .zero), offers: [:])
        let player = try #require(OfferedPlayer(address: address, picture: picture))
        defer { player.close() }
        var (owner, rounds): (String?, Int) = (nil, 0)
        // Each look asks the bus and waits for its answer.
        while owner == nil, rounds < 100_000 {
            rounds += 1
            #expect(!player.process(now: .zero).isOver)
            owner = foreign.owner(of: MPRISName.make(id, instance: 2))
        }
        #expect(owner != nil)
        for instance in 0...1 {
            let other = foreign.owner(of: MPRISName.make(id, instance: instance))
            #expect(other != nil && other != owner)
        }
        // One program's players below the prefix are no other program's here: they are passed over.
        #expect(!MPRISName.isForeign(MPRISName.make(id)))
    }
}
