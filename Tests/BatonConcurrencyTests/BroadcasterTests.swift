import BatonConcurrency
import Testing

@Suite("Broadcaster", .timeLimit(.minutes(1)))
struct BroadcasterTests {
    @Test("of a state only the newest waits; of events all do, up to the bound, beyond which the stream ends")
    func buffers() async {
        let states = Broadcaster<Int>(.newest)
        let events = Broadcaster<Int>(.bounded(3))
        let (state, all, slow) = (states.subscribe([0]), events.subscribe(), events.subscribe())
        for number in 1...3 {
            states.send(number)
            events.send(number)
        }
        var reader = all.makeAsyncIterator()
        for number in 1...3 { #expect(await reader.next() == number) }
        events.send(4)
        #expect(await reader.next() == 4)
        #expect(events.count == 1)
        states.finish()
        events.finish()
        #expect(await state.reduce(into: []) { $0.append($1) } == [3])
        #expect(await slow.reduce(into: []) { $0.append($1) } == [1, 2, 3])
        #expect(await events.subscribe().reduce(into: []) { $0.append($1) } == [])
    }

    @Test("who stops reading is forgotten")
    func forgotten() async {
        let events = Broadcaster<Int>(.unbounded)
        let reading = Task { [stream = events.subscribe()] in for await _ in stream {} }
        #expect(events.count == 1)
        reading.cancel()
        await reading.value
        #expect(events.count == 0)
    }

    @Test("readers are cancelled while they are told, and neither waits for the other")
    func cancelledWhileTold() async {
        for _ in 0..<2000 {
            let events = Broadcaster<Int>(.newest)
            let readers = (0..<4).map { _ in Task { [stream = events.subscribe()] in for await _ in stream {} } }
            await withTaskGroup { group in
                group.addTask { for number in 0..<20 { events.send(number) } }
                group.addTask { for reader in readers { reader.cancel() } }
            }
            for reader in readers { await reader.value }
            #expect(events.count == 0)
        }
    }
}
