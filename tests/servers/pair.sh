#!/usr/bin/env bash
# A real pair of mail servers for the tests (see README.md beside this file). Root only.
#
#   pair.sh start DIR SMTP SUBMISSION SUBMISSIONS IMAP IMAPS TOKENS
#   pair.sh stop DIR
#
# With UMPIRE_PAIR_OWNER=PID the servers stop, and DIR goes, when that process is no more: whatever became of the tests.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
action=$1 dir=$2

alive() { [ -f "$1" ] && kill -0 "$(cat "$1")" 2>/dev/null; }

stop() {
  local name tries
  for name in dovecot postfix tokens; do
    alive "$dir/$name.pid" && kill -TERM "$(cat "$dir/$name.pid")" || true
  done
  for name in dovecot postfix tokens; do
    tries=100
    while alive "$dir/$name.pid" && [ $((tries -= 1)) -gt 0 ]; do sleep 0.05; done
    ! alive "$dir/$name.pid" || kill -KILL "$(cat "$dir/$name.pid")" || true
  done
  # Postfix's master leaves its children a moment longer; they are told by its own command.
  postfix -c "$dir/postfix/etc" abort >/dev/null 2>&1 || true
}

if [ "$action" = stop ]; then stop; exit; fi

SMTP=$3 SUBMISSION=$4 SUBMISSIONS=$5 IMAP=$6 IMAPS=$7 TOKENS=$8
getent passwd vmail >/dev/null || useradd -r -M -s /usr/sbin/nologin vmail
mkdir -p "$dir"/dovecot/{run,state,mail} "$dir"/postfix/{etc,spool,data} "$dir/tls"
chmod 755 "$dir" "$dir/dovecot" "$dir/postfix"
chown vmail "$dir/dovecot/mail"; chown postfix "$dir/postfix/data"; chmod 700 "$dir/dovecot/mail" "$dir/postfix/data"

cd "$dir/tls"
key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)
openssl req -x509 "${key[@]}" -days 30 -subj "/CN=an authority for tests" -addext basicConstraints=critical,CA:TRUE \
  -addext keyUsage=critical,keyCertSign -keyout ca.key -out ca.crt 2>/dev/null
openssl req "${key[@]}" -subj /CN=localhost -keyout server.key -out server.csr 2>/dev/null
printf '%s\n' basicConstraints=critical,CA:FALSE extendedKeyUsage=serverAuth \
  subjectAltName=DNS:localhost,IP:127.0.0.1,IP:127.0.0.2 >extensions
openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 30 -extfile extensions -out server.crt 2>/dev/null

for user in umpire astrid pavel august nils sofia; do echo "$user@example.org:{PLAIN}$user-password"; done >"$dir/dovecot/users"
fill() {
  sed -e "s|@DIR@|$dir|g; s|@SMTP@|$SMTP|g; s|@SUBMISSION@|$SUBMISSION|g; s|@SUBMISSIONS@|$SUBMISSIONS|g" \
    -e "s|@IMAP@|$IMAP|g; s|@IMAPS@|$IMAPS|g; s|@TOKENS@|$TOKENS|g" "$here/$1" >"$2"
}
fill dovecot.conf "$dir/dovecot/dovecot.conf"
fill oauth2.conf "$dir/dovecot/oauth2.conf"
fill main.cf "$dir/postfix/etc/main.cf"
fill master.cf "$dir/postfix/etc/master.cf"

postfix -c "$dir/postfix/etc" check # makes the spool's folders, in which Dovecot puts its sockets
python3 "$here/tokens.py" "$TOKENS" >"$dir/tokens.log" 2>&1 & echo $! >"$dir/tokens.pid"
dovecot -c "$dir/dovecot/dovecot.conf" -F >"$dir/dovecot/stdout" 2>&1 & echo $! >"$dir/dovecot.pid"
postfix -c "$dir/postfix/etc" start-fg >"$dir/postfix/log" 2>&1 & echo $! >"$dir/postfix.pid"

if [ -n "${UMPIRE_PAIR_OWNER:-}" ]; then
  (while kill -0 "$UMPIRE_PAIR_OWNER" 2>/dev/null && alive "$dir/dovecot.pid"; do sleep 0.5; done
    kill -0 "$UMPIRE_PAIR_OWNER" 2>/dev/null || { stop; rm -rf "$dir"; }) >/dev/null 2>&1 </dev/null &
fi

open() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
for _ in $(seq 200); do
  if open "$IMAPS" && open "$SUBMISSION" && open "$TOKENS" && [ -S "$dir/postfix/spool/private/dovecot-lmtp" ]; then exit 0; fi
  for name in dovecot postfix tokens; do
    alive "$dir/$name.pid" || { echo "pair.sh: $name did not start:" >&2; tail -n 5 "$dir/$name/log" "$dir/$name.log" "$dir/$name/stdout" 2>/dev/null >&2; stop; exit 1; }
  done
  sleep 0.05
done
echo "pair.sh: the servers did not start within ten seconds; see $dir" >&2
stop
exit 1
