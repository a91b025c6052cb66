import BatonCommands
import Foundation

let status = await CommandRunner().run(Array(CommandLine.arguments.dropFirst()))
exit(status.rawValue)
