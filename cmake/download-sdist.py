"""Download one source distribution with pip, checked against its sha256.

usage: download-sdist.py REQUIREMENTS FOLDER

pip prepares a source distribution's metadata even when it only downloads it.
Without build isolation that needs no further package; where the host lacks
setuptools, pip's own isolation is tried.
"""
import subprocess
import sys

requirements, folder = sys.argv[1:]
pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
       "--no-binary", ":all:", "--require-hashes", "-r", requirements,
       "--dest", folder]
for isolation in (["--no-build-isolation"], []):
    status = subprocess.call(pip + isolation)
    if status == 0:
        break
sys.exit(status)
