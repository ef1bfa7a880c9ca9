# The set of tests/nix with two Pythons of which packages are built from, as in
# nixpkgs: the interpreter is an input, doCheck is read by the Python builder
# only, and the set's attributes have the spellings that fixes must cope with.
{ overlays ? [ ], config ? { } }:
import ../../nix/package_set {
  inherit config;
  overlays = [
    (self: super: {
      pkgs = self;
      python36 = import ./python.nix { pkgs = self; version = "3.6"; } { };
      python36Packages = self.python36.pkgs;
      python27 = import ./python.nix { pkgs = self; version = "2.7"; } { };
      python27Packages = self.python27.pkgs;
      pkg-config = self.callPackage ({ stdenv }: stdenv.mkDerivation { pname = "pkg-config"; version = "0.29"; }) { };
      tool = self.callPackage ({ stdenv, zlib ? null }: stdenv.mkDerivation {
        pname = "tool";
        version = "1";
        buildInputs = if zlib == null then [ ] else [ zlib ];
      }) { };
    })
  ] ++ overlays;
}
