/** Secrets to verify callbacks with. At least one is required. */
export type CallbackSecrets = {
  /** The API credential that created the deposit or payout, to verify `meta.sign`. With a list, one must match. */
  readonly credential?: Credential | readonly Credential[];
  /**
   * The account's webhook secret, `whsec_...`, to verify the `webhook-signature` header, which covers the whole body. Pass a list
   * while you rotate the secret.
   */
  readonly webhookSecret?: string | readonly string[];
};

type Credential = { readonly login: string; readonly password: string };

/** A callback as your HTTP server received it. */
export type ReceivedCallback = {
  /** The raw body. Do not parse and serialize it. */
  readonly body: string | Uint8Array;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> | Headers;
};

export type CallbackDocument = {
  readonly data: CallbackResource;
  readonly included: readonly CallbackResource[];
  readonly meta: { readonly time: string; readonly sign: string };
};

export type CallbackResource = {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, unknown>>;
};

/**
 * `id` is the `webhook-id` header, the same for each retry of a callback; null without the header. Only the webhook signature covers
 * it: do not rely on it if you verify only the credential.
 */
export type CallbackVerdict =
  | { readonly isGenuine: true; readonly id: string | null; readonly document: CallbackDocument }
  | { readonly isGenuine: false; readonly reason: string };

const encoder = new TextEncoder();

/** Standard Webhooks: a secret has 24 to 64 bytes. The minimum also rejects an empty secret, with which anyone could sign. */
const secretBytesMin = 24;

/**
 * Verifies a callback by every signature for which a secret is given. Compares in constant time (`crypto.subtle.verify`) and rejects
 * callbacks older or newer than `toleranceSeconds` (default 300). `meta.sign` leaves most of the body unsigned: if you verify only the
 * credential, read the deposit or payout through the API before you act. Runs in every runtime with Web Crypto.
 */
export async function verifyCallback(
  received: ReceivedCallback,
  secrets: CallbackSecrets,
  options: { readonly toleranceSeconds?: number; readonly now?: Date } = {},
): Promise<CallbackVerdict> {
  const { credential, webhookSecret } = secrets;
  const candidates: readonly unknown[] = Object.values(secrets);
  // A secret without a value is a missing setting. Verifying only the other signature would be weaker than intended.
  const isMissing = candidates.some(
    (candidate) => candidate === undefined || (Array.isArray(candidate) && candidate.length === 0),
  );
  if (candidates.length === 0 || isMissing) {
    throw new TypeError("verifyCallback needs a credential, a webhook secret or both");
  }
  const body = typeof received.body === "string" ? encoder.encode(received.body) : received.body;
  const document = parseDocument(body);
  if (document === null) return reject("the body is not a callback document");
  const nowSeconds = (options.now ?? new Date()).getTime() / 1000;
  const isFresh = (seconds: number): boolean =>
    Math.abs(nowSeconds - seconds) <= (options.toleranceSeconds ?? 300);

  if (webhookSecret !== undefined) {
    const timestamp = header(received.headers, "webhook-timestamp") ?? "";
    if (!/^\d{1,12}$/.test(timestamp) || !isFresh(Number(timestamp))) {
      return reject("webhook-timestamp is missing or too far from now");
    }
    if (!(await hasWebhookSignature(received.headers, timestamp, body, listOf(webhookSecret)))) {
      return reject("webhook-signature does not match");
    }
  }
  if (credential !== undefined) {
    if (!isFresh(Date.parse(document.meta.time) / 1000)) {
      return reject("meta.time is too far from now");
    }
    if (!(await isSignedByOne(document, listOf(credential)))) {
      return reject("meta.sign does not match");
    }
  }
  return { isGenuine: true, id: header(received.headers, "webhook-id"), document };
}

/** Standard Webhooks 1.0: any `v1` signature in the header may match any of the secrets, so that both sides can rotate them. */
async function hasWebhookSignature(
  headers: ReceivedCallback["headers"],
  timestamp: string,
  body: Uint8Array,
  secrets: readonly string[],
): Promise<boolean> {
  const id = header(headers, "webhook-id") ?? "";
  const prefix = encoder.encode(`${id}.${timestamp}.`);
  const message = new Uint8Array(prefix.length + body.length);
  message.set(prefix);
  message.set(body, prefix.length);
  const keys = secrets.map(keyOf);
  for (const part of (header(headers, "webhook-signature") ?? "").split(" ")) {
    const [version, text = ""] = part.split(",");
    const signature = version === "v1" ? bytesOfBase64(text) : null;
    if (signature === null) continue;
    for (const key of keys) if (await isHmac(key, signature, message)) return true;
  }
  return false;
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = bytesOfBase64(secret.replace(/^whsec_/, ""));
  if (key === null || key.length < secretBytesMin)
    throw new TypeError(
      "the webhook secret must be whsec_ followed by the base64 of 24 bytes or more",
    );
  return key;
}

async function isSignedByOne(
  document: CallbackDocument,
  credentials: readonly Credential[],
): Promise<boolean> {
  for (const credential of credentials) {
    if (await hasMetaSignature(document, credential)) return true;
  }
  return false;
}

function listOf<Item>(value: Item | readonly Item[]): readonly Item[] {
  return Array.isArray(value) ? (value as readonly Item[]) : [value as Item];
}

/** `meta.sign`: HMAC-SHA-256 in hex over status, amount, tracking_id and time, without separators. */
async function hasMetaSignature(
  { data, included, meta }: CallbackDocument,
  { login, password }: Credential,
): Promise<boolean> {
  const transfer = included.find((resource) => resource.type === "transfer");
  const signed = [
    transfer?.attributes["status"],
    transfer?.attributes["amount"],
    data.attributes["tracking_id"],
    meta.time,
  ];
  const message = signed
    .map((part) => (typeof part === "string" || typeof part === "number" ? String(part) : ""))
    .join("");
  const key = await crypto.subtle.digest("SHA-256", encoder.encode(login + password));
  const signature = /^[0-9a-f]{64}$/.test(meta.sign)
    ? Uint8Array.from(meta.sign.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    : null;
  return signature !== null && isHmac(new Uint8Array(key), signature, encoder.encode(message));
}

async function isHmac(
  key: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  message: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["verify"]);
  return crypto.subtle.verify("HMAC", imported, signature, message);
}

function parseDocument(body: Uint8Array): CallbackDocument | null {
  try {
    const document: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    return isCallbackDocument(document) ? document : null;
  } catch {
    return null;
  }
}

function isCallbackDocument(value: unknown): value is CallbackDocument {
  if (!isRecord(value) || !isRecord(value["meta"])) return false;
  const { data, included, meta } = value;
  return (
    isResource(data) &&
    Array.isArray(included) &&
    included.every(isResource) &&
    typeof meta["time"] === "string" &&
    typeof meta["sign"] === "string"
  );
}

function isResource(value: unknown): boolean {
  return isRecord(value) && typeof value["type"] === "string" && isRecord(value["attributes"]);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function header(headers: ReceivedCallback["headers"], name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  const value = entry?.[1];
  return typeof value === "string" ? value : (value?.[0] ?? null);
}

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function reject(reason: string): CallbackVerdict {
  return { isGenuine: false, reason };
}
