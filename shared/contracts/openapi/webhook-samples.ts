/** Code samples that verify a webhook, in Node, Python and Go. */
import { documentRoutes } from '../documents.ts';
import type { Json } from './schemas.ts';

const keys = documentRoutes.listWebhookKeys.path;

/**
 * Removes the indentation of a sample. It is indented, so that no tool mistakes its imports for imports of this module.
 */
const dedented = (text: string): string => text.trim().replaceAll(/^ {2}/gm, '');

const node = dedented(`
  import { verifyWebhook } from 'generation-service-client/webhooks';

  /** \`body\` is the raw body, \`keys\` the JSON of GET ${keys}. */
  export async function isGenuine(body, headers, keys, webhookToken) {
    const verdict = await verifyWebhook({ body, headers, keys, webhookToken });
    return verdict.ok;
  }
`);

const python = dedented(`
  from generation_service.webhooks import WebhookKeys, WebhookRejectedError, verify_webhook


  def is_genuine(body: bytes, headers: dict[str, str], keys: WebhookKeys, webhook_token: str) -> bool:
      """body is the raw body, keys is WebhookKeys(base_url), which is made once and fetches ${keys}."""
      try:
          verify_webhook(body, headers, keys, webhook_token=webhook_token)
      except WebhookRejectedError:
          return False
      return True
`);

const go = dedented(`
  package webhooks

  import (
  	"crypto/ed25519"
  	"crypto/subtle"
  	"encoding/base64"
  	"net/http"
  	"strconv"
  	"strings"
  	"time"
  )

  // IsGenuine takes the raw body, and the "x" of each key of GET ${keys}.
  func IsGenuine(body []byte, headers http.Header, keys []string, webhookToken string) bool {
  	given := []byte(headers.Get("X-Webhook-Token"))
  	if subtle.ConstantTimeCompare(given, []byte(webhookToken)) != 1 {
  		return false
  	}
  	seconds, err := strconv.ParseInt(headers.Get("webhook-timestamp"), 10, 64)
  	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 300*time.Second {
  		return false
  	}
  	prefix := headers.Get("webhook-id") + "." + headers.Get("webhook-timestamp") + "."
  	signed := append([]byte(prefix), body...)
  	for _, part := range strings.Split(headers.Get("webhook-signature"), " ") {
  		text, found := strings.CutPrefix(part, "v1a,")
  		signature, err := base64.StdEncoding.DecodeString(text)
  		if !found || err != nil {
  			continue
  		}
  		for _, x := range keys {
  			key, err := base64.RawURLEncoding.DecodeString(x)
  			if err == nil && len(key) == ed25519.PublicKeySize && ed25519.Verify(key, signed, signature) {
  				return true
  			}
  		}
  	}
  	return false
  }
`);

export const webhookSamples: readonly Json[] = [
  { lang: 'JavaScript', label: 'Node', source: node },
  { lang: 'Python', label: 'Python', source: python },
  { lang: 'Go', label: 'Go', source: go },
];
