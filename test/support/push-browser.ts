import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { jwtVerify } from "jose";

/** A browser's keys for its push messages, with the private one. */
export type BrowserKeys = {
  readonly publicKey: Buffer;
  readonly privateKey: Buffer;
  readonly auth: Buffer;
};

/** Keys as `PushManager.subscribe()` makes them. */
export function newBrowserKeys(): BrowserKeys {
  const pair = createECDH("prime256v1");
  return {
    publicKey: pair.generateKeys(),
    privateKey: pair.getPrivateKey(),
    auth: randomBytes(16),
  };
}

/**
 * Decrypts a message as a browser does (RFC 8188 and 8291), written apart from the sender's code. Throws for a message that is not for
 * these keys.
 */
export function decryptPush(
  body: Uint8Array,
  { publicKey, privateKey, auth }: BrowserKeys,
): Buffer {
  const message = Buffer.from(body);
  const salt = message.subarray(0, 16);
  const recordSize = message.readUInt32BE(16);
  const idLength = message.readUInt8(20);
  const sender = message.subarray(21, 21 + idLength);
  const record = message.subarray(21 + idLength);
  if (record.length > recordSize) throw new Error("the message has more than one record");
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(privateKey);
  const info = Buffer.concat([Buffer.from("WebPush: info\0", "latin1"), publicKey, sender]);
  const key = Buffer.from(hkdfSync("sha256", pair.computeSecret(sender), auth, info, 32));
  const expand = (label: string, length: number): Buffer =>
    Buffer.from(hkdfSync("sha256", key, salt, Buffer.from(`Content-Encoding: ${label}\0`), length));
  const decipher = createDecipheriv("aes-128-gcm", expand("aes128gcm", 16), expand("nonce", 12));
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end === -1 || padded.subarray(end + 1).some((byte) => byte !== 0))
    throw new Error("the padding does not follow RFC 8188");
  return padded.subarray(0, end);
}

/** A message that the push service took. */
export type ReceivedPush = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
};

/** A push service on this machine: it takes messages for its browsers and answers as the test says. */
export type PushService = {
  readonly origin: string;
  readonly received: () => readonly ReceivedPush[];
  /** The status, and headers, of the answers from now on; 201 until it is called. */
  readonly answerWith: (status: number, headers?: Readonly<Record<string, string>>) => void;
  readonly close: () => Promise<void>;
};

/** Starts a push service on a free port. */
export async function startPushService(): Promise<PushService> {
  const received: ReceivedPush[] = [];
  let answer: { status: number; headers: Readonly<Record<string, string>> } = {
    status: 201,
    headers: {},
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks),
      });
      response.writeHead(answer.status, answer.headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    received: () => received,
    answerWith: (status, headers = {}) => {
      answer = { status, headers };
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

/** Verifies who sent a message, as a push service does (RFC 8292), and returns the claims of its token. */
export async function verifySender(
  { headers }: ReceivedPush,
  applicationServerKey: string,
): Promise<Readonly<Record<string, unknown>>> {
  const [, token = "", key = ""] =
    /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(String(headers["authorization"])) ?? [];
  if (key !== applicationServerKey) throw new Error("another key than the subscription's");
  const point = Buffer.from(key, "base64url");
  const verifying = createPublicKey({
    format: "jwk",
    key: {
      kty: "EC",
      crv: "P-256",
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    },
  });
  const { payload } = await jwtVerify(token, verifying, {
    algorithms: ["ES256"],
    currentDate: new Date("2026-01-02T04:00:00Z"),
  });
  return payload;
}
