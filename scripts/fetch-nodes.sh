#!/usr/bin/env bash
# Gets bitcoind and litecoind for the sandbox and the tests, or the named programs (monerod and monero-wallet-rpc for XMR;
# promtool, pgbackrest and pgbouncer, for tests; etcd, haproxy, prometheus, patroni and postgres, for `npm run cluster`): those on PATH if they are there (patroni and
# postgres are always fetched, so that they fit each other), else from Debian's archive, without root and without
# touching the system. A private apt configuration on the system's own Debian mirror downloads the packages (apt checks their signatures) and dpkg
# unpacks them; they run through the loader and libraries that come with them, so the Debian release of this machine does
# not matter.
#
# Usage: fetch-nodes.sh [FOLDER [PROGRAM...]]      default folder ${XDG_CACHE_HOME:-~/.cache}/sluice/nodes
# Prints one line per program, "bitcoind PATH". Exit code 0: all are there; 1: a download failed;
# 2: this system has no apt or no Debian archive, so only programs that are installed already can be used.
set -euo pipefail
# PostgreSQL runs as another user than root.
umask 022

cache=${1:-${XDG_CACHE_HOME:-${HOME:-~}/.cache}/sluice/nodes}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- bitcoind litecoind
common="libc6 libgcc-s1 libstdc++6"
bitcoind_packages="bitcoin-knots/trixie-backports libevent-core-2.1-7t64 libevent-extra-2.1-7t64 libevent-pthreads-2.1-7t64
  libsqlite3-0 libzmq5 libbsd0 libmd0 libsodium23 libpgm-5.3-0t64 libnorm1t64 libgssapi-krb5-2 libkrb5-3 libk5crypto3
  libkrb5support0 libcom-err2 libkeyutils1"
litecoind_packages="litecoind libevent-2.1-7t64 libevent-core-2.1-7t64 libevent-pthreads-2.1-7t64 libleveldb1d libsnappy1v5
  libboost-filesystem1.83.0 libboost-thread1.83.0 libdb5.3++t64 libssl3t64 libminiupnpc18 libfmt10 zlib1g libzstd1"
promtool_packages=promtool
etcd_packages=etcd-server
pgbackrest_packages="pgbackrest libpq5 libbz2-1.0 liblz4-1 libssh2-1t64 libssl3t64 libxml2 liblzma5 libzstd1 zlib1g libldap2 libsasl2-2
  libgssapi-krb5-2 libkrb5-3 libk5crypto3 libkrb5support0 libcom-err2 libkeyutils1"
pgbouncer_packages="pgbouncer libcares2 libevent-2.1-7t64 libpam0g libaudit1 libcap-ng0 libsystemd0 libcap2 libssl3t64 zlib1g libzstd1"
# Both programs are in one package.
monerod_packages="monero/trixie-backports libboost-chrono1.83.0t64 libboost-filesystem1.83.0
  libboost-program-options1.83.0 libboost-serialization1.83.0 libboost-thread1.83.0 libhidapi-libusb0 libusb-1.0-0 libudev1
  libcap2 librandomx0 libreadline8t64 libtinfo6 libunbound8 libevent-2.1-7t64 libssl3t64 zlib1g libzstd1 libzmq5 libbsd0
  libmd0 libsodium23 libpgm-5.3-0t64 libnorm1t64 libgssapi-krb5-2 libkrb5-3 libk5crypto3 libkrb5support0 libcom-err2
  libkeyutils1"
monero_wallet_rpc_packages=$monerod_packages
kerberos="libgssapi-krb5-2 libkrb5-3 libk5crypto3 libkrb5support0 libcom-err2 libkeyutils1"
haproxy_packages="haproxy libcrypt1 libjemalloc2 liblua5.4-0 libopentracing-c-wrapper0t64 libopentracing1 libpcre2-8-0 libssl3t64 zlib1g
  libzstd1"
prometheus_packages=prometheus
# Without LLVM (200 MB), so without JIT.
postgres_packages="postgresql-17 postgresql-client-17 libpq5 libicu76 libxml2 liblzma5 libldap2 libsasl2-2 libssl3t64 $kerberos liblz4-1
  libpam0g libaudit1 libcap-ng0 libselinux1 libpcre2-8-0 libsystemd0 libcap2 libgcrypt20 libgpg-error0 libuuid1 libxxhash0 libzstd1 zlib1g"
