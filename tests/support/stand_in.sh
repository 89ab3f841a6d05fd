#!/bin/sh
# A stand-in for what an installation asks of the system: apt, systemd, groups, pip. It writes down how it was called, and
# fails where the file $STAND_INS/fails holds a part of the call.
call="$(basename "$0") $*"
echo "$call" >>"$STAND_INS/calls"
if [ -s "$STAND_INS/fails" ] && echo "$call" | grep -qF -f "$STAND_INS/fails"; then
  echo "$(basename "$0"): told to fail"
  exit 1
fi
case $call in
  "systemd-run "*) while [ "$1" != -- ]; do shift; done; shift; exec "$@" ;;
  "python -I "*) exec "$REAL_PYTHON" "$@" ;;
  "mount "*)
    for target in "$@"; do device=${last:-} last=$target; done
    [ -d "$device" ] && mkdir -p "$target" && cp -R "$device/." "$target" ;;
  "umount "*) rm -rf "$1" ;;
  "dpkg --print-architecture") cat "$STAND_INS/architecture" ;;
  "dpkg-query "*) grep -qx "$4" "$STAND_INS/installed" && echo "install ok installed" ;;
  "apt-get install "*) for word in "$@"; do echo "$word"; done >>"$STAND_INS/installed" ;;
  "apt-cache show "*) grep -qx "$2" "$STAND_INS/known" && echo "Package: $2" ;;
  "getent "*) grep -qx "$2" "$STAND_INS/groups" ;;
  "useradd "*) mkdir -p "$DESTDIR/etc" && echo "tabletop:x:999:999::/:/bin/false" >>"$DESTDIR/etc/passwd" ;;
  "groupadd "*) echo "$2" >>"$STAND_INS/groups" ;;
  "id -u") echo "${STAND_IN_UID:-0}" ;;
  "id -un") echo pi ;;
  "df "*) printf 'Filesystem 1M-blocks Used Available\n/dev/x 9000 1 %s /\n' "$(cat "$STAND_INS/free")" ;;
  "journalctl "*) echo "the journal's last line" ;;
  "python3 -m venv "*)
    for target in "$@"; do :; done
    mkdir -p "$target/bin" && cp "$0" "$target/bin/python" ;;
  "python -m tabletop --version") echo "tabletop 9.9.9" ;;
  "python -c "*) [ ! -e "$STAND_INS/checks" ] || exec "$REAL_PYTHON" "$@" ;;
esac
