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
    : transferGas - smaller(transferGas, transactionGas) + tokenAskGas;
}

/** The contract's own figures (`assetGas`, `depositGas` there): what it wants to see left before each address. */
const contractAssetGas = 16_000n;
const contractDepositGas = 12_000n;

/** What each call of a token gets: twice what the dearest of them is expected to use. */
export function gasForEach(assets: readonly SweepAsset[]): bigint {
  const dearest = assets.reduce((most, { gas }) => (gas !== null && gas > most ? gas : most), 0n);
  return 2n * dearest + 20_000n;
}

/**
 * The gas that a batch is given: what it is expected to use and a quarter on top, and beside that what the contract wants to
 * see left before the dearest address (EIP-150 keeps one part in 64 back).
 */
export function batchGasLimit(
  call: Call,
  sources: readonly SweepSourceState[],
  gasEach: bigint,
): bigint {
  const expected = sources.reduce((sum, source) => sum + expectedGas(source), 0n);
  const assetsMost = sources.reduce((most, { currencies }) => Math.max(most, currencies.length), 0);
  const wanted =
    (BigInt(assetsMost) * (2n * gasEach + contractAssetGas) * 65n) / 63n + contractDepositGas;
  return transactionGas + dataGas(call) + (expected * 5n) / 4n + (wanted * 64n) / 63n + 10_000n;
}

function expectedGas({ state, currencies }: SweepSourceState): bigint {
  const ofAddress = state.isDelegated ? addressGas.delegated : addressGas.authorized;
  return state.assets.reduce(
    (sum, { currency, gas }) => (currencies.includes(currency) ? sum + (gas ?? 0n) : sum),
    ofAddress,
  );
}

/** The end of delegations: each authorization, and a call of nothing. */
export function undelegateGasLimit(count: number): bigint {
  return transactionGas + BigInt(count) * authorizationGas + 5_000n;
}

/** EIP-2028: 16 for each byte, as if none were zero. */
function dataGas({ data }: Call): bigint {
  return BigInt((data.length - 2) / 2) * 16n;
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