patroni_packages="patroni python3.13-minimal libpython3.13-minimal libpython3.13-stdlib python3-click python3-dateutil python3-dnspython
  python3-etcd python3-prettytable python3-psutil python3-psycopg2 python3-six python3-urllib3 python3-wcwidth python3-yaml python3-ydiff libpq5 libldap2
  libsasl2-2 libssl3t64 $kerberos libexpat1 libffi8 libbz2-1.0 liblzma5 libsqlite3-0 libuuid1 libyaml-0-2 libzstd1 zlib1g"
bitcoind_program=usr/bin/bitcoind
promtool_program=usr/bin/promtool
etcd_program=usr/bin/etcd
haproxy_program=usr/sbin/haproxy
prometheus_program=usr/bin/prometheus
postgres_program=usr/lib/postgresql/17/bin/postgres
patroni_program=usr/bin/python3.13
pgbackrest_program=usr/bin/pgbackrest
pgbouncer_program=usr/sbin/pgbouncer
monerod_program=usr/bin/monerod
monero_wallet_rpc_program=usr/bin/monero-wallet-rpc
# The package's /usr/bin/litecoind is a wrapper that writes to the home folder.
litecoind_program=usr/lib/litecoin/litecoind

say() { echo "fetch-nodes: $*" >&2; }

# An installed daemon, as src/sandbox/find-daemon.ts looks for it.
installed() {
  case $1 in patroni | postgres) return 1 ;; esac
  if [ "$1" = litecoind ] && [ -x "/$litecoind_program" ]; then echo "/$litecoind_program"; else command -v "$1"; fi
}

missing=()
for name in "$@"; do
  if path=$(installed "$name"); then echo "$name $path"
  elif [ -x "$cache/$name/$name" ]; then echo "$name $cache/$name/$name"
  else missing+=("$name"); fi
