extension SystemTypes {
    /// Sources, scripts and what belongs to programs.
    static let code = """
        public.sql-script|public.script|sql|application/sql text/x-sql|SQL
        public.source-code|public.plain-text|||source code
        public.script|public.source-code|||script
        public.shell-script|public.script public.executable|sh command|application/x-shellscript text/x-sh|shell script
        public.bash-script|public.shell-script|bash||Bash script
        public.zsh-script|public.shell-script|zsh||Z shell script
        public.csh-script|public.shell-script|csh|application/x-csh|C shell script
        public.ksh-script|public.shell-script|ksh||Korn shell script
        public.tcsh-script|public.shell-script|tcsh||tcsh script
        com.fishshell.fish|public.shell-script|fish|application/x-fishscript|fish script
        public.perl-script|public.shell-script|pl pm|application/x-perl text/x-perl|Perl script
        public.python-script|public.shell-script|py pyw|text/x-python application/x-python|Python script
        org.python.bytecode|public.data public.executable|pyc|application/x-python-bytecode|Python bytecode
        public.ruby-script|public.shell-script|rb|application/x-ruby text/x-ruby|Ruby script
        public.php-script|public.shell-script|php php3 php4 ph3 ph4 phtml|application/x-php text/php|PHP script
        public.lua-script|public.script|lua|text/x-lua|Lua script
        public.tcl-script|public.script|tcl tk|text/x-tcl|Tcl script
        public.awk-script|public.script|awk|application/x-awk|AWK script
        public.make-source|public.script|mak mk|text/x-makefile|Makefile
        public.cmake-script|public.script|cmake|text/x-cmake|CMake script
        public.dockerfile|public.script|dockerfile||Dockerfile
        public.meson-script|public.script||text/x-meson|Meson build
        org.gradle.script|public.script|gradle|text/x-gradle|Gradle script
        org.nixos.nix|public.source-code|nix||Nix expression
        com.microsoft.batch-script|public.script|bat cmd|application/x-bat|batch file
        com.microsoft.powershell-script|public.script|ps1 psm1|application/x-powershell|PowerShell script
        com.microsoft.visual-basic-script|public.script|vbs||Visual Basic script
        com.netscape.javascript-source|public.source-code public.executable|js mjs cjs jscript javascript|text/javascript application/javascript application/x-javascript|JavaScript
        com.microsoft.typescript|public.source-code|ts cts|application/typescript text/typescript|TypeScript
        com.facebook.jsx|public.source-code|jsx|text/jsx|JSX
        com.microsoft.tsx|public.source-code|tsx|text/tsx|TSX
        com.apple.applescript.text|public.script|applescript||AppleScript text
        com.apple.applescript.script|public.data public.script|scpt||AppleScript
        com.apple.applescript.script-bundle|com.apple.applescript.script com.apple.bundle com.apple.package|scptd||AppleScript bundle
        com.apple.scripting-definition|public.xml|sdef||scripting definition
        public.swift-source|public.source-code|swift|text/x-swift|Swift source
        public.c-source|public.source-code|c|text/x-csrc|C source
        public.c-source.preprocessed|public.c-source|i||preprocessed C source
        public.c-header|public.source-code|h|text/x-chdr|C header
        public.c-plus-plus-source|public.source-code|cpp cp cxx cc c++ cppm|text/x-c++src|C++ source
        public.c-plus-plus-source.preprocessed|public.c-plus-plus-source|ii||preprocessed C++ source
        public.c-plus-plus-header|public.source-code|hpp hh hxx h++ ipp|text/x-c++hdr|C++ header
        public.c-plus-plus-inline-header|public.c-plus-plus-header|inl||C++ inline header
        public.objective-c-source|public.source-code|m|text/x-objcsrc|Objective-C source
        public.objective-c-source.preprocessed|public.objective-c-source|mi||preprocessed Objective-C source
        public.objective-c-plus-plus-source|public.source-code|mm|text/x-objc++src|Objective-C++ source
        public.assembly-source|public.source-code|s|text/x-asm|assembly source
        public.nasm-assembly-source|public.assembly-source|asm nasm||NASM source
        public.lex-source|public.source-code|l lm lmm lpp lxx||lex source
        public.yacc-source|public.source-code|y ym ymm ypp yxx||yacc source
        public.mig-source|public.source-code|defs mig||MIG interface
        public.fortran-source|public.source-code|f for fpp ftn|text/x-fortran|Fortran source
        public.fortran-77-source|public.fortran-source|f77||Fortran 77 source
        public.fortran-90-source|public.fortran-source|f90||Fortran 90 source
        public.fortran-95-source|public.fortran-source|f95||Fortran 95 source
        public.pascal-source|public.source-code|pas|text/x-pascal|Pascal source
        public.ada-source|public.source-code|ada adb ads|text/x-ada text/x-adasrc|Ada source
        public.go-source|public.source-code|go|text/x-go|Go source
        public.rust-source|public.source-code|rs|text/rust|Rust source
        public.zig-source|public.source-code|zig|text/x-zig|Zig source
        public.nim-source|public.source-code|nim|text/x-nim|Nim source
        public.d-source|public.source-code|d|text/x-dsrc|D source
        public.haskell-source|public.source-code|hs|text/x-haskell|Haskell source
        public.literate-haskell-source|public.source-code|lhs|text/x-literate-haskell|literate Haskell source
        public.ocaml-source|public.source-code|ml mli|text/x-ocaml|OCaml source
        public.fsharp-source|public.source-code|fs fsx fsi||F# source
        public.erlang-source|public.source-code|erl hrl|text/x-erlang|Erlang source
        public.elixir-source|public.source-code|ex exs|text/x-elixir|Elixir source
        public.clojure-source|public.source-code|clj cljs cljc|text/x-clojure|Clojure source
        public.lisp-source|public.source-code|lisp lsp|text/x-common-lisp|Lisp source
        public.emacs-lisp-source|public.source-code|el|text/x-emacs-lisp|Emacs Lisp source
        public.scheme-source|public.source-code|scm ss rkt|text/x-scheme|Scheme source
        public.prolog-source|public.source-code|pro||Prolog source
        public.julia-source|public.source-code|jl|text/julia|Julia source
        public.r-source|public.source-code|r|text/x-r|R source
        public.dart-source|public.source-code|dart|application/dart|Dart source
        public.crystal-source|public.source-code|cr|text/x-crystal|Crystal source
        public.scala-source|public.source-code|scala sc|text/x-scala|Scala source
        public.kotlin-source|public.source-code|kt kts|text/x-kotlin|Kotlin source
        public.groovy-source|public.source-code|groovy|text/x-groovy|Groovy source
        com.sun.java-source|public.source-code|java jav|text/x-java text/x-java-source|Java source
        com.sun.java-web-start|public.xml|jnlp|application/x-java-jnlp-file|Java Web Start
        com.microsoft.csharp-source|public.source-code|cs|text/x-csharp|C# source
        com.microsoft.visual-basic-source|public.source-code|vb|text/x-vb|Visual Basic source
        com.apple.metal|public.source-code|metal||Metal shader
        org.khronos.glsl-source|public.source-code|glsl vert frag geom comp||GLSL shader
        com.microsoft.hlsl-source|public.source-code|hlsl fx||HLSL shader
        org.khronos.opencl-source|public.source-code|cl|text/x-opencl-src|OpenCL source
        com.nvidia.cuda-source|public.source-code|cu cuh||CUDA source
        org.verilog.verilog-source|public.source-code|v vh|text/x-verilog|Verilog source
        org.verilog.systemverilog-source|public.source-code|sv svh|text/x-systemverilog text/x-svsrc|SystemVerilog source
        org.vhdl.vhdl-source|public.source-code|vhd vhdl|text/x-vhdl|VHDL source
        org.vala.vala-source|public.source-code|vala vapi|text/x-vala|Vala source
        com.adobe.actionscript-source|public.source-code|as||ActionScript source
        public.css|public.text|css|text/css|CSS style sheet
        org.sass.scss|public.text|scss|text/x-scss|Sass style sheet
        org.sass.sass|public.text|sass|text/x-sass|Sass style sheet, indented
        org.lesscss.less|public.text|less||Less style sheet
        org.vuejs.vue|public.text|vue||Vue component
        dev.svelte.svelte|public.text|svelte||Svelte component
        com.google.protobuf.source|public.source-code|proto|text/x-protobuf|Protocol Buffers source
        org.graphql.graphql|public.source-code|graphql gql|application/graphql|GraphQL
        org.apache.thrift|public.source-code|thrift||Thrift source
        com.google.protobuf|public.data|pb||Protocol Buffers message
        org.qt-project.qml|public.source-code|qml|text/x-qml|QML
        org.qt-project.translation|public.xml|qm||Qt translation
        org.gnu.gettext.po|public.text|po pot|text/x-gettext-translation|Gettext translation
        org.gnu.gettext.mo|public.data|mo|application/x-gettext-translation|Gettext translation, compiled
        com.apple.xcode.project|com.apple.package|xcodeproj||Xcode project
        com.apple.dt.document.workspace|com.apple.package|xcworkspace||Xcode workspace
        com.apple.dt.playground|com.apple.package|playground||playground
        com.apple.dt.interfacebuilder.document.cocoa|public.xml|xib||Interface Builder document
        com.apple.dt.interfacebuilder.document.storyboard|public.xml|storyboard||storyboard
        com.apple.interfacebuilder.document|com.apple.package|nib||Interface Builder archive
        com.apple.xcode.entitlements-property-list|com.apple.xml-property-list|entitlements||entitlements
        com.apple.xcode.configsettings|public.text|xcconfig||Xcode build settings
        com.apple.dt.document.ascii-property-list|com.apple.ascii-property-list|pbxproj||Xcode project data
        com.apple.mach-o-binary|public.data public.executable|||Mach-O binary
        com.apple.mach-o-executable|com.apple.mach-o-binary|||Mach-O executable
        com.apple.mach-o-dylib|com.apple.mach-o-binary|dylib||dynamic library
        org.gnu.elf-shared-library|public.data public.executable|so|application/x-sharedlib|shared library
        public.object-code|public.data public.executable|o|application/x-object|object code
        com.apple.static-library|public.data public.archive|a|application/x-archive|static library
        com.microsoft.windows-executable|public.data public.executable|exe|application/vnd.microsoft.portable-executable application/x-ms-dos-executable application/x-msdownload|Windows program
        com.microsoft.windows-dynamic-link-library|public.data public.executable|dll|application/x-sharedlib-windows|Windows library
        com.microsoft.windows-installer-package|public.data public.archive|msi|application/x-msi|Windows installer
        com.microsoft.windows-shortcut|public.data|lnk|application/x-ms-shortcut|Windows shortcut
        """
}
