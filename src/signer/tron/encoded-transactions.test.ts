import { TronWeb, utils } from "tronweb";
import { describe, expect, it } from "vitest";
import {
  common,
  deposit,
  expectRefused,
  gas,
  hot,
  keys,
  payee,
  paying,
  payout,
  rest,
  signer,
  tether,
  token,
  valid,
} from "../../../test/support/tron-drafts.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { SpendIntent } from "../intent.ts";

/* Transactions that tronweb encodes, beyond what the adapter's own builder can produce. */

describe("a transaction that tronweb encodes", () => {
  const hex = (address: string): string => TronWeb.address.toHex(address);
  const transfer = { owner_address: hex(hot), to_address: hex(payee), amount: 5_000_000 };
  const trigger = {
    owner_address: hex(hot),
    contract_address: hex(tether),
    data: `a9059cbb${hex(payee).slice(2).padStart(64, "0")}${(5_000_000).toString(16).padStart(64, "0")}`,
  };
  const delegation = {
    owner_address: hex(gas),
    receiver_address: hex(deposit),
    balance: 90_000_000,
    resource: "ENERGY",
  };
  const delegating: SpendIntent = { ...common, kind: "delegate", keyIndex: 7, units: "90000000" };
  const tokenPayout = paying({ ...payout, asset: token });

  const called = {
    type: "TriggerSmartContract",
    intent: tokenPayout,
    more: { fee_limit: 20_000_000 },
  };
  const moved = { type: "TransferContract", value: transfer, intent: paying(payout) };
  const lent = { type: "DelegateResourceContract", value: delegation, intent: delegating };

  it.each<Encoded & { readonly what: string }>([
    { what: "a transfer", ...moved },
    { what: "a token's transfer", ...called, value: trigger },
    { what: "a delegation", ...lent },
  ])("is accepted if it is $what", (candidate) => {
    expect(
      signer.inspect(bodyWith(encoded(candidate), candidate.intent), candidate.intent, keys).claims,
    ).toEqual([]);
  });

  it.each<Encoded & { readonly what: string }>([
    { what: "a memo", ...moved, more: { data: "68656c6c6f" } },
    { what: "a permission id", ...moved, inContract: { Permission_id: 2 } },
    { what: "coin for the contract", ...called, value: { ...trigger, call_value: 1 } },
    {
      what: "TRC-10 tokens for the contract",
      ...called,
      value: { ...trigger, call_token_value: 1, token_id: 1_002_000 },
    },
    {
      what: "a call of approve",
      ...called,
      value: { ...trigger, data: trigger.data.replace("a9059cbb", "095ea7b3") },
    },
    { what: "further calldata", ...called, value: { ...trigger, data: `${trigger.data}00` } },
    {
      what: "a version byte in the receiver's word",
      ...called,
      value: { ...trigger, data: trigger.data.replace(/^(a9059cbb0{22})00/, "$141") },
    },
    { what: "bandwidth in a delegation", ...lent, value: { ...delegation, resource: "BANDWIDTH" } },
    { what: "a lock", ...lent, value: { ...delegation, lock: true, lock_period: 86_400 } },
    {
      what: "a contract that stakes",
      type: "FreezeBalanceV2Contract",
      value: { owner_address: hex(gas), frozen_balance: 90_000_000, resource: "ENERGY" },
      intent: delegating,
    },
    {
      what: "a contract that moves a TRC-10 token",
      type: "TransferAssetContract",
      value: { ...transfer, asset_name: "31303032303030" },
      intent: paying(payout),
    },
  ])("is refused if it has $what", (candidate) => {
    expectRefused(bodyWith(encoded(candidate), candidate.intent), candidate.intent);
  });

  it("is refused with a second contract, a repeated member, or an integer not in its shortest form", () => {
    const intent = paying(payout);
    const raw = encoded(moved);
    const contractAt = raw.indexOf("5a", 20);
    const length = Number.parseInt(raw.slice(contractAt + 2, contractAt + 4), 16) * 2 + 4;
    const contract = raw.slice(contractAt, contractAt + length);
    expect(contract).toMatch(/^5a68080112640a2d/);
    expectRefused(bodyWith(raw.replace(contract, contract + contract), intent), intent);
    expectRefused(bodyWith(raw.replace(/^0a02/, "0a020000120100"), intent), intent);
    expectRefused(bodyWith(raw.replace("5a", "da00"), intent), intent);
    // fee_limit (field 18) of 0, which serializers leave out.
    expectRefused(bodyWith(`${raw}900100`, intent), intent);
    // auths (9), scripts (12) and an unknown field (30).
    for (const field of ["4a0100", "620100", "f2010100"])
      expectRefused(bodyWith(`${raw}${field}`, intent), intent);
  });

  function encoded({ type, value, more = {}, inContract = {} }: Encoded): string {
    const parameter = { value, type_url: `type.googleapis.com/protocol.${type}` };
    const message: unknown = utils.transaction.txJsonToPb({
      raw_data: {
        contract: [{ parameter, type, ...inContract }],
        ref_block_bytes: rest.refBlock.bytes,
        ref_block_hash: rest.refBlock.hash,
        expiration: Number(rest.expiration),
        timestamp: Number(rest.timestamp),
        ...more,
      },
    });
    return utils.transaction.txPbToRawDataHex(message).toLowerCase();
  }

  /** The body of the valid draft for the intent, with these bytes instead. */
  function bodyWith(rawData: string, intent: SpendIntent): JsonObject {
    const [, body] = valid.find(([, , one]) => JSON.stringify(one) === JSON.stringify(intent))!;
    return { ...body, rawData };
  }
});

/** A transaction in the JSON of java-tron: one contract, and members of `raw_data` and of the contract besides the usual ones. */
type Encoded = {
  readonly type: string;
  readonly value: object;
  readonly intent: SpendIntent;
  readonly more?: object;
  readonly inContract?: object;
};