done
[ ${#missing[@]} -gt 0 ] || exit 0

for tool in apt-get dpkg; do
  command -v "$tool" > /dev/null && continue
  say "there is no $tool here, so ${missing[*]} cannot be fetched. Install them (https://bitcoin.org," \
    "https://litecoin.org, https://getmonero.org) so that they are on PATH; a chain whose node is missing is left out."
  exit 2
done
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list 2> /dev/null |
  awk '($1 == "URIs:" || $1 == "deb") { for (i = 2; i <= NF; i++) if (!found && $i ~ /\/debian\/?$/) { print $i; found = 1 } }') || true
if [ -z "$mirror" ]; then
  say "no Debian archive is configured on this system, so ${missing[*]} cannot be fetched. Install them so that they are" \
    "on PATH; a chain whose node is missing is left out."
  exit 2
fi

mkdir -p "$cache"
work=$(mktemp -d "$cache/.fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
mkdir -p "$work"/apt/empty "$work"/apt/lists/partial "$work"/apt/cache/archives/partial
: > "$work/apt/status"
cat > "$work/apt/debian.sources" << SOURCES
Types: deb
URIs: $mirror
Suites: trixie trixie-backports
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCES
options=(-q -o "Dir::Etc::sourcelist=$work/apt/debian.sources" -o "Dir::Etc::sourceparts=$work/apt/empty"
  -o "Dir::Etc::preferencesparts=$work/apt/empty" -o "Dir::State::lists=$work/apt/lists"
  -o "Dir::State::status=$work/apt/status" -o "Dir::Cache=$work/apt/cache" -o Acquire::Languages=none
  -o Acquire::Retries=2 -o Acquire::http::Timeout=30 -o Acquire::https::Timeout=30 -o Debug::NoLocking=1)
# apt would fetch as the user _apt, who may not enter a private home folder.
[ "$(id -u)" != 0 ] || options+=(-o APT::Sandbox::User=root)

say "fetching ${missing[*]} from $mirror (once)"
if ! apt-get "${options[@]}" update > "$work/log" 2>&1; then
  cat "$work/log" >&2
  say "the package lists of $mirror could not be read"
  exit 1
fi

# Unpacks one program beside its libraries under $work/NAME, with a starter that finds them wherever the folder stands.
fetch() {
  local name=$1 target=$work/$1 packages program loader debs
  packages=${name//-/_}_packages program=${name//-/_}_program
  # Programs of the same packages share one download.
  debs=$work/debs-$(printf %s "${!packages}" | cksum | cut -d ' ' -f 1)
  mkdir -p "$target" "$debs"
  # shellcheck disable=SC2086 # a list of names
  [ -e "$debs/complete" ] ||
    (cd "$debs" && apt-get "${options[@]}" download $common ${!packages} && touch complete) > "$work/log" 2>&1 || return 1
  for package in "$debs"/*.deb; do dpkg -x "$package" "$target" || return 1; done
  [ "$name" = postgres ] && find "$target/usr/share" -mindepth 1 -maxdepth 1 ! -name postgresql -exec rm -rf {} + || rm -rf "$target/usr/share"
  [ "$name" = patroni ] || find "$target"/usr/*bin -type f ! -name "${!program##*/}" -delete
  loader=$(cd "$target" && echo usr/lib/*-linux-gnu/ld-linux*.so.*)
  [ -e "$target/$loader" ] && [ -x "$target/${!program}" ] || return 1
  case $name in
    postgres) start_postgres "$target" "$loader" ;;
    patroni) start_patroni "$target" "$loader" ;;
    *) start_program "$target" "$loader" "$name" "${!program}" ;;
  esac
  chmod 755 "$target" "$target/$name"
  local version=--version
  [ "$name" != haproxy ] || version=-v
  [ "$name" != pgbackrest ] || version=version
  "$target/$name" "$version" > "$work/log" 2>&1 < /dev/null
}

# Writes TARGET/NAME, which runs PROGRAM.
start_program() {
  cat > "$1/$3" << STARTER
#!/bin/sh
here=\$(dirname "\$(readlink -f "\$0")")
exec "\$here/$2" --library-path "\$here/$(dirname "$2")" "\$here/$4" "\$@"
STARTER
}

# PostgreSQL's programs start each other and find their files by the path under which they were started.
start_postgres() {
  local bin=usr/lib/postgresql/17/bin name
  mv "$1/$bin" "$1/$bin.all"
  mkdir -p "$1/$bin/programs"
  for name in postgres initdb pg_basebackup pg_controldata pg_ctl pg_isready pg_rewind pg_waldump psql; do
    mv "$1/$bin.all/$name" "$1/$bin/programs/$name"
    cat > "$1/$bin/$name" << STARTER
#!/bin/sh
bin=\$(dirname "\$(readlink -f "\$0")")
lib=\$bin/../../../../$(dirname "${2#usr/}")
exec "\$lib/$(basename "$2")" --library-path "\$lib" --argv0 "\$bin/$name" "\$bin/programs/$name" "\$@"
STARTER
    chmod 755 "$1/$bin/$name"
  done
  rm -rf "$1/$bin.all"
  printf '#!/bin/sh\nexec "$(dirname "$(readlink -f "$0")")/%s/postgres" "$@"\n' "$bin" > "$1/postgres"
}

# Patroni starts Python again under the path that Python was started by.
start_patroni() {
  local name
  cat > "$1/python" << STARTER
#!/bin/sh
here=\$(dirname "\$(readlink -f "\$0")")
PYTHONHOME=\$here/usr; export PYTHONHOME
exec "\$here/$2" --library-path "\$here/$(dirname "$2")" --argv0 "\$here/python" "\$here/usr/bin/python3.13" "\$@"
STARTER
  chmod 755 "$1/python"
  for name in patroni patronictl; do
    printf '#!/bin/sh\nhere=$(dirname "$(readlink -f "$0")")\nexec "$here/python" "$here/usr/bin/%s" "$@"\n' "$name" > "$1/$name"
    chmod 755 "$1/$name"
  done
  "$1/python" -m compileall -q "$1/usr/lib/python3" "$1/usr/lib/python3.13" > "$work/log" 2>&1 || true
}

failed=0
for name in "${missing[@]}"; do
  if ! fetch "$name"; then
    cat "$work/log" >&2
    say "$name could not be fetched"
    failed=1
    continue
  fi
  # The name appears whole or not at all; where another run was faster, its copy stays.
  mv -T "$work/$name" "$cache/$name" 2> /dev/null || [ -x "$cache/$name/$name" ] || { say "cannot write $cache/$name"; failed=1; continue; }
  echo "$name $cache/$name/$name"
done
exit "$failed"
