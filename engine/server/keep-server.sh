#!/bin/sh
# Keeps one Temporal server: starts it again when it dies while a process leases it, and ends it when for some
# time none has. A shell, since Node would take 84 MB to sleep. Started by engine/server/server-process.ts, with:
#   the state folder; seconds from look to look; looks without a lease until the end; the server's port; its
#   pid, where one is taken over, else ''; its command.
# SIGUSR1 says that the server has answered: one that ends before is none to start again.
# Whoever is named in server.json as supervisor keeps the server; everybody else leaves it alone.

# Sets $start to what tells process $1 from others that have had its pid (process-identity.ts); '' = it has ended.
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

# Whether a living process has a lease: leases/<pid>-<start>-<n>.json. Those of dead ones go.
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

# Says in server.json who serves, and who keeps it.
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
  # Records, logs and the database are nobody else's.
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
      # A process writes its lease, then reads the record; here the record goes, then leases are read: one of
      # the two sees the other.
      mv server.json leaving.json
      leased || finish
      mv leaving.json server.json
    fi
    pause
    if ! lives && [ "$idle" -eq 0 ]; then
      wait "$pid" 2>/dev/null
      code=$?
      say "server $pid has ended with exit code $code"
      # A process that needs it looks for the cause then, and moves a damaged database aside.
      [ $((starts_left -= 1)) -ge 0 ] || exit "$code"
      begin "$@"
    fi
    read -r is_named <server.json || finish
    case $is_named in
      *"\"supervisor\":{\"pid\":$$,"*) ;;
      # Another keeper has taken this server over.
      *"\"server\":{\"pid\":$pid,"*) exit 0 ;;
      # Another server has the database: two must never.
      *) end_server && exit 0 ;;
    esac
  done
  mv server.json leaving.json
  finish
}

keep "$@"
