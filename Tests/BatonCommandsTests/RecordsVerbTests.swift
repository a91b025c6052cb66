import BatonCommands
import BatonCore
import BatonWire
import SwiftProtobuf
import Testing

/// `baton records`
@Suite struct RecordsVerbTests {
    private func fixture(_ state: Baton_Control_V1_GetCloudStatusResponse.State?) -> CommandLineFixture {
        let fixture = CommandLineFixture()
        fixture.daemon.on(RecordsControlMethods.listRecordContainers) { _ in
            .with {
                $0.containers = [
                    .with {
                        $0.identifier = "iCloud.com.example.App"
                        $0.zones = [
                            .with {
                                $0.name = "notes"
                                $0.records = 3
                                $0.waiting = 3
                                $0.complete = true
                            }
                        ]
                    }
                ]
            }
        }
        if let state { fixture.daemon.on(CloudControlMethods.getCloudStatus) { _ in .with { $0.state = state } } }
        return fixture
    }

    @Test("in an account without a cloud nothing is said to wait to be sent there (R-9)")
    func waiting() async {
        let without = fixture(.noCloud)
        #expect(await without.run("records") == .success)
        #expect(without.output.text.contains("3 for devices that come near, since there is no cloud"))
        for state in [.connected, .waiting, nil] as [Baton_Control_V1_GetCloudStatusResponse.State?] {
            let with = fixture(state)
            #expect(await with.run("records", "list") == .success)
            #expect(with.output.text.contains("3 to send to the cloud"), "\(with.output.text)")
        }
    }
}
