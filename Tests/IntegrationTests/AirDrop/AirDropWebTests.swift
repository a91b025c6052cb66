import BatonCore
import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// Files to and from devices without Baton, by one-time addresses: real daemons, curl and Chromium.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct AirDropWebTests {
        private struct Address: Decodable {
            var event: String
            var urls: [String]
            var fingerprint: String
            var port: Int
        }

        private struct Ended: Decodable {
            struct Outcome: Decodable {
                var result: String
                var items: Int
                var bytes: UInt64
                var paths: [String]
            }
            var outcome: Outcome
        }

        private func address(_ process: ChildProcess) async throws -> Address {
            let line = try await within(.seconds(20), "the address") {
                try await process.output.first { $0.contains(#""event":"address""#) ? $0 : nil }?.found
            }
            return try JSONDecoder().decode(Address.self, from: Data(try #require(line).utf8))
        }

        private func outcome(_ process: ChildProcess) async throws -> Ended.Outcome {
            _ = try await within(.seconds(20), "the end") { try await process.status() }
            try await process.output.waitForEnd()
            let last = try #require(process.output.all.last, "\(process.errors.all)")
            return try JSONDecoder().decode(Ended.self, from: Data(last.utf8)).outcome
        }

        /// - Returns: the status of HTTP and the body; status 0 when there is no answer.
        private func curl(_ device: TestDevice, _ arguments: String...) async throws -> (status: Int, body: String) {
            let process = try ChildProcess(
                device.prefix + ["curl", "--silent", "--insecure", "--max-time", "20", "--write-out", "\n%{http_code}"]
                    + arguments)
            _ = try await within(.seconds(30), "curl") { try await process.status() }
            try await process.output.waitForEnd()
            let lines = process.output.all
            return (Int(lines.last ?? "") ?? 0, lines.dropLast().joined(separator: "\n"))
        }

        private func write(_ count: Int, to path: String) throws -> Data {
            var generator = SeededGenerator(seed: UInt64(count))
            let data = Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
            try data.write(to: URL(fileURLWithPath: path))
            return data
        }

        @Test("a browser downloads each file once from an address that nobody guesses; then it is gone (A-1)")
        func download() async throws {
            try await TestHousehold.with(2, paired: false) { household in
                let (sender, phone) = (household[0], household[1])
                let file = household.directory + "/Grüße <1>.bin"
                let content = try write(1 << 20, to: file)
                let small = household.directory + "/small.txt"
                try Data("small".utf8).write(to: URL(fileURLWithPath: small))
                let sending = try sender.startBaton(["send", "--web", "--once", file, small])
                let address = try await address(sending)
                #expect(address.port == 22869)
                let url = try #require(address.urls.first)
                let base = try #require(url.range(of: ":22869/")).upperBound
                for wrong in [
                    String(url[..<base]), String(url[..<base]) + String(repeating: "a", count: 26) + "/", url + "9/x",
                ] {
                    #expect(try await curl(phone, wrong).status == 404, "\(wrong)")
                }
                let page = try await curl(phone, url)
                #expect(page.status == 200 && page.body.contains("Grüße &lt;1&gt;.bin"))
                #expect(try await curl(phone, "--upload-file", small, url).status == 405)
                let print = try ChildProcess(
                    phone.prefix + [
                        "bash", "-c",
                        "openssl s_client -connect \(sender.address):22869 </dev/null 2>/dev/null "
                            + "| openssl x509 -noout -fingerprint -sha256",
                    ])
                _ = try await within(.seconds(20), "openssl") { try await print.status() }
                try await print.output.waitForEnd()
                let shown = print.output.all.joined().replacingOccurrences(of: ":", with: "").lowercased()
                #expect(shown.hasSuffix("=" + address.fingerprint))

                let copy = household.directory + "/copy.bin"
                #expect(try await curl(phone, "--head", url + "0/x").status == 200)
                #expect(try await curl(phone, "--output", copy, url + "0/x").status == 200)
                #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == content)
                #expect(try await curl(phone, url + "0/x").status == 410)
                #expect(try await curl(phone, url + "1/x").body == "small")
                let outcome = try await outcome(sending)
                #expect(outcome.result == "delivered" && outcome.items == 2)
                #expect(try await curl(phone, url).status == 0)
            }
        }

        @Test(
            "what a browser uploads appears whole, under a safe name, over nothing; what breaks off leaves nothing (A-1)"
        )
        func upload() async throws {
            try await TestHousehold.with(2, paired: false) { household in
                let (receiver, phone) = (household[0], household[1])
                let folder = household.directory + "/in"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/_.._evil.bin"))
                let file = household.directory + "/file.bin"
                let content = try write(300_000, to: file)
                let receiving = try receiver.startBaton(["receive", "--web", "--to", folder])
                let url = try #require(try await address(receiving).urls.first)
                // Cut off in the middle.
                let slow = try ChildProcess(
                    phone.prefix + [
                        "curl", "--silent", "--insecure", "--limit-rate", "20k", "--upload-file", file,
                        url + "half.bin",
                    ])
                try await within(.seconds(20), "some progress") {
                    try await receiving.output.expect { $0.contains(#""event":"progress""#) ? $0 : nil }
                }
                #expect(try await curl(phone, "--upload-file", file, url + "other.bin").status == 429)
                await slow.end()
                var status = 429
                // The daemon hears of the end a moment later.
                while status == 429 {
                    status = try await curl(phone, "--upload-file", file, url + "..%2f..%2fevil.bin").status
                }
                #expect(status == 200)
                let outcome = try await outcome(receiving)
                #expect(outcome.result == "delivered" && outcome.items == 1)
                let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
                #expect(names.count == 2 && !names.contains { $0.hasPrefix(".") }, "\(names)")
                #expect(try Data(contentsOf: URL(fileURLWithPath: try #require(outcome.paths.first))) == content)
                #expect(try String(contentsOfFile: folder + "/_.._evil.bin", encoding: .utf8) == "mine")
                #expect(!FileManager.default.fileExists(atPath: household.directory + "/evil.bin"))
            }
        }

        @Test("a folder is packed for a browser, which may have it several times (A-1)")
        func folder() async throws {
            try await TestHousehold.with(2, paired: false) { household in
                let (sender, phone) = (household[0], household[1])
                let folder = household.directory + "/Büro"
                try FileManager.default.createDirectory(atPath: folder + "/in/empty", withIntermediateDirectories: true)
                let content = try write(300_000, to: folder + "/in/large.bin")
                try Data().write(to: URL(fileURLWithPath: folder + "/nothing"))
                let sending = try sender.startBaton(["send", "--web", folder])
                let url = try #require(try await address(sending).urls.first)
                #expect(try await curl(phone, url).body.contains("Büro.zip"))
                for round in 1...2 {
                    let copy = household.directory + "/copy\(round)"
                    #expect(try await curl(phone, "--output", copy + ".zip", url + "0/x").status == 200)
                    let unzip = try ChildProcess(["python3", "-m", "zipfile", "-e", copy + ".zip", copy])
                    #expect(try await within(.seconds(20), "unpacking") { try await unzip.status() } == 0)
                    #expect(
                        try FileManager.default.subpathsOfDirectory(atPath: copy).sorted() == [
                            "Büro", "Büro/in", "Büro/in/empty", "Büro/in/large.bin", "Büro/nothing",
                        ])
                    #expect(try Data(contentsOf: URL(fileURLWithPath: copy + "/Büro/in/large.bin")) == content)
                }
                await sending.end()
            }
        }

        @Test("an address ends with the command that opened it")
        func cancelled() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let folder = household.directory + "/in"
                let receiving = try household[0].startBaton(["receive", "--web", "--to", folder])
                let url = try #require(try await address(receiving).urls.first)
                #expect(try await curl(household[0], url).status == 200)
                await receiving.end()
                var status = 200
                // The daemon hears of the end a moment later.
                while status == 200 { status = try await curl(household[0], url).status }
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
            }
        }

        @Test("Chromium uploads two files by the page, and downloads one (A-1)")
        func chromium() async throws {
            try await TestHousehold.with(2, paired: false) { household in
                let (device, phone) = (household[0], household[1])
                let folder = household.directory + "/in"
                let receiving = try device.startBaton(["receive", "--web", "--to", folder])
                let url = try #require(try await address(receiving).urls.first)
                let downloads = household.directory + "/downloads"
                let chromium = try await ChromiumBrowser(
                    profile: household.directory + "/chromium", prefix: phone.prefix,
                    policy: ["DownloadDirectory": downloads], arguments: ["--ignore-certificate-errors"])
                let result: Result<Void, any Error>
                do {
                    let tab = try await chromium.open(url)
                    try await chromium.evaluate(
                        """
                        (() => { const items = new DataTransfer();
                        items.items.add(new File(["one"], "a.txt")); items.items.add(new File(["two"], "A.TXT"));
                        const files = document.getElementById("files"); files.files = items.files;
                        files.dispatchEvent(new Event("change")); document.getElementById("send").click(); })()
                        """, in: tab)
                    try await chromium.wait(
                        in: tab, for: "document.getElementById('state').textContent", toBe: "Sent 2 files.")
                    #expect(try await outcome(receiving).items == 2)
                    #expect(
                        try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["A 2.TXT", "a.txt"])

                    let file = household.directory + "/picture.bin"
                    let content = try write(200_000, to: file)
                    let sending = try device.startBaton(["send", "--web", "--once", file])
                    let page = try await chromium.open(try #require(try await address(sending).urls.first))
                    try await chromium.evaluate("document.querySelector('a').click()", in: page)
                    #expect(try await outcome(sending).result == "delivered")
                    try await within(.seconds(20), "the download") {
                        while !FileManager.default.fileExists(atPath: downloads + "/picture.bin") {
                            try await Task.sleep(for: .milliseconds(50))  // sleeps: Chromium does not announce it
                        }
                    }
                    #expect(try Data(contentsOf: URL(fileURLWithPath: downloads + "/picture.bin")) == content)
                    result = .success(())
                } catch {
                    result = .failure(error)
                }
                await chromium.end()
                try result.get()
            }
        }
    }
}
