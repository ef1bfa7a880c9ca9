# A package set with the interface of nixpkgs and nothing to build: what the
# evaluator sees of it (override, overrideAttrs, packageOverrides, overlays,
# several outputs, finalAttrs) is there, the builders are one line of shell.
{ overlays ? [ ], config ? { } }:
let
  lib = rec {
    makeOverridable = f: args:
      let result = f args;
      in result // {
        override = setFunctionArgs
          (new: makeOverridable f (args // (if builtins.isFunction new then new args else new)))
          (functionArgs f);
      } // (if result ? overrideAttrs then {
        overrideAttrs = g: makeOverridable (setFunctionArgs (a: (call f a).overrideAttrs g) (functionArgs f)) args;
      } else { });
    call = f: a: f a;
    functionArgs = f: f.__functionArgs or (builtins.functionArgs f);
    setFunctionArgs = f: args: { __functor = self: f; __functionArgs = args; };
    getDev = p: p.dev or p.out or p;
    fix = f: let x = f x; in x;
    extends = overlay: f: self: let super = f self; in super // overlay self super;
    inNixShell = builtins.getEnv "IN_NIX_SHELL" != "";
  };

  mkDerivation = args:
    let
      attrs = if builtins.isFunction args then lib.fix (final: args (final // { finalPackage = made; })) else args;
      name = attrs.name or "${attrs.pname}-${attrs.version}";
      inputs = map lib.getDev (attrs.buildInputs or [ ]);
      drv = derivation (removeAttrs attrs [ "meta" "passthru" "buildInputs" "outputs" ] // {
        inherit name;
        system = builtins.currentSystem;
        builder = "/bin/sh";
        args = [ "-c" (attrs.buildCommand or "for o in $outputs; do eval echo $name \\> \\$$o; done") ];
        outputs = attrs.outputs or [ "out" ];
        buildInputs = inputs;
        nativeBuildInputs = attrs.nativeBuildInputs or [ ];
        propagatedBuildInputs = attrs.propagatedBuildInputs or [ ];
        stdenv = "stdenv";
      });
      made = drv // (attrs.passthru or { }) // {
        meta = (attrs.meta or { }) // {
          position = let p = builtins.unsafeGetAttrPos "name" (attrs // { inherit name; }); in "${toString p.file}:${toString p.line}";
        };
        overrideAttrs = f: mkDerivation (attrs // f attrs);
      };
    in made;

  packages = self: {
    inherit lib config;
    path = ./.;
    callPackage = f: args:
      let function = if builtins.isFunction f then f else import f;
      in lib.makeOverridable function (builtins.intersectAttrs (lib.functionArgs function) self // args);
    stdenv = { inherit mkDerivation; };
    fetchurl = { url, sha256, name ? baseNameOf url }: derivation {
      inherit name url;
      system = builtins.currentSystem;
      builder = "/bin/sh";
      args = [ "-c" "exit 1" ];
      outputHash = sha256;
      outputHashAlgo = "sha256";
      outputHashMode = "flat";
    };
    runCommand = name: env: buildCommand: mkDerivation (env // { inherit name buildCommand; });
    mkShell = attrs: mkDerivation ({
      name = "nix-shell";
      phases = [ "nobuildPhase" ];
      buildCommand = "exit 1";
    } // removeAttrs attrs [ "packages" ] // { nativeBuildInputs = attrs.packages or [ ]; });

    zlib = self.callPackage ({ stdenv, withDocs ? false }: stdenv.mkDerivation {
      pname = "zlib";
      version = "1.2";
      outputs = [ "out" "dev" ];
    }) { };
    png = self.callPackage ({ stdenv, zlib }: stdenv.mkDerivation {
      pname = "png";
      version = "1.6";
      buildInputs = [ zlib ];
    }) { };
    broken = throw "broken is marked as broken";

    python3 = import ./python.nix { inherit lib mkDerivation; pkgs = self; } { };
    python3Packages = self.python3.pkgs;
  };
in
lib.fix (builtins.foldl' (f: overlay: lib.extends overlay f) packages overlays)
