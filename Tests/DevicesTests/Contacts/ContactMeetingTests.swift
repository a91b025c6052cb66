import Testing

@testable import Devices

@Suite("Which of two devices that become contacts calls the other")
struct ContactMeetingTests {
    private func meeting(_ own: String, wanted: String? = nil) -> ContactMeeting {
        var meeting = ContactMeeting(wanted: wanted)
        #expect(meeting.handle(.announced(own)) == [])
        return meeting
    }

    @Test("the one with the smaller label calls, once; the other one waits")
    func two() {
        var (smaller, greater) = (meeting("AAAA"), meeting("BBBB"))
        #expect(smaller.handle(.found("bbbb")) == [.startTimer])
        #expect(smaller.handle(.settled) == [.call("BBBB")])
        #expect(smaller.handle(.found("CCCC")) == [])
        #expect(greater.handle(.found("AAAA")) == [.startTimer])
        #expect(greater.handle(.settled) == [])
    }

    @Test("its own announcements, earlier ones too, are nobody else's")
    func own() {
        var meeting = ContactMeeting(wanted: nil)
        #expect(meeting.handle(.found("BBBB")) == [.startTimer])
        #expect(meeting.handle(.announced("BBBB")) == [])
        #expect(meeting.handle(.announced("AAAA")) == [])
        #expect(meeting.handle(.found("BBBB")) == [])
        #expect(meeting.handle(.settled) == [])
    }

    @Test("with several a person says which; the one that is called is called whoever is near")
    func several() {
        var smallest = meeting("AAAA")
        _ = smallest.handle(.found("CCCC"))
        _ = smallest.handle(.found("BBBB"))
        #expect(smallest.handle(.settled) == [.several(["BBBB", "CCCC"])])
        var greatest = meeting("CCCC")
        _ = greatest.handle(.found("AAAA"))
        _ = greatest.handle(.found("BBBB"))
        #expect(greatest.handle(.settled) == [])
        var named = meeting("AAAA", wanted: "bbbb")
        #expect(named.handle(.found("CCCC")) == [.startTimer])
        #expect(named.handle(.found("BBBB")) == [.call("BBBB")])
        var called = meeting("BBBB", wanted: "AAAA")
        #expect(called.handle(.found("AAAA")) == [.startTimer])
        #expect(called.handle(.settled) == [])
    }

    @Test("a device that shows a code calls nobody until the attempt is over, and one that left is not called")
    func busy() {
        var busy = meeting("AAAA")
        _ = busy.handle(.found("BBBB"))
        #expect(busy.handle(.called) == [])
        #expect(busy.handle(.settled) == [])
        #expect(busy.handle(.callEnded) == [.call("BBBB")])
        var left = meeting("AAAA")
        _ = left.handle(.found("BBBB"))
        _ = left.handle(.lost("BBBB"))
        #expect(left.handle(.settled) == [])
        #expect(left.handle(.found("DDDD")) == [.call("DDDD")])
    }

    @Test("strangers that announce without end are not all kept")
    func bound() {
        var meeting = meeting("A")
        for number in 0..<1000 { _ = meeting.handle(.found("B\(number)")) }
        guard case .several(let labels)? = meeting.handle(.settled).first else {
            Issue.record("nothing was decided")
            return
        }
        #expect(labels.count == ContactMeeting.maximumLabels)
    }
}
