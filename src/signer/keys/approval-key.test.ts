import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { type PayoutIntent, verifyApproval } from "../intent.ts";
import { createApprovalKey, parseApprovalPublicKey, readApprovalKey } from "./approval-key.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-approval-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const text = fc.string({ minLength: 1, maxLength: 12 });
const locator = fc.stringMatching(/^(0x[0-9a-f]{40}|[A-Za-z0-9:]{1,60})$/);
const asset = fc.oneof(
  fc.constant({ kind: "coin" } as const),
  locator.map((text) => ({ kind: "token", locator: text }) as const),
);
const intents: fc.Arbitrary<PayoutIntent> = fc.record({
  payoutId: text,
  chain: text,
  address: text,
  tag: fc.option(text),
  currency: text,
  asset,
  units: text,
});

describe("an approval key", () => {
  it("approves a payout exactly as it is, and none with altered or shifted members", async () => {
    const path = join(folder, "approval.key");
    await createApprovalKey(path, systemRandom);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await expect(createApprovalKey(path, systemRandom)).rejects.toThrow("EEXIST");
    const { approve, publicKey } = await readApprovalKey(path);
    const keys = [parseApprovalPublicKey(publicKey)];
    fc.assert(
      fc.property(intents, intents, (intent, other) => {
        const approval = Buffer.from(approve(intent)).toString("base64");
        expect(approval).toHaveLength(88);
        expect(verifyApproval(keys, { ...intent, approval })).toBe(true);
        const isSame = JSON.stringify(intent) === JSON.stringify(other);
        expect(verifyApproval(keys, { ...other, approval })).toBe(isSame);
        for (const name of ["payoutId", "chain", "address", "currency", "units"] as const) {
          const altered = { ...intent, [name]: `${intent[name]}0`, approval };
          expect(verifyApproval(keys, altered)).toBe(false);
        }
        const shifted = { ...intent, chain: intent.address, address: intent.chain, approval };
        expect(verifyApproval(keys, shifted)).toBe(intent.chain === intent.address);
        expect(verifyApproval([], { ...intent, approval })).toBe(false);
      }),
    );
  });

  it("accepts a key made elsewhere, and refuses other files without quoting them", async () => {
    const path = join(folder, "foreign.key");
    const foreign = generateKeyPairSync("ed25519");
    await writeFile(path, foreign.privateKey.export({ format: "pem", type: "pkcs8" }));
    const { publicKey } = await readApprovalKey(path);
    const der = foreign.publicKey.export({ format: "der", type: "spki" });
    expect(publicKey).toBe(der.subarray(-32).toString("base64"));
    const curve = generateKeyPairSync("ec", { namedCurve: "P-256" });
    await writeFile(path, curve.privateKey.export({ format: "pem", type: "pkcs8" }));
    await expect(readApprovalKey(path)).rejects.toThrow("contains no Ed25519 private key");
    await writeFile(path, "no key at all");
    await expect(readApprovalKey(path)).rejects.toThrow("contains no Ed25519 private key");
  });

  it.each(["", "AAAA", "A".repeat(44), "A".repeat(42), `${"A".repeat(43)}=\n`])(
    "refuses %j as a public key",
    (encoded) => {
      expect(() => parseApprovalPublicKey(encoded)).toThrow(RangeError);
    },
  );
});
