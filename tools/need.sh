# What a script needs on the machine. Sourced by check.sh, build-page.sh and build-site.sh.
# System packages are installed when the script is called with --install, or by a CI host (which sets CI); else they are only named.

case " $* " in *" --install "*) export INSTALL=1 ;; esac
: "${INSTALL:=${CI:+1}}"

say() { printf '\n== %s\n' "$1"; }

# need COMMAND PACKAGE...: the command is there, or comes with these Debian packages.
need() {
    local command="$1"
    shift
    if command -v "$command" >/dev/null 2>&1; then
        return
    fi
    if [ -z "${INSTALL:-}" ]; then
        echo "$command is not there: install it (Debian: apt-get install $*), or call $0 --install" >&2
        exit 2
    fi
    say "installing $*"
    local root=()
    [ "$(id -u)" = 0 ] || root=(sudo)
    ${root[@]+"${root[@]}"} apt-get update -qq
    ${root[@]+"${root[@]}"} apt-get install -y -qq --no-install-recommends "$@"
}

# want COMMAND PACKAGE...: the same of what can be done without.
want() {
    if [ -n "${INSTALL:-}" ]; then
        need "$@"
    fi
}

# Rust, with the parts of its toolchain that are named: components, and targets after a plus.
need_rust() {
    need cargo rustup gcc libc6-dev
    command -v rustup >/dev/null 2>&1 || return 0
    rustup show active-toolchain >/dev/null 2>&1 || rustup default stable
    local part
    for part in "$@"; do
        case "$part" in
            +*) rustup target list --installed | grep -qx "${part#+}" || rustup target add "${part#+}" ;;
            *) rustup component list --installed | grep -q "^$part" || rustup component add "$part" ;;
        esac
    done
}

# The packages of a lock file, unless they are there already.
need_packages() {
    if [ ! -e "$1/node_modules/.package-lock.json" ] || [ "$1/package-lock.json" -nt "$1/node_modules/.package-lock.json" ]; then
        npm --prefix "$1" ci --no-audit --no-fund --loglevel=error
    fi
}
