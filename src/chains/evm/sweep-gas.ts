import { minBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { SweepAsset, SweepSourceState } from "../paying-port.ts";
import type { Call } from "./fee-questions.ts";

/**
 * Base cost of a transaction (yellow paper), and of an authorization in one (EIP-7702; half of it is refunded for accounts in
 * use).
 */
export const transactionGas = 21_000n;
const authorizationGas = 25_000n;
/** Calling a delegated address (2,600 for it, at first 2,600 for the code), and its code apart from the assets. */
const addressCallGas = 9_000n;
/** Reading a token's balance and calling `transfer`, in addition to the gas that `transfer` uses. */
const tokenAskGas = 8_000n;
/** Sending value to an existing account, and to a new one. */
const coinMoveGas = 36_700n;

/** An address's cost in a batch, without its assets. */
export const addressGas = {
  authorized: addressCallGas + authorizationGas,
  delegated: addressCallGas,
} as const;

/** An asset's cost in a batch, from the estimate of its transfer alone; the coin costs the same everywhere. */
export function assetGas(transferGas: bigint | null): bigint {
  return transferGas === null
    ? coinMoveGas
    : transferGas - minBigInt(transferGas, transactionGas) + tokenAskGas;
}

/** The contract's own figures (`assetGas`, `depositGas` there): the gas that it requires to be left before each address. */
const contractAssetGas = 16_000n;
const contractDepositGas = 12_000n;
/** Loading the address and its code, which the contract's figures leave out, and one iteration of the loop. */
const contractTurnGas = 6_000n;

/** Maximum gas of a transaction (EIP-7825). */
export const transactionGasMost = 16_777_216n;

/** The gas for a token's calls: twice the highest expected use. */
export function gasForEach(assets: readonly SweepAsset[]): bigint {
  const highest = assets.reduce(
    (most, { work }) => (work !== null && work > most ? work : most),
    0n,
  );
  return 2n * highest + 20_000n;
}

/**
 * A batch's gas limit: the maximum that its addresses can use if every token burns all of its gas. With less, such tokens would
 * leave too little for the addresses behind them, and the contract would revert the whole batch. Unused gas costs nothing.
 */
export function batchGasLimit(
  call: Call,
  sources: readonly SweepSourceState[],
  gasEach: bigint,
): bigint {
  const each = sources.map(({ state, currencies }) => ({
    ofCall:
      (BigInt(currencies.length) * (gasEach + contractAssetGas) * 65n) / 63n + contractDepositGas,
    fixed: contractTurnGas + (state.isPrepared ? 0n : authorizationGas),
  }));
  const all = each.reduce((sum, { ofCall, fixed }) => sum + ofCall + fixed, 0n);
  const highest = each.reduce((most, { ofCall }) => (ofCall > most ? ofCall : most), 0n);
  // EIP-150 also withholds one part in 64 of the remainder before the last address.
  return transactionGas + dataGas(call) + all + highest / 63n + 10_000n;
}

/** Ending delegations: each authorization, and an empty call. */
export function undelegateGasLimit(count: number): bigint {
  return transactionGas + BigInt(count) * authorizationGas + 5_000n;
}

/** EIP-2028: 16 per byte, as if none were zero. */
function dataGas({ data }: Call): bigint {
  return BigInt((data.length - 2) / 2) * 16n;
}
