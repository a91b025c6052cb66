import BatonDesktop
import Glibc

exit(HelperRun.main(CommandLine.arguments))
