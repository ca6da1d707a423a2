import type { ChainId } from "../currencies/currency.ts";
import type { Faucet } from "./faucet.ts";

export type FundedPurpose = "hot" | "gas" | "change";

/** One of the deployment's own addresses that has no float yet. */
export type UnfundedAddress = {
  readonly chain: ChainId;
  readonly address: string;
  /** Under which a shared account receives the operator's own money; otherwise null. */
  readonly tag: string | null;
  readonly purpose: FundedPurpose;
};

/** Payments of one float: each of the amount, in whole coins or tokens. */
export type Float = { readonly alpha: string; readonly amount: string; readonly times: number };

/** A running chain of the sandbox. */
export type FundedChain = {
  readonly openFaucet: () => Faucet;
  readonly floats: Readonly<Partial<Record<FundedPurpose, readonly Float[]>>>;
  /** Blocks until a float can be paid from. */
  readonly confirmations: number;
};

/**
 * Pays the float to each address from its chain's faucet and confirms it. The service books it as the operator's own money.
 * Leaves out chains that do not run.
 */
export async function fundTreasury(
  addresses: readonly UnfundedAddress[],
  findChain: (chain: ChainId) => FundedChain | null,
): Promise<void> {
  const byChain = Map.groupBy(addresses, ({ chain }) => chain);
  await Promise.all(
    [...byChain].map(async ([id, waiting]) => {
      const chain = findChain(id);
      if (chain === null) return;
      const faucet = chain.openFaucet();
      try {
        for (const { purpose, ...payee } of waiting) {
          await payFloats(faucet, chain.floats[purpose] ?? [], payee);
        }
        await faucet.mine(chain.confirmations);
      } finally {
        await faucet.close();
      }
    }),
  );
}

async function payFloats(
  faucet: Faucet,
  missing: readonly Float[],
  { address, tag }: Pick<UnfundedAddress, "address" | "tag">,
): Promise<void> {
  for (const { alpha, amount, times } of missing)
    await faucet.payPieces(alpha, address, amount, times, tag);
}
