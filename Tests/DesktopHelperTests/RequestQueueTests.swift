import Testing

@testable import DesktopHelper

@Suite("Requests that the helper has not read yet")
struct RequestQueueTests {
    private func question(_ id: UInt64) -> DesktopQuestion {
        DesktopQuestion(id: id, app: "App", kind: .text, title: "A question")
    }

    @Test("what is over before the helper has read it takes no memory, however often an app asks and withdraws (A-2)")
    func over() {
        var queue = RequestQueue()
        for id in UInt64(0)..<10_000 {
            queue.add(.ask(question: question(id)))
            queue.add(.showImage(image: DesktopImage(id: 1, app: "App", path: "/app/Default.png")))
            queue.add(.withdraw(id: id))
            queue.add(.hideImage(id: 1))
        }
        #expect(queue.waiting.isEmpty)
    }

    @Test("what the helper has read is taken away, and the others keep their order")
    func order() {
        var queue = RequestQueue()
        for id in UInt64(1)...3 { queue.add(.ask(question: question(id))) }
        #expect(queue.next() == .ask(question: question(1)))
        queue.add(.withdraw(id: 1))
        queue.add(.withdraw(id: 2))
        #expect(queue.next() == .ask(question: question(3)))
        #expect(queue.next() == .withdraw(id: 1))
        #expect(queue.next() == nil)
    }
}
