import { findCoin } from "../../../src/currencies/coins.ts";
import { signedNetworkOf } from "../../../src/main/families/utxo.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../../src/platform/kernel/json.ts";
import { DraftRefused } from "../../../src/signer/draft-signer.ts";
import { readDelegating, readDepositTransaction } from "../../../src/signer/evm/read-delegating.ts";
import { readTransaction } from "../../../src/signer/evm/read-transaction.ts";
import { decodeSweepMany, encodeSweepMany } from "../../../src/signer/evm/sweep-call.ts";
import { LimitsFault, parseLimits } from "../../../src/signer/limits-file.ts";
import { parseReply, parseRequest } from "../../../src/signer/protocol.ts";
import { readSignRequest } from "../../../src/signer/read-sign-request.ts";
import { readRawTransaction } from "../../../src/signer/tron/raw-transaction.ts";
import { readDraft as readUtxoDraft } from "../../../src/signer/utxo/read-draft.ts";
import { jsonOf, rejecting, type Target, textOf } from "../engine/target.ts";

const account = `0x${"12".repeat(20)}`;
const draft = {
  type: "eip1559",
  chainId: "1",
  from: account,
  nonce: "7",
  to: account,
  value: "1",
  data: "0x",
  gas: "21000",
  maxFeePerGas: "3",
  maxPriorityFeePerGas: "1",
  dataFee: "0",
};
const authorization = { keyIndex: 1, delegate: account, nonce: "0" };
const coin = {
  txid: "ab".repeat(32),
  vout: 1,
  units: "100000",
  addressType: "bech32",
  branch: 0,
  keyIndex: 2,
};
const utxoDraft = {
  version: 1,
  inputs: [coin],
  outputs: [{ address: "bc1q", units: "99000", change: null }],
  previous: { [coin.txid]: "0200" },
};
const payout = {
  payoutId: "1",
  chain: "ETH",
  address: account,
  tag: null,
  currency: "1002",
  asset: { kind: "coin" },
  units: "1",
  approval: `${"A".repeat(86)}==`,
};
const intent = {
  spendId: "1",
  chain: "ETH",
  feeCeiling: "0",
  kind: "payout",
  payouts: [payout],
};
const sweep = {
  spendId: "1",
  chain: "ETH",
  feeCeiling: "0",
  kind: "sweep",
  sources: [{ keyIndex: 3, address: account, assets: [{ kind: "token", locator: account }] }],
};
const signing = (one: object) => ({ intent: one, body: draft, claims: ["x#1"] });
const call = (one: object) => JSON.stringify({ id: 1, call: one });
const objectIn = (input: Uint8Array): JsonObject | null => {
  const value = jsonOf(input);
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : null;
};
const network = signedNetworkOf(present(findCoin("BTC"), "bitcoin"), "main");
/** A transfer of 2,000,000 sun, as wallets encode it. */
const tronTransfer = Buffer.from(
  "0a027b3b2208b21ace8d6ac20e7e40d8abb9bae62c5a67080112630a2d747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e5472616e73666572436f6e747261637412320a15415cd0fb0ab3ce40f3051414c604b27756e69e43db121541521ea197907927725ef36d70f25f850d1659c7c71880897a70b889a4a9e62c",
  "hex",
);

/** What reaches the signer: requests of workers, and the drafts in them. */
export const signerTargets: readonly Target[] = [
  {
    name: "signer-protocol",
    form: "json",
    seeds: () => [
      call({ method: "sign", request: signing(intent) }),
      call({ method: "sign", request: signing(sweep) }),
      call({ method: "createKeys", keyspace: "a", addressType: "", first: 0, last: 9 }),
      call({ method: "mark", generation: 1, numbers: { payout: "7" } }),
      call({ method: "signedSpends", chain: "BTC", after: 0 }),
      '{"id":1,"result":{}}',
    ],
    words: ["approval", "tag", "top_up", "cold", "keyIndexes", "locator"],
    run: (input) => {
      const request = parseRequest(textOf(input));
      parseReply(textOf(input));
      if (request?.call.method === "sign") readSignRequest(request.call.request);
      readSignRequest(jsonOf(input));
    },
  },
  {
    name: "signer-evm-draft",
    form: "json",
    seeds: () => [
      JSON.stringify(draft),
      JSON.stringify({ ...draft, type: "eip7702", authorizations: [authorization] }),
      JSON.stringify({ ...draft, type: "deposit", keyIndex: 1 }),
    ],
    words: ["legacy", "gasPrice", "authorizations", "authorizationList"],
    run: (input) => {
      const body = objectIn(input);
      if (body === null) return;
      for (const read of [readTransaction, readDelegating, readDepositTransaction])
        rejecting([DraftRefused], () => read(body));
    },
  },
  {
    name: "signer-evm-sweep-call",
    form: "text",
    seeds: () => [
      encodeSweepMany([{ assets: [account], deposits: [account, account] }], 100_000n),
      encodeSweepMany([], 0n),
    ],
    words: ["0".repeat(64), "f".repeat(64)],
    run: (input) => rejecting([DraftRefused], () => decodeSweepMany(textOf(input))),
  },
  {
    name: "signer-utxo-draft",
    form: "json",
    seeds: () => [JSON.stringify(utxoDraft)],
    words: ["legacy", "change", "p2sh-segwit"],
    run: (input) => {
      const body = objectIn(input);
      if (body !== null) rejecting([DraftRefused], () => readUtxoDraft(body, network));
    },
  },
  {
    name: "signer-tron-transaction",
    form: "bytes",
    seeds: () => [tronTransfer],
    run: (input) => rejecting([DraftRefused], () => readRawTransaction(input)),
  },
  {
    name: "signer-limits",
    form: "json",
    seeds: () => ['{"BTC":{"per_hour":"1.5"},"USDT-ETH":{"per_transaction":"1000"}}'],
    run: (input) => rejecting([LimitsFault], () => parseLimits(textOf(input), "limits.json")),
  },
];
