# An interpreter with its set: packages override as in nixpkgs.
{ lib, mkDerivation, pkgs }:
{ packageOverrides ? (self: super: { }) }@args:
let
  buildPythonPackage = attrs:
    let made = mkDerivation (removeAttrs attrs [ "doCheck" ] // {
      name = "python3.9-${attrs.pname}-${attrs.version}";
      doInstallCheck = attrs.doCheck or true;
    });
    in made // {
      overridePythonAttrs = f: buildPythonPackage (attrs // f attrs);
      pythonModule = interpreter;
    };
  set = self: {
    inherit buildPythonPackage;
    python = interpreter;
    callPackage = f: extra:
      let function = if builtins.isFunction f then f else import f;
      in lib.makeOverridable function (builtins.intersectAttrs (lib.functionArgs function) (pkgs // self) // extra);
    six = self.callPackage ({ buildPythonPackage }: buildPythonPackage { pname = "six"; version = "1.16"; }) { };
    html5lib = self.callPackage ({ buildPythonPackage, six }: buildPythonPackage {
      pname = "html5lib";
      version = "1.1";
      propagatedBuildInputs = [ six ];
    }) { };
    bleach = self.callPackage ({ buildPythonPackage, html5lib, six }: buildPythonPackage {
      pname = "bleach";
      version = "4.0";
      propagatedBuildInputs = [ html5lib six ];
    }) { };
    # Takes anything and heeds nothing, as what stands inline in an old set.
    inline = lib.makeOverridable buildPythonPackage { pname = "inline"; version = "1"; };
  };
  packages = lib.fix (lib.extends packageOverrides set);
  interpreter = mkDerivation {
    name = "python3-3.9.1";
    passthru = {
      pythonVersion = "3.9";
      implementation = "cpython";
      pkgs = packages;
      withPackages = f: mkDerivation {
        name = "python3-3.9.1-env";
        paths = f packages;
        passthru.python = interpreter;
      };
      override = new: import ./python.nix { inherit lib mkDerivation pkgs; } (args // new);
    };
  };
in
interpreter
