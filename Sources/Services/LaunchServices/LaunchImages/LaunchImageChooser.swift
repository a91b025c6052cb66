package import BatonTrust

/// Which picture is shown while an app is launched: a pure decision over the names of its files (U-23 to U-25).
///
/// A file is called by a base name, then in any order the usage modifiers (the tall screen's `-568h`, an orientation,
/// the URL's scheme), then the scale (`@2x`), then the device (`~ipad`), and `.png`. The best is the file with
/// 1. the first base name: those of `UILaunchImages` that fit the orientation; without that key `UILaunchImageFile`,
///    else `Default`;
/// 2. the URL's scheme, before one without a scheme;
/// 3. the orientation itself, before the general one (Portrait, Landscape), before none;
/// 4. the wanted scale, else the next larger, else the largest;
/// 5. no device, then `~ipad`, then `~iphone`; without `-568h`, then with it.
///
/// Names ignore case, as schemes do.
package struct LaunchImageChooser: Sendable {
    package enum Orientation: String, Sendable, CaseIterable {
        case portrait = "Portrait"
        case portraitUpsideDown = "PortraitUpsideDown"
        case landscape = "Landscape"
        case landscapeLeft = "LandscapeLeft"
        case landscapeRight = "LandscapeRight"

        /// Itself first.
        fileprivate var modifiers: [Orientation] {
            switch self {
            case .portrait, .landscape: [self]
            case .portraitUpsideDown: [self, .portrait]
            case .landscapeLeft, .landscapeRight: [self, .landscape]
            }
        }
    }

    package struct Request: Sendable, Hashable {
        /// The scheme of the URL that the app is launched for; nil for a launch without one.
        package var scheme: String?
        package var orientation: Orientation
        /// Pixels of a point: 1, 2 or 3.
        package var scale: Int

        package init(scheme: String? = nil, orientation: Orientation = .portrait, scale: Int = 1) {
            self.scheme = scheme
            self.orientation = orientation
            self.scale = scale
        }
    }

    package struct Choice: Sendable, Hashable {
        /// The name of a file at the top of the bundle.
        package let file: String
        /// As a clause for people.
        package let reason: String
    }

    private static let scales = [1, 2, 3]
    private let declarations: LaunchImageDeclarations
    /// By name in lower case; of names that differ in case alone the first.
    private let files: [String: String]

    package init(_ declarations: LaunchImageDeclarations) {
        self.declarations = declarations
        files = Dictionary(
            declarations.files.sorted().map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// - Returns: nil for an app without a picture that fits.
    package func choose(_ request: Request) -> Choice? {
        guard !files.isEmpty else { return nil }
        for basename in basenames(request.orientation) {
            for scheme in request.scheme.map({ [$0, nil] }) ?? [nil] {
                for orientation in request.orientation.modifiers.map(Optional.some) + [nil] {
                    for scale in Self.order(of: request.scale) {
                        if let file = file(basename, scheme, orientation, scale) {
                            return Choice(file: file, reason: reason(basename, scheme, orientation, scale))
                        }
                    }
                }
            }
        }
        return nil
    }

    private func basenames(_ orientation: Orientation) -> [String] {
        guard let images = declarations.images else { return [declarations.basename] }
        let order = orientation.modifiers.map(\.rawValue)
        return order.flatMap { wanted in images.filter { $0.orientation == wanted }.map(\.name) }
    }

    private static func order(of wanted: Int) -> [Int] {
        let larger = scales.filter { $0 > wanted }
        return [wanted] + larger + scales.filter { $0 < wanted }.reversed()
    }

    private func file(_ basename: String, _ scheme: String?, _ orientation: Orientation?, _ scale: Int) -> String? {
        let usage = [scheme, orientation?.rawValue].compactMap(\.self)
        let end = scale == 1 ? "" : "@\(scale)x"
        for device in ["", "~ipad", "~iphone"] {
            for tall in [[], ["568h"]] {
                for modifiers in Self.permutations(tall + usage) {
                    let name = ([basename] + modifiers).joined(separator: "-") + end + device + ".png"
                    if let file = files[name.lowercased()] { return file }
                }
            }
        }
        return nil
    }

    /// All orders of at most three words.
    private static func permutations(_ words: [String]) -> [[String]] {
        guard words.count > 1 else { return [words] }
        return words.indices.flatMap { index in
            var rest = words
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }

    private func reason(_ basename: String, _ scheme: String?, _ orientation: Orientation?, _ scale: Int) -> String {
        var parts = [
            declarations.images != nil
                ? "its base name is in UILaunchImages"
                : basename == "Default" ? "its base name is Default" : "its base name is UILaunchImageFile"
        ]
        if let scheme { parts.append("it is for the scheme “\(scheme)”") }
        if let orientation { parts.append("its orientation is \(orientation.rawValue)") }
        if scale != 1 { parts.append("its scale is \(scale)") }
        return parts.joined(separator: ", ")
    }
}
