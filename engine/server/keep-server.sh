#!/bin/sh
# Keeps one Temporal server: starts it again when it dies while a process leases it, and ends it after some time
# without a lease. A shell script, because Node would take 84 MB to sleep. engine/server/server-process.ts starts it with:
#   the state folder; seconds between two looks; looks without a lease until the end; the server's port; the pid of
#   a server to take over, else ''; the server's command.
# SIGUSR1 says that the server has answered. A server that ends before is not started again.
# The supervisor that server.json names keeps the server; every other process leaves the server alone.

# Sets $start to the start time of process $1, which tells it from others with its pid; '' = the process has ended.
look() {
  start=
  if [ -d /proc/self ]; then
    { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 0
    set -- ${stat##*") "}
    case $1 in [ZX]) ;; *) start=${20} ;; esac
  else
    set -- $(LC_ALL=C ps -o stat=,lstart= -p "$1")
    case $1 in
      '' | Z*) ;;
      *) shift && start=$(LC_ALL=C date -j -f '%a %b %d %T %Y' "$*" +%s)000 ;;
    esac
  fi
}

# Whether a living process has a lease: leases/<pid>-<start>-<n>.json. Removes the leases of dead processes.
leased() {
  for lease in leases/*.json; do
    name=${lease##*/}
    owner=${name#*-}
    look "${name%%-*}"
    [ -n "$start" ] && [ "$start" = "${owner%-*}" ] && return 0
    rm -f "$lease"
  done
  return 1
}

say() { echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) $$ $*"; }

pause() {
  sleep "$tick" &
  wait $!
}

# Writes the server and its keeper into server.json.
record() {
  look "$pid"
  born=$start
  look $$
  printf '{"address":"127.0.0.1:%s","namespace":"default","port":%s,"server":{"pid":%s,"startTime":"%s"},"supervisor":{"pid":%s,"startTime":"%s"}}\n' \
    "$port" "$port" "$pid" "$born" $$ "$start" >server.json.$$ && mv server.json.$$ server.json
}

begin() {
  "$@" >>server.log 2>&1 &
  pid=$!
  say "server $pid starts on port $port"
  record
}

lives() {
  look "$pid"
  [ -n "$born" ] && [ "$start" = "$born" ]
}

end_server() {
  lives && kill "$pid"
  patience=100
  while lives && [ $((patience -= 1)) -gt 0 ]; do sleep 0.05; done
  lives && kill -9 "$pid"
  say "server $pid stopped"
}

finish() {
  end_server
  rm -f leaving.json
  exit 0
}

keep() {
  dir=$1 tick=$2 grace=$3 port=$4 pid=$5
  shift 5
  cd "$dir" || exit 1
  # Only this user may read records, logs and the database.
  umask 077
  stop= idle=0 starts_left=0
  trap 'stop=1' TERM INT
  trap 'starts_left=6' USR1
  if [ -z "$pid" ]; then begin "$@"; else
    say "takes over server $pid on port $port"
    record
  fi
  while [ -z "$stop" ]; do
    if leased; then idle=0; else idle=$((idle + 1)); fi
    if [ "$idle" -ge "$grace" ]; then
      # A process writes its lease, then reads the record. The keeper removes the record, then reads the leases, so
      # that one of the two sees the other.
      mv server.json leaving.json
      leased || finish
      mv leaving.json server.json
    fi
    pause
    if ! lives && [ "$idle" -eq 0 ]; then
      wait "$pid" 2>/dev/null
      code=$?
      say "server $pid has ended with exit code $code"
      # After that many starts the next process that leases looks for the cause, and moves a damaged database aside.
      [ $((starts_left -= 1)) -ge 0 ] || exit "$code"
      begin "$@"
    fi
    read -r named <server.json || finish
    case $named in
      *"\"supervisor\":{\"pid\":$$,"*) ;;
      # Another keeper has taken the server over.
      *"\"server\":{\"pid\":$pid,"*) exit 0 ;;
      # Another server has the database; two servers must never have one.
      *) end_server && exit 0 ;;
    esac
  done
  mv server.json leaving.json
  finish
}

keep "$@"
