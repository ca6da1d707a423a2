import { assert } from "../../platform/kernel/assert.ts";
import { minBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import type { Draft, DraftOutcome } from "../paying-port.ts";
import { readDataFee } from "./data-fee.ts";
import { feeOf, readBody, writeBody } from "./draft-body.ts";
import type { GasFees } from "./estimate-fees.ts";
import { type Call, latestFeeHeader } from "./fee-questions.ts";
import { ceilingWithin, priceDraft } from "./price-draft.ts";
import { balanceAt } from "./questions.ts";
import { nonceClaim } from "./senders.ts";
import type { EvmSweeping } from "./sweeping.ts";

/** An address's authorization to run another's code, or none for the zero address (EIP-7702). Addresses in lower case. */
export type Authorization = {
  readonly keyIndex: number;
  readonly address: string;
  readonly delegate: string;
  readonly nonce: number;
};

/** The call and authorizations, without their price. */
export type SweepTransaction = {
  readonly from: string;
  readonly nonce: number;
  /** The deposit address that sends by itself; null: the gas account sends. */
  readonly keyIndex: number | null;
  readonly call: Call;
  readonly gas: bigint;
  readonly authorizations: readonly Authorization[];
};

/**
 * Prices the sweep and drafts it if the sender holds enough of the coin. A deposit address that sends its coin sends its balance
 * less the fee; one that sends a token pays from its top-up, as long as nodes accept that little.
 */
export async function priceSweep(
  sweeping: EvmSweeping,
  transaction: SweepTransaction,
  ceiling: bigint,
  signal: AbortSignal,
  replaces: GasFees | null = null,
): Promise<DraftOutcome> {
  const { node, record, market, coin } = sweeping;
  const { nodeFeeMost } = record;
  const { from, gas, keyIndex } = transaction;
  const header = await node.ask(latestFeeHeader, signal);
  const levels = await market.levelsAfter(header, signal);
  if (levels.kind === "legacy")
    return { kind: "impossible", reason: `${record.chain} has no base fee` };
  const dataFee = await readDataFee(node, record, transaction.call, gas, signal);
  const feeCeiling = ceilingWithin({ feeCeiling: ceiling, dataFee, nodeFeeMost });
  const coinUnits = await node.ask(balanceAt(from, header.block.hash), signal);
  const sendsCoin = keyIndex !== null && transaction.call.value > 0n;
  const ownCeiling = keyIndex === null || sendsCoin ? feeCeiling : minBigInt(feeCeiling, coinUnits);
  const price = priceDraft({
    levels,
    gas,
    dataFee,
    feeTarget: null,
    feeCeiling: ownCeiling,
    nodeFeeMost,
    replaces,
  });
  if (price.kind === "tooExpensive") {
    const missing = price.feeUnits - coinUnits;
    return price.feeUnits <= feeCeiling && missing > 0n
      ? { kind: "insufficient", currency: coin, missing }
      : price;
  }
  const fees = sendsCoin ? withoutChange(price.fees) : price.fees;
  const fee = gas * fees.maxFeePerGas + dataFee;
  const value = sendsCoin
    ? minBigInt(transaction.call.value, coinUnits) - fee
    : transaction.call.value;
  if (sendsCoin && value <= 0n)
    return { kind: "insufficient", currency: coin, missing: 1n - value };
  const missing = value + fee - coinUnits;
  if (missing > 0n) return { kind: "insufficient", currency: coin, missing };
  const call = { ...transaction.call, value };
  return {
    kind: "draft",
    draft: draftOf(sweeping.network.chainId, { ...transaction, call }, fees, dataFee),
  };
}

/** The whole fee is paid, so that nothing is left at the address that another transaction would have to move. */
function withoutChange({ maxFeePerGas }: GasFees): GasFees {
  return { maxFeePerGas, maxPriorityFeePerGas: maxFeePerGas };
}

function draftOf(
  chainId: number,
  transaction: SweepTransaction,
  fees: GasFees,
  dataFee: bigint,
): Draft {
  const { from, nonce, keyIndex, call, gas, authorizations } = transaction;
  const plain = { type: "eip1559", chainId, from, nonce, call, gas, fees, dataFee } as const;
  const body = { ...writeBody(plain), ...membersOf(keyIndex, authorizations) };
  return {
    body,
    claims: [
      nonceClaim(from, nonce),
      ...authorizations.map((authority) => nonceClaim(authority.address, authority.nonce)),
    ],
    feeUnits: feeOf(plain),
    validity: null,
  };
}

/** Tells the signer whose key is needed in addition to, or instead of, the gas account's. */
function membersOf(keyIndex: number | null, authorizations: readonly Authorization[]): JsonObject {
  if (keyIndex !== null) return { type: "deposit", keyIndex };
  if (authorizations.length === 0) return {};
  return {
    type: "eip7702",
    authorizations: authorizations.map(
      ({ keyIndex: index, delegate, nonce }): JsonObject => ({
        keyIndex: index,
        delegate,
        nonce: nonce.toString(),
      }),
    ),
  };
}

/** The same transaction at fees that nodes accept as a replacement. */
export async function replaceSweep(
  sweeping: EvmSweeping,
  draft: Draft,
  feeCeiling: bigint,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  const { authorizations = [], keyIndex = null, ...rest } = draft.body;
  const replaced = readBody({ ...rest, type: "eip1559" });
  assert(Array.isArray(authorizations), "a draft with authorizations");
  const authorities = draft.claims.slice(1);
  const { from, nonce, gas, call } = replaced;
  // The fee was subtracted from the coin's amount, and is again here.
  const requiredUnits =
    call.value > 0n && keyIndex !== null ? call.value + feeOf(replaced) : call.value;
  const transaction: SweepTransaction = {
    from,
    nonce,
    gas,
    call: { ...call, value: requiredUnits },
    keyIndex: typeof keyIndex === "number" ? keyIndex : null,
    authorizations: (authorizations as readonly JsonValue[]).map((value, position) =>
      authorizationFrom(value, authorities[position]),
    ),
  };
  return await priceSweep(sweeping, transaction, feeCeiling, signal, replaced.fees);
}

function authorizationFrom(value: JsonValue, claim: string | undefined): Authorization {
  const { keyIndex, delegate, nonce } = value as JsonObject;
  assert(
    typeof keyIndex === "number" && typeof delegate === "string" && typeof nonce === "string",
    "an authorization of ours",
  );
  const address = claim?.split("#")[0];
  assert(address !== undefined, "a claim for each authorization");
  return { keyIndex, address, delegate, nonce: Number(nonce) };
}
