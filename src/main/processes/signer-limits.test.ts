/** Over the signer's socket: its limits follow what a payout pays, not the currency that its caller names. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { evmPayoutRequest, hotAddress } from "../../../test/support/evm-payout-request.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import type { IntendedAsset, PayoutIntent, SignOutcome } from "../../signer/intent.ts";
import { createApprovalKey, readApprovalKey } from "../../signer/keys/approval-key.ts";
import { createSignerClient } from "../../signer/signer-client.ts";
import { signerSettings } from "../build/signer-settings.ts";
import { parseConfig } from "../config/read-config.ts";
import { runSigner } from "./run-signer.ts";

const usdc = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const ownToken = "0x1111111111111111111111111111111111111111";
const payee = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const million = "1000000000000";

let home = "";
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "sluice-limits-"));
  await writeFile(join(home, "passphrase"), "correct horse");
  await createApprovalKey(join(home, "approval.key"), systemRandom);
});
afterAll(() => rm(home, { recursive: true, force: true }));

const bounds = (perPayout: string, perDay = "none") => ({
  per_payout: perPayout,
  per_hour: "none",
  per_day: perDay,
});

type Pay = (
  currency: string,
  asset: IntendedAsset,
  units: string,
  changes?: Partial<PayoutIntent>,
) => Promise<string>;

/** Runs a signer of Ethereum mainnet with these limits and pays through its socket. */
async function withSigner(
  currencies: object | string,
  use: (pay: Pay) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(home, "signer-"));
  const limits = { fee_per_transaction: "none", fees_per_day: "none", currencies };
  await writeFile(join(folder, "limits.json"), JSON.stringify({ chains: { ETH: limits } }));
  const config = parseConfig(
    JSON.stringify({
      base_url: "https://pay.example",
      database: { url: "postgres://127.0.0.1/none" },
      keys: { data_key_files: [join(home, "data.key")] },
      signer: { folder, passphrase_file: join(home, "passphrase") },
      chains: { ETH: { network: "mainnet", nodes: ["http://127.0.0.1:1"] } },
      tokens: [{ id: "9000", alpha: "OWN", name: "Own", chain: "ETH", contract: ownToken, exp: 6 }],
    }),
    "config.json",
  );
  const key = await readApprovalKey(join(home, "approval.key"));
  const signer = await runSigner(
    signerSettings(
      config,
      { memoryKib: 64, passes: 1, threads: 1 },
      { approvalKeys: [key.publicKey] },
    ),
    { random: systemRandom, logger: silentLogger, clock: systemClock },
  );
  const client = createSignerClient({
    address: { kind: "socket", path: signer.socketPath },
    clock: systemClock,
  });
  try {
    const from = await hotAddress(client);
    let nonce = 0;
    await use(async (currency, asset, units, changes = {}) => {
      nonce += 1;
      const payout = {
        payoutId: String(nonce),
        chain: "ETH",
        address: payee,
        tag: null,
        currency,
        asset,
        units,
        ...changes,
      };
      const request = evmPayoutRequest(payout, { from, nonce, chainId: 1 }, key);
      return reasonOf(await client.sign(request));
    });
  } finally {
    client.close();
    await signer.close();
  }
}

const reasonOf = (outcome: SignOutcome): string =>
  outcome.kind === "signed" ? "signed" : outcome.reason;

const token = (locator: string): IntendedAsset => ({ kind: "token", locator });

describe("signer limits", () => {
  it("refuse a token payout that names another currency of the chain", async () => {
    await withSigner(
      { 1002: bounds("20000000000000000000"), 2014: bounds("50000000000") },
      async (pay) => {
        expect(await pay("2014", token(usdc), million)).toContain("above the 50000000000 allowed");
        expect(await pay("1002", token(usdc), million)).toBe(
          `payout 2: currency 1002 is coin to the signer, not token:${usdc.toLowerCase()}`,
        );
        expect(await pay("2014", { kind: "coin" }, "1")).toBe(
          `payout 3: currency 2014 is token:${usdc.toLowerCase()} to the signer, not coin`,
        );
        expect(await pay("2014", token(usdc.toLowerCase()), "50000000000")).toBe("signed");
      },
    );
  });

  it("refuse a currency of another chain and one that is not configured", async () => {
    await withSigner("none", async (pay) => {
      const unknown = (id: number, currency: string) =>
        `payout ${id}: the signer's configuration has no currency ${currency} on ETH`;
      expect(await pay("1000", { kind: "coin" }, "1")).toBe(unknown(1, "1000"));
      expect(await pay("7777", token(usdc), "1")).toBe(unknown(2, "7777"));
      expect(await pay("constructor", token(usdc), "1")).toBe(unknown(3, "constructor"));
      expect(await pay("840", { kind: "coin" }, "1")).toBe(unknown(4, "840"));
    });
  });

  it("accept a token that the signer's own configuration adds", async () => {
    await withSigner({ 9000: bounds("1000") }, async (pay) => {
      expect(await pay("9000", token(ownToken), "1000")).toBe("signed");
      expect(await pay("9000", token(ownToken), "1001")).toContain("above the 1000 allowed");
      expect(await pay("9000", token(usdc), "1")).toContain("currency 9000 is token:0x1111");
    });
  });

  it("use the contract of limits.json before the configuration's", async () => {
    const pinned = { ...bounds("1000"), contract: ownToken };
    await withSigner({ 2014: pinned, 9000: bounds("none") }, async (pay) => {
      expect(await pay("2014", token(usdc), "1")).toContain("currency 2014 is token:0x1111");
      expect(await pay("2014", token(ownToken), "1")).toBe("signed");
      expect(await pay("9000", token(ownToken), "1")).toBe(
        `payout 3: limits.json assigns ${ownToken} to currency 2014, not 9000`,
      );
    });
  });
});
