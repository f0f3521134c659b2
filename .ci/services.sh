#!/usr/bin/env bash
# What the tests start for themselves, where it isn't installed yet: PostgreSQL's server, and a browser with
# Chinese characters.
set -euo pipefail
wanted=()
compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || command -v initdb >/dev/null || wanted+=(postgresql)
command -v chromium >/dev/null || wanted+=(chromium)
compgen -G '/usr/share/fonts/opentype/noto/NotoSansCJK*' >/dev/null ||
  compgen -G '/usr/share/fonts/truetype/wqy/*' >/dev/null || wanted+=(fonts-wqy-zenhei)
[ ${#wanted[@]} -gt 0 ] || exit 0
as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq >/dev/null
# No cluster of the system's own: each run of the tests makes one and throws it away.
"${as_root[@]}" mkdir -p /etc/postgresql-common/createcluster.d
echo 'create_main_cluster = false' |
  "${as_root[@]}" tee /etc/postgresql-common/createcluster.d/none.conf >/dev/null
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${wanted[@]}" >/dev/null
