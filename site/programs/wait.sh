#!/bin/sh
# Speaks a sentence, waits for it, and prints where the recording is.
set -eu
# In JSON, quotes and backslashes have a backslash before them.
text=$(printf %s "${1:-Olá! Seu vídeo está pronto.}" | sed 's/["\\]/\\&/g')

ask() {
  curl -sS -H "Authorization: Bearer $API_TOKEN" -H 'Content-Type: application/json' "$@"
}
# Prints a field of a response.
field() {
  sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p"
}

created=$(ask "$API_URL/api/v1/generate/voice" -H "Idempotency-Key: sentence-$$-$(date +%s)" \
  -d "{\"text\":\"$text\",\"voice\":\"sarah\"}")
id=$(echo "$created" | field taskId)
if [ -z "$id" ]; then
  echo "rejected: $created"
  exit 1
fi

while true; do
  task=$(ask "$API_URL/api/v1/tasks/$id")
  case $task in
    *'"status":"completed"'*)
      echo "completed: $(echo "$task" | field resultUrl)"
      exit
      ;;
    *'"status":"failed"'*)
      echo "failed: $(echo "$task" | field code), credits refunded: $(echo "$task" | field creditsRefunded)"
      exit
      ;;
  esac
  sleep 2
done
