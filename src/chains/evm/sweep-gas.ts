import { minBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { SweepAsset, SweepSourceState } from "../paying-port.ts";
import type { Call } from "./fee-questions.ts";

/** Every transaction (yellow paper), and every authorization in one (EIP-7702; half of it comes back for accounts in use). */
export const transactionGas = 21_000n;
const authorizationGas = 25_000n;
/** Calling a delegated address (2600 for it, at first 2600 for the code), and what its code does beside the assets. */
const addressCallGas = 9_000n;
/** Asking a token's balance, and the call of `transfer` itself, beside what `transfer` uses. */
const tokenAskGas = 8_000n;
/** Value to an account that exists already, and to one that does not. */
const coinMoveGas = 36_700n;

/** What an address costs in a batch, beside its assets. */
export const addressGas = {
  authorized: addressCallGas + authorizationGas,
  delegated: addressCallGas,
} as const;

/** What an asset costs in a batch, from what a transfer of it alone was estimated at; the coin is the same everywhere. */
export function assetGas(transferGas: bigint | null): bigint {
  return transferGas === null
    ? coinMoveGas
    : transferGas - minBigInt(transferGas, transactionGas) + tokenAskGas;
}

/** The contract's own figures (`assetGas`, `depositGas` there): what it wants to see left before each address. */
const contractAssetGas = 16_000n;
const contractDepositGas = 12_000n;
/** Finding the address and its code, which the contract's figures leave out, and its turn of the loop. */
const contractTurnGas = 6_000n;

/** Most that a block takes of one transaction (EIP-7825). */
export const transactionGasMost = 16_777_216n;

/** What the calls of a token get together: twice what the dearest of them is expected to use. */
export function gasForEach(assets: readonly SweepAsset[]): bigint {
  const dearest = assets.reduce((most, { gas }) => (gas !== null && gas > most ? gas : most), 0n);
  return 2n * dearest + 20_000n;
}

/**
 * The gas that a batch is given: all that its addresses can use, should every token burn what it gets. Otherwise some that do
 * would leave too little for those behind, and the contract would undo what it did for all. What is not used costs nothing.
 */
export function batchGasLimit(
  call: Call,
  sources: readonly SweepSourceState[],
  gasEach: bigint,
): bigint {
  const each = sources.map(({ state, currencies }) => ({
    ofCall:
      (BigInt(currencies.length) * (gasEach + contractAssetGas) * 65n) / 63n + contractDepositGas,
    beside: contractTurnGas + (state.isDelegated ? 0n : authorizationGas),
  }));
  const all = each.reduce((sum, { ofCall, beside }) => sum + ofCall + beside, 0n);
  const dearest = each.reduce((most, { ofCall }) => (ofCall > most ? ofCall : most), 0n);
  // EIP-150 keeps one part in 64 back of what is left before the last one too.
  return transactionGas + dataGas(call) + all + dearest / 63n + 10_000n;
}

/** The end of delegations: each authorization, and a call of nothing. */
export function undelegateGasLimit(count: number): bigint {
  return transactionGas + BigInt(count) * authorizationGas + 5_000n;
}

/** EIP-2028: 16 for each byte, as if none were zero. */
function dataGas({ data }: Call): bigint {
  return BigInt((data.length - 2) / 2) * 16n;
}
