import { HDKey } from "@scure/bip32";
import { expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { reasonOf, siteEntropy, useSignerSite } from "../../../test/support/signer-site.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { KeyRing } from "../draft-signer.ts";
import type { SignRequest } from "../intent.ts";
import { seedOfEntropy } from "../keys/seed-of-entropy.ts";
import { createEvmDraftSigner } from "./draft-signer.ts";
import { addressAt, depositPath, gasPath, hotPath } from "./own-accounts.ts";
import { coinAsset, encodeSweepMany } from "./sweep-call.ts";
import { delegateAddress } from "./sweep-delegate.ts";

/*
 * Sweeps of one spend that share an authorization can all be mined, since the nonce of the gas account decides that: an outdated
 * authorization is skipped, and the transaction burns its fee. So each counts against the day's fees.
 */

const site = useSignerSite();
const seed = seedOfEntropy(siteEntropy());
const keys: KeyRing = { at: (path) => HDKey.fromMasterSeed(seed).derive(path) };
const gas = addressAt(keys, gasPath);
const delegate = delegateAddress({ hot: addressAt(keys, hotPath), gas });
const deposit = addressAt(keys, depositPath(100));
const gasLimit = 900_000n;
const price = 3_000_000_000n;
const fee = gasLimit * price;

const sweep = (nonce: number, maxFeePerGas: bigint): JsonObject => ({
  type: "eip7702",
  chainId: "1337",
  from: gas,
  nonce: String(nonce),
  to: delegate,
  value: "0",
  data: encodeSweepMany([{ assets: [coinAsset], deposits: [deposit] }], 100_000n),
  gas: gasLimit.toString(),
  maxFeePerGas: maxFeePerGas.toString(),
  maxPriorityFeePerGas: "1000000000",
  dataFee: "0",
  authorizations: [{ keyIndex: 100, delegate, nonce: "0" }],
});

const request = (nonce: number, maxFeePerGas = price): SignRequest => ({
  intent: {
    kind: "sweep",
    spendId: "1",
    chain: "ETH",
    feeCeiling: (2n * fee).toString(),
    sources: [{ keyIndex: 100, address: deposit, assets: [{ kind: "coin" }] }],
  },
  body: sweep(nonce, maxFeePerGas),
  // In another order than the draft's, since the caller chooses that one.
  claims: [`${deposit}#0`, `${gas}#${nonce}`],
});

it("counts the fee of each nonce of the gas account, also after a restart", async () => {
  const folder = await site.newFolder();
  const clock = manualClock();
  const limits = {
    chains: {
      ETH: {
        fee_per_transaction: "none",
        fees_per_day: ((3n * fee) / 2n).toString(),
        currencies: "none",
      },
    },
  };
  const draftSigners = [createEvmDraftSigner({ chain: "ETH", chainId: 1337, coldAddress: null })];
  const ask = async (asked: SignRequest): Promise<string> => {
    const opened = await site.open(folder, clock, { limits, draftSigners });
    try {
      return reasonOf(await opened.signing.sign(asked));
    } finally {
      await opened.close();
    }
  };
  expect(await ask(request(5))).toBe("");
  expect(await ask(request(6))).toContain("fees of a day would be");
  // A replacement adds what it burns more.
  expect(await ask(request(5, (price * 3n) / 2n))).toBe("");
  expect(await ask(request(5, (price * 3n) / 2n + 1n))).toContain("fees of a day would be");
  clock.advance(86_400);
  expect(await ask(request(6))).toBe("");
});
