import Baton
import Foundation
import Testing

/// View controllers and pictures as far as sharing needs them.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct ViewControllerTests {
    private final class Screen: UIViewController {
        let journal: Journal
        let name: String

        init(_ name: String, _ journal: Journal) {
            self.name = name
            self.journal = journal
            super.init()
        }

        required init() { fatalError("not used") }

        override func viewDidLoad() { journal.note("\(name) loaded") }
        override func viewWillAppear(_ animated: Bool) { journal.note("\(name) will appear") }
        override func viewDidAppear(_ animated: Bool) { journal.note("\(name) appeared") }
        override func viewWillDisappear(_ animated: Bool) { journal.note("\(name) will disappear") }
        override func viewDidDisappear(_ animated: Bool) { journal.note("\(name) disappeared") }
    }

    @Test("a controller that is presented loads once, appears, and disappears when it is dismissed (A-6)")
    func lifeCycle() {
        let journal = Journal()
        let (first, second) = (Screen("first", journal), Screen("second", journal))
        first.appear()
        first.present(second, animated: true) { journal.note("completion") }
        #expect(first.presentedViewController === second && second.next === first)
        // One at a time.
        first.present(Screen("third", journal), animated: true) { journal.note("never") }
        second.dismiss(animated: true) { journal.note("dismissed") }
        #expect(first.presentedViewController == nil && second.presentingViewController == nil)
        first.present(second, animated: false)
        #expect(
            journal.all == [
                "first loaded", "first will appear", "first appeared", "second loaded", "second will appear",
                "second appeared", "completion", "second will disappear", "second disappeared", "dismissed",
                "second will appear", "second appeared",
            ])
    }

    @Test("a full screen hides the controller that presents it; dismissing takes everything above away")
    func fullScreen() {
        let journal = Journal()
        let (first, second, third) = (Screen("1", journal), Screen("2", journal), Screen("3", journal))
        second.modalPresentationStyle = .fullScreen
        first.appear()
        first.present(second, animated: false)
        second.present(third, animated: false)
        first.dismiss(animated: false)
        #expect(third.presentingViewController == nil && second.presentedViewController == nil)
        #expect(
            journal.all == [
                "1 loaded", "1 will appear", "1 appeared", "2 loaded", "2 will appear", "2 appeared",
                "1 will disappear", "1 disappeared", "3 loaded", "3 will appear", "3 appeared", "3 will disappear",
                "3 disappeared", "1 will appear", "1 appeared", "2 will disappear", "2 disappeared",
            ])
        #expect(first.popoverPresentationController == nil)
        first.modalPresentationStyle = .popover
        #expect(first.popoverPresentationController === first.popoverPresentationController)
    }

    @Test("a picture's size is read from its header, whatever the rest holds")
    func images() throws {
        let png: [UInt8] =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
            + [0, 0, 2, 0, 0, 0, 1, 0, 8, 6, 0, 0, 0]
        let image = try #require(UIImage(data: Data(png), scale: 2))
        #expect(image.size == CGSize(width: 256, height: 128) && image.scale == 2)
        #expect(image.pngData() == Data(png) && image.jpegData(compressionQuality: 1) == nil)
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 1, 0xFF, 0xFF, 0xC2, 0, 11, 8, 0, 9, 0, 16, 1, 0, 0, 0]
        let photo = try #require(UIImage(data: Data(jpeg)))
        #expect(photo.size == CGSize(width: 16, height: 9) && photo.jpegData(compressionQuality: 0) == Data(jpeg))
        #expect(photo.pngData() == nil)
        // Every beginning of them, and every broken byte: a picture or none, and no crash.
        for sample in [png, jpeg] {
            for count in 0..<sample.count {
                _ = UIImage(data: Data(sample.prefix(count)))
                var broken = sample
                broken[count] ^= 0xFF
                _ = UIImage(data: Data(broken))
            }
        }
        #expect(UIImage(data: Data()) == nil && UIImage(contentsOfFile: "/nonexistent.png") == nil)
        #expect(UIImage(named: "../secret") == nil && UIImage(named: "") == nil)
    }
}
