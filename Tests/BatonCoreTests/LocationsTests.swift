import BatonCore
import Testing

@Suite("Locations")
struct LocationsTests {
    @Test("A home holds everything of a device")
    func home() throws {
        let locations = try Locations(home: "/tmp/device/", environment: [:], workingDirectory: "/here")
        for path in [
            locations.data, locations.configuration, locations.state, locations.runtime, locations.socket,
            locations.teams,
        ] {
            #expect(path.hasPrefix("/tmp/device/"))
        }
        #expect(
            try Locations(home: nil, environment: ["BATON_HOME": "/tmp/device"], workingDirectory: "/here") == locations
        )
    }

    @Test(
        "A relative home begins where the process runs, whoever names it",
        arguments: ["device", "./device/", "a/..//device"])
    func relative(home: String) throws {
        let named = try Locations(home: home, environment: [:], workingDirectory: "/here/")
        #expect(try named == Locations(home: nil, environment: ["BATON_HOME": home], workingDirectory: "/here/"))
        #expect(named.data == "/here/" + (home.hasPrefix("a") ? "a/../device" : "device") + "/data")
    }

    @Test("A home that is an empty text is refused; an empty variable is none")
    func empty() throws {
        let error = #expect(throws: BatonError.self) {
            try Locations(home: "", environment: ["HOME": "/home/a"], workingDirectory: "/here")
        }
        #expect(error?.code == .invalidArgument && error?.reason == "empty_home")
        let locations = try Locations(
            home: nil, environment: ["HOME": "/home/a", "BATON_HOME": ""], workingDirectory: "/here")
        #expect(locations.data == "/home/a/.local/share/baton")
    }

    @Test("Without a home the XDG directories are used, and relative ones passed over")
    func xdg() throws {
        let locations = try Locations(
            home: nil,
            environment: [
                "HOME": "/home/a", "XDG_DATA_HOME": "/data", "XDG_STATE_HOME": "relative",
                "XDG_RUNTIME_DIR": "/run/user/1",
            ], workingDirectory: "/here")
        #expect(locations.data == "/data/baton")
        #expect(locations.state == "/home/a/.local/state/baton")
        #expect(locations.configuration == "/home/a/.config/baton")
        #expect(locations.socket == "/run/user/1/baton/batond.sock")
    }

    @Test("Unusable locations are refused with what to do")
    func refused() {
        #expect(throws: BatonError.self) { try Locations(home: nil, environment: [:], workingDirectory: "/here") }
        #expect(throws: BatonError.self) {
            try Locations(home: nil, environment: ["HOME": "relative"], workingDirectory: "/here")
        }
        let long = "/" + String(repeating: "x", count: 100)
        #expect(throws: BatonError.self) { try Locations(home: long, environment: [:], workingDirectory: "/here") }
    }
}
