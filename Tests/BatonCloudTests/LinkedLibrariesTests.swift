import BatonTestSupport
import Testing

@Suite("The libraries of the programs")
struct LinkedLibrariesTests {
    @Test("The server links no multicast DNS, and the daemon does")
    func avahi() async throws {
        func libraries(of product: String) async throws -> [String] {
            let process = try ChildProcess(["ldd", try Products.path(product)])
            #expect(try await process.status() == 0)
            try await process.output.waitForEnd()
            return process.output.all
        }
        let server = try await libraries(of: "baton-cloud")
        #expect(server.contains { $0.contains("libc.so") })
        #expect(!server.contains { $0.contains("avahi") })
        // Else the check would prove nothing.
        #expect(try await libraries(of: "batond").contains { $0.contains("avahi") })
    }
}
