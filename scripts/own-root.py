#!/usr/bin/env python3
"""Runs a command with the present root folder as the root of its mount namespace.

usage: own-root.py COMMAND [ARGUMENT...]      (as root)

Nix 2.8 returns to the mount namespace that it was started in before
nix-shell starts the shell, and by that to the namespace's root (setns(2)): in a
chroot it leaves the chroot, and the shell is looked for on the outer system. In
a namespace whose root is the chroot there is nowhere to leave to. This is what
switch_root(8) does, but for one command. The folder must be a mount point; in
no chroot nothing is changed.
"""
import ctypes
import os
import sys

CLONE_NEWNS = 0x00020000
MS_MOVE, MS_REC, MS_PRIVATE = 8192, 16384, 1 << 18

libc = ctypes.CDLL(None, use_errno=True)


def call(name, *arguments):
    if getattr(libc, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def take_root():
    call("unshare", CLONE_NEWNS)
    root = os.open("/", os.O_PATH | os.O_DIRECTORY)
    namespace = os.open("/proc/self/ns/mnt", os.O_RDONLY)
    call("setns", namespace, CLONE_NEWNS)  # "/" is the namespace's root from here
    if not os.path.samestat(os.stat("/"), os.fstat(root)):
        call("mount", b"none", b"/", None, ctypes.c_ulong(MS_REC | MS_PRIVATE), None)
        os.fchdir(root)
        call("mount", b".", b"/", None, ctypes.c_ulong(MS_MOVE), None)
        os.chroot(".")


here = os.getcwd()
try:
    take_root()
except PermissionError:
    pass  # a container that allows no mounts: then it is no chroot of ours either
os.chdir(here)
os.execvp(sys.argv[1], sys.argv[1:])
