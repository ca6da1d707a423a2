import type { ChainAdapter } from "../../chains/chain-adapter.ts";
import type { AccountReadiness } from "../../chains/paying-port.ts";
import type { AddressPool } from "../../chains/pools/fill-pools.ts";
import type { FollowedChain } from "./build-adapters.ts";
import type { Foundation } from "./foundation.ts";

/** One pool per kind of address; chains with the same keyspace share it. */
export function buildPools(
  { config, logger }: Pick<Foundation, "config" | "logger">,
  chains: readonly FollowedChain[],
): readonly AddressPool[] {
  const pools = new Map<string, AddressPool>(
    chains.flatMap(({ adapter }) => {
      const { keyspace, addressing } = adapter;
      // A deployment that only receives cannot set its account up.
      const isOpen = config.payouts === undefined ? null : accountIsReady(adapter, logger);
      return addressing.types.map(({ name }) => {
        const addressType = name ?? "";
        const pool = { keyspace, addressType, addressing, ...(isOpen === null ? {} : { isOpen }) };
        return [`${keyspace} ${addressType}`, pool] as const;
      });
    }),
  );
  return [...pools.values()];
}

/** Whether the account that all deposits share can be paid as intended; null where that needs no check. */
function accountIsReady(
  { chain, addressing, writer }: ChainAdapter,
  logger: Foundation["logger"],
): NonNullable<AddressPool["isOpen"]> | null {
  const readiness = writer?.account?.readiness;
  if (addressing.source !== "shared" || readiness === undefined) return null;
  const { address } = addressing.treasury.hot;
  let known: AccountReadiness | null = null;
  return async (signal) => {
    const found = await readiness(address, signal);
    // What an issuer forbids stops no other currency.
    const isOpen = found === "ready" || found === "unauthorized";
    if (found !== known && found !== "ready")
      logger.warn(
        isOpen
          ? "the issuer of a token has not authorized the account to hold the token: payments in it fail"
          : "deposits get no addresses until the account is set up",
        { chain, address, account: found },
      );
    known = found;
    return isOpen;
  };
}
