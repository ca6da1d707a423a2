import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { JsonObject } from "../../src/platform/kernel/json.ts";

/** A passkey authenticator in software (WebAuthn level 3, attestation "none", ES256), for tests without a browser. */
export type Authenticator = {
  readonly create: (options: JsonObject, changes?: Changes) => JsonObject;
  readonly get: (options: JsonObject, changes?: Changes) => JsonObject;
};

/** Deviations of a faulty or malicious authenticator. */
export type Changes = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly challenge?: string;
};

type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>;

export function createAuthenticator(origin: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32);
  let counter = 0;
  let handle = "";

  const authenticatorData = (rpId: string, changes: Changes, attested: Uint8Array | null) => {
    counter += 1;
    const flags = 0x01 | (changes.isVerified === false ? 0 : 0x04) | (attested === null ? 0 : 0x40);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(changes.counter ?? counter);
    return Buffer.concat([
      createHash("sha256")
        .update(changes.rpId ?? rpId)
        .digest(),
      Buffer.of(flags),
      count,
      attested ?? Buffer.alloc(0),
    ]);
  };
  const clientData = (type: string, challenge: unknown, changes: Changes): Buffer =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: changes.challenge ?? challenge,
        origin: changes.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const answer = (response: JsonObject): JsonObject => ({
    id: id.toString("base64url"),
    rawId: id.toString("base64url"),
    type: "public-key",
    clientExtensionResults: {},
    response,
  });

  return {
    create: (options, changes = {}) => {
      handle = (options["user"] as JsonObject)["id"] as string;
      const { x, y } = publicKey.export({ format: "jwk" });
      const key = new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x ?? "", "base64url")],
        [-3, Buffer.from(y ?? "", "base64url")],
      ]);
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id, cbor(key)]);
      const rpId = (options["rp"] as JsonObject)["id"] as string;
      const attestation = cbor(
        new Map<string, Cbor>([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", authenticatorData(rpId, changes, attested)],
        ]),
      );
      return answer({
        clientDataJSON: clientData("webauthn.create", options["challenge"], changes).toString(
          "base64url",
        ),
        attestationObject: attestation.toString("base64url"),
        transports: ["internal"],
      });
    },
    get: (options, changes = {}) => {
      const data = authenticatorData(options["rpId"] as string, changes, null);
      const client = clientData("webauthn.get", options["challenge"], changes);
      const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
      return answer({
        clientDataJSON: client.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: sign("sha256", signed, privateKey).toString("base64url"),
        userHandle: changes.userHandle ?? handle,
      });
    },
  };
}

/** RFC 8949, as far as attestations need it. */
function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string")
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const members = [...value].flatMap(([name, member]) => [cbor(name), cbor(member)]);
  return Buffer.concat([head(5, value.size), ...members]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.of((major << 5) | length);
  if (length < 256) return Buffer.of((major << 5) | 24, length);
  return Buffer.of((major << 5) | 25, length >> 8, length & 255);
}
