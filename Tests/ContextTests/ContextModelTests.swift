import BatonCore
import ContextAwareness
import Foundation
import Testing

/// The reports of inputs, and the events that follow (P-61).
@Suite struct ContextModelTests {
    private static let now: UInt64 = 1_704_067_200_000
    private static let buds = ConnectedThing(kind: .headphones, id: "/org/bluez/hci0/dev_1", name: "Buds\u{202e}\n")

    private static func events(
        _ model: inout ContextModel, _ observation: ContextObservation, at time: UInt64 = now
    ) -> [ContextEvent] {
        model.handle(observation, now: time, offset: 0).events
    }

    @Test("headphones that connect and go are told, with a name of one line; those that were there are not (P-61)")
    func headphones() {
        var model = ContextModel()
        #expect(Self.events(&model, .connected(.bluetooth, [])).isEmpty)
        #expect(
            Self.events(&model, .connected(.bluetooth, [Self.buds])) == [.headphones(connected: true, name: "Buds")])
        #expect(Self.events(&model, .connected(.bluetooth, [Self.buds])).isEmpty)
        #expect(Self.events(&model, .connected(.bluetooth, [])) == [.headphones(connected: false, name: "Buds")])
        // BlueZ was started anew: what is connected then was connected before.
        #expect(Self.events(&model, .input(.bluetooth, .absent, detail: "")).isEmpty)
        #expect(Self.events(&model, .connected(.bluetooth, [Self.buds])).isEmpty)
        #expect(model.inputs[.bluetooth]?.detail == "Connected: Buds.")
        #expect(model.recent.count == 2)
    }

    @Test("the lock and sleep are told when they change (P-61)")
    func session() {
        var model = ContextModel()
        #expect(Self.events(&model, .locked(true)).isEmpty)
        #expect(Self.events(&model, .locked(false)) == [.locked(false)])
        #expect(Self.events(&model, .locked(false)).isEmpty)
        #expect(Self.events(&model, .sleeping(false)).isEmpty)
        #expect(Self.events(&model, .sleeping(true)).isEmpty)
        #expect(Self.events(&model, .sleeping(false)) == [.woke])
    }

    @Test("a flood passes ten times in a second, and the state is right afterwards (P-61)")
    func flood() {
        var model = ContextModel()
        var told: [ContextEvent] = []
        for round in 0..<1001 { told += Self.events(&model, .locked(round % 2 == 0)) }
        #expect(told.count == 10 && model.dropped == 990 && model.isLocked == true)
        #expect(Self.events(&model, .locked(false), at: Self.now + 1000) == [.locked(false)])
        let many = (0..<1000).map { ConnectedThing(kind: .device, id: "\($0)", name: "x") }
        _ = Self.events(&model, .connected(.bluetooth, []))
        #expect(Self.events(&model, .connected(.bluetooth, many)).count == 10)
    }

    @Test("a network where the device stays is a place, told by the name that the person gave (P-61)")
    func places() {
        var model = ContextModel()
        var now = Self.now
        func advance(_ minutes: Int, _ model: inout ContextModel) -> [ContextEvent] {
            (0..<minutes).flatMap { _ -> [ContextEvent] in
                now += 60_000
                return Self.events(&model, .tick, at: now)
            }
        }
        #expect(Self.events(&model, .network(id: "library", name: "library"), at: now).isEmpty)
        #expect(advance(15, &model).isEmpty)
        #expect(model.stays.memory.places.count == 1)
        let isNamed = model.stays.name(1, "Library")
        #expect(isNamed)
        #expect(Self.events(&model, .noNetwork, at: now).isEmpty)
        #expect(advance(2, &model) == [.left(place: "Library")])
        #expect(Self.events(&model, .network(id: "library", name: "library"), at: now).isEmpty)
        #expect(advance(2, &model) == [.arrived(place: "Library")])
        // NetworkManager ends: where the device is is not known.
        #expect(Self.events(&model, .input(.network, .absent, detail: ""), at: now).isEmpty)
        #expect(advance(2, &model) == [.left(place: "Library")])
    }

    @Test(
        "what work in the background asks: metered networks, the battery, idleness; nothing outlives its service (B-1)")
    func surroundings() {
        var model = ContextModel()
        #expect(model.surroundings == ContextSurroundings())
        for observation in [ContextObservation.metered(true), .power(onBattery: true, lidClosed: false), .idle(true)] {
            #expect(Self.events(&model, observation).isEmpty)
        }
        #expect(model.surroundings.isMetered == true && model.surroundings.isOnBattery == true)
        // Said again, it is idle for as long.
        _ = Self.events(&model, .idle(true), at: Self.now + 60_000)
        #expect(!model.surroundings.isIdle(for: 600_000, now: Self.now + 599_999))
        #expect(model.surroundings.isIdle(for: 600_000, now: Self.now + 600_000))
        #expect(!model.surroundings.isIdle(for: 600_000, now: 0), "a clock that was set back")
        _ = Self.events(&model, .idle(false), at: Self.now + 700_000)
        #expect(!model.surroundings.isIdle(for: 0, now: Self.now + 700_000))
        for input in [ContextInput.power, .network, .session] {
            _ = Self.events(&model, .input(input, .absent, detail: ""))
        }
        #expect(model.surroundings == ContextSurroundings())
    }

    @Test("sinks of the sound system: form factors, ports that are plugged in, and what is no list (P-61)")
    func sinks() {
        let output = """
            [{"name":"alsa.1","description":"Built-in","properties":{"device.form_factor":"internal"},"ports":[
              {"name":"analog-output-speaker","type":"Speaker","availability":"availability unknown"},
              {"name":"analog-output-headphones","type":"Headphones","availability":"available"}]},
             {"name":"null","description":"Test","properties":{"device.form_factor":"headphone"},"ports":[]},
             {"name":"bluez_output.1","description":"Buds","properties":{"device.form_factor":"headset"}},
             {"name":"alsa.2","ports":[{"name":"headphones","availability":"not available"}]},
             {"name":7},{}]
            """
        #expect(
            SoundSinks.headphones(Data(output.utf8))?.map(\.id) == ["alsa.1#headphones", "null"])
        #expect(SoundSinks.headphones(Data("[]".utf8))?.isEmpty == true)
        for broken in ["", "{}", "[1,2]", "null", "[[]]"] { #expect(SoundSinks.headphones(Data(broken.utf8)) == nil) }
    }

    @Test("a fix of gpsd is a position, and nothing else is (P-61)")
    func gpsd() {
        func position(_ line: String) -> Position? { GPSReport.position(Data(line.utf8)) }
        #expect(position(#"{"class":"TPV","mode":3,"lat":41.5,"lon":29.25}"#)?.longitude == 29.25)
        for line in [
            #"{"class":"TPV","mode":1,"lat":41.5,"lon":29.25}"#, #"{"class":"SKY","mode":3,"lat":41.5,"lon":29.25}"#,
            #"{"class":"TPV","mode":3,"lat":"41","lon":29}"#, #"{"class":"TPV","mode":3,"lat":1e99,"lon":29}"#,
            #"{"class":"TPV","mode":3,"lat":NaN,"lon":29}"#, "", "nonsense", "[]",
        ] {
            #expect(position(line) == nil, "\(line)")
        }
        #expect(position(String(repeating: "[", count: 100_000)) == nil)
    }

    @Test("an event that may never come is doubted: unknown places and devices, inputs that are not followed (P-15)")
    func doubt() {
        var model = ContextModel()
        #expect(model.doubt(of: .arrived(place: "home"))?.hasPrefix("“home” is not known yet: ") == true)
        #expect(model.doubt(of: .device(connected: true, name: "headphones"))?.hasPrefix("Nothing says now") == true)
        _ = Self.events(&model, .network(id: "a", name: "Cafe"))
        for minute in 1...60 { _ = Self.events(&model, .tick, at: Self.now + UInt64(minute) * 60_000) }
        for place in model.stays.memory.places { _ = model.stays.name(place.id, "Home") }
        #expect(model.doubt(of: .left(place: "home")) == nil)
        _ = Self.events(&model, .input(.network, .absent, detail: ""))
        #expect(model.doubt(of: .left(place: "home"))?.hasPrefix("Nothing says now where") == true)
        _ = Self.events(&model, .connected(.bluetooth, []))
        #expect(model.doubt(of: .device(connected: true, name: "Headphones")) == nil)
        #expect(model.doubt(of: .device(connected: true, name: "buds"))?.hasPrefix("“buds” has not been") == true)
        _ = Self.events(&model, .connected(.bluetooth, [Self.buds]))
        #expect(model.doubt(of: .device(connected: true, name: "buds")) == nil)
        _ = Self.events(&model, .connected(.bluetooth, []))
        #expect(model.doubt(of: .device(connected: false, name: "buds")) == nil)
        #expect(model.doubt(of: .personContacted(handle: "a@b.org")) == nil)
    }
}
