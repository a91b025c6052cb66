// Foundation comes with Baton for an app, as with UIKit and AppKit: this is the one file that exports a module.
@_exported public import Foundation
