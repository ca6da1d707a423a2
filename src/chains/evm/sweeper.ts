import { coinAmong, contractAmong } from "../../currencies/currency.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { ChainSweeper } from "../paying-port.ts";
import { batchOf, draftSweep } from "./draft-sweep.ts";
import { createFeeMarket } from "./fee-market.ts";
import { codeAt, latestFeeHeader } from "./fee-questions.ts";
import { replaceSweep } from "./price-sweep.ts";
import { surveyDeposits } from "./survey-deposits.ts";
import { delegateFor } from "./sweep-delegate.ts";
import { addressGas, transactionGas, transactionGasMost } from "./sweep-gas.ts";
import type { EvmSweeperOptions, EvmSweeping } from "./sweeping.ts";

/** The gas of moving a common token (Tether, USD Coin). */
const usualTokenGas = 55_000n;
/** About 600,000 gas for 1,500 bytes of code. */
const deploymentGas = 600_000n;
/** Of delegations that one transaction ends: 100 authorizations take 2.5 million gas. */
const releasesMax = 100;

/**
 * Sweeps deposit addresses into the hot account: where the chain has EIP-7702, many in one transaction of the gas account through
 * the delegate's code (`SweepDelegate.sol`), elsewhere each by its own transaction. Needs no key.
 */
export function createEvmSweeper(options: EvmSweeperOptions): ChainSweeper {
  const { record, node, currencies, treasury } = options;
  const { nodeFeeMost } = record;
  const hot = treasury.hot.address.toLowerCase();
  const gasAccount = treasury.gas.address.toLowerCase();
  assert(hot !== gasAccount, "the account that pays fees is not the hot one");
  const sweeping: EvmSweeping = {
    ...options,
    hot,
    gasAccount,
    delegate: delegateFor(hot, gasAccount),
    coin: coinAmong(currencies),
    market: createFeeMarket(node, record),
    contractOf: (id) => contractAmong(currencies, id),
  };
  return {
    release: record.hasDelegation ? { addressesMax: releasesMax, idleSeconds: null } : null,
    survey: async (addresses, signal) => {
      const header = await node.ask(latestFeeHeader, signal);
      const levels = await sweeping.market.levelsAfter(header, signal);
      const code = await node.ask(codeAt(sweeping.delegate), signal);
      const prices = {
        expected: levels.low.maxFeePerGas,
        safe: levels.medium.maxFeePerGas,
      };
      const feeOf = (gas: bigint): bigint => gas * prices.expected;
      return {
        mode: record.hasDelegation ? "batch" : "single",
        setUpFeeUnits: code === "0x" ? feeOf(deploymentGas) : null,
        batchFeeUnits: feeOf(transactionGas),
        releaseFeeUnits: feeOf(transactionGas + addressGas.authorized),
        usualFeeUnits: {
          coin: feeOf(transactionGas),
          token: feeOf(
            usualTokenGas + (record.hasDelegation ? addressGas.authorized : 2n * transactionGas),
          ),
        },
        fitsOneTransaction: (sources) => {
          const { gas } = batchOf(sweeping, sources);
          const isPayable = nodeFeeMost === null || gas * prices.safe <= nodeFeeMost;
          return isPayable && gas <= transactionGasMost;
        },
        states: await surveyDeposits(sweeping, addresses, prices, signal),
      };
    },
    draft: (request, signal) => draftSweep(sweeping, request, signal),
    replace: (draft, feeCeiling, signal) => replaceSweep(sweeping, draft, feeCeiling, signal),
  };
}
