import BatonCommands
import BatonCore
import BatonWire
import SwiftProtobuf
import Testing

struct SettingsVerbTests {
    private static let browser = Baton_Control_V1_Setting.with {
        $0.name = "browser"
        $0.value = "xdg-open %u"
        $0.isDefault = true
        $0.defaultValue = "xdg-open %u"
        $0.purpose = "The command that opens pages."
    }

    private func fixture(problem: String = "") -> CommandLineFixture {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.listSettings) { _ in
            .with {
                $0.settings = [Self.browser]
                $0.problem = problem
            }
        }
        fixture.daemon.on(ControlMethods.changeSetting) { request in
            .with {
                $0.setting = Self.browser
                if request.hasValue {
                    $0.setting.value = request.value
                    $0.setting.isDefault = false
                }
            }
        }
        return fixture
    }

    @Test("Settings are listed with their values and what they are for, and what is wrong with their file")
    func lists() async throws {
        let fixture = fixture(problem: "The file cannot be used.")
        #expect(await fixture.run("settings", "list") == .success)
        #expect(
            fixture.output.text == """
                SETTING  VALUE        STATE    PURPOSE
                browser  xdg-open %u  default  The command that opens pages.

                """)
        #expect(fixture.errors.text.contains("The file cannot be used."))
        #expect(await fixture.run("settings", "list", "--json") == .success)
        #expect(try fixture.json(fixture.output)["problem"] as? String == "The file cannot be used.")
    }

    @Test("One is printed, set and reset")
    func changes() async throws {
        let fixture = fixture()
        #expect(await fixture.run("settings", "get", "browser") == .success)
        #expect(fixture.output.text == "xdg-open %u\n")
        #expect(await fixture.run("settings", "get", "colour") == .notFound)
        #expect(await fixture.run("settings", "set", "browser", "none", "--json") == .success)
        #expect(try fixture.json(fixture.output)["value"] as? String == "none")
        #expect(await fixture.run("settings", "reset", "browser") == .success)
        let requests = fixture.daemon.requests(of: Baton_Control_V1_ChangeSettingRequest.self)
        #expect(requests.map(\.hasValue) == [true, false])
    }
}
