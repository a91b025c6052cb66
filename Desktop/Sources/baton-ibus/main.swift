import Glibc
import IBusInput

exit(IBusRun.main(CommandLine.arguments))
