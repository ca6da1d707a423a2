/**
 * The signer is killed (SIGKILL) between and during requests: it gives the same answers again, and signs nothing that could be
 * mined beside what it signed before.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recoverTransactionAddress } from "viem";
import { keccak256, parseTransaction } from "viem/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { evmPayoutRequest, hotAddress } from "../../../test/support/evm-payout-request.ts";
import { signedUtxoNetwork } from "../../../test/support/known-chains.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import type { PayoutIntent, SignRequest } from "../../signer/intent.ts";
import { verifyAuditLog } from "../../signer/journal/audit-log.ts";
import { createApprovalKey, readApprovalKey } from "../../signer/keys/approval-key.ts";
import { createSignerClient, type SignerClient } from "../../signer/signer-client.ts";
import { keyTrees } from "../families/families.ts";
import type { SignerSettings } from "./run-signer.ts";
import { type SignerChild, startSigner } from "./start-signer.ts";

const coin = { kind: "coin" } as const;
const payee = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
let home = "";
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "sluice-crashes-"));
  await writeFile(join(home, "passphrase"), "correct horse");
  await createApprovalKey(join(home, "approval.key"), systemRandom);
});
afterAll(() => rm(home, { recursive: true, force: true }));

const approvalKey = () => readApprovalKey(join(home, "approval.key"));
const settingsFor = async (name: string): Promise<SignerSettings> => ({
  folder: join(home, name),
  network: "test",
  keyTrees: keyTrees(),
  passphrase: { kind: "file", path: join(home, "passphrase") },
  createWithCost: { memoryKib: 64, passes: 1, threads: 1 },
  paying: {
    chains: [
      { family: "evm", chain: "ETH", chainId: 1337, assets: { 1002: coin } },
      {
        family: "utxo",
        chain: "BTC",
        network: signedUtxoNetwork("BTC", "regtest"),
        assets: { 1000: coin },
      },
    ],
    approvalKeys: [(await approvalKey()).publicKey],
    limitsWhenAbsent: "none",
  },
});
const clientOf = ({ socketPath }: SignerChild): SignerClient =>
  createSignerClient({
    address: { kind: "socket", path: socketPath },
    clock: systemClock,
    timeoutMs: 60_000,
    signTimeoutMs: 60_000,
  });

/** Payout `number` in ether, with that nonce of the hot account. */
async function requestOf(from: string, number: number, nonce = number): Promise<SignRequest> {
  const payout: PayoutIntent = {
    payoutId: String(number),
    chain: "ETH",
    address: payee,
    tag: null,
    currency: "1002",
    asset: { kind: "coin" },
    units: "1000",
  };
  return evmPayoutRequest(payout, { from, nonce, chainId: 1337 }, await approvalKey());
}

async function kill(signer: SignerChild, { folder }: SignerSettings): Promise<void> {
  process.kill(Number(await readFile(join(folder, "lock.pid"), "utf8")), "SIGKILL");
  await signer.ended;
}

describe("the signer through crashes", () => {
  it("gives the same bytes again after a kill between requests, and no other transaction of the payout", async () => {
    const settings = await settingsFor("between");
    const first = await startSigner(settings);
    const client = clientOf(first);
    const from = await hotAddress(client);
    const request = await requestOf(from, 1);
    const outcome = await client.sign(request);
    if (outcome.kind !== "signed") throw new Error(outcome.reason);
    const raw = `0x${outcome.raw}` as const;
    expect(keccak256(raw)).toBe(outcome.txid);
    expect(parseTransaction(raw)).toMatchObject({
      to: payee.toLowerCase(),
      value: 1000n,
      nonce: 1,
    });
    const sender = await recoverTransactionAddress({ serializedTransaction: raw as never });
    expect(sender.toLowerCase()).toBe(from);
    await kill(first, settings);

    const second = await startSigner(settings);
    expect(await client.sign(request)).toEqual(outcome);
    expect(await client.sign(await requestOf(from, 1, 2))).toEqual({
      kind: "refused",
      reason: `shares no claim with ${outcome.txid}, which was signed for the same payout: both could be mined`,
    });
    const { intent, body, claims } = request;
    expect(await client.signedSpends("ETH", 0)).toMatchObject([
      { sequence: 1, spendId: "1", payoutIds: ["1"], raw: outcome.raw, intent, body, claims },
    ]);
    expect(await client.signedSpends("ETH", 1)).toEqual([]);
    expect(await client.payoutsSigned(["2", "1"])).toEqual([
      {
        payoutId: "1",
        txids: [outcome.txid],
        intents: [expect.objectContaining({ payoutId: "1", address: payee })],
      },
    ]);
    client.close();
    await second.stop();
    expect((await verifyAuditLog(join(settings.folder, "audit.log"))).entries).toBe(3);
  });

  it("signs each payout once when killed while signing", async () => {
    const settings = await settingsFor("during");
    let signer = await startSigner(settings);
    const client = clientOf(signer);
    const from = await hotAddress(client);
    const answered = new Map<number, string>();
    for (let round = 0; round < 6; round += 1) {
      const numbers = Array.from({ length: 8 }, (_, index) => round * 8 + index + 1);
      const settled = Promise.allSettled(
        numbers.map(async (number) => {
          const outcome = await client.sign(await requestOf(from, number));
          if (outcome.kind === "signed") answered.set(number, outcome.txid);
        }),
      );
      // A different delay each time: none, some or all of them are journaled by then.
      await systemClock.sleep(round * 15);
      await kill(signer, settings);
      await settled;
      signer = await startSigner(settings);
      for (const number of numbers) {
        const outcome = await client.sign(await requestOf(from, number));
        if (outcome.kind !== "signed") throw new Error(outcome.reason);
        expect(answered.get(number) ?? outcome.txid).toBe(outcome.txid);
        // After a crash a caller may believe that the first nonce is unused.
        const elsewhere = await client.sign(await requestOf(from, number, number + 1_000));
        expect(elsewhere.kind).toBe("refused");
      }
    }
    const spends = await client.signedSpends("ETH", 0);
    expect(spends.map(({ payoutIds }) => Number(payoutIds[0])).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 48 }, (_, index) => index + 1),
    );
    client.close();
    await signer.stop();
  });

  it("refuses to start with a faulty limits file and names the position", async () => {
    const settings = await settingsFor("limits");
    await (await startSigner(settings)).stop();
    await writeFile(join(settings.folder, "limits.json"), '{ "chains": { "ETH": {} } }');
    await expect(startSigner(settings)).rejects.toThrow("ended before it was ready");
    await writeFile(join(settings.folder, "limits.json"), '{ "chains": {} }');
    const signer = await startSigner(settings);
    const client = clientOf(signer);
    const request = await requestOf(await hotAddress(client), 1);
    expect(await client.sign(request)).toEqual({
      kind: "refused",
      reason: "the signer's limits allow no payout on ETH",
    });
    client.close();
    await signer.stop();
  });
});
