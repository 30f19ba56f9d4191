#!/usr/bin/env bash
# Unpacks the source of a Debian package. Usage: debian_source.sh PACKAGE FOLDER.
set -euo pipefail
package=$1 folder=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir -p "$work/lists/partial"
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
echo "deb-src http://deb.debian.org/debian $release main" >"$work/sources.list"
options=(-qq -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
  -o Dir::State::lists="$work/lists" -o APT::Sandbox::User=root)
apt-get "${options[@]}" update
(cd "$work" && apt-get "${options[@]}" source --download-only "$package" >/dev/null)
mkdir -p "$folder"
tar -x --strip-components=1 -C "$folder" -f "$work/${package}_"*.orig.tar.*
