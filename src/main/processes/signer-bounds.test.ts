/** Over the signer's socket: no single message does lasting harm. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { evmPayoutRequest, hotAddress } from "../../../test/support/evm-payout-request.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { createApprovalKey, readApprovalKey } from "../../signer/keys/approval-key.ts";
import { createSignerClient, type SignerClient } from "../../signer/signer-client.ts";
import { keyTrees } from "../families/families.ts";
import { type RunningSigner, runSigner } from "./run-signer.ts";

let home = "";
let signer: RunningSigner;
let client: SignerClient;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "sluice-bounds-"));
  await writeFile(join(home, "passphrase"), "correct horse");
  await createApprovalKey(join(home, "approval.key"), systemRandom);
  const { publicKey } = await readApprovalKey(join(home, "approval.key"));
  const assets = { 1002: { kind: "coin" } } as const;
  signer = await runSigner(
    {
      folder: join(home, "signer"),
      network: "test",
      keyTrees: keyTrees(),
      passphrase: { kind: "file", path: join(home, "passphrase") },
      createWithCost: { memoryKib: 64, passes: 1, threads: 1 },
      paying: {
        chains: [{ family: "evm", chain: "ETH", chainId: 1337, assets }],
        approvalKeys: [publicKey],
        limitsWhenAbsent: "none",
      },
    },
    { random: systemRandom, logger: silentLogger, clock: systemClock },
  );
  client = createSignerClient({
    address: { kind: "socket", path: signer.socketPath },
    clock: systemClock,
  });
});
afterAll(async () => {
  client.close();
  await signer.close();
  await rm(home, { recursive: true, force: true });
});

const answerOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    (value) => JSON.stringify(value),
    (error: unknown) => String(error),
  );

describe("the signer", () => {
  it("refuses a range of addresses that would use up all of a kind", async () => {
    const evm = { keyspace: "evm", addressType: "" };
    expect(await client.recordIssued({ ...evm, first: 0, last: 2001 })).toEqual({
      kind: "recorded",
    });
    const all = client.recordIssued({ ...evm, first: 2002, last: 2 ** 31 - 1 });
    expect(await answerOf(all)).toContain("one request may record up to 12001");
    const far = client.recordIssued({ ...evm, first: 2 ** 31 - 2, last: 2 ** 31 - 1 });
    expect(await answerOf(far)).toContain("one request may record up to 12001");
    expect(await client.highestIssued("evm", "")).toBe(2001);
    const next = { ...evm, first: 2002, last: 12_001 };
    expect(await client.recordIssued(next)).toEqual({ kind: "recorded" });
  });

  it("refuses addresses of an unknown account", async () => {
    const strange = client.recordIssued({ keyspace: "NONE", addressType: "", first: 0, last: 1 });
    expect(await answerOf(strange)).toContain("no account has addresses of NONE/");
  });

  it("refuses a mark that would make every database look old", async () => {
    const first = { generation: 7, numbers: { payout_id_seq: "40" } };
    expect(await client.mark(first)).toEqual({ kind: "marked" });
    const far = client.mark({ generation: 9_007_199_254_740_990, numbers: {} });
    expect(await answerOf(far)).toContain("the mark's generation is more than 1000000 above");
    const numbers = { payout_id_seq: "9223372036854775807" };
    const high = client.mark({ generation: 8, numbers });
    expect(await answerOf(high)).toContain("the mark's payout_id_seq is more than 1000000 above");
    expect(await client.readMark()).toEqual(first);
    expect(await client.mark({ ...first, generation: 8 })).toEqual({ kind: "marked" });
  });

  it("refuses to sign under an id that no worker could look up", async () => {
    const key = await readApprovalKey(join(home, "approval.key"));
    const from = await hotAddress(client);
    const payout = {
      chain: "ETH",
      address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
      tag: null,
      currency: "1002",
      asset: { kind: "coin" },
      units: "1000",
    } as const;
    const at = { from, nonce: 1, chainId: 1337 };
    for (const payoutId of ["abc", "-1", "0", "1e3", "9".repeat(19)]) {
      const request = evmPayoutRequest({ ...payout, payoutId }, at, key);
      expect(
        await client.sign({ ...request, intent: { ...request.intent, spendId: "1" } }),
      ).toEqual({
        kind: "refused",
        reason: "request.intent.payouts.0.payoutId: a decimal id of at most 18 digits is needed",
      });
    }
    const request = evmPayoutRequest({ ...payout, payoutId: "1" }, at, key);
    expect(await client.sign({ ...request, intent: { ...request.intent, spendId: "s" } })).toEqual({
      kind: "refused",
      reason: "request.intent.spendId: a decimal id of at most 18 digits is needed",
    });
    expect(await client.signedSpends("ETH", 0)).toEqual([]);
  });
});
