# An interpreter with its packages.
{ pkgs, version }:
{ packageOverrides ? (self: super: { }) }@args:
let
  inherit (pkgs) lib;
  inherit (pkgs.stdenv) mkDerivation;
  buildPythonPackage = attrs:
    let made = mkDerivation (removeAttrs attrs [ "doCheck" "checkInputs" "checkPhase" ] // {
      name = "python${version}-${attrs.pname}-${attrs.version}";
      doInstallCheck = attrs.doCheck or true;
      nativeBuildInputs = [ interpreter ] ++ (attrs.nativeBuildInputs or [ ])
        ++ (if attrs.doCheck or true then attrs.checkInputs or [ ] else [ ]);
    } // (if attrs ? checkPhase then { installCheckPhase = attrs.checkPhase; } else { }));
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
    fetchPypi = { pname, version, sha256 }: pkgs.fetchurl { url = "mirror://pypi/${pname}-${version}.tar.gz"; inherit sha256; };
    six = self.callPackage ({ buildPythonPackage }: buildPythonPackage { pname = "six"; version = "1.16"; }) { };
    zope_interface = self.callPackage ({ buildPythonPackage }: buildPythonPackage { pname = "zope.interface"; version = "4.0"; }) { };
    pytest = self.callPackage ({ buildPythonPackage }: buildPythonPackage { pname = "pytest"; version = "5.0"; }) { };
    pytest_3 = self.callPackage ({ buildPythonPackage }: buildPythonPackage { pname = "pytest"; version = "3.10"; }) { };
    html5lib = self.callPackage ({ buildPythonPackage, six, pytest }: buildPythonPackage {
      pname = "html5lib";
      version = "1.1";
      propagatedBuildInputs = [ six ];
      checkInputs = [ pytest ];
      checkPhase = "pytest";
    }) { };
    bleach = self.callPackage ({ buildPythonPackage, html5lib, six }: buildPythonPackage {
      pname = "bleach";
      version = "4.0";
      propagatedBuildInputs = [ html5lib six ];
    }) { };
  };
  packages = lib.fix (lib.extends packageOverrides set);
  interpreter = mkDerivation {
    name = "python3-${version}.1";
    passthru = {
      pythonVersion = version;
      implementation = "cpython";
      pkgs = packages;
      withPackages = f: mkDerivation {
        name = "python3-${version}.1-env";
        paths = f packages;
        passthru.python = interpreter;
      };
      override = new: import ./python.nix { inherit pkgs version; } (args // new);
    };
  };
in
interpreter
