import Glibc

// The program of an app that is a script, for tests: an app's executable may not be one itself. It becomes the shell,
// which runs the file of its own name with “.script” behind it.

var buffer = [CChar](repeating: 0, count: 4096)
guard readlink("/proc/self/exe", &buffer, buffer.count - 1) > 0 else { exit(126) }
let program = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
let arguments = ["sh", program + ".script"] + CommandLine.arguments.dropFirst()
execv("/bin/sh", arguments.map { strdup($0) } + [nil])
exit(127)
