import { describe, expect, it } from "vitest";
import { bitcoin } from "../../../test/support/known-chains.ts";
import { fc } from "../../../test/support/property.ts";
import { InvariantViolation } from "../../platform/kernel/assert.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { compareCoins, type DraftBody, readBody, writeBody } from "./draft-body.ts";
import { addressOfPayee, scriptKinds, scriptOfPayee } from "./output-script.ts";

describe("draft body", () => {
  /* A draft's JSON reads back as written, also from PostgreSQL; other JSON is rejected. */

  const network = bitcoin.networks.main;
  const types = ["legacy", "p2sh-segwit", "bech32", "bech32m"] as const;
  const id = fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((all) => Buffer.from(all).toString("hex"));
  const units = fc.bigInt(1n, 21n * 10n ** 14n);
  const keyIndex = fc.nat(2 ** 31 - 1);
  const coins = fc.array(
    fc.record({
      claim: fc.tuple(id, fc.nat(2 ** 32 - 1)).map(([txid, vout]) => `${txid}:${vout}`),
      units,
      keyIndex,
      addressType: fc.constantFrom(...types),
      branch: fc.constantFrom(0, 1),
    }),
  );
  const outputs = fc.array(
    fc
      .record({
        units,
        type: fc.constantFrom(...types),
        hash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
        change: fc.option(fc.record({ addressType: fc.constantFrom(...types), keyIndex })),
      })
      .map(({ change, hash, type, units: amount }) => {
        const length = type === "bech32m" ? 32 : 20;
        const payee = { kind: scriptKinds[type], hash: hash.subarray(0, length) };
        const address = addressOfPayee(network, payee);
        return { address, script: scriptOfPayee(payee), units: amount, change };
      }),
  );

  const consensus = fc.option(
    fc.record({
      branchId: fc.constantFrom("37a5165b", "c2d6d0b4"),
      expiryHeight: fc.integer({ min: 1, max: 499_999_999 }),
    }),
  );

  it("reads what it wrote", () => {
    fc.assert(
      fc.property(fc.record({ coins, outputs, consensus }), (body) => {
        const kept = JSON.parse(JSON.stringify(writeBody(body, new Map()))) as JsonObject;
        expect(readBody(network, kept)).toEqual(body);
      }),
    );
  });

  it("rejects other versions, chains and formats as a bug", () => {
    const body: DraftBody = {
      consensus: null,
      coins: [],
      outputs: [
        {
          address: "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
          script: "",
          units: 1n,
          change: null,
        },
      ],
    };
    const written = writeBody(body, new Map());
    const wrong: readonly (readonly [JsonObject, keyof typeof bitcoin.networks])[] = [
      [{ ...written, version: 2 }, "main"],
      [written, "test"],
      [{ type: "eip1559", nonce: "7" }, "main"],
      [{ ...written, inputs: "none" }, "main"],
    ];
    for (const [json, name] of wrong)
      expect(() => readBody(bitcoin.networks[name], json)).toThrow(InvariantViolation);
  });

  it("sorts coins by BIP-69, with numeric positions", () => {
    const [first, second] = ["0a".repeat(32), "0b".repeat(32)];
    const claims = [`${second}:0`, `${first}:10`, `${first}:9`];
    const sorted = claims
      .map((claim) => ({
        claim,
        units: 1n,
        addressType: "bech32" as const,
        branch: 0 as const,
        keyIndex: 0,
      }))
      .sort(compareCoins);
    expect(sorted.map(({ claim }) => claim)).toEqual([`${first}:9`, `${first}:10`, `${second}:0`]);
  });
});
