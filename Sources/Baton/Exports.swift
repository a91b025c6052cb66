// What an app imports Baton for comes with Foundation, as UIKit and AppKit do: this is the one file that exports a module.
@_exported public import Foundation
